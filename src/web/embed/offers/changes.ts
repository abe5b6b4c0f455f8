// Compares the final terms with the borrower's request and with the lender's first offer. Pure.
import type { EmbedView } from '#contract/hosted/embed.ts'

type Figure = 'amount' | 'tenure' | 'rate' | 'apr' | 'processing'

export interface FigureChange {
  figure: Figure
  was: string
  now: string
}

/**
 * Figures are in wire format, the tenure in months. The rate of a first offer applies to every amount and term. Its APR
 * and fee apply only to the offered amount and term, so they are not compared for others.
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
