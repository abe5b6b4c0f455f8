// Tests the end of applications between offer and disbursement: by the lender, the borrower or a deadline.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '@lendloom/foundation/refusal'
import { storeMandateOnFile } from '@lendloom/sandbox/src/bank/receipts.ts'
import { findMandate } from '@lendloom/sandbox/src/bank/store.ts'
import { uuidv4 } from '@lendloom/seal/id'
import { openCollections } from '@lendloom/tests/setup/collection'
import { until } from '@lendloom/tests/setup/programs'
import { inconsistencies } from '@lendloom/wire/exchange/snapshot'
import { readCaseSnapshot } from '#partner/api/case-snapshot.ts'
import { runAutopilot } from '#partner/autopilot/autopilot-worker.ts'
import { switchAutopilot } from '#partner/origination/case/autopilot-switch.ts'
import { moveCase } from '#partner/origination/case/move-case.ts'
import { lockCase, readCase, readStop } from '#partner/origination/case/store.ts'
import { storeCheck } from '#partner/origination/case/stored-checks.ts'
import { mandateCancellationWorker } from './cancel-mandate.ts'
import { lapseApplications } from './lapse-applications.ts'
import { type StopDetails, stopCase } from './stop-case.ts'
import { disbursementWorker } from './transfer/carry-out-disbursement.ts'
import { orderDisbursement } from './transfer/order-disbursement.ts'
import { readNewestDisbursement, writeDisbursement } from './transfer/store.ts'

const open = await openCollections()
const { ctx, bank } = open
const { db } = ctx
open.runWorkers(mandateCancellationWorker)

const stopForFraud: StopDetails = {
  cause: 'LENDER',
  reasonCode: 'SUSPECTED_FRAUD',
  reasonMessage: 'Forged slip',
  stoppedBy: 's',
}
const stopByBorrower: StopDetails = {
  cause: 'BORROWER',
  reasonCode: 'NO_LONGER_NEEDED',
  reasonMessage: 'By telephone',
  stoppedBy: 's',
}

const stop = (caseRef: string, details = stopForFraud) =>
  db.tx(async (tx) => stopCase({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), details))
const order = (caseRef: string) =>
  db.tx(async (tx) => orderDisbursement({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef)))
async function readStatus(caseRef: string) {
  const snapshot = (await readCaseSnapshot(db, ctx, 'LENDLOOM', caseRef))!
  assert.deepEqual(inconsistencies({ request_id: uuidv4(), external_reference_id: caseRef, ...snapshot }), [])
  return snapshot
}
/** Returns the case status, the loan status and the decision on the offer. */
async function statusesOf(caseRef: string) {
  const current = await readStatus(caseRef)
  return { caseStatus: current.case_status, loanStatus: current.loan_status, offerDecision: current.offer!.decision }
}
const refusalKind = (act: Promise<unknown>) =>
  act.then(
    () => assert.fail('the act was not refused'),
    (error: Refusal) => error.kind,
  )
const countTransfers = async (caseRef: string): Promise<number> => {
  const { length } = await bank.db`
    select 1 from bank_transfer where client_reference = ${(await readNewestDisbursement(db, caseRef))?.disbursementId ?? ''}`
  return length
}

test('D3 §3: an application that the lender stops is REJECTED without the lender’s reason', async () => {
  const umrn = 'SBXB700000000000STOP'
  const onFile = { umrn, maximumPaise: 10_000_00n, validFrom: '2026-01-01', validUntil: '2036-01-01' }
  await storeMandateOnFile(bank.db, { ...onFile, status: 'ACTIVE' }, ctx.clock())
  const caseRef = await open.readyCase('1234', { mandate: { umrn } })
  const { snapshotVersion } = (await readCase(db, caseRef))!
  await stop(caseRef)
  assert.deepEqual(await statusesOf(caseRef), {
    caseStatus: 'REJECTED',
    loanStatus: 'NOT_CREATED',
    offerDecision: 'ACCEPT',
  })
  const [review] = await open.eventData(caseRef, 'MANUAL_REVIEW_DECIDED')
  assert.equal(review!.decision, 'REJECTED')
  assert.equal(review!.reason_code, 'APPLICATION_STOPPED')
  assert.equal(review!.offer, null)
  assert.equal(JSON.stringify(review).includes('FRAUD'), false)
  assert.equal((await readStop(db, caseRef))!.reasonCode, 'SUSPECTED_FRAUD')
  await until('Status reports the cancellation', async () => (await readStatus(caseRef)).checks.mandate === 'CANCELLED')
  assert.equal((await findMandate(bank.db, umrn))?.status, 'CANCELLED')
  assert.equal(
    (await readStatus(caseRef)).snapshot_version,
    snapshotVersion + 2,
    'the stop and the mandate each increase the version',
  )
  assert.equal(await refusalKind(order(caseRef)), 'wrong-state')
  assert.equal(await refusalKind(stop(caseRef)), 'wrong-state')
})

