// EVENT_PROCESSING_FAILED: the partner could not apply one of our events; we never answer it with another failure (D3
// §6 rule 6).
import { type EventOf, type EventType, isEventType } from '#contract/exchange/envelope.ts'
import { listOutbox } from '#kit/messaging/outbox.ts'
import { alerting } from '#kit/runtime/mail.ts'
import type { Applier } from '#platform/application/partner/applier.ts'
import type { CaseAndJourney } from '#platform/application/partner/case-job.ts'
import { reject } from '#platform/application/partner/take-status.ts'
import type { TxContext } from '#platform/context.ts'
import { correctLead } from '#platform/exchange/channel.ts'
import { claimFailed } from '#platform/servicing/partner.ts'

export const onEventProcessingFailed: Applier<'EVENT_PROCESSING_FAILED'> = async (ctx, concerned, { data }) => {
  const { tx } = ctx
  const { tenantId, caseRef } = concerned.application
  const { source_event_id: eventId, code, message } = data
  const [source] = await listOutbox(tx, { tenantId, partitionKey: caseRef, eventId })
  const tell = alerting('platform', ctx.config, ctx.log)
  tell('the partner could not apply an event of ours', {
    caseRef,
    eventId,
    type: source?.type ?? 'unknown',
    code,
    message,
  })
  const mend = source && isEventType(source.type) ? mending[source.type] : undefined
  await mend?.(ctx, concerned, data)
}

type FailureData = EventOf<'EVENT_PROCESSING_FAILED'>['data']
type Mend = (ctx: TxContext, concerned: CaseAndJourney, failed: FailureData) => Promise<unknown>

/** Events that an application cannot continue without; operators can correct and resend the others. */
const mending: { [T in EventType]?: Mend } = {
  LEAD_SUBMITTED: mendLead,
  OFFER_DECISION_RECORDED: (ctx, concerned, { source_event_id }) =>
    concerned.application.decisionEventId === source_event_id && concerned.application.stage === 'DECIDED'
      ? reject(ctx, concerned, 'the acceptance could not be applied', 'FINAL_OFFER_GONE')
      : Promise.resolve(),
  PAYMENT_CLAIM_SUBMITTED: ({ tx, at }, { journey }, { source_event_id }) =>
    claimFailed(tx, journey, source_event_id, at),
}

/** How many leads are built for one case: a further one would have the same fault. */
const mostLeads = 3

async function mendLead(ctx: TxContext, concerned: CaseAndJourney, failed: FailureData): Promise<void> {
  const { tx, at } = ctx
  const { application, journey } = concerned
  if (application.leadEventId !== failed.source_event_id || application.leadId !== null) return
  const { tenantId, caseRef } = application
  const leads = (await listOutbox(tx, { tenantId, partitionKey: caseRef })).filter(
    ({ type }) => type === 'LEAD_SUBMITTED',
  )
  if (failed.retryable && journey.active && leads.length < mostLeads) return correctLead(tx, application, at)
  await reject(ctx, concerned, 'the lead could not be applied', 'APPLICATION_NOT_TAKEN')
}
