// Applies the platforms' events to their cases in version order, each exactly once (D3 §6).

import { type InboxEvent, inboxWorker } from '@lendloom/event-log/inbox'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import type { Worker } from '@lendloom/queue/queue'
import { randomOctets } from '@lendloom/seal/id'
import {
  type Envelope,
  type EventOf,
  type EventType,
  foreignIdentifier,
  readEnvelope,
} from '@lendloom/wire/exchange/envelope'
import { failureOf, type OwnCodes } from '@lendloom/wire/exchange/event/event-processing-failed'
import type { Context, TxContext } from '#partner/context.ts'
import { enqueueCaseEvent } from '#partner/exchange/enqueue-events.ts'
import { applyKycReport, applyReport } from '#partner/origination/case/apply-report.ts'
import { type Case, hasEndedWithoutLoan, reservedId } from '#partner/origination/case/lifecycle.ts'
import { registerCase } from '#partner/origination/case/register-case.ts'
import { insertFailureNotice, lockCase, readCase } from '#partner/origination/case/store.ts'
import { expectDocuments } from '#partner/origination/document/manifest.ts'
import { reviewBank } from '#partner/origination/review/bank/store.ts'
import { decideOffer } from '#partner/origination/review/decide-offer.ts'
import { isCaseDeleted } from '#partner/records/retention/store.ts'
import { enqueueCancellation } from '#partner/servicing/collection/cancel-mandate.ts'
import { submitClaim } from '#partner/servicing/collection/receipt/payment-claim.ts'
import { endAfterKycRejection } from '#partner/servicing/collection/stop-case.ts'

/** LEAD_SUBMITTED: creates exactly one case, with reserved ids and expected files (D3 §1.1 rule 2, §3). */
async function onLeadSubmitted(ctx: TxContext, event: EventOf<'LEAD_SUBMITTED'>): Promise<void> {
  const { tx } = ctx
  const { data } = event
  const { pan, mobile, date_of_birth: bornOn } = data.borrower
  const expected = data.documents_expected.map(({ document_reference_id, document_type }) => ({
    documentReferenceId: document_reference_id,
    documentType: document_type,
  }))
  const loanCase = await registerCase(ctx, {
    sender: event.sender,
    caseRef: event.correlation.external_reference_id,
    eventId: event.event_id,
    product: data.product,
    dedupeReferenceId: data.dedupe_reference_id,
    applicant: { pan, mobile, bornOn },
    completeLead: data,
    awaitsDocuments: expected.length > 0,
    leadId: reservedId(randomOctets(8)),
    loanId: reservedId(randomOctets(8)),
  })
  await reviewBank(ctx, loanCase.caseRef, data)
  await expectDocuments(tx, loanCase.caseRef, expected)
  const pending = expected.map(({ documentReferenceId }) => documentReferenceId)
  const status = pending.length > 0 ? ('DOCUMENTS_PENDING' as const) : ('UNDER_REVIEW' as const)
  await enqueueCaseEvent(ctx, loanCase, { type: 'LEAD_REGISTERED', data: { status, documents_pending: pending } })
}

/**
 * Locks the event's case. Throws `absent` for an unknown case, `forbidden` for a case of another platform, and
 * `reused-key` if an id differs from the stored one.
 */
async function lockOwnCase(tx: Tx, event: Envelope): Promise<Case> {
  const loanCase = await lockCase(tx, event.correlation.external_reference_id)
  if (loanCase.sender !== event.sender) throw new Refusal('forbidden', 'this case belongs to another platform')
  const differingField = foreignIdentifier(event, loanCase)
  if (differingField)
    throw new Refusal('reused-key', `${differingField} differs from the stored one`, { field: differingField })
  return loanCase
}

/** OFFER_DECISION_RECORDED: records the borrower's decision on the current offer, once (D3 §1.1 rule 4, §3). */
async function onOfferDecision(ctx: TxContext, event: EventOf<'OFFER_DECISION_RECORDED'>): Promise<void> {
  const { tx } = ctx
  const loanCase = await lockOwnCase(tx, event)
  const { offer_id: offerId, decision, decided_at } = event.data
  const offerDecision = { offerId, decision, decidedAt: new Date(decided_at), sourceEventId: event.event_id }
  await decideOffer(ctx, loanCase, offerDecision)
}

/** KYC_UPDATED: applies a provider's report, independently of the other checks (D3 §1.1 rule 5, §6 rule 1). */
async function onKyc(ctx: TxContext, event: EventOf<'KYC_UPDATED'>): Promise<void> {
  const { tx } = ctx
  const loanCase = await lockOwnCase(tx, event)
  const { data } = event
  const report = { ...resultOf(data), facts: { ...factsOf(data), mode: data.mode } }
  const reported = await applyKycReport(ctx, loanCase, { report })
  if (data.status === 'REJECTED') await endAfterKycRejection(ctx, reported, 'rules')
}

