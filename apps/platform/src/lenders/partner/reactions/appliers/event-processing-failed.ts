// Applies EVENT_PROCESSING_FAILED, with which the partner reports that it could not apply one of our events. The
// platform never answers with the same event (D3 §6 rule 6).

import { listOutbox } from '@lendloom/event-log/outbox'
import { operatorAlert } from '@lendloom/mail/mail'
import { type EventOf, type EventType, isEventType } from '@lendloom/wire/exchange/envelope'
import type { TxContext } from '#platform/context.ts'
import { correctLead } from '#platform/lenders/partner/lead-job.ts'
import { endRejectedCase } from '#platform/lenders/partner/reactions/end-application.ts'
import type { CaseAndJourney } from '#platform/lenders/partner/reactions/lock-case.ts'
import { failClaim } from '#platform/lenders/partner/servicing/apply-loan-reports.ts'
import type { EventApplier } from './event-applier.ts'

export const onEventProcessingFailed: EventApplier<'EVENT_PROCESSING_FAILED'> = async (
  ctx,
  caseAndJourney,
  { data },
) => {
  const { tx } = ctx
  const { tenantId, caseRef } = caseAndJourney.loanCase
  const { source_event_id: eventId, code, message } = data
  const [source] = await listOutbox(tx, { tenantId, partitionKey: caseRef, eventId })
  const alert = operatorAlert('platform', ctx.config, ctx.log)
  alert('the partner could not apply one of our events', {
    caseRef,
    eventId,
    type: source?.type ?? 'unknown',
    code,
    message,
  })
  const repair = source && isEventType(source.type) ? repairs[source.type] : undefined
  await repair?.(ctx, caseAndJourney, data)
}

type FailureData = EventOf<'EVENT_PROCESSING_FAILED'>['data']
type Repair = (ctx: TxContext, caseAndJourney: CaseAndJourney, failure: FailureData) => Promise<unknown>

/** Repairs after failed events that block an application or claim. Operators correct all other failed events. */
const repairs: { [T in EventType]?: Repair } = {
  LEAD_SUBMITTED: repairLead,
  OFFER_DECISION_RECORDED: (ctx, caseAndJourney, { source_event_id }) =>
    caseAndJourney.loanCase.decisionEventId === source_event_id && caseAndJourney.loanCase.stage === 'DECIDED'
      ? endRejectedCase(ctx, caseAndJourney, 'the acceptance could not be applied', 'FINAL_OFFER_GONE')
      : Promise.resolve(),
  PAYMENT_CLAIM_SUBMITTED: ({ tx, at }, { journey }, { source_event_id }) =>
    failClaim(tx, journey, source_event_id, at),
}

/** Maximum leads per case. A further lead would probably have the same fault. */
const maxLeads = 3

async function repairLead(ctx: TxContext, caseAndJourney: CaseAndJourney, failure: FailureData): Promise<void> {
  const { tx, at } = ctx
  const { loanCase, journey } = caseAndJourney
  if (loanCase.leadEventId !== failure.source_event_id || loanCase.leadId !== null) return
  const { tenantId, caseRef } = loanCase
  const leads = (await listOutbox(tx, { tenantId, partitionKey: caseRef })).filter(
    ({ type }) => type === 'LEAD_SUBMITTED',
  )
  if (failure.retryable && journey.active && leads.length < maxLeads) return correctLead(tx, loanCase, at)
  await endRejectedCase(ctx, caseAndJourney, 'the lead could not be applied', 'APPLICATION_NOT_TAKEN')
}
