// The terms of a loan against mutual funds, and the quote that has their amounts (FIS12 §7.3, §7.4).
import type * as common from '#contract/network/v203/terms.ts'
import type { Order } from './schema.ts'

/**
 * In an offer, where there is no quote yet, `quoteId` is the id of the offered item. A line's principal is its limit; it has
 * no instalments, and nothing of it is disbursed before it is drawn.
 */
export interface Terms extends common.Terms {
  /** How far the units may fall before more of them are asked for, as the lender writes it. */
  marginCall: string | null
  annualisedPenalCharges: string | null
}

export type Quote = NonNullable<Order['quote']>
