// What the page shows of the borrower's payments: from the partner's snapshot, or from our operations and the plan.

import { isKeyOf } from '@lendloom/foundation/record'
import { businessDate } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { type PaymentReason, type Words, wordsOf } from '@lendloom/lending/reason/reason'
import type { PaymentStatusReport } from '@lendloom/wire/exchange/account'
import { returnCodes } from '@lendloom/wire/exchange/return-code-text'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import type { EmbedReceipt } from '@lendloom/wire/hosted/embed-servicing'
import { maxReceipts } from '@lendloom/wire/hosted/max-receipts'
import {
  dayOf,
  exitTransfers,
  heldTransfers,
  isReversedDebit,
  paymentsIn,
} from '#platform/lenders/partner/transfers.ts'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { ServicingRow } from '#platform/lending/servicing/operation.ts'

interface ReportedAccount {
  snapshot: SnapshotStatus
  ending: LoanEnding | null
  urlOf(paymentId: string): string
}

/** A cancellation in the cooling-off period. */
export interface LoanEnding {
  /** HELD: the lender verifies the payment. DONE: the loan is closed. */
  status: 'HELD' | 'DONE'
  requestedOn: string | null
}

/** The ids of the payments with which the borrower cancels the loan. */
function cancellingPayments({ snapshot, ending }: ReportedAccount): Set<string> {
  if (!ending) return new Set()
  const payments = ending.status === 'HELD' ? heldTransfers(snapshot) : exitTransfers(snapshot, ending.requestedOn)
  return new Set(payments.map(({ payment_id }) => payment_id))
}

/** Returns the payments, newest first. A partner reports every attempt, a network lender only what is paid. */
export const receiptViews = (
  operations: ServicingRow[],
  installments: Installment[],
  account: ReportedAccount | null,
): EmbedReceipt[] =>
  (account
    ? reportedReceipts(account, operations)
    : [...paidInstallments(installments, operations), ...paidOperations(operations)]
  )
    .sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0))
    .slice(0, maxReceipts)
    .map(({ receipt }) =>
      account && receipt.status === 'PAID' ? { ...receipt, url: account.urlOf(receipt.id) } : receipt,
    )

interface DatedReceipt {
  day: string
  receipt: EmbedReceipt
}

/** Without an instalment whose payment is an operation: it would be listed twice. */
const paidInstallments = (installments: Installment[], operations: ServicingRow[]): DatedReceipt[] =>
  installments
    .filter(
      ({ status, serialNumber }) =>
        status === 'PAID' &&
        !operations.some(
          (each) => each.kind === 'MISSED_EMI_PAYMENT' && each.status === 'PAID' && each.serialNumber === serialNumber,
        ),
    )
    .map(({ serialNumber, amount, dueAt }) => ({
      day: businessDate(new Date(dueAt)),
      receipt: {
        id: `instalment-${serialNumber}`,
        kind: 'INSTALLMENT',
        serialNumber,
        amount: rupees(BigInt(amount)),
        paidOn: null,
        status: 'PAID',
        reference: null,
        problem: null,
        url: null,
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
          id: operationId,
          kind,
          serialNumber: null,
          amount: rupees(amount),
          paidOn,
          status: 'PAID',
          reference: transactionId,
          problem: null,
          url: null,
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

/** The return codes of a debit that tell the borrower what to do; any other is `DEBIT_RETURNED`. */
const debitReasons: Partial<Record<keyof typeof returnCodes, PaymentReason>> = {
  '04': 'DEBIT_UNFUNDED',
  '55': 'DEBIT_UNFUNDED',
  Z9: 'DEBIT_UNFUNDED',
  '06': 'DEBIT_MANDATE_ENDED',
  '08': 'DEBIT_MANDATE_ENDED',
  '14': 'DEBIT_MANDATE_ENDED',
  '21': 'DEBIT_MANDATE_ENDED',
  '22': 'DEBIT_MANDATE_ENDED',
  '29': 'DEBIT_MANDATE_ENDED',
  '61': 'DEBIT_MANDATE_ENDED',
  JPMP: 'DEBIT_MANDATE_ENDED',
  JPMR: 'DEBIT_MANDATE_ENDED',
  JPMX: 'DEBIT_MANDATE_ENDED',
  JPMC: 'DEBIT_MANDATE_ENDED',
}

/** Why a payment failed or a debit was reversed; otherwise null. Lenders may report codes that we do not know. */
export function problemOf(payment: PaymentStatusReport): Words | null {
  const { status, claim_reference, reason_code: code } = payment
  if (code === null || (status !== 'FAILED' && !isReversedDebit(payment))) return null
  if (claim_reference !== null) return wordsOf('PAYMENT_NOT_FOUND')
  return wordsOf((isKeyOf(returnCodes, code) && debitReasons[code]) || 'DEBIT_RETURNED')
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
  const claimed = operations.find(({ operationId }) => operationId === claim_reference)
  const reportedKind = !claimed || claimed.kind === 'STATUS_REFRESH' ? 'INSTALLMENT' : claimed.kind
  const kind = cancels ? 'FORECLOSURE' : reportedKind
  const [installmentId] = installment_ids.length === 1 && !cancels ? installment_ids : []
  const row = amortization_schedule?.installments.find((each) => each.installment_id === installmentId)
  const paidOn = claimed?.claimedOn ?? dayOf(payment)
  const problem = problemOf(payment)
  return {
    day: paidOn,
    receipt: {
      id,
      kind,
      serialNumber: row?.installment_number ?? null,
      amount,
      paidOn,
      status: problem?.code === 'PAYMENT_NOT_FOUND' ? 'MISSING' : statuses[payment.status],
      reference: bank_reference ?? claimed?.transactionId ?? null,
      problem,
      url: null,
    },
  }
}
