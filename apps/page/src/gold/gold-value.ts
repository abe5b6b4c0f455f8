// The gold value that an offer implies, and the travel time to a branch. Pure.

import { decimalFrom } from '@lendloom/lending/money'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'

export interface GoldValue {
  /** In rupees, rounded to hundreds, because the lender rounds the loan-to-value ratio. */
  rupees: string
  /** In whole rupees; null if the weight is unknown. */
  perGram: string | null
}

/**
 * The gold value that an offer implies: the principal divided by the loan-to-value ratio. Null if the offer has no
 * ratio. `weight` is in grams.
 */
export function goldValue(
  { amountPrincipal, ltvRatio }: Pick<EmbedOffer, 'amountPrincipal' | 'ltvRatio'>,
  weight: string | number | null | undefined,
): GoldValue | null {
  const principal = decimalFrom(amountPrincipal, 2)
  const bps = ltvRatio === null ? null : decimalFrom(ltvRatio.replace(/%\s*$/, '').trim(), 2)
  if (principal === null || !bps) return null
  const paise = (principal * 10_000n) / bps
  const milligrams = decimalFrom(String(weight ?? ''), 3)
  return {
    rupees: String(((paise + 50_00n) / 100_00n) * 100n),
    perGram: milligrams ? String((paise * 1000n + milligrams * 50n) / (milligrams * 100n)) : null,
  }
}

/**
 * Estimates the travel time in minutes, rounded to whole hours from one hour on. Assumes that the road is a third
 * longer than the straight line `km`, and an average speed of 40 km/h.
 */
export function minutesByRoad(km: number): number {
  const minutes = (km * 4 * 60) / (3 * 40)
  return minutes < 60 ? minutes : Math.round(minutes / 60) * 60
}
