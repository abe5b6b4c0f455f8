// The envelope of every headless API response and every error of the hosted APIs (D2 §2.1, §7).

import type { Refusal, RefusalKind } from '@lendloom/foundation/refusal'
import { Closed, Nullable, OneOf, type TSchema, Type } from '@lendloom/foundation/schema'
import { Answer, type Arrival } from '@lendloom/http/route'
import { Instant } from '#wire/basic-schemas.ts'

/** D2 §7. */
export const errorCodes = [
  'AUTH_INVALID_API_KEY',
  'AUTH_INVALID_SESSION',
  'ACCESS_SCOPE_MISMATCH',
  'RESOURCE_NOT_FOUND',
  'VALIDATION_FAILED',
  'STATE_PRECONDITION_FAILED',
  'OFFER_LOCK_CONFLICT',
  'ASYNC_OPERATION_PENDING',
  'UPSTREAM_TEMPORARY_FAILURE',
  'RATE_LIMITED',
] as const
export type ErrorCode = (typeof errorCodes)[number]

export const ApiError = Closed({
  code: OneOf([...errorCodes]),
  message: Type.String(),
  retryable: Type.Boolean(),
  details: Type.Object({}),
})
export const ErrorEnvelope = Closed({
  requestID: Type.String(),
  correlationID: Type.String(),
  timestamp: Type.String(),
  data: Nullable(Type.Object({})),
  error: Nullable(ApiError),
})

/** The envelope of a success whose `data` has this schema. */
export const enveloped = <T extends TSchema>(data: T) =>
  Closed({
    requestID: Type.String(),
    correlationID: Type.String(),
    timestamp: Instant,
    data,
    error: Type.Null(),
  })

type ErrorMapping = [status: number, code: ErrorCode, retryable: boolean]

/** The status and code of each kind of refusal, and whether the same request may succeed later. */
export const codes: Record<RefusalKind, ErrorMapping> = {
  malformed: [400, 'VALIDATION_FAILED', false],
  invalid: [400, 'VALIDATION_FAILED', false],
  'bad-api-key': [401, 'AUTH_INVALID_API_KEY', false],
  'bad-session': [401, 'AUTH_INVALID_SESSION', false],
  'bad-credential': [401, 'AUTH_INVALID_API_KEY', false],
  forbidden: [403, 'ACCESS_SCOPE_MISMATCH', false],
  absent: [404, 'RESOURCE_NOT_FOUND', false],
  'wrong-method': [405, 'RESOURCE_NOT_FOUND', false],
  'wrong-state': [409, 'STATE_PRECONDITION_FAILED', false],
  locked: [409, 'OFFER_LOCK_CONFLICT', false],
  pending: [409, 'ASYNC_OPERATION_PENDING', true],
  'reused-key': [422, 'VALIDATION_FAILED', false],
  'too-large': [413, 'VALIDATION_FAILED', false],
  'unsupported-media': [415, 'VALIDATION_FAILED', false],
  'rate-limited': [429, 'RATE_LIMITED', true],
  damaged: [500, 'UPSTREAM_TEMPORARY_FAILURE', false],
  upstream: [503, 'UPSTREAM_TEMPORARY_FAILURE', true],
}

type Ids = Pick<Arrival, 'requestId' | 'correlationId' | 'at'>

export const success = (data: unknown, { requestId, correlationId, at }: Ids) => ({
  requestID: requestId,
  correlationID: correlationId,
  timestamp: at.toISOString(),
  data,
  error: null,
})

/** Converts a refusal to a response. A bug becomes a retryable 500 that does not reveal its cause. */
export function refused(refusal: Refusal | 'bug', ids: Ids): Answer {
  if (refusal === 'bug')
    return new Answer(
      500,
      failure(ids, {
        code: 'UPSTREAM_TEMPORARY_FAILURE',
        message: 'something went wrong on our side; it is safe to try again',
        retryable: true,
        details: {},
      }),
    )
  const [status, code, retryable] = codes[refusal.kind]
  const { retryAfterSeconds, ...details } = refusal.details
  const headers = {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  }
  return new Answer(status, failure(ids, { code, message: refusal.message, retryable, details }), headers)
}

const failure = (
  { requestId, correlationId, at }: Ids,
  { code, message, retryable, details }: { code: ErrorCode; message: string; retryable: boolean; details: object },
) => ({
  requestID: requestId,
  correlationID: correlationId,
  timestamp: at.toISOString(),
  data: null,
  error: { code, message, retryable, details },
})
