// Presents a prepared debit to the bank under its collection id. If the result is unknown, enquires instead of
// presenting the debit again (D3 §6.7).

import { required } from '@lendloom/foundation/required'
import { businessDate } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import type { BankDebit as DebitReply } from '@lendloom/wire/bank/bank'
import { type BankReply, enquireDebit, presentDebit } from '#partner/bank/client.ts'
import type { Context } from '#partner/context.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import {
  alertAfterEnquiries,
  enquirySchedule,
  isDeliveryOverdue,
} from '#partner/servicing/collection/enquiry-schedule.ts'
import {
  type Debit,
  type PaymentMove,
  requireStatusAfter,
  statusAfterMove,
} from '#partner/servicing/collection/payment.ts'
import {
  type PaymentChange,
  readDebit,
  readPayment,
  writePayment,
} from '#partner/servicing/collection/payment-store.ts'
import { reportPayment } from '#partner/servicing/collection/report-to-platform.ts'
import { leadAccountOf } from '#partner/servicing/collection/transfer/payout-account.ts'
import { applyDebitResult } from './apply-debit-result.ts'
import { type PresentationJob, presentationKind } from './enqueue-presentation.ts'
import { planNextDebit } from './plan-next-debit.ts'
import { putHold } from './store.ts'

export const debitWorker = (ctx: Context): Worker =>
  work<PresentationJob>({
    kind: presentationKind,
    ...ctx,
    handle: (job) => advanceDebit(ctx, job),
    schedule: enquirySchedule(ctx),
  })

/** Pause between enquiries about a debit that the bank has, but whose result is late. */
const lateResultSeconds = 3600

/** Presents the debit or enquires about it, as its status requires. Retries until the bank has a result. */
async function advanceDebit(ctx: Context, { payload, attempt }: Job<PresentationJob>): Promise<void> {
  const payment = await readDebit(ctx.db, payload.caseRef, payload.paymentId)
  if (payment.status === 'PREPARED') await present(ctx, payment)
  else if (payment.status === 'UNKNOWN' || payment.status === 'SUBMITTED') await enquireCollection(ctx, payment)
  const { status } = await readPayment(ctx.db, payload.caseRef, payload.paymentId)
  if (payment.status === 'SUBMITTED' && status === 'SUBMITTED') throw new RetryLater(lateResultSeconds, 'no result yet')
  if (status !== 'PREPARED' && status !== 'UNKNOWN') return
  if (attempt === alertAfterEnquiries) ctx.alert('a debit has no result yet', { ...payload, status })
  throw new RetryLater(null, `the debit is ${status}`)
}

/** Records the debit as sent before sending it. After a crash the worker enquires, and does not send it twice. */
async function present(ctx: Context, before: Debit): Promise<void> {
  const sent = await markSent(ctx, before)
  if (sent.status !== 'UNKNOWN') return
  const { account, pan } = await leadAccountOf(ctx.db, ctx, sent.caseRef)
  const reply = await presentDebit(ctx, {
    reference: sent.collectionId,
    umrn: sent.umrn,
    amount: rupees(sent.amountPaise),
    currency: 'INR',
    collection_date: sent.collectionOn,
    debtor: account,
    pan,
  })
  if (reply.is === 'refused') await recordRejection(ctx, sent)
  else if (reply.is === 'answered') await recordReply(ctx, sent, reply)
  else await reportUnknown(ctx, sent)
}

/**
 * Marks the debit as sent if a recheck still plans it: its rows may have been paid, the mandate or the day may have
 * ended. Otherwise drops the debit, or fails it if it was reported to the platform before.
 */
const markSent = (ctx: Context, before: Debit): Promise<Debit> =>
  ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, before.caseRef)
    const at = ctx.clock()
    const payment = await readDebit(tx, before.caseRef, before.paymentId)
    if (payment.status !== 'PREPARED') return payment
    const on = businessDate(at)
    const plan = await planNextDebit({ ...ctx, tx, at }, { caseRef: payment.caseRef, recheckedId: payment.paymentId })
    const isStillPlanned =
      'amountPaise' in plan && plan.umrn === payment.umrn && plan.amountPaise >= payment.amountPaise
    if (isStillPlanned && payment.collectionOn === on)
      return writePayment(tx, payment, { status: requireStatusAfter(payment, 'sent'), submittedAt: at }, at)
    if (payment.submittedAt === null)
      return writePayment(tx, payment, { status: requireStatusAfter(payment, 'dropped') }, at)
    const failed = { status: requireStatusAfter(payment, 'refused'), reasonCode: 'NOT_PRESENTED' }
    const after = await writePayment(tx, payment, failed, at)
    await reportPayment({ ...ctx, tx, at }, loanCase, after)
    return after
  })

/** Asks the bank about the debit by its collection id, and records the answer. */
export async function enquireCollection(ctx: Context, before: Debit): Promise<void> {
  const reply = await enquireDebit(ctx, before.collectionId)
  if (reply.is === 'answered') await recordReply(ctx, before, reply)
  if (
    reply.is === 'not-found' &&
    before.status === 'UNKNOWN' &&
    isDeliveryOverdue(ctx, required(before.submittedAt, 'when a debit was sent'))
  )
    await record(ctx, before, { move: 'notFoundAtBank', change: {} })
}

async function recordReply(
  ctx: Context,
  payment: Debit,
  { value }: Extract<BankReply<DebitReply>, { is: 'answered' }>,
): Promise<void> {
  if (value.amount !== rupees(payment.amountPaise))
    return ctx.alert('the bank reported a debit with another amount than presented', {
      caseRef: payment.caseRef,
      paymentId: payment.paymentId,
    })
  // After the first result, an acknowledgement has no meaning.
  if (payment.resultSequence === 0)
    await record(ctx, payment, { move: 'acknowledged', change: { providerReference: value.provider_reference } })
  for (const result of value.results) await applyDebitResult(ctx, result)
}

interface PaymentStep {
  move: PaymentMove
  change: PaymentChange
  /** Writes more in the same transaction. */
  extraWrite?: (tx: Tx, payment: Debit, at: Date) => Promise<void>
}

const record = (ctx: Context, before: Debit, { move, change, extraWrite }: PaymentStep): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, before.caseRef)
    const at = ctx.clock()
    const payment = await readDebit(tx, before.caseRef, before.paymentId)
    const status = statusAfterMove(payment, move)
    if (!status) return
    const after = await writePayment(tx, payment, { ...change, status }, at)
    await extraWrite?.(tx, after, at)
    if (status !== 'PREPARED') await reportPayment({ ...ctx, tx, at }, loanCase, after)
  })

/** Puts the case on hold: the bank would reject the next debit too, so an officer must review the rejection. */
async function recordRejection(ctx: Context, payment: Debit): Promise<void> {
  const reasonCode = 'REFUSED_BY_BANK'
  await record(ctx, payment, {
    move: 'refused',
    change: { reasonCode },
    extraWrite: (tx, { caseRef, paymentId }, sinceAt) =>
      putHold(tx, { caseRef, policy: 'review', reasonCode, umrn: null, paymentId, sinceAt }),
  })
  ctx.alert('the bank rejected a debit', { caseRef: payment.caseRef, paymentId: payment.paymentId })
}

/** Reports the debit as PROCESSING, because the bank did not answer in time. */
const reportUnknown = (ctx: Context, before: Debit): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, before.caseRef)
    const payment = await readDebit(tx, before.caseRef, before.paymentId)
    if (payment.status === 'UNKNOWN') await reportPayment({ ...ctx, tx, at: ctx.clock() }, loanCase, payment)
  })
