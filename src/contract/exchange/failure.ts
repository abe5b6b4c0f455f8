// The reasons of EVENT_PROCESSING_FAILED, the same on either side (D3 §6).

import type { Refusal, RefusalKind } from '#kit/http/refusal.ts'
import { isOneOf } from '#kit/runtime/record.ts'
import { type EventProcessingFailed, type FailureCode, failureCodes } from './event/event-processing-failed.ts'

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

/** Codes with another meaning on one side. */
export type OwnCodes = Partial<Record<RefusalKind, FailureCode>>

/** A refusal may set the code, such as STALE_OFFER. */
export const failureCodeOf = ({ kind, details }: Refusal, own: OwnCodes = {}): FailureCode =>
  isOneOf(failureCodes, details.code) ? details.code : (own[kind] ?? codes[kind])

/** The report on an event that was refused. */
export const failureOf = (
  sourceEventId: string,
  refusal: Refusal,
  at: Date,
  own: OwnCodes = {},
): EventProcessingFailed => ({
  source_event_id: sourceEventId,
  code: failureCodeOf(refusal, own),
  message: refusal.message.slice(0, 1000),
  retryable: refusal.details.retryable === true,
  failed_at: at.toISOString(),
})
