// Tests refunds of overpayments: the order reserves the amount, and the bank confirms the refund or fails it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { firstRows } from '@lendloom/postgres/keyset'
import { uuidv4 } from '@lendloom/seal/id'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { requestExit } from '#partner/servicing/collection/request-exit.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { postReceipt } from '#partner/servicing/loan/post-receipt.ts'
import { reverseReceipt } from '#partner/servicing/loan/reverse-receipt.ts'
import { orderRefund, refundWorker } from './order-refund.ts'
import { listRefundsDue, refundsOf, requireRefund } from './store.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
open.runWorkers(refundWorker)

/** Creates a closed loan with this unapplied balance. The first receipt only finds out how much closes the loan. */
async function openOverpaidLoan(overpaidPaise: bigint, digits = '1234', daysAgo = 0): Promise<string> {
  const caseRef = await open.disbursedLoan(digits, { daysAgo })
  await receive(caseRef, 102_000_00n, 'first')
  const { unappliedPaise } = (await accountOf(db, caseRef))!
  await reverse(caseRef, 'first')
  await receive(caseRef, 102_000_00n - unappliedPaise, 'second')
  await receive(caseRef, overpaidPaise, 'overpayment')
  assert.equal((await accountOf(db, caseRef))!.unappliedPaise, overpaidPaise)
  return caseRef
}
const receive = (caseRef: string, paise: bigint, paymentId: string) =>
  db.tx(async (tx) => {
    await lockCase(tx, caseRef)
    const at = ctx.clock()
    return postReceipt(tx, { caseRef, paymentId, paise, valueOn: businessDate(at) }, at)
  })
const reverse = (caseRef: string, paymentId: string) =>
  db.tx(async (tx) => {
    await lockCase(tx, caseRef)
    const at = ctx.clock()
    const reversal = { caseRef, paymentId, reversalPaymentId: `${paymentId} bounced`, reversedOn: businessDate(at) }
    return reverseReceipt(tx, reversal, at)
  })
const order = (caseRef: string, paise: bigint) =>
  db.tx(async (tx) => orderRefund({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), paise))
const waitForStatus = async (caseRef: string, refundId: string, status: string) => {
  await until(`the refund is ${status}`, async () => (await requireRefund(db, caseRef, refundId)).status === status)
  return requireRefund(db, caseRef, refundId)
}
const refundDue = async (caseRef: string) =>
  (await listRefundsDue(db, firstRows(100))).find((each) => each.caseRef === caseRef)
const transfersAtBank = (refundId: string) => bank.db`select 1 from bank_transfer where client_reference = ${refundId}`

test('the order of a refund reserves the amount, and the bank’s confirmation posts the refund', async () => {
  const caseRef = await openOverpaidLoan(750_00n)
  assert.equal((await refundDue(caseRef))?.paise, 750_00n)
  const bankBalance = (await balancesOf(db, caseRef)).BANK
  bank.policy.settleSeconds = 3600
  await assert.rejects(order(caseRef, 750_01n), /refundable balance is ₹750, not ₹750\.01/)
  await assert.rejects(order(caseRef, 0n), Refusal)
  const { refundId } = await order(caseRef, 500_00n)
  await assert.rejects(order(caseRef, 250_00n), /another refund of this loan is pending/)
  await waitForStatus(caseRef, refundId, 'SENT')
  const whileSent = (await accountOf(db, caseRef))!
  assert.equal(whileSent.unappliedPaise, 250_00n)
  assert.equal(whileSent.refundingPaise, 500_00n)
  assert.equal((await balancesOf(db, caseRef)).BANK, bankBalance)
  bank.policy.settleSeconds = 0
  open.advanceClock({ seconds: 3600 })
  const { bankReference } = await waitForStatus(caseRef, refundId, 'PAID')
  assert.ok(bankReference)
  const after = (await accountOf(db, caseRef))!
  assert.equal(after.unappliedPaise, 250_00n)
  assert.equal(after.refundingPaise, 0n)
  assert.equal(after.loanStatus, 'CLOSED')
  assert.equal((await balancesOf(db, caseRef)).BANK, bankBalance - 500_00n)
  assert.equal((await refundDue(caseRef))?.paise, 250_00n)
  await waitForStatus(caseRef, (await order(caseRef, 250_00n)).refundId, 'PAID')
  assert.equal(await refundDue(caseRef), undefined)
})

