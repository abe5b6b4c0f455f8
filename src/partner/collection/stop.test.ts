// Ending an application between its offer and its payout: what each way tells the platform, and that nothing ended is paid out.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inconsistencies } from '#contract/exchange/snapshot.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import type { Refusal } from '#kit/http/refusal.ts'
import { drive } from '#partner/autopilot/drive.ts'
import { switchAutopilot } from '#partner/case/autopilot-switch.ts'
import { keepCheck } from '#partner/case/checks.ts'
import { moveCase } from '#partner/case/move.ts'
import { lockCase, readCase, readStop } from '#partner/case/store.ts'
import { readSnapshot } from '#partner/receiver/snapshot.ts'
import { putOnFile } from '#sandbox/bank/receipt.ts'
import { findMandate } from '#sandbox/bank/store.ts'
import { openCollections } from '#test/setup/collection.ts'
import { until } from '#test/setup/programs.ts'
import { cancellingMandates } from './cancel-mandate.ts'
import { orderDisbursement } from './order-disbursement.ts'
import { lapseSteps, type StopDetails, stopCase } from './stop.ts'
import { readDisbursement, writeDisbursement } from './transfer/store.ts'
import { transferring } from './transfer.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
open.runWorkers(cancellingMandates)

const fraud: StopDetails = {
  cause: 'LENDER',
  reasonCode: 'SUSPECTED_FRAUD',
  reasonMessage: 'Forged slip',
  stoppedBy: 's',
}
const cancelled: StopDetails = {
  cause: 'BORROWER',
  reasonCode: 'NO_LONGER_NEEDED',
  reasonMessage: 'By telephone',
  stoppedBy: 's',
}

const stop = (caseRef: string, stopping = fraud) =>
  db.tx(async (tx) => stopCase({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), stopping))
const order = (caseRef: string) =>
  db.tx(async (tx) => orderDisbursement({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef)))
async function status(caseRef: string) {
  const seen = (await readSnapshot(db, ctx, 'LENDLOOM', caseRef))!
  assert.deepEqual(inconsistencies({ request_id: uuidv4(), external_reference_id: caseRef, ...seen }), [])
  return seen
}
async function snapshot(caseRef: string) {
  const seen = await status(caseRef)
  return [seen.case_status, seen.loan_status, seen.offer!.decision]
}
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => assert.fail('it was done'),
    (error: Refusal) => error.kind,
  )
const transfersOf = async (caseRef: string): Promise<number> => {
  const { length } = await bank.db`
    select 1 from bank_transfer where client_reference = ${(await readDisbursement(db, caseRef))?.disbursementId ?? ''}`
  return length
}

test('D3 §3: what the lender stops is REJECTED, its mandate is cancelled at the bank, and the suspicion is told to nobody', async () => {
  const umrn = 'SBXB700000000000STOP'
  const onFile = { umrn, maximumPaise: 10_000_00n, validFrom: '2026-01-01', validUntil: '2036-01-01' }
  await putOnFile(bank.db, { ...onFile, status: 'ACTIVE' }, ctx.clock())
  const caseRef = await open.readyCase('1234', { mandate: { umrn } })
  const { snapshotVersion } = (await readCase(db, caseRef))!
  await stop(caseRef)
  assert.deepEqual(await snapshot(caseRef), ['REJECTED', 'NOT_CREATED', 'ACCEPT'])
  const [review] = await open.eventData(caseRef, 'MANUAL_REVIEW_DECIDED')
  assert.deepEqual([review!.decision, review!.reason_code, review!.offer], ['REJECTED', 'APPLICATION_STOPPED', null])
  assert.equal(JSON.stringify(review).includes('FRAUD'), false)
  assert.equal((await readStop(db, caseRef))!.reasonCode, 'SUSPECTED_FRAUD')
  await until('Status says so', async () => (await status(caseRef)).checks.mandate === 'CANCELLED')
  assert.equal((await findMandate(bank.db, umrn))?.status, 'CANCELLED')
  assert.equal((await status(caseRef)).snapshot_version, snapshotVersion + 2, 'one for the stop, one for the mandate')
  assert.equal(await refusal(order(caseRef)), 'wrong-state')
  assert.equal(await refusal(stop(caseRef)), 'wrong-state')
})

