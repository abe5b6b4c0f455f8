// Tests payouts and refunds that the bank gives back after it had confirmed them, against a bank over HTTP.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import { uuidv4 } from '@lendloom/seal/id'
import { accountEnding } from '@lendloom/tests/setup/bank'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { readCaseSnapshot } from '#partner/api/case-snapshot.ts'
import { chart } from '#partner/books/ledger/chart.ts'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { documentsOfCase } from '#partner/books/tax/store.ts'
import { lockCase, readCase, readStop } from '#partner/origination/case/store.ts'
import { rederiveBooks } from '#partner/records/report/rederive-books.ts'
import { readPayments } from '#partner/servicing/collection/payment-store.ts'
import { bankListWorker, queueBankLists } from '#partner/servicing/collection/read-bank-lists.ts'
import { submitClaim } from '#partner/servicing/collection/receipt/payment-claim.ts'
import { postByHand, reverseByHand } from '#partner/servicing/collection/receipt/post-by-hand.ts'
import { receiveReceipt } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { orderReturn } from '#partner/servicing/collection/receipt/return/order-return.ts'
import { readReceipt } from '#partner/servicing/collection/receipt/store.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { dayEnd } from '#partner/servicing/loan/day-end.ts'
import { writeOff } from '#partner/servicing/loan/write-off.ts'
import { disbursementWorker } from './carry-out-disbursement.ts'
import { orderDisbursement } from './order-disbursement.ts'
import { orderRefund, refundWorker } from './order-refund.ts'
import { returnByHand, returnWorker } from './return-transfer.ts'
import { confirmedTransfers, readNewestDisbursement, refundsOf } from './store.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
await queueBankLists(ctx)
open.runWorkers(disbursementWorker, refundWorker, returnWorker, bankListWorker)

const today = () => businessDate(ctx.clock())

async function paidOut(digits?: string): Promise<{ caseRef: string; disbursementId: string; netPaise: bigint }> {
  const caseRef = await open.readyCase(digits)
  const { disbursementId, amountPaise } = await db.tx(async (tx) =>
    orderDisbursement({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef)),
  )
  await until(`${caseRef} has an account`, async () => (await accountOf(db, caseRef)) !== null)
  return { caseRef, disbursementId, netPaise: amountPaise }
}

const giveBack = (reference: string) => bank.ask('POST', '/transfer-returns', { client_reference: reference })

async function payIn(caseRef: string, amount: string): Promise<void> {
  const before = (await readPayments(db, caseRef)).length
  const { loanId } = (await accountOf(db, caseRef))!
  await bank.payIn({ method: 'NEFT', amount, payer_name: 'Asha Kumar', remark: `loan ${loanId}` })
  await until('the payment is known', async () => (await readPayments(db, caseRef)).length > before)
}

const cancelled = (caseRef: string) =>
  until(`${caseRef} is cancelled`, async () => (await accountOf(db, caseRef))!.loanStatus === 'CANCELLED')

async function passDays(days: number): Promise<void> {
  open.advanceClock({ days })
  await dayEnd(ctx, plusDays(today(), -1), async () => {})
}

async function differing(): Promise<string[]> {
  const { figures } = await db.snapshot(rederiveBooks)
  return figures.flatMap(({ what, derived, stored }) => (derived === stored ? [] : [`${what}: ${derived}, ${stored}`]))
}

/** Only money is left: what the bank has of the borrower, and what the borrower may have back. */
async function assertOnlyMoney(caseRef: string, paise: bigint): Promise<void> {
  const balances = await balancesOf(db, caseRef)
  for (const account of chart) {
    const expected = account === 'BANK' ? paise : account === 'UNAPPLIED' ? -paise : 0n
    assert.equal(balances[account], expected, account)
  }
}