test('the amount of a failed refund pays dues that reopened meanwhile', async () => {
  const caseRef = await openOverpaidLoan(900_00n, '9301')
  const failed = await waitForStatus(caseRef, (await order(caseRef, 900_00n)).refundId, 'FAILED')
  assert.ok(failed.reasonCode)
  assert.equal((await accountOf(db, caseRef))!.unappliedPaise, 900_00n)
  assert.equal((await refundDue(caseRef))?.failureCode, failed.reasonCode)

  bank.policy.settleSeconds = 3600
  const { refundId } = await order(caseRef, 900_00n)
  await waitForStatus(caseRef, refundId, 'SENT')
  await reverse(caseRef, 'second')
  const principalBefore = (await accountOf(db, caseRef))!.soa.principalPaise
  bank.policy.settleSeconds = 0
  open.advanceClock({ seconds: 3600 })
  await waitForStatus(caseRef, refundId, 'FAILED')
  const after = (await accountOf(db, caseRef))!
  assert.equal(after.unappliedPaise, 0n)
  assert.equal(after.refundingPaise, 0n)
  assert.equal(after.loanStatus, 'ACTIVE')
  assert.ok(after.soa.principalPaise < principalBefore)
})

test('D3 §1: if a failed refund covers the dues of a requested exit, the loan closes and its fee is refunded', async () => {
  const caseRef = await open.disbursedLoan('9301', { daysAgo: 0 })
  for (const paymentId of ['all', 'again']) await receive(caseRef, 102_000_00n, paymentId)
  bank.policy.settleSeconds = 3600
  const { refundId } = await order(caseRef, (await accountOf(db, caseRef))!.unappliedPaise)
  await waitForStatus(caseRef, refundId, 'SENT')
  await reverse(caseRef, 'all')
  const today = businessDate(ctx.clock())
  await db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    await requestExit({ ...ctx, tx, at: ctx.clock() }, loanCase, { requestedOn: today, reference: null, today })
  })
  assert.equal((await accountOf(db, caseRef))!.loanStatus, 'ACTIVE')
  assert.ok((await balancesOf(db, caseRef)).FEE_INCOME < 0n)

  bank.policy.settleSeconds = 0
  open.advanceClock({ seconds: 3600 })
  await waitForStatus(caseRef, refundId, 'FAILED')
  const { loanStatus, unappliedPaise, refundingPaise } = (await accountOf(db, caseRef))!
  const { FEE_INCOME, TAX_PAYABLE, PRINCIPAL, BANK } = await balancesOf(db, caseRef)
  assert.equal(loanStatus, 'CLOSED')
  assert.equal(refundingPaise, 0n)
  assert.equal(FEE_INCOME, 0n)
  assert.equal(TAX_PAYABLE, 0n)
  assert.equal(PRINCIPAL, 0n)
  assert.ok(
    BANK - unappliedPaise >= 0n && BANK - unappliedPaise < 100_00n,
    'the loan costs at most one day of interest',
  )
  const updates = await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')
  assert.deepEqual(
    updates.map(({ loan_status, reason_code }) => ({ loan_status, reason_code })),
    [{ loan_status: 'CLOSED', reason_code: 'COOLING_OFF_EXIT' }],
  )
  const jobs = await db`select 1 from job where kind = 'cancel-mandate' and key = ${caseRef}`
  assert.equal(jobs.length, 1)
})

