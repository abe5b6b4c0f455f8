// Tests payments that may complete a cooling-off exit: when they wait, who decides, and what follows without a decision.

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import { uuidv4 } from '@lendloom/seal/id'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { assertUnpostedLaw } from '@lendloom/tests/setup/unposted-law'
import type { BankCredit } from '@lendloom/wire/bank/bank'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { trialBalance } from '#partner/books/ledger/trial-balance.ts'
import type { TxContext } from '#partner/context.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { accountOf, payoffOf } from '#partner/servicing/loan/account-view.ts'
import { dayEnd } from '#partner/servicing/loan/day-end.ts'
import { exitAmountOn } from '#partner/servicing/loan/exit.ts'
import { postReceipt } from '#partner/servicing/loan/post-receipt.ts'
import { lockAccount } from '#partner/servicing/loan/store.ts'
import { insertReminders, reminderToSend } from './arrears/store.ts'
import { prepareDebit } from './debit/prepare-debit.ts'
import { heldPaymentWorker, postHeldPayment } from './held-payment.ts'
import { readPayments } from './payment-store.ts'
import { claimWorker, submitClaim } from './receipt/payment-claim.ts'
import { postByHand, reverseByHand } from './receipt/post-by-hand.ts'
import { receiveReceipt } from './receipt/receive-receipt.ts'
import { requestExit } from './request-exit.ts'
import { bookedMovements } from './statement/store.ts'

const open = await openCollections()
const { ctx } = open
const { db } = ctx
open.runWorkers(heldPaymentWorker, claimWorker)
afterEach(() => assertUnpostedLaw(db))

const today = () => businessDate(ctx.clock())
const act = <T>(caseRef: string, run: (context: TxContext, loanCase: Case) => Promise<T>) =>
  db.tx(async (tx) => run({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef)))
const view = async (caseRef: string) => (await accountOf(db, caseRef))!
const exitAmount = (caseRef: string) =>
  db.tx(async (tx) => {
    const { loan, rows } = (await lockAccount(tx, caseRef))!
    return exitAmountOn(loan, rows, today(), ctx.clock()).total
  })
async function creditOf(caseRef: string, paise: Paise): Promise<BankCredit> {
  const id = uuidv4()
  const transfer = {
    receipt_id: id,
    method: 'NEFT' as const,
    transaction_reference: `UTR${id}`.replaceAll('-', '').toUpperCase(),
  }
  const texts = { payer_name: 'Asha Kumar', remark: `loan ${(await view(caseRef)).loanId}` }
  return { ...transfer, ...texts, amount: rupees(paise), value_date: today() } as BankCredit
}
async function pay(caseRef: string, paise: Paise): Promise<BankCredit> {
  const credit = await creditOf(caseRef, paise)
  await receiveReceipt(ctx, credit)
  return credit
}
const record = (caseRef: string, requestedOn = today()) =>
  act(caseRef, (context, loanCase) =>
    requestExit(context, loanCase, { requestedOn, reference: 'GRV-000118', today: today() }),
  )
const reportsOf = async (caseRef: string) =>
  (await open.eventData(caseRef, 'PAYMENT_UPDATED')).map(({ status, reason_code }) =>
    [status, reason_code].filter(Boolean).join(' '),
  )
const closeDays = () => dayEnd(ctx, plusDays(today(), -1), async () => {})
const newLoan = () => open.disbursedLoan(undefined, { daysAgo: 1 })
const held = 'PENDING_VERIFICATION'

