// The terms of the current offer, and a comparison of all versions.

import { type Html, html } from '@lendloom/http/markup'
import { type FactLine, factList } from '#partner/desk/parts/facts.ts'
import { badge, formatTime, inr } from '#partner/desk/parts/format.ts'
import { type Cell, tableOf } from '#partner/desk/parts/table.ts'
import type { Offer } from '#partner/origination/review/offer.ts'

/** The state that stands for each decision. */
const borrowerDecision = { PENDING: 'TO_DECIDE', ACCEPT: 'ACCEPTED', REJECT: 'REJECTED', EXPIRE: 'EXPIRED' } as const

/** The terms in the order in which they are shown. */
const termRows: [label: string, textOf: (offer: Pick<Offer, 'terms'>) => string][] = [
  ['Amount', ({ terms }) => inr(terms.amountPaise)],
  ['Borrower receives', ({ terms }) => inr(terms.netPaise)],
  ['Instalments', ({ terms }) => `${terms.numberOfInstallments} weekly`],
  ['Weekly instalment', ({ terms }) => inr(terms.installmentPaise)],
  ['Annual interest rate', ({ terms }) => `${terms.annualRatePercent}%`],
  ['APR', ({ terms }) => `${terms.aprPercent}%`],
  ['Processing fee', ({ terms }) => inr(terms.feePaise)],
  ['Tax on the fee', ({ terms }) => inr(terms.taxPaise)],
  ['Other charges', ({ terms }) => inr(terms.otherChargesPaise)],
  ['Total interest', ({ terms }) => inr(terms.totalInterestPaise)],
  ['Total to repay', ({ terms }) => inr(terms.totalPayablePaise)],
]

/** The terms that an approver sees as figures. */
export const figuredTerms = new Set(['Amount', 'Weekly instalment'])

/** The terms that follow from others, or rarely change. */
export const minorTerms = new Set([
  'Instalments',
  'Annual interest rate',
  'Processing fee',
  'Tax on the fee',
  'Other charges',
  'Total interest',
  'Valid for',
])

/** All terms, with their labels. */
export const termFacts = (terms: Offer['terms']): FactLine[] =>
  termRows.map(([label, textOf]) => [label, textOf({ terms })])

/** The card of the newest offer; false without one. */
export function offerPart(offers: Offer[]): Html | false {
  const current = offers.at(-1)
  if (!current) return false
  return html`<section class="card"><h2>Offer</h2>${factList([
    ...shortFacts(current),
    ['Valid until', formatTime(current.validUntil)],
    ['Borrower’s decision', badge(borrowerDecision[current.decision])],
  ])}</section>`
}
/** The card of the terms on which a loan was paid out; false without them. */
export function termsPart(offers: Offer[]): Html | false {
  const accepted = offers.at(-1)
  return accepted !== undefined && html`<section class="card"><h2>Terms</h2>${factList(shortFacts(accepted))}</section>`
}

const shortFacts = (offer: Offer): FactLine[] =>
  termRows.filter(([label]) => shortTerms.has(label)).map(([label, textOf]) => [label, textOf(offer)])

/** The terms that a card shows. */
const shortTerms = new Set([
  'Amount',
  'Borrower receives',
  'Instalments',
  'Weekly instalment',
  'Annual interest rate',
  'APR',
])

/** A table of all versions, which marks what changed; false with fewer than two. */
export function offerVersionsPart(offers: Offer[]): Html | false {
  if (offers.length < 2) return false
  const markedCell = (text: string, previous: Offer | undefined, textOf: (offer: Offer) => string): Cell =>
    previous && textOf(previous) !== text ? html`<mark>${text}<span class="unseen">, changed</span></mark>` : text
  const cells = termRows.map(([label, textOf]): Cell[] => [
    label,
    ...offers.map((offer, i) => markedCell(textOf(offer), offers[i - 1], textOf)),
  ])
  return html`<section><h2>Terms by version</h2>${tableOf(
    'Terms by version',
    ['Term', ...offers.map(({ version }) => ({ number: `Version ${version}` }))],
    [
      ...cells,
      ['Offered', ...offers.map(({ createdAt }) => formatTime(createdAt))],
      ['Valid until', ...offers.map(({ validUntil }) => formatTime(validUntil))],
      ['Borrower’s decision', ...offers.map(({ decision }, i) => decisionCell(decision, i < offers.length - 1))],
    ],
    { empty: '' },
  )}</section>`
}

const decisionCell = (decision: Offer['decision'], isReplaced: boolean): Cell =>
  decision === 'PENDING' && isReplaced ? 'Replaced' : badge(borrowerDecision[decision])