test('D3 §6 rule 5: a failed refund is reported only if it pays dues', async () => {
  const caseRef = await open.disbursedLoan('9301', { daysAgo: 0 })
  for (const paymentId of ['all', 'again']) await receive(caseRef, 102_000_00n, paymentId)
  const paise = (await accountOf(db, caseRef))!.unappliedPaise
  await waitForStatus(caseRef, (await order(caseRef, paise)).refundId, 'FAILED')
  assert.deepEqual(await open.eventData(caseRef, 'LOAN_STATUS_UPDATED'), [])

  bank.policy.settleSeconds = 3600
  const { refundId } = await order(caseRef, paise)
  await waitForStatus(caseRef, refundId, 'SENT')
  await reverse(caseRef, 'all')
  assert.equal((await accountOf(db, caseRef))!.loanStatus, 'ACTIVE')
  bank.policy.settleSeconds = 0
  open.advanceClock({ seconds: 3600 })
  await waitForStatus(caseRef, refundId, 'FAILED')
  assert.equal((await accountOf(db, caseRef))!.loanStatus, 'CLOSED')
  const updates = await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')
  assert.deepEqual(
    updates.map(({ loan_status, reason_code }) => ({ loan_status, reason_code })),
    [{ loan_status: 'CLOSED', reason_code: 'REFUND_FAILED' }],
  )
})

test('a refund to an account in another name fails, and of concurrent orders only one is accepted', async () => {
  const otherNameCase = await openOverpaidLoan(100_00n, '9304')
  const failed = await waitForStatus(otherNameCase, (await order(otherNameCase, 100_00n)).refundId, 'FAILED')
  assert.equal((await transfersAtBank(failed.refundId)).length, 0, failed.reasonCode ?? '')
  const caseRef = await openOverpaidLoan(100_00n)
  const orders = await Promise.allSettled([1, 2, 3].map(() => order(caseRef, 60_00n)))
  assert.deepEqual(orders.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
  const [refund, ...otherRefunds] = await refundsOf(db, caseRef)
  assert.deepEqual(otherRefunds, [])
  await waitForStatus(caseRef, refund!.refundId, 'PAID')
  assert.equal((await transfersAtBank(refund!.refundId)).length, 1)
})

test('D3 §2.5: the borrower owes what was refunded of a receipt that the bank took back', async () => {
  const caseRef = await openOverpaidLoan(300_00n, '1234', 8)
  await waitForStatus(caseRef, (await order(caseRef, 300_00n)).refundId, 'PAID')
  await reverse(caseRef, 'overpayment')
  const owing = (await accountOf(db, caseRef))!
  assert.equal(owing.unappliedPaise, 0n)
  assert.equal(owing.soa.totalPaise, 300_00n)
  assert.notEqual(owing.loanStatus, 'CLOSED')
  assert.equal(await refundDue(caseRef), undefined)
  await receive(caseRef, 350_00n, 'later overpayment')
  assert.equal((await accountOf(db, caseRef))!.unappliedPaise, 50_00n)
  assert.equal((await refundDue(caseRef))?.paise, 50_00n)
})

test('D3 §2.5: money that the bank may still take back is not refunded', async () => {
  const caseRef = await openOverpaidLoan(750_00n)
  const today = businessDate(ctx.clock())
  const payment = {
    caseRef,
    paymentId: uuidv4(),
    status: 'POSTED',
    method: 'ENACH',
    amountPaise: 500_00n,
    installmentIds: [],
    receiptId: 'R-1',
    bankReference: 'UTR1',
    valueOn: plusDays(today, -2),
    createdAt: ctx.clock(),
    updatedAt: ctx.clock(),
  }
  await db.tx((tx) => tx`insert into payment ${tx(payment)}`)
  await assert.rejects(order(caseRef, 750_00n), /only ₹250 can be refunded now: the bank may still take the rest back/)
  await db.tx((tx) => tx`update payment set value_on = value_on - 1 where case_ref = ${caseRef}`)
  const { refundId } = await order(caseRef, 750_00n)
  await waitForStatus(caseRef, refundId, 'PAID')
})
