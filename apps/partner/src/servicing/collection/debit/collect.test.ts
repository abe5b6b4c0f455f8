// Tests weekly debits with the sandbox bank over HTTP: attempts, results, and the reports to the platform.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { checkPayment } from '@lendloom/wire/exchange/account'
import { lockCase, readCase } from '#partner/origination/case/store.ts'
import { checksOf, storeCheck } from '#partner/origination/case/stored-checks.ts'
import type { Payment, PaymentStatus } from '#partner/servicing/collection/payment.ts'
import { insertPayment, readPayments } from '#partner/servicing/collection/payment-store.ts'
import { bankListWorker, queueBankLists } from '#partner/servicing/collection/read-bank-lists.ts'
import { paymentsOf } from '#partner/servicing/collection/reported-payments.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { applyDebitResult } from './apply-debit-result.ts'
import { caseCollectionWorker, collectDue } from './collect-due.ts'
import { releaseHold } from './debit-hold.ts'
import { prepareDebit } from './prepare-debit.ts'
import { debitWorker } from './present-debit.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
await queueBankLists(ctx)
open.runWorkers(debitWorker, bankListWorker, caseCollectionWorker)
// Results take an hour, so that the partner reads the bank's acknowledgement before the result.
bank.policy.settleSeconds = 3600
const advanceHours = (count: number) => open.advanceClock({ seconds: count * 3600 })
/** Waits until the bank has accepted a debit, then advances the clock until the result is available. */
async function settleAtBank(
  caseRef: string,
  { earlier = [], afterHours = 1 }: { earlier?: PaymentStatus[]; afterHours?: number } = {},
) {
  await waitForStatuses(caseRef, ...earlier, 'SUBMITTED')
  advanceHours(afterHours)
}

const debitsOf = async (caseRef: string) =>
  (await readPayments(db, caseRef)).filter(({ reversalOfPaymentId }) => reversalOfPaymentId === null)
const collectNow = (caseRef: string) => prepareDebit(ctx, caseRef, ctx.clock())

async function waitForStatuses(caseRef: string, ...statuses: PaymentStatus[]): Promise<Payment[]> {
  const currentStatuses = async () => (await readPayments(db, caseRef)).map(({ status }) => status)
  await until(`${caseRef} ${statuses}`, async () => `${await currentStatuses()}` === `${statuses}`).catch(
    async (error) => {
      throw new Error(`${error.message}; the statuses are ${await currentStatuses()}`)
    },
  )
  return readPayments(db, caseRef)
}
const debitsAtBank = async (caseRef: string) => {
  const collectionIds = new Set((await readPayments(db, caseRef)).map(({ collectionId }) => collectionId))
  return (await bank.debits()).filter(({ reference }) => collectionIds.has(reference))
}
const reportedStatuses = async (caseRef: string) =>
  (await open.eventData(caseRef, 'PAYMENT_UPDATED')).map(({ status, reason_code }) =>
    [status, reason_code].filter(Boolean).join(' '),
  )
const paidOf = async (caseRef: string) =>
  (await accountOf(db, caseRef))!.schedule.installments.reduce((sum, { paidPaise }) => sum + paidPaise, 0n)

test('D3 §1.1.7: a due instalment is presented and posted once, and every step is reported', async () => {
  const caseRef = await open.disbursedLoan()
  const plan = await collectNow(caseRef)
  assert.ok('amountPaise' in plan)
  await settleAtBank(caseRef)
  const [payment] = await waitForStatuses(caseRef, 'POSTED')
  assert.deepEqual(await reportedStatuses(caseRef), ['SUBMITTED', 'POSTED'])
  const [submitted, posted] = await open.eventData(caseRef, 'PAYMENT_UPDATED')
  assert.equal(submitted!.bank_reference, null)
  assert.equal(submitted!.value_date, null)
  assert.match(posted!.bank_reference!, /^SBXB/)
  assert.equal(posted!.method, 'ENACH')
  assert.equal(posted!.collection_id, payment!.collectionId)
  assert.equal(posted!.payment_id, submitted!.payment_id)
  assert.equal(posted!.amount, rupees(plan.amountPaise))
  const account = (await accountOf(db, caseRef))!
  assert.equal(account.schedule.installments[0]!.status, 'PAID')
  assert.deepEqual(posted!.installment_ids, [account.schedule.installments[0]!.installmentId])
  const [loan] = await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')
  assert.equal(loan!.loan_status, 'ACTIVE')
  assert.equal(loan!.reason_code, 'RECEIPT_POSTED')
  assert.deepEqual(await collectNow(caseRef), { blocked: 'NOTHING_DUE' })
  assert.equal((await debitsAtBank(caseRef)).length, 1)
})

