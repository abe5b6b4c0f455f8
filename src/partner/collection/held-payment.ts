// Holds a payment that may complete a cooling-off exit until an officer decides, or a deadline passes (D3 §6 rule 4).

import type { Write } from '#kit/db/write.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { enqueue, noTenantId, type Worker, work } from '#kit/messaging/queue.ts'
import { plusDays, startOf } from '#kit/money/calendar.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import { waitsForExitUntil } from '#partner/loan/possible-exit.ts'
import { type Payment, requireStatusAfter } from './payment.ts'
import { post } from './post.ts'
import { type ReportContext, reportPayment } from './send-payment-event.ts'
import { type BankReceipt, findPayment, readPayments, writePayment } from './store.ts'

const kind = 'post-held-payment'

interface PostJob {
  caseRef: string
  paymentId: string
}

type HeldPayment = Payment & Record<'receiptId' | 'valueOn', string>

export const isHeldPayment = (payment: Payment): payment is HeldPayment =>
  payment.status === 'PENDING_VERIFICATION' && payment.receiptId !== null

interface ReceivedPayment {
  before: Payment
  receipt: BankReceipt
}

/** Posts a payment that arrived, or holds it if its effect depends on an exit request. The case is locked. */
export async function postOrHold(
  ctx: ReportContext & Write,
  loanCase: Case,
  { before, receipt }: ReceivedPayment,
): Promise<void> {
  const { tx, at } = ctx
  const { receiptId, valueOn, transactionReference: bankReference } = receipt
  const { caseRef, paymentId, amountPaise: paise, isPartPayment } = before
  const change = { receiptId, bankReference, valueOn, reasonCode: null }
  const until = await waitsForExitUntil(tx, { caseRef, paymentId, paise, valueOn, isPartPayment }, at)
  const status = requireStatusAfter(before, until === null ? 'confirmed' : 'held')
  if (until === null) return post(ctx, loanCase, { before, change: { ...change, status } })
  await reportPayment(ctx, loanCase, await writePayment(tx, before, { ...change, status }, at))
  const payload: PostJob = { caseRef, paymentId }
  const dueAt = startOf(plusDays(until, 1))
  await enqueue(tx, { tenantId: noTenantId, kind, key: paymentId, payload, dueAt })
}

const postHeld = (ctx: ReportContext & Write, loanCase: Case, before: HeldPayment): Promise<void> =>
  post(ctx, loanCase, {
    before,
    change: { status: requireStatusAfter(before, 'confirmed'), valueOn: before.valueOn },
  })

export async function postHeldPayment(ctx: ReportContext & Write, loanCase: Case, paymentId: string): Promise<void> {
  const payment = await findPayment(ctx.tx, loanCase.caseRef, paymentId)
  if (!payment || !isHeldPayment(payment)) throw new Refusal('wrong-state', 'this payment no longer waits')
  await postHeld(ctx, loanCase, payment)
}

export async function postHeldPayments(ctx: ReportContext & Write, loanCase: Case): Promise<void> {
  for (const payment of await readPayments(ctx.tx, loanCase.caseRef))
    if (isHeldPayment(payment)) await postHeld(ctx, loanCase, payment)
}

export const heldPaymentWorker = (ctx: Context): Worker =>
  work<PostJob>({
    kind,
    ...ctx,
    handle: ({ payload: { caseRef, paymentId } }) =>
      ctx.db.tx(async (tx) => {
        const loanCase = await lockCase(tx, caseRef)
        const payment = await findPayment(tx, caseRef, paymentId)
        if (payment && isHeldPayment(payment)) await postHeld({ ...ctx, tx, at: ctx.clock() }, loanCase, payment)
      }),
  })
