// Applies a partner's status snapshot to the case and the journey (D3 §4.4).

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { paiseFrom } from '@lendloom/lending/money'
import type { EndReason } from '@lendloom/lending/reason/reason'
import type { Tx } from '@lendloom/postgres/sql'
import type { AmortizationSchedule, InstallmentStatus } from '@lendloom/wire/exchange/account'
import { isFresh, type SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import type { TxContext } from '#platform/context.ts'
import { canTransition, type PartnerCase, stageAfter } from '#platform/lenders/partner/loan-case.ts'
import {
  answerRequests,
  applyPaymentReports,
  closeServicing,
} from '#platform/lenders/partner/servicing/apply-loan-reports.ts'
import { followUpPartner } from '#platform/lenders/partner/status-snapshot.ts'
import { changeCase } from '#platform/lenders/partner/store.ts'
import { recordClosedLoan } from '#platform/lending/journey/closed-loan.ts'
import type { Installment } from '#platform/lending/journey/installment.ts'
import { isExpired } from '#platform/lending/journey/journey.ts'
import { lockActiveBorrowerJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { recordDisbursal, storeInstallments } from '#platform/lending/step/lender-decision.ts'
import { endRejectedCase } from './end-application.ts'
import type { CaseAndJourney } from './lock-case.ts'
import { scheduleUploads } from './upload-files.ts'

/** Applies a snapshot idempotently and returns the updated case and journey. */
export async function applyStatus(
  ctx: TxContext,
  { loanCase: before, journey }: CaseAndJourney,
  status: SnapshotStatus,
): Promise<CaseAndJourney> {
  const { tx, at } = ctx
  let loanCase = before
  const { celestium_lead_id: leadId, celestium_loan_id: loanId, offer } = status
  if (loanCase.leadId === null && leadId !== null && loanId !== null && loanCase.leadEventId !== null)
    loanCase = await recordRegistration(ctx, loanCase, { leadId, loanId })
  const isAcceptanceRecorded = offer?.decision === 'ACCEPT' && offer.offer_id === loanCase.offerId
  if (loanCase.stage === 'DECIDED' && isAcceptanceRecorded && offer.source_event_id === loanCase.decisionEventId)
    loanCase = await recordConfirmation(tx, loanCase, at)
  if (isPayoutReturned(status) && canTransition(loanCase, 'payoutReturned'))
    return recordReturnedPayout(ctx, { loanCase, journey }, status)
  const endReason = endReasonOf(status)
  if (endReason)
    return endRejectedCase(ctx, { loanCase, journey }, `the partner reports ${status.case_status}`, endReason)
  if (status.case_status === 'DISBURSED' && loanCase.stage === 'ACCEPTED')
    return applyDisbursal(ctx, { loanCase, journey }, status)
  if (loanCase.stage === 'DISBURSED' || loanCase.stage === 'CLOSED')
    return updateLoan(ctx, { loanCase, journey }, status)
  return { loanCase, journey }
}

/**
 * Returns the reason that the borrower sees when the case ended without a loan, otherwise null. The loan status
 * CANCELLED means that the borrower had accepted the final offer.
 */
function endReasonOf({ case_status, loan_status, checks }: SnapshotStatus): EndReason | null {
  const wasAccepted = loan_status === 'CANCELLED'
  if (case_status === 'REJECTED') return wasAccepted ? 'APPLICATION_CANCELLED' : 'APPLICATION_REJECTED'
  if (case_status !== 'EXPIRED') return null
  if (!wasAccepted) return 'FINAL_OFFER_EXPIRED'
  return hasFinishedSteps(checks) ? 'PAYOUT_NOT_MADE' : 'STEPS_NOT_FINISHED'
}

/** Whether the borrower had completed all steps. The lender may have cancelled the mandate after the case ended. */
const hasFinishedSteps = ({ kyc, mandate, esign }: SnapshotStatus['checks']): boolean =>
  kyc === 'APPROVED' && esign === 'COMPLETED' && ['ACTIVE', 'NOT_STARTED', 'CANCELLED'].includes(mandate)

/** Records the disbursal if the snapshot is at most fifteen minutes old and contains the schedule. */
async function applyDisbursal(
  ctx: TxContext,
  { loanCase, journey }: CaseAndJourney,
  status: SnapshotStatus,
): Promise<CaseAndJourney> {
  const { tx, at } = ctx
  if (!isFresh(status, at) || !status.amortization_schedule) return { loanCase, journey }
  if (!journey.active && !isExpired(journey)) {
    ctx.log.error(
      { caseRef: loanCase.caseRef, status: journey.status },
      'a partner paid out a loan whose journey has ended',
    )
    return { loanCase, journey }
  }
  await storeInstallments(tx, journey, installmentsFrom(status.amortization_schedule), at)
  const disbursedCase = await changeCase(tx, loanCase, { stage: stageAfter(loanCase, 'disbursed') }, at)
  await followUpPartner(ctx, disbursedCase)
  return { loanCase: disbursedCase, journey: await recordDisbursal(ctx, journey) }
}

async function closeLoan(tx: Tx, journey: CaseAndJourney['journey'], at: Date): Promise<void> {
  await closeServicing(tx, journey, at)
  await recordClosedLoan(tx, journey, at)
}

/** Whether the bank gave the payout back after it had confirmed it, so that the lender cancelled the loan. */
const isPayoutReturned = ({ loan_status, disbursement }: SnapshotStatus): boolean =>
  loan_status === 'CANCELLED' && disbursement?.status === 'FAILED'

/**
 * Ends the case of a loan whose payout came back. The journey stays DISBURSED, because D1 has nothing after it, but it
 * is closed with a reason: the borrower owes nothing, and may apply again.
 */
async function recordReturnedPayout(
  { tx, at }: TxContext,
  { loanCase, journey }: CaseAndJourney,
  status: SnapshotStatus,
): Promise<CaseAndJourney> {
  if (status.amortization_schedule)
    await storeInstallments(tx, journey, installmentsFrom(status.amortization_schedule), at)
  await applyPaymentReports(tx, journey, status.payments, at)
  await closeLoan(tx, journey, at)
  await updateJourney(tx, journey, { endReason: 'PAYOUT_RETURNED' }, at)
  const change = { stage: stageAfter(loanCase, 'payoutReturned'), endedBecause: 'the bank returned the payout' }
  return { loanCase: await changeCase(tx, loanCase, change, at), journey }
}

/** Updates the loan after disbursal from the partner's snapshot, never from events (D3 §6 rule 5). */
async function updateLoan(
  { tx, at }: TxContext,
  { loanCase, journey }: CaseAndJourney,
  status: SnapshotStatus,
): Promise<CaseAndJourney> {
  if (!isFresh(status, at) || !status.amortization_schedule) return { loanCase, journey }
  await Promise.all([
    storeInstallments(tx, journey, installmentsFrom(status.amortization_schedule), at),
    applyPaymentReports(tx, journey, status.payments, at).then(() => answerRequests(tx, journey, status, at)),
  ])
  const isClosed = status.loan_status === 'CLOSED'
  if (isClosed && loanCase.stage === 'DISBURSED') {
    await closeLoan(tx, journey, at)
    return { loanCase: await changeCase(tx, loanCase, { stage: stageAfter(loanCase, 'closed') }, at), journey }
  }
  if (!isClosed && loanCase.stage === 'CLOSED') {
    const { tenantId, applicationId, borrowerId, type } = journey
    // The loan is owed again in any case. If the borrower has another active journey, that one stays the only active one.
    const other = await lockActiveBorrowerJourney(tx, { tenantId, applicationId, borrowerId, type })
    await updateJourney(tx, journey, { active: !other, closedAt: null }, at)
    return {
      loanCase: await changeCase(tx, loanCase, { stage: stageAfter(loanCase, 'reopened') }, at),
      journey,
    }
  }
  return { loanCase, journey }
}

/** Records that the partner has confirmed the acceptance, so that KYC may begin (D3 §1.1 rule 4, §6 rule 3). */
export const recordConfirmation = (tx: Tx, loanCase: PartnerCase, at: Date): Promise<PartnerCase> =>
  changeCase(tx, loanCase, { stage: stageAfter(loanCase, 'confirmed'), confirmedAt: at }, at)

/** Saves the partner's ids. Throws `forbidden` if the case has other ids, `wrong-state` if no lead was submitted. */
export async function recordRegistration(
  ctx: TxContext,
  loanCase: PartnerCase,
  ids: { leadId: string; loanId: string },
): Promise<PartnerCase> {
  const { tx, at } = ctx
  if (loanCase.leadId !== null) {
    if (loanCase.leadId === ids.leadId && loanCase.loanId === ids.loanId) return loanCase
    throw new Refusal('forbidden', 'the case is registered with different ids', { code: 'IDENTITY_CONFLICT' })
  }
  if (loanCase.leadEventId === null) throw new Refusal('wrong-state', 'no lead was submitted for this case')
  // Stores the ids even if the borrower has ended the application, because later messages need them.
  const stage = canTransition(loanCase, 'registered') ? stageAfter(loanCase, 'registered') : loanCase.stage
  const updated = await changeCase(tx, loanCase, { ...ids, stage }, at)
  await scheduleUploads(tx, updated, at)
  if (stage !== loanCase.stage) await followUpPartner(ctx, updated)
  return updated
}

const statuses: Record<InstallmentStatus, Installment['status']> = {
  DUE: 'NOT-PAID',
  PART_PAID: 'NOT-PAID',
  PAID: 'PAID',
  OVERDUE: 'DELAYED',
}

/** Each instalment covers the week before its due date, and is due when the due date begins in India. */
const installmentsFrom = ({ installments }: AmortizationSchedule): Installment[] =>
  installments.map(({ installment_number, amount, status, due_date }) => ({
    serialNumber: installment_number,
    amount: required(paiseFrom(amount), 'the amount of an instalment').toString(),
    status: statuses[status],
    startsAt: startOf(plusDays(due_date, -7)).toISOString(),
    dueAt: startOf(due_date).toISOString(),
  }))
