// Kills a partner repeatedly. Every debit, transfer, refund and receipt is still executed and posted once.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { businessDate } from '@lendloom/lending/calendar'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { postReceipt } from '#partner/servicing/loan/post-receipt.ts'
import { caseCollectionWorker, collectDue } from './debit/collect-due.ts'
import { debitWorker } from './debit/present-debit.ts'
import { readPayments } from './payment-store.ts'
import { bankListWorker, queueBankLists } from './read-bank-lists.ts'
import { disbursementWorker } from './transfer/carry-out-disbursement.ts'
import { orderDisbursement } from './transfer/order-disbursement.ts'
import { orderRefund, refundWorker } from './transfer/order-refund.ts'
import { readNewestDisbursement, requireRefund } from './transfer/store.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
await queueBankLists(ctx)

/** Source of a process with the partner's workers. By its clock the leases of killed processes have expired. */
const program = `
import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { sealWith } from '@lendloom/seal/seal'
import { connect } from '@lendloom/postgres/sql'
import { settings } from './apps/partner/src/settings.ts'
import { caseCollectionWorker } from './apps/partner/src/servicing/collection/debit/collect-due.ts'
import { debitWorker } from './apps/partner/src/servicing/collection/debit/present-debit.ts'
import { bankListWorker } from './apps/partner/src/servicing/collection/read-bank-lists.ts'
import { disbursementWorker } from './apps/partner/src/servicing/collection/transfer/carry-out-disbursement.ts'
import { refundWorker } from './apps/partner/src/servicing/collection/transfer/order-refund.ts'
const config = configFrom(settings, process.env)
const db = connect(config.PARTNER_DATABASE_URL)
const clock = () => new Date(Date.now() + Number(process.env.AHEAD))
const ctx = { db, seal: sealWith(config.LENDLOOM_KEYS), clock, config, log: quietLog, alert() {} }
for (const start of [caseCollectionWorker, debitWorker, bankListWorker, disbursementWorker, refundWorker]) start(ctx)
`

