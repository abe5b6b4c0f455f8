// Posts a payment to the ledger, and reports the payment and the loan to the platform (D3 §3).

import type { Write } from '@lendloom/postgres/write'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { postReceipt } from '#partner/servicing/loan/post-receipt.ts'
import { enqueueCancellation } from './cancel-mandate.ts'
import type { Payment } from './payment.ts'
import { type PaymentChange, writePayment } from './payment-store.ts'
import { bookPosting } from './receipt/unposted-receipts.ts'
import { type ReportContext, reportLoan, reportPayment } from './report-to-platform.ts'

interface PaymentUpdate {
  before: Payment
  change: PaymentChange & { valueOn: string }
}

/** Posts the payment. The caller has locked the case, and checked that the payment's status allows posting. */
export async function postPayment(
  ctx: ReportContext & Write,
  loanCase: Case,
  { before, change }: PaymentUpdate,
): Promise<void> {
  const { tx, at } = ctx
  const { caseRef, paymentId, amountPaise } = before
  const { isPartPayment } = before
  const receipt = { caseRef, paymentId, paise: amountPaise, valueOn: change.valueOn, isPartPayment }
  const posted = await postReceipt(tx, receipt, at)
  if (change.receiptId ?? before.receiptId) await bookPosting(ctx, before, change.valueOn)
  const { installmentIds } = posted
  const after = await writePayment(tx, before, { ...change, installmentIds }, at)
  await reportPayment(ctx, loanCase, after)
  await reportLoan(ctx, loanCase, {
    loanStatus: posted.loanStatus,
    reasonCode: posted.hasExited ? 'COOLING_OFF_EXIT' : posted.isSettled ? 'SETTLED' : 'RECEIPT_POSTED',
  })
  if (posted.hasExited) await enqueueCancellation(tx, loanCase, at)
}
