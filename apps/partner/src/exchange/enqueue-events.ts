// Enqueues events for the platform in the transaction that causes them; the outbox sends them (D3 §4.2, §6).

import { enqueueEvent, enqueueEvents, type NewOutboundEvent } from '@lendloom/event-log/outbox'
import type { Write } from '@lendloom/postgres/write'
import { noTenantId } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import { type CaseIds, type DataOf, type EventType, entityOf, envelopeOf } from '@lendloom/wire/exchange/envelope'
import type { Context } from '#partner/context.ts'

/** What building an event needs: the seal of the database and the partner's sender name. */
export interface EnqueueContext extends Pick<Context, 'seal'> {
  config: Pick<Context['config'], 'PARTNER_SENDER'>
}

export interface EventContent<T extends EventType> {
  type: T
  data: DataOf<T>
  /** The payment of a PAYMENT_UPDATED event; the entity of all other events is the case. */
  paymentId?: string
}

/**
 * Enqueues an event with the next version of its entity, and returns the event id. The case must be locked. `leadId`
 * and `loanId` are null until the case is registered. Throws if the event violates the contract.
 */
export async function enqueueCaseEvent<T extends EventType>(
  { tx, at, seal, config }: EnqueueContext & Write,
  { caseRef, leadId, loanId }: CaseIds,
  { type, data, paymentId }: EventContent<T>,
): Promise<string> {
  const event = outboundEvent({ at, config }, { ids: { caseRef, leadId, loanId }, type, data }, paymentId ?? caseRef)
  await enqueueEvent(tx, seal, event, at)
  return event.eventId
}

export interface CaseEvent<T extends EventType> {
  ids: CaseIds
  type: T
  data: DataOf<T>
}

/** Enqueues one event each for many cases, like `enqueueCaseEvent`, in one or two SQL statements. */
export const enqueueCaseEvents = <T extends EventType>(
  { tx, at, seal, config }: EnqueueContext & Write,
  events: CaseEvent<T>[],
): Promise<void> =>
  enqueueEvents(
    tx,
    seal,
    events.map((event) => outboundEvent({ at, config }, event, event.ids.caseRef)),
    at,
  )

function outboundEvent<T extends EventType>(
  { at, config }: Pick<EnqueueContext & Write, 'at' | 'config'>,
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
