// A person assigns a receipt to a loan: it is posted as if its remark had named it, or taken back (D3 §6 rule 4).

import { uuidv7 } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { businessDate } from '#kit/money/calendar.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import type { TxContext } from '#partner/context.ts'
import { reverseReceipt } from '#partner/loan/reverse-receipt.ts'
import { verifyClaim } from './claim.ts'
import { isDebit, movedBy, type Payment } from './payment.ts'
import { postAsItIs } from './receive-receipt.ts'
import { reportLoan, reportPayment } from './send-payment-event.ts'
import {
  claimsOf,
  findPayment,
  findReceipt,
  insertPayment,
  readReceipt,
  releaseReceipt,
  writePayment,
} from './store.ts'

/** A receipt of the bank that a person posts, and when. */
interface ReceiptChoice {
  provider: string
  receiptId: string
}

/**
 * The caller holds the case, which has a loan. A matching claim of this case gets the receipt; a claim that does not
 * match is rejected, and the receipt is posted on its own. Refused: `absent` · `wrong-state` when it was posted before.
 */
export async function postByHand(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
  { provider, receiptId }: ReceiptChoice,
): Promise<void> {
  const { tx } = ctx
  const receipt = await findReceipt(tx, provider, receiptId)
  if (!receipt) throw new Refusal('absent', 'there is no such receipt')
  if (receipt.paymentId !== null) throw new Refusal('wrong-state', 'this receipt was posted already')
  for (const claim of await claimsOf(tx, receipt.transactionReference))
    if (claim.caseRef === loanCase.caseRef) await verifyClaim(ctx, loanCase, { claim })
  if ((await readReceipt(tx, provider, receiptId)).paymentId !== null) return
  if (!(await postAsItIs(ctx, loanCase, receipt))) throw new Refusal('wrong-state', 'this receipt was posted already')
}

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
