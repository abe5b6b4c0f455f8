// What the page shows of a loan: its numbers, dues, payments and documents, and what the borrower may do.

import { businessDate, startOf } from '@lendloom/lending/calendar'
import { paiseFrom, rupees } from '@lendloom/lending/money'
import type { Words } from '@lendloom/lending/reason/reason'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { type embedLoanParts, loanPapers } from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView, Screen } from '@lendloom/wire/hosted/embed-view'
import type { LoanReference } from '#platform/complaints/complaint/lender-store.ts'
import type { LoanComplaints } from '#platform/complaints/complaint/loan-complaint-store.ts'
import type { Context } from '#platform/context.ts'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { takesPayments } from '#platform/lenders/network/conversation.ts'
import { agreementUrl } from '#platform/lenders/partner/agreement-link.ts'
import type { Partner } from '#platform/lenders/partner/directory/lending-partner.ts'
import { paperUrl } from '#platform/lenders/partner/paper-link.ts'
import { repaymentAccountIn } from '#platform/lenders/partner/partner-look-ups.ts'
import { claimUrl } from '#platform/lenders/partner/servicing/claim-link.ts'
import { missedInstalmentsIn } from '#platform/lenders/partner/servicing/missed-instalments.ts'
import type { SignedAgreement } from '#platform/lenders/partner/store.ts'
import { failedDebitOf, isUnderWay, paidSum, postedIn, transfersForExit } from '#platform/lenders/partner/transfers.ts'
import type { Installment } from '#platform/lending/journey/installment.ts'
import { hasLoan, type Journey } from '#platform/lending/journey/journey.ts'
import { rulesOf } from '#platform/lending/lender/channel-rules.ts'
import { coolingOffExitOf, isCancelledLoan, missedExitDay } from '#platform/lending/offer/cooling-off-exit.ts'
import { documentsOf } from '#platform/lending/offer/loan-documents.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import type { OpenLine } from '#platform/lending/offer/pledge.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { isClaimed, isOpen, paymentUrlOf, type ServicingRow } from '#platform/lending/servicing/operation.ts'
import { unpaidUntil } from '#platform/lending/servicing/poll-servicing.ts'
import { type JourneyStep, stepNamed } from '#platform/lending/step/step.ts'
import { remindersUrl } from './due-date-calendar.ts'
import { extraFields } from './extra-actions-view.ts'
import { paymentViews } from './payment-view.ts'
import { type LoanEnding, problemOf, receiptViews } from './receipts-view.ts'
import {
  agreementView,
  availableRequests,
  coolingOffView,
  documentViews,
  duesViews,
  exitRequestView,
  installmentViews,
  isCancelling,
  isOverdueDenied,
  payableNow,
  writtenRequestViews,
} from './servicing-view.ts'

/** What is stored about the journey's loan, at the partner, on the network and with us. */
interface StoredLoan {
  journey: Journey
  screen: Screen
  steps: JourneyStep[]
  chosen: Offer | undefined
  lenderName: string
  operations: ServicingRow[]
  snapshot: SnapshotStatus | null
  loan: LoanReference | undefined
  partners: Partner[]
  complaints: LoanComplaints | undefined
  agreement: SignedAgreement | null | undefined
  conversation: Conversation | undefined
}

/** All fields of the view that concern the loan. */
export const loanFields = (
  ctx: Context,
  storedLoan: StoredLoan,
  at: Date,
): Pick<EmbedView, keyof typeof embedLoanParts> => ({
  ...accountFields(ctx, storedLoan, at),
  ...documentFields(ctx, storedLoan, at),
  ...extraFields(ctx, storedLoan, at),
})

function accountFields(ctx: Context, storedLoan: StoredLoan, at: Date) {
  const { journey, screen, chosen, operations, snapshot, loan, complaints, partners, conversation } = storedLoan
  const paysHere = conversation ? takesPayments(conversation) : !productOf(journey).isRepaidAtLender
  const installments = chosen?.installments ?? []
  const repaymentAccount = repaymentAccountIn(partners, loan)
  const urlOf = (paymentId: string) =>
    chosen ? paperUrl(ctx, { ...paperKeyOf(chosen), name: 'receipt', paymentId }, at) : ''
  const current = screen === 'DISBURSED' ? chosen : undefined
  const { exit, request, held, booked, missedOn, cancellation, ending } = exitOf(storedLoan, at)
  const { updatedAt: paidOutAt } = stepNamed(storedLoan.steps, 'disbursal')
  const missed = missedInstalmentsIn(installments, snapshot, at)
  const claiming = operations.find((each) => isOpen(each) && isClaimed(each))
  const overdue = paiseFrom(snapshot?.soa?.total_overdue ?? '0.00') ?? 0n
  const isPaying = overdue > 0n && (claiming?.amountPaise ?? 0n) >= overdue
  const unpaidStatus = isPaying ? 'PENDING' : 'OVERDUE'
  const lateStatus = isOverdueDenied(operations, at) ? 'NOT-DUE' : unpaidStatus
  return {
    today: businessDate(at),
    justPaidOut: screen === 'DISBURSED' && paidOutAt !== null && businessDate(paidOutAt) === businessDate(at),
    closedOn: journey.closedAt && businessDate(journey.closedAt),
    loanNumber: loan?.loanId ?? loan?.orderId ?? null,
    payoutReference: snapshot?.disbursement?.bank_reference ?? chosen?.payoutReference ?? null,
    payNow: current && !ending && paysHere ? payableNow(current, { operations, snapshot, at }) : null,
    debitFailed: missed && !ending && !claiming ? debitProblem(snapshot, missed) : null,
    installments: ending ? [] : installmentViews(installments, snapshot, at, lateStatus),
    owed: ending ? [] : duesViews(snapshot, current?.installments ?? []),
    servicing: paymentViews(
      operations.filter((each) => !ending || (ending.status === 'DONE' && !isOpen(each))),
      at,
      {
        cancelledTerms: cancellation === 'OPEN' && chosen ? chosen.terms : null,
        payTo: loan?.partnerId ? (repaymentAccount ?? '') : null,
        isMissed: missed !== undefined,
        isDebited: missed !== undefined && isUnderWay(snapshot, missed.serialNumber),
        unpaidUntil: (operation) => unpaidUntil(ctx.config, operation),
        urlOf: (operation) => paymentUrlOf(ctx.seal, operation),
        reportUrlOf: (operation) => (current ? claimUrl(ctx, operation) : null),
      },
    ),
    receipts: receiptViews(operations, installments, chosen && snapshot ? { snapshot, ending, urlOf } : null),
    requests: ending ? [] : availableRequests(journey, chosen),
    leave: coolingOffView(exit, repaymentAccount, at),
    exitRequest: exitRequestView(request, missedOn, snapshot),
    exitHeld: held,
    exitBooked: booked,
    cancellation,
    requested: writtenRequestViews(complaints?.requests ?? []),
    complaintAnswered: complaints?.isAnswered ?? false,
    complaintOpen: complaints?.isOpen ?? false,
    paysHere,
    closesHere: chosen !== undefined && rulesOf(chosen).payments.includes('FORECLOSURE'),
  }
}

