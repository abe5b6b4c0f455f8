// Tests disbursements against a bank over HTTP: blockers, account checks, timeouts and failures.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { exampleLead } from '@lendloom/wire/exchange/example/event'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCase, readCase } from '#partner/origination/case/store.ts'
import { checksOf, storeCheck } from '#partner/origination/case/stored-checks.ts'
import { disbursementOf } from '#partner/servicing/collection/reported-payments.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { disbursementWorker } from './carry-out-disbursement.ts'
import { orderDisbursement } from './order-disbursement.ts'
import { readNewestDisbursement } from './store.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
open.runWorkers(disbursementWorker)

const order = (caseRef: string) =>
  db.tx(async (tx) => orderDisbursement({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef)))

async function waitForStatus(caseRef: string, status = 'DISBURSED') {
  await until(`${caseRef} ${status}`, async () => (await readNewestDisbursement(db, caseRef))?.status === status)
  return (await disbursementOf(db, caseRef))!
}

const countTransfersAtBank = async (reference: string) =>
  (
    await bank.db<{ count: bigint }>`select count(*) as count from bank_transfer where client_reference = ${reference}`
  )[0]!.count

test('D3 §1.1.6: a transfer is PENDING until the bank confirms it, which opens the loan account', async () => {
  const caseRef = await open.readyCase()
  bank.policy.settleSeconds = 3600
  const ordered = await order(caseRef)
  await until('the bank has the order', async () => (await readNewestDisbursement(db, caseRef))!.status === 'SENT')
  assert.equal((await readCase(db, caseRef))!.status, 'DISBURSEMENT_PENDING')
  assert.equal(await accountOf(db, caseRef), null)
  bank.policy.settleSeconds = 0
  open.advanceClock({ seconds: 3600 })
  const { bank_reference } = await waitForStatus(caseRef)
  const updates = await open.eventData(caseRef, 'DISBURSEMENT_UPDATED')
  assert.deepEqual(
    updates.map(({ status }) => status),
    ['PENDING', 'DISBURSED'],
  )
  assert.equal(updates[0]!.bank_reference, null)
  assert.equal(updates[1]!.bank_reference, bank_reference)
  assert.equal(updates[1]!.disbursement_id, ordered.disbursementId)
  const account = (await accountOf(db, caseRef))!
  assert.equal(account.loanStatus, 'ACTIVE')
  assert.equal(account.soa.disbursedPaise, ordered.amountPaise)
  assert.equal(account.schedule.installments.length, 22)
  const loanCase = (await readCase(db, caseRef))!
  assert.equal(loanCase.status, 'DISBURSED')
  const [loan] = await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')
  assert.equal(loan!.loan_status, 'ACTIVE')
  assert.equal(loan!.reason_code, 'DISBURSED')
  assert.equal(loan!.snapshot_version, loanCase.snapshotVersion)
})

test('D3 §1.1.6: after a restore to before the order, the repeated order is the same transfer at the bank', async () => {
  const caseRef = await open.readyCase()
  const { status } = (await readCase(db, caseRef))!
  bank.policy.settleSeconds = 3600
  const lost = await order(caseRef)
  await until('the bank has the order', async () => (await readNewestDisbursement(db, caseRef))!.status === 'SENT')
  await db.tx(async (tx) => {
    await tx`delete from job where payload->>'caseRef' = ${caseRef}`
    await tx`delete from disbursement where case_ref = ${caseRef}`
    await tx`update case_file set status = ${status} where case_ref = ${caseRef}`
  })
  const repeated = await order(caseRef)
  assert.equal(repeated.disbursementId, lost.disbursementId)
  bank.policy.settleSeconds = 0
  open.advanceClock({ seconds: 3600 })
  const { bank_reference } = await waitForStatus(caseRef)
  const [transfer] = await bank.db<{ bankReference: string }>`
    select bank_reference from bank_transfer where client_reference = ${lost.disbursementId}`
  assert.equal(transfer!.bankReference, bank_reference)
})

