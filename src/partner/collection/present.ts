// Presents a prepared debit once under its collection's id; what is unknown afterwards is enquired, never sent again (D3 §6.7).

import type { Debit } from '#contract/bank/bank.ts'
import { businessDate } from '#kit/calendar.ts'
import { rupees } from '#kit/money.ts'
import { type Job, Later, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import { enquireDebit, presentDebit, type Word } from '#partner/bank/client.ts'
import { lockCase } from '#partner/case/store.ts'
import type { World } from '#partner/world.ts'
import { type PresentJob, presentKind } from './enqueue-present.ts'
import { isWithinHours } from './hours.ts'
import { hasArrivedByNow, patience, worrying } from './patience.ts'
import { payeeOf } from './payee.ts'
import { type Move, moved, type Payment } from './payment.ts'
import { planFor } from './plan-for.ts'
import { settleDebit } from './settle-debit.ts'
import { findPayment, type PaymentChange, putHold, writePayment } from './store.ts'
import { tellPayment } from './tell.ts'

export const presenting = (world: World): Worker =>
  work<PresentJob>({
    kind: presentKind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    handle: (job) => pursue(world, job),
    retrySeconds: (attempt) => patience(world, attempt),
  })

/** A debit that was looked at because its result is late. */
const rarelySeconds = 3600

/** One step of a debit. Once the bank has it, its results come in the bank's list, and nothing is left to do here. */
async function pursue(world: World, { payload, attempt }: Job<PresentJob>): Promise<void> {
  const payment = (await findPayment(world.db, payload.caseRef, payload.paymentId))!
  if (payment.status === 'PREPARED') await present(world, payment)
  else if (payment.status === 'UNKNOWN' || payment.status === 'SUBMITTED') await enquireCollection(world, payment)
  const { status } = (await findPayment(world.db, payload.caseRef, payload.paymentId))!
  if (payment.status === 'SUBMITTED' && status === 'SUBMITTED') throw new Later(rarelySeconds, 'no result yet')
  if (status !== 'PREPARED' && status !== 'UNKNOWN') return
  if (attempt === worrying) world.alert('a debit has no result yet', { ...payload, status })
  throw new Later(patience(world, attempt), `the debit is ${status}`)
}

/** First it is recorded that the debit is on its way, then it goes: whoever comes after a crash enquires. */
async function present(world: World, before: Payment): Promise<void> {
  const sent = await markSent(world, before)
  if (sent.status !== 'UNKNOWN') return
  const { account, pan } = await payeeOf(world.db, world, sent.caseRef)
  const word = await presentDebit(world, {
    reference: sent.collectionId!,
    umrn: sent.umrn!,
    amount: rupees(sent.amountPaise),
    currency: 'INR',
    collection_date: sent.collectionOn!,
    debtor: account,
    pan,
  })
  if (word.is === 'refused') await refuse(world, sent)
  else if (word.is === 'said') await hear(world, sent, word)
  else await tellUnknown(world, sent)
}

/**
 * What was due when the debit was prepared may have been paid since, the mandate may have ended, the day may be over: then
 * it is dropped, or failed if the platform has heard of it, and another day brings another debit.
 */
const markSent = (world: World, before: Payment): Promise<Payment> =>
  world.db.tx(async (tx) => {
    const kase = await lockCase(tx, before.caseRef)
    const at = world.clock()
    const payment = (await findPayment(tx, before.caseRef, before.paymentId))!
    if (payment.status !== 'PREPARED') return payment
    const on = businessDate(at)
    const plan = await planFor(tx, world, payment.caseRef, at, payment.paymentId)
    const isOwed = 'amountPaise' in plan && plan.umrn === payment.umrn && plan.amountPaise >= payment.amountPaise
    if (isOwed && payment.collectionOn === on && isWithinHours(world, at))
      return writePayment(tx, payment, { status: moved(payment, 'sent')!, submittedAt: at }, at)
    if (payment.submittedAt === null) return writePayment(tx, payment, { status: moved(payment, 'dropped')! }, at)
    const failed = { status: moved(payment, 'refused')!, reasonCode: 'NOT_PRESENTED' }
    const after = await writePayment(tx, payment, failed, at)
    await tellPayment(tx, world, kase, after, at)
    return after
  })

/** Asks the bank by the original reference, and records whatever it says. */
export async function enquireCollection(world: World, before: Payment): Promise<void> {
  const word = await enquireDebit(world, before.collectionId!)
  if (word.is === 'said') await hear(world, before, word)
  if (word.is === 'unseen' && before.status === 'UNKNOWN' && hasArrivedByNow(world, before.submittedAt!))
    await record(world, before, 'unseen', {})
}

async function hear(world: World, payment: Payment, { value }: Extract<Word<Debit>, { is: 'said' }>): Promise<void> {
  if (value.amount !== rupees(payment.amountPaise))
    return world.alert('the bank has a debit of another amount than the one presented', {
      caseRef: payment.caseRef,
      paymentId: payment.paymentId,
    })
  // A result that leaves the bank unsure is no acknowledgement of ours.
  if (payment.resultSequence === 0)
    await record(world, payment, 'acknowledged', { providerReference: value.provider_reference })
  for (const result of value.results) await settleDebit(world, result)
}

type Beside = (tx: Tx, payment: Payment, at: Date) => Promise<void>

const record = (world: World, before: Payment, move: Move, change: PaymentChange, beside?: Beside): Promise<void> =>
  world.db.tx(async (tx) => {
    const kase = await lockCase(tx, before.caseRef)
    const at = world.clock()
    const payment = (await findPayment(tx, before.caseRef, before.paymentId))!
    const status = moved(payment, move)
    if (!status) return
    const after = await writePayment(tx, payment, { ...change, status }, at)
    await beside?.(tx, after, at)
    if (status !== 'PREPARED') await tellPayment(tx, world, kase, after, at)
  })

/** The bank does not take such a debit at all: it would not take the next one either, so a person has to look. */
async function refuse(world: World, payment: Payment): Promise<void> {
  const reasonCode = 'REFUSED_BY_BANK'
  await record(world, payment, 'refused', { reasonCode }, (tx, { caseRef, paymentId }, sinceAt) =>
    putHold(tx, { caseRef, policy: 'review', reasonCode, umrn: null, paymentId, sinceAt }),
  )
  world.alert('the bank refuses a debit', { caseRef: payment.caseRef, paymentId: payment.paymentId })
}

/** No answer came in time: the platform is told that the debit is being processed, and nothing else is known. */
const tellUnknown = (world: World, before: Payment): Promise<void> =>
  world.db.tx(async (tx) => {
    const kase = await lockCase(tx, before.caseRef)
    const payment = (await findPayment(tx, before.caseRef, before.paymentId))!
    if (payment.status === 'UNKNOWN') await tellPayment(tx, world, kase, payment, world.clock())
  })
