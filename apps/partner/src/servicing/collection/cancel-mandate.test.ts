// Tests when the mandate of a loan is cancelled at the bank.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { businessDate } from '@lendloom/lending/calendar'
import { storeMandateOnFile } from '@lendloom/sandbox/src/bank/receipts.ts'
import { findMandate } from '@lendloom/sandbox/src/bank/store.ts'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { readCaseSnapshot } from '#partner/api/case-snapshot.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { accountOf, payoffOf } from '#partner/servicing/loan/account-view.ts'
import { dayEnd } from '#partner/servicing/loan/day-end.ts'
import { postReceipt } from '#partner/servicing/loan/post-receipt.ts'
import { closedLoanQueue, lateReturnDays } from '#partner/servicing/loan/queue-closed-loans.ts'
import { reverseReceipt } from '#partner/servicing/loan/reverse-receipt.ts'
import { closedLoanWorker } from './cancel-mandate.ts'
import { writeOffLoan } from './give-up-dues.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx

/** Creates a loan that was disbursed some days ago, with a mandate at the bank. */
async function openLoan(daysAgo: number) {
  const umrn = `SBXC${randomBytes(8).toString('hex').toUpperCase()}`
  await storeMandateOnFile(
    bank.db,
    { umrn, maximumPaise: 10_000_00n, validFrom: '2026-01-01', validUntil: '2036-01-01', status: 'ACTIVE' },
    ctx.clock(),
  )
  const caseRef = await open.disbursedLoan('1234', { daysAgo, mandate: { umrn } })
  const statusAtBank = async () => (await findMandate(bank.db, umrn))?.status
  const reportedStatus = async () => (await readCaseSnapshot(db, ctx, 'LENDLOOM', caseRef))!.checks.mandate
  return { caseRef, umrn, statusAtBank, reportedStatus }
}
const withLock = <T>(caseRef: string, work: (tx: Parameters<typeof lockCase>[0], at: Date) => Promise<T>) =>
  db.tx(async (tx) => {
    await lockCase(tx, caseRef)
    return work(tx, ctx.clock())
  })
const pay = (caseRef: string, paise: bigint, paymentId: string) =>
  withLock(caseRef, (tx, at) => postReceipt(tx, { caseRef, paymentId, paise, valueOn: businessDate(at) }, at))
/** Pays today's payoff. */
async function close(caseRef: string, paymentId = 'all') {
  const at = ctx.clock()
  const { total } = (await payoffOf(db, caseRef, businessDate(at), at))!
  await pay(caseRef, total, paymentId)
  assert.equal((await accountOf(db, caseRef))!.loanStatus, 'CLOSED')
}
const countPendingJobs = async () => (await db`select 1 from job where kind = ${closedLoanQueue}`).length
/** Waits until the mandate is cancelled in Status and at the bank (D3 §4.4). */
async function assertCancelled(testLoan: Awaited<ReturnType<typeof openLoan>>): Promise<void> {
  await until('Status reports the mandate as cancelled', async () => (await testLoan.reportedStatus()) === 'CANCELLED')
  assert.equal(await testLoan.statusAtBank(), 'CANCELLED')
}

test('D3 §3: the mandate of a closed loan is cancelled after the last day on which the bank can return a debit', async () => {
  const closed = await openLoan(10)
  const running = await openLoan(10)
  await close(closed.caseRef)
  const stopWorker = open.runWorkers(closedLoanWorker)
  open.advanceClock({ days: lateReturnDays - 1 })
  assert.equal(await closed.statusAtBank(), 'ACTIVE', 'a returned debit would need the mandate')
  open.advanceClock({ days: 1, seconds: 60 })
  await assertCancelled(closed)
  assert.equal(await running.statusAtBank(), 'ACTIVE')
  assert.equal(await running.reportedStatus(), 'ACTIVE')
  await stopWorker()
})

test('D3 §3: a reopened loan keeps its mandate until it is closed again', async () => {
  const testLoan = await openLoan(10)
  await close(testLoan.caseRef)
  await withLock(testLoan.caseRef, (tx, at) => {
    const reversal = {
      caseRef: testLoan.caseRef,
      paymentId: 'all',
      reversalPaymentId: 'none',
      reversedOn: businessDate(at),
    }
    return reverseReceipt(tx, reversal, at)
  })
  open.advanceClock({ days: lateReturnDays, seconds: 60 })
  const stopWorker = open.runWorkers(closedLoanWorker)
  await until('the job of the first closing was processed', async () => (await countPendingJobs()) === 0)
  assert.equal(await testLoan.statusAtBank(), 'ACTIVE')
  await close(testLoan.caseRef, 'again')
  open.advanceClock({ days: lateReturnDays, seconds: 60 })
  await assertCancelled(testLoan)
  await stopWorker()
})

test('D3 §6.7: a written-off loan keeps its mandate until the claim is paid', async () => {
  const testLoan = await openLoan(10)
  await dayEnd(ctx, businessDate(ctx.clock()), async () => {})
  await withLock(testLoan.caseRef, async (tx, at) => writeOffLoan({ tx, at }, await lockCase(tx, testLoan.caseRef)))
  open.advanceClock({ days: lateReturnDays, seconds: 60 })
  const stopWorker = open.runWorkers(closedLoanWorker)
  assert.equal(await countPendingJobs(), 0)
  assert.equal(await testLoan.statusAtBank(), 'ACTIVE')
  await close(testLoan.caseRef)
  open.advanceClock({ days: lateReturnDays, seconds: 60 })
  await assertCancelled(testLoan)
  await stopWorker()
})

test('D3 §6.7: a cancellation is retried until the bank confirms it or reports the mandate as unknown', async () => {
  const testLoan = await openLoan(10)
  const unknownMandate = await open.disbursedLoan('1234', { daysAgo: 10 })
  await Promise.all([close(testLoan.caseRef), close(unknownMandate)])
  open.advanceClock({ days: lateReturnDays, seconds: 60 })
  const unreachableBank = { ...ctx, config: { ...ctx.config, BANK_URL: 'http://127.0.0.1:1/bank' } }
  const stopFailingWorker = open.runWorkers(() => closedLoanWorker(unreachableBank))
  await until(
    'both cancellations were tried',
    async () => (await db`select 1 from job where kind = ${closedLoanQueue} and attempt > 0`).length > 1,
  )
  await stopFailingWorker()
  assert.equal(await testLoan.statusAtBank(), 'ACTIVE')
  assert.equal(await testLoan.reportedStatus(), 'ACTIVE')
  assert.equal(await countPendingJobs(), 2)
  open.advanceClock({ days: 1 })
  const stopWorker = open.runWorkers(closedLoanWorker)
  await assertCancelled(testLoan)
  await until('no cancellation is left', async () => (await countPendingJobs()) === 0)
  await stopWorker()
})