test('D3 §6.7: a pending debit blocks further debits of its instalment', async () => {
  const caseRef = await open.disbursedLoan('9320')
  const plans = await Promise.all([1, 2, 3, 4, 5].map(() => collectNow(caseRef)))
  assert.equal(plans.filter((plan) => 'amountPaise' in plan).length, 1)
  await waitForStatuses(caseRef, 'SUBMITTED')
  assert.deepEqual(await collectNow(caseRef), { blocked: 'ATTEMPT_PENDING' })
  assert.equal((await debitsAtBank(caseRef)).length, 1)
})

test('D3 §6.7: a failed debit is reported with the bank’s code, and retried after three days', async () => {
  const caseRef = await open.disbursedLoan('9311')
  await collectNow(caseRef)
  await settleAtBank(caseRef)
  await waitForStatuses(caseRef, 'FAILED')
  assert.deepEqual(await reportedStatuses(caseRef), ['SUBMITTED', 'FAILED 04'])
  assert.equal(await paidOf(caseRef), 0n)
  assert.deepEqual(await collectNow(caseRef), { blocked: 'TOO_SOON' })
  open.advanceClock({ days: 3 })
  await collectNow(caseRef)
  await settleAtBank(caseRef, { earlier: ['FAILED'] })
  const [first, second] = await waitForStatuses(caseRef, 'FAILED', 'POSTED')
  assert.equal(first!.attemptNumber, 1)
  assert.equal(second!.attemptNumber, 2)
  assert.notEqual(first!.collectionId, second!.collectionId)
  for (const payment of await paymentsOf(db, caseRef)) assert.deepEqual(checkPayment(payment), [])
})

test('D3 §6.7: a return code that requires a new mandate blocks debits until a new mandate is active', async () => {
  const caseRef = await open.disbursedLoan('9313')
  await collectNow(caseRef)
  await settleAtBank(caseRef)
  await waitForStatuses(caseRef, 'FAILED')
  open.advanceClock({ days: 3 })
  assert.deepEqual(await collectNow(caseRef), { blocked: 'ON_HOLD' })
  await db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    const { mandate } = await checksOf(tx, ctx.seal, caseRef)
    const facts = { ...mandate.facts!, umrn: 'SBXB7999999999999999', providerReferenceId: 'M-NEW' }
    const report = { status: 'ACTIVE', verified: true, facts, happenedAt: ctx.clock() }
    await storeCheck(tx, ctx.seal, loanCase, { name: 'mandate', report, at: ctx.clock() })
  })
  const plan = await collectNow(caseRef)
  assert.equal('umrn' in plan && plan.umrn, 'SBXB7999999999999999')
})

test('D3 §6.7: a return code that an officer must review holds all debits until the officer lifts the hold', async () => {
  const caseRef = await open.disbursedLoan('9314')
  await collectNow(caseRef)
  await settleAtBank(caseRef)
  await waitForStatuses(caseRef, 'FAILED')
  assert.deepEqual(await reportedStatuses(caseRef), ['SUBMITTED', 'FAILED 06'])
  await until('the alert', () => open.alerts.includes('debits of a loan are on hold until reviewed'))
  open.advanceClock({ days: 3 })
  assert.deepEqual(await collectNow(caseRef), { blocked: 'ON_HOLD' })
  await db.tx(async (tx) => {
    await lockCase(tx, caseRef)
    await releaseHold(tx, caseRef)
  })
  assert.ok('amountPaise' in (await collectNow(caseRef)))
})

