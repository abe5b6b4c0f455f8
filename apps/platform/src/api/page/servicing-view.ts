// What the page shows after the disbursal: instalments, dues, documents and possible requests.

import { businessDate } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import type { BorrowerRequest } from '@lendloom/wire/console/complaint-lists'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import {
  type EmbedDues,
  type EmbedLeave,
  type InstallmentStatus,
  loanDocuments,
} from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { isRefusedOrWithdrawn } from '#platform/complaints/complaint/complaint.ts'
import { dueAtOf } from '#platform/complaints/complaint/deadlines.ts'
import type {
  ExitRequest,
  LoanComplaints,
  WrittenRequest,
} from '#platform/complaints/complaint/loan-complaint-store.ts'
import { lateInstalmentsIn, missedInstalmentsIn } from '#platform/lenders/partner/servicing/missed-instalments.ts'
import type { SignedAgreement } from '#platform/lenders/partner/store.ts'
import { isUnderWay, missedPartsIn, missedSumIn, paidAfter } from '#platform/lenders/partner/transfers.ts'
import { type Installment, installmentStatus } from '#platform/lending/journey/installment.ts'
import { isLive, isWithLender, type Journey } from '#platform/lending/journey/journey.ts'
import { rulesOf } from '#platform/lending/lender/channel-rules.ts'
import type { CoolingOffExit } from '#platform/lending/offer/cooling-off-exit.ts'
import type { LoanDocumentLink } from '#platform/lending/offer/loan-documents.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { isJustPaid, isOpen, newlyEndedMs, type ServicingRow } from '#platform/lending/servicing/operation.ts'
import { unpaidSum } from '#platform/lending/servicing/repayment-schedule.ts'

/** Omits instalments of zero: a lender reports them for a loan that is repaid before they are due. */
export function installmentViews(
  installments: Installment[],
  snapshot: SnapshotStatus | null,
  at: Date,
  lateStatus: InstallmentStatus = 'OVERDUE',
): EmbedView['installments'] {
  const late = lateInstalmentsIn(installments, snapshot, at)
  const charged = installments.filter(({ amount }) => BigInt(amount) > 0n)
  return charged.map((each) => ({
    serialNumber: each.serialNumber,
    amount: rupees(BigInt(each.amount)),
    dueOn: businessDate(new Date(each.dueAt)),
    status: late.includes(each) ? lateStatus : installmentStatus(each, at),
  }))
}

/** What is owed, by part; without a snapshot of the partner the unpaid instalments of the plan. Omits parts of zero. */
export function duesViews(snapshot: SnapshotStatus | null, installments: Installment[]): EmbedDues[] {
  if (!snapshot) {
    const planned = unpaidSum(installments)
    return planned > 0n ? [{ part: 'planned', amount: rupees(planned) }] : []
  }
  const { soa } = snapshot
  if (!soa) return []
  const { late = 0n, today = 0n } = missedPartsIn(snapshot) ?? {}
  const parts: EmbedDues[] = [
    { part: 'late', amount: rupees(late) },
    { part: 'today', amount: rupees(today) },
    { part: 'overdue', amount: soa.total_overdue },
    { part: 'outstanding', amount: soa.total_outstanding },
    { part: 'penalCharges', amount: soa.penalty_outstanding },
    { part: 'principal', amount: soa.principal_outstanding },
    { part: 'interest', amount: soa.interest_outstanding },
    { part: 'charges', amount: soa.charges_outstanding },
  ]
  return parts.filter(({ amount }) => amount !== '0.00')
}

/** Whether the lender has just answered that no instalment is overdue, although its schedule has one. */
export function isOverdueDenied(operations: ServicingRow[], at: Date): boolean {
  const newest = operations.findLast(({ kind }) => kind === 'MISSED_EMI_PAYMENT')
  return (
    newest?.status === 'FAILED' &&
    newest.reason === 'NO_INSTALMENT_OVERDUE' &&
    at.getTime() - newest.updatedAt.getTime() <= newlyEndedMs
  )
}

interface Account {
  operations: ServicingRow[]
  snapshot: SnapshotStatus | null
  at: Date
}

/** The amount of the oldest instalment that the page may offer to pay. On its due day the mandate debits it first. */
export function payableNow(
  offer: Pick<Offer, 'channel' | 'installments' | 'creditLine'>,
  { operations, snapshot, at }: Account,
): string | null {
  const { payments, isMissedDecidedByLender } = rulesOf(offer)
  const isRequested = operations.some((each) => each.kind === 'MISSED_EMI_PAYMENT' && isOpen(each))
  const isPossible = payments.includes('MISSED_EMI_PAYMENT') && !offer.creditLine
  if (!isPossible || isRequested || isOverdueDenied(operations, at)) return null
  const due = offer.installments.find((each) => isMissedDecidedByLender && installmentStatus(each, at) === 'DUE')
  const oldest = missedInstalmentsIn(offer.installments, snapshot, at) ?? due
  if (!oldest) return null
  const unpaid = missedSumIn(snapshot, oldest.serialNumber)
  const isPaying =
    unpaid === null
      ? isMissedDecidedByLender && isJustPaid(operations, oldest, at)
      : isUnderWay(snapshot, oldest.serialNumber)
  if (isPaying) return null
  const amount = unpaid ?? BigInt(oldest.amount)
  return amount > 0n ? rupees(amount) : null
}

