// The rounding unit of amounts: whole rupees, as the regulator requires, or paise.

import { Refusal } from '@lendloom/foundation/refusal'
import { divideHalfUp, type Paise, paiseFrom } from '@lendloom/lending/money'

export type RoundingUnit = 'RUPEE' | 'PAISE'

export const unitOf = (rounding: RoundingUnit): 1n | 100n => (rounding === 'RUPEE' ? 100n : 1n)

/** Returns `bps` hundredths of a percent of an amount, rounded half up to the unit. */
export const shareOf = (amount: Paise, bps: bigint, rounding: RoundingUnit): Paise =>
  divideHalfUp(amount * bps, 10_000n * unitOf(rounding)) * unitOf(rounding)

/** Parses a percentage of up to two decimals (`24`, `24.00`) into hundredths of a percent. Throws `invalid`. */
export function bpsOf(percentage: string): bigint {
  const bps = paiseFrom(percentage)
  if (bps === null || bps < 0n) throw new Refusal('invalid', `${percentage} is not a percentage`)
  return bps
}
