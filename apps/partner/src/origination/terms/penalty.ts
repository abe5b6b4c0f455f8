// Penal charges: a share of a row's unpaid amount at the start of each overdue period, never on earlier penal charges.

import { type Config, number } from '@lendloom/foundation/config'
import type { Paise } from '@lendloom/lending/money'
import { type RoundingUnit, shareOf } from './rounding.ts'

/** The penal charges of a loan, as its key facts state them. They are not interest and do not compound. */
export interface PenaltyPolicy {
  /** Hundredths of a percent of a row's unpaid amount per period; 0 for no penal charges. */
  bps: number
  /** Days after the due date, or after the next day with debits, that pass before the day of the first charge. */
  graceDays: number
  /** Length of a period, in days. */
  everyDays: number
  /** Maximum number of charges on one row. */
  most: number
}

/** The lender's penal charges as program settings. */
export const penaltySettings = {
  PARTNER_PENALTY_BPS: number(
    'Penal charge per period, in hundredths of a percent of the unpaid instalment',
    100,
    0,
    1000,
  ),
  PARTNER_PENALTY_GRACE_DAYS: number(
    'Days of grace after a due date, or the next day with debits; what is unpaid at the end of the day after them bears a penal charge',
    2,
    0,
    30,
  ),
  PARTNER_PENALTY_EVERY_DAYS: number('Length of a penal charge period, in days', 7, 1, 90),
  PARTNER_PENALTY_MOST: number('Maximum number of penal charges on one instalment', 4, 0, 100),
}

export const penaltyFrom = (config: Config<typeof penaltySettings>): PenaltyPolicy => ({
  bps: config.PARTNER_PENALTY_BPS,
  graceDays: config.PARTNER_PENALTY_GRACE_DAYS,
  everyDays: config.PARTNER_PENALTY_EVERY_DAYS,
  most: config.PARTNER_PENALTY_MOST,
})

/**
 * Days after the due date, or after the next day with debits, in which a payment avoids a penal charge: the days of
 * grace, and the day at whose end the first charge is added.
 */
export const daysWithoutPenalty = ({ graceDays }: PenaltyPolicy): number => graceDays + 1

/** Returns one penal charge on a row's unpaid amount, which must exclude earlier penal charges. */
export const penaltyOn = (unpaid: Paise, { bps }: PenaltyPolicy, rounding: RoundingUnit): Paise =>
  shareOf(unpaid, BigInt(bps), rounding)
