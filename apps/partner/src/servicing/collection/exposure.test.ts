// Tests the limits of a borrower's exposure (number and amount of loans), also under concurrent disbursements.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import type { Refusal } from '@lendloom/foundation/refusal'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { runAutopilot } from '#partner/autopilot/autopilot-worker.ts'
import { switchAutopilot } from '#partner/origination/case/autopilot-switch.ts'
import { countedSince } from '#partner/origination/case/exposure/exposure.ts'
import { limitFault } from '#partner/origination/case/exposure/require-limit.ts'
import { findSimilarCases, lockCase, readCase } from '#partner/origination/case/store.ts'
import { stopCase } from './stop-case.ts'
import { disbursementWorker } from './transfer/carry-out-disbursement.ts'
import { orderDisbursement } from './transfer/order-disbursement.ts'

const open = await openCollections({ PARTNER_MOST_LOANS: '5' })
const { ctx } = open
const { db } = ctx

const order = (caseRef: string) =>
  db.tx(async (tx) => orderDisbursement({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef)))

/** Creates cases of one borrower that are ready to disburse. */
async function readyCasesOfOnePan(count: number): Promise<string[]> {
  const panDigest = randomBytes(32)
  const cases = await Promise.all(Array.from({ length: count }, () => open.readyCase()))
  await db`update case_file set pan_digest = ${panDigest} where case_ref = any(${cases}::text[])`
  return cases
}
const statuses = async (cases: string[]) => Promise.all(cases.map(async (each) => (await readCase(db, each))!.status))

test('with a limit of five loans, five of seven concurrent disbursements for one PAN succeed', async () => {
  await db.tx((tx) => switchAutopilot(tx, true, 'test', ctx.clock()))
  for (let round = 0; round < 4; round++) {
    const cases = await readyCasesOfOnePan(7)
    const refusals: string[] = []
    await Promise.all(
      cases.flatMap((caseRef, i) => [
        runAutopilot(ctx, caseRef),
        ...Array.from({ length: i % 3 }, () =>
          order(caseRef).catch((error: Refusal) => refusals.push(String(error.details.exposure ?? error.kind))),
        ),
      ]),
    )
    const statusesAfter = await statuses(cases)
    assert.equal(statusesAfter.filter((status) => status === 'DISBURSEMENT_PENDING').length, 5, statusesAfter.join())
    assert.equal(statusesAfter.filter((status) => status === 'READY_TO_DISBURSE').length, 2)
  }
  await db.tx((tx) => switchAutopilot(tx, false, 'test', ctx.clock()))
})

test('disbursed loans count towards the limit, and stopped applications do not', async () => {
  const stopWorker = open.runWorkers(disbursementWorker)
  const cases = await readyCasesOfOnePan(7)
  await Promise.all(cases.slice(0, 4).map(order))
  await until(
    'four are disbursed',
    async () => (await statuses(cases)).filter((each) => each === 'DISBURSED').length === 4,
  )
  await stopWorker()
  const [fifth, sixth, seventh] = cases.slice(4) as [string, string, string]
  await order(fifth)
  await assert.rejects(order(sixth), (error: Refusal) => error.details.exposure === 'TOO_MANY_LOANS')
  const stopDetails = { cause: 'LENDER', reasonCode: 'OTHER', reasonMessage: 'x', stoppedBy: 's' } as const
  await db.tx(async (tx) => stopCase({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, fifth), stopDetails))
  const both = await Promise.allSettled([order(sixth), order(seventh)])
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('a disbursement is refused if the total principal would exceed the limit', async () => {
  const config = ctx.config as { PARTNER_MOST_EXPOSURE: number }
  const before = config.PARTNER_MOST_EXPOSURE
  config.PARTNER_MOST_EXPOSURE = 250_000
  const cases = await readyCasesOfOnePan(3)
  const results = await Promise.allSettled(cases.map(order))
  config.PARTNER_MOST_EXPOSURE = before
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2, 'each loan is ₹1 lakh')
  const refused = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult
  assert.equal(refused.reason.details.exposure, 'TOO_MUCH_OWED')
})

test('D3 §4.1: of seven applications under review, only the oldest five may get an offer', async () => {
  const cases = await readyCasesOfOnePan(7)
  await db`update case_file set status = 'UNDER_REVIEW' where case_ref = any(${cases}::text[])`
  const at = ctx.clock()
  for (const [i, caseRef] of cases.entries())
    await db`update case_file set created_at = ${secondsAfter(at, i - 10)} where case_ref = ${caseRef}`
  const faultOf = (caseRef: string) =>
    db.tx((tx) => limitFault({ ...ctx, tx, at }, { caseRef, paise: 10_000_000n, stage: 'offer' }))
  const faults = await Promise.all(cases.map(faultOf))
  assert.deepEqual(faults, [null, null, null, null, null, 'TOO_MANY_LOANS', 'TOO_MANY_LOANS'])
  // Dedupe counts the seven applications as open, but no longer after a month.
  const [digests] = await db<{ panDigest: Buffer; personDigest: Buffer }>`
    select pan_digest, person_digest from case_file where case_ref = ${cases[0]!}`
  const openApplications = async (when: Date) =>
    (await findSimilarCases(db, digests!, countedSince(when))).filter(
      ({ loan, paise }) => loan === 'OPEN' && paise > 0n,
    )
  assert.equal((await openApplications(at)).length, 7)
  assert.equal((await openApplications(daysAfter(at, 31))).length, 0)
  await db`update case_file set created_at = ${daysAfter(at, -31)} where case_ref = ${cases[0]!}`
  assert.equal(await faultOf(cases[5]!), null)
})
