// The lender's terms for an amount: rate, fees and penal charges as its product has them.

import type { Paise } from '#kit/money/money.ts'
import type { Config } from '#kit/runtime/config.ts'
import { type PenaltyPolicy, penaltyFrom, type penaltySettings } from '#partner/loan/penalty.ts'
import type { ProposedTerms } from '#partner/loan/terms.ts'
import type { productSettings } from './settings.ts'

/** The terms for this amount over this term; a reviewer may ask for something else. */
export function productTerms(
  config: Config<typeof productSettings> & Config<typeof penaltySettings>,
  amountPaise: Paise,
  tenureWeeks: number,
): ProposedTerms {
  const penalty: PenaltyPolicy = penaltyFrom(config)
  return {
    amountPaise,
    tenureWeeks,
    annualRatePercent: config.PARTNER_RATE_PERCENT,
    feePercent: config.PARTNER_FEE_PERCENT,
    taxPercent: config.PARTNER_TAX_PERCENT,
    otherChargesPaise: 0n,
    penalty,
    coolOffDays: config.PARTNER_COOL_OFF_DAYS,
  }
}
