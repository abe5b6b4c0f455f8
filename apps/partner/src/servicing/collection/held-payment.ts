// Holds a payment that may complete a cooling-off exit until an officer decides, or a deadline passes (D3 §6 rule 4).

import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import type { Write } from '@lendloom/postgres/write'
import { enqueue, noTenantId, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import type { Context } from '#partner/context.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { waitsForExitRequest } from '#partner/servicing/loan/await-exit-request.ts'
import { type Payment, requireStatusAfter } from './payment.ts'
import { findPayment, readPayments, writePayment } from './payment-store.ts'
import { postPayment } from './post-payment.ts'
import type { BankReceipt } from './receipt/store.ts'
import { type ReportContext, reportPayment } from './report-to-platform.ts'

const kind = 'post-held-payment'

interface PostJob {
  caseRef: string
  paymentId: string
}

/** A payment that waits for the decision about an exit: its receipt is known. */
type HeldPayment = Payment & Record<'receiptId' | 'valueOn', string>

/** Whether the money has arrived and its posting waits. */
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
  const isHeld = await waitsForExitRequest(tx, { caseRef, paymentId, paise, valueOn, isPartPayment }, at)
  const status = requireStatusAfter(before, isHeld ? 'held' : 'confirmed')
  if (isHeld) {
    await reportPayment(ctx, loanCase, await writePayment(tx, before, { ...change, status }, at))
    const payload: PostJob = { caseRef, paymentId }
    await enqueue(tx, { tenantId: noTenantId, kind, key: paymentId, payload, dueAt: tomorrow(at) })
  } else await postPayment(ctx, loanCase, { before, change: { ...change, status } })
  await reviewHeldPayments(ctx, loanCase)
}

const tomorrow = (at: Date): Date => startOf(plusDays(businessDate(at), 1))

/** Posts held payments that no longer depend on an exit request, for example after other money arrived or was returned. */
export async function reviewHeldPayments(ctx: ReportContext & Write, loanCase: Case): Promise<void> {
  const { caseRef } = loanCase
  const held = await readHeldPayments(ctx, loanCase)
  const [first] = held
  if (!first) return
  const together = {
    caseRef,
    paymentId: first.paymentId,
    isPartPayment: held.some(({ isPartPayment }) => isPartPayment),
    paise: held.reduce((sum, { amountPaise }) => sum + amountPaise, 0n),
    valueOn: held.reduce((last, { valueOn }) => (valueOn > last ? valueOn : last), first.valueOn),
  }
  if (await waitsForExitRequest(ctx.tx, together, ctx.at)) return
  for (const payment of held) await postHeld(ctx, loanCase, payment)
}

const readHeldPayments = async ({ tx }: Write, { caseRef }: Case): Promise<HeldPayment[]> =>
  (await readPayments(tx, caseRef)).filter(isHeldPayment)

const postHeld = (ctx: ReportContext & Write, loanCase: Case, before: HeldPayment): Promise<void> =>
  postPayment(ctx, loanCase, {
    before,
    change: { status: requireStatusAfter(before, 'confirmed'), valueOn: before.valueOn },
  })

/** Posts one held payment as an officer decided. Throws `wrong-state` if it no longer waits. */
export async function postHeldPayment(ctx: ReportContext & Write, loanCase: Case, paymentId: string): Promise<void> {
  const payment = await findPayment(ctx.tx, loanCase.caseRef, paymentId)
  if (!payment || !isHeldPayment(payment)) throw new Refusal('wrong-state', 'this payment no longer waits')
  await postHeld(ctx, loanCase, payment)
}

/** Posts all held payments of a locked case, after the exit was requested or is no longer possible. */
export async function postHeldPayments(ctx: ReportContext & Write, loanCase: Case): Promise<void> {
  for (const payment of await readHeldPayments(ctx, loanCase)) await postHeld(ctx, loanCase, payment)
}

/** Reviews a held payment at the start of each day until it is posted. */
export const heldPaymentWorker = (ctx: Context): Worker =>
  work<PostJob>({
    kind,
    ...ctx,
    async handle({ payload: { caseRef, paymentId } }) {
      const at = ctx.clock()
      const isHeld = await ctx.db.tx(async (tx) => {
        await reviewHeldPayments({ ...ctx, tx, at }, await lockCase(tx, caseRef))
        const payment = await findPayment(tx, caseRef, paymentId)
        return payment && isHeldPayment(payment)
      })
      const seconds = (tomorrow(at).getTime() - at.getTime()) / 1000
      if (isHeld) throw new RetryLater(seconds, 'an officer has not decided yet')
    },
  })