for (const [daysUntilRecorded, excess] of [
  [0, 0n],
  [0, 999_99n],
  [1, 0n],
  [4, 0n],
  [4, 999_99n],
] as const)
  test(`D3 §6.4: an exit recorded ${daysUntilRecorded} days after the payment with ${excess} paise too much ends with the same balances as one recorded before`, async () => {
    const recordedFirst = await newLoan()
    const paidFirst = await newLoan()
    const paise = (await exitAmount(paidFirst)) + excess
    const requestedOn = today()
    await record(recordedFirst)
    await pay(recordedFirst, paise)
    const credit = await pay(paidFirst, paise)
    await receiveReceipt(ctx, credit)
    assert.deepEqual(await reportsOf(recordedFirst), ['POSTED'])
    assert.deepEqual(await reportsOf(paidFirst), [held])
    const [report] = await open.eventData(paidFirst, 'PAYMENT_UPDATED')
    assert.equal(report!.claim_reference, null)
    assert.equal(report!.bank_reference, credit.transaction_reference)
    assert.equal(report!.value_date, requestedOn)
    assert.equal(report!.amount, rupees(paise))
    assert.deepEqual(
      (await view(paidFirst)).schedule.installments.filter(({ paidPaise }) => paidPaise > 0n),
      [],
    )
    open.advanceClock({ days: daysUntilRecorded })
    await closeDays()
    await record(paidFirst, requestedOn)
    await receiveReceipt(ctx, credit)
    const { loanStatus, unappliedPaise, retainedFeePaise } = await view(paidFirst)
    assert.equal(loanStatus, 'CLOSED')
    assert.equal(unappliedPaise, excess)
    assert.equal(retainedFeePaise, 0n)
    assert.deepEqual(await reportsOf(paidFirst), [held, 'POSTED'])
    const reasons = (await open.eventData(paidFirst, 'LOAN_STATUS_UPDATED')).map(({ reason_code }) => reason_code)
    assert.deepEqual(reasons, ['COOLING_OFF_EXIT'])
    open.advanceClock({ days: 7 })
    await closeDays()
    assert.deepEqual(await balancesOf(db, paidFirst), await balancesOf(db, recordedFirst))
  })

test('D3 §6.4: only a payment from the exit amount up to the closing amount waits, and only before a request', async () => {
  const short = await newLoan()
  const full = await newLoan()
  const requested = await newLoan()
  const covered = await newLoan()
  const closing = await newLoan()
  const paise = await exitAmount(short)
  const { total } = (await payoffOf(db, full, today(), ctx.clock()))!
  await pay(short, paise - 1n)
  await pay(full, total)
  await record(requested)
  await pay(requested, paise - 1n)
  await pay(requested, 5n)
  for (const caseRef of [short, full]) assert.deepEqual(await reportsOf(caseRef), ['POSTED'])
  assert.deepEqual(await reportsOf(requested), ['POSTED', 'POSTED'])
  assert.equal((await view(full)).loanStatus, 'CLOSED')
  await record(full)
  assert.equal((await view(full)).unappliedPaise, 2_360_00n, 'a closed loan refunds the fee after the request')
  await pay(closing, total - 1n)
  assert.deepEqual(await reportsOf(closing), [held])

  await pay(short, 1n)
  assert.deepEqual(await reportsOf(short), ['POSTED', held], 'the rest of the exit amount waits')
  await pay(covered, paise)
  await act(covered, async (context, loanCase) => {
    const [payment] = await readPayments(context.tx, covered)
    await postHeldPayment(context, loanCase, payment!.paymentId)
  })
  await pay(covered, 100_00n)
  assert.equal((await reportsOf(covered)).at(-1), 'POSTED', 'the exit no longer depends on a payment')
})

test('D3 §6.4: an officer posts a held payment once, and may reverse it', async () => {
  const caseRef = await newLoan()
  const ordinary = await newLoan()
  const paise = await exitAmount(caseRef)
  const credit = await pay(caseRef, paise)
  const [payment] = await readPayments(db, caseRef)
  const valueOn = today()
  open.advanceClock({ days: 1 })
  await act(ordinary, ({ tx, at }) => postReceipt(tx, { caseRef: ordinary, paymentId: uuidv4(), paise, valueOn }, at))
  const post = () => act(caseRef, (context, loanCase) => postHeldPayment(context, loanCase, payment!.paymentId))
  const results = await Promise.allSettled([post(), post()])
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.deepEqual(await reportsOf(caseRef), [held, 'POSTED'])
  assert.deepEqual(await balancesOf(db, caseRef), await balancesOf(db, ordinary))
  await act(caseRef, (context, loanCase) => reverseByHand(context, loanCase, payment!.paymentId))
  const key = { provider: ctx.config.BANK_NAME, receiptId: credit.receipt_id }
  await act(caseRef, (context, loanCase) => postByHand(context, loanCase, key))
  assert.equal((await reportsOf(caseRef)).at(-1), held, 'a receipt that an officer assigns waits as well')
})

