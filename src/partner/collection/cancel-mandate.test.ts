// A loan that is closed takes its mandate with it, however it was closed; one that is opened again in time keeps it.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { businessDate } from '#kit/money/calendar.ts'
import { lockCase } from '#partner/case/store.ts'
import { accountOf, payoffOf } from '#partner/loan/account.ts'
import { closedKind, lateReturnDays } from '#partner/loan/closed.ts'
import { dayEnd } from '#partner/loan/day-end.ts'
import { postReceipt } from '#partner/loan/post-receipt.ts'
import { reverseReceipt } from '#partner/loan/reverse-receipt.ts'
import { readSnapshot } from '#partner/receiver/snapshot.ts'
import { putOnFile } from '#sandbox/bank/receipt.ts'
import { findMandate } from '#sandbox/bank/store.ts'
import { openCollections } from '#test/setup/collection.ts'
import { until } from '#test/setup/programs.ts'
import { cancellingOfClosed } from './cancel-mandate.ts'
import { takeLoss } from './send-payment-event.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx

/** A loan that was paid out some days ago, its mandate on file at the bank. */
async function loan(daysAgo: number) {
  const umrn = `SBXC${randomBytes(8).toString('hex').toUpperCase()}`
  await putOnFile(
    bank.db,
    { umrn, maximumPaise: 10_000_00n, validFrom: '2026-01-01', validUntil: '2036-01-01', status: 'ACTIVE' },
    ctx.clock(),
  )
  const caseRef = await open.disbursedLoan('1234', { daysAgo, mandate: { umrn } })
  const atBank = async () => (await findMandate(bank.db, umrn))?.status
  const inStatus = async () => (await readSnapshot(db, ctx, 'LENDLOOM', caseRef))!.checks.mandate
  return { caseRef, umrn, atBank, inStatus }
}
const act = <T>(caseRef: string, work: (tx: Parameters<typeof lockCase>[0], at: Date) => Promise<T>) =>
  db.tx(async (tx) => {
    await lockCase(tx, caseRef)
    return work(tx, ctx.clock())
  })
const pay = (caseRef: string, paise: bigint, paymentId: string) =>
  act(caseRef, (tx, at) => postReceipt(tx, { caseRef, paymentId, paise, valueOn: businessDate(at) }, at))
/** Pays what closes the loan today. */
async function close(caseRef: string, paymentId = 'all') {
  const at = ctx.clock()
  const { total } = (await payoffOf(db, caseRef, businessDate(at), at))!
  await pay(caseRef, total, paymentId)
  assert.equal((await accountOf(db, caseRef))!.loanStatus, 'CLOSED')
}
/** Closings that nobody has dealt with. */
const waiting = async () => (await db`select 1 from job where kind = ${closedKind}`).length
/** Once the bank has done it, Status says it (D3 §4.4). */
async function cancelled(each: Awaited<ReturnType<typeof loan>>): Promise<void> {
  await until('Status says that its mandate is cancelled', async () => (await each.inStatus()) === 'CANCELLED')
  assert.equal(await each.atBank(), 'CANCELLED')
}

test('D3 §3: a loan that was closed has its mandate cancelled at the bank, once the bank can no longer return its last debit', async () => {
  const [closed, running] = [await loan(10), await loan(10)]
  await close(closed.caseRef)
  const working = open.runWorkers(cancellingOfClosed)
  open.advanceClock({ days: lateReturnDays - 1 })
  assert.equal(await closed.atBank(), 'ACTIVE', 'a debit that comes back would be presented again')
  open.advanceClock({ days: 1, seconds: 60 })
  await cancelled(closed)
  assert.deepEqual([await running.atBank(), await running.inStatus()], ['ACTIVE', 'ACTIVE'])
  await working()
})

test('D3 §3: a loan that was opened again keeps its mandate, and loses it with the next closing', async () => {
  const each = await loan(10)
  await close(each.caseRef)
  await act(each.caseRef, (tx, at) => {
    const reversal = {
      caseRef: each.caseRef,
      paymentId: 'all',
      reversalPaymentId: 'none',
      reversedOn: businessDate(at),
    }
    return reverseReceipt(tx, reversal, at)
  })
  open.advanceClock({ days: lateReturnDays, seconds: 60 })
  const working = open.runWorkers(cancellingOfClosed)
  await until('the first closing was looked at', async () => (await waiting()) === 0)
  assert.equal(await each.atBank(), 'ACTIVE')
  await close(each.caseRef, 'again')
  open.advanceClock({ days: lateReturnDays, seconds: 60 })
  await cancelled(each)
  await working()
})

test('D3 §6.7: the mandate of a loan that is written off stays, for its borrower owes it as before, and goes when the claim is paid', async () => {
  const each = await loan(10)
  await dayEnd(ctx, businessDate(ctx.clock()), async () => {})
  await act(each.caseRef, async (tx, at) => takeLoss({ tx, at }, await lockCase(tx, each.caseRef)))
  open.advanceClock({ days: lateReturnDays, seconds: 60 })
  const working = open.runWorkers(cancellingOfClosed)
  assert.equal(await waiting(), 0)
  assert.equal(await each.atBank(), 'ACTIVE')
  await close(each.caseRef)
  open.advanceClock({ days: lateReturnDays, seconds: 60 })
  await cancelled(each)
  await working()
})

test('D3 §6.7: a bank that is down is told again until it says that the mandate has ended; one it does not know is done with', async () => {
  const [each, unknown] = [await loan(10), await open.disbursedLoan('1234', { daysAgo: 10 })]
  await Promise.all([close(each.caseRef), close(unknown)])
  open.advanceClock({ days: lateReturnDays, seconds: 60 })
  const down = { ...ctx, config: { ...ctx.config, BANK_URL: 'http://127.0.0.1:1/bank' } }
  const failing = open.runWorkers(() => cancellingOfClosed(down))
  await until(
    'it was tried',
    async () => (await db`select 1 from job where kind = ${closedKind} and attempt > 0`).length > 1,
  )
  await failing()
  assert.deepEqual([await each.atBank(), await each.inStatus(), await waiting()], ['ACTIVE', 'ACTIVE', 2])
  open.advanceClock({ days: 1 })
  const working = open.runWorkers(cancellingOfClosed)
  await cancelled(each)
  await until('nothing is left to tell', async () => (await waiting()) === 0)
  await working()
})
