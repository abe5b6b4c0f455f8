// Schemas of the console API: the lending partner's events in both directions, and files.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Count, Id, Instant, InstantOrNull, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { directions, eventStates } from './lists.ts'
import { ListOfTenant } from './staff.ts'
import { TimestampParameter } from './timestamp-parameter.ts'

const Direction = OneOf(directions)
const State = OneOf(eventStates)

export const EventListQuery = Closed({
  ...ListOfTenant.properties,
  direction: Type.Optional(Direction),
  state: Type.Optional(State),
  type: Type.Optional(Type.String({ maxLength: 60 })),
  caseRef: Type.Optional(Id),
  partnerId: Type.Optional(Id),
  /** Default: one day ago; without a limit if `caseRef` is set. */
  from: Type.Optional(TimestampParameter),
})
export const EventParams = Closed({ direction: Direction, eventId: Id })
export const FileParams = Closed({ documentReferenceId: Id })

/** What an event reports. Null where it does not say so, or where its body is in the archive. */
export const EventFacts = Closed({
  status: TextOrNull,
  amount: TextOrNull,
  reasonCode: TextOrNull,
  /** Whether the provider itself confirmed the status of KYC, the mandate or e-sign. */
  isVerified: orNull(Type.Boolean()),
})
export type EventFacts = Static<typeof EventFacts>

export const PartnerEvent = Closed({
  direction: Direction,
  eventId: Id,
  tenantId: Id,
  journeyId: Id,
  caseRef: Id,
  partner: Text,
  /** The masked name. */
  borrower: TextOrNull,
  type: Text,
  facts: EventFacts,
  entityType: Text,
  entityId: Text,
  entityVersion: Count,
  state: State,
  /** When we created or received the event. */
  at: Instant,
  settledAt: InstantOrNull,
  tries: Count,
  /** The last response, or why the event waits or failed. */
  because: TextOrNull,
  nextTryAt: InstantOrNull,
  stuckSince: InstantOrNull,
})
export type PartnerEvent = Static<typeof PartnerEvent>

/** Partner events that have waited for another event, or failed, for a quarter of an hour. */
const Alert = Closed({ count: Count, oldestSince: InstantOrNull })
export const PartnerEvents = Closed({ items: Type.Array(PartnerEvent), next: TextOrNull, alert: Alert })
export type PartnerEvents = Static<typeof PartnerEvents>
export const PartnerEventDetail = Closed({
  ...PartnerEvent.properties,
  /** JSON with personal data masked. */
  body: Text,
  /** For an event in a gap, the missing version. */
  missingVersion: orNull(Count),
})
export type PartnerEventDetail = Static<typeof PartnerEventDetail>

export const PartnerFile = Closed({
  documentReferenceId: Id,
  tenantId: Id,
  journeyId: Id,
  caseRef: Id,
  partner: Text,
  documentType: Text,
  state: OneOf(['WAITING', 'REFUSED']),
  createdAt: Instant,
  refusedBecause: TextOrNull,
})
export type PartnerFile = Static<typeof PartnerFile>
export const PartnerFiles = Closed({ items: Type.Array(PartnerFile), next: TextOrNull })
export type PartnerFiles = Static<typeof PartnerFiles>