test('D3 §2.5: the bank reconciliation has a receipt once, on its value date, however often it is posted', async () => {
  const first = await newLoan()
  const second = await newLoan()
  const credit = await creditOf(first, 500_00n)
  await receiveReceipt(ctx, { ...credit, remark: null })
  const fromOn = today()
  const key = { provider: ctx.config.BANK_NAME, receiptId: credit.receipt_id }
  const movement = { valueOn: fromOn, paise: 500_00n, caseRef: null, loanId: null }
  const isMovedOnce = async (caseRef: string | null) => {
    const moved = await bookedMovements(db, { fromOn, toOn: today() })
    const { transaction_reference: reference } = credit
    const loanId = caseRef && (await view(caseRef)).loanId
    assert.deepEqual(
      moved.filter((each) => each.reference === reference),
      [{ ...movement, reference, caseRef, loanId }],
    )
  }
  await isMovedOnce(null)
  await act(first, (context, loanCase) => postByHand(context, loanCase, key))
  await isMovedOnce(first)
  open.advanceClock({ days: 1 })
  const [payment] = await readPayments(db, first)
  await act(first, (context, loanCase) => reverseByHand(context, loanCase, payment!.paymentId))
  await isMovedOnce(null)
  await act(second, (context, loanCase) => postByHand(context, loanCase, key))
  await isMovedOnce(second)
})

test('D3 §6.4: without a decision the payment is posted before an instalment falls due, and nothing is debited or reminded until then', async () => {
  const caseRef = await newLoan()
  const paidOn = today()
  const unpostedOn = async (day: string) => {
    const { rows } = await trialBalance(db, { from: day, to: day })
    return rows.find(({ account }) => account === 'UNPOSTED')!.closing
  }
  const unpostedBefore = await unpostedOn(paidOn)
  const paise = await exitAmount(caseRef)
  await pay(caseRef, paise)
  const dueOn = (await view(caseRef)).nextDueOn!
  open.advanceClock({ days: 4 })
  await closeDays()
  await db.tx((tx) =>
    insertReminders(tx, { on: today(), tolerance: 0n, before: [2], after: [], afterDebits: [] }, ctx.clock()),
  )
  const reminder = { caseRef, number: 1, kind: 'before-2' }
  assert.equal(await db.tx((tx) => reminderToSend(tx, reminder, today())), undefined)
  assert.deepEqual(await prepareDebit(ctx, caseRef, ctx.clock()), { blocked: 'NOTHING_DUE' })
  open.advanceClock({ days: 1 })
  assert.deepEqual(await reportsOf(caseRef), [held])
  open.advanceClock({ days: 1 })
  assert.equal(today(), dueOn)
  await until('the payment is posted', async () => (await reportsOf(caseRef)).includes('POSTED'))
  open.advanceClock({ days: 1 })
  await closeDays()
  assert.deepEqual(await reportsOf(caseRef), [held, 'POSTED'])
  const { loanStatus, soa } = await view(caseRef)
  assert.equal(loanStatus, 'ACTIVE')
  assert.equal(soa.overduePaise, 0n)
  assert.equal(soa.penaltyPaise, 0n)
  assert.equal(await unpostedOn(paidOn), unpostedBefore - paise, 'in the books of the day of its arrival')
  await record(caseRef, paidOn)
  assert.equal((await view(caseRef)).loanStatus, 'CLOSED', 'the exit can still be recorded')
})

const claim = ({ transaction_reference, amount }: BankCredit) => ({
  claim_reference: `CL-${uuidv4()}`,
  service_type: 'PRE_PART_PAYMENT' as const,
  amount,
  currency: 'INR' as const,
  payment_date: today(),
  method: 'NEFT' as const,
  transaction_reference,
  document_ids: [],
})
const submit = (caseRef: string, credit: BankCredit) =>
  act(caseRef, (context, loanCase) => submitClaim(context, loanCase, claim(credit)))

test('D3 §6.4: a claim and its receipt become one payment that waits, whichever arrives first', async () => {
  const claimFirst = await newLoan()
  const receiptFirst = await newLoan()
  const paise = await exitAmount(claimFirst)
  const credit = await creditOf(claimFirst, paise)
  await submit(claimFirst, credit)
  await receiveReceipt(ctx, { ...credit, remark: null })
  const second = await pay(receiptFirst, paise)
  await submit(receiptFirst, second)
  for (const caseRef of [claimFirst, receiptFirst]) {
    assert.deepEqual(await reportsOf(caseRef), [held, held])
    assert.equal((await readPayments(db, caseRef)).length, 1)
  }
  await submit(receiptFirst, second)
  assert.equal((await reportsOf(receiptFirst)).at(-1), 'FAILED ALREADY_POSTED')
  await until('no search is left', async () => (await db`select 1 from job where kind = 'verify-claim'`).length === 0)
  for (const caseRef of [claimFirst, receiptFirst]) {
    await record(caseRef)
    assert.equal((await view(caseRef)).loanStatus, 'CLOSED')
  }
  assert.deepEqual(await reportsOf(claimFirst), [held, held, 'POSTED'])
})