test('D3 §2.5: a late return creates a separate reversal, and the receipt stays unchanged', async () => {
  const caseRef = await open.disbursedLoan('9316')
  const before = (await accountOf(db, caseRef))!.soa
  await collectNow(caseRef)
  await settleAtBank(caseRef)
  await waitForStatuses(caseRef, 'POSTED')
  advanceHours(3)
  const payments = await waitForStatuses(caseRef, 'TAKEN_BACK', 'REVERSED')
  const [receipt, reversal] = payments
  const updates = await open.eventData(caseRef, 'PAYMENT_UPDATED')
  assert.deepEqual(await reportedStatuses(caseRef), ['SUBMITTED', 'POSTED', 'REVERSED 04'])
  assert.equal(updates.at(-1)!.reversal_of_payment_id, receipt!.paymentId)
  assert.equal(updates.at(-1)!.amount, rupees(receipt!.amountPaise), 'the amount of a reversal stays positive')
  assert.equal(updates.at(-1)!.payment_id, reversal!.paymentId)
  assert.equal(await paidOf(caseRef), 0n)
  assert.equal((await accountOf(db, caseRef))!.soa.principalPaise, before.principalPaise)
  const reasons = (await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')).map(({ reason_code }) => reason_code)
  assert.deepEqual(reasons, ['RECEIPT_POSTED', 'RECEIPT_REVERSED'])
  open.advanceClock({ days: 3 })
  await collectNow(caseRef)
  await settleAtBank(caseRef, { earlier: ['TAKEN_BACK', 'REVERSED'] })
  await waitForStatuses(caseRef, 'TAKEN_BACK', 'REVERSED', 'POSTED')
  for (const payment of await paymentsOf(db, caseRef)) assert.deepEqual(checkPayment(payment), [])
})

test('D3 §6.7: after a timeout the debit is PROCESSING, and is not presented twice', async () => {
  const caseRef = await open.disbursedLoan('9317')
  await collectNow(caseRef)
  await settleAtBank(caseRef)
  await waitForStatuses(caseRef, 'POSTED')
  const reported = await reportedStatuses(caseRef)
  assert.equal(reported[0], 'PROCESSING')
  assert.equal(reported.at(-1), 'POSTED')
  const presented = await debitsAtBank(caseRef)
  assert.equal(presented.length, 1)
  assert.equal(presented[0]!.confirmed, true)
})

test('D3 §6.7: a debit that never reached the bank is resent under the same collection id', async () => {
  const caseRef = await open.disbursedLoan()
  const { BANK_URL } = ctx.config
  const bankConfig = ctx.config as { BANK_URL: string }
  bankConfig.BANK_URL = 'http://127.0.0.1:9/bank'
  await collectNow(caseRef)
  const [sent] = await waitForStatuses(caseRef, 'UNKNOWN')
  bankConfig.BANK_URL = BANK_URL
  // After ten seconds the partner may assume that the bank never received the request.
  open.advanceClock({ seconds: 10 })
  await settleAtBank(caseRef)
  const [posted] = await waitForStatuses(caseRef, 'POSTED')
  assert.equal(posted!.collectionId, sent!.collectionId)
  assert.equal((await debitsAtBank(caseRef)).length, 1)
})

test('D3 §6.7: a reported debit that never reached the bank fails at the end of its day', async () => {
  const caseRef = await open.disbursedLoan()
  const { BANK_URL } = ctx.config
  const bankConfig = ctx.config as { BANK_URL: string }
  bankConfig.BANK_URL = 'http://127.0.0.1:9/bank'
  await collectNow(caseRef)
  await waitForStatuses(caseRef, 'UNKNOWN')
  // The status is written before the call of the bank, which must fail before the bank is reachable.
  await until('the failed call is reported', async () => (await reportedStatuses(caseRef)).length > 0)
  open.advanceClock({ days: 1 })
  bankConfig.BANK_URL = BANK_URL
  await waitForStatuses(caseRef, 'FAILED')
  assert.deepEqual(await reportedStatuses(caseRef), ['PROCESSING', 'FAILED NOT_PRESENTED'])
  assert.equal((await paymentsOf(db, caseRef)).length, 1)
  const plan = await collectNow(caseRef)
  assert.equal(
    'attemptNumber' in plan && plan.attemptNumber,
    1,
    'a debit that never reached the bank does not count as an attempt',
  )
  await settleAtBank(caseRef, { earlier: ['FAILED'] })
  await waitForStatuses(caseRef, 'FAILED', 'POSTED')
  assert.equal((await debitsAtBank(caseRef)).length, 1)
})

test('D3 §6.7: a debit that the bank rejects holds further debits until an officer reviews it', async () => {
  const caseRef = await open.disbursedLoan('1234', { mandate: { umrn: 'not a umrn' } })
  await collectNow(caseRef)
  await waitForStatuses(caseRef, 'FAILED')
  assert.deepEqual(await reportedStatuses(caseRef), ['FAILED REFUSED_BY_BANK'])
  open.advanceClock({ days: 3 })
  assert.deepEqual(await collectNow(caseRef), { blocked: 'ON_HOLD' })
})

test('D3 §6.7: a late success is posted before another debit is planned', async () => {
  const caseRef = await open.disbursedLoan('9318')
  await collectNow(caseRef)
  await settleAtBank(caseRef)
  await waitForStatuses(caseRef, 'FAILED')
  open.advanceClock({ days: 3 })
  await until('the bank has the late success', async () => (await debitsAtBank(caseRef))[0]?.confirmed === true)
  assert.deepEqual(await collectNow(caseRef), { blocked: 'NOTHING_DUE' })
  await waitForStatuses(caseRef, 'POSTED')
  assert.deepEqual(await reportedStatuses(caseRef), ['SUBMITTED', 'FAILED 98', 'POSTED'])
})

test('D3 §6.7: after the return code for duplicates, the partner enquires, and posts the success', async () => {
  const caseRef = await open.disbursedLoan('9319')
  await collectNow(caseRef)
  await settleAtBank(caseRef, { afterHours: 4 })
  await waitForStatuses(caseRef, 'POSTED')
  assert.ok(!(await reportedStatuses(caseRef)).some((status) => status.startsWith('FAILED')))
  assert.equal((await debitsAtBank(caseRef)).length, 1)
})

test('D3 §6.7: a debit is dropped if the mandate was cancelled before the presentation', async () => {
  const setup = await openCollections()
  const caseRef = await setup.disbursedLoan()
  const plan = await prepareDebit(setup.ctx, caseRef, setup.ctx.clock())
  assert.ok('amountPaise' in plan)
  await setup.ctx.db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    const { mandate } = await checksOf(tx, setup.ctx.seal, caseRef)
    const report = { status: 'CANCELLED', verified: false, facts: mandate.facts!, happenedAt: setup.ctx.clock() }
    await storeCheck(tx, setup.ctx.seal, loanCase, { name: 'mandate', report, at: setup.ctx.clock() })
  })
  setup.runWorkers(debitWorker)
  await until('the debit is dropped', async () => (await readPayments(setup.ctx.db, caseRef))[0]!.status === 'DROPPED')
  assert.deepEqual(await setup.bank.debits(), [])
  assert.deepEqual(await paymentsOf(setup.ctx.db, caseRef), [], 'a debit that was never presented is not reported')
  assert.deepEqual(await setup.eventData(caseRef, 'PAYMENT_UPDATED'), [])
})

