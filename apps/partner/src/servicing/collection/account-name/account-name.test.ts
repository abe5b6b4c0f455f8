// Tests transfers to borrowers with names in other scripts, which a rule or an officer compares with the account's
// name.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { exampleLead } from '@lendloom/wire/exchange/example/event'
import { lockCase, readCase } from '#partner/origination/case/store.ts'
import { stopCase } from '#partner/servicing/collection/stop-case.ts'
import { disbursementWorker } from '#partner/servicing/collection/transfer/carry-out-disbursement.ts'
import { orderDisbursement } from '#partner/servicing/collection/transfer/order-disbursement.ts'
import { readNewestDisbursement } from '#partner/servicing/collection/transfer/store.ts'
import { compareAccountName, type NamesToCompare, namesToCompare } from './compare-account-name.ts'
import { decideNames } from './store.ts'

const open = await openCollections()
const { ctx } = open
const { db } = ctx
open.runWorkers(disbursementWorker)

const order = (caseRef: string) =>
  db.tx(async (tx) => orderDisbursement({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef)))

/** Orders the disbursement to a borrower of this name; the last name is null if it is a filler. */
async function orderFor(first: string, last: string | null, accountHolder = 'ASHA KUMAR'): Promise<string> {
  const lead = exampleLead()
  lead.borrower.first_name = first
  lead.borrower.last_name = last ?? first
  if (last === null) lead.borrower.last_name_is_filler = true
  const caseRef = await open.readyCase('1234', { lead, accountHolder })
  await order(caseRef)
  return caseRef
}
const names = (caseRef: string) => namesToCompare(db, ctx.seal, caseRef)
/** Waits until an officer can compare the names, and returns what the officer reads. */
async function waitForReview(caseRef: string) {
  const { borrower, registered } = await until(
    'the names wait for a review',
    async () => (await names(caseRef)) ?? false,
  )
  return { borrower, registered }
}
/** Decides the names that the page shows now, or earlier ones. */
async function decide(caseRef: string, decision: 'SAME' | 'DIFFERENT', read?: NamesToCompare | null): Promise<boolean> {
  const { namesDigest } = (read ?? (await names(caseRef)))!
  const reason = 'The passbook shows both.'
  const nameDecision = { caseRef, namesDigest, decision, reason, decidedBy: 's', decidedAt: ctx.clock() }
  return db.tx((tx) => decideNames(tx, nameDecision))
}
const waitForStatus = (caseRef: string, status: string) =>
  until(status, async () => {
    open.advanceClock({ seconds: 20 })
    return (await readNewestDisbursement(db, caseRef))?.status === status
  })

test('D3 §2.3: a loan is disbursed without a review if the account holder’s name sounds like the borrower’s name', async () => {
  const caseRef = await orderFor('आशा', 'कुमार')
  await waitForStatus(caseRef, 'DISBURSED')
  assert.equal(await names(caseRef), null)
})

test('D3 §2.3: a transfer with an uncertain name waits for an officer’s decision, then proceeds or fails', async () => {
  const sameCase = await orderFor('ஆஷா', 'குமாரசாமி')
  const otherCase = await orderFor('ईशा', 'कुमार')
  assert.deepEqual(await waitForReview(sameCase), { borrower: 'ஆஷா குமாரசாமி', registered: 'ASHA KUMAR' })
  await waitForReview(otherCase)
  open.advanceClock({ seconds: 600 })
  for (const caseRef of [sameCase, otherCase]) {
    assert.equal((await readCase(db, caseRef))!.status, 'DISBURSEMENT_PENDING')
    assert.equal((await readNewestDisbursement(db, caseRef))!.status, 'ORDERED')
  }
  const read = await names(sameCase)
  const accepted = await Promise.all([decide(sameCase, 'SAME', read), decide(sameCase, 'SAME', read)])
  assert.deepEqual(accepted.sort(), [false, true], 'one of two concurrent decisions succeeds')
  assert.equal(await decide(otherCase, 'DIFFERENT'), true)
  await waitForStatus(sameCase, 'DISBURSED')
  await waitForStatus(otherCase, 'FAILED')
  assert.equal((await readNewestDisbursement(db, otherCase))!.reasonCode, 'ACCOUNT_NAME_MISMATCH')
})

test('D3 §3: an application that is stopped during a name review is not disbursed after the decision', async () => {
  const caseRef = await orderFor('ईशा', 'शर्मा')
  await waitForReview(caseRef)
  const stopDetails = { cause: 'LENDER', reasonCode: 'OTHER', reasonMessage: 'x', stoppedBy: 's' } as const
  await db.tx(async (tx) => stopCase({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), stopDetails))
  await decide(caseRef, 'SAME')
  await waitForStatus(caseRef, 'FAILED')
  assert.equal((await readCase(db, caseRef))!.status, 'REJECTED')
})

test('D3 §2.3: the loan of a borrower with one name is disbursed to the account of that name', async () => {
  const caseRef = await orderFor('Asha', null, 'ASHA')
  await waitForStatus(caseRef, 'DISBURSED')
  assert.equal(await names(caseRef), null)
})

test('D3 §2.3: an officer compares the name of a borrower with one name and a longer name of the account', async () => {
  const caseRef = await orderFor('Asha', null)
  assert.deepEqual(await waitForReview(caseRef), { borrower: 'Asha', registered: 'ASHA KUMAR' })
})

test('D3 §2.3: money for another person’s initials is not sent before an officer’s decision', async () => {
  const caseRef = await orderFor('S', 'Kumar', 'M KUMAR')
  assert.deepEqual(await waitForReview(caseRef), { borrower: 'S Kumar', registered: 'M KUMAR' })
  await decide(caseRef, 'DIFFERENT')
  await waitForStatus(caseRef, 'FAILED')
})

test('D3 §2.3: an officer decides on different names when a refused transfer is ordered again', async () => {
  const caseRef = await orderFor('Prakash', 'Tandon')
  await waitForStatus(caseRef, 'FAILED')
  assert.equal((await readNewestDisbursement(db, caseRef))!.reasonCode, 'ACCOUNT_NAME_MISMATCH')
  await order(caseRef)
  assert.deepEqual(await waitForReview(caseRef), { borrower: 'Prakash Tandon', registered: 'ASHA KUMAR' })
  await decide(caseRef, 'SAME')
  await waitForStatus(caseRef, 'DISBURSED')
})

test('D3 §1.1 rule 3: a decision is about the names that the officer read, and leaves other names waiting', async () => {
  const caseRef = await orderFor('S', 'Kumar', 'S M KUMAR')
  await waitForReview(caseRef)
  const read = await names(caseRef)
  await queuePair(caseRef, 'M KUMAR')
  assert.deepEqual(await waitForReview(caseRef), { borrower: 'S Kumar', registered: 'M KUMAR' })
  assert.equal(await decide(caseRef, 'SAME', read), true)
  assert.deepEqual(await waitForReview(caseRef), { borrower: 'S Kumar', registered: 'M KUMAR' })
  assert.equal(await decide(caseRef, 'SAME', read), false, 'decided before')
})

/** Queues a second pair of names, as a refund to another account does. */
function queuePair(caseRef: string, registered: string): Promise<string> {
  const later = { ...ctx, clock: () => new Date(ctx.clock().getTime() + 60_000) }
  const account = { account_number: '99887766554433' }
  return compareAccountName(later, caseRef, { borrowerName: 'S Kumar', account }, registered)
}
