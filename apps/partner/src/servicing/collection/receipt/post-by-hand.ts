// Posts and reverses bank receipts at the request of an officer (D3 §6 rule 4).

import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate } from '@lendloom/lending/calendar'
import { uuidv7 } from '@lendloom/seal/id'
import type { TxContext } from '#partner/context.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { reviewHeldPayments } from '#partner/servicing/collection/held-payment.ts'
import { isDebit, type Payment, requireStatusAfter } from '#partner/servicing/collection/payment.ts'
import {
  claimsOfReference,
  findPayment,
  insertPayment,
  writePayment,
} from '#partner/servicing/collection/payment-store.ts'
import { reportLoan, reportPayment } from '#partner/servicing/collection/report-to-platform.ts'
import { requireNoReturn } from '#partner/servicing/collection/transfer/store.ts'
import { reverseReceipt } from '#partner/servicing/loan/reverse-receipt.ts'
import { verifyClaim } from './payment-claim.ts'
import { postUnclaimed } from './receive-receipt.ts'
import { requireNotGone } from './return/store.ts'
import { findReceipt, type ReceiptKey, readReceipt, releaseReceipt } from './store.ts'
import { bookRelease } from './unposted-receipts.ts'

/**
 * Posts a receipt to a locked case with a loan. If a claim of the case matches, the receipt confirms the claim.
 * Otherwise claims with its reference are rejected, and the receipt becomes a separate payment. Throws `absent` if the
 * receipt is unknown, `wrong-state` if it is already posted, sent back to its payer or taken back by the bank.
 */
export async function postByHand(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
  { provider, receiptId }: ReceiptKey,
): Promise<void> {
  const { tx } = ctx
  const receipt = await findReceipt(tx, provider, receiptId)
  if (!receipt) throw new Refusal('absent', 'there is no such receipt')
  if (receipt.paymentId !== null) throw new Refusal('wrong-state', 'this receipt is already posted')
  await requireNotGone(tx, receipt)
  await requireNoReturn(tx, receipt)
  for (const claim of await claimsOfReference(tx, receipt.transactionReference))
    if (claim.caseRef === loanCase.caseRef) await verifyClaim(ctx, loanCase, { claim })
  if ((await readReceipt(tx, provider, receiptId)).paymentId !== null) return
  if (!(await postUnclaimed(ctx, loanCase, receipt))) throw new Refusal('wrong-state', 'this receipt is already posted')
}

/** Whether an officer may reverse a payment. Debits cannot be reversed here, because only the bank returns them. */
export const isReversible = (payment: Payment): boolean => payment.status === 'POSTED' && !isDebit(payment)

/**
 * Reverses a posted receipt; the caller has locked the case. Throws `wrong-state` if the payment is unknown, not
 * posted, or a debit.
 */
export async function reverseByHand(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
  paymentId: string,
): Promise<void> {
  const { tx, at } = ctx
  const { caseRef } = loanCase
  const payment = await findPayment(tx, caseRef, paymentId)
  if (!payment || !isReversible(payment))
    throw new Refusal('wrong-state', 'this payment is not a posted receipt, so it cannot be reversed')
  const reversedOn = businessDate(at)
  const reversal: Payment = {
    ...payment,
    paymentId: uuidv7(at.getTime()),
    status: 'REVERSED',
    valueOn: reversedOn,
    reasonCode: 'POSTED_IN_ERROR',
    reversalOfPaymentId: paymentId,
    createdAt: at,
    updatedAt: at,
  }
  await writePayment(tx, payment, { status: requireStatusAfter(payment, 'returned'), receiptId: null }, at)
  const { loanStatus } = await reverseReceipt(
    tx,
    { caseRef, paymentId, reversalPaymentId: reversal.paymentId, reversedOn },
    at,
  )
  await insertPayment(tx, reversal)
  await releaseReceipt(tx, payment)
  await bookRelease(ctx, payment)
  await reportPayment(ctx, loanCase, reversal)
  await reportLoan(ctx, loanCase, { loanStatus, reasonCode: 'RECEIPT_REVERSED' })
  await reviewHeldPayments(ctx, loanCase)
}
