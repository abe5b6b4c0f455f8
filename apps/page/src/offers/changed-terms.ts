// Compares the final terms with the borrower's request and with the lender's first offer. Pure.
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'

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
  const firstOffer = offers.find(({ id }) => id === selected.offerId)
  const changes: FigureChange[] = [
    { figure: 'amount', was: amount, now: terms.amountPrincipal },
    { figure: 'tenure', was: String(tenureMonths), now: String(terms.tenureMonths) },
  ]
  if (firstOffer) changes.push({ figure: 'rate', was: firstOffer.interestRate, now: terms.interestRate })
  if (firstOffer && Number(firstOffer.amountPrincipal) === Number(amount) && firstOffer.tenureMonths === tenureMonths)
    changes.push(
      { figure: 'apr', was: firstOffer.annualPercentageRate, now: terms.annualPercentageRate },
      { figure: 'processing', was: firstOffer.processingFees, now: terms.processingFees },
    )
  return changes.filter(
    ({ figure, was, now }) =>
      Number.parseFloat(was) !== Number.parseFloat(now) && !(figure === 'apr' && isSameApr(was, now)),
  )
}

/** Whether an APR is the earlier one told with more decimals, as 13.93 % is 13.9 %. The rate itself is never rounded. */
function isSameApr(was: string, now: string): boolean {
  const [, decimals = ''] = /\.(\d+)/.exec(was) ?? []
  return decimals !== '' && Number(Number.parseFloat(now).toFixed(decimals.length)) === Number.parseFloat(was)
}
