// GET /partner-offers/{token}/key-facts and /terms: what an indicative offer of the partner costs and means (D3 §2.3, D1 §2.4 offers).
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { inr } from '#kit/money/money.ts'
import { indicativePrefix, openIndicativeLink } from '#platform/application/partner/indicative-link.ts'
import { type Context, route } from '#platform/context.ts'
import { partnerOf } from '#platform/exchange/call.ts'
import { contactOf, type Partner } from '#platform/exchange/partner.ts'
import { findCase } from '#platform/exchange/store.ts'
import { type Terms, termsFrom } from '#platform/journey/terms.ts'
import { findByConversation } from '#platform/offer/store.ts'
import { type Reader, readerOf } from '#platform/page-text/page-text.ts'
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
  async handle({ params, headers }, ctx) {
    const reader = readerOf(headers)
    const { factsTitle } = reader.texts.indicative
    return page(reader, factsTitle, facts(reader, await offerAt(ctx, params.token)))
  },
})

export const termsPage = route({
  ...common,
  path: `${indicativePrefix}/{token}/terms`,
  summary: 'The terms of the loan that an indicative offer is for',
  async handle({ params, headers }, ctx) {
    const reader = readerOf(headers)
    const { termsTitle } = reader.texts.indicative
    return page(reader, termsTitle, conditions(reader, await offerAt(ctx, params.token)))
  },
})

/** The terms as they were recommended, also after the lender has given its final ones. */
async function offerAt(ctx: Context, token: string): Promise<IndicativeOffer> {
  const { referenceId, ...place } = openIndicativeLink(ctx, token)
  const application = await findCase(ctx.db, place)
  const offer = application && (await findByConversation(ctx.db, application, application.caseRef))
  const stored = [offer?.firstTerms, offer?.terms].find((terms) => terms?.quoteId === referenceId)
  if (!application || !stored) throw new Refusal('absent', 'this offer was replaced by another')
  return { partner: await partnerOf(ctx, ctx.db, application), terms: termsFrom(stored) }
}

interface IndicativeOffer {
  partner: Partner
  terms: Terms
}

function facts({ texts: { indicative: texts } }: Reader, { partner, terms }: IndicativeOffer): Html {
  const contact = contactOf(partner)
  const last = terms.principal + terms.interest - terms.installmentAmount * BigInt(terms.installmentsCount - 1)
  const rows: [string, string][] = [
    [texts.lender, partner.name],
    [texts.offer, terms.quoteId],
    [texts.amount, inr(terms.principal)],
    [texts.term, terms.term],
    [texts.instalments, texts.instalmentsOf(terms.installmentsCount, inr(terms.installmentAmount), inr(last))],
    [texts.interest, texts.interestOf(terms.interestRate, inr(terms.interest))],
    [texts.fee, inr(terms.processingFee)],
    [texts.paidOut, inr(terms.netDisbursed)],
    [texts.total, inr(terms.principal + terms.interest)],
    [texts.apr, terms.apr],
    [texts.penal, terms.delayPenaltyFee ?? texts.none],
    [texts.coolOff, texts.coolOffOf(partner.rules.coolOffDays)],
    [
      texts.officer,
      known(contact.groName, contact.groDesignation, contact.groContactNumber, contact.groEmail) ?? texts.notStated,
    ],
    [texts.address, known(contact.groAddress) ?? texts.notStated],
    [
      texts.support,
      known(contact.customerSupportContactNumber, contact.customerSupportEmail, contact.customerSupportLink) ??
        texts.notStated,
    ],
  ]
  return html`<p>${texts.notFinal}</p><table><tbody>${rows.map(
    ([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`,
  )}</tbody></table>`
}

const known = (...parts: (string | null)[]): string | null => parts.filter(Boolean).join(', ') || null

function conditions({ texts: { indicative: texts } }: Reader, { partner, terms }: IndicativeOffer): Html {
  const [before, behind] = texts.loanOf(partner.name)
  const each = texts.conditions(terms.installmentsCount, partner.rules.coolOffDays, terms.delayPenaltyFee)
  return html`<p>${texts.notFinal}</p><p>${before}<a href="key-facts">${texts.keyFacts}</a>${behind}</p>
<ol>${each.map((text) => html`<li>${text}</li>\n`)}</ol>`
}
