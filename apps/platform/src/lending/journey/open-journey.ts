// Opens a journey for any API, with its profile, first event and deliveries (D1 §2.6, D2 §3).

import { trace } from '@lendloom/foundation/trace'
import type { ProductId } from '@lendloom/lending/product/products'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import type { EndUse } from '@lendloom/wire/hosted/profile'
import type { Context, TxContext } from '#platform/context.ts'
import type { BorrowerOfApplication } from '#platform/integrators/access/headless/authentication.ts'
import { deliveryOf, deliveryQueue } from '#platform/integrators/webhook/delivery.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import { digestsOf } from '#platform/lending/borrower/digests.ts'
import { eventContext, type Journey, sealCallbackUrl, sealReturnUrl } from '#platform/lending/journey/journey.ts'
import { lifecyclePayload } from '#platform/lending/journey/lifecycle-payload.ts'
import { insertOpening, type NewJourneyRows } from '#platform/lending/profile/opening-store.ts'

/** A request to open a journey, by an integrator's server or an app. */
export interface JourneyRequest {
  externalId: string
  type: ProductId
  person: BorrowerDetails
  endUse: EndUse | null
  /** Null when the request does not mention the consent. */
  bureauConsent: boolean | null
  callbackUrl: string | null
  /** The URL to which the page redirects the borrower at the end. Null keeps the current URL. */
  returnUrl: string | null
}

/** Builds the rows of a new journey in STARTED (D1 §2.6), with its first event and delivery. Seals personal data. */
export function openingOf(
  ctx: Context,
  borrower: BorrowerOfApplication,
  request: JourneyRequest,
  at: Date,
): NewJourneyRows {
  const { tenantId, applicationId, borrowerId } = borrower
  const { externalId, person, callbackUrl } = request
  const journey = startedJourney(ctx, borrower, request, at)
  const { journeyId } = journey
  const journeyDetails = { externalId, person, lenders: [], offers: [], steps: [] }
  const body = Buffer.from(JSON.stringify(lifecyclePayload(journey, journeyDetails, at)))
  const statusUpdate = {
    tenantId,
    applicationId,
    journeyId,
    sequence: 1,
    status: 'STARTED' as const,
    eventId: uuidv7(at.getTime(), bucketOf(borrowerId)),
  }
  return {
    journey,
    profile: {
      tenantId,
      journeyId,
      profileSealed: ctx.seal.json(person, detailsContext(tenantId, journeyId)),
      ...digestsOf(ctx, person),
      updatedAt: at,
    },
    event: {
      ...statusUpdate,
      payloadSealed: ctx.seal.bytes(body, eventContext(tenantId, journeyId, 'STARTED')),
      correlationId: trace()?.correlationId ?? null,
      at,
    },
    delivery: deliveryOf(ctx, statusUpdate, body, callbackUrl),
    token: null,
  }
}

/** Opens a journey for an existing borrower and returns the journey's id. The caller has locked the borrower's row. */
export async function openJourney(
  ctx: TxContext,
  borrower: BorrowerOfApplication,
  request: JourneyRequest,
): Promise<string> {
  const { tx, at } = ctx
  const opening = openingOf(ctx, borrower, request, at)
  await insertOpening(tx, opening)
  tx.wake(deliveryQueue)
  return opening.journey.journeyId
}

function startedJourney(
  ctx: Context,
  { tenantId, applicationId, borrowerId }: BorrowerOfApplication,
  { type, endUse, bureauConsent, callbackUrl, returnUrl }: JourneyRequest,
  at: Date,
): Journey {
  const bucket = bucketOf(borrowerId)
  const key = { tenantId, journeyId: uuidv7(at.getTime(), bucket) }
  return {
    ...key,
    applicationId,
    borrowerId,
    type,
    status: 'STARTED',
    active: true,
    networkTransactionId: uuidv4(bucket),
    endUse,
    bureauConsent: bureauConsent ?? false,
    lenderMode: null,
    changeInOffer: false,
    preferredAmountPaise: null,
    preferredTenureMonths: null,
    decision: null,
    search: 'NONE',
    endReason: null,
    callbackUrlSealed: callbackUrl === null ? null : sealCallbackUrl(ctx, key, callbackUrl),
    pageSequence: 0,
    pageId: null,
    returnUrlSealed: returnUrl === null ? null : sealReturnUrl(ctx, key, returnUrl),
    refusedLenders: [],
    version: 1,
    lastBorrowerActAt: at,
    closedAt: null,
    createdAt: at,
    updatedAt: at,
  }
}
