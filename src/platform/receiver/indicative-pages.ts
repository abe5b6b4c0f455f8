// GET /partner-offers/{token}/key-facts and /terms: what an indicative offer of the partner costs and means (D3 §2.3, D1 §2.4 offers).
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { inr } from '#kit/money/money.ts'
import { indicativePrefix, openIndicativeLink } from '#platform/application/partner/indicative-link.ts'
import { type Context, route } from '#platform/context.ts'
import { contactOf } from '#platform/exchange/identity.ts'
import { findCase } from '#platform/exchange/store.ts'
import { type Terms, termsFrom } from '#platform/journey/terms.ts'
import { findByConversation } from '#platform/offer/store.ts'
import { page } from './page.ts'

const common = {
  method: 'GET',
  section: 'D3 §2.3',
  auth: { scheme: null, check: () => null },
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 1000 }) }),
} as const

export const keyFactsPage = route({
  ...common,
  path: `${indicativePrefix}/{token}/key-facts`,
  summary: 'The key facts of an indicative offer',
  async handle({ params }, ctx) {
    return page('Key facts of an indicative offer', facts(ctx.config, await termsAt(ctx, params.token)))
  },
})

export const termsPage = route({
  ...common,
  path: `${indicativePrefix}/{token}/terms`,
  summary: 'The terms of the loan that an indicative offer is for',
  async handle({ params }, ctx) {
    return page('Terms of the loan', conditions(ctx.config, await termsAt(ctx, params.token)))
  },
})

/** The terms as they were recommended, also after the lender has given its final ones. */
async function termsAt(ctx: Context, token: string): Promise<Terms> {
  const { referenceId, ...place } = openIndicativeLink(ctx, token)
  const application = await findCase(ctx.db, place)
  const offer = application && (await findByConversation(ctx.db, application, application.caseRef))
  const stored = [offer?.firstTerms, offer?.terms].find((terms) => terms?.quoteId === referenceId)
  if (!stored) throw new Refusal('absent', 'this offer was replaced by another')
  return termsFrom(stored)
}

type Config = Context['config']

const notFinal = html`<p>This offer is indicative. After its review the lender gives final terms with a key facts statement of their own; only those bind you and the lender.</p>`

function facts(config: Config, terms: Terms): Html {
  const contact = contactOf(config)
  const last = terms.principal + terms.interest - terms.installmentAmount * BigInt(terms.installmentsCount - 1)
  const rows: [string, string][] = [
    ['Lender', config.PARTNER_LENDER_NAME],
    ['Offer', terms.quoteId],
    ['Loan amount', inr(terms.principal)],
    ['Term', terms.term],
    [
      'Instalments',
      `${terms.installmentsCount} weekly instalments of ${inr(terms.installmentAmount)}, the last one ${inr(last)}`,
    ],
    ['Interest', `${terms.interestRate} a year, fixed, on the reducing balance: ${inr(terms.interest)} in all`],
    ['Processing fee, tax included', inr(terms.processingFee)],
    ['Paid out to you', inr(terms.netDisbursed)],
    ['Total to be paid', inr(terms.principal + terms.interest)],
    ['Annual percentage rate (APR)', terms.apr],
    ['Penal charges', terms.delayPenaltyFee ?? 'None'],
    ['Cooling-off period', `${config.PARTNER_COOL_OFF_DAYS} days from disbursal, without penalty`],
    ['Grievance officer', textOf(contact.groName, contact.groDesignation, contact.groContactNumber, contact.groEmail)],
    ['Address', textOf(contact.groAddress)],
    [
      'Customer support',
      textOf(contact.customerSupportContactNumber, contact.customerSupportEmail, contact.customerSupportLink),
    ],
  ]
  return html`${notFinal}<table><tbody>${rows.map(
    ([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`,
  )}</tbody></table>`
}

const textOf = (...parts: (string | null)[]): string => parts.filter(Boolean).join(', ') || 'Not stated'

const conditions = (config: Config, terms: Terms): Html =>
  html`${notFinal}<p>A loan of ${config.PARTNER_LENDER_NAME}. The amounts, the rate and every charge are in the <a href="key-facts">key facts</a>.</p>
<ol><li>The lender pays the net amount to your own bank account once you have accepted its final terms, signed the agreement and set up the mandate. Interest runs from the day of the transfer.</li>
<li>You repay in ${terms.installmentsCount} weekly instalments by the mandate that you set up.</li>
<li>You may repay early, in part or in whole, at any time and free of charge.</li>
<li>Within ${config.PARTNER_COOL_OFF_DAYS} days from disbursal you may leave the loan by repaying the principal and the interest for the days you had it.</li>
<li>Penal charges: ${terms.delayPenaltyFee ?? 'none'}.</li></ol>`
