// Attempts to fetch a fund statement from the registrars; pure.
import type { FundFault } from '#contract/hosted/embed-consents.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { JourneyKey } from '#platform/journey/journey.ts'
import { isExpired, type Journey } from '#platform/journey/journey.ts'
import { productOf } from '#platform/product/products.ts'

export interface FundStatement extends JourneyKey {
  /** Counts from 1; only the newest attempt matters. */
  attempt: number
  /** The registrar adapter of the request. */
  adapter: string
  providerReference: string
  status: 'PENDING' | 'READY' | 'FAILED'
  /** Null unless the status is FAILED. */
  reason: FundFault | null
  pageEndsAt: Date
  createdAt: Date
  updatedAt: Date
}

/** Limit, because each attempt sends a one-time password to a phone. */
export const maxAttempts = 10

/** Whether a statement may be fetched: only before the search, because lenders decide without a later statement. */
export const isFetchable = (journey: Journey): boolean =>
  productOf(journey).pledgesFunds &&
  journey.active &&
  !isExpired(journey) &&
  journey.status === 'STARTED' &&
  (journey.search === 'NONE' || journey.search === 'UNANSWERED')

/** Seconds until the registrar is polled again; null when its page expired too long ago for a result. */
export function secondsUntilNextPoll({ createdAt, pageEndsAt }: FundStatement, at: Date): number | null {
  if (at > secondsAfter(pageEndsAt, 600)) return null
  return at < secondsAfter(createdAt, 300) ? 3 : 15
}
