// A receipt that was posted to the wrong loan is taken back from it, and waits for a person again (D3 §2.5).

import { uuidv7 } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { businessDate } from '#kit/money/calendar.ts'
import type { Case } from '#partner/case/case.ts'
import type { TxContext } from '#partner/context.ts'
import { reverseReceipt } from '#partner/loan/reverse-receipt.ts'
import { isDebit, movedBy, type Payment } from './payment.ts'
import { reportLoan, reportPayment } from './send-payment-event.ts'
import { findPayment, insertPayment, releaseReceipt, writePayment } from './store.ts'

/** A payment that a person may take back: a receipt, and not a debit, which the bank alone returns. */
export const isReversible = (payment: Payment): boolean => payment.status === 'POSTED' && !isDebit(payment)

/** Under the lock of the case. Refused as `wrong-state`: no such payment, it is not posted, or it is a debit. */
export async function reverseByHand(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
  paymentId: string,
): Promise<void> {
  const { tx, at } = ctx
  const { caseRef } = loanCase
  const payment = await findPayment(tx, caseRef, paymentId)
  if (!payment || !isReversible(payment))
    throw new Refusal('wrong-state', 'this payment is no posted receipt that could be taken back')
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
  await writePayment(tx, payment, { status: movedBy(payment, 'returned'), receiptId: null }, at)
  const { loanStatus } = await reverseReceipt(
    tx,
    { caseRef, paymentId, reversalPaymentId: reversal.paymentId, reversedOn },
    at,
  )
  await insertPayment(tx, reversal)
  await releaseReceipt(tx, payment)
  await reportPayment(ctx, loanCase, reversal)
  await reportLoan(ctx, loanCase, { loanStatus, reasonCode: 'RECEIPT_REVERSED' })
}
