// Schemas of the console API for integrators: API keys, embedding origins, the request log, sandbox journeys, the clock.

import { Closed, NonEmpty, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Day, Id, Instant, InstantOrNull, TextOrNull } from '#wire/basic-schemas.ts'
import { SessionJourneyType } from '#wire/hosted/create-session.ts'
import { statuses } from '#wire/hosted/lifecycle-status.ts'
import { embedFindings, keyScopes, maxOverlapHours } from './lists.ts'
import { ListOfTenant } from './staff.ts'
import { TimestampParameter } from './timestamp-parameter.ts'

const Label = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', 'x-says': 'must have 1 to 100 characters' })

export const ApplicationView = Closed({
  applicationId: Id,
  name: Type.String(),
  /** Exact origins of the pages that may embed the hosted journey. */
  origins: Type.Array(Type.String()),
})
export type ApplicationView = Static<typeof ApplicationView>
export const Applications = Closed({ items: Type.Array(ApplicationView), next: Type.Null() })
export type Applications = Static<typeof Applications>
export const ApplicationParams = Closed({ applicationId: Id })
export const OriginsRequest = Closed({ origins: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 50 }) })

export const KeyView = Closed({
  /** Part of the key's text; not a secret. */
  keyId: Type.String(),
  applicationId: Id,
  label: Type.String(),
  scopes: Type.Array(Type.String()),
  createdAt: Instant,
  expiresAt: InstantOrNull,
  revokedAt: InstantOrNull,
  /** A day, in UTC. */
  lastUsedOn: TextOrNull,
  /** Networks from which the key may be used; empty for all. */
  addresses: Type.Array(Type.String()),
})
export type KeyView = Static<typeof KeyView>
/** The newest first. */
export const Keys = Closed({ items: Type.Array(KeyView), next: Type.Null() })
export type Keys = Static<typeof Keys>
export const KeyParams = Closed({ keyId: Type.String({ minLength: 1, maxLength: 100 }) })

export const KeyRequest = Closed({
  applicationId: Id,
  label: Label,
  scopes: NonEmpty(OneOf(keyScopes)),
  /** Never expires when omitted. */
  expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
  /** Alternative to `expiresInDays`: the first day, in Indian time, on which the key is invalid. */
  expiresOn: Type.Optional(Day),
  /** Whether the key is live; by default yes, except in a sandbox. */
  isLive: Type.Optional(Type.Boolean()),
  /** Addresses and networks such as `203.0.113.7` or `10.0.0.0/8`; all if omitted or empty. */
  addresses: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50 })),
})
export type KeyRequest = Static<typeof KeyRequest>
/** The only time that the text of a key is shown. */
export const NewKeyReply = Closed({ keyId: Type.String(), apiKey: Type.String() })
export type NewKeyReply = Static<typeof NewKeyReply>

/** `overlapHours`: how long the old key remains valid. */
export const RollRequest = Closed({ overlapHours: Type.Integer({ minimum: 0, maximum: maxOverlapHours }) })
export type RollRequest = Static<typeof RollRequest>

/** A query of the request log: `failed` leaves out successes. */
export const RequestQuery = Closed({
  ...ListOfTenant.properties,
  applicationId: Type.Optional(Id),
  keyId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  journeyId: Type.Optional(Id),
  correlationId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  method: Type.Optional(OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  route: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  failed: Type.Optional(OneOf(['true'])),
  from: Type.Optional(TimestampParameter),
  until: Type.Optional(TimestampParameter),
})

/** A request of an integrator's server, or of a session of one of its borrowers. */
export const RequestView = Closed({
  requestId: Id,
  at: Instant,
  applicationId: Id,
  /** Null for a borrower's session. */
  keyId: TextOrNull,
  journeyId: orNull(Id),
  correlationId: Type.String(),
  method: Type.String(),
  /** The route as in the API reference, with parameters in braces. */
  route: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  ms: Type.Integer(),
  error: TextOrNull,
})
export type RequestView = Static<typeof RequestView>
/** The newest first. */
export const Requests = Closed({ items: Type.Array(RequestView), next: TextOrNull })
export type Requests = Static<typeof Requests>
export const RequestParams = Closed({ requestId: Id })
/** Adds the masked bodies of request and response; null without a body. */
export const RequestDetail = Closed({ ...RequestView.properties, request: Type.Unknown(), reply: Type.Unknown() })
export type RequestDetail = Static<typeof RequestDetail>

/** A sandbox journey: four digits of the PAN select a fault, `1234` none. */
export const SandboxJourneyRequest = Closed({
  applicationId: Id,
  product: SessionJourneyType,
  digits: Type.Optional(Type.String({ pattern: '^\\d{4}$', 'x-says': 'must be four digits' })),
})
export type SandboxJourneyRequest = Static<typeof SandboxJourneyRequest>
export const AdvanceRequest = Closed({ to: OneOf(statuses) })
export const AdvanceReply = Closed({ journeyId: Id, status: OneOf(statuses), to: OneOf(statuses) })
export type AdvanceReply = Static<typeof AdvanceReply>
export const SandboxJourneyReply = Closed({ journeyId: Id, embedUrl: Type.String(), pan: Type.String() })
export type SandboxJourneyReply = Static<typeof SandboxJourneyReply>

export const ClockRequest = Closed({ hours: Type.Integer({ minimum: 1, maximum: 24 * 370 }) })
/** The simulation's time. `moving` is the progress of the last clock change; null before the first. */
export const ClockReply = Closed({
  now: Instant,
  aheadMs: Type.Integer(),
  moving: orNull(
    Closed({
      beganAt: Instant,
      endsAt: Instant,
      isAt: Instant,
      isDone: Type.Boolean(),
      problem: TextOrNull,
    }),
  ),
})
export type ClockReply = Static<typeof ClockReply>

export const OriginCheckRequest = Closed({ url: Type.String({ minLength: 1, maxLength: 1000 }) })
/** Whether a page can embed the journey now, by its response headers and our settings. */
export const OriginCheck = Closed({
  origin: Type.String(),
  findings: Type.Array(Closed({ code: OneOf(embedFindings), isFine: Type.Boolean(), about: TextOrNull })),
})
export type OriginCheck = Static<typeof OriginCheck>
