// Applies the partner's events about registration, KYC review, disbursal, payments and loan status (D3 §6).

import { PrerequisiteError } from '@lendloom/event-log/inbox'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { isLater } from '@lendloom/wire/exchange/fields'
import { isWithPartner } from '#platform/lenders/partner/loan-case.ts'
import { recordRegistration } from '#platform/lenders/partner/reactions/apply-status.ts'
import { storeKycReview } from '#platform/lenders/partner/reactions/checks/apply-check-report.ts'
import { applyPaymentReports } from '#platform/lenders/partner/servicing/apply-loan-reports.ts'
import { askStatus, storedStatus } from '#platform/lenders/partner/status-snapshot.ts'
import { newestCheck } from '#platform/lenders/partner/store.ts'
import { reportExit } from '#platform/lending/journey/closed-loan.ts'
import { isExpired } from '#platform/lending/journey/journey.ts'
import { recordSanction } from '#platform/lending/step/lender-decision.ts'
import { markStepFailed } from '#platform/lending/step/move-step.ts'
import type { EventApplier } from './event-applier.ts'

export const onLoanStatusUpdated: EventApplier<'LOAN_STATUS_UPDATED'> = async (
  { tx, at },
  { loanCase, journey },
  { event_id, data },
) => {
  if (loanCase.leadId === null) throw new Refusal('wrong-state', 'there is no loan yet')
  const hasSnapshot = loanCase.snapshotVersion !== null && loanCase.snapshotVersion >= data.snapshot_version
  if (!hasSnapshot) await askStatus(tx, loanCase, event_id, at)
  if (data.reason_code === exitReason) await reportExit(tx, journey, at)
}

/** The partner's reason once the borrower has left in the cooling-off period, also of a loan that was closed before. */
const exitReason = 'COOLING_OFF_EXIT'

/** Applies the state of the disbursal, then requests Status, which alone has the schedule (D3 §1.1 rule 6). */
export const onDisbursementUpdated: EventApplier<'DISBURSEMENT_UPDATED'> = async (
  ctx,
  { loanCase, journey },
  { event_id, data },
) => {
  const { tx, at } = ctx
  if (loanCase.stage === 'DISBURSED' || loanCase.stage === 'CLOSED') {
    if (data.status === 'DISBURSED') return askStatus(tx, loanCase, event_id, at)
    // Ignores an event that is older than the applied snapshot.
    const stored = storedStatus(ctx, loanCase)?.disbursement
    if (stored && !isLater(data.updated_at, stored.updated_at)) return
    // The bank gave the payout back. Status, which alone has the loan's state, ends the case.
    if (data.status === 'FAILED') return askStatus(tx, loanCase, event_id, at)
    throw new Refusal('wrong-state', 'the loan is disbursed already')
  }
  if (loanCase.stage === 'DECIDED') throw new PrerequisiteError('the acceptance is not confirmed yet')
  if (loanCase.stage !== 'ACCEPTED')
    throw new Refusal('wrong-state', `nothing can be disbursed while the case is ${loanCase.stage}`)
  if (!journey.active && !isExpired(journey))
    throw new Refusal('wrong-state', 'the borrower has ended this application')
  // A journey becomes DISBURSED only when Status returns the schedule.
  if (data.status === 'FAILED')
    await markStepFailed(tx, journey, { name: 'disbursal', problem: 'TRANSFER_FAILED', retryable: true, at })
  else await recordSanction(tx, journey, at)
  await askStatus(tx, loanCase, event_id, at)
}

/** Applies a changed debit or receipt, then requests Status, which alone has the balances (D3 §6 rules 4, 5). */
export const onPaymentUpdated: EventApplier<'PAYMENT_UPDATED'> = async (
  { tx, at },
  { loanCase, journey },
  { event_id, data },
) => {
  if (loanCase.stage !== 'DISBURSED' && loanCase.stage !== 'CLOSED') {
    // Payments have their own versions, so an event about the disbursal may arrive after a payment event.
    if (isWithPartner(loanCase)) throw new PrerequisiteError('the disbursal is not known yet')
    throw new Refusal('wrong-state', `there is no loan while the case is ${loanCase.stage}`)
  }
  await applyPaymentReports(tx, journey, [data], at)
  await askStatus(tx, loanCase, event_id, at)
}

/** Stores the lender's KYC review. KYC succeeds only if the provider has also approved (D3 §6 rule 2). */
export const onKycReviewDecided: EventApplier<'KYC_REVIEW_DECIDED'> = async (ctx, caseAndJourney, { data }) => {
  const check = await newestCheck(ctx.tx, caseAndJourney.loanCase, 'kyc')
  if (!check) throw new Refusal('wrong-state', 'KYC has not begun')
  if (check.providerReference !== data.provider_reference_id)
    throw new Refusal('wrong-state', 'the review does not match the newest KYC attempt', {
      field: 'data.provider_reference_id',
    })
  await storeKycReview(ctx, caseAndJourney, check, {
    decision: data.decision,
    at: new Date(data.reviewed_at),
  })
}

/** Stores the partner's ids of the lead, after which files can be uploaded (D3 §3, §4.3). */
export const onLeadRegistered: EventApplier<'LEAD_REGISTERED'> = async (ctx, { loanCase }, { correlation }) => {
  const { celestium_lead_id: leadId, celestium_loan_id: loanId } = correlation
  await recordRegistration(ctx, loanCase, {
    leadId: required(leadId, 'the lead id of a registered lead'),
    loanId: required(loanId, 'the loan id of a registered lead'),
  })
}