test('D3 §3: an application that the borrower cancels is reported as a CANCELLED loan', async () => {
  const caseRef = await open.readyCase()
  await stop(caseRef, stopByBorrower)
  assert.deepEqual(await statusesOf(caseRef), {
    caseStatus: 'REJECTED',
    loanStatus: 'CANCELLED',
    offerDecision: 'ACCEPT',
  })
  const [report] = await open.eventData(caseRef, 'LOAN_STATUS_UPDATED')
  const { snapshotVersion } = (await readCase(db, caseRef))!
  assert.equal(report!.loan_status, 'CANCELLED')
  assert.equal(report!.reason_code, 'CANCELLED_BY_BORROWER')
  assert.equal(report!.snapshot_version, snapshotVersion)
})

test('D3 §1.1 rule 6: a stop recalls an unsent transfer order, and is refused after the order was sent', async () => {
  const recalled = await open.readyCase()
  await order(recalled)
  await stop(recalled)
  const stopWorker = open.runWorkers(disbursementWorker)
  const { status, reasonCode } = (await readNewestDisbursement(db, recalled))!
  assert.equal(status, 'FAILED')
  assert.equal(reasonCode, 'STOPPED')
  assert.deepEqual(await statusesOf(recalled), {
    caseStatus: 'REJECTED',
    loanStatus: 'NOT_CREATED',
    offerDecision: 'ACCEPT',
  })
  const sent = await open.readyCase()
  await order(sent)
  await until('it is disbursed', async () => (await readCase(db, sent))!.status === 'DISBURSED')
  assert.equal(await refusalKind(stop(sent)), 'wrong-state')
  assert.equal(await countTransfers(recalled), 0)
  await stopWorker()
})

test('D3 §1.1: a stop that succeeds beside concurrent orders prevents the disbursement', async () => {
  await db.tx((tx) => switchAutopilot(tx, true, 'test', ctx.clock()))
  const stopWorker = open.runWorkers(disbursementWorker)
  let stopped = 0
  for (let round = 0; round < 5; round++) {
    const cases = await Promise.all(Array.from({ length: 6 }, () => open.readyCase()))
    await Promise.all(
      cases.map(async (caseRef, i) => {
        // Varies the delay, so that the stops hit different moments of the order.
        const delay = new Promise((resolve) => setTimeout(resolve, i * round * 4))
        const [ended] = await Promise.allSettled([
          delay.then(() => stop(caseRef)),
          runAutopilot(ctx, caseRef),
          order(caseRef),
          order(caseRef),
        ])
        if (ended!.status === 'fulfilled') {
          stopped++
          await runAutopilot(ctx, caseRef)
          assert.equal((await readCase(db, caseRef))!.status, 'REJECTED')
        } else await until('it is disbursed', async () => (await readCase(db, caseRef))!.status === 'DISBURSED')
        const isDisbursed = (await readCase(db, caseRef))!.status === 'DISBURSED'
        assert.equal(await countTransfers(caseRef), isDisbursed ? 1 : 0)
      }),
    )
  }
  assert.ok(stopped > 0, 'some stops win')
  await stopWorker()
  await db.tx((tx) => switchAutopilot(tx, false, 'test', ctx.clock()))
})

test('D3 §3: an application lapses if the borrower misses the deadline, but not while it waits for the lender', async () => {
  const caseInKyc = async (kyc: string, review: string) => {
    const caseRef = await open.readyCase()
    await db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      await tx`update case_file set status = 'KYC_PENDING' where case_ref = ${caseRef}`
      const facts = { provider: 'P', providerReferenceId: 'K-9' }
      const report = { verified: kyc === 'APPROVED', facts, happenedAt: ctx.clock() }
      await storeCheck(tx, ctx.seal, loanCase, { name: 'kyc', report: { ...report, status: kyc }, at: ctx.clock() })
      const reviewed = { ...report, verified: false, status: review }
      await storeCheck(tx, ctx.seal, loanCase, { name: 'lender_kyc_review', report: reviewed, at: ctx.clock() })
    })
    return caseRef
  }
  const awaitingBorrower = await caseInKyc('REQUESTED', 'NOT_STARTED')
  const awaitingLender = await caseInKyc('APPROVED', 'NOT_STARTED')
  const ready = await open.readyCase()
  const days = ctx.config.PARTNER_STEPS_DAYS
  open.advanceClock({ days: days - 1 })
  assert.equal(await lapseApplications(ctx, ctx.clock()), 0)
  open.advanceClock({ days: 1, seconds: 60 })
  // Keeps the ready case before its own deadline, which is that of ordering the disbursement.
  await db`update case_file set updated_at = ${ctx.clock()} where case_ref = ${ready}`
  assert.equal(await lapseApplications(ctx, ctx.clock()), 1)
  assert.equal(await lapseApplications(ctx, ctx.clock()), 0)
  assert.deepEqual(await statusesOf(awaitingBorrower), {
    caseStatus: 'EXPIRED',
    loanStatus: 'CANCELLED',
    offerDecision: 'ACCEPT',
  })
  const [report] = await open.eventData(awaitingBorrower, 'LOAN_STATUS_UPDATED')
  assert.equal(report!.reason_code, 'STEPS_NOT_FINISHED')
  for (const [caseRef, status] of [
    [awaitingLender, 'KYC_PENDING'],
    [ready, 'READY_TO_DISBURSE'],
  ] as const)
    assert.equal((await readCase(db, caseRef))!.status, status)
})

