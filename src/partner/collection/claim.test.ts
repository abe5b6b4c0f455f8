// Claims against the bank's records: matched, refused with a reason, posted once through whichever channel they came.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentClaimSubmitted } from '#contract/exchange/event/account.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { firstRows } from '#kit/db/keyset.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import { paiseFrom } from '#kit/money/money.ts'
import { lockCase } from '#partner/case/store.ts'
import { accountOf } from '#partner/loan/account.ts'
import { openCollections } from '#test/setup/collection.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { until } from '#test/setup/programs.ts'
import { submitClaim, verifyingClaims } from './claim.ts'
import { collect } from './collect.ts'
import { presenting } from './present.ts'
import { beginReadingBank, readingBank } from './read-bank.ts'
import { receiveReceipt } from './receive-receipt.ts'
import { paymentsOf } from './status.ts'
import { findReceipt, unpostedReceipts } from './store.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
await beginReadingBank(ctx)
const stopReading = open.runWorkers(readingBank)
open.runWorkers(verifyingClaims, presenting)

const today = () => businessDate(ctx.clock())
const claimOf = (reference: string, over: Partial<PaymentClaimSubmitted> = {}): PaymentClaimSubmitted => ({
  ...{ claim_reference: `CL-${uuidv4()}`, service_type: 'MISSED_EMI', amount: '4790.00', currency: 'INR' },
  ...{ payment_date: today(), method: 'UPI', transaction_reference: reference, document_ids: [], ...over },
})
const submit = (caseRef: string, claim: PaymentClaimSubmitted) =>
  db.tx(async (tx) => submitClaim({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), claim))

const pay = (over: object = {}) =>
  bank.payIn({ method: 'UPI', amount: '4790.00', payer_name: 'Asha Kumar', remark: null, ...over })

async function received(receiptId: string) {
  await until('received', async () => (await findReceipt(db, ctx.config.BANK_NAME, receiptId)) !== undefined)
}
async function reported(caseRef: string, ...statuses: string[]) {
  const now = async () =>
    (await open.eventData(caseRef, 'PAYMENT_UPDATED')).map(({ status, reason_code }) =>
      [status, reason_code].filter(Boolean).join(' '),
    )
  await until(`${statuses}`, async () => `${await now()}` === `${statuses}`, deadlineMs).catch(async (error) => {
    throw new Error(`${error.message}; told: ${await now()}`)
  })
  return open.eventData(caseRef, 'PAYMENT_UPDATED')
}
const paidOf = async (caseRef: string) =>
  (await accountOf(db, caseRef))!.schedule.installments.reduce((sum, { paidPaise }) => sum + paidPaise, 0n)

test('D3 §6.4: a claim changes no balance until the bank has the money, and then posts it once', async () => {
  const caseRef = await open.disbursedLoan()
  const claim = claimOf('SBXB0000000000000000')
  await submit(caseRef, claim)
  await reported(caseRef, 'PENDING_VERIFICATION')
  assert.equal(await paidOf(caseRef), 0n)
  const receipt = await pay()
  const other = claimOf(receipt.transaction_reference.toLowerCase())
  await submit(caseRef, other)
  await until('posted', async () => (await paidOf(caseRef)) > 0n)
  const posted = (await open.eventData(caseRef, 'PAYMENT_UPDATED')).at(-1)!
  assert.deepEqual(
    [posted.claim_reference, posted.bank_reference],
    [other.claim_reference, receipt.transaction_reference],
  )
  assert.deepEqual([posted.value_date, posted.method, posted.collection_id], [receipt.value_date, 'UPI', null])
  assert.equal(await paidOf(caseRef), 479_000n)
})

test('D3 §6.4: the claim may come before the money, and the money before the claim', async () => {
  const [early, late] = [await open.disbursedLoan(), await open.disbursedLoan()]
  const receipt = await pay()
  await received(receipt.receipt_id)
  await submit(early, claimOf(receipt.transaction_reference))
  await reported(early, 'POSTED')

  // Not read yet: the list is read when it is its time.
  const next = await pay({ amount: '100.00' })
  await submit(late, claimOf(next.transaction_reference, { amount: '100.00' }))
  await until('posted', async () => (await paidOf(late)) === 10_000n)
})

test('D3 §6.4: the same claim again changes nothing; its reference for another payment is refused', async () => {
  const caseRef = await open.disbursedLoan()
  const claim = claimOf('SBXB0000000000000001')
  await submit(caseRef, claim)
  await submit(caseRef, claim)
  await reported(caseRef, 'PENDING_VERIFICATION')
  await assert.rejects(submit(caseRef, { ...claim, amount: '4790.01' }), /used for another payment/)
})

