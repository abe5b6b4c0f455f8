// A journey begins: everything its first lifecycle event and its row consist of, ready to be stored in one statement.
import type { EndUse } from '#contract/hosted/profile.ts'
import type { ProductId } from '#contract/product/product.ts'
import { uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import type { BorrowerDetails } from '#platform/borrower/details.ts'
import type { Context } from '#platform/context.ts'
import { deliveryOf } from '#platform/webhook/delivery.ts'
import { eventContext, type Journey, sealedCallbackUrl } from './journey.ts'
import { lifecyclePayload } from './lifecycle-payload.ts'
import type { NewEvent, NewJourney } from './store.ts'

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

/** The rows of a new journey in STARTED (D1 §2.6), its event, and the delivery every destination gets. Ids and seals are made here. */
export function beginning(ctx: Context, given: Beginning, at: Date) {
  const { tenantId, applicationId, callbackUrl } = given
  const journeyId = uuidv7(at.getTime())
  const row: NewJourney = {
    tenantId,
    journeyId,
    applicationId,
    type: given.type,
    networkTransactionId: uuidv4(),
    endUse: given.endUse,
    bureauConsent: given.bureauConsent,
    callbackUrlSealed: callbackUrl === null ? null : sealedCallbackUrl(ctx, { tenantId, journeyId }, callbackUrl),
    at,
  }
  const facts = { externalId: given.externalId, person: given.person, lenders: [], offers: [], steps: [] }
  const body = Buffer.from(JSON.stringify(lifecyclePayload(asStarted(row, given.borrowerId), facts, at)))
  const told = {
    tenantId,
    applicationId,
    journeyId,
    sequence: 1,
    status: 'STARTED' as const,
    eventId: uuidv7(at.getTime()),
  }
  const event: NewEvent = {
    ...told,
    payloadSealed: ctx.seal.bytes(body, eventContext(tenantId, journeyId, 'STARTED')),
    at,
  }
  return { row, event, delivery: deliveryOf(ctx, told, body, callbackUrl) }
}

const asStarted = ({ at, ...row }: NewJourney, borrowerId: string): Journey => ({
  ...row,
  borrowerId,
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