let clockAheadMs = 0
async function startPartner(): Promise<ChildProcess> {
  clockAheadMs += 20_000
  await resetCrashCounts()
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, ...open.env, AHEAD: String(clockAheadMs) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Resets the counts of crashed workers, or jobs wait longer after two crashes in a row (ARCHITECTURE rule 19). */
const resetCrashCounts = () => db`update job set unanswered_claims = 0`

async function killPartnerWhen(isReached: () => Promise<boolean>): Promise<void> {
  const child = await startPartner()
  await until('the moment to kill the partner is reached', isReached)
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('D3 §6.7: after kill -9 while presenting, every debit is presented and posted once', async () => {
  const cases: string[] = []
  // The bank does not answer the presentation of every fourth debit (9317), so workers are killed while they wait.
  for (let i = 0; i < 16; i++) cases.push(await open.disbursedLoan(i % 4 === 0 ? '9317' : '1234'))
  await collectDue(ctx)
  const unknownDebits = async () =>
    (await Promise.all(cases.map((caseRef) => readPayments(db, caseRef))))
      .flat()
      .filter((each) => each.status === 'UNKNOWN')
  // The first process is killed while it waits for the bank. Later processes enquire about that debit.
  await killPartnerWhen(async () => (await unknownDebits()).length > 0 && (await bank.debits()).length > 0)
  for (const count of [5, 9, 13]) await killPartnerWhen(async () => (await bank.debits()).length >= count)

  open.advanceClock({ seconds: clockAheadMs / 1000 + 20 })
  await resetCrashCounts()
  const stop = open.runWorkers(caseCollectionWorker, debitWorker, bankListWorker)
  const isPosted = async () =>
    (await Promise.all(cases.map((caseRef) => readPayments(db, caseRef)))).every(
      (payments) => payments.length === 1 && payments[0]!.status === 'POSTED',
    )
  await until('all payments are posted', isPosted)
  await stop()
  const debits = await bank.debits()
  assert.equal(debits.length, cases.length)
  for (const caseRef of cases) {
    const [payment] = await readPayments(db, caseRef)
    assert.equal(debits.filter(({ reference }) => reference === payment!.collectionId).length, 1)
    const rows = (await accountOf(db, caseRef))!.schedule.installments
    const paid = rows.reduce((sum, { paidPaise }) => sum + paidPaise, 0n)
    assert.equal(paid, payment!.amountPaise)
    const posted = (await open.eventData(caseRef, 'PAYMENT_UPDATED')).filter(({ status }) => status === 'POSTED')
    assert.equal(posted.length, 1)
  }
})

test('D3 §1.1.6: after kill -9 during a disbursement, the money is transferred once and the loan opened once', async () => {
  const caseRef = await open.readyCase('9302')
  await db.tx(async (tx) => orderDisbursement({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef)))
  const { disbursementId } = (await readNewestDisbursement(db, caseRef))!
  const transfersAtBank = () => bank.db`select 1 from bank_transfer where client_reference = ${disbursementId}`
  await killPartnerWhen(async () => (await transfersAtBank()).length > 0)
  assert.equal((await readNewestDisbursement(db, caseRef))!.status, 'UNKNOWN')

  open.advanceClock({ seconds: 60 })
  open.runWorkers(disbursementWorker)
  await until('the loan is disbursed', async () => (await readNewestDisbursement(db, caseRef))!.status === 'DISBURSED')
  assert.equal((await transfersAtBank()).length, 1)
  assert.equal((await accountOf(db, caseRef))!.loanStatus, 'ACTIVE')
  const reports = await open.eventData(caseRef, 'DISBURSEMENT_UPDATED')
  assert.deepEqual(
    reports.map(({ status }) => status),
    ['PENDING', 'DISBURSED'],
  )
})

test('after kill -9 during a refund, the money is transferred once and posted once', async () => {
  const caseRef = await open.disbursedLoan('9302', { daysAgo: 0 })
  const at = ctx.clock()
  const refundId = await db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    await postReceipt(tx, { caseRef, paymentId: 'overpayment', paise: 110_000_00n, valueOn: businessDate(at) }, at)
    const unappliedPaise = (await accountOf(tx, caseRef))!.unappliedPaise
    return (await orderRefund({ ...ctx, tx, at }, loanCase, unappliedPaise)).refundId
  })
  const { amountPaise } = await requireRefund(db, caseRef, refundId)
  const before = (await balancesOf(db, caseRef)).BANK
  const transfersAtBank = () => bank.db`select 1 from bank_transfer where client_reference = ${refundId}`
  // Earlier tests advanced this clock; the child process must not be behind it.
  clockAheadMs += 60_000
  await killPartnerWhen(async () => (await transfersAtBank()).length > 0)
  assert.equal((await requireRefund(db, caseRef, refundId)).status, 'UNKNOWN')

  open.advanceClock({ seconds: clockAheadMs / 1000 + 60 })
  const stop = open.runWorkers(refundWorker)
  await until('the refund is paid', async () => (await requireRefund(db, caseRef, refundId)).status === 'PAID')
  await stop()
  assert.equal((await transfersAtBank()).length, 1)
  const balances = await balancesOf(db, caseRef)
  assert.equal(balances.BANK, before - amountPaise)
  assert.equal(balances.REFUND_PAYABLE, 0n)
  assert.equal(balances.UNAPPLIED, 0n)
})

test('D3 §6.4: after kill -9 while reading receipts, each receipt is posted once', async () => {
  const cases = await Promise.all(Array.from({ length: 4 }, () => open.disbursedLoan()))
  const paid = new Map<string, bigint>(cases.map((caseRef) => [caseRef, 0n]))
  for (let i = 0; i < 40; i++) {
    const caseRef = cases[i % cases.length]!
    const { loanId } = (await accountOf(db, caseRef))!
    await bank.payIn({ method: 'UPI', amount: `${100 + i}.00`, payer_name: 'Asha Kumar', remark: `loan ${loanId}` })
    paid.set(caseRef, paid.get(caseRef)! + BigInt(100 + i) * 100n)
  }
  const countPosted = async () => (await Promise.all(cases.map((caseRef) => readPayments(db, caseRef)))).flat().length
  for (const count of [3, 12, 25]) await killPartnerWhen(async () => (await countPosted()) >= count)

  open.advanceClock({ seconds: clockAheadMs / 1000 + 20 })
  await resetCrashCounts()
  open.runWorkers(bankListWorker)
  await until('all payments are posted', async () => (await countPosted()) >= 40)
  assert.equal(await countPosted(), 40)
  for (const caseRef of cases) {
    const rows = (await accountOf(db, caseRef))!.schedule.installments
    assert.equal(
      rows.reduce((sum, { paidPaise }) => sum + paidPaise, 0n),
      paid.get(caseRef),
    )
  }
})
