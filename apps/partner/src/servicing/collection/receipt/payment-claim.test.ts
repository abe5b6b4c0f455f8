// Tests payment claims: how they match the bank's receipts, and why they fail.

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { paiseFrom } from '@lendloom/lending/money'
import { firstRows } from '@lendloom/postgres/keyset'
import { uuidv4 } from '@lendloom/seal/id'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { assertUnpostedLaw } from '@lendloom/tests/setup/unposted-law'
import type { PaymentClaimSubmitted } from '@lendloom/wire/exchange/event/account'
import { lockCase, readCase } from '#partner/origination/case/store.ts'
import { prepareDebit } from '#partner/servicing/collection/debit/prepare-debit.ts'
import { debitWorker } from '#partner/servicing/collection/debit/present-debit.ts'
import { bankListWorker, queueBankLists } from '#partner/servicing/collection/read-bank-lists.ts'
import { paymentsOf } from '#partner/servicing/collection/reported-payments.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { claimWorker, submitClaim } from './payment-claim.ts'
import { receiveReceipt } from './receive-receipt.ts'
import { findReceipt, unpostedReceipts } from './store.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
await queueBankLists(ctx)
const stopReading = open.runWorkers(bankListWorker)
open.runWorkers(claimWorker, debitWorker)
afterEach(() => assertUnpostedLaw(ctx.db))

const today = () => businessDate(ctx.clock())
const claimOf = (reference: string, changes: Partial<PaymentClaimSubmitted> = {}): PaymentClaimSubmitted => ({
  claim_reference: `CL-${uuidv4()}`,
  service_type: 'MISSED_EMI',
  amount: '4790.00',
  currency: 'INR',
  payment_date: today(),
  method: 'UPI',
  transaction_reference: reference,
  document_ids: [],
  ...changes,
})
const submit = (caseRef: string, claim: PaymentClaimSubmitted) =>
  db.tx(async (tx) => submitClaim({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), claim))

const pay = (changes: object = {}) =>
  bank.payIn({ method: 'UPI', amount: '4790.00', payer_name: 'Asha Kumar', remark: null, ...changes })

async function waitForReceipt(receiptId: string) {
  await until(
    'the receipt is received',
    async () => (await findReceipt(db, ctx.config.BANK_NAME, receiptId)) !== undefined,
  )
}
async function waitForReports(caseRef: string, ...statuses: string[]) {
  const currentReports = async () =>
    (await open.eventData(caseRef, 'PAYMENT_UPDATED')).map(({ status, reason_code }) =>
      [status, reason_code].filter(Boolean).join(' '),
    )
  await until(`${statuses}`, async () => `${await currentReports()}` === `${statuses}`).catch(async (error) => {
    throw new Error(`${error.message}; reported: ${await currentReports()}`)
  })
  return open.eventData(caseRef, 'PAYMENT_UPDATED')
}
const paidOf = async (caseRef: string) =>
  (await accountOf(db, caseRef))!.schedule.installments.reduce((sum, { paidPaise }) => sum + paidPaise, 0n)

test('D3 §6.4: a claim changes no balance until the bank reports the receipt', async () => {
  const caseRef = await open.disbursedLoan()
  const claim = claimOf('SBXB0000000000000000')
  await submit(caseRef, claim)
  await waitForReports(caseRef, 'PENDING_VERIFICATION')
  assert.equal(await paidOf(caseRef), 0n)
  const receipt = await pay()
  const matchingClaim = claimOf(receipt.transaction_reference.toLowerCase())
  await submit(caseRef, matchingClaim)
  await until('the payment is posted', async () => (await paidOf(caseRef)) > 0n)
  const posted = (await open.eventData(caseRef, 'PAYMENT_UPDATED')).at(-1)!
  assert.equal(posted.claim_reference, matchingClaim.claim_reference)
  assert.equal(posted.bank_reference, receipt.transaction_reference)
  assert.equal(posted.value_date, receipt.value_date)
  assert.equal(posted.method, 'UPI')
  assert.equal(posted.collection_id, null)
  assert.equal(await paidOf(caseRef), 479_000n)
})

