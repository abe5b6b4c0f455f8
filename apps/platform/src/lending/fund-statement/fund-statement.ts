// An attempt to fetch a fund statement from a registrar, and the rules for attempts; pure.

import { secondsAfter } from '@lendloom/foundation/clock'
import type { FundStatementFault } from '@lendloom/wire/hosted/embed-funds'
import { isExpired, type Journey, type JourneyKey } from '#platform/lending/journey/journey.ts'
import { productOf } from '#platform/lending/product/products.ts'

export interface FundStatement extends JourneyKey {
  /** Counts from 1; only the newest attempt matters. */
  attempt: number
  /** The name of the registrar's adapter. */
  adapter: string
  providerReference: string
  status: 'PENDING' | 'READY' | 'FAILED'
  /** Null unless the status is FAILED. */
  reason: FundStatementFault | null
  pageEndsAt: Date
  createdAt: Date
  updatedAt: Date
}

/** Maximum per journey, because each attempt sends a one-time password to a phone. */
export const maxAttempts = 10

/** Whether a statement may be fetched. Lenders do not consider a statement that is fetched after the search started. */
export const isFetchable = (journey: Journey): boolean =>
  productOf(journey).pledgesFunds &&
  journey.active &&
  !isExpired(journey) &&
  journey.status === 'STARTED' &&
  (journey.search === 'NONE' || journey.search === 'UNANSWERED')

/** Seconds until the next poll of the registrar; null if the registrar's page expired more than ten minutes ago. */
export function secondsUntilNextPoll({ createdAt, pageEndsAt }: FundStatement, at: Date): number | null {
  if (at > secondsAfter(pageEndsAt, 600)) return null
  return at < secondsAfter(createdAt, 300) ? 3 : 15
}
