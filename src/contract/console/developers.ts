// The console's requests and answers about what an integrator's team manages: API keys, and the pages that may embed journeys.
import { uuidPattern } from '#kit/crypto/id.ts'
import { Closed, NonEmpty, OneOf, orNull, type Static, Type } from '#kit/http/schema.ts'
import { keyScopes, longestOverlapHours } from './developer-lists.ts'

const Id = Type.String({ pattern: uuidPattern, 'x-says': 'must be an id' })
const Instant = Type.String({ examples: ['2026-11-21T10:00:00.000Z'] })
const Label = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', 'x-says': 'must have 1 to 100 characters' })

export const OfOneTenant = Closed({ tenantId: Type.Optional(Id) })

export const ApplicationSeen = Closed({
  applicationId: Id,
  name: Type.String(),
  /** Pages that may hold the hosted journey, as exact origins. */
  origins: Type.Array(Type.String()),
})
export type ApplicationSeen = Static<typeof ApplicationSeen>
export const Applications = Closed({ items: Type.Array(ApplicationSeen), next: Type.Null() })
export type Applications = Static<typeof Applications>
export const ApplicationParams = Closed({ applicationId: Id })
export const OriginsRequest = Closed({ origins: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 50 }) })

export const KeySeen = Closed({
  /** Stands in the key's text, and opens nothing. */
  keyId: Type.String(),
  applicationId: Id,
  label: Type.String(),
  scopes: Type.Array(Type.String()),
  createdAt: Instant,
  expiresAt: orNull(Instant),
  revokedAt: orNull(Instant),
  /** A day, in UTC. */
  lastUsedOn: orNull(Type.String()),
})
export type KeySeen = Static<typeof KeySeen>
/** The newest first. */
export const Keys = Closed({ items: Type.Array(KeySeen), next: Type.Null() })
export type Keys = Static<typeof Keys>
export const KeyParams = Closed({ keyId: Type.String({ minLength: 1, maxLength: 100 }) })

export const KeyRequest = Closed({
  applicationId: Id,
  label: Label,
  scopes: NonEmpty(OneOf(keyScopes)),
  /** For ever when it is left out. */
  expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
})
export type KeyRequest = Static<typeof KeyRequest>
/** The only time that the text of a key is shown. */
export const NewKeyReply = Closed({ keyId: Type.String(), apiKey: Type.String() })
export type NewKeyReply = Static<typeof NewKeyReply>

/** How long the former key works beside the new one. */
export const RollRequest = Closed({ overlapHours: Type.Integer({ minimum: 0, maximum: longestOverlapHours }) })
export type RollRequest = Static<typeof RollRequest>