test('D3 §6.4: a claim is posted whether the claim or the receipt arrives first', async () => {
  const withReceipt = await open.disbursedLoan()
  const withoutReceipt = await open.disbursedLoan()
  const receipt = await pay()
  await waitForReceipt(receipt.receipt_id)
  await submit(withReceipt, claimOf(receipt.transaction_reference))
  await waitForReports(withReceipt, 'POSTED')

  // The partner has not read this receipt yet.
  const unreadReceipt = await pay({ amount: '100.00' })
  await submit(withoutReceipt, claimOf(unreadReceipt.transaction_reference, { amount: '100.00' }))
  await until('the payment is posted', async () => (await paidOf(withoutReceipt)) === 10_000n)
})

test('D3 §4.4: a search that finds no receipt leaves the version of the case, so that no decision is refused', async () => {
  const caseRef = await open.disbursedLoan()
  await submit(caseRef, claimOf('SBXB0000000000000002'))
  await waitForReports(caseRef, 'PENDING_VERIFICATION')
  const { snapshotVersion } = (await readCase(db, caseRef))!
  await until('two searches have found nothing', async () => {
    const [job] = await db<{ attempt: number }>`
      select attempt from job where kind = 'verify-claim' and payload->>'caseRef' = ${caseRef}`
    return job !== undefined && job.attempt >= 3
  })
  assert.equal((await readCase(db, caseRef))!.snapshotVersion, snapshotVersion)
})

test('D3 §6.4: a repeated claim changes nothing, and another payment with its reference is refused', async () => {
  const caseRef = await open.disbursedLoan()
  const claim = claimOf('SBXB0000000000000001')
  await submit(caseRef, claim)
  await submit(caseRef, claim)
  await waitForReports(caseRef, 'PENDING_VERIFICATION')
  await assert.rejects(submit(caseRef, { ...claim, amount: '4790.01' }), /used for another payment/)
})

test('D3 §6.4: if the remark assigned a receipt to the loan, a later claim is added to its payment', async () => {
  const caseRef = await open.disbursedLoan()
  const { loanId } = (await accountOf(db, caseRef))!
  const receipt = await pay({ method: 'NEFT', amount: '4000.00', remark: `loan ${loanId} thank you` })
  const [first] = await waitForReports(caseRef, 'POSTED')
  assert.equal(first!.claim_reference, null)
  const claim = claimOf(receipt.transaction_reference, { method: 'NEFT', amount: '4000.00' })
  await submit(caseRef, claim)
  const [, second] = await waitForReports(caseRef, 'POSTED', 'POSTED')
  assert.equal(second!.payment_id, first!.payment_id)
  assert.equal(second!.claim_reference, claim.claim_reference)
  assert.equal(await paidOf(caseRef), 400_000n)
  await submit(caseRef, claimOf(receipt.transaction_reference, { method: 'NEFT', amount: '4000.00' }))
  await waitForReports(caseRef, 'POSTED', 'POSTED', 'FAILED ALREADY_POSTED')
  assert.equal(await paidOf(caseRef), 400_000n)
})

test('D3 §6.4: of two concurrent claims for a receipt, one is posted and one fails', async () => {
  const cases = [await open.disbursedLoan(), await open.disbursedLoan()]
  const receipt = await pay()
  await waitForReceipt(receipt.receipt_id)
  await Promise.all(cases.map((caseRef) => submit(caseRef, claimOf(receipt.transaction_reference))))
  const lastReports = await Promise.all(
    cases.map(async (caseRef) => (await open.eventData(caseRef, 'PAYMENT_UPDATED')).at(-1)),
  )
  assert.deepEqual(lastReports.map((each) => each!.status).sort(), ['FAILED', 'POSTED'])
  assert.equal(lastReports.find((each) => each!.status === 'FAILED')!.reason_code, 'ALREADY_POSTED')
  assert.equal((await paidOf(cases[0]!)) + (await paidOf(cases[1]!)), 479_000n)
})

