// Schemas of the console API for the command line of people: its sign-in, and listeners for webhook updates.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Count, Id, Instant, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { Person } from './staff.ts'
import { Headers, NewEndpointRequest } from './webhooks.ts'

export const SignInCode = Type.String({
  pattern: '^[A-Z]{8}$',
  'x-says': 'must be the eight letters that lendloom login shows',
})
export const BeginSignInRequest = Closed({
  /** The name of the machine, which the person sees. Not a sentence, which could ask the person to allow it. */
  machine: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[A-Za-z0-9._-]+$',
    'x-says': 'must be a host name',
  }),
})
export const BegunSignIn = Closed({
  userCode: SignInCode,
  /** Proves that a request comes from the command line that began the sign-in. */
  secret: Text,
  /** The page on which a person allows it. */
  url: Text,
  expiresAt: Instant,
})
export type BegunSignIn = Static<typeof BegunSignIn>

export const FinishSignInRequest = Closed({ userCode: SignInCode, secret: Type.String({ maxLength: 100 }) })
/** `waiting`: ask again in two seconds, or after the Retry-After of a 429 · `ended`: refused or expired · `signed-in`: the response sets the session cookie. */
export const FinishedSignIn = Closed({
  state: OneOf(['waiting', 'ended', 'signed-in'] as const),
  person: orNull(Person),
  expiresAt: orNull(Instant),
})
export type FinishedSignIn = Static<typeof FinishedSignIn>

export const SignInCodeParams = Closed({ userCode: SignInCode })
export const WaitingMachine = Closed({ name: Text, network: Text })
export type WaitingMachine = Static<typeof WaitingMachine>
export const DecisionRequest = Closed({ isAllowed: Type.Boolean() })

export const NewListenerRequest = Closed({
  applicationId: Id,
  /** Where the command line sends the updates. Only shown: the platform never calls it. */
  forwardTo: Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: '^https?://',
    'x-says': 'must be an http or https URL',
  }),
  /** Chosen by the command line, so that it stays the same in each of its runs. */
  secret: Type.String({ pattern: '^whsec_[A-Za-z0-9+/]{43}=$', 'x-says': 'must be whsec_ and 32 bytes in base64' }),
  statuses: NewEndpointRequest.properties.statuses,
})
/** `isMasked`: personal data is masked, so bodies and signatures differ from what an endpoint receives. */
export const NewListener = Closed({ endpointId: Id, isMasked: Type.Boolean() })
export type NewListener = Static<typeof NewListener>

/** What the developer's server answered to an update. */
export const ForwardResult = Closed({
  receipt: Type.String({ maxLength: 2000 }),
  /** The HTTP status; null without a response. */
  status: orNull(Type.Integer({ minimum: 100, maximum: 599 })),
  /** Why there was no response. */
  problem: orNull(Type.String({ maxLength: 500 })),
  tookMs: Type.Integer({ minimum: 0, maximum: 3_600_000 }),
})
export type ForwardResult = Static<typeof ForwardResult>
export const maxForwarded = 20
export const PullRequest = Closed({ results: Type.Array(ForwardResult, { maxItems: maxForwarded }) })

export const ForwardedUpdate = Closed({
  receipt: Text,
  deliveryId: Id,
  journeyId: Id,
  /** Position among the journey's updates, from 1. */
  sequence: Count,
  status: Text,
  /** Number of this try, from 1. */
  attempt: Count,
  headers: Headers,
  /** The signature is over these bytes; a masked body differs from what an endpoint receives. */
  body: Text,
})
export type ForwardedUpdate = Static<typeof ForwardedUpdate>
/** At most one update of each journey, because the next one waits for its result. */
export const PulledUpdates = Closed({ items: Type.Array(ForwardedUpdate), next: TextOrNull })
export type PulledUpdates = Static<typeof PulledUpdates>
