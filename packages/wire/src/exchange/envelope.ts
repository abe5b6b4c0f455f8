// Validates and builds event envelopes, and checks the headers that identify a request (D3 §1.1, §2.2, §6).

import { fieldsOf, isObject } from '@lendloom/foundation/record'
import { type FieldError, invalid, Refusal } from '@lendloom/foundation/refusal'
import { faults, fits, OneOf, orNull, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import {
  catalogue,
  type DataOf,
  type EventType,
  entityOf,
  eventTypes,
  isEventType,
  type Side,
  senderOf,
} from './event-catalogue.ts'
import { brokenRules, Id, Instant, LoanId, sensitiveFaults, Version } from './fields.ts'

export {
  type DataOf,
  type EventType,
  entityOf,
  eventTypes,
  isEventType,
  type Side,
  senderOf,
} from './event-catalogue.ts'

/** D3 §8. Larger reports are sent as files. */
export const maxEventBytes = 2 * 1024 * 1024

/** D3 §8. The sender retries an event that has no response by then. */
export const eventTimeoutMs = 10_000

export const Correlation = Type.Object({
  external_reference_id: Id,
  celestium_lead_id: orNull(Id),
  celestium_loan_id: orNull(LoanId),
})
export type Correlation = Static<typeof Correlation>

export const EnvelopeHead = Type.Object({
  event_version: Type.Literal('2.0'),
  event_id: Uuid,
  event_type: OneOf(eventTypes),
  occurred_at: Instant,
  sender: Id,
  entity_type: OneOf(['CASE', 'PAYMENT']),
  entity_id: Id,
  entity_version: Version,
  correlation: Correlation,
  data: Type.Object({}),
})
type Head = Static<typeof EnvelopeHead>

export type EventOf<T extends EventType> = Omit<Head, 'event_type' | 'data'> & { event_type: T; data: DataOf<T> }
export type Envelope = { [T in EventType]: EventOf<T> }[EventType]

/** Returns the event, typed by its `event_type`. Throws `invalid` with every faulty field; unknown keys are allowed. */
export function readEnvelope(json: unknown): Envelope {
  requireEnvelope(json)
  return json
}

function requireEnvelope(json: unknown): asserts json is Envelope {
  const [first, ...otherFaults] = envelopeFaults(json)
  if (first) throw invalid(first, ...otherFaults)
}

/** Returns the faults of an event, at most one per path. */
export function envelopeFaults(json: unknown): FieldError[] {
  const head = fits(EnvelopeHead, json) ? headFaults(json) : faults(EnvelopeHead, json)
  const { event_type: type, data } = fieldsOf(json)
  const content = isEventType(type) && isObject(data) ? catalogue[type].faultsOf(data, 'data') : []
  return onePerPath([...head, ...content, ...sensitiveFaults(json)])
}

const onePerPath = (all: FieldError[]): FieldError[] =>
  [...new Map(all.toReversed().map((each) => [each.path, each])).values()].toReversed()

/** Faults between the envelope's own fields: entity and correlation. */
function headFaults({ event_type: type, entity_type, entity_id, correlation, data }: Head): FieldError[] {
  const entity = entityOf(type)
  const expectedId = entity === 'CASE' ? correlation.external_reference_id : fieldsOf(data).payment_id
  const expectedPath = entity === 'CASE' ? 'correlation.external_reference_id' : 'data.payment_id'
  const lead = correlation.celestium_lead_id
  const loan = correlation.celestium_loan_id
  const isBeforeRegistration = type === 'LEAD_SUBMITTED'
  const requiresPartnerIds =
    !isBeforeRegistration && !(type === 'EVENT_PROCESSING_FAILED' && lead === null && loan === null)
  return brokenRules(
    '',
    [entity_type !== entity, 'entity_type', `must be ${entity} for ${type}`],
    [entity_id !== expectedId, 'entity_id', `must be ${expectedPath}`],
    [isBeforeRegistration && lead !== null, 'correlation.celestium_lead_id', `must be null in ${type}`],
    [isBeforeRegistration && loan !== null, 'correlation.celestium_loan_id', `must be null in ${type}`],
    [requiresPartnerIds && lead === null, 'correlation.celestium_lead_id', `must not be null in ${type}`],
    [requiresPartnerIds && loan === null, 'correlation.celestium_loan_id', `must not be null in ${type}`],
  )
}

/**
 * Throws `forbidden` if the JSON names another `sender` than the authenticated party, or a type that its side may not
 * send. Call it before `readEnvelope`: an unauthorized sender must not learn about an event's fields (D3 §5). JSON
 * without a sender or type passes here; `readEnvelope` rejects it.
 */
export function requireSender(json: unknown, party: { sender: string; side: Side }): void {
  const { event_type: type, sender } = fieldsOf(json)
  if (typeof sender === 'string' && sender !== party.sender)
    throw new Refusal('forbidden', 'sender is not the party of this credential', { field: 'sender' })
  if (!isEventType(type)) return
  const allowedSender = senderOf(type)
  if (allowedSender !== 'either' && allowedSender !== party.side)
    throw new Refusal('forbidden', `${type} is sent by the ${allowedSender}`, { field: 'event_type' })
}

/** The three IDs of a case; the partner's two are null until the lead is registered. */
export interface CaseIds {
  caseRef: string
  leadId: string | null
  loanId: string | null
}

/** Returns the path of an ID that differs from the saved one; null if the event belongs to the case. */
export function foreignIdentifier(
  { correlation }: Pick<Envelope, 'correlation'>,
  { caseRef, leadId, loanId }: CaseIds,
): string | null {
  if (correlation.external_reference_id !== caseRef) return 'correlation.external_reference_id'
  if (correlation.celestium_lead_id !== leadId) return 'correlation.celestium_lead_id'
  return correlation.celestium_loan_id === loanId ? null : 'correlation.celestium_loan_id'
}

export interface OutgoingEvent<T extends EventType> {
  type: T
  eventId: string
  occurredAt: Date
  sender: string
  /** The `payment_id` of a payment event; by default the case reference. */
  entityId?: string
  entityVersion: number
  ids: CaseIds
  data: DataOf<T>
}

/** Builds an event without validating its content. */
export function uncheckedEnvelopeOf<T extends EventType, Data>(event: Omit<OutgoingEvent<T>, 'data'> & { data: Data }) {
  const { caseRef, leadId, loanId } = event.ids
  return {
    event_version: '2.0' as const,
    event_id: event.eventId,
    event_type: event.type,
    occurred_at: event.occurredAt.toISOString(),
    sender: event.sender,
    entity_type: entityOf(event.type),
    entity_id: event.entityId ?? caseRef,
    entity_version: event.entityVersion,
    correlation: { external_reference_id: caseRef, celestium_lead_id: leadId, celestium_loan_id: loanId },
    data: event.data,
  }
}

/** Builds an event. Throws an `Error` (a bug) if the receiver would reject it. */
export function envelopeOf<T extends EventType>(event: OutgoingEvent<T>): EventOf<T> {
  const envelope = uncheckedEnvelopeOf(event)
  const faultList = envelopeFaults(envelope)
  if (faultList.length > 0)
    throw new Error(
      `${event.type} would be refused: ${faultList.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
    )
  return envelope
}

type Headers = Record<string, string | string[] | undefined>

/** Throws `invalid` unless `Idempotency-Key`, bare or quoted, is the body's `request_id` or `event_id`. */
export function requireIdempotencyKey(headers: Headers, id: string): void {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || key === '') throw invalid({ path: 'Idempotency-Key', message: 'is required' })
  const bare = /^"(.*)"$/.exec(key)?.[1] ?? key
  if (bare.toLowerCase() !== id.toLowerCase())
    throw invalid({ path: 'Idempotency-Key', message: 'must be the request_id, or the event_id of an event' })
}

/** Returns the `X-Request-Id` of a read request. Throws `invalid` unless it is a UUID. */
export function requireRequestId(headers: Headers): string {
  const id = headers['x-request-id']
  if (typeof id !== 'string' || !isUuid(id)) throw invalid({ path: 'X-Request-Id', message: 'must be a UUID' })
  return id
}