test('D3 §3: what the borrower cancels is a loan CANCELLED before it was created', async () => {
  const caseRef = await open.readyCase()
  await stop(caseRef, cancelled)
  assert.deepEqual(await snapshot(caseRef), ['REJECTED', 'CANCELLED', 'ACCEPT'])
  const [news] = await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')
  const { snapshotVersion } = (await readCase(db, caseRef))!
  assert.deepEqual(
    [news!.loan_status, news!.reason_code, news!.snapshot_version],
    ['CANCELLED', 'CANCELLED_BY_BORROWER', snapshotVersion],
  )
})

test('D3 §1.1 rule 6: an order that was not sent is recalled; what the bank has can no longer be stopped', async () => {
  const recalled = await open.readyCase()
  await order(recalled)
  await stop(recalled)
  const stopWorking = open.runWorkers(transferring)
  const { status, reasonCode } = (await readDisbursement(db, recalled))!
  assert.deepEqual([status, reasonCode], ['FAILED', 'STOPPED'])
  assert.deepEqual(await snapshot(recalled), ['REJECTED', 'NOT_CREATED', 'ACCEPT'])
  const sent = await open.readyCase()
  await order(sent)
  await until('it is paid out', async () => (await readCase(db, sent))!.status === 'DISBURSED')
  assert.equal(await refusal(stop(sent)), 'wrong-state')
  assert.equal(await transfersOf(recalled), 0)
  await stopWorking()
})

test('D3 §1.1: of a stop and an order at the same moment one holds: nothing is ever paid out that a person has stopped', async () => {
  await db.tx((tx) => switchAutopilot(tx, true, 'test', ctx.clock()))
  const working = open.runWorkers(transferring)
  let stopped = 0
  for (let round = 0; round < 5; round++) {
    const cases = await Promise.all(Array.from({ length: 6 }, () => open.readyCase()))
    await Promise.all(
      cases.map(async (caseRef, i) => {
        // The stop comes at another moment of the order each time.
        const late = new Promise((go) => setTimeout(go, i * round * 4))
        const [ended] = await Promise.allSettled([
          late.then(() => stop(caseRef)),
          drive(ctx, caseRef),
          order(caseRef),
          order(caseRef),
        ])
        if (ended!.status === 'fulfilled') {
          stopped++
          await drive(ctx, caseRef)
          assert.equal((await readCase(db, caseRef))!.status, 'REJECTED')
        } else await until('it is paid out', async () => (await readCase(db, caseRef))!.status === 'DISBURSED')
        const paid = (await readCase(db, caseRef))!.status === 'DISBURSED'
        assert.equal(await transfersOf(caseRef), paid ? 1 : 0)
      }),
    )
  }
  assert.ok(stopped > 0, 'some were stopped')
  await working()
  await db.tx((tx) => switchAutopilot(tx, false, 'test', ctx.clock()))
})

test('D3 §3: what the borrower has not finished in time lapses; what waits for us does not', async () => {
  const waiting = async (kyc: string, review: string) => {
    const caseRef = await open.readyCase()
    await db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      await tx`update case_file set status = 'KYC_PENDING' where case_ref = ${caseRef}`
      const facts = { provider: 'P', providerReferenceId: 'K-9' }
      const report = { verified: kyc === 'APPROVED', facts, happenedAt: ctx.clock() }
      await keepCheck(tx, ctx.seal, loanCase, { name: 'kyc', report: { ...report, status: kyc }, at: ctx.clock() })
      const reviewed = { ...report, verified: false, status: review }
      await keepCheck(tx, ctx.seal, loanCase, { name: 'lender_kyc_review', report: reviewed, at: ctx.clock() })
    })
    return caseRef
  }
  const idle = await waiting('REQUESTED', 'NOT_STARTED')
  const ours = await waiting('APPROVED', 'NOT_STARTED')
  const ready = await open.readyCase()
  const days = ctx.config.PARTNER_STEPS_DAYS
  open.advanceClock({ days: days - 1 })
  assert.equal(await lapseSteps(ctx, ctx.clock()), 0)
  open.advanceClock({ days: 1, seconds: 60 })
  // A payout that nobody ordered has a time of its own; that it counts from the last move is the next test.
  await db`update case_file set updated_at = ${ctx.clock()} where case_ref = ${ready}`
  assert.equal(await lapseSteps(ctx, ctx.clock()), 1)
  assert.equal(await lapseSteps(ctx, ctx.clock()), 0)
  assert.deepEqual(await snapshot(idle), ['EXPIRED', 'CANCELLED', 'ACCEPT'])
  const [news] = await open.eventData(idle, 'LOAN_STATUS_UPDATED')
  assert.equal(news!.reason_code, 'STEPS_NOT_FINISHED')
  for (const [caseRef, status] of [
    [ours, 'KYC_PENDING'],
    [ready, 'READY_TO_DISBURSE'],
  ] as const)
    assert.equal((await readCase(db, caseRef))!.status, status)
})