test('D3 §2.5: a payout that the bank gives back after its confirmation fails, and its loan is cancelled', async () => {
  const { caseRef, disbursementId } = await paidOut('9306')
  await cancelled(caseRef)
  const { status, bankReference, reasonCode } = (await readNewestDisbursement(db, caseRef))!
  assert.equal(status, 'RETURNED')
  assert.equal(reasonCode, 'ACCOUNT_CLOSED')
  const updates = await open.eventData(caseRef, 'DISBURSEMENT_UPDATED')
  assert.deepEqual(
    updates.map((each) => each.status),
    ['PENDING', 'DISBURSED', 'FAILED'],
  )
  assert.equal(updates[2]!.disbursement_id, disbursementId)
  assert.equal(updates[2]!.reason_code, 'ACCOUNT_CLOSED')
  assert.equal(updates[2]!.bank_reference, bankReference)
  const loans = await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')
  assert.equal(loans.at(-1)!.loan_status, 'CANCELLED')
  assert.equal(loans.at(-1)!.reason_code, 'PAYOUT_RETURNED')
  assert.equal((await readCase(db, caseRef))!.status, 'EXPIRED')
  assert.equal((await readStop(db, caseRef))!.cause, 'BANK')
  await assertOnlyMoney(caseRef, 0n)
  const jobs = await db`select 1 from job where kind = 'cancel-mandate' and key = ${caseRef}`
  assert.equal(jobs.length, 1, 'the mandate is cancelled at the bank')
})

test('D3 §3: a payout that comes back weeks later reverses interest and penal charges, and payments are refundable', async () => {
  const { caseRef, disbursementId } = await paidOut()
  await passDays(10)
  await payIn(caseRef, '4000.00')
  await passDays(35)
  const before = (await accountOf(db, caseRef))!
  assert.equal(before.loanStatus, 'OVERDUE')
  assert.ok(before.soa.interestPaise > 0n)
  assert.ok(before.soa.penaltyPaise > 0n)
  assert.equal((await giveBack(disbursementId)).status, 201)
  await cancelled(caseRef)
  await assertOnlyMoney(caseRef, 4_000_00n)
  const { amortization_schedule, soa, loan_status, case_status, disbursement } = (await db.snapshot((run) =>
    readCaseSnapshot(run, ctx, 'LENDLOOM', caseRef),
  ))!
  assert.equal(loan_status, 'CANCELLED')
  assert.equal(case_status, 'EXPIRED')
  assert.equal(disbursement!.status, 'FAILED')
  assert.equal(soa!.total_outstanding, '0.00')
  assert.ok(
    amortization_schedule!.installments.every(({ amount, paid_amount }) => amount === '0.00' && paid_amount === '0.00'),
  )
  await passDays(40)
  await assertOnlyMoney(caseRef, 4_000_00n)
  const documents = await documentsOfCase(db, caseRef)
  assert.deepEqual(
    documents.map(({ kind }) => kind),
    ['INVOICE', 'CREDIT_NOTE'],
  )
  assert.deepEqual(await differing(), [])
})

test('D3 §3: money that arrives or goes back after the return of the payout changes the refundable balance alone', async () => {
  const { caseRef, disbursementId } = await paidOut()
  await payIn(caseRef, '1500.00')
  await giveBack(disbursementId)
  await cancelled(caseRef)
  await payIn(caseRef, '700.00')
  await until('the payment is refundable', async () => (await accountOf(db, caseRef))!.unappliedPaise === 2_200_00n)
  const [first] = await readPayments(db, caseRef)
  await db.tx(async (tx) =>
    reverseByHand({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), first!.paymentId),
  )
  const { loanStatus } = (await accountOf(db, caseRef))!
  assert.equal(loanStatus, 'CANCELLED')
  await assertOnlyMoney(caseRef, 700_00n)
  await passDays(40)
  assert.deepEqual(await differing(), [])
})

test('D3 §3: the payout of a written-off or closed loan can come back too', async () => {
  const writtenOff = await paidOut()
  const closed = await paidOut()
  await payIn(closed.caseRef, '150000.00')
  await until('the loan is closed', async () => (await accountOf(db, closed.caseRef))!.loanStatus === 'CLOSED')
  await passDays(100)
  await db.tx(async (tx) => {
    await lockCase(tx, writtenOff.caseRef)
    await writeOff(tx, writtenOff.caseRef, today(), ctx.clock())
  })
  await payIn(writtenOff.caseRef, '900.00')
  for (const { disbursementId } of [writtenOff, closed]) await giveBack(disbursementId)
  await cancelled(writtenOff.caseRef)
  await cancelled(closed.caseRef)
  await assertOnlyMoney(writtenOff.caseRef, 900_00n)
  await assertOnlyMoney(closed.caseRef, 150_000_00n)
  await passDays(1)
  assert.equal((await accountOf(db, writtenOff.caseRef))!.assetClass, 'STANDARD')
  await passDays(40)
  assert.deepEqual(await differing(), [])
})

