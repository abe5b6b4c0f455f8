// Weekly debits with the bank over HTTP: one attempt at a time, every kind of result, and what the platform is told of it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPayment } from '#contract/exchange/account.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { rupees } from '#kit/money/money.ts'
import { checksOf, keepCheck } from '#partner/case/checks.ts'
import { lockCase, readCase } from '#partner/case/store.ts'
import { accountOf } from '#partner/loan/account.ts'
import { openCollections } from '#test/setup/collection.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { until } from '#test/setup/programs.ts'
import { collect } from './collect.ts'
import { collectDue, collectingCases } from './collect-due.ts'
import { releaseHold } from './hold.ts'
import type { Payment, PaymentStatus } from './payment.ts'
import { presenting } from './present.ts'
import { beginReadingBank, readingBank } from './read-bank.ts'
import { settleDebit } from './settle-debit.ts'
import { paymentsOf } from './status.ts'
import { insertPayment, readPayments } from './store.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
await beginReadingBank(ctx)
open.runWorkers(presenting, readingBank, collectingCases)
// The bank takes an hour for everything: its answer to a debit is here before the result can be in its list.
bank.policy.settleSeconds = 3600
const hours = (count: number) => open.advanceClock({ seconds: count * 3600 })
/** Waits until the bank has taken a debit, and lets the time pass after which it has the result. */
async function taken(caseRef: string, { before = [], after = 1 }: { before?: PaymentStatus[]; after?: number } = {}) {
  await reached(caseRef, ...before, 'SUBMITTED')
  hours(after)
}

const debits = async (caseRef: string) =>
  (await readPayments(db, caseRef)).filter(({ reversalOfPaymentId }) => reversalOfPaymentId === null)
const collectNow = (caseRef: string) => collect(ctx, caseRef, ctx.clock())

async function reached(caseRef: string, ...statuses: PaymentStatus[]): Promise<Payment[]> {
  const now = async () => (await readPayments(db, caseRef)).map(({ status }) => status)
  await until(`${caseRef} ${statuses}`, async () => `${await now()}` === `${statuses}`, deadlineMs).catch(
    async (error) => {
      throw new Error(`${error.message}; it is ${await now()}`)
    },
  )
  return readPayments(db, caseRef)
}
const atBank = async (caseRef: string) => {
  const ours = new Set((await readPayments(db, caseRef)).map(({ collectionId }) => collectionId))
  return (await bank.debits()).filter(({ reference }) => ours.has(reference))
}
const reportedStatuses = async (caseRef: string) =>
  (await open.eventData(caseRef, 'PAYMENT_UPDATED')).map(({ status, reason_code }) =>
    [status, reason_code].filter(Boolean).join(' '),
  )
const paidOf = async (caseRef: string) =>
  (await accountOf(db, caseRef))!.schedule.installments.reduce((sum, { paidPaise }) => sum + paidPaise, 0n)

test('D3 §1.1.7: a due instalment is presented once and posted once, and every step of it is told', async () => {
  const caseRef = await open.disbursedLoan()
  const plan = await collectNow(caseRef)
  assert.ok('amountPaise' in plan)
  await taken(caseRef)
  const [payment] = await reached(caseRef, 'POSTED')
  assert.deepEqual(await reportedStatuses(caseRef), ['SUBMITTED', 'POSTED'])
  const [submitted, posted] = await open.eventData(caseRef, 'PAYMENT_UPDATED')
  assert.deepEqual([submitted!.bank_reference, submitted!.value_date], [null, null])
  assert.match(posted!.bank_reference!, /^SBXB/)
  assert.deepEqual([posted!.method, posted!.collection_id], ['ENACH', payment!.collectionId])
  assert.deepEqual([posted!.payment_id, posted!.amount], [submitted!.payment_id, rupees(plan.amountPaise)])
  const account = (await accountOf(db, caseRef))!
  assert.equal(account.schedule.installments[0]!.status, 'PAID')
  assert.deepEqual(posted!.installment_ids, [account.schedule.installments[0]!.installmentId])
  const [loan] = await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')
  assert.deepEqual([loan!.loan_status, loan!.reason_code], ['ACTIVE', 'RECEIPT_POSTED'])
  assert.deepEqual(await collectNow(caseRef), { blocked: 'NOTHING_DUE' })
  assert.equal((await atBank(caseRef)).length, 1)
})

