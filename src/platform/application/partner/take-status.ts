// What a snapshot of the partner means for the journey: registered, confirmed, refused, paid out, repaid (D3 §4.4).

import { isFresh, type Status } from '#contract/exchange/snapshot.ts'
import type { EndReason } from '#contract/reason/reason.ts'
import type { TxContext } from '#platform/context.ts'
import { stageAfter } from '#platform/exchange/case.ts'
import { followUpPartner } from '#platform/exchange/status.ts'
import { changeCase } from '#platform/exchange/store.ts'
import { lockActive, updateJourney } from '#platform/journey/store.ts'
import { closeServicing, receivePartnerPayments } from '#platform/servicing/partner.ts'
import { refreshAnswered } from '#platform/servicing/refresh.ts'
import { disbursed, keepInstallments } from '#platform/step/outcome.ts'
import type { Concerned } from './case-job.ts'
import { confirmed } from './confirmed.ts'
import { installmentsFrom } from './installments-from.ts'
import { registered } from './registered.ts'
import { reject } from './stop.ts'

/** Takes over what is new; a snapshot that says nothing new changes nothing. Gives case and journey as they are then. */
export async function takeStatus(
  ctx: TxContext,
  { application: before, journey }: Concerned,
  status: Status,
): Promise<Concerned> {
  const { tx, at } = ctx
  let application = before
  const { celestium_lead_id: leadId, celestium_loan_id: loanId, offer } = status
  if (application.leadId === null && leadId !== null && loanId !== null && application.leadEventId !== null)
    application = await registered(ctx, application, { leadId, loanId })
  const isRecorded = offer?.decision === 'ACCEPT' && offer.offer_id === application.offerId
  if (application.stage === 'DECIDED' && isRecorded && offer.source_event_id === application.decisionEventId)
    application = await confirmed(tx, application, at)
  const over = endingOf(status)
  if (over) return reject(ctx, { application, journey }, `the partner says ${status.case_status}`, over)
  if (status.case_status === 'DISBURSED' && application.stage === 'ACCEPTED')
    return paidOut(ctx, { application, journey }, status)
  if (application.stage === 'DISBURSED' || application.stage === 'CLOSED')
    return takeAccount(ctx, { application, journey }, status)
  return { application, journey }
}

/** What the borrower is told of a case that is over without a loan; null while it is not. A loan that is CANCELLED was agreed on. */
function endingOf({ case_status, loan_status, checks }: Status): EndReason | null {
  const wasAgreed = loan_status === 'CANCELLED'
  if (case_status === 'REJECTED') return wasAgreed ? 'APPLICATION_CANCELLED' : 'APPLICATION_REJECTED'
  if (case_status !== 'EXPIRED') return null
  if (!wasAgreed) return 'FINAL_OFFER_EXPIRED'
  return isFinished(checks) ? 'PAYOUT_NOT_MADE' : 'STEPS_NOT_FINISHED'
}

/** Nothing was left for the borrower to do. A mandate is cancelled by the lender once the application has ended. */
const isFinished = ({ kyc, mandate, esign }: Status['checks']): boolean =>
  kyc === 'APPROVED' && esign === 'COMPLETED' && ['ACTIVE', 'NOT_STARTED', 'CANCELLED'].includes(mandate)

/** Money has moved, so only a snapshot of the last fifteen minutes counts, and only one with the schedule in it. */
async function paidOut(ctx: TxContext, { application, journey }: Concerned, status: Status): Promise<Concerned> {
  const { tx, at } = ctx
  if (!isFresh(status, at) || !status.amortization_schedule || !journey.active) return { application, journey }
  await keepInstallments(tx, journey, installmentsFrom(status.amortization_schedule), at)
  const moved = await changeCase(tx, application, { stage: stageAfter(application, 'disbursed') }, at)
  await followUpPartner(ctx, moved)
  return { application: moved, journey: await disbursed(ctx, journey) }
}

/** How the loan stands after disbursal, by the partner's newest snapshot alone: nothing is computed from events (D3 §6 rule 5). */
async function takeAccount(
  { tx, at }: TxContext,
  { application, journey }: Concerned,
  status: Status,
): Promise<Concerned> {
  if (!isFresh(status, at) || !status.amortization_schedule) return { application, journey }
  await keepInstallments(tx, journey, installmentsFrom(status.amortization_schedule), at)
  await receivePartnerPayments(tx, journey, status.payments, at)
  await refreshAnswered(tx, journey, at)
  const isClosed = status.loan_status === 'CLOSED'
  if (isClosed && application.stage === 'DISBURSED') {
    await closeServicing(tx, journey, at)
    await updateJourney(tx, journey, { active: false, closedAt: at }, at)
    return { application: await changeCase(tx, application, { stage: stageAfter(application, 'closed') }, at), journey }
  }
  if (!isClosed && application.stage === 'CLOSED') {
    const { tenantId, applicationId, borrowerId, type } = journey
    // Where the borrower has begun another journey by now, this one stays over, and only the loan is shown as it stands.
    if (!(await lockActive(tx, { tenantId, applicationId, borrowerId, type })))
      await updateJourney(tx, journey, { active: true, closedAt: null }, at)
    return {
      application: await changeCase(tx, application, { stage: stageAfter(application, 'reopened') }, at),
      journey,
    }
  }
  return { application, journey }
}
