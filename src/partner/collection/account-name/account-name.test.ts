// Names in other scripts at the payout: what sounds the same is paid, what a rule cannot tell waits for a person and for nobody else.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleLead } from '#contract/exchange/example/event.ts'
import { lockCase, readCase } from '#partner/case/store.ts'
import { orderDisbursement } from '#partner/collection/order-disbursement.ts'
import { stopCase } from '#partner/collection/stop.ts'
import { readDisbursement } from '#partner/collection/transfer/store.ts'
import { transferring } from '#partner/collection/transfer.ts'
import { openCollections } from '#test/setup/collection.ts'
import { until } from '#test/setup/programs.ts'
import { namesToCompare } from './judge.ts'
import { decideNames } from './store.ts'

const open = await openCollections()
const { ctx } = open
const { db } = ctx
open.runWorkers(transferring)

/** A case of a borrower of this name, whose account is in the name of ASHA KUMAR, with its transfer ordered. */
async function ordered(first: string, last: string): Promise<string> {
  const lead = exampleLead()
  Object.assign(lead.borrower, { first_name: first, middle_name: null, last_name: last })
  const caseRef = await open.readyCase('1234', { lead })
  await db.tx(async (tx) => orderDisbursement({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef)))
  return caseRef
}
const names = (caseRef: string) => namesToCompare(db, ctx.seal, caseRef)
const waits = (caseRef: string) => until('somebody has to look', async () => (await names(caseRef)) ?? false)
const decide = (caseRef: string, decision: 'SAME' | 'DIFFERENT') => {
  const decided = { caseRef, decision, reason: 'The passbook shows both.', decidedBy: 's', decidedAt: ctx.clock() }
  return db.tx((tx) => decideNames(tx, decided))
}
const ends = (caseRef: string, status: string) =>
  until(status, async () => {
    open.advanceClock({ seconds: 20 })
    return (await readDisbursement(db, caseRef))?.status === status
  })

test('D3 §2.3: a name that sounds as the account’s is paid out without anybody', async () => {
  const caseRef = await ordered('आशा', 'कुमार')
  await ends(caseRef, 'DISBURSED')
  assert.equal(await names(caseRef), null)
})

test('D3 §2.3: an uncertain name waits, is decided once, and the transfer goes on or fails', async () => {
  const [same, other] = [await ordered('ஆஷா', 'குமாரசாமி'), await ordered('ईशा', 'कुमार')]
  assert.deepEqual(await waits(same), { borrower: 'ஆஷா குமாரசாமி', registered: 'ASHA KUMAR' })
  await waits(other)
  open.advanceClock({ seconds: 600 })
  for (const caseRef of [same, other]) {
    assert.equal((await readCase(db, caseRef))!.status, 'DISBURSEMENT_PENDING')
    assert.equal((await readDisbursement(db, caseRef))!.status, 'ORDERED')
  }
  const both = await Promise.all([decide(same, 'SAME'), decide(same, 'SAME')])
  assert.deepEqual(both.sort(), [false, true], 'of two who decide one does')
  assert.equal(await decide(other, 'DIFFERENT'), true)
  await ends(same, 'DISBURSED')
  await ends(other, 'FAILED')
  assert.equal((await readDisbursement(db, other))!.reasonCode, 'ACCOUNT_NAME_MISMATCH')
})

test('D3 §3: an application whose names wait can be stopped, and is not paid out by a later decision', async () => {
  const caseRef = await ordered('ईशा', 'शर्मा')
  await waits(caseRef)
  const why = { cause: 'LENDER', reasonCode: 'OTHER', reasonMessage: 'x', stoppedBy: 's' } as const
  await db.tx(async (tx) => stopCase({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), why))
  await decide(caseRef, 'SAME')
  await ends(caseRef, 'FAILED')
  assert.equal((await readCase(db, caseRef))!.status, 'REJECTED')
})
