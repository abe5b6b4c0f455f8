// Schemas of the console API: the log of integrators' requests.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Id, Instant, TextOrNull } from '#wire/basic-schemas.ts'
import { ListOfTenant } from './staff.ts'
import { TimestampParameter } from './timestamp-parameter.ts'

/** A query of the request log: `failed` leaves out successes, `reads=omit` those that only read, such as polls. */
export const RequestQuery = Closed({
  ...ListOfTenant.properties,
  applicationId: Type.Optional(Id),
  keyId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  journeyId: Type.Optional(Id),
  correlationId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  method: Type.Optional(OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  route: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  failed: Type.Optional(OneOf(['true'])),
  reads: Type.Optional(OneOf(['omit'])),
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