const countWaitingForCase = async (): Promise<number> =>
  (
    await db`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%update case_file set snapshot_version%'`
  ).length
const payoutDays = ctx.config.PARTNER_PAYOUT_DAYS

test('D3 §3: an application whose disbursement is not ordered in time lapses, and the loan is reported as CANCELLED', async () => {
  const early = await open.readyCase()
  const late = await open.readyCase()
  open.advanceClock({ days: payoutDays - 1 })
  assert.equal(await lapseApplications(ctx, ctx.clock()), 0)
  await db`update case_file set updated_at = ${ctx.clock()} where case_ref = ${late}`
  open.advanceClock({ days: 1, seconds: 60 })
  await lapseApplications(ctx, ctx.clock())
  assert.deepEqual(await statusesOf(early), { caseStatus: 'EXPIRED', loanStatus: 'CANCELLED', offerDecision: 'ACCEPT' })
  const [report] = await open.eventData(early, 'LOAN_STATUS_UPDATED')
  assert.equal(report!.loan_status, 'CANCELLED')
  assert.equal(report!.reason_code, 'PAYOUT_NOT_MADE')
  assert.equal((await readStop(db, early))!.reasonCode, 'PAYOUT_NOT_MADE')
  assert.equal((await readCase(db, late))!.status, 'READY_TO_DISBURSE')
  await db.tx((tx) => switchAutopilot(tx, true, 'test', ctx.clock()))
  await runAutopilot(ctx, early)
  await db.tx((tx) => switchAutopilot(tx, false, 'test', ctx.clock()))
  assert.equal(await refusalKind(order(early)), 'wrong-state')
  assert.equal(await readNewestDisbursement(db, early), undefined)
})

test('D3 §3: a failed transfer restarts the deadline for ordering the disbursement', async () => {
  const caseRef = await open.readyCase()
  open.advanceClock({ days: payoutDays - 1 })
  await order(caseRef)
  await db.tx(async (tx) => {
    const loanCase = await lockCase(tx, caseRef)
    const row = (await readNewestDisbursement(tx, caseRef))!
    const failed = { ...row, status: 'FAILED' as const, reasonCode: 'ACCOUNT_CLOSED' }
    await writeDisbursement(tx, row, failed, ctx.clock())
    await moveCase(tx, loanCase, 'disbursementFailed', ctx.clock())
  })
  open.advanceClock({ days: 2 })
  await lapseApplications(ctx, ctx.clock())
  assert.equal((await readCase(db, caseRef))!.status, 'READY_TO_DISBURSE')
})

test('D3 §1.1: of a concurrent lapse and disbursement order, the first to lock the case wins', async () => {
  const stopWorker = open.runWorkers(disbursementWorker)
  for (const first of ['lapse', 'payout', 'lapse', 'payout'] as const) {
    const caseRef = await open.readyCase()
    open.advanceClock({ days: payoutDays, seconds: 60 })
    const lapse = { cause: 'TIME', reasonCode: 'PAYOUT_NOT_MADE', reasonMessage: null, stoppedBy: 'time' } as const
    // The second act starts before the first commits, so it must recheck the case once it has the lock.
    const second = await db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      const waiting = Promise.allSettled([first === 'lapse' ? order(caseRef) : lapseApplications(ctx, ctx.clock())])
      await until('the second act waits for the case', async () => (await countWaitingForCase()) === 1)
      const context = { ...ctx, tx, at: ctx.clock() }
      await (first === 'lapse' ? stopCase(context, loanCase, lapse) : orderDisbursement(context, loanCase))
      return { waiting }
    })
    const [{ status }] = await second.waiting
    assert.equal(status, first === 'lapse' ? 'rejected' : 'fulfilled')
    const ended = first === 'lapse' ? 'EXPIRED' : 'DISBURSED'
    await until(`it is ${ended}`, async () => (await readCase(db, caseRef))!.status === ended)
    assert.equal(await countTransfers(caseRef), first === 'lapse' ? 0 : 1)
    assert.equal((await readStop(db, caseRef)) === undefined, first === 'payout')
  }
  await stopWorker()
})