const cancelMandate = async (tx: Tx, loanCase: Case) => {
  const { mandate } = await checksOf(tx, ctx.seal, loanCase.caseRef)
  const cancelled = { status: 'CANCELLED', verified: false, facts: mandate.facts!, happenedAt: ctx.clock() }
  await storeCheck(tx, ctx.seal, loanCase, { name: 'mandate', report: cancelled, at: ctx.clock() })
}

test('D3 §1.1: an order with an unverified check is refused with the name of the check', async () => {
  const caseRef = await open.readyCase()
  await db.tx(async (tx) => cancelMandate(tx, await lockCase(tx, caseRef)))
  const refusal = (await order(caseRef).catch((error) => error)) as Refusal
  assert.ok(refusal instanceof Refusal)
  assert.equal(refusal.kind, 'wrong-state')
  assert.deepEqual(refusal.details.blockers, ['MANDATE_NOT_ACTIVE'])
  assert.equal(await disbursementOf(db, caseRef), null)
  assert.deepEqual(await open.eventData(caseRef, 'DISBURSEMENT_UPDATED'), [])
})

test('D3 §1.1: a mandate that is cancelled after the order stops the transfer', async () => {
  const caseRef = await open.readyCase()
  // One transaction, so that the worker does not reach the bank in between.
  const { disbursementId } = await db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    const ordered = await orderDisbursement({ ...ctx, tx, at: ctx.clock() }, loanCase)
    await cancelMandate(tx, await lockCase(tx, caseRef))
    return ordered
  })
  assert.equal((await waitForStatus(caseRef, 'FAILED')).reason_code, 'MANDATE_NOT_ACTIVE')
  assert.equal(await countTransfersAtBank(disbursementId), 0n)
  assert.equal((await readCase(db, caseRef))!.status, 'MANDATE_PENDING')
})

test('D3 §2.3: an order is refused if the lead has no bank account', async () => {
  const lead = exampleLead()
  lead.banking.account = null
  await assert.rejects(order(await open.readyCase('1234', { lead })), /no bank account/)
})

test('D3 §1.1.6: concurrent orders create one transfer', async () => {
  const caseRef = await open.readyCase()
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => order(caseRef)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  await waitForStatus(caseRef)
  assert.equal((await open.eventData(caseRef, 'DISBURSEMENT_UPDATED')).length, 2)
})

test('D3 §2.3: a transfer fails if the account has another name or does not exist', async () => {
  for (const [digits, reason] of [
    ['9304', 'ACCOUNT_NAME_MISMATCH'],
    ['9305', 'ACCOUNT_DOES_NOT_EXIST'],
  ] as const) {
    const caseRef = await open.readyCase(digits)
    const { disbursementId } = await order(caseRef)
    const failed = await waitForStatus(caseRef, 'FAILED')
    assert.equal(failed.reason_code, reason)
    assert.equal(failed.bank_reference, null)
    assert.equal(await countTransfersAtBank(disbursementId), 0n)
  }
})

test('D3 §2.5: a returned transfer is FAILED with the bank’s reason, and the case can be disbursed again', async () => {
  const caseRef = await open.readyCase('9301')
  const { disbursementId } = await order(caseRef)
  assert.equal((await waitForStatus(caseRef, 'FAILED')).reason_code, 'ACCOUNT_CLOSED')
  assert.equal((await readCase(db, caseRef))!.status, 'READY_TO_DISBURSE')
  assert.equal(await accountOf(db, caseRef), null)
  const secondOrder = await order(caseRef)
  assert.notEqual(secondOrder.disbursementId, disbursementId, 'the next transfer is a new record')
  await waitForStatus(caseRef, 'FAILED')
  const updates = await open.eventData(caseRef, 'DISBURSEMENT_UPDATED')
  assert.deepEqual(
    updates.map(({ status }) => status),
    ['PENDING', 'FAILED', 'PENDING', 'FAILED'],
  )
})

test('D3 §6.7: an order that the bank did not answer is transferred once', async () => {
  const caseRef = await open.readyCase('9302')
  const { disbursementId } = await order(caseRef)
  await waitForStatus(caseRef)
  assert.equal(await countTransfersAtBank(disbursementId), 1n)
  assert.equal((await open.eventData(caseRef, 'DISBURSEMENT_UPDATED')).length, 2)
})