/** MANDATE_UPDATED: applies a report. A mandate of an ended application is cancelled at once. */
async function onMandate(ctx: TxContext, event: EventOf<'MANDATE_UPDATED'>): Promise<void> {
  const { tx } = ctx
  const loanCase = await lockOwnCase(tx, event)
  const { data } = event
  const facts = {
    ...factsOf(data),
    umrn: data.umrn,
    maximumAmount: data.maximum_amount,
    frequency: data.frequency,
    validFrom: data.valid_from,
    validUntil: data.valid_until,
  }
  await applyReport(ctx, loanCase, { name: 'mandate', report: { ...resultOf(data), facts } })
  if (hasEndedWithoutLoan(loanCase.status)) await enqueueCancellation(tx, loanCase, ctx.at)
}

/** ESIGN_UPDATED: applies a report on the signature of the agreement. */
async function onEsign(ctx: TxContext, event: EventOf<'ESIGN_UPDATED'>): Promise<void> {
  const { tx } = ctx
  const loanCase = await lockOwnCase(tx, event)
  await applyReport(ctx, loanCase, { name: 'esign', report: { ...resultOf(event.data), facts: factsOf(event.data) } })
}

/** What the data of a provider's report have in common. */
interface ProviderData {
  provider: string
  provider_reference_id: string
  status: string
  verified: boolean
  provider_updated_at: string
  document_ids: string[]
  reason_code: string | null
}

/** Returns the outcome of a check and when the provider changed it. */
const resultOf = ({ status, verified, provider_updated_at }: ProviderData) => ({
  status,
  verified,
  happenedAt: new Date(provider_updated_at),
})

const factsOf = ({ provider, provider_reference_id, document_ids, reason_code }: ProviderData) => ({
  provider,
  providerReferenceId: provider_reference_id,
  documentIds: document_ids,
  reasonCode: reason_code,
})

/** PAYMENT_CLAIM_SUBMITTED: stores a borrower's claim; no balance changes until the bank confirms it (D3 §6 rule 4). */
async function onPaymentClaim(ctx: TxContext, event: EventOf<'PAYMENT_CLAIM_SUBMITTED'>): Promise<void> {
  const { tx } = ctx
  await submitClaim(ctx, await lockOwnCase(tx, event), event.data)
}

/** EVENT_PROCESSING_FAILED: stores the failure of one of our events, and alerts operators (D3 §6 rule 6). */
async function onEventProcessingFailed(ctx: TxContext, event: EventOf<'EVENT_PROCESSING_FAILED'>): Promise<void> {
  const { tx, at } = ctx
  const { source_event_id: sourceEventId, code, message, retryable, failed_at } = event.data
  const { event_id: eventId, correlation, sender } = event
  const { caseRef, ...loanCase } = await lockCase(tx, correlation.external_reference_id)
  if (loanCase.sender !== sender) throw new Refusal('forbidden', 'this case belongs to another platform')
  const failedAt = new Date(failed_at)
  await insertFailureNotice(tx, { caseRef, eventId, sourceEventId, code, message, retryable, failedAt, recordedAt: at })
  ctx.alert('the platform could not apply one of our events', { caseRef, sourceEventId, code, message })
}

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

/** Applies received events, and reports those that cannot be applied. */
export const eventWorker = (ctx: Context): Worker =>
  inboxWorker({
    ...ctx,
    isErased: ({ partitionKey }) => isCaseDeleted(ctx.db, partitionKey),
    apply: (tx, event, at) => applyEvent({ ...ctx, tx, at }, event),
    reportFailure: (tx, event, refusal, at) => reportFailure({ ...ctx, tx, at }, { event, refusal }),
  })

/** Applies one received event to its case. */
export async function applyEvent(ctx: TxContext, received: InboxEvent): Promise<void> {
  await applyTyped(ctx, readEnvelope(received.body))
}

async function applyTyped<T extends EventType>(ctx: TxContext, event: EventOf<T>): Promise<void> {
  const apply = appliers[event.event_type]
  if (!apply) throw new Refusal('forbidden', `${event.event_type} is not sent to the partner`)
  await apply(ctx, event)
}

/** Here `locked` means that the case reference belongs to the case of another lead. */
const failureCodes: OwnCodes = { locked: 'IDENTITY_CONFLICT' }

interface EventFailure {
  event: InboxEvent
  refusal: Refusal
}

/**
 * Reports a failed event to its sender, in the transaction that marks the event as failed. `leadId` and `loanId` are
 * null until the lead is registered. Does not report an event about a case of another platform, because that platform
 * would receive the report.
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
  const data = failureOf(eventId, refusal, at, failureCodes)
  await enqueueCaseEvent(ctx, ids, { type: 'EVENT_PROCESSING_FAILED', data })
}
