// EVENT_PROCESSING_FAILED: the partner could not apply an event of ours; it is never answered by another failure (D3 §6 rule 6).
import { type EventType, isEventType } from '#contract/exchange/envelope.ts'
import { alerting } from '#kit/mail.ts'
import { listLetters } from '#kit/outbox.ts'
import type { Tx } from '#kit/sql.ts'
import { endCase } from '#platform/exchange/open-case.ts'
import type { Applier } from '#platform/receiver/apply.ts'
import type { Concerned } from '#platform/receiver/case-job.ts'
import { claimFailed } from '#platform/servicing/partner.ts'
import { lenderRejected } from '#platform/step/outcome.ts'
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
  await mend?.(tx, world, concerned, eventId, at)
}

type Mend = (tx: Tx, world: World, concerned: Concerned, eventId: string, at: Date) => Promise<unknown>

/** What an application cannot go on without; everything else is for operators, who can send a corrected event. */
const mending: { [T in EventType]?: Mend } = {
  LEAD_SUBMITTED: (tx, world, { kase, journey }, eventId, at) =>
    kase.leadEventId === eventId && kase.leadId === null
      ? over(
          tx,
          world,
          { kase, journey },
          'the lead could not be applied',
          'The lender cannot take this application.',
          at,
        )
      : Promise.resolve(),
  OFFER_DECISION_RECORDED: (tx, world, { kase, journey }, eventId, at) =>
    kase.decisionEventId === eventId && kase.stage === 'DECIDED'
      ? over(
          tx,
          world,
          { kase, journey },
          'the acceptance could not be applied',
          'The final offer no longer stands.',
          at,
        )
      : Promise.resolve(),
  PAYMENT_CLAIM_SUBMITTED: (tx, _, { journey }, eventId, at) => claimFailed(tx, journey, eventId, at),
}

async function over(
  tx: Tx,
  world: World,
  { kase, journey }: Concerned,
  because: string,
  reason: string,
  at: Date,
): Promise<void> {
  await endCase(tx, kase, because, at)
  if (journey.active) await lenderRejected(tx, world, journey, reason, at)
}
