// Schemas of the console API for integrators: their applications, API keys, and the origins that may embed the page.

import { Closed, NonEmpty, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { Day, Id, Instant, InstantOrNull, TextOrNull } from '#wire/basic-schemas.ts'
import { embedFindings, keyScopes, maxOverlapHours } from './lists.ts'

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

export const OriginCheckRequest = Closed({ url: Type.String({ minLength: 1, maxLength: 1000 }) })
/** Whether a page can embed the journey now, by its response headers and our settings. */
export const OriginCheck = Closed({
  origin: Type.String(),
  findings: Type.Array(Closed({ code: OneOf(embedFindings), isFine: Type.Boolean(), about: TextOrNull })),
})
export type OriginCheck = Static<typeof OriginCheck>
