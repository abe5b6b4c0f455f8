// A journey begins, whichever API it begins at: its row, profile, first event and deliveries are one thing (D1 §2.6, D2 §3).
import type { EndUse } from '#contract/hosted/profile.ts'
import type { ProductId } from '#contract/product/product.ts'
import { bucketOf, uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import { trace } from '#kit/runtime/trace.ts'
import { type BorrowerDetails, detailsContext, digestsOf } from '#platform/borrower/borrower.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { eventContext, type Journey, sealedCallbackUrl } from '#platform/journey/journey.ts'
import { lifecyclePayload } from '#platform/journey/lifecycle-payload.ts'
import type { NewEvent, NewJourney } from '#platform/journey/store.ts'
import { deliveries, deliveryOf } from '#platform/webhook/delivery.ts'
import { insertOpening, type Opening } from './store.ts'

export interface Beginning {
  tenantId: string
  applicationId: string
  borrowerId: string
  externalId: string
  type: ProductId
  person: BorrowerDetails
  endUse: EndUse | null
  bureauConsent: boolean
  callbackUrl: string | null
}

/** Everything that a new journey consists of, ready to be stored. */
export function openingOf(ctx: Context, given: Beginning, at: Date): Opening {
  const { row, event, delivery } = beginning(ctx, given, at)
  const profileSealed = ctx.seal.json(given.person, detailsContext(given.tenantId, row.journeyId))
  return { journey: row, profileSealed, digests: digestsOf(ctx, given.person), event, delivery }
}

/** Opens a journey for a borrower who is known, whose lock the caller holds; gives its id. */
export async function openJourney(ctx: TxContext, given: Beginning): Promise<string> {
  const { tx, at } = ctx
  const opening = openingOf(ctx, given, at)
  await insertOpening(tx, opening)
  tx.wake(deliveries)
  return opening.journey.journeyId
}

/** The rows of a new journey in STARTED (D1 §2.6), its event, and the delivery every destination gets. Ids and seals are made here. */
function beginning(ctx: Context, given: Beginning, at: Date) {
  const { tenantId, applicationId, callbackUrl } = given
  const bucket = bucketOf(given.borrowerId)
  const journeyId = uuidv7(at.getTime(), bucket)
  const row: NewJourney = {
    tenantId,
    journeyId,
    applicationId,
    borrowerId: given.borrowerId,
    type: given.type,
    networkTransactionId: uuidv4(bucket),
    endUse: given.endUse,
    bureauConsent: given.bureauConsent,
    callbackUrlSealed: callbackUrl === null ? null : sealedCallbackUrl(ctx, { tenantId, journeyId }, callbackUrl),
    at,
  }
  const facts = { externalId: given.externalId, person: given.person, lenders: [], offers: [], steps: [] }
  const body = Buffer.from(JSON.stringify(lifecyclePayload(asStarted(row), facts, at)))
  const update = {
    tenantId,
    applicationId,
    journeyId,
    sequence: 1,
    status: 'STARTED' as const,
    eventId: uuidv7(at.getTime(), bucket),
  }
  const event: NewEvent = {
    ...update,
    payloadSealed: ctx.seal.bytes(body, eventContext(tenantId, journeyId, 'STARTED')),
    correlationId: trace()?.correlationId ?? null,
    at,
  }
  return { row, event, delivery: deliveryOf(ctx, update, body, callbackUrl) }
}

const asStarted = ({ at, ...row }: NewJourney): Journey => ({
  ...row,
  status: 'STARTED',
  active: true,
  lenderMode: null,
  changeInOffer: false,
  preferredAmountPaise: null,
  preferredTenureMonths: null,
  decision: null,
  search: 'NONE',
  endReason: null,
  pageSequence: 0,
  pageId: null,
  returnUrlSealed: null,
  version: 1,
  lastBorrowerActAt: at,
  closedAt: null,
  createdAt: at,
  updatedAt: at,
})
