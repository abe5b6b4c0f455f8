// The order in which offers are shown.

import { required } from '@lendloom/foundation/required'
import type { Offer } from './offer.ts'

/** Sorts offers by annual percentage rate, lowest first, as RBI's multi-lender rule requires. */
export const byApr = (one: Offer, other: Offer): number =>
  aprOf(one) - aprOf(other) || (one.offerId < other.offerId ? -1 : 1)

const statusOrder: Offer['status'][] = ['OFFER_RECEIVED', 'OFFER_AWAITED', 'NO_OFFER_AVAILABLE']

/** Sorts offers by APR, then awaited lenders, then lenders without an offer. */
export function compareOffers(one: Offer, other: Offer): number {
  const byStatus = statusOrder.indexOf(one.status) - statusOrder.indexOf(other.status)
  if (byStatus !== 0) return byStatus
  if (one.status === 'OFFER_RECEIVED') return byApr(one, other)
  return one.offerId < other.offerId ? -1 : 1
}

/** Returns the APR in ten-thousandths of a percent, for sorting only. The stored text is like `16.8%`. */
const aprOf = (offer: Offer): number => {
  const [whole = '0', fraction = ''] = (
    /[\d.]+/.exec(required(offer.firstTerms, 'the terms of an offer').apr)?.[0] ?? '0'
  ).split('.')
  return Number(whole) * 10_000 + Number(fraction.slice(0, 4).padEnd(4, '0'))
}
