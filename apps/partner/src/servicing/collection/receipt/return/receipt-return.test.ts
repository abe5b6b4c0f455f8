// Tests returns of unmatched receipts to their payers: the order, the bank's answers, the books, and what they exclude.
// Also money that the bank took back by itself.

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { required } from '@lendloom/foundation/required'
import { businessDate } from '@lendloom/lending/calendar'
import { firstRows } from '@lendloom/postgres/keyset'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { accountEnding } from '@lendloom/tests/setup/bank'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { assertUnpostedLaw } from '@lendloom/tests/setup/unposted-law'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { rederiveBooks } from '#partner/records/report/rederive-books.ts'
import { postByHand, reverseByHand } from '#partner/servicing/collection/receipt/post-by-hand.ts'
import { receiveReceipt } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { readReceipt, unpostedReceipts } from '#partner/servicing/collection/receipt/store.ts'
import { bookedMovements } from '#partner/servicing/collection/statement/store.ts'
import { returnTransfer } from '#partner/servicing/collection/transfer/return-transfer.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { orderReturn, receiptReturnWorker } from './order-return.ts'
import { recordTakenBack } from './record-taken-back.ts'
import { requireReturn } from './store.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
open.runWorkers(receiptReturnWorker)
const provider = ctx.config.BANK_NAME
afterEach(async () => {
  await assertUnpostedLaw(db)
  const { figures } = await db.snapshot(rederiveBooks)
  assert.deepEqual(
    figures.filter(({ derived, stored }) => derived !== stored),
    [],
  )
})

const payer = 'MOHAN LAL'
async function arrive(remark: string | null = null) {
  const receiptId = uuidv4()
  await receiveReceipt(ctx, {
    receipt_id: receiptId,
    method: 'NEFT',
    transaction_reference: `UTR${receiptId}`.replaceAll('-', '').toUpperCase(),
    amount: '97640.00',
    currency: 'INR',
    value_date: businessDate(ctx.clock()),
    payer_name: payer,
    remark,
    at: ctx.clock().toISOString(),
  })
  return { provider, receiptId }
}
type Key = Awaited<ReturnType<typeof arrive>>
const order = (key: Key, digits = '1234', holder = payer) =>
  db.tx((tx) => orderReturn({ ...ctx, tx, at: ctx.clock() }, key, accountEnding(digits, holder)))
const post = (key: Key, caseRef: string) =>
  db.tx(async (tx) => postByHand({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), key))
const waitFor = async (returnId: string, status: string) => {
  await until(`the return is ${status}`, async () => (await requireReturn(db, returnId)).status === status)
  return requireReturn(db, returnId)
}
const isUnposted = async ({ receiptId }: Key) =>
  (await unpostedReceipts(db, firstRows(100))).some((each) => each.receiptId === receiptId)
const books = () => balancesOf(db, 'receipts')
const transfersAtBank = (returnId: string) => bank.db`select 1 from bank_transfer where client_reference = ${returnId}`

test('D3 §6.4: a return moves the receipt through a payable to the bank, which confirms it once', async () => {
  const before = await books()
  const key = await arrive()
  bank.policy.settleSeconds = 3600
  const { returnId } = await order(key)
  assert.equal(await isUnposted(key), false)
  await waitFor(returnId, 'SENT')
  const sent = await books()
  assert.equal(sent.UNPOSTED, before.UNPOSTED)
  assert.equal(sent.REFUND_PAYABLE, before.REFUND_PAYABLE - 97_640_00n)
  assert.equal(sent.BANK, before.BANK + 97_640_00n)
  await assert.rejects(order(key), /this receipt is being sent back to its payer/)
  bank.policy.settleSeconds = 0
  open.advanceClock({ seconds: 3600 })
  const { bankReference } = await waitFor(returnId, 'PAID')
  assert.deepEqual(await books(), before)
  await assert.rejects(order(key), /this receipt was sent back/)
  assert.equal((await transfersAtBank(returnId)).length, 1)
  const today = businessDate(ctx.clock())
  const movements = await bookedMovements(db, { fromOn: today, toOn: today })
  assert.deepEqual(
    movements.filter(({ reference }) => reference === bankReference).map(({ paise }) => paise),
    [-97_640_00n],
  )
})

test('D3 §6.4: a receipt is never posted while its return is under way, by hand or by its claim', async () => {
  const caseRef = await open.disbursedLoan()
  const { loanId } = (await accountOf(db, caseRef))!
  const key = await arrive()
  bank.policy.settleSeconds = 3600
  const { returnId } = await order(key)
  await assert.rejects(post(key, caseRef), /this receipt is being sent back to its payer/)
  await waitFor(returnId, 'SENT')
  await assert.rejects(post(key, caseRef), /this receipt is being sent back to its payer/)
  assert.equal((await readReceipt(db, provider, key.receiptId)).paymentId, null)
  const posted = await arrive(`loan ${loanId}`)
  await assert.rejects(order(posted), /this receipt is posted to a loan/)
  bank.policy.settleSeconds = 0
  open.advanceClock({ seconds: 3600 })
  await waitFor(returnId, 'PAID')
  await assert.rejects(post(key, caseRef), /this receipt was sent back to its payer/)
})

