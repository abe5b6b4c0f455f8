// GET /partner-offers/{token}/key-facts and /terms: the key facts and the conditions of a partner's indicative offer
// (D3 §2.3).

import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { anyone } from '@lendloom/http/server'
import { inr } from '@lendloom/lending/money'
import { type Context, route } from '#platform/context.ts'
import { partnerOf } from '#platform/lenders/partner/call-partner.ts'
import { contactOf, type Partner } from '#platform/lenders/partner/directory/lending-partner.ts'
import { indicativePathPrefix, openIndicativeLink } from '#platform/lenders/partner/reactions/indicative-link.ts'
import { findCase } from '#platform/lenders/partner/store.ts'
import type { Terms } from '#platform/lending/journey/journey.ts'
import { termsFrom } from '#platform/lending/journey/stored-terms.ts'
import { findByConversation } from '#platform/lending/offer/store.ts'
import { type Reader, readerOf } from '#platform/lending/page-text/page-text.ts'
import { borrowerPage } from './borrower-page.ts'

const commonRoute = {
  method: 'GET',
  section: 'D3 §2.3',
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 1000 }) }),
} as const

export const keyFactsPage = route({
  ...commonRoute,
  path: `${indicativePathPrefix}/{token}/key-facts`,
  summary: 'Get the key facts of an indicative offer',
  async handle({ params, headers }, ctx) {
    const reader = readerOf(headers)
    return borrowerPage(
      reader,
      reader.t('indicative.factsTitle'),
      factsTable(reader, await findOffer(ctx, params.token)),
    )
  },
})

export const termsPage = route({
  ...commonRoute,
  path: `${indicativePathPrefix}/{token}/terms`,
  summary: 'Get the conditions of an indicative offer',
  async handle({ params, headers }, ctx) {
    const reader = readerOf(headers)
    return borrowerPage(
      reader,
      reader.t('indicative.termsTitle'),
      conditionsList(reader, await findOffer(ctx, params.token)),
    )
  },
})

/** Finds the indicative terms of a link, even after the lender has sent its final terms. */
async function findOffer(ctx: Context, token: string): Promise<IndicativeOffer> {
  const { referenceId, ...key } = openIndicativeLink(ctx, token)
  const loanCase = await findCase(ctx.db, key)
  const offer = loanCase && (await findByConversation(ctx.db, loanCase, loanCase.caseRef))
  const stored = [offer?.firstTerms, offer?.terms].find((terms) => terms?.quoteId === referenceId)
  if (!loanCase || !stored) throw new Refusal('absent', 'another offer has replaced this offer')
  return { partner: await partnerOf(ctx, ctx.db, loanCase), terms: termsFrom(stored) }
}

interface IndicativeOffer {
  partner: Partner
  terms: Terms
}

function factsTable({ t }: Reader, { partner, terms }: IndicativeOffer): Html {
  const contact = contactOf(partner)
  const lastInstallment =
    terms.principal + terms.interest - terms.installmentAmount * BigInt(terms.installmentsCount - 1)
  const rows: [string, string][] = [
    [t('indicative.lender'), partner.name],
    [t('indicative.offer'), terms.quoteId],
    [t('indicative.amount'), inr(terms.principal)],
    [t('indicative.term'), terms.term],
    [
      t('indicative.instalments'),
      t('indicative.instalmentsOf', {
        count: terms.installmentsCount,
        amount: inr(terms.installmentAmount),
        last: inr(lastInstallment),
      }),
    ],
    [t('indicative.interest'), t('indicative.interestOf', { rate: terms.interestRate, amount: inr(terms.interest) })],
    [t('indicative.fee'), inr(terms.processingFee)],
    [t('indicative.paidOut'), inr(terms.netDisbursed)],
    [t('indicative.total'), inr(terms.principal + terms.interest)],
    [t('indicative.apr'), terms.apr],
    [t('indicative.penal'), terms.delayPenaltyFee ?? t('indicative.none')],
    [t('indicative.coolOff'), t('indicative.coolOffOf', { days: partner.rules.coolOffDays })],
    [
      t('indicative.officer'),
      joinKnown(contact.groName, contact.groDesignation, contact.groContactNumber, contact.groEmail) ??
        t('indicative.notStated'),
    ],
    [t('indicative.address'), joinKnown(contact.groAddress) ?? t('indicative.notStated')],
    [
      t('indicative.support'),
      joinKnown(contact.customerSupportContactNumber, contact.customerSupportEmail, contact.customerSupportLink) ??
        t('indicative.notStated'),
    ],
  ]
  return html`<p>${t('indicative.notFinal')}</p><table><tbody>${rows.map(
    ([label, value]) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`,
  )}</tbody></table>`
}

const joinKnown = (...parts: (string | null)[]): string | null => parts.filter(Boolean).join(', ') || null

function conditionsList({ t }: Reader, { partner, terms }: IndicativeOffer): Html {
  const [textBefore, textAfter] = t('indicative.loan', { lender: partner.name, keyFacts: '\n' }).split('\n')
  const penalty = terms.delayPenaltyFee
  const items = [
    t('indicative.conditions.payout'),
    t('indicative.conditions.instalments', { count: terms.installmentsCount }),
    t('indicative.conditions.early'),
    t('indicative.conditions.exit', { days: partner.rules.coolOffDays }),
    penalty === null ? t('indicative.conditions.noPenal') : t('indicative.conditions.penal', { penal: penalty }),
  ]
  return html`<p>${t('indicative.notFinal')}</p><p>${textBefore}<a href="key-facts">${t('indicative.keyFacts')}</a>${textAfter}</p>
<ol>${items.map((text) => html`<li>${text}</li>\n`)}</ol>`
}
