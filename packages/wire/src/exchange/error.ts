// Error responses of the exchange: the body of D3 §7 and its nine codes.

import { parseJson } from '@lendloom/foundation/json'
import type { FieldError, Refusal, RefusalKind } from '@lendloom/foundation/refusal'
import { OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { refuseCostlyShape } from '@lendloom/http/body'
import { Answer, type Arrival } from '@lendloom/http/route'

export const errorCodes = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'TOO_LARGE',
  'UNSUPPORTED_MEDIA',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const
type ErrorCode = (typeof errorCodes)[number]

export const ErrorBody = Type.Object({
  /** The `event_id` of an event, else `X-Request-Id`, else null. */
  request_id: orNull(Type.String()),
  error: Type.Object({
    code: OneOf(errorCodes),
    message: Type.String(),
    retryable: Type.Boolean(),
    fields: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
  }),
})
export type ErrorBody = Static<typeof ErrorBody>

type ErrorMapping = [status: number, code: ErrorCode, retryable: boolean]

/** The status and code of each kind of refusal, and whether the same request may succeed later. */
export const codes: Record<RefusalKind, ErrorMapping> = {
  malformed: [400, 'VALIDATION_ERROR', false],
  invalid: [422, 'VALIDATION_ERROR', false],
  'bad-api-key': [401, 'UNAUTHORIZED', false],
  'bad-session': [401, 'UNAUTHORIZED', false],
  'bad-credential': [401, 'UNAUTHORIZED', false],
  forbidden: [403, 'FORBIDDEN', false],
  absent: [404, 'NOT_FOUND', false],
  'wrong-method': [405, 'NOT_FOUND', false],
  'wrong-state': [409, 'CONFLICT', false],
  locked: [409, 'CONFLICT', false],
  pending: [409, 'CONFLICT', true],
  'reused-key': [409, 'CONFLICT', false],
  'too-large': [413, 'TOO_LARGE', false],
  'unsupported-media': [415, 'UNSUPPORTED_MEDIA', false],
  'rate-limited': [429, 'RATE_LIMITED', true],
  damaged: [500, 'INTERNAL_ERROR', false],
  upstream: [503, 'INTERNAL_ERROR', true],
}

/** The parsed parts of the rejected request; none if it was not valid HTTP. */
export type RefusedRequest = Partial<Pick<Arrival, 'headers' | 'raw'>>

/** Converts a refusal to a response. An internal error does not reveal its cause. */
export function refusedExchange(refusal: Refusal | 'bug', arrival: RefusedRequest): Answer {
  const request_id = requestIdOf(arrival)
  if (refusal === 'bug') {
    const message = 'something went wrong on our side; it is safe to try again with the same key'
    return new Answer(500, { request_id, error: { code: 'INTERNAL_ERROR', message, retryable: true, fields: [] } })
  }
  const [status, code, retryable] = codes[refusal.kind]
  const { retryAfterSeconds } = refusal.details
  const headers: Record<string, string> = {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  }
  const error = { code, message: refusal.message, retryable, fields: fieldsOf(refusal) }
  return new Answer(status, { request_id, error } satisfies ErrorBody, headers)
}

function fieldsOf({ message, details: { field, fields } }: Refusal): FieldError[] {
  if (fields) return fields
  return field === undefined ? [] : [{ path: field, message }]
}

/** The readable `event_id`, else `X-Request-Id`, else `Idempotency-Key`, else null. */
function requestIdOf({ headers = {}, raw }: RefusedRequest): string | null {
  const candidates = [eventIdIn(raw), headers['x-request-id'], headers['idempotency-key']]
  return candidates.find((id): id is string => typeof id === 'string' && isUuid(id)) ?? null
}

function eventIdIn(raw: Buffer | undefined): unknown {
  if (!raw?.includes('"event_id"')) return undefined
  try {
    refuseCostlyShape(raw)
    return parseJson(raw).event_id
  } catch {
    return undefined
  }
}