test('D3 §6.4: two orders at once return a receipt once', async () => {
  const key = await arrive()
  const results = await Promise.allSettled([1, 2, 3].map(() => order(key)))
  const [ordered, ...others] = results.filter((each) => each.status === 'fulfilled')
  assert.equal(others.length, 0)
  // The following tests compare the books, which the bank's answer changes.
  await waitFor(required(ordered, 'return').value.returnId, 'PAID')
})

test('D3 §6.4: a return that fails leaves the receipt to be posted or returned again', async () => {
  const caseRef = await open.disbursedLoan()
  const before = await books()
  const key = await arrive()
  const { returnId } = await order(key, '9301')
  const failed = await waitFor(returnId, 'FAILED')
  assert.ok(failed.reasonCode)
  assert.equal(await isUnposted(key), true)
  assert.equal((await books()).UNPOSTED, before.UNPOSTED - 97_640_00n)
  const again = await order(key, '9301')
  assert.notEqual(again.returnId, returnId)
  await waitFor(again.returnId, 'FAILED')
  await post(key, caseRef)
  assert.deepEqual(await books(), before)
})

for (const [digits, fault] of [
  ['9304', 'ACCOUNT_NAME_MISMATCH'],
  ['9305', 'ACCOUNT_INVALID'],
] as const)
  test(`D3 §6.7: no money is sent back to an account that the bank does not know as the payer’s: ${fault}`, async () => {
    const key = await arrive()
    const { returnId } = await order(key, digits)
    const { reasonCode } = await waitFor(returnId, 'FAILED')
    assert.ok(digits !== '9304' || reasonCode === fault)
    assert.equal((await transfersAtBank(returnId)).length, 0)
    assert.equal(await isUnposted(key), true)
  })

test('D3 §2.5: money that the bank took back leaves the books once, and is never posted, returned or a transfer’s return', async () => {
  const caseRef = await open.disbursedLoan()
  const before = await books()
  const key = await arrive()
  const debit = { takenBackOn: businessDate(ctx.clock()), bankReference: `RTN-${key.receiptId}` }
  const record = () => db.tx((tx) => recordTakenBack({ tx, at: ctx.clock() }, key, debit))
  const results = await Promise.allSettled([record(), record()])
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.deepEqual(await books(), before)
  assert.equal(await isUnposted(key), false)
  const taken = /the bank took the money of this receipt back/
  await assert.rejects(record(), taken)
  await assert.rejects(order(key), taken)
  await assert.rejects(post(key, caseRef), taken)
  const transfer = { kind: 'disbursement', caseRef, transferId: uuidv4() } as const
  const asReturn = async (tx: Tx) =>
    returnTransfer({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), { ...key, transfer })
  await assert.rejects(db.tx(asReturn), taken)
  const movements = await bookedMovements(db, { fromOn: debit.takenBackOn, toOn: debit.takenBackOn })
  const own = movements.filter(({ reference }) => reference.endsWith(key.receiptId.replaceAll('-', '').toUpperCase()))
  assert.deepEqual(own.map(({ paise }) => paise).sort(), [-97_640_00n, 97_640_00n])
})

test('D3 §2.5: a posted receipt is taken back only after its posting was reversed', async () => {
  const caseRef = await open.disbursedLoan()
  const before = await books()
  const key = await arrive()
  const debit = { takenBackOn: businessDate(ctx.clock()), bankReference: `RTN-${key.receiptId}` }
  const record = () => db.tx((tx) => recordTakenBack({ tx, at: ctx.clock() }, key, debit))
  await post(key, caseRef)
  await assert.rejects(record(), /this receipt is posted to a loan/)
  const { paymentId } = await readReceipt(db, provider, key.receiptId)
  await db.tx(async (tx) =>
    reverseByHand({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), required(paymentId, 'payment')),
  )
  await record()
  assert.deepEqual(await books(), before)
  await assert.rejects(post(key, caseRef), /the bank took the money of this receipt back/)
})

test('D3 §6.7: a bank that does not answer an order is asked until it has the result', async () => {
  const key = await arrive()
  const { returnId } = await order(key, '9302')
  await until('the bank was asked', async () => (await requireReturn(db, returnId)).status !== 'ORDERED')
  assert.match((await requireReturn(db, returnId)).status, /UNKNOWN|SENT|PAID/)
  await waitFor(returnId, 'PAID')
  assert.equal((await transfersAtBank(returnId)).length, 1)
})
