// EVENT_PROCESSING_FAILED: a stored event could not be applied. Never sent about a failure event (D3 §6 rule 6).

import { isOneOf } from '@lendloom/foundation/record'
import type { Refusal, RefusalKind } from '@lendloom/foundation/refusal'
import { OneOf, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { Instant, Text } from '#wire/exchange/fields.ts'

export const failureCodes = [
  'VALIDATION_ERROR',
  'IDENTITY_CONFLICT',
  'STALE_OFFER',
  'INVALID_STATE',
  'PROCESSING_ERROR',
] as const
export type FailureCode = (typeof failureCodes)[number]

export const EventProcessingFailed = Type.Object({
  source_event_id: Uuid,
  code: OneOf(failureCodes),
  message: Text(1000),
  /** Whether processing may be retried. Says nothing about delivery. */
  retryable: Type.Boolean(),
  failed_at: Instant,
})
export type EventProcessingFailed = Static<typeof EventProcessingFailed>

const codes: Record<RefusalKind, FailureCode> = {
  malformed: 'VALIDATION_ERROR',
  invalid: 'VALIDATION_ERROR',
  'bad-api-key': 'PROCESSING_ERROR',
  'bad-session': 'PROCESSING_ERROR',
  'bad-credential': 'PROCESSING_ERROR',
  forbidden: 'IDENTITY_CONFLICT',
  absent: 'IDENTITY_CONFLICT',
  'wrong-method': 'PROCESSING_ERROR',
  'wrong-state': 'INVALID_STATE',
  locked: 'INVALID_STATE',
  pending: 'INVALID_STATE',
  'reused-key': 'IDENTITY_CONFLICT',
  'too-large': 'VALIDATION_ERROR',
  'unsupported-media': 'VALIDATION_ERROR',
  'rate-limited': 'PROCESSING_ERROR',
  damaged: 'PROCESSING_ERROR',
  upstream: 'PROCESSING_ERROR',
}

/** Codes that one side uses instead of the defaults. */
export type OwnCodes = Partial<Record<RefusalKind, FailureCode>>

/** The code in the refusal's details (such as STALE_OFFER), else the code of its kind. */
export const failureCodeOf = ({ kind, details }: Refusal, overrides: OwnCodes = {}): FailureCode =>
  isOneOf(failureCodes, details.code) ? details.code : (overrides[kind] ?? codes[kind])

/** The report on an event that could not be applied. */
export const failureOf = (
  sourceEventId: string,
  refusal: Refusal,
  at: Date,
  overrides: OwnCodes = {},
): EventProcessingFailed => ({
  source_event_id: sourceEventId,
  code: failureCodeOf(refusal, overrides),
  message: refusal.message.slice(0, 1000),
  retryable: refusal.details.retryable === true,
  failed_at: at.toISOString(),
})