const waitingForLocks = async (): Promise<number> =>
  (
    await db`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%update case_file set snapshot_version%'`
  ).length
const payoutDays = ctx.config.PARTNER_PAYOUT_DAYS

test('D3 §3: what waits for its payout too long lapses, and the loan is CANCELLED before it was created', async () => {
  const [early, late] = [await open.readyCase(), await open.readyCase()]
  open.advanceClock({ days: payoutDays - 1 })
  assert.equal(await lapseSteps(ctx, ctx.clock()), 0)
  await db`update case_file set updated_at = ${ctx.clock()} where case_ref = ${late}`
  open.advanceClock({ days: 1, seconds: 60 })
  await lapseSteps(ctx, ctx.clock())
  assert.deepEqual(await snapshot(early), ['EXPIRED', 'CANCELLED', 'ACCEPT'])
  const [news] = await open.eventData(early, 'LOAN_STATUS_UPDATED')
  assert.deepEqual([news!.loan_status, news!.reason_code], ['CANCELLED', 'PAYOUT_NOT_MADE'])
  assert.equal((await readStop(db, early))!.reasonCode, 'PAYOUT_NOT_MADE')
  assert.equal((await readCase(db, late))!.status, 'READY_TO_DISBURSE')
  await db.tx((tx) => switchAutopilot(tx, true, 'test', ctx.clock()))
  await drive(ctx, early)
  await db.tx((tx) => switchAutopilot(tx, false, 'test', ctx.clock()))
  assert.equal(await refusal(order(early)), 'wrong-state')
  assert.equal(await readDisbursement(db, early), undefined)
})

test('D3 §3: a transfer that failed begins the days of the payout again', async () => {
  const caseRef = await open.readyCase()
  open.advanceClock({ days: payoutDays - 1 })
  await order(caseRef)
  await db.tx(async (tx) => {
    const [held, row] = [await lockCase(tx, caseRef), (await readDisbursement(tx, caseRef))!]
    const failed = { ...row, status: 'FAILED' as const, reasonCode: 'ACCOUNT_CLOSED' }
    await writeDisbursement(tx, row, failed, ctx.clock())
    await moveCase(tx, held, 'disbursementFailed', ctx.clock())
  })
  open.advanceClock({ days: 2 })
  await lapseSteps(ctx, ctx.clock())
  assert.equal((await readCase(db, caseRef))!.status, 'READY_TO_DISBURSE')
})

test('D3 §1.1: of a lapse and a payout at the same moment exactly one holds, whichever comes first', async () => {
  const working = open.runWorkers(transferring)
  for (const first of ['lapse', 'payout', 'lapse', 'payout'] as const) {
    const caseRef = await open.readyCase()
    open.advanceClock({ days: payoutDays, seconds: 60 })
    const lapse = { cause: 'TIME', reasonCode: 'PAYOUT_NOT_MADE', reasonMessage: null, stoppedBy: 'time' } as const
    // Who waits has looked already, and goes on when the first has committed: it must look again.
    const second = await db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      const waiting = Promise.allSettled([first === 'lapse' ? order(caseRef) : lapseSteps(ctx, ctx.clock())])
      await until('the other waits for the case', async () => (await waitingForLocks()) === 1)
      const held = { ...ctx, tx, at: ctx.clock() }
      await (first === 'lapse' ? stopCase(held, loanCase, lapse) : orderDisbursement(held, loanCase))
      return { waiting }
    })
    const [{ status }] = await second.waiting
    assert.equal(status, first === 'lapse' ? 'rejected' : 'fulfilled')
    const ended = first === 'lapse' ? 'EXPIRED' : 'DISBURSED'
    await until(`it is ${ended}`, async () => (await readCase(db, caseRef))!.status === ended)
    assert.equal(await transfersOf(caseRef), first === 'lapse' ? 0 : 1)
    assert.equal((await readStop(db, caseRef)) === undefined, first === 'payout')
  }
  await working()
})