function debitProblem(snapshot: SnapshotStatus | null, { serialNumber }: Installment): Words | null {
  const debit = failedDebitOf(snapshot, serialNumber)
  return debit ? problemOf(debit) : null
}

/**
 * Where the borrower stands with an exit in the cooling-off period: its price, the request, what the lender holds or has
 * booked for it, and whether it is missed, open or done.
 */
function exitOf(
  { journey: { closedAt }, screen, steps, chosen, operations, snapshot, complaints }: StoredLoan,
  at: Date,
) {
  const { exitRequest, exitRequestedAt = null, isExitGranted, hasRequestedExit } = complaints ?? {}
  const { updatedAt: paidOutAt } = stepNamed(steps, 'disbursal')
  const loan = screen === 'DISBURSED' ? chosen : undefined
  const requestedAt = exitRequest?.receivedAt
  const paid = paidSum(snapshot)
  const exitOn = (day: Date, request: Parameters<typeof coolingOffExitOf>[3]) =>
    loan && coolingOffExitOf(loan, paidOutAt, day, request)
  const exit = exitOn(at, { requestedAt, paid }) ?? null
  const isRequested = isCancelling(operations, exit, exitRequest)
  const transfers = transfersForExit(
    isRequested || (!exitRequest && (exit || !hasRequestedExit)) ? snapshot : null,
    (day, paidBefore) => exitOn(startOf(day), { requestedAt, paid: paidBefore })?.price,
  )
  const isRepaid = closedAt !== null && exitRequest !== undefined
  const posted = postedIn(snapshot)
  const sums = isRepaid ? { held: null, booked: posted.sum } : transfers
  const [held = null, booked = null] = [sums.held, sums.booked].map((sum) => (sum ? rupees(sum) : null))
  const isUnpaid = isRequested && held === null && booked === null
  const missedOn = loan && requestedAt && isUnpaid ? missedExitDay(loan, paidOutAt, { requestedAt, at }) : null
  // A request that was not paid in time may be made again in the period.
  const nextExit = missedOn ? exitOn(at, { paid }) : null
  const isCancelled =
    chosen &&
    closedAt &&
    (isExitGranted || isCancelledLoan(chosen, paidOutAt, { closedAt, requestedAt: exitRequestedAt, paid: posted }))
  const isPending = isRequested && closedAt === null && !missedOn
  const openCancellation = isPending ? 'OPEN' : null
  const cancellation: EmbedView['cancellation'] = isCancelled ? 'DONE' : openCancellation
  const openStatus = requestedAt && held !== null ? 'HELD' : null
  const status: LoanEnding['status'] | null = isCancelled ? 'DONE' : openStatus
  const ending = status && { status, requestedOn: exitRequestedAt && businessDate(exitRequestedAt) }
  return {
    exit: nextExit ?? exit,
    request: nextExit || isCancelled ? undefined : exitRequest,
    held,
    booked,
    missedOn,
    cancellation,
    ending,
  }
}

const paperKeyOf = ({ tenantId, conversationId }: Offer) => ({ tenantId, caseRef: conversationId })

const documentFields = (ctx: Context, { journey, screen, chosen, lenderName, agreement }: StoredLoan, at: Date) => ({
  documents: [
    ...(agreement ? [agreementView(agreement, agreementUrl(ctx, agreement, at))] : []),
    ...(chosen && hasLoan(journey) ? documentViews(documentsOf(ctx, chosen)) : []),
  ],
  reminders: chosen && screen === 'DISBURSED' ? remindersUrl(ctx, chosen, lenderName, at) : null,
  papers:
    chosen &&
    rulesOf(chosen).reportsAccountData &&
    chosen.installments.length > 0 &&
    (screen === 'DISBURSED' || screen === 'CLOSED')
      ? loanPapers.map((name) => ({
          name,
          url: paperUrl(ctx, { ...paperKeyOf(chosen), name }, at),
        }))
      : [],
})

export const creditLineView = ({ limit, utilised, available, changedAt }: OpenLine): EmbedView['creditLine'] => ({
  limit: rupees(limit),
  used: rupees(utilised),
  free: rupees(available),
  changedAt: changedAt.toISOString(),
})
