// The terms that were offered, version by version, with what changed from one to the next.

import { type Html, html } from '#kit/http/markup.ts'
import { type Cell, type FactLine, factList, tableOf } from '#partner/desk/frame.ts'
import { badge, inr, when } from '#partner/desk/parts/format.ts'
import type { Offer } from '#partner/review/offer.ts'

const borrowerDecision = { PENDING: 'TO_DECIDE', ACCEPT: 'ACCEPTED', REJECT: 'REJECTED', EXPIRE: 'EXPIRED' } as const

/** The terms in this order. */
const rows: [label: string, of: (offer: Pick<Offer, 'terms'>) => string][] = [
  ['Amount', ({ terms }) => inr(terms.amountPaise)],
  ['Paid out', ({ terms }) => inr(terms.netPaise)],
  ['Instalments', ({ terms }) => `${terms.numberOfInstallments} weekly`],
  ['Weekly instalment', ({ terms }) => inr(terms.installmentPaise)],
  ['Annual interest', ({ terms }) => `${terms.annualRatePercent} %`],
  ['APR', ({ terms }) => `${terms.aprPercent} %`],
  ['Processing fee', ({ terms }) => inr(terms.feePaise)],
  ['Tax on the fee', ({ terms }) => inr(terms.taxPaise)],
  ['Other charges', ({ terms }) => inr(terms.otherChargesPaise)],
  ['Total interest', ({ terms }) => inr(terms.totalInterestPaise)],
  ['Total to repay', ({ terms }) => inr(terms.totalPayablePaise)],
]

/** All terms, for the person who decides on them. */
export const termFacts = (terms: Offer['terms']): FactLine[] => rows.map(([label, of]) => [label, of({ terms })])

/** The current terms beside the previous ones, if any. */
export function offerPart(offers: Offer[]): Html {
  const current = offers.at(-1)
  if (!current) return html`<p class="empty">No offer yet.</p>`
  return factList([
    ...rows.filter(([label]) => short.has(label)).map(([label, of]): [string, string] => [label, of(current)]),
    ['Valid until', when(current.validUntil)],
    ['The borrower', badge(borrowerDecision[current.decision])],
  ])
}
const short = new Set(['Amount', 'Paid out', 'Weekly instalment', 'Annual interest', 'APR'])

/** A column for each version, with changes from the previous one marked. */
export function versionsPart(offers: Offer[]): Html | false {
  if (offers.length < 2) return false
  const changed = (text: string, before: Offer | undefined, of: (offer: Offer) => string): Cell =>
    before && of(before) !== text ? html`<mark>${text}<span class="unseen">, changed</span></mark>` : text
  const cells = rows.map(([label, of]): Cell[] => [
    label,
    ...offers.map((offer, i) => changed(of(offer), offers[i - 1], of)),
  ])
  return html`<section><h2>Terms by version</h2>${tableOf(
    'Terms by version',
    ['Term', ...offers.map(({ version }) => ({ number: `Version ${version}` }))],
    [
      ...cells,
      ['Offered', ...offers.map(({ createdAt }) => when(createdAt))],
      ['Valid until', ...offers.map(({ validUntil }) => when(validUntil))],
      ['The borrower', ...offers.map(({ decision }, i) => decisionCell(decision, i < offers.length - 1))],
    ],
    { empty: '' },
  )}</section>`
}

/** An undecided version is closed by a newer one. */
const decisionCell = (decision: Offer['decision'], isOld: boolean): Cell =>
  decision === 'PENDING' && isOld ? 'Replaced' : badge(borrowerDecision[decision])
