// Queries of the hosted page that join tables of several modules.

import type { Lender } from '#contract/network/v203/lender.ts'
import type { OfferReason } from '#contract/reason/reason.ts'
import { bucketOf } from '#kit/crypto/id.ts'
import type { Run } from '#kit/db/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { shownReason, shownStatus } from '#platform/offer/store.ts'

export interface SearchedLender {
  lenderId: string
  identity: Lender
  status: 'OFFER_RECEIVED' | 'OFFER_AWAITED' | 'NO_OFFER_AVAILABLE'
  reason: OfferReason | null
  requestedAt: Date
}

/** Lists the lender and status of each offer request. */
export const searchedLenders = (
  db: Run,
  { tenantId, journeyId }: Pick<Journey, 'tenantId' | 'journeyId'>,
) => db<SearchedLender>`
  select o.lender_id, l.identity, ${shownStatus} as status, ${shownReason} as reason,
    o.created_at as requested_at from offer o join lender l on l.tenant_id = o.tenant_id and l.lender_id = o.lender_id
  where o.bucket = ${bucketOf(journeyId)} and o.tenant_id = ${tenantId} and o.journey_id = ${journeyId} order by o.offer_id`
