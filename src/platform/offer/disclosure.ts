// What borrowers are shown to compare offers by, the same behind every API; pure.

import { chargeOf } from '#contract/network/reading.ts'
import { required } from '#kit/runtime/required.ts'
import type { Terms } from '#platform/journey/terms.ts'
import type { Offer } from './offer.ts'

export interface PenalCharge {
  kind: 'DELAY' | 'OTHER' | 'FORECLOSURE' | 'RATE_CONVERSION'
  text: string
}

/** The charges beside the price: an amount or a percentage in one form each, else the lender's words. */
export function penalCharges(terms: Terms): PenalCharge[] {
  const all = [
    { kind: 'DELAY' as const, text: terms.delayPenaltyFee },
    { kind: 'OTHER' as const, text: terms.otherPenaltyFee },
    { kind: 'FORECLOSURE' as const, text: terms.foreclosureFee },
    { kind: 'RATE_CONVERSION' as const, text: terms.interestRateConversionCharge },
  ]
  return all.flatMap(({ kind, text }) => (text === null ? [] : [{ kind, text: chargeOf(text) }]))
}

/** Offers by their annual percentage rate, lowest first: a rule that can be told, and is (RBI's multi-lender rule). */
export const byApr = (one: Offer, other: Offer): number =>
  aprOf(one) - aprOf(other) || (one.offerId < other.offerId ? -1 : 1)

/** The rate of a text such as `16.8%` in hundredths of a percent, for sorting only. */
const aprOf = (offer: Offer): number => {
  const [whole = '0', fraction = ''] = (
    /[\d.]+/.exec(required(offer.firstTerms, 'the terms of an offer').apr)?.[0] ?? '0'
  ).split('.')
  return Number(whole) * 10_000 + Number(fraction.slice(0, 4).padEnd(4, '0'))
}
