// Penal charges: a share of what is unpaid of a row, charged once for every started period overdue; never on itself.

import type { Paise } from '#kit/money/money.ts'
import { type Config, number } from '#kit/runtime/config.ts'
import { type RoundingUnit, shareOf } from './rounding.ts'

/** Agreed with the loan and shown in its key facts. A charge, not an interest: it is never added to what it is charged on. */
export interface PenaltyPolicy {
  /** Hundredths of a percent of the unpaid amount of a row, by period; 0 for no penal charges. */
  bps: number
  /** Days after the due date without a charge. */
  graceDays: number
  everyDays: number
  /** Charges on one row at most. */
  most: number
}

/** The lender's penal charges as program settings. */
export const penaltySettings = {
  PARTNER_PENALTY_BPS: number('Penal charge by period, in hundredths of a percent of the unpaid row', 100, 0, 1000),
  PARTNER_PENALTY_GRACE_DAYS: number('Days after a due date without a penal charge', 2, 0, 30),
  PARTNER_PENALTY_EVERY_DAYS: number('Days of one period of penal charges', 7, 1, 90),
  PARTNER_PENALTY_MOST: number('Penal charges on one row at most', 4, 0, 100),
}

export const penaltyFrom = (config: Config<typeof penaltySettings>): PenaltyPolicy => ({
  bps: config.PARTNER_PENALTY_BPS,
  graceDays: config.PARTNER_PENALTY_GRACE_DAYS,
  everyDays: config.PARTNER_PENALTY_EVERY_DAYS,
  most: config.PARTNER_PENALTY_MOST,
})

/** One charge on what is unpaid of a row's amount, penal charges themselves left out. */
export const penaltyOn = (unpaid: Paise, { bps }: PenaltyPolicy, rounding: RoundingUnit): Paise =>
  shareOf(unpaid, BigInt(bps), rounding)
