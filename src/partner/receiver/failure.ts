// An event that was stored and cannot be applied: the platform is told why, and never in answer to such an answer (D3 §6 rule 6).
import type { FailureCode } from '#contract/exchange/event/event-processing-failed.ts'
import type { Received } from '#kit/inbox.ts'
import type { Kind, Refusal } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import { readCase } from '#partner/case/store.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import type { World } from '#partner/world.ts'

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
  locked: 'IDENTITY_CONFLICT',
  pending: 'INVALID_STATE',
  'reused-key': 'IDENTITY_CONFLICT',
  'too-large': 'VALIDATION_ERROR',
  'unsupported-media': 'VALIDATION_ERROR',
  'rate-limited': 'PROCESSING_ERROR',
  upstream: 'PROCESSING_ERROR',
}

/** Whoever refuses may name the code, as STALE_OFFER. */
export const codeOf = ({ kind, details }: Refusal): FailureCode =>
  (details.code as FailureCode | undefined) ?? codes[kind]

/**
 * Tells the sender, in the transaction that marks the event failed. Before registration both partner ids are null. About a
 * case of somebody else nothing is sent: the answer would reach that somebody.
 */
export async function tellFailure(tx: Tx, world: World, event: Received, refusal: Refusal, at: Date): Promise<void> {
  const { caseRef, eventId, type, sender } = event
  const facts = { caseRef, eventId, type, sender, why: refusal.message }
  world.log.warn(facts, 'an event could not be applied')
  if (type === 'EVENT_PROCESSING_FAILED') return
  const kase = await readCase(tx, caseRef)
  if (kase && kase.sender !== sender) return
  const ids = kase ?? { caseRef, leadId: null, loanId: null }
  const data = {
    source_event_id: eventId,
    code: codeOf(refusal),
    message: refusal.message.slice(0, 1000),
    retryable: refusal.details.retryable === true,
    failed_at: at.toISOString(),
  }
  await sendEvent(tx, world, ids, { type: 'EVENT_PROCESSING_FAILED', data }, at)
}
