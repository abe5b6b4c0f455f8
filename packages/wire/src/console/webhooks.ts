// Schemas of the console API: webhook endpoints, alerts, deliveries and their tries, replays, signature checks.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Count, Id, Instant, InstantOrNull, Text, TextOrNull, wholeNumber } from '#wire/basic-schemas.ts'
import { accessFields, shownAccessFields } from '#wire/hosted/endpoint-access.ts'
import { statuses } from '#wire/hosted/lifecycle-status.ts'
import { LoanEventType } from '#wire/hosted/loan-event.ts'
import { updateStatuses } from '#wire/hosted/loan-event-types.ts'
import { mailAddressPattern } from '#wire/identifier.ts'
import { deliveryStates } from '#wire/webhook/delivery-state.ts'
import { ListOfTenant } from './staff.ts'
import { TimestampParameter } from './timestamp-parameter.ts'

const Status = OneOf(statuses)
/** A lifecycle status, or the type of an event of a loan. */
const UpdateStatus = OneOf(updateStatuses)
const State = OneOf(deliveryStates)

export const EndpointParams = Closed({ endpointId: Id })
export const DeliveryParams = Closed({ deliveryId: Id })
export const ReplayParams = Closed({ replayId: Id })

/** `idle`: never called · `failing`: the last try failed · `untried`: enabled or given another URL since then. */
const healths = ['delivering', 'failing', 'untried', 'paused', 'disabled', 'idle'] as const
export type Health = (typeof healths)[number]

export const LastAnswer = Closed({ deliveryId: Id, at: Instant, state: State, answer: Text, tookMs: orNull(Count) })
export type LastAnswer = Static<typeof LastAnswer>

export const Endpoint = Closed({
  tenantId: Id,
  endpointId: Id,
  applicationId: Id,
  applicationName: Text,
  url: Text,
  /** The subscribed lifecycle statuses; null for all. */
  statuses: orNull(Type.Array(Status)),
  /** The events of loans that it receives; null for none. */
  loanEvents: orNull(Type.Array(LoanEventType)),
  createdAt: Instant,
  pausedAt: InstantOrNull,
  disabledAt: InstantOrNull,
  disabledBecause: TextOrNull,
  /** What the endpoint's server demands beside the signature, masked. */
  ...shownAccessFields,
  /** Until then, updates are also signed with the previous secret. */
  oldSecretUntil: InstantOrNull,
  health: OneOf(healths),
  /** Whether the platform does not call it: a command line pulls the updates and sends them to `url`, or it is a feed. */
  isListener: Type.Boolean(),
  /** The person whose command line pulls; null for any other endpoint. */
  listenerName: TextOrNull,
  /** When the app last asked for the updates of its feed; null for an endpoint that is none. */
  feedAt: InstantOrNull,
  /** Updates that the command line pulled, repeats included. */
  listenerUpdates: Count,
  /** The last success; every later try has failed. */
  lastSuccessAt: InstantOrNull,
  lastFailureAt: InstantOrNull,
  /** While it fails, the time since which it accepted no update. */
  failingSince: InstantOrNull,
  retries: Closed({ tries: Count, seconds: Count }),
  /** The earliest next try of an update that failed; null without one. */
  nextTryAt: InstantOrNull,
  /** For updates of the last day, at most the newest 20,000 of its application. */
  lastDay: Closed({
    delivered: Count,
    /** Delivered after more than one attempt. */
    retried: Count,
    /** In milliseconds; null without a try. */
    p50Ms: orNull(Count),
    p95Ms: orNull(Count),
  }),
  /** Pending updates, counted up to `countLimit` + 1. */
  waiting: Count,
  waitingSince: InstantOrNull,
  /** Updates of the last thirty days that were given up or stopped, counted up to `countLimit` + 1. */
  missed: Count,
  /** The newest first. */
  lastAnswers: Type.Array(LastAnswer),
  /** The newest failed try, however old; null unless the endpoint is failing. */
  lastFailure: Type.Union([LastAnswer, Type.Null()]),
  /** When an untried endpoint was resumed, enabled or given another URL. */
  untriedSince: InstantOrNull,
})
export type Endpoint = Static<typeof Endpoint>
export const countLimit = 10_000

