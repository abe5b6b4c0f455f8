// Parts of the page's view after disbursal: instalments, dues, documents, payments and requests.

import { businessDate } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { wordsOf } from '@lendloom/lending/reason/reason'
import type { BorrowerRequest } from '@lendloom/wire/console/complaint-lists'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import {
  type EmbedDues,
  type EmbedLeave,
  type EmbedPayment,
  type InstallmentStatus,
  loanDocuments,
} from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { isRefusedOrWithdrawn } from '#platform/complaints/complaint/complaint.ts'
import type { ExitRequest } from '#platform/complaints/complaint/store.ts'
import { resultDay, withoutRepeats } from '#platform/lenders/partner/servicing/claim.ts'
import { lateIn, missedIn } from '#platform/lenders/partner/servicing/missed.ts'
import type { SignedAgreement } from '#platform/lenders/partner/store.ts'
import { isUnderWay, missedPartsIn, missedSumIn, paidAfter } from '#platform/lenders/partner/transfers.ts'
import { type Installment, installmentStatus, type Journey, termsFrom } from '#platform/lending/journey/journey.ts'
import { rulesOf } from '#platform/lending/lender/rules.ts'
import type { CoolingOffExit, LoanDocumentLink } from '#platform/lending/offer/documents.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { isClaimed, isJustPaid, isOpen, outcomeMs, type ServicingRow } from '#platform/lending/servicing/store.ts'

/** Omits instalments of zero: a lender reports them for a loan that is repaid before they are due. */
export function installmentViews(
  installments: Installment[],
  snapshot: SnapshotStatus | null,
  at: Date,
  lateStatus: InstallmentStatus = 'OVERDUE',
): EmbedView['installments'] {
  const late = lateIn(installments, snapshot, at)
  const charged = installments.filter(({ amount }) => BigInt(amount) > 0n)
  return charged.map((each) => ({
    serialNumber: each.serialNumber,
    amount: rupees(BigInt(each.amount)),
    dueOn: businessDate(new Date(each.dueAt)),
    status: late.includes(each) ? lateStatus : installmentStatus(each, at),
  }))
}