test('D3 §6.4: a receipt that its own remark posted is claimed afterwards: one payment, now with the claim', async () => {
  const caseRef = await open.disbursedLoan()
  const { loanId } = (await accountOf(db, caseRef))!
  const receipt = await pay({ method: 'NEFT', amount: '4000.00', remark: `loan ${loanId} thank you` })
  const [first] = await reported(caseRef, 'POSTED')
  assert.equal(first!.claim_reference, null)
  const claim = claimOf(receipt.transaction_reference, { method: 'NEFT', amount: '4000.00' })
  await submit(caseRef, claim)
  const [, second] = await reported(caseRef, 'POSTED', 'POSTED')
  assert.deepEqual([second!.payment_id, second!.claim_reference], [first!.payment_id, claim.claim_reference])
  assert.equal(await paidOf(caseRef), 400_000n)
  await submit(caseRef, claimOf(receipt.transaction_reference, { method: 'NEFT', amount: '4000.00' }))
  await reported(caseRef, 'POSTED', 'POSTED', 'FAILED ALREADY_POSTED')
  assert.equal(await paidOf(caseRef), 400_000n)
})

test('D3 §6.4: two claims of one receipt, in two cases at once: one is posted, the other told why not', async () => {
  const cases = [await open.disbursedLoan(), await open.disbursedLoan()]
  const receipt = await pay()
  await received(receipt.receipt_id)
  await Promise.all(cases.map((caseRef) => submit(caseRef, claimOf(receipt.transaction_reference))))
  const ends = await Promise.all(
    cases.map(async (caseRef) => (await open.eventData(caseRef, 'PAYMENT_UPDATED')).at(-1)),
  )
  assert.deepEqual(ends.map((each) => each!.status).sort(), ['FAILED', 'POSTED'])
  assert.equal(ends.find((each) => each!.status === 'FAILED')!.reason_code, 'ALREADY_POSTED')
  assert.equal((await paidOf(cases[0]!)) + (await paidOf(cases[1]!)), 479_000n)
})

test('D3 §6.4: what does not match is FAILED with the reason, and the money stays for whoever it belongs to', async () => {
  const receipt = await pay()
  await received(receipt.receipt_id)
  const { transaction_reference } = receipt
  const wrong: [Partial<PaymentClaimSubmitted>, string][] = [
    [{ amount: '4790.01' }, 'AMOUNT_MISMATCH'],
    [{ method: 'RTGS' }, 'METHOD_MISMATCH'],
    [{ payment_date: plusDays(today(), -10) }, 'DATE_MISMATCH'],
  ]
  for (const [over, reason] of wrong) {
    const caseRef = await open.disbursedLoan()
    await submit(caseRef, claimOf(transaction_reference, over))
    await reported(caseRef, `FAILED ${reason}`)
    assert.equal(await paidOf(caseRef), 0n)
  }
  assert.ok((await unpostedReceipts(db, firstRows(100))).some(({ receiptId }) => receiptId === receipt.receipt_id))
})

test('D3 §6.4: a debit of ours that a borrower claims as a payment is recognized by its bank reference', async () => {
  const caseRef = await open.disbursedLoan()
  bank.policy.settleSeconds = 3600
  await collect(ctx, caseRef, ctx.clock())
  await reported(caseRef, 'SUBMITTED')
  open.advanceClock({ seconds: 3600 })
  const [, posted] = await reported(caseRef, 'SUBMITTED', 'POSTED')
  await submit(caseRef, claimOf(posted!.bank_reference!, { amount: posted!.amount, method: 'NEFT' }))
  await reported(caseRef, 'SUBMITTED', 'POSTED', 'FAILED ALREADY_POSTED')
  assert.equal(await paidOf(caseRef), paiseFrom(posted!.amount))
})

test('D3 §6.4: a part payment that would end the loan is a foreclosure, which is outside this release', async () => {
  const caseRef = await open.disbursedLoan()
  const claim = claimOf('SBXB0000000000000002', { service_type: 'PRE_PART_PAYMENT', amount: '200000.00' })
  await submit(caseRef, claim)
  await reported(caseRef, 'FAILED FORECLOSURE_UNSUPPORTED')
})

test('D3 §6.4: no account, no claim', async () => {
  await assert.rejects(submit(await open.readyCase(), claimOf('SBXB0000000000000003')), /no loan account/)
})

test('D3 §6.4: a claim whose receipt does not come fails after some days; money that comes later is posted all the same', async () => {
  const caseRef = await open.disbursedLoan()
  // As from a bank that tells late: nobody has read of the receipt when the claim ends.
  await stopReading()
  const receipt = await pay({ amount: '321.00' })
  await submit(caseRef, claimOf(receipt.transaction_reference, { amount: '321.00' }))
  open.advanceClock({ days: ctx.config.PARTNER_CLAIM_DAYS })
  db.wake('verify-claim')
  await reported(caseRef, 'PENDING_VERIFICATION', 'FAILED RECEIPT_NOT_FOUND')
  await Promise.all([receiveReceipt(ctx, receipt), receiveReceipt(ctx, receipt)])
  await reported(caseRef, 'PENDING_VERIFICATION', 'FAILED RECEIPT_NOT_FOUND', 'POSTED')
  assert.equal(await paidOf(caseRef), 32_100n)
  assert.equal((await paymentsOf(db, caseRef)).length, 1)
})
