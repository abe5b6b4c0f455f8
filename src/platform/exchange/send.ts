// An event for a partner: written in the transaction of what it tells of, delivered afterwards by the outbox (D3 §4.2, §6).
import { type DataOf, type EventType, entityOf, envelopeOf } from '#contract/exchange/envelope.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import { enqueueEvent } from '#kit/messaging/outbox.ts'
import type { TxContext } from '#platform/context.ts'
import { partnerOf } from './call.ts'
import type { PartnerCase } from './case.ts'

/** An event to send: a type with its own data. */
export interface EventContent<T extends EventType> {
  type: T
  data: DataOf<T>
}

type Of = Pick<PartnerCase, 'tenantId' | 'caseRef' | 'partnerId' | 'leadId' | 'loanId'>

/**
 * Enqueues an event about the case under the next version of its object, and gives its id. Whoever calls holds the journey's lock. Throws
 * when the partner would have to refuse the event: that is a bug of ours.
 */
export async function sendEvent<T extends EventType>(
  ctx: TxContext,
  { tenantId, caseRef, partnerId, leadId, loanId }: Of,
  { type, data }: EventContent<T>,
): Promise<string> {
  const { tx, at } = ctx
  const eventId = uuidv7(at.getTime(), bucketOf(caseRef))
  const { ourSender: sender } = (await partnerOf(ctx, tx, { partnerId })).credentials
  const build = (entityVersion: number) =>
    envelopeOf({ type, eventId, occurredAt: at, sender, entityVersion, ids: { caseRef, leadId, loanId }, data })
  const event = { tenantId, partitionKey: caseRef, eventId, type, entityType: entityOf(type), entityId: caseRef }
  await enqueueEvent(tx, ctx.seal, { ...event, destinationId: partnerId, build }, at)
  return eventId
}
