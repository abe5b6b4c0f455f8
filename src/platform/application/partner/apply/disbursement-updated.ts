// DISBURSEMENT_UPDATED: the transfer is on its way, has failed, or is proven; then Status shows the schedule (D3 §1.1 rule 6).
import { isLater } from '#contract/exchange/fields.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { NotYet } from '#kit/messaging/inbox.ts'
import type { Applier } from '#platform/application/partner/applier.ts'
import { askStatus, keptStatus } from '#platform/exchange/status.ts'
import { stepFailed } from '#platform/step/move.ts'
import { sanctioned } from '#platform/step/outcome.ts'

export const onDisbursementUpdated: Applier<'DISBURSEMENT_UPDATED'> = async (
  ctx,
  { application, journey },
  { event_id, data },
) => {
  const { tx, at } = ctx
  if (application.stage === 'DISBURSED' || application.stage === 'CLOSED') {
    if (data.status === 'DISBURSED') return askStatus(tx, application, event_id, at)
    // Status may have been quicker: then this is how things stood before its snapshot.
    const known = keptStatus(ctx, application)?.disbursement
    if (known && !isLater(data.updated_at, known.updated_at)) return
    throw new Refusal('wrong-state', 'the loan is disbursed already')
  }
  if (application.stage === 'DECIDED') throw new NotYet('the acceptance is not confirmed yet')
  if (application.stage !== 'ACCEPTED')
    throw new Refusal('wrong-state', `nothing can be disbursed while the case is ${application.stage}`)
  if (!journey.active) throw new Refusal('wrong-state', 'the borrower has ended this application')
  // The decision is made either way; that the money has arrived is shown together with its schedule.
  if (data.status === 'FAILED')
    await stepFailed(tx, journey, { name: 'disbursal', problem: 'TRANSFER_FAILED', retryable: true, at })
  else await sanctioned(tx, journey, at)
  await askStatus(tx, application, event_id, at)
}