export const Application = Closed({ applicationId: Id, name: Text })
export type Application = Static<typeof Application>
export const Endpoints = Closed({
  items: Type.Array(Endpoint),
  next: TextOrNull,
  /** Applications to which an endpoint may be added; empty in a list of all tenants. */
  applications: Type.Array(Application),
})
export type Endpoints = Static<typeof Endpoints>

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  'x-says': 'must be an https URL of at most 2000 characters',
})
const Statuses = Type.Array(Status, { minItems: 1, uniqueItems: true, 'x-says': 'must name one status or more' })
/** The events of loans to send; null for none. */
const LoanEvents = Type.Optional(
  orNull(Type.Array(LoanEventType, { minItems: 1, uniqueItems: true, 'x-says': 'must name one event or more' })),
)
export const NewEndpointRequest = Closed({
  applicationId: Id,
  url: Url,
  /** All when left out. */
  statuses: Type.Optional(Statuses),
  loanEvents: LoanEvents,
  ...accessFields,
})
export type NewEndpointRequest = Static<typeof NewEndpointRequest>
export const ChangeEndpointRequest = Closed({
  url: Type.Optional(Url),
  /** Null for all. */
  statuses: Type.Optional(orNull(Statuses)),
  loanEvents: LoanEvents,
  ...accessFields,
})
export type ChangeEndpointRequest = Static<typeof ChangeEndpointRequest>
/** The only response that contains the secret. */
export const NewEndpoint = Closed({ endpoint: Endpoint, secret: Text })
export type NewEndpoint = Static<typeof NewEndpoint>
export const RotatedSecret = Closed({ secret: Text, oldSecretUntil: Instant })
export type RotatedSecret = Static<typeof RotatedSecret>

export const Headers = Type.Array(Closed({ name: Text, value: Text }))
/** The sent request; personal fields of the body are masked, as in the log. */
const SentRequest = Closed({ method: Text, url: TextOrNull, headers: Headers, body: Text })
export const TestResult = Closed({
  isSuccess: Type.Boolean(),
  /** The HTTP status, or why there was none. */
  answer: Text,
  tookMs: Count,
  /** The beginning of the answer's body; null where there was none. */
  body: TextOrNull,
  request: SentRequest,
})
export type TestResult = Static<typeof TestResult>

/** Headers as lines of `name: value`, and the exact body. */
export const SignatureRequest = Closed({
  headers: Type.String({ minLength: 1, maxLength: 16_000, 'x-says': 'must be lines of name: value' }),
  body: Type.String({ maxLength: 500_000 }),
})
export type SignatureRequest = Static<typeof SignatureRequest>
const signatureFindings = [
  'right',
  'right-by-old-secret',
  'too-old',
  'header-missing',
  'timestamp-unreadable',
  'no-signature',
  'other-endpoint',
  'line-break-added',
  'body-reformatted',
  'body-changed',
  'wrong-secret',
  'unknown',
] as const
export type SignatureFinding = (typeof signatureFindings)[number]
export const SignatureResult = Closed({
  finding: OneOf(signatureFindings),
  header: TextOrNull,
  /** The endpoint whose secret signed, if another one. */
  endpointId: orNull(Id),
  /** How many seconds the timestamp is away from now. */
  secondsAway: orNull(Type.Integer()),
  /** The delivery with this signature, if known. */
  deliveryId: orNull(Id),
})
export type SignatureResult = Static<typeof SignatureResult>

const filter = {
  endpointId: Type.Optional(Id),
  journeyId: Type.Optional(Id),
  from: Type.Optional(TimestampParameter),
  until: Type.Optional(TimestampParameter),
}
export const DeliveryQuery = Closed({
  ...ListOfTenant.properties,
  ...filter,
  state: Type.Optional(State),
  status: Type.Optional(UpdateStatus),
  eventId: Type.Optional(Id),
})
const deliveryFields = {
  tenantId: Id,
  deliveryId: Id,
  /** Null for the journey's own callback. */
  endpointId: orNull(Id),
  /** Null for a removed endpoint, and for a callback. */
  url: TextOrNull,
  journeyId: Id,
  eventId: Id,
  sequence: Count,
  status: UpdateStatus,
  state: State,
  totalAttempts: Count,
  attemptsSinceReplay: Count,
  isPaused: Type.Boolean(),
  /** The pending update ahead of it; null without one. */
  behindSequence: orNull(Count),
  lastAnswer: TextOrNull,
  lastAttemptAt: InstantOrNull,
  tookMs: orNull(Count),
  nextAttemptAt: InstantOrNull,
  deliveredAt: InstantOrNull,
  createdAt: Instant,
}
export const Delivery = Closed(deliveryFields)
export type Delivery = Static<typeof Delivery>
export const Deliveries = Closed({ items: Type.Array(Delivery), next: TextOrNull })
export type Deliveries = Static<typeof Deliveries>

