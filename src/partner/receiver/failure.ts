// An event that was stored and cannot be applied: the platform is told why, and never in answer to such an answer (D3 §6 rule 6).
import { failureOf, type OwnCodes } from '#contract/exchange/failure.ts'
import type { Refusal } from '#kit/http/refusal.ts'
import type { Received } from '#kit/messaging/inbox.ts'
import { readCase } from '#partner/case/store.ts'
import type { TxContext } from '#partner/context.ts'
import { sendEvent } from '#partner/exchange/send.ts'

/** What is locked here is a case that belongs to another lead. */
const own: OwnCodes = { locked: 'IDENTITY_CONFLICT' }

interface EventFailure {
  event: Received
  refusal: Refusal
}

/**
 * Tells the sender, in the transaction that marks the event failed. Before registration both partner ids are null. About a
 * case of somebody else nothing is sent: the answer would reach that somebody.
 */
export async function reportFailure(ctx: TxContext, { event, refusal }: EventFailure): Promise<void> {
  const { tx, at } = ctx
  const { partitionKey: caseRef, eventId, type, sender } = event
  const facts = { caseRef, eventId, type, sender, why: refusal.message }
  ctx.log.warn(facts, 'an event could not be applied')
  if (type === 'EVENT_PROCESSING_FAILED') return
  const loanCase = await readCase(tx, caseRef)
  if (loanCase && loanCase.sender !== sender) return
  const ids = loanCase ?? { caseRef, leadId: null, loanId: null }
  const data = failureOf(eventId, refusal, at, own)
  await sendEvent(ctx, ids, { type: 'EVENT_PROCESSING_FAILED', data })
}
