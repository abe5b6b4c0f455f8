// What one borrower may have at once, by number and by amount, held at the payout by parallel transactions over many cases.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Refusal } from '#kit/http/refusal.ts'
import { daysAfter, secondsAfter } from '#kit/runtime/clock.ts'
import { drive } from '#partner/autopilot/drive.ts'
import { switchAutopilot } from '#partner/case/autopilot-switch.ts'
import { limitFault } from '#partner/case/exposure/require-limit.ts'
import { countedSince } from '#partner/case/exposure/store.ts'
import { knownBorrower, lockCase, readCase } from '#partner/case/store.ts'
import { openCollections } from '#test/setup/collection.ts'
import { until } from '#test/setup/programs.ts'
import { orderDisbursement } from './order-disbursement.ts'
import { stopCase } from './stop.ts'
import { transferring } from './transfer.ts'

const open = await openCollections({ PARTNER_MOST_LOANS: '5' })
const { ctx } = open
const { db } = ctx

const order = (caseRef: string) =>
  db.tx(async (tx) => orderDisbursement({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef)))

/** Cases of one person, with everything in order before their payout. */
async function ofOnePan(count: number): Promise<string[]> {
  const panDigest = randomBytes(32)
  const cases = await Promise.all(Array.from({ length: count }, () => open.readyCase()))
  await db`update case_file set pan_digest = ${panDigest} where case_ref = any(${cases}::text[])`
  return cases
}
const statuses = async (cases: string[]) => Promise.all(cases.map(async (each) => (await readCase(db, each))!.status))

test('a limit of five holds against seven applications of one PAN that are paid out at the same moment, by people and by rules', async () => {
  await db.tx((tx) => switchAutopilot(tx, true, 'test', ctx.clock()))
  for (let round = 0; round < 4; round++) {
    const cases = await ofOnePan(7)
    const refused: string[] = []
    await Promise.all(
      cases.flatMap((caseRef, i) => [
        drive(ctx, caseRef),
        ...Array.from({ length: i % 3 }, () =>
          order(caseRef).catch((error: Refusal) => refused.push(String(error.details.exposure ?? error.kind))),
        ),
      ]),
    )
    const seen = await statuses(cases)
    assert.equal(seen.filter((status) => status === 'DISBURSEMENT_PENDING').length, 5, seen.join())
    assert.equal(seen.filter((status) => status === 'READY_TO_DISBURSE').length, 2)
  }
  await db.tx((tx) => switchAutopilot(tx, false, 'test', ctx.clock()))
})

test('what was paid out counts on; a place that is given up is free again', async () => {
  const working = open.runWorkers(transferring)
  const cases = await ofOnePan(7)
  await Promise.all(cases.slice(0, 4).map(order))
  await until(
    'four are paid out',
    async () => (await statuses(cases)).filter((each) => each === 'DISBURSED').length === 4,
  )
  await working()
  const [fifth, sixth, seventh] = cases.slice(4) as [string, string, string]
  await order(fifth)
  await assert.rejects(order(sixth), (error: Refusal) => error.details.exposure === 'TOO_MANY_LOANS')
  const why = { cause: 'LENDER', reasonCode: 'OTHER', reasonMessage: 'x', stoppedBy: 's' } as const
  await db.tx(async (tx) => stopCase({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, fifth), why))
  const both = await Promise.allSettled([order(sixth), order(seventh)])
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('the amount is limited, too: the principal outstanding and what would be added', async () => {
  const config = ctx.config as { PARTNER_MOST_EXPOSURE: number }
  const before = config.PARTNER_MOST_EXPOSURE
  config.PARTNER_MOST_EXPOSURE = 250_000
  const cases = await ofOnePan(3)
  const paid = await Promise.allSettled(cases.map(order))
  config.PARTNER_MOST_EXPOSURE = before
  assert.equal(paid.filter(({ status }) => status === 'fulfilled').length, 2, 'each is of a lakh')
  const refused = paid.find(({ status }) => status === 'rejected') as PromiseRejectedResult
  assert.equal(refused.reason.details.exposure, 'TOO_MUCH_OWED')
})

test('D3 §4.1: applications without an offer count, too: of seven that wait for their review the first five are offered', async () => {
  const cases = await ofOnePan(7)
  await db`update case_file set status = 'UNDER_REVIEW' where case_ref = any(${cases}::text[])`
  const at = ctx.clock()
  for (const [i, caseRef] of cases.entries())
    await db`update case_file set created_at = ${secondsAfter(at, i - 10)} where case_ref = ${caseRef}`
  const faultOf = (caseRef: string) =>
    db.tx((tx) => limitFault({ ...ctx, tx, at }, { caseRef, paise: 10_000_000n, at: 'offer' }))
  const faults = await Promise.all(cases.map(faultOf))
  assert.deepEqual(faults, [null, null, null, null, null, 'TOO_MANY_LOANS', 'TOO_MANY_LOANS'])
  // The next application is declined before it comes, unless the others were left lying for a month.
  const [digests] = await db<{ panDigest: Buffer; personDigest: Buffer }>`
    select pan_digest, person_digest from case_file where case_ref = ${cases[0]!}`
  const open = async (when: Date) =>
    (await knownBorrower(db, digests!, countedSince(when))).filter(({ loan, paise }) => loan === 'OPEN' && paise > 0n)
  assert.deepEqual([(await open(at)).length, (await open(daysAfter(at, 31))).length], [7, 0])
  await db`update case_file set created_at = ${daysAfter(at, -31)} where case_ref = ${cases[0]!}`
  assert.equal(await faultOf(cases[5]!), null)
})
