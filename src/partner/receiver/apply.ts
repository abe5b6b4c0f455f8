// Applies the platforms' events, case by case and in the order of their versions: each event and its effect exactly once (D3 §6).
import { type EventOf, type EventType, readEnvelope } from '#contract/exchange/envelope.ts'
import { failureOf, type OwnCodes } from '#contract/exchange/failure.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { applying, type Received } from '#kit/messaging/inbox.ts'
import type { Worker } from '#kit/messaging/queue.ts'
import { readCase } from '#partner/case/store.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import { onEventProcessingFailed } from './apply/event-processing-failed.ts'
import { onLeadSubmitted } from './apply/lead-submitted.ts'
import { onOfferDecision } from './apply/offer-decision-recorded.ts'
import { onPaymentClaim } from './apply/payment-claim-submitted.ts'
import { onEsign, onKyc, onMandate } from './apply/provider-updated.ts'

/** What an event does. It locks its case first. */
type Applier<T extends EventType> = (ctx: TxContext, event: EventOf<T>) => Promise<void>

const appliers: { [T in EventType]?: Applier<T> } = {
  LEAD_SUBMITTED: onLeadSubmitted,
  OFFER_DECISION_RECORDED: onOfferDecision,
  KYC_UPDATED: onKyc,
  MANDATE_UPDATED: onMandate,
  ESIGN_UPDATED: onEsign,
  PAYMENT_CLAIM_SUBMITTED: onPaymentClaim,
  EVENT_PROCESSING_FAILED: onEventProcessingFailed,
}

export const applyingEvents = (ctx: Context): Worker =>
  applying({
    ...ctx,
    apply: (tx, event, at) => applyEvent({ ...ctx, tx, at }, event),
    failed: (tx, event, refusal, at) => reportFailure({ ...ctx, tx, at }, { event, refusal }),
  })

export async function applyEvent(ctx: TxContext, received: Received): Promise<void> {
  await applyAs(ctx, readEnvelope(received.body))
}

async function applyAs<T extends EventType>(ctx: TxContext, event: EventOf<T>): Promise<void> {
  const apply = appliers[event.event_type]
  if (!apply) throw new Refusal('forbidden', `${event.event_type} is not sent to the partner`)
  await apply(ctx, event)
}

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
async function reportFailure(ctx: TxContext, { event, refusal }: EventFailure): Promise<void> {
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
