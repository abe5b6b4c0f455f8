// The penal charges of a loan, as every page and API shows them.

import { chargeOf } from '#platform/lending/journey/charge-text.ts'
import type { Terms } from '#platform/lending/journey/journey.ts'

export interface PenalCharge {
  kind: 'DELAY' | 'OTHER' | 'FORECLOSURE' | 'RATE_CONVERSION'
  text: string
}

/** Returns the penal charges. Amounts and percentages have a uniform format; other charges keep the lender's text. */
export function penalCharges(terms: Terms): PenalCharge[] {
  const charges = [
    { kind: 'DELAY' as const, text: terms.delayPenaltyFee },
    { kind: 'OTHER' as const, text: terms.otherPenaltyFee },
    { kind: 'FORECLOSURE' as const, text: terms.foreclosureFee },
    { kind: 'RATE_CONVERSION' as const, text: terms.interestRateConversionCharge },
  ]
  return charges.flatMap(({ kind, text }) => (text === null ? [] : [{ kind, text: chargeOf(text) }]))
}