/** What the page shows of the borrower's request to cancel the loan, with a payment that came after its last day. */
export const exitRequestView = (
  request: ExitRequest | undefined,
  missedOn: string | null,
  snapshot: SnapshotStatus | null,
): EmbedView['exitRequest'] => {
  const late = missedOn === null ? null : paidAfter(snapshot, missedOn)
  return request
    ? {
        number: request.number,
        at: request.receivedAt.toISOString(),
        origin: request.origin,
        answered: isAnswered(request),
        missedOn,
        paidLate: late && { amount: rupees(late.sum), on: late.on },
      }
    : null
}

export const writtenRequestViews = (requests: WrittenRequest[]): EmbedView['requested'] =>
  requests.map((request) => {
    const answered = isAnswered(request)
    return {
      category: request.category,
      at: request.receivedAt.toISOString(),
      dueAt: (!answered && dueAtOf(request)?.toISOString()) || null,
      answered,
    }
  })

const isAnswered = ({ status }: Pick<ExitRequest, 'status'>): boolean =>
  status === 'WAITING_FOR_BORROWER' || status === 'RESOLVED' || status === 'CLOSED'

/** Whether the borrower has asked to cancel the loan, in writing or by closing it in the cooling-off period. */
export const isCancelling = (
  operations: ServicingRow[],
  exit: CoolingOffExit | null,
  request: ExitRequest | undefined,
): boolean =>
  request
    ? !isRefusedOrWithdrawn(request) && (exit !== null || !isAnswered(request))
    : exit !== null && operations.some((each) => each.kind === 'FORECLOSURE' && isOpen(each))

export const documentViews = (documents: LoanDocumentLink[]): EmbedView['documents'] =>
  documents.map(({ code, name, url }) => ({ code: loanDocuments.find((each) => each === code) ?? null, name, url }))

export const agreementView = (
  { fileName }: Pick<SignedAgreement, 'fileName'>,
  url: string,
): EmbedView['documents'][number] => ({ code: 'LOAN_AGREEMENT', name: fileName, url })

export function coolingOffView(
  exit: CoolingOffExit | null,
  account: EmbedLeave['account'],
  at: Date,
): EmbedLeave | null {
  if (!exit) return null
  const { until, agreed, payBy, cost } = exit
  return {
    today: businessDate(at),
    until,
    account: (agreed && account) || null,
    payBy,
    cost: cost && {
      days: cost.days,
      principal: rupees(cost.principal),
      interest: rupees(cost.interest),
      feeReturned: rupees(cost.fee),
      paid: cost.paid > 0n ? rupees(cost.paid) : null,
      total: rupees(cost.total),
    },
  }
}

/**
 * Lists the written requests that the borrower can make: cancellation between acceptance and disbursal, a part payment
 * after disbursal. Before acceptance the borrower withdraws the consent instead.
 */
export function availableRequests(
  journey: Pick<Journey, 'active' | 'status' | 'closedAt'>,
  chosen: Pick<Offer, 'channel'> | undefined,
): BorrowerRequest[] {
  if (!chosen || !isLive(journey) || !rulesOf(chosen).acceptsWrittenRequests) return []
  if (isWithLender(journey)) return ['CANCELLATION']
  return journey.status === 'DISBURSED' ? ['PART_PAYMENT'] : []
}

/** While a request to the lender is open. */
const pollMs = 2000

/** While the lender verifies a payment, or the borrower waits for the answer to a request in writing. */
const answerPollMs = 10_000

/** The poll interval while the lender may still answer a request or verify a payment; otherwise null. */
export function servicingPollMs(
  operations: ServicingRow[],
  complaints?: Pick<LoanComplaints, 'exitRequest' | 'requests'>,
  snapshot: SnapshotStatus | null = null,
): number | null {
  if (operations.some(isOpen)) return pollMs
  const isAnswerDue = complaints?.exitRequest || complaints?.requests.some((each) => !isAnswered(each))
  const isVerifying = snapshot?.payments.some(({ status }) => status === 'PENDING_VERIFICATION')
  return isAnswerDue || isVerifying ? answerPollMs : null
}

/** The shortest of the intervals that are not null; null without one. */
export function shortestOf(...intervals: (number | null)[]): number | null {
  const known = intervals.filter((each) => each !== null)
  return known.length > 0 ? Math.min(...known) : null
}
