// The console's requests and answers about the lending partner: events in both directions, and files.
import { Count, Id, Instant, Text } from '#contract/atoms.ts'
import { Closed, OneOf, orNull, type Static, Type } from '#kit/http/schema.ts'
import { GivenInstant } from './given-instant.ts'
import { directions, eventStates } from './partner-lists.ts'

const Direction = OneOf(directions)
const State = OneOf(eventStates)

const tenant = { tenantId: Type.Optional(Id) }
const page = {
  after: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.String({ pattern: '^(?:[1-9]\\d?|1\\d\\d|200)$', 'x-says': 'must be 1 to 200' })),
}
export const PartnerQuery = Closed(tenant)
export const PartnerListQuery = Closed({ ...tenant, ...page })
export const EventListQuery = Closed({
  ...tenant,
  ...page,
  direction: Type.Optional(Direction),
  state: Type.Optional(State),
  type: Type.Optional(Type.String({ maxLength: 60 })),
  caseRef: Type.Optional(Id),
  /** A day before now unless given, or unless a case is named. */
  from: Type.Optional(GivenInstant),
})
export const EventParams = Closed({ direction: Direction, eventId: Id })
export const FileParams = Closed({ documentReferenceId: Id })

export const PartnerEvent = Closed({
  direction: Direction,
  eventId: Id,
  tenantId: Id,
  journeyId: Id,
  caseRef: Id,
  type: Text,
  entityType: Text,
  entityId: Text,
  entityVersion: Count,
  state: State,
  /** When it was written, or came. */
  at: Instant,
  settledAt: orNull(Instant),
  tries: Count,
  /** The last answer, or why it waits or failed. */
  because: orNull(Text),
  nextTryAt: orNull(Instant),
  stuckSince: orNull(Instant),
})
export type PartnerEvent = Static<typeof PartnerEvent>

/** An event of the partner that has waited for another one, or failed, for a quarter of an hour. */
const Alert = Closed({ count: Count, oldestSince: orNull(Instant) })
export const PartnerEvents = Closed({ items: Type.Array(PartnerEvent), next: orNull(Text), alert: Alert })
export type PartnerEvents = Static<typeof PartnerEvents>
export const PartnerEventDetail = Closed({
  ...PartnerEvent.properties,
  /** JSON with personal data masked. */
  body: Text,
  /** For an event in a gap, the version that has to come first. */
  missingVersion: orNull(Count),
})
export type PartnerEventDetail = Static<typeof PartnerEventDetail>

export const PartnerFile = Closed({
  documentReferenceId: Id,
  tenantId: Id,
  journeyId: Id,
  caseRef: Id,
  documentType: Text,
  state: OneOf(['WAITING', 'REFUSED']),
  createdAt: Instant,
  refusedBecause: orNull(Text),
})
export type PartnerFile = Static<typeof PartnerFile>
export const PartnerFiles = Closed({ items: Type.Array(PartnerFile), next: orNull(Text) })
export type PartnerFiles = Static<typeof PartnerFiles>