test('D3 §6.4: a claim that failed without a receipt waits when the bank reports the receipt late', async () => {
  const caseRef = await newLoan()
  const credit = await creditOf(caseRef, await exitAmount(caseRef))
  await submit(caseRef, credit)
  open.advanceClock({ days: ctx.config.PARTNER_CLAIM_DAYS })
  await closeDays()
  await until('the claim fails', async () => (await reportsOf(caseRef)).includes('FAILED RECEIPT_NOT_FOUND'))
  await receiveReceipt(ctx, credit)
  await receiveReceipt(ctx, credit)
  assert.deepEqual(await reportsOf(caseRef), [held, 'FAILED RECEIPT_NOT_FOUND', held])
  await record(caseRef, credit.value_date)
  assert.equal((await view(caseRef)).loanStatus, 'CLOSED')
})

test('D3 §6.4: a request made after the payment ends the loan alike, whether the payment waits or is posted before', async () => {
  const waiting = await newLoan()
  const posted = await newLoan()
  for (const caseRef of [waiting, posted]) await pay(caseRef, await exitAmount(caseRef))
  const [payment] = await readPayments(db, posted)
  await act(posted, (context, loanCase) => postHeldPayment(context, loanCase, payment!.paymentId))
  open.advanceClock({ days: 2 })
  await closeDays()
  for (const caseRef of [waiting, posted]) {
    await record(caseRef)
    const { loanStatus, soa, unappliedPaise } = await view(caseRef)
    assert.equal(loanStatus, 'CLOSED')
    assert.equal(soa.totalPaise, 0n)
    assert.equal(unappliedPaise, 0n)
  }
  const one = await balancesOf(db, waiting)
  const other = await balancesOf(db, posted)
  for (const account of ['BANK', 'PRINCIPAL', 'FEE_INCOME', 'TAX_PAYABLE'] as const)
    assert.equal(one[account], other[account], account)
})

for (const [name, amountOf] of [
  ['the fee', async () => 2360_00n],
  ['the closing amount', async (caseRef) => (await payoffOf(db, caseRef, today(), ctx.clock()))!.total],
  ['the exit amount again', exitAmount],
] satisfies [string, (caseRef: string) => Promise<Paise>][])
  test(`D3 §6.4: a held payment is posted when ${name} arrives, because together they repay the loan`, async () => {
    const caseRef = await newLoan()
    await pay(caseRef, await exitAmount(caseRef))
    await pay(caseRef, await amountOf(caseRef))
    const payments = await readPayments(db, caseRef)
    assert.deepEqual(
      payments.map(({ status }) => status),
      ['POSTED', 'POSTED'],
    )
    const { loanStatus, soa } = await view(caseRef)
    assert.equal(loanStatus, 'CLOSED')
    assert.equal(soa.totalPaise, 0n)
  })

test('D3 §6.4: a held payment pays an instalment that falls due again because an earlier payment is returned', async () => {
  const caseRef = await newLoan()
  const [first] = (await view(caseRef)).schedule.installments
  await pay(caseRef, first!.principalPaise + first!.interestPaise)
  const [paid] = await readPayments(db, caseRef)
  await pay(caseRef, await exitAmount(caseRef))
  assert.deepEqual(await reportsOf(caseRef), ['POSTED', held])
  open.advanceClock({ days: 7 })
  await closeDays()
  assert.equal((await reportsOf(caseRef)).at(-1), held)
  await act(caseRef, (context, loanCase) => reverseByHand(context, loanCase, paid!.paymentId))
  assert.equal((await reportsOf(caseRef)).at(-1), 'POSTED')
  const { loanStatus, soa } = await view(caseRef)
  assert.equal(loanStatus, 'ACTIVE')
  assert.equal(soa.overduePaise, 0n)
})

test('D3 §6.4: a payment that waits becomes a part payment if its claim says so', async () => {
  const caseRef = await newLoan()
  await submit(caseRef, await pay(caseRef, await exitAmount(caseRef)))
  const [payment] = await readPayments(db, caseRef)
  assert.equal(payment!.isPartPayment, true)
})
