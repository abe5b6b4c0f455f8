// EVENT_PROCESSING_FAILED: what the platform could not apply of ours is kept for people, and never answered (D3 §6 rule 6).
import type { EventOf } from '#contract/exchange/envelope.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { insertFailureNotice, lockCase } from '#partner/case/store.ts'
import type { TxContext } from '#partner/context.ts'

export async function onEventProcessingFailed(
  ctx: TxContext,
  event: EventOf<'EVENT_PROCESSING_FAILED'>,
): Promise<void> {
  const { tx, at } = ctx
  const { source_event_id: sourceEventId, code, message, retryable, failed_at } = event.data
  const { event_id: eventId, correlation, sender } = event
  const { caseRef, ...loanCase } = await lockCase(tx, correlation.external_reference_id)
  if (loanCase.sender !== sender) throw new Refusal('forbidden', 'this case belongs to another platform')
  const failedAt = new Date(failed_at)
  await insertFailureNotice(tx, { caseRef, eventId, sourceEventId, code, message, retryable, failedAt, recordedAt: at })
  ctx.alert('the platform could not apply an event of ours', { caseRef, sourceEventId, code, message })
}
