// The borrower's payments in the page's view: from the partner's snapshot, or from our operations and the plan.

import { type PaymentStatusReport, reversedIds } from '#contract/exchange/account.ts'
import type { SnapshotStatus } from '#contract/exchange/snapshot.ts'
import type { EmbedView } from '#contract/hosted/embed.ts'
import type { EmbedReceipt } from '#contract/hosted/embed-servicing.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { checkedPaise, rupees } from '#kit/money/money.ts'
import type { Installment } from '#platform/journey/journey.ts'
import type { ServicingRow } from '#platform/servicing/store.ts'
import { mayStillArrive } from './servicing-view.ts'

const maxReceipts = 50

interface ReportedAccount {
  snapshot: SnapshotStatus
  cancellation: EmbedView['cancellation']
  urlOf(paymentId: string): string
}

const isUnclaimedTransfer = ({ collection_id, mandate_reference, claim_reference }: PaymentStatusReport): boolean =>
  collection_id === null && mandate_reference === null && claim_reference === null

/** The sum of the transfers that the lender holds while the borrower cancels the loan; null without one. */
export function heldForExit(snapshot: SnapshotStatus | null): string | null {
  const held = (snapshot?.payments ?? []).filter((each) => mayStillArrive(each) && isUnclaimedTransfer(each))
  return held.length > 0 ? rupees(held.reduce((sum, { amount }) => sum + checkedPaise(amount), 0n)) : null
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
  const { payments } = account.snapshot
  const reversed = reversedIds(payments)
  return payments
    .filter(({ reversal_of_payment_id }) => reversal_of_payment_id === null)
    .map((payment) =>
      reportedReceipt(
        reversed.has(payment.payment_id) ? { ...payment, status: 'REVERSED' } : payment,
        account,
        operations,
      ),
    )
}

function reportedReceipt(
  payment: PaymentStatusReport,
  { snapshot: { amortization_schedule }, cancellation }: ReportedAccount,
  operations: ServicingRow[],
): DatedReceipt {
  const { payment_id: id, claim_reference, installment_ids, amount, bank_reference, value_date, updated_at } = payment
  const claimedKind = operations.find(({ operationId }) => operationId === claim_reference)?.kind
  const cancels =
    isUnclaimedTransfer(payment) && (cancellation === 'DONE' || (cancellation === 'OPEN' && mayStillArrive(payment)))
  const reportedKind = !claimedKind || claimedKind === 'STATUS_REFRESH' ? 'INSTALLMENT' : claimedKind
  const kind = cancels ? 'FORECLOSURE' : reportedKind
  const [installmentId] = installment_ids.length === 1 && !cancels ? installment_ids : []
  const row = amortization_schedule?.installments.find((each) => each.installment_id === installmentId)
  const paidOn = value_date ?? businessDate(new Date(updated_at))
  return {
    day: paidOn,
    receipt: {
      ...{ id, kind, serialNumber: row?.installment_number ?? null, amount, paidOn },
      ...{ status: statuses[payment.status], reference: bank_reference, url: null },
    },
  }
}
