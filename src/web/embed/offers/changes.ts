// Changes of the final terms against the borrower's request, and the lender's own figures for it. Pure.
import type { EmbedView } from '#contract/hosted/embed.ts'

type Figure = 'amount' | 'tenure' | 'rate' | 'apr' | 'processing'

export interface FigureChange {
  figure: Figure
  was: string
  now: string
}

/**
 * Figures in wire format; the tenure in months. A first offer states its rate for every amount and term, and its APR
 * and fee only for its own: with other choices nothing was promised that could have changed.
 */
export function changesOf({ selected, offers }: Pick<EmbedView, 'selected' | 'offers'>): FigureChange[] {
  if (!selected) return []
  const { terms, amount, tenureMonths } = selected
  const first = offers.find(({ id }) => id === selected.offerId)
  const all: FigureChange[] = [
    { figure: 'amount', was: amount, now: terms.amountPrincipal },
    { figure: 'tenure', was: String(tenureMonths), now: String(terms.tenureMonths) },
  ]
  if (first) all.push({ figure: 'rate', was: first.interestRate, now: terms.interestRate })
  if (first && Number(first.amountPrincipal) === Number(amount) && first.tenureMonths === tenureMonths)
    all.push(
      { figure: 'apr', was: first.annualPercentageRate, now: terms.annualPercentageRate },
      { figure: 'processing', was: first.processingFees, now: terms.processingFees },
    )
  return all.filter(({ was, now }) => was !== now && Number.parseFloat(was) !== Number.parseFloat(now))
}