test('D3 §6.7: a return that the bank reports again, or of another amount, changes nothing', async () => {
  const { caseRef, disbursementId, netPaise } = await paidOut()
  const { body: credit } = await giveBack(disbursementId)
  await cancelled(caseRef)
  assert.equal((await giveBack(disbursementId)).status, 409, 'the bank gives a transfer back once')
  const events = await open.eventData(caseRef, 'DISBURSEMENT_UPDATED')
  await receiveReceipt(ctx, credit)
  await receiveReceipt(ctx, { ...credit, receipt_id: 'again', transaction_reference: 'UTRAGAIN' })
  const other = await paidOut()
  const wrongAmount = { client_reference: other.disbursementId, reason_code: null }
  await receiveReceipt(ctx, { ...credit, receipt_id: 'wrong', amount: '1.00', return_of: wrongAmount })
  await until('both strange receipts are alerted', async () => open.alerts.length === 2)
  assert.deepEqual(await open.eventData(caseRef, 'DISBURSEMENT_UPDATED'), events)
  assert.equal((await accountOf(db, other.caseRef))!.loanStatus, 'ACTIVE')
  const waiting = await db<{ receiptId: string }>`
    select receipt_id from bank_receipt where return_of is not null and returned_transfer is null order by receipt_id`
  assert.deepEqual(
    waiting.map(({ receiptId }) => receiptId),
    ['again', 'wrong'],
  )
  const key = { provider: 'SANDBOX_BANK', receiptId: 'wrong' }
  const ownMoney = /the return of our own transfer/
  await assert.rejects(
    db.tx(async (tx) => postByHand({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, other.caseRef), key)),
    ownMoney,
    'it is nobody’s payment',
  )
  const account = { holder_name: 'ASHA KUMAR', account_number: '50100123459999', ifsc: 'HDFC0000123' }
  await assert.rejects(
    db.tx((tx) => orderReturn({ ...ctx, tx, at: ctx.clock() }, key, account)),
    ownMoney,
    'it is not sent on',
  )
  assert.equal((await readNewestDisbursement(db, other.caseRef))!.amountPaise, netPaise)
  assert.deepEqual(await differing(), [])
})

test('D3 §6.7: a returned refund is the borrower’s balance again, and first pays dues', async () => {
  const { caseRef } = await paidOut()
  await payIn(caseRef, '150000.00')
  await until('the loan is closed', async () => (await accountOf(db, caseRef))!.loanStatus === 'CLOSED')
  await passDays(10)
  const { unappliedPaise } = (await accountOf(db, caseRef))!
  const { refundId } = await db.tx(async (tx) =>
    orderRefund({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), unappliedPaise),
  )
  await until('the refund is paid', async () => (await refundsOf(db, caseRef))[0]!.status === 'PAID')
  assert.equal((await accountOf(db, caseRef))!.unappliedPaise, 0n)
  await passDays(20)
  assert.equal((await giveBack(refundId)).status, 201)
  await until('the refund is returned', async () => (await refundsOf(db, caseRef))[0]!.status === 'RETURNED')
  const { unappliedPaise: again, refundingPaise, loanStatus } = (await accountOf(db, caseRef))!
  assert.equal(again, unappliedPaise)
  assert.equal(refundingPaise, 0n)
  assert.equal(loanStatus, 'CLOSED')
  await db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    await orderRefund({ ...ctx, tx, at: ctx.clock() }, loanCase, unappliedPaise)
  })
  await until('the second refund is paid', async () => (await refundsOf(db, caseRef))[1]?.status === 'PAID')
  assert.deepEqual(await differing(), [])
})

