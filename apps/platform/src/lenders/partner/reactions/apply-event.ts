// Applies each event of the partner exactly once, in version order within its case (D3 §6).

import { type InboxEvent, inboxWorker, PrerequisiteError } from '@lendloom/event-log/inbox'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { operatorAlert } from '@lendloom/mail/mail'
import type { Worker } from '@lendloom/queue/queue'
import {
  type Envelope,
  type EventOf,
  type EventType,
  foreignIdentifier,
  readEnvelope,
} from '@lendloom/wire/exchange/envelope'
import { failureOf } from '@lendloom/wire/exchange/event/event-processing-failed'
import type { Context, TxContext } from '#platform/context.ts'
import { sendEvent } from '#platform/lenders/partner/deliver-events.ts'
import { isWithPartner, type PartnerCase } from '#platform/lenders/partner/loan-case.ts'
import { keysOfCase } from '#platform/lenders/partner/partner-look-ups.ts'
import { findCase, isCaseErased } from '#platform/lenders/partner/store.ts'
import { lockErasedAt, lockJourney } from '#platform/lending/journey/store.ts'
import type { EventApplier } from './appliers/event-applier.ts'
import { onEventProcessingFailed } from './appliers/event-processing-failed.ts'
import { onManualReviewDecided, onOfferDecisionConfirmed } from './appliers/final-offer.ts'
import {
  onDisbursementUpdated,
  onKycReviewDecided,
  onLeadRegistered,
  onLoanStatusUpdated,
  onPaymentUpdated,
} from './appliers/loan-progress.ts'
import { type CaseAndJourney, lockCase } from './lock-case.ts'

const appliers: { [T in EventType]?: EventApplier<T> } = {
  LEAD_REGISTERED: onLeadRegistered,
  MANUAL_REVIEW_DECIDED: onManualReviewDecided,
  OFFER_DECISION_CONFIRMED: onOfferDecisionConfirmed,
  KYC_REVIEW_DECIDED: onKycReviewDecided,
  DISBURSEMENT_UPDATED: onDisbursementUpdated,
  PAYMENT_UPDATED: onPaymentUpdated,
  LOAN_STATUS_UPDATED: onLoanStatusUpdated,
  EVENT_PROCESSING_FAILED: onEventProcessingFailed,
}

export const partnerEventWorker = (ctx: Context): Worker =>
  inboxWorker({
    ...ctx,
    alert: operatorAlert('platform', ctx.config, ctx.log),
    async tenantOf(caseRef) {
      const caseKeys = await keysOfCase(ctx, caseRef)
      if (!caseKeys) throw new Refusal('absent', `the case ${caseRef} does not exist`)
      return caseKeys.tenantId
    },
    ownerOf: async (caseRef) => (await keysOfCase(ctx, caseRef))?.journeyId ?? caseRef,
    isErased: ({ tenantId, partitionKey: caseRef }) => isCaseErased(ctx.db, { tenantId, caseRef }),
    apply: (tx, event, at) => applyEvent({ ...ctx, tx, at }, event),
    reportFailure: (tx, event, refusal, at) => reportFailure({ ...ctx, tx, at }, event, refusal),
  })

/** Applies one event while its journey is locked. */
export async function applyEvent(ctx: TxContext, received: InboxEvent): Promise<void> {
  const { tx } = ctx
  const event = readEnvelope(received.body)
  const { tenantId, partitionKey: caseRef } = received
  const caseAndJourney = await lockCase(tx, tenantId, caseRef)
  if (!caseAndJourney) throw new Refusal('absent', 'the case does not exist')
  // Erased cases have no ids of the partner any more. A late event would store personal data again.
  if (caseAndJourney.loanCase.leadId === null && (await lockErasedAt(tx, caseAndJourney.journey)) !== null)
    throw new Refusal('wrong-state', 'the personal data of this case is erased')
  requireOwnIds(event, caseAndJourney.loanCase)
  await apply(ctx, caseAndJourney, event)
}

async function apply<T extends EventType>(
  ctx: TxContext,
  caseAndJourney: CaseAndJourney,
  event: EventOf<T>,
): Promise<void> {
  const applier = appliers[event.event_type]
  if (!applier) throw new Refusal('forbidden', `${event.event_type} is not sent to the platform`)
  await applier(ctx, caseAndJourney, event)
}

/** Throws unless the event has the ids of the case. LEAD_REGISTERED assigns the partner's ids (D3 §2.2). */
function requireOwnIds(event: Envelope, loanCase: PartnerCase): void {
  if (event.entity_type === 'PAYMENT' && loanCase.leadId === null && isWithPartner(loanCase))
    throw new PrerequisiteError('the lead is not registered yet')
  const assignsIds = event.event_type === 'LEAD_REGISTERED' && loanCase.leadId === null
  const { celestium_lead_id: leadId, celestium_loan_id: loanId } = event.correlation
  const hasNoPartnerIds = event.event_type === 'EVENT_PROCESSING_FAILED' && leadId === null && loanId === null
  let ids = loanCase
  if (assignsIds) ids = { ...loanCase, leadId, loanId }
  else if (hasNoPartnerIds) ids = { ...loanCase, leadId: null, loanId: null }
  const foreignField = foreignIdentifier(event, ids)
  if (foreignField)
    throw new Refusal('forbidden', `${foreignField} does not match this case`, {
      field: foreignField,
      code: 'IDENTITY_CONFLICT',
    })
}

/** Notifies the partner of a failed event, and alerts the operators, who may request a corrected event. */
async function reportFailure(ctx: TxContext, event: InboxEvent, refusal: Refusal): Promise<void> {
  const { tx, at } = ctx
  const { tenantId, partitionKey: caseRef, eventId, type } = event
  const alert = operatorAlert('platform', ctx.config, ctx.log)
  alert('an event of the partner could not be applied', { caseRef, eventId, type, why: refusalText(refusal) })
  if (type === 'EVENT_PROCESSING_FAILED') return
  const before = await findCase(tx, { tenantId, caseRef })
  if (!before) return
  await lockJourney(tx, tenantId, before.journeyId)
  // Reads the case again, because its ids may have been saved before the lock was taken.
  const loanCase = required(await findCase(tx, before), 'the case of a locked journey')
  const data = failureOf(eventId, refusal, at)
  await sendEvent(ctx, loanCase, { type: 'EVENT_PROCESSING_FAILED', data })
}

/** Lists the rejected fields, or returns the message of a refusal without fields. */
const refusalText = ({ message, details: { fields = [] } }: Refusal): string =>
  fields.length === 0 ? message : fields.map(({ path, message }) => `${path} ${message}`).join('; ')
