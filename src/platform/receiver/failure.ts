// An event that was stored and cannot be applied: the partner is told why, and never in answer to such an answer (D3 §6 rule 6).
import type { FailureCode } from '#contract/exchange/event/event-processing-failed.ts'
import type { Received } from '#kit/inbox.ts'
import type { Kind, Refusal } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import { sendEvent } from '#platform/exchange/send.ts'
import { findCase } from '#platform/exchange/store.ts'
import { lockJourney } from '#platform/journey/store.ts'
import type { World } from '#platform/world.ts'

const codes: Record<Kind, FailureCode> = {
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
  upstream: 'PROCESSING_ERROR',
}

/** Whoever refuses may name the code, as STALE_OFFER. */
export const failureCodeOf = ({ kind, details }: Refusal): FailureCode =>
  (details.code as FailureCode | undefined) ?? codes[kind]

/** Tells the partner, in the transaction that marks the event failed. Before registration both of its ids are null. */
export async function tellFailure(tx: Tx, world: World, event: Received, refusal: Refusal, at: Date): Promise<void> {
  const { tenantId, caseRef, eventId, type } = event
  world.log.warn({ caseRef, eventId, type, why: refusal.message }, 'an event of the partner could not be applied')
  if (type === 'EVENT_PROCESSING_FAILED') return
  const place = await findCase(tx, { tenantId, caseRef })
  if (!place) return
  await lockJourney(tx, tenantId, place.journeyId)
  // Read again under the lock: the ids may have been learned meanwhile.
  const kase = (await findCase(tx, place))!
  const data = {
    source_event_id: eventId,
    code: failureCodeOf(refusal),
    message: refusal.message.slice(0, 1000),
    retryable: refusal.details.retryable === true,
    failed_at: at.toISOString(),
  }
  await sendEvent(tx, world, kase, { type: 'EVENT_PROCESSING_FAILED', data }, at)
}