test('D3 §6.7: while a debit is under way nothing is asked for again, however often it is looked', async () => {
  const caseRef = await open.disbursedLoan('9320')
  const plans = await Promise.all([1, 2, 3, 4, 5].map(() => collectNow(caseRef)))
  assert.equal(plans.filter((plan) => 'amountPaise' in plan).length, 1)
  await reached(caseRef, 'SUBMITTED')
  assert.deepEqual(await collectNow(caseRef), { blocked: 'ATTEMPT_PENDING' })
  assert.equal((await atBank(caseRef)).length, 1)
})

test('D3 §6.7: a failed debit leaves the instalment unpaid, with the bank’s code; the next one comes days later', async () => {
  const caseRef = await open.disbursedLoan('9311')
  await collectNow(caseRef)
  await taken(caseRef)
  await reached(caseRef, 'FAILED')
  assert.deepEqual(await reportedStatuses(caseRef), ['SUBMITTED', 'FAILED 04'])
  assert.equal(await paidOf(caseRef), 0n)
  assert.deepEqual(await collectNow(caseRef), { blocked: 'TOO_SOON' })
  open.advanceClock({ days: 2 })
  await collectNow(caseRef)
  await taken(caseRef, { before: ['FAILED'] })
  const [first, second] = await reached(caseRef, 'FAILED', 'POSTED')
  assert.deepEqual([first!.attemptNumber, second!.attemptNumber], [1, 2])
  assert.notEqual(first!.collectionId, second!.collectionId)
  for (const payment of await paymentsOf(db, caseRef)) assert.deepEqual(checkPayment(payment), [])
})

test('D3 §6.7: a return that needs a new mandate waits for one', async () => {
  const caseRef = await open.disbursedLoan('9313')
  await collectNow(caseRef)
  await taken(caseRef)
  await reached(caseRef, 'FAILED')
  open.advanceClock({ days: 3 })
  assert.deepEqual(await collectNow(caseRef), { blocked: 'ON_HOLD' })
  await db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    const { mandate } = await checksOf(tx, ctx.seal, caseRef)
    const facts = { ...mandate.facts!, umrn: 'SBXB7999999999999999', providerReferenceId: 'M-NEW' }
    const report = { status: 'ACTIVE', verified: true, facts, happenedAt: ctx.clock() }
    await keepCheck(tx, ctx.seal, loanCase, { name: 'mandate', report, at: ctx.clock() })
  })
  const plan = await collectNow(caseRef)
  assert.equal('umrn' in plan && plan.umrn, 'SBXB7999999999999999')
})

test('D3 §6.7: a return that a person must look at holds every debit until that person lets it go', async () => {
  const caseRef = await open.disbursedLoan('9314')
  await collectNow(caseRef)
  await taken(caseRef)
  await reached(caseRef, 'FAILED')
  assert.deepEqual(await reportedStatuses(caseRef), ['SUBMITTED', 'FAILED 06'])
  await until('it is told', () => open.alerts.includes('debits of a loan are held until a person has looked'))
  open.advanceClock({ days: 3 })
  assert.deepEqual(await collectNow(caseRef), { blocked: 'ON_HOLD' })
  await db.tx(async (tx) => {
    await lockCase(tx, caseRef)
    await releaseHold(tx, caseRef)
  })
  assert.ok('amountPaise' in (await collectNow(caseRef)))
})

