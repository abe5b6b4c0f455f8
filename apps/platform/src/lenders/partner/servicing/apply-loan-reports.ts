// Applies a lending partner's reports on claimed payments and on a closed loan (D3 §6 rules 4 and 5).

import { paiseFrom } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import type { PaymentStatusReport } from '@lendloom/wire/exchange/account'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { missedSumIn } from '#platform/lenders/partner/transfers.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { isClaimed, isOpen, noPaymentPage, type ServicingRow } from '#platform/lending/servicing/operation.ts'
import { completeRefresh } from '#platform/lending/servicing/request-servicing.ts'
import { endOperation, listServicing, moveServicing } from '#platform/lending/servicing/store.ts'

/**
 * Closes the operations of claimed payments: a POSTED payment is paid, and a FAILED payment has failed. With any other
 * status the lender is still verifying. Ignores payments without a claim, because the lender collected them itself.
 */
export async function applyPaymentReports(
  tx: Tx,
  journey: Journey,
  payments: PaymentStatusReport[],
  at: Date,
): Promise<void> {
  const claimedPayments = payments.filter(({ claim_reference }) => claim_reference !== null)
  if (claimedPayments.length === 0) return
  const operations = await listServicing(tx, journey)
  for (const payment of claimedPayments) {
    const operation = operations.find(({ operationId }) => operationId === payment.claim_reference)
    if (operation) await applyPayment({ tx, at }, journey, operation, payment)
  }
}

function applyPayment(
  ctx: Write,
  journey: Journey,
  operation: ServicingRow,
  payment: PaymentStatusReport,
): Promise<void> {
  const { payment_id: paymentId, status, amount, bank_reference } = payment
  const updated = { ...operation, paymentId, amountPaise: paiseFrom(amount) }
  if (status === 'POSTED') {
    const transactionId = bank_reference ?? operation.transactionId
    return moveServicing(ctx, journey, updated, { move: 'paid', transactionId, ...noPaymentPage, reason: null })
  }
  if (status === 'FAILED' && isOpen(operation))
    return endOperation(ctx, journey, updated, { move: 'failed', reason: 'PAYMENT_NOT_FOUND' })
  return Promise.resolve()
}

/** Keeps the amount of a requested transfer at what the newest snapshot has as missed, until the borrower reports it. */
async function enterAmounts(
  ctx: Write,
  journey: Journey,
  snapshot: SnapshotStatus,
  operations: ServicingRow[],
): Promise<void> {
  for (const operation of operations) {
    const isUnreported = operation.kind === 'MISSED_EMI_PAYMENT' && isOpen(operation) && !isClaimed(operation)
    const amountPaise = isUnreported ? missedSumIn(snapshot, operation.serialNumber) : null
    if (amountPaise && amountPaise !== operation.amountPaise)
      await moveServicing(ctx, journey, operation, { move: 'linked', amountPaise })
  }
}

/** Answers what waits for the lender's next snapshot: the amounts of transfers, and requests for the loan's status. */
export async function answerRequests(tx: Tx, journey: Journey, snapshot: SnapshotStatus, at: Date): Promise<void> {
  const operations = await listServicing(tx, journey)
  await enterAmounts({ tx, at }, journey, snapshot, operations)
  await completeRefresh(tx, journey, at, operations)
}

/** Fails a claim that the lender could not process. `eventId` is the id of the event that contained the claim. */
export async function failClaim(tx: Tx, journey: Journey, eventId: string, at: Date): Promise<void> {
  const operation = (await listServicing(tx, journey)).find(({ paymentId }) => paymentId === eventId)
  if (operation && isOpen(operation))
    await endOperation({ tx, at }, journey, operation, { move: 'failed', reason: 'PAYMENT_NOT_FOUND' })
}

/** Expires the open operations of a repaid loan. A later report may still mark an expired claim as paid. */
export async function closeServicing(tx: Tx, journey: Journey, at: Date): Promise<void> {
  await completeRefresh(tx, journey, at)
  for (const operation of (await listServicing(tx, journey)).filter(isOpen))
    await endOperation({ tx, at }, journey, operation, { move: 'expired', reason: 'LOAN_REPAID' })
}