export const DeliveryTry = Closed({
  number: Count,
  at: Instant,
  state: State,
  answer: Text,
  tookMs: Count,
  /** The masked start of the response body; null after a success, or without a body. */
  body: TextOrNull,
})
export type DeliveryTry = Static<typeof DeliveryTry>
const whyWaiting = ['next-attempt', 'earlier-update', 'paused'] as const
export const DeliveryDetail = Closed({
  ...deliveryFields,
  applicationId: Id,
  correlationId: TextOrNull,
  /** The last request; before the first try, the one that would be sent now. */
  request: SentRequest,
  /** The newest first, at most twenty. */
  tries: Type.Array(DeliveryTry),
  /** The reason for waiting: the next try, an earlier update of the journey, or a pause; null unless PENDING. */
  waitsFor: orNull(OneOf(whyWaiting)),
  /** The delivery of the earlier update. */
  behindDeliveryId: orNull(Id),
  /** The scheduled last try; null without a next one. */
  lastTryAt: InstantOrNull,
})
export type DeliveryDetail = Static<typeof DeliveryDetail>

export const ReplayFilter = Closed({
  ...filter,
  states: Type.Optional(Type.Array(State, { minItems: 1, uniqueItems: true })),
  statuses: Type.Optional(
    Type.Array(UpdateStatus, { minItems: 1, uniqueItems: true, 'x-says': 'must name one status or more' }),
  ),
})
export type ReplayFilter = Static<typeof ReplayFilter>
export const ReplayRequest = Closed({
  filter: ReplayFilter,
  /** Counts, and changes nothing. */
  dryRun: Type.Optional(Type.Boolean()),
  perSecond: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, 'x-says': 'must be 1 to 500' })),
})
export type ReplayRequest = Static<typeof ReplayRequest>
/**
 * `chosen`: updates that match the filter · `updates`: these and all later updates of their journeys, of which `missed`
 * were given up or stopped, `waiting` wait to be sent, and the others were delivered.
 */
export const ReplayCount = Closed({
  journeys: Count,
  chosen: Count,
  updates: Count,
  missed: Count,
  waiting: Count,
  seconds: Count,
})
export type ReplayCount = Static<typeof ReplayCount>
export const Replay = Closed({
  replayId: Id,
  filter: ReplayFilter,
  state: OneOf(['RUNNING', 'STOPPED', 'DONE']),
  perSecond: Count,
  journeys: Count,
  updates: Count,
  journeysDone: Count,
  updatesDone: Count,
  /** Journeys whose endpoint had been removed or disabled. */
  journeysSkipped: Count,
  personId: orNull(Id),
  startedAt: Instant,
  endedAt: InstantOrNull,
})
export type Replay = Static<typeof Replay>
export const Replays = Closed({ items: Type.Array(Replay), next: TextOrNull })
export type Replays = Static<typeof Replays>

const Address = Type.String({
  pattern: mailAddressPattern,
  'x-says': 'must be an e-mail address',
})
export const AlertSettingsRequest = Closed({
  isOn: Type.Boolean(),
  /** Alert after this many failed tries since the last success. */
  failures: wholeNumber(1, 1000),
  /** Alert after a tried update has waited this long. */
  waitingMinutes: wholeNumber(1, 10_080),
  /** Null for the admins and developers of the tenant. */
  emails: orNull(Type.Array(Address, { minItems: 1, maxItems: 20, 'x-says': 'must name one address to twenty' })),
  /** Endpoints that receive a signed event. */
  endpointIds: Type.Array(Id, { maxItems: 20 }),
})
export type AlertSettingsRequest = Static<typeof AlertSettingsRequest>

export const Outage = Closed({
  outageId: Id,
  endpointId: Id,
  /** Null for an endpoint that was removed. */
  url: TextOrNull,
  why: OneOf(['FAILURES', 'WAITING', 'DISABLED']),
  failures: Type.Integer(),
  waitingSince: TextOrNull,
  lastAnswer: TextOrNull,
  beganAt: Type.String(),
  endedAt: TextOrNull,
})
export type Outage = Static<typeof Outage>

export const Alerts = Closed({
  settings: AlertSettingsRequest,
  /** The newest fifty. */
  outages: Type.Array(Outage),
})
export type Alerts = Static<typeof Alerts>