test('D3 §2.5: a late return is a record of its own that takes the receipt back; the receipt itself stays', async () => {
  const caseRef = await open.disbursedLoan('9316')
  const before = (await accountOf(db, caseRef))!.soa
  await collectNow(caseRef)
  await taken(caseRef)
  await reached(caseRef, 'POSTED')
  hours(3)
  const payments = await reached(caseRef, 'TAKEN_BACK', 'REVERSED')
  const [receipt, reversal] = payments
  const updates = await open.eventData(caseRef, 'PAYMENT_UPDATED')
  assert.deepEqual(await reportedStatuses(caseRef), ['SUBMITTED', 'POSTED', 'REVERSED 04'])
  assert.deepEqual(updates.at(-1)!.reversal_of_payment_id, receipt!.paymentId)
  assert.equal(updates.at(-1)!.amount, rupees(receipt!.amountPaise), 'the amount of a reversal stays positive')
  assert.equal(updates.at(-1)!.payment_id, reversal!.paymentId)
  assert.equal(await paidOf(caseRef), 0n)
  assert.equal((await accountOf(db, caseRef))!.soa.principalPaise, before.principalPaise)
  const reasons = (await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')).map(({ reason_code }) => reason_code)
  assert.deepEqual(reasons, ['RECEIPT_POSTED', 'RECEIPT_REVERSED'])
  open.advanceClock({ days: 2 })
  await collectNow(caseRef)
  await taken(caseRef, { before: ['TAKEN_BACK', 'REVERSED'] })
  await reached(caseRef, 'TAKEN_BACK', 'REVERSED', 'POSTED')
  for (const payment of await paymentsOf(db, caseRef)) assert.deepEqual(checkPayment(payment), [])
})

test('D3 §6.7: after a time-out the debit is processing, is enquired by its reference, and is one', async () => {
  const caseRef = await open.disbursedLoan('9317')
  await collectNow(caseRef)
  await taken(caseRef)
  await reached(caseRef, 'POSTED')
  const reported = await reportedStatuses(caseRef)
  assert.deepEqual([reported[0], reported.at(-1)], ['PROCESSING', 'POSTED'])
  const presented = await atBank(caseRef)
  assert.deepEqual([presented.length, presented[0]!.confirmed], [1, true])
})

test('D3 §6.7: a debit that the bank never saw is sent again, under the same collection', async () => {
  const caseRef = await open.disbursedLoan()
  const { BANK_URL } = ctx.config
  const away = ctx.config as { BANK_URL: string }
  away.BANK_URL = 'http://127.0.0.1:9/bank'
  await collectNow(caseRef)
  const [sent] = await reached(caseRef, 'UNKNOWN')
  away.BANK_URL = BANK_URL
  // By then it would have arrived.
  open.advanceClock({ seconds: 10 })
  await taken(caseRef)
  const [posted] = await reached(caseRef, 'POSTED')
  assert.equal(posted!.collectionId, sent!.collectionId)
  assert.equal((await atBank(caseRef)).length, 1)
})

test('D3 §6.7: a debit that was told and never arrived is failed by us when it is owed no longer, and stays listed', async () => {
  const caseRef = await open.disbursedLoan()
  const { BANK_URL } = ctx.config
  const away = ctx.config as { BANK_URL: string }
  away.BANK_URL = 'http://127.0.0.1:9/bank'
  await collectNow(caseRef)
  await reached(caseRef, 'UNKNOWN')
  open.advanceClock({ days: 1 })
  away.BANK_URL = BANK_URL
  await reached(caseRef, 'FAILED')
  assert.deepEqual(await reportedStatuses(caseRef), ['PROCESSING', 'FAILED NOT_PRESENTED'])
  assert.equal((await paymentsOf(db, caseRef)).length, 1)
  const plan = await collectNow(caseRef)
  assert.deepEqual('attemptNumber' in plan && plan.attemptNumber, 1, 'what never arrived was no attempt')
  await taken(caseRef, { before: ['FAILED'] })
  await reached(caseRef, 'FAILED', 'POSTED')
  assert.equal((await atBank(caseRef)).length, 1)
})

test('D3 §6.7: a debit that the bank refuses is not asked for again until a person has looked', async () => {
  const caseRef = await open.disbursedLoan('1234', { mandate: { umrn: 'not a umrn' } })
  await collectNow(caseRef)
  await reached(caseRef, 'FAILED')
  assert.deepEqual(await reportedStatuses(caseRef), ['FAILED REFUSED_BY_BANK'])
  open.advanceClock({ days: 3 })
  assert.deepEqual(await collectNow(caseRef), { blocked: 'ON_HOLD' })
})

test('D3 §6.7: a late success is posted before anything is asked for again', async () => {
  const caseRef = await open.disbursedLoan('9318')
  await collectNow(caseRef)
  await taken(caseRef)
  await reached(caseRef, 'FAILED')
  open.advanceClock({ days: 3 })
  await until('the bank has the late success', async () => (await atBank(caseRef))[0]?.confirmed === true)
  assert.deepEqual(await collectNow(caseRef), { blocked: 'NOTHING_DUE' })
  await reached(caseRef, 'POSTED')
  assert.deepEqual(await reportedStatuses(caseRef), ['SUBMITTED', 'FAILED 98', 'POSTED'])
})

test('D3 §6.7: "duplicate" from the bank is no result: the debit is enquired, and its success posted', async () => {
  const caseRef = await open.disbursedLoan('9319')
  await collectNow(caseRef)
  await taken(caseRef, { after: 4 })
  await reached(caseRef, 'POSTED')
  assert.ok(!(await reportedStatuses(caseRef)).some((status) => status.startsWith('FAILED')))
  assert.equal((await atBank(caseRef)).length, 1)
})

test('D3 §6.7: what was paid or ended between planning and presenting is not presented', async () => {
  const stop = await openCollections()
  const caseRef = await stop.disbursedLoan()
  const plan = await collect(stop.ctx, caseRef, stop.ctx.clock())
  assert.ok('amountPaise' in plan)
  await stop.ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    const { mandate } = await checksOf(tx, stop.ctx.seal, caseRef)
    const report = { status: 'CANCELLED', verified: false, facts: mandate.facts!, happenedAt: stop.ctx.clock() }
    await keepCheck(tx, stop.ctx.seal, loanCase, { name: 'mandate', report, at: stop.ctx.clock() })
  })
  stop.runWorkers(presenting)
  await until('dropped', async () => (await readPayments(stop.ctx.db, caseRef))[0]!.status === 'DROPPED')
  assert.deepEqual(await stop.bank.debits(), [])
  assert.deepEqual(await paymentsOf(stop.ctx.db, caseRef), [], 'nobody was asked, so nobody is told')
  assert.deepEqual(await stop.eventData(caseRef, 'PAYMENT_UPDATED'), [])
})

