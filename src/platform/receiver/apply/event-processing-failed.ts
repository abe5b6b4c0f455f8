// EVENT_PROCESSING_FAILED: the partner could not apply an event of ours; it is never answered by another failure (D3 §6 rule 6).
import { type EventOf, type EventType, isEventType } from '#contract/exchange/envelope.ts'
import { alerting } from '#kit/mail.ts'
import { listLetters } from '#kit/outbox.ts'
import type { Tx } from '#kit/sql.ts'
import { correctLead } from '#platform/exchange/open-case.ts'
import type { Applier } from '#platform/receiver/apply.ts'
import type { Concerned } from '#platform/receiver/case-job.ts'
import { reject } from '#platform/receiver/stop.ts'
import { claimFailed } from '#platform/servicing/partner.ts'
import type { World } from '#platform/world.ts'

export const onEventProcessingFailed: Applier<'EVENT_PROCESSING_FAILED'> = async (
  tx,
  world,
  concerned,
  { data },
  at,
) => {
  const { tenantId, caseRef } = concerned.kase
  const { source_event_id: eventId, code, message } = data
  const [source] = await listLetters(tx, { tenantId, caseRef, eventId })
  const tell = alerting('platform', world.config, world.log)
  tell('the partner could not apply an event of ours', {
    caseRef,
    eventId,
    type: source?.type ?? 'unknown',
    code,
    message,
  })
  const mend = source && isEventType(source.type) ? mending[source.type] : undefined
  await mend?.(tx, world, concerned, data, at)
}

type Failed = EventOf<'EVENT_PROCESSING_FAILED'>['data']
type Mend = (tx: Tx, world: World, concerned: Concerned, failed: Failed, at: Date) => Promise<unknown>

/** What an application cannot go on without; everything else is for operators, who can send a corrected event. */
const mending: { [T in EventType]?: Mend } = {
  LEAD_SUBMITTED: mendLead,
  OFFER_DECISION_RECORDED: (tx, world, concerned, { source_event_id }, at) =>
    concerned.kase.decisionEventId === source_event_id && concerned.kase.stage === 'DECIDED'
      ? reject(tx, world, concerned, 'the acceptance could not be applied', 'The final offer no longer stands.', at)
      : Promise.resolve(),
  PAYMENT_CLAIM_SUBMITTED: (tx, _, { journey }, { source_event_id }, at) =>
    claimFailed(tx, journey, source_event_id, at),
}

/** So often a lead is put together for one case: what is wrong with it then, another one would not put right. */
const mostLeads = 3

async function mendLead(tx: Tx, world: World, concerned: Concerned, failed: Failed, at: Date): Promise<void> {
  const { kase, journey } = concerned
  if (kase.leadEventId !== failed.source_event_id || kase.leadId !== null) return
  const { tenantId, caseRef } = kase
  const leads = (await listLetters(tx, { tenantId, caseRef })).filter(({ type }) => type === 'LEAD_SUBMITTED')
  if (failed.retryable && journey.active && leads.length < mostLeads) return correctLead(tx, kase, at)
  const reason = 'The lender cannot take this application.'
  await reject(tx, world, concerned, 'the lead could not be applied', reason, at)
}
