// The account of a paid-out loan, for the console and for integrators: what is owed, when, and whether it is repaid or cancelled.

import { businessDate } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import type { EndReason } from '@lendloom/lending/reason/reason'
import type { Run } from '@lendloom/postgres/sql'
import type { ConsoleLoan } from '@lendloom/wire/console/journeys'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import type { EmbedDues } from '@lendloom/wire/hosted/embed-servicing'
import { duesViews, installmentViews } from '#platform/api/page/servicing-view.ts'
import { findLoanComplaints } from '#platform/complaints/complaint/loan-complaint-store.ts'
import { readConversation } from '#platform/lenders/network/store.ts'
import { lateInstalmentsIn } from '#platform/lenders/partner/servicing/missed-instalments.ts'
import { postedIn } from '#platform/lenders/partner/transfers.ts'
import { isCancelledLoan } from '#platform/lending/offer/cooling-off-exit.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { unpaidSum } from '#platform/lending/servicing/repayment-schedule.ts'
import { type JourneyStep, stepNamed } from '#platform/lending/step/step.ts'

interface LoanJourney {
  tenantId: string
  journeyId: string
  closedAt: Date | null
  endReason: EndReason | null
}

/** Whether the bank gave the payout back, which cancels the loan. */
export const isPayoutReturned = ({ endReason }: Pick<LoanJourney, 'endReason'>): boolean =>
  endReason === 'PAYOUT_RETURNED'

/** The number that a lender of the network gave the loan; null for a lending partner, which has no conversation. */
async function orderOf(
  db: Run,
  { tenantId, journeyId }: LoanJourney,
  { conversationId }: Offer,
): Promise<string | null> {
  return (await readConversation(db, tenantId, journeyId, conversationId))?.orderId ?? null
}

interface StoredAccount {
  journey: LoanJourney
  offer: Offer
  steps: JourneyStep[]
  /** The partner's last report; null of a lender of the network. */
  snapshot: SnapshotStatus | null
  at: Date
}

/** Reads the state of a loan at an instant, by the partner's snapshot if there is one. */
export async function loanAccountOf(
  db: Run,
  { journey, offer, steps, snapshot, at }: StoredAccount,
): Promise<ConsoleLoan> {
  const { isExitGranted, exitRequestedAt } = await findLoanComplaints(db, journey)
  const { closedAt } = journey
  const end = closedAt && { closedAt, requestedAt: exitRequestedAt, paid: postedIn(snapshot) }
  const isExited =
    end !== null && (isExitGranted || isCancelledLoan(offer, stepNamed(steps, 'disbursal').updatedAt, end))
  const isCancelled = isExited || isPayoutReturned(journey)
  const dues = duesViews(snapshot, offer.installments)
  const amountOf = (part: EmbedDues['part']) => dues.find((each) => each.part === part)?.amount ?? null
  const unpaid = installmentViews(offer.installments, snapshot, at).filter(
    ({ status }) => status !== 'PAID' && status !== 'CLOSED',
  )
  const late = unpaid.filter(({ status }) => status === 'OVERDUE')
  const lateSum = unpaidSum(lateInstalmentsIn(offer.installments, snapshot, at))
  const overdue = amountOf('overdue') ?? (lateSum > 0n ? rupees(lateSum) : null)
  const today = businessDate(at)
  const next = unpaid.find(({ status, dueOn }) => status !== 'OVERDUE' && dueOn >= today)
  const closedState = isCancelled ? 'CANCELLED' : 'REPAID'
  const openState = overdue ? 'OVERDUE' : 'RUNNING'
  return {
    state: closedAt ? closedState : openState,
    number: snapshot?.celestium_loan_id ?? (await orderOf(db, journey, offer)),
    outstanding: closedAt ? null : amountOf('outstanding'),
    unpaidInstalments: closedAt ? null : amountOf('planned'),
    overdue: closedAt ? null : overdue,
    overdueInstalments: closedAt ? 0 : late.length,
    overdueSince: closedAt ? null : (late.find(({ dueOn }) => dueOn <= today)?.dueOn ?? null),
    nextDue: closedAt || !next ? null : { dueOn: next.dueOn, amount: next.amount },
    closedAt: closedAt?.toISOString() ?? null,
  }
}