test('D3 §6.7: a day is looked through once for each case; the bank’s hours are kept', async () => {
  const caseRef = await open.disbursedLoan()
  const idle = await open.disbursedLoan('1234', { daysAgo: 1 })
  await collectDue(ctx)
  await taken(caseRef)
  await reached(caseRef, 'POSTED')
  assert.deepEqual(await debits(idle), [])
  const versions = (await readCase(db, caseRef))!.snapshotVersion
  const left = await collectDue(ctx)
  assert.equal((await readCase(db, caseRef))!.snapshotVersion, versions, `${left} others were looked at`)
  const config = ctx.config as { PARTNER_COLLECT_UNTIL_HOUR: number; PARTNER_COLLECT_FROM_HOUR: number }
  const { PARTNER_COLLECT_UNTIL_HOUR: until24 } = config
  config.PARTNER_COLLECT_UNTIL_HOUR = 0
  assert.deepEqual(await collectNow(await open.disbursedLoan()), { blocked: 'OUTSIDE_HOURS' })
  assert.equal(await collectDue(ctx), 0)
  config.PARTNER_COLLECT_UNTIL_HOUR = until24
})

test('D3 §6.7: a result of a debit that is not ours is kept, told to a person, and changes nothing', async () => {
  const result = {
    ...{ result_id: 'R-strange', reference: '00000000-0000-4000-8000-000000000000', sequence: 1 },
    ...{
      status: 'CONFIRMED' as const,
      return_code: null,
      bank_reference: 'X',
      value_date: businessDate(ctx.clock()),
    },
    at: ctx.clock().toISOString(),
  }
  await Promise.all([settleDebit(ctx, result), settleDebit(ctx, result)])
  const [kept] = await db<{ outcome: string }>`select outcome from bank_result where result_id = 'R-strange'`
  assert.equal(kept!.outcome, 'STRANGE')
  assert.equal(open.alerts.filter((what) => what === 'the bank tells of a debit that is not ours').length, 1)
})

test('D3 §2.5: the database itself refuses a second reversal of one receipt', async () => {
  const caseRef = await open.disbursedLoan('9316')
  await collectNow(caseRef)
  await taken(caseRef, { after: 4 })
  const [, reversal] = await reached(caseRef, 'TAKEN_BACK', 'REVERSED')
  const again = { ...reversal!, paymentId: '00000000-0000-7000-8000-000000000001' }
  await assert.rejects(
    db.tx((tx) => insertPayment(tx, again)),
    /payment_reversed_once/,
  )
})