export function duesViews(snapshot: SnapshotStatus | null, installments: Installment[]): EmbedDues[] {
  const unpaid = installments.filter(({ status }) => status !== 'PAID' && status !== 'DEFERRED')
  const planned = unpaid.reduce((total, { amount }) => total + BigInt(amount), 0n)
  if (!snapshot) return planned > 0n ? [{ part: 'planned', amount: rupees(planned) }] : []
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

export function isOverdueDenied(operations: ServicingRow[], at: Date): boolean {
  const newest = operations.findLast(({ kind }) => kind === 'MISSED_EMI_PAYMENT')
  return (
    newest?.status === 'FAILED' &&
    newest.reason === 'NO_INSTALMENT_OVERDUE' &&
    at.getTime() - newest.updatedAt.getTime() <= outcomeMs
  )
}

interface Account {
  operations: ServicingRow[]
  snapshot: SnapshotStatus | null
  at: Date
}

/** The amount of the oldest instalment that the page may offer to pay. On its due day the mandate debits it first. */
export function payableNow(
  journey: Pick<Journey, 'type'>,
  offer: Pick<Offer, 'channel' | 'installments' | 'creditLine'>,
  { operations, snapshot, at }: Account,
): string | null {
  const { payments, isMissedDecidedByLender } = rulesOf(offer)
  const isRequested = operations.some((each) => each.kind === 'MISSED_EMI_PAYMENT' && isOpen(each))
  const isPossible =
    payments.includes('MISSED_EMI_PAYMENT') && !offer.creditLine && !productOf(journey).isRepaidAtLender
  if (!isPossible || isRequested || isOverdueDenied(operations, at)) return null
  const due = offer.installments.find((each) => isMissedDecidedByLender && installmentStatus(each, at) === 'DUE')
  const oldest = missedIn(offer.installments, snapshot, at) ?? due
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

const isAnswered = ({ status }: ExitRequest): boolean =>
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
  { active, status }: Pick<Journey, 'active' | 'status'>,
  chosen: Pick<Offer, 'channel'> | undefined,
): BorrowerRequest[] {
  if (!chosen || !active || !rulesOf(chosen).acceptsWrittenRequests) return []
  if (status === 'OFFER_ACCEPTED' || status === 'LENDER_REDIRECTED') return ['CANCELLATION']
  return status === 'DISBURSED' ? ['PART_PAYMENT'] : []
}

interface PaymentOptions {
  /** The terms of a loan that the borrower cancels; otherwise null. */
  cancelledTerms?: Offer['terms']
  /** The account of a lender without a payment page, to which the borrower transfers; null for other lenders. */
  payTo?: string | null
  isMissed?: boolean
  isDebited?: boolean
  urlOf?(operation: ServicingRow): string | null
  reportUrlOf?(operation: ServicingRow): string | null
}

/** Returns the newest operation of each kind that is open or has just ended, except status refreshes. */
export function paymentViews(
  operations: ServicingRow[],
  at: Date,
  {
    cancelledTerms = null,
    payTo = null,
    isMissed = false,
    isDebited = false,
    urlOf = () => null,
    reportUrlOf = () => null,
  }: PaymentOptions = {},
): EmbedPayment[] {
  const newest = new Map(withoutRepeats(operations).map((each) => [each.kind, each]))
  return [...newest.values()].flatMap((operation) => {
    const { kind, status, operationId, amountPaise, paidPaise, reason, updatedAt } = operation
    const amount = paidPaise ?? amountPaise
    const isReported = payTo !== null && isClaimed(operation)
    const isUnpaid = isReported && status === 'FAILED' && (isMissed || kind !== 'MISSED_EMI_PAYMENT')
    const isMissing = isUnpaid && kind === 'MISSED_EMI_PAYMENT'
    const isPast = !isOpen(operation) && !isMissing && at.getTime() - updatedAt.getTime() > outcomeMs
    const isAwaited = payTo !== null && !isClaimed(operation) && status !== 'PAID'
    const isObsolete = kind === 'MISSED_EMI_PAYMENT' && (isMissed && !isDebited ? status === 'EXPIRED' : isAwaited)
    if (kind === 'STATUS_REFRESH' || status === 'DONE' || isPast || isObsolete) return []
    const pageUrl = isReported ? null : urlOf(operation)
    return [
      {
        operationId,
        kind,
        status,
        amount: amount === null ? null : rupees(amount),
        parts: paymentParts(operation),
        keptFees: keptFees(operation, cancelledTerms),
        redirectUrl: isUnpaid ? reportUrlOf(operation) : pageUrl,
        payTo,
        claim: claimView(operation),
        problem: wordsOf(reason),
      },
    ]
  })
}

function claimView({ transactionId, claimedOn, updatedAt }: ServicingRow): EmbedPayment['claim'] {
  if (transactionId === null || claimedOn === null) return null
  return { reference: transactionId, paidOn: claimedOn, resultBy: resultDay(updatedAt) }
}

/** If the price includes the whole principal, the lender does not refund what it deducted from the payout. */
export function keptFees(
  { kind, amountPaise }: Pick<ServicingRow, 'kind' | 'amountPaise'>,
  stored: Offer['terms'],
): string | null {
  if (!stored || kind !== 'FORECLOSURE' || amountPaise === null) return null
  const { principal, netDisbursed } = termsFrom(stored)
  const fees = principal - netDisbursed
  return fees > 0n && amountPaise >= principal ? rupees(fees) : null
}

export function paymentParts({
  kind,
  amountPaise,
  interestPaise,
  chargesPaise,
}: Pick<ServicingRow, 'kind' | 'amountPaise' | 'interestPaise' | 'chargesPaise'>): EmbedPayment['parts'] {
  if (amountPaise === null || interestPaise === null || chargesPaise === null) return []
  const parts = [
    {
      part: kind === 'MISSED_EMI_PAYMENT' ? ('instalment' as const) : ('principal' as const),
      paise: amountPaise - interestPaise - chargesPaise,
    },
    { part: 'interest' as const, paise: interestPaise },
    { part: 'charges' as const, paise: chargesPaise },
  ].filter(({ paise }) => paise > 0n)
  return parts.length > 1 ? parts.map(({ part, paise }) => ({ part, amount: rupees(paise) })) : []
}

const pollMs = 2000
const exitPollMs = 10_000

/** The poll interval while the lender may still answer a request or verify a payment; otherwise null. */
export function servicingPollMs(
  operations: ServicingRow[],
  exitRequest?: ExitRequest,
  snapshot: SnapshotStatus | null = null,
): number | null {
  if (operations.some(isOpen)) return pollMs
  const isVerifying = snapshot?.payments.some(({ status }) => status === 'PENDING_VERIFICATION')
  return exitRequest || isVerifying ? exitPollMs : null
}

export function shortestOf(...intervals: (number | null)[]): number | null {
  const known = intervals.filter((each) => each !== null)
  return known.length > 0 ? Math.min(...known) : null
}
