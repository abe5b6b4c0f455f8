// The borrower's payments in the page's view: from the partner's snapshot, or from our operations and the plan.

import { type PaymentStatusReport, reversedIds } from '#contract/exchange/account.ts'
import type { SnapshotStatus } from '#contract/exchange/snapshot.ts'
import type { EmbedReceipt } from '#contract/hosted/embed-servicing.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { checkedPaise, type Paise, rupees } from '#kit/money/money.ts'
import type { Installment } from '#platform/journey/journey.ts'
import type { ServicingRow } from '#platform/servicing/store.ts'

const maxReceipts = 50

interface ReportedAccount {
  snapshot: SnapshotStatus
  ending: LoanEnding | null
  urlOf(paymentId: string): string
}

export interface LoanEnding {
  status: 'HELD' | 'DONE'
  requestedOn: string | null
}

const isTransfer = ({ collection_id, mandate_reference }: PaymentStatusReport): boolean =>
  collection_id === null && mandate_reference === null

/** A bank reference and a value date prove that the money has arrived. */
const isHeld = (payment: PaymentStatusReport): boolean =>
  isTransfer(payment) &&
  payment.status === 'PENDING_VERIFICATION' &&
  payment.bank_reference !== null &&
  payment.value_date !== null

/** The sum that the lender holds while the borrower cancels the loan; null if it is less than the price on its day. */
export function heldForExit(
  snapshot: SnapshotStatus | null,
  priceOn: (day: string) => Paise | undefined,
): string | null {
  const held = paymentsIn(snapshot).filter(isHeld)
  const lastDay = lastDayIn(held)
  if (lastDay === undefined) return null
  const sum = held.reduce((total, { amount }) => total + checkedPaise(amount), 0n)
  return sum >= (priceOn(lastDay) ?? 0n) ? rupees(sum) : null
}

/** A loan may be paid before the borrower asks in writing to cancel it: the last transfer always counts. */
function cancellingPayments({ snapshot, ending }: ReportedAccount): Set<string> {
  const payments = paymentsIn(snapshot)
  const posted = payments.filter((each) => isTransfer(each) && each.status === 'POSTED')
  const [since = ''] = [ending?.requestedOn ?? [], lastDayIn(posted) ?? []].flat().sort()
  const ofStatus = { HELD: payments.filter(isHeld), DONE: posted.filter((each) => dayOf(each) >= since) }
  return new Set(ending ? ofStatus[ending.status].map(({ payment_id }) => payment_id) : [])
}

const dayOf = ({ value_date, updated_at }: PaymentStatusReport): string =>
  value_date ?? businessDate(new Date(updated_at))

const lastDayIn = (payments: PaymentStatusReport[]): string | undefined => payments.map(dayOf).sort().at(-1)

function paymentsIn(snapshot: SnapshotStatus | null): PaymentStatusReport[] {
  const payments = snapshot?.payments ?? []
  const reversed = reversedIds(payments)
  return payments
    .filter(({ reversal_of_payment_id }) => reversal_of_payment_id === null)
    .map((each) => (reversed.has(each.payment_id) ? { ...each, status: 'REVERSED' } : each))
}

/** Returns the payments, newest first. A partner reports every attempt, a network lender only what is paid. */
export const receiptViews = (
  operations: ServicingRow[],
  installments: Installment[],
  account: ReportedAccount | null,
): EmbedReceipt[] =>
  (account ? reportedReceipts(account, operations) : [...paidInstallments(installments), ...paidOperations(operations)])
    .sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0))
    .slice(0, maxReceipts)
    .map(({ receipt }) =>
      account && receipt.status === 'PAID' ? { ...receipt, url: account.urlOf(receipt.id) } : receipt,
    )

interface DatedReceipt {
  day: string
  receipt: EmbedReceipt
}

const paidInstallments = (installments: Installment[]): DatedReceipt[] =>
  installments
    .filter(({ status }) => status === 'PAID')
    .map(({ serialNumber, amount, dueAt }) => ({
      day: businessDate(new Date(dueAt)),
      receipt: {
        ...{ id: `instalment-${serialNumber}`, kind: 'INSTALLMENT', serialNumber, amount: rupees(BigInt(amount)) },
        ...{ paidOn: null, status: 'PAID', reference: null, url: null },
      },
    }))

const paidOperations = (operations: ServicingRow[]): DatedReceipt[] =>
  operations.flatMap(({ operationId, kind, status, amountPaise, paidPaise, transactionId, updatedAt }) => {
    const amount = paidPaise ?? amountPaise
    if (kind === 'STATUS_REFRESH' || status !== 'PAID' || amount === null) return []
    const paidOn = businessDate(updatedAt)
    return [
      {
        day: paidOn,
        receipt: {
          ...{ id: operationId, kind, serialNumber: null, amount: rupees(amount), paidOn },
          ...{ status: 'PAID', reference: transactionId, url: null },
        },
      },
    ]
  })

const statuses: Record<PaymentStatusReport['status'], EmbedReceipt['status']> = {
  PENDING_VERIFICATION: 'PENDING',
  SUBMITTED: 'PENDING',
  PROCESSING: 'PENDING',
  FAILED: 'FAILED',
  POSTED: 'PAID',
  REVERSED: 'REVERSED',
}

function reportedReceipts(account: ReportedAccount, operations: ServicingRow[]): DatedReceipt[] {
  const { snapshot } = account
  const cancelling = cancellingPayments(account)
  return paymentsIn(snapshot).map((payment) =>
    reportedReceipt(payment, { snapshot, operations, cancels: cancelling.has(payment.payment_id) }),
  )
}

function reportedReceipt(
  payment: PaymentStatusReport,
  {
    snapshot: { amortization_schedule },
    operations,
    cancels,
  }: { snapshot: SnapshotStatus; operations: ServicingRow[]; cancels: boolean },
): DatedReceipt {
  const { payment_id: id, claim_reference, installment_ids, amount, bank_reference } = payment
  const claimedKind = operations.find(({ operationId }) => operationId === claim_reference)?.kind
  const reportedKind = !claimedKind || claimedKind === 'STATUS_REFRESH' ? 'INSTALLMENT' : claimedKind
  const kind = cancels ? 'FORECLOSURE' : reportedKind
  const [installmentId] = installment_ids.length === 1 && !cancels ? installment_ids : []
  const row = amortization_schedule?.installments.find((each) => each.installment_id === installmentId)
  const paidOn = dayOf(payment)
  return {
    day: paidOn,
    receipt: {
      ...{ id, kind, serialNumber: row?.installment_number ?? null, amount, paidOn },
      ...{ status: statuses[payment.status], reference: bank_reference, url: null },
    },
  }
}