test('D3 §6.7: each case is checked once per day', async () => {
  const caseRef = await open.disbursedLoan()
  const notDue = await open.disbursedLoan('1234', { daysAgo: 1 })
  await collectDue(ctx)
  await settleAtBank(caseRef)
  await waitForStatuses(caseRef, 'POSTED')
  assert.deepEqual(await debitsOf(notDue), [])
  const version = (await readCase(db, caseRef))!.snapshotVersion
  const queuedCases = await collectDue(ctx)
  assert.equal((await readCase(db, caseRef))!.snapshotVersion, version, `${queuedCases} other cases were queued`)
})

test('D3 §6.7: a result of an unknown debit is stored, and raises one alert', async () => {
  const result = {
    result_id: 'R-unknown',
    reference: '00000000-0000-4000-8000-000000000000',
    sequence: 1,
    status: 'CONFIRMED' as const,
    return_code: null,
    bank_reference: 'X',
    value_date: businessDate(ctx.clock()),
    at: ctx.clock().toISOString(),
  }
  await Promise.all([applyDebitResult(ctx, result), applyDebitResult(ctx, result)])
  const [stored] = await db<{ outcome: string }>`select outcome from bank_result where result_id = 'R-unknown'`
  assert.equal(stored!.outcome, 'STRANGE')
  assert.equal(open.alerts.filter((alert) => alert === 'the bank reported an unknown debit').length, 1)
})

test('D3 §6.7: after a restore to before a debit, the next debit is the same one at the bank, and its result is posted', async () => {
  const caseRef = await open.disbursedLoan()
  await collectNow(caseRef)
  const [lost] = await waitForStatuses(caseRef, 'SUBMITTED')
  await db.tx(async (tx) => {
    await tx`delete from job where payload->>'caseRef' = ${caseRef}`
    await tx`delete from collection_day where case_ref = ${caseRef}`
    await tx`delete from payment where case_ref = ${caseRef}`
  })
  open.advanceClock({ days: 1 })
  await until('the bank has listed the result', async () => {
    const rows = await db`select 1 from bank_result where reference = ${lost!.collectionId} and outcome = 'STRANGE'`
    return rows.length === 1
  })
  assert.ok('amountPaise' in (await collectNow(caseRef)))
  const [posted] = await waitForStatuses(caseRef, 'POSTED')
  assert.equal(posted!.collectionId, lost!.collectionId)
  assert.equal((await accountOf(db, caseRef))!.schedule.installments[0]!.status, 'PAID')
})

test('D3 §2.5: the database rejects a second reversal of a receipt', async () => {
  const caseRef = await open.disbursedLoan('9316')
  await collectNow(caseRef)
  await settleAtBank(caseRef, { afterHours: 4 })
  const [, reversal] = await waitForStatuses(caseRef, 'TAKEN_BACK', 'REVERSED')
  const again = { ...reversal!, paymentId: '00000000-0000-7000-8000-000000000001' }
  await assert.rejects(
    db.tx((tx) => insertPayment(tx, again)),
    /payment_reversed_once/,
  )
})
