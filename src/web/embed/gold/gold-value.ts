// The gold's value implied by a lender's offer, and the road distance of a branch; pure.
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { decimalFrom } from '#kit/money/money.ts'

export interface GoldValue {
  /** In whole rupees, to the hundred: the lender states its share to a hundredth of a percent. */
  rupees: string
  /** Per gram, in whole rupees; null without the weight. */
  perGram: string | null
}

/**
 * The value that an offer rests on: what is lent, divided by the share of the value that it is. Null where the lender does
 * not state that share. `weight` is in grams.
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
 * How long the way takes by road, in minutes, and in whole hours from one hour on: roads are about a third longer than the
 * line that the distance is measured by, and 40 km an hour is what they allow on the whole.
 */
export function minutesByRoad(km: number): number {
  const minutes = (km * 4 * 60) / (3 * 40)
  return minutes < 60 ? minutes : Math.round(minutes / 60) * 60
}
