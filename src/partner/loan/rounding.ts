// The rounding unit of every amount: whole rupees, as the regulator requires, or single paise.

import { Refusal } from '#kit/http/refusal.ts'
import { divideHalfUp, type Paise, paiseFrom } from '#kit/money/money.ts'

export type RoundingUnit = 'RUPEE' | 'PAISE'

export const unitOf = (rounding: RoundingUnit): 1n | 100n => (rounding === 'RUPEE' ? 100n : 1n)

/** A share in hundredths of a percent, half a unit up. */
export const shareOf = (amount: Paise, bps: bigint, rounding: RoundingUnit): Paise =>
  divideHalfUp(amount * bps, 10_000n * unitOf(rounding)) * unitOf(rounding)

/** A decimal string of up to two decimals (`24`, `24.00`) in hundredths of a percent. Refused as `invalid`. */
export function bpsOf(percentage: string): bigint {
  const bps = paiseFrom(percentage)
  if (bps === null || bps < 0n) throw new Refusal('invalid', `${percentage} is not a percentage`)
  return bps
}