interface Credit {
  paise: Paise
  valueOn?: string
  remark?: string
}

/** Lets money arrive of which the bank does not say that it is a transfer of ours. */
async function arriveUnnamed({ paise, valueOn = today(), remark = 'RTN CREDIT' }: Credit) {
  const receiptId = uuidv4()
  const reference = `UTR${receiptId}`.replaceAll('-', '').toUpperCase()
  const credit = {
    receipt_id: receiptId,
    method: 'NEFT' as const,
    transaction_reference: reference,
    amount: rupees(paise),
    currency: 'INR' as const,
    value_date: valueOn,
    payer_name: 'ASHA KUMAR',
    remark,
    at: ctx.clock().toISOString(),
  }
  await receiveReceipt(ctx, credit)
  return { key: { provider: ctx.config.BANK_NAME, receiptId }, reference, credit }
}
type Key = Awaited<ReturnType<typeof arriveUnnamed>>['key']

const recordReturn = (caseRef: string, key: Key, transferId: string) =>
  db.tx(async (tx) =>
    returnByHand({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), { ...key, transferId }),
  )

const claim = (caseRef: string, reference: string, amount: string) =>
  db.tx(async (tx) =>
    submitClaim({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), {
      claim_reference: `CL-${uuidv4()}`,
      service_type: 'MISSED_EMI',
      amount,
      currency: 'INR',
      payment_date: today(),
      method: 'NEFT',
      transaction_reference: reference,
      document_ids: [],
    }),
  )

const lastReport = async (caseRef: string) => {
  const [{ status, reason_code } = { status: undefined, reason_code: undefined }] = (
    await open.eventData(caseRef, 'PAYMENT_UPDATED')
  ).slice(-1)
  return { status, reason_code }
}

test('D3 §2.5: officers record a credit without our reference as the return of a payout, once', async () => {
  const { caseRef, disbursementId, netPaise } = await paidOut()
  const { key, credit } = await arriveUnnamed({ paise: netPaise })
  const [transfer, ...others] = await confirmedTransfers(db, caseRef)
  assert.equal(transfer!.transferId, disbursementId)
  assert.equal(transfer!.amountPaise, netPaise)
  assert.deepEqual(others, [])
  await recordReturn(caseRef, key, disbursementId)
  const { loanStatus } = (await accountOf(db, caseRef))!
  assert.equal(loanStatus, 'CANCELLED')
  await assertOnlyMoney(caseRef, 0n)
  const { status, reasonCode } = (await readNewestDisbursement(db, caseRef))!
  assert.equal(status, 'RETURNED')
  assert.equal(reasonCode, 'RETURNED_BY_BANK')
  assert.equal((await readReceipt(db, key.provider, key.receiptId)).returnedCaseRef, caseRef)
  assert.deepEqual(await confirmedTransfers(db, caseRef), [])
  await assert.rejects(recordReturn(caseRef, key, disbursementId), /this receipt is already the return of a transfer/)
  const again = await arriveUnnamed({ paise: netPaise })
  await assert.rejects(recordReturn(caseRef, again.key, disbursementId), /no such transfer that the bank has confirmed/)
  await receiveReceipt(ctx, credit)
  await assertOnlyMoney(caseRef, 0n)
  assert.deepEqual(await differing(), [])
})

test('D3 §6.7: officers record a credit without our reference as the return of a refund', async () => {
  const { caseRef } = await paidOut()
  await payIn(caseRef, '150000.00')
  await until('the loan is closed', async () => (await accountOf(db, caseRef))!.loanStatus === 'CLOSED')
  const { unappliedPaise } = (await accountOf(db, caseRef))!
  const { refundId } = await db.tx(async (tx) =>
    orderRefund({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), unappliedPaise),
  )
  await until('the refund is paid', async () => (await refundsOf(db, caseRef))[0]!.status === 'PAID')
  await passDays(3)
  const { key } = await arriveUnnamed({ paise: unappliedPaise })
  await recordReturn(caseRef, key, refundId)
  assert.equal((await accountOf(db, caseRef))!.unappliedPaise, unappliedPaise)
  assert.equal((await refundsOf(db, caseRef))[0]!.status, 'RETURNED')
  assert.deepEqual(await differing(), [])
})

