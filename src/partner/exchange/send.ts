// An event for the platform: written in the transaction of its cause, sent afterwards by the outbox (D3 §4.2, §6).
import { type CaseIds, type DataOf, type EventType, entityOf, envelopeOf } from '#contract/exchange/envelope.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Write } from '#kit/db/write.ts'
import { enqueueEvent, enqueueEvents, type NewOutboundEvent } from '#kit/messaging/outbox.ts'
import { noTenantId } from '#kit/messaging/queue.ts'
import type { Context } from '#partner/context.ts'

/** The context of an event: the seal of the database, and our sender name. */
export interface SendContext extends Pick<Context, 'seal'> {
  config: Pick<Context['config'], 'PARTNER_SENDER'>
}

export interface EventContent<T extends EventType> {
  type: T
  data: DataOf<T>
  /** The payment that a PAYMENT_UPDATED is about; every other event is about the case itself. */
  paymentId?: string
}

/**
 * Enqueues an event under the next version of its object, and returns its id. The caller holds the case's row. Before
 * registration both partner ids are null. Throws for an event that violates the contract, which is a bug.
 */
export async function sendEvent<T extends EventType>(
  { tx, at, seal, config }: SendContext & Write,
  { caseRef, leadId, loanId }: CaseIds,
  { type, data, paymentId }: EventContent<T>,
): Promise<string> {
  const event = outbound({ at, config }, { ids: { caseRef, leadId, loanId }, type, data }, paymentId ?? caseRef)
  await enqueueEvent(tx, seal, event, at)
  return event.eventId
}

/** An event that is about a case itself. */
export interface CaseEvent<T extends EventType> {
  ids: CaseIds
  type: T
  data: DataOf<T>
}

/** As above for one event each of many cases, in one or two statements. */
export const sendCaseEvents = <T extends EventType>(
  { tx, at, seal, config }: SendContext & Write,
  events: CaseEvent<T>[],
): Promise<void> =>
  enqueueEvents(
    tx,
    seal,
    events.map((event) => outbound({ at, config }, event, event.ids.caseRef)),
    at,
  )

function outbound<T extends EventType>(
  { at, config }: Pick<SendContext & Write, 'at' | 'config'>,
  { ids: { caseRef, leadId, loanId }, type, data }: CaseEvent<T>,
  entityId: string,
): NewOutboundEvent {
  const eventId = uuidv7(at.getTime())
  return {
    tenantId: noTenantId,
    partitionKey: caseRef,
    eventId,
    type,
    entityType: entityOf(type),
    entityId,
    build: (entityVersion) =>
      envelopeOf({
        type,
        eventId,
        occurredAt: at,
        sender: config.PARTNER_SENDER,
        entityId,
        entityVersion,
        ids: { caseRef, leadId, loanId },
        data,
      }),
  }
}
