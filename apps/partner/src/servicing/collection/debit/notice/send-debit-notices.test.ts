// Tests debits under a UPI mandate with the sandbox bank: the notice the day before, peak hours, pauses, the debit.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { storeMandateOnFile } from '@lendloom/sandbox/src/bank/receipts.ts'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { collectDue } from '#partner/servicing/collection/debit/collect-due.ts'
import { prepareDebit } from '#partner/servicing/collection/debit/prepare-debit.ts'
import { debitWorker } from '#partner/servicing/collection/debit/present-debit.ts'
import { readHold } from '#partner/servicing/collection/debit/store.ts'
import { readPayments } from '#partner/servicing/collection/payment-store.ts'
import { bankListWorker, queueBankLists } from '#partner/servicing/collection/read-bank-lists.ts'
import { debitNoticeWorker } from './send-debit-notices.ts'
import { readNotice } from './store.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
await queueBankLists(ctx)
open.runWorkers(debitWorker, bankListWorker, debitNoticeWorker)

/** Advances the clock to the next time that it is this hour in India. */
function advanceTo(hour: number) {
  const now = ctx.clock()
  const today = startOf(businessDate(now)).getTime() + hour * 3_600_000
  const next = today > now.getTime() ? today : today + 86_400_000
  open.advanceClock({ seconds: (next - now.getTime()) / 1000 })
}

let count = 0
/** Returns a loan under a UPI mandate, whose first instalment falls due tomorrow. */
async function upiLoan(digits?: string) {
  const umrn = `${String(++count).padStart(32, '0')}@okbank`
  const caseRef = await open.disbursedLoan(digits, { daysAgo: 6, mandate: { umrn, maximumAmount: '15000.00' } })
  const today = businessDate(ctx.clock())
  const mandate = { umrn, maximumPaise: 15_000_00n, validFrom: today, validUntil: plusDays(today, 300) }
  const storeStatus = (status: 'ACTIVE' | 'PAUSED' | 'CANCELLED') =>
    storeMandateOnFile(bank.db, { ...mandate, status }, ctx.clock())
  await storeStatus('ACTIVE')
  return { caseRef, storeStatus }
}

async function notify(caseRef: string) {
  const tomorrow = plusDays(businessDate(ctx.clock()), 1)
  await collectDue(ctx)
  await until('the notice', async () => (await readNotice(db, caseRef, tomorrow)) !== undefined)
  const { state, reasonCode, amountPaise } = (await readNotice(db, caseRef, tomorrow))!
  return { state, reasonCode, amountPaise }
}
const collectNow = (caseRef: string) => prepareDebit(ctx, caseRef, ctx.clock())
const statusesOf = async (caseRef: string) =>
  (await readPayments(db, caseRef)).map(({ status, method, reasonCode }) => `${method} ${reasonCode ?? status}`)

test('RBI, e-mandate framework: a UPI debit is presented a day after its notice, and outside the peak hours', async () => {
  advanceTo(9)
  const { caseRef } = await upiLoan()
  const late = await open.disbursedLoan('1234')
  assert.deepEqual(await notify(caseRef), { state: 'SENT', reasonCode: null, amountPaise: 479_000n })
  assert.equal(await readNotice(db, late, plusDays(businessDate(ctx.clock()), 1)), undefined, 'e-NACH needs none')
  advanceTo(8)
  assert.deepEqual(await collectNow(caseRef), { blocked: 'ANNOUNCED_TOO_LATE' })
  advanceTo(11)
  assert.deepEqual(await collectNow(caseRef), { blocked: 'OUTSIDE_HOURS' })
  const days = () => db`select 1 from collection_day where case_ref = ${caseRef}`
  assert.deepEqual(await days(), [], 'the case is checked again on this day')
  advanceTo(13)
  assert.ok('amountPaise' in (await collectNow(caseRef)))
  await until('the debit is posted', async () => `${await statusesOf(caseRef)}` === 'UPI_AUTOPAY POSTED')
})

test('RBI, e-mandate framework: without a notice there is no UPI debit', async () => {
  advanceTo(9)
  const { caseRef } = await upiLoan()
  advanceTo(13)
  open.advanceClock({ days: 1 })
  assert.deepEqual(await collectNow(caseRef), { blocked: 'NOT_ANNOUNCED' })
})

test('Setu, pausing a mandate: no notice and no debit while the borrower pauses the mandate, and no hold', async () => {
  advanceTo(9)
  const { caseRef, storeStatus } = await upiLoan()
  await storeStatus('PAUSED')
  assert.deepEqual(await notify(caseRef), { state: 'REFUSED', reasonCode: 'JPMP', amountPaise: 479_000n })
  advanceTo(9)
  assert.deepEqual(await collectNow(caseRef), { blocked: 'ANNOUNCEMENT_REFUSED' })
  assert.equal(await readHold(db, caseRef), undefined)
  await storeStatus('ACTIVE')
  assert.equal((await notify(caseRef)).state, 'SENT')
})

test('D3 §6.7: a debit that the bank returns because of a pause does not count as a try, and a revoked mandate is held', async () => {
  advanceTo(8)
  const { caseRef, storeStatus } = await upiLoan()
  await notify(caseRef)
  open.advanceClock({ days: 1, seconds: 60 })
  await storeStatus('PAUSED')
  await collectNow(caseRef)
  await until('the debit is returned', async () => `${await statusesOf(caseRef)}` === 'UPI_AUTOPAY JPMP')
  assert.equal(await readHold(db, caseRef), undefined)
  await storeStatus('CANCELLED')
  assert.equal((await notify(caseRef)).reasonCode, 'JPMR')
  assert.equal((await readHold(db, caseRef))?.policy, 'new-mandate')
})

test('D3 §6.7: the bank’s code of UPI for insufficient funds allows another try', async () => {
  advanceTo(8)
  const { caseRef } = await upiLoan('9311')
  await notify(caseRef)
  open.advanceClock({ days: 1, seconds: 60 })
  await collectNow(caseRef)
  await until('the debit is returned', async () => `${await statusesOf(caseRef)}` === 'UPI_AUTOPAY Z9')
  assert.deepEqual(await notify(caseRef), { state: 'NOT_NEEDED', reasonCode: 'TOO_SOON', amountPaise: null })
})
