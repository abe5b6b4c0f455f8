// What a snapshot of the partner means for the journey: registered, confirmed, refused, paid out, repaid (D3 §4.4).
import type { CaseStatus, Status } from '#contract/exchange/status.ts'
import { isFresh } from '#contract/exchange/status.ts'
import type { Tx } from '#kit/sql.ts'
import { stageAfter } from '#platform/exchange/case.ts'
import { chasePartner } from '#platform/exchange/status.ts'
import { changeCase } from '#platform/exchange/store.ts'
import { disbursed, keepInstallments } from '#platform/step/outcome.ts'
import type { World } from '#platform/world.ts'
import { takeAccount } from './account-standing.ts'
import type { Concerned } from './case-job.ts'
import { confirmed } from './confirmed.ts'
import { installmentsFrom } from './installments-from.ts'
import { registered } from './registered.ts'
import { reject } from './stop.ts'

/** Takes over what is new; a snapshot that says nothing new changes nothing. Gives case and journey as they are then. */
export async function takeStatus(
  tx: Tx,
  world: World,
  { kase: before, journey }: Concerned,
  status: Status,
  at: Date,
): Promise<Concerned> {
  let kase = before
  const { celestium_lead_id: leadId, celestium_loan_id: loanId, offer } = status
  if (kase.leadId === null && leadId !== null && loanId !== null && kase.leadEventId !== null)
    kase = await registered(tx, world, kase, { leadId, loanId }, at)
  const isRecorded = offer?.decision === 'ACCEPT' && offer.offer_id === kase.offerId
  if (kase.stage === 'DECIDED' && isRecorded && offer.source_event_id === kase.decisionEventId)
    kase = await confirmed(tx, kase, at)
  const over = endings[status.case_status]
  if (over) return reject(tx, world, { kase, journey }, `the partner says ${status.case_status}`, over, at)
  if (status.case_status === 'DISBURSED' && kase.stage === 'ACCEPTED')
    return paidOut(tx, world, { kase, journey }, status, at)
  if (kase.stage === 'DISBURSED' || kase.stage === 'CLOSED')
    return takeAccount(tx, world, { kase, journey }, status, at)
  return { kase, journey }
}

/** The states in which a case is over without a loan, in words for the borrower. */
const endings: Partial<Record<CaseStatus, string>> = {
  REJECTED: 'The lender has rejected this application.',
  EXPIRED: 'The final offer has expired.',
}

/** Money has moved, so only a snapshot of the last fifteen minutes counts, and only one with the schedule in it. */
async function paidOut(
  tx: Tx,
  world: World,
  { kase, journey }: Concerned,
  status: Status,
  at: Date,
): Promise<Concerned> {
  if (!isFresh(status, at) || !status.amortization_schedule || !journey.active) return { kase, journey }
  await keepInstallments(tx, journey, installmentsFrom(status.amortization_schedule), at)
  const moved = await changeCase(tx, kase, { stage: stageAfter(kase, 'disbursed') }, at)
  await chasePartner(tx, world, moved, at)
  return { kase: moved, journey: await disbursed(tx, world, journey, at) }
}
