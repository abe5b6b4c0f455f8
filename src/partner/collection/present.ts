// Presents a prepared debit once under its collection's id; what is unknown afterwards is enquired, never sent again (D3 §6.7).

import type { BankDebit as DebitReply } from '#contract/bank/bank.ts'
import type { Tx } from '#kit/db/sql.ts'
import { type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { rupees } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import { type BankReply, enquireDebit, presentDebit } from '#partner/bank/client.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import { type PresentJob, presentKind } from './enqueue-present.ts'
import { isWithinHours } from './hours.ts'
import { enquirySchedule, hasArrivedByNow, worrying } from './patience.ts'
import { payerOf } from './payee.ts'
import { type Debit, moved, movedBy, type PaymentMove } from './payment.ts'
import { planFor } from './plan-for.ts'
import { reportPayment } from './send-payment-event.ts'
import { settleDebit } from './settle-debit.ts'
import { type PaymentChange, putHold, readDebit, readPayment, writePayment } from './store.ts'

export const presenting = (ctx: Context): Worker =>
  work<PresentJob>({
    kind: presentKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => pursue(ctx, job),
    schedule: enquirySchedule(ctx),
  })

/** For a debit that is checked because its result is late. */
const rarelySeconds = 3600

/** One step of a debit. Once the bank has it, the bank's list reports its results, and no step is left. */
async function pursue(ctx: Context, { payload, attempt }: Job<PresentJob>): Promise<void> {
  const payment = await readDebit(ctx.db, payload.caseRef, payload.paymentId)
  if (payment.status === 'PREPARED') await present(ctx, payment)
  else if (payment.status === 'UNKNOWN' || payment.status === 'SUBMITTED') await enquireCollection(ctx, payment)
  const { status } = await readPayment(ctx.db, payload.caseRef, payload.paymentId)
  if (payment.status === 'SUBMITTED' && status === 'SUBMITTED') throw new RetryLater(rarelySeconds, 'no result yet')
  if (status !== 'PREPARED' && status !== 'UNKNOWN') return
  if (attempt === worrying) ctx.alert('a debit has no result yet', { ...payload, status })
  throw new RetryLater(null, `the debit is ${status}`)
}

/** Records that the debit is on its way before sending it: after a crash the bank is asked instead. */
async function present(ctx: Context, before: Debit): Promise<void> {
  const sent = await markSent(ctx, before)
  if (sent.status !== 'UNKNOWN') return
  const { account, pan } = await payerOf(ctx.db, ctx, sent.caseRef)
  const word = await presentDebit(ctx, {
    reference: sent.collectionId,
    umrn: sent.umrn,
    amount: rupees(sent.amountPaise),
    currency: 'INR',
    collection_date: sent.collectionOn,
    debtor: account,
    pan,
  })
  if (word.is === 'refused') await refuse(ctx, sent)
  else if (word.is === 'answered') await receive(ctx, sent, word)
  else await reportUnknown(ctx, sent)
}

/**
 * Since the debit was prepared its rows may have been paid, the mandate may have ended, or the day may be over: then it
 * is dropped, or failed if it was reported to the platform, and another day brings another debit.
 */
const markSent = (ctx: Context, before: Debit): Promise<Debit> =>
  ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, before.caseRef)
    const at = ctx.clock()
    const payment = await readDebit(tx, before.caseRef, before.paymentId)
    if (payment.status !== 'PREPARED') return payment
    const on = businessDate(at)
    const plan = await planFor({ ...ctx, tx, at }, { caseRef: payment.caseRef, except: payment.paymentId })
    const isOwed = 'amountPaise' in plan && plan.umrn === payment.umrn && plan.amountPaise >= payment.amountPaise
    if (isOwed && payment.collectionOn === on && isWithinHours(ctx, at))
      return writePayment(tx, payment, { status: movedBy(payment, 'sent'), submittedAt: at }, at)
    if (payment.submittedAt === null) return writePayment(tx, payment, { status: movedBy(payment, 'dropped') }, at)
    const failed = { status: movedBy(payment, 'refused'), reasonCode: 'NOT_PRESENTED' }
    const after = await writePayment(tx, payment, failed, at)
    await reportPayment({ ...ctx, tx, at }, loanCase, after)
    return after
  })

/** Asks the bank by the original reference and records its answer. */
export async function enquireCollection(ctx: Context, before: Debit): Promise<void> {
  const word = await enquireDebit(ctx, before.collectionId)
  if (word.is === 'answered') await receive(ctx, before, word)
  if (
    word.is === 'unseen' &&
    before.status === 'UNKNOWN' &&
    hasArrivedByNow(ctx, required(before.submittedAt, 'when a debit was sent'))
  )
    await record(ctx, before, { move: 'unseen', change: {} })
}

async function receive(
  ctx: Context,
  payment: Debit,
  { value }: Extract<BankReply<DebitReply>, { is: 'answered' }>,
): Promise<void> {
  if (value.amount !== rupees(payment.amountPaise))
    return ctx.alert('the bank has a debit of another amount than the one presented', {
      caseRef: payment.caseRef,
      paymentId: payment.paymentId,
    })
  // An undecided result of the bank is not our acknowledgement.
  if (payment.resultSequence === 0)
    await record(ctx, payment, { move: 'acknowledged', change: { providerReference: value.provider_reference } })
  for (const result of value.results) await settleDebit(ctx, result)
}

type ExtraWrite = (tx: Tx, payment: Debit, at: Date) => Promise<void>

interface PaymentStep {
  move: PaymentMove
  change: PaymentChange
  beside?: ExtraWrite
}

const record = (ctx: Context, before: Debit, { move, change, beside }: PaymentStep): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, before.caseRef)
    const at = ctx.clock()
    const payment = await readDebit(tx, before.caseRef, before.paymentId)
    const status = moved(payment, move)
    if (!status) return
    const after = await writePayment(tx, payment, { ...change, status }, at)
    await beside?.(tx, after, at)
    if (status !== 'PREPARED') await reportPayment({ ...ctx, tx, at }, loanCase, after)
  })

/** The bank rejects such a debit as a whole and would reject the next one too, so a person must review it. */
async function refuse(ctx: Context, payment: Debit): Promise<void> {
  const reasonCode = 'REFUSED_BY_BANK'
  await record(ctx, payment, {
    move: 'refused',
    change: { reasonCode },
    beside: (tx, { caseRef, paymentId }, sinceAt) =>
      putHold(tx, { caseRef, policy: 'review', reasonCode, umrn: null, paymentId, sinceAt }),
  })
  ctx.alert('the bank refuses a debit', { caseRef: payment.caseRef, paymentId: payment.paymentId })
}

/** Without an answer in time the platform only learns that the debit is being processed. */
const reportUnknown = (ctx: Context, before: Debit): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, before.caseRef)
    const payment = await readDebit(tx, before.caseRef, before.paymentId)
    if (payment.status === 'UNKNOWN') await reportPayment({ ...ctx, tx, at: ctx.clock() }, loanCase, payment)
  })
