// EVENT_PROCESSING_FAILED: a stored event could not be applied. Never sent about a failure event (D3 §6 rule 6).

import { Instant, Text } from '#contract/exchange/fields.ts'
import { OneOf, type Static, Type, Uuid } from '#kit/http/schema.ts'

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