test('D3 §6.4: a claim that does not match its receipt fails, and the receipt stays unposted', async () => {
  const receipt = await pay()
  await waitForReceipt(receipt.receipt_id)
  const { transaction_reference } = receipt
  const mismatches: [Partial<PaymentClaimSubmitted>, string][] = [
    [{ amount: '4790.01' }, 'AMOUNT_MISMATCH'],
    [{ method: 'RTGS' }, 'METHOD_MISMATCH'],
    [{ payment_date: plusDays(today(), -10) }, 'DATE_MISMATCH'],
  ]
  for (const [change, reason] of mismatches) {
    const caseRef = await open.disbursedLoan()
    await submit(caseRef, claimOf(transaction_reference, change))
    await waitForReports(caseRef, `FAILED ${reason}`)
    assert.equal(await paidOf(caseRef), 0n)
  }
  assert.ok((await unpostedReceipts(db, firstRows(100))).some(({ receiptId }) => receiptId === receipt.receipt_id))
})

test('D3 §6.4: a claim with the bank reference of one of our own debits fails', async () => {
  const caseRef = await open.disbursedLoan()
  bank.policy.settleSeconds = 3600
  await prepareDebit(ctx, caseRef, ctx.clock())
  await waitForReports(caseRef, 'SUBMITTED')
  open.advanceClock({ seconds: 3600 })
  const [, posted] = await waitForReports(caseRef, 'SUBMITTED', 'POSTED')
  await submit(caseRef, claimOf(posted!.bank_reference!, { amount: posted!.amount, method: 'NEFT' }))
  await waitForReports(caseRef, 'SUBMITTED', 'POSTED', 'FAILED ALREADY_POSTED')
  assert.equal(await paidOf(caseRef), paiseFrom(posted!.amount))
})

test('D3 §6.4: rejects a claimed part payment that would foreclose the loan', async () => {
  const caseRef = await open.disbursedLoan()
  const claim = claimOf('SBXB0000000000000002', { service_type: 'PRE_PART_PAYMENT', amount: '200000.00' })
  await submit(caseRef, claim)
  await waitForReports(caseRef, 'FAILED FORECLOSURE_UNSUPPORTED')
})

test('D3 §6.4: rejects a claim without a loan account', async () => {
  await assert.rejects(submit(await open.readyCase(), claimOf('SBXB0000000000000003')), /no loan account/)
})

test('D3 §6.4: a claim without a receipt fails at its deadline, and a later receipt is still posted', async () => {
  const caseRef = await open.disbursedLoan()
  // The partner stops reading the bank's list, so the receipt is unread when the claim fails.
  await stopReading()
  const receipt = await pay({ amount: '321.00' })
  await submit(caseRef, claimOf(receipt.transaction_reference, { amount: '321.00' }))
  open.advanceClock({ days: ctx.config.PARTNER_CLAIM_DAYS })
  db.wake('verify-claim')
  await waitForReports(caseRef, 'PENDING_VERIFICATION', 'FAILED RECEIPT_NOT_FOUND')
  await Promise.all([receiveReceipt(ctx, receipt), receiveReceipt(ctx, receipt)])
  await waitForReports(caseRef, 'PENDING_VERIFICATION', 'FAILED RECEIPT_NOT_FOUND', 'POSTED')
  assert.equal(await paidOf(caseRef), 32_100n)
  assert.equal((await paymentsOf(db, caseRef)).length, 1)
})

test('D3 §6.4: a claim of a future payment, or with a document that the case does not have, is refused', async () => {
  const caseRef = await open.disbursedLoan()
  const future = claimOf('SBXB0000000000000009', { payment_date: plusDays(today(), 400) })
  await assert.rejects(submit(caseRef, future), /data\.payment_date is in the future/)
  const unknown = claimOf('SBXB0000000000000009', { document_ids: ['DOC-unknown'] })
  await assert.rejects(submit(caseRef, unknown), /data\.document_ids\.0 is not a stored document of this case/)
  assert.deepEqual(await open.eventData(caseRef, 'PAYMENT_UPDATED'), [])
})