test('D3 §2.5: a credit of another kind is not recorded as the return of a transfer', async () => {
  const { caseRef, disbursementId, netPaise } = await paidOut()
  const other = await paidOut()
  const { loanId } = (await accountOf(db, caseRef))!
  const refused = async (credit: Credit, why: RegExp, prepare: (key: Key) => Promise<unknown> = async () => {}) => {
    const { key } = await arriveUnnamed(credit)
    await prepare(key)
    await assert.rejects(recordReturn(caseRef, key, disbursementId), why)
  }
  await refused({ paise: netPaise + 1n }, /not of the amount of the transfer/)
  await refused({ paise: netPaise, valueOn: plusDays(today(), -1) }, /older than the transfer/)
  await refused({ paise: netPaise, remark: `loan ${loanId}` }, /already posted/)
  await refused({ paise: netPaise }, /already posted/, (key) =>
    db.tx(async (tx) => postByHand({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, other.caseRef), key)),
  )
  await refused({ paise: netPaise }, /being sent back to its payer/, (key) =>
    db.tx((tx) => orderReturn({ ...ctx, tx, at: ctx.clock() }, key, accountEnding('1234', 'ASHA KUMAR'))),
  )
  const { key } = await arriveUnnamed({ paise: netPaise })
  await assert.rejects(recordReturn(caseRef, key, other.disbursementId), /no such transfer that the bank has confirmed/)
  await assert.rejects(recordReturn(caseRef, { ...key, receiptId: 'unknown' }, disbursementId), /no such receipt/)
  bank.policy.settleSeconds = 3600
  const pendingCase = await open.readyCase()
  const pending = await db.tx(async (tx) =>
    orderDisbursement({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, pendingCase)),
  )
  await assert.rejects(
    recordReturn(pendingCase, key, pending.disbursementId),
    /no such transfer that the bank has confirmed/,
  )
  bank.policy.settleSeconds = 0
  assert.equal((await readNewestDisbursement(db, caseRef))!.status, 'DISBURSED')
  assert.equal((await readReceipt(db, key.provider, key.receiptId)).returnedTransfer, null)
})

test('D3 §6.7: a credit that the bank names as the return of one transfer is not recorded as that of another', async () => {
  const { caseRef, disbursementId, netPaise } = await paidOut()
  const other = await paidOut()
  const { credit } = await arriveUnnamed({ paise: netPaise })
  const named = { client_reference: other.disbursementId, reason_code: null }
  const receiptId = uuidv4()
  await receiveReceipt(ctx, { ...credit, receipt_id: receiptId, amount: '1.00', return_of: named })
  const key = { provider: ctx.config.BANK_NAME, receiptId }
  await assert.rejects(recordReturn(caseRef, key, disbursementId), /is the return of another transfer/)
})

test('D3 §6.4: a claim on money of ours that came back, or on money that goes back to its payer, is refused', async () => {
  const { caseRef, disbursementId, netPaise } = await paidOut()
  const claimant = await paidOut()
  const returned = await arriveUnnamed({ paise: netPaise })
  await recordReturn(caseRef, returned.key, disbursementId)
  await claim(claimant.caseRef, returned.reference, rupees(netPaise))
  assert.deepEqual(await lastReport(claimant.caseRef), { status: 'FAILED', reason_code: 'ALREADY_POSTED' })
  const goingBack = await arriveUnnamed({ paise: 4_790_00n })
  await db.tx((tx) => orderReturn({ ...ctx, tx, at: ctx.clock() }, goingBack.key, accountEnding('1234', 'ASHA KUMAR')))
  await claim(claimant.caseRef, goingBack.reference, '4790.00')
  assert.deepEqual(await lastReport(claimant.caseRef), { status: 'FAILED', reason_code: 'RETURNED_TO_PAYER' })
  assert.equal((await readReceipt(db, returned.key.provider, returned.key.receiptId)).paymentId, null)
  assert.equal((await readReceipt(db, goingBack.key.provider, goingBack.key.receiptId)).paymentId, null)
})
