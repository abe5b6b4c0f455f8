// Property: after any sequence of provider reports, reviews and uploads the facts of a case determine its status.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PrerequisiteError } from '@lendloom/event-log/inbox'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { platform, startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import type { DataOf, EventType } from '@lendloom/wire/exchange/envelope'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { inconsistencies, type SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import fc from 'fast-check'
import { type CaseFacts, disbursementBlockers, nextMove } from '#partner/origination/case/disbursement-blockers.ts'
import { caseLifecycle, isBeingChecked } from '#partner/origination/case/lifecycle.ts'
import { factsOf } from '#partner/origination/case/recheck-case.ts'
import { findCase } from '#partner/origination/case/store.ts'
import { decideKyc } from '#partner/origination/review/review-case.ts'
import { applyEvent } from './apply-event.ts'
import { readCaseSnapshot } from './case-snapshot.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { ctx } = partner

type Command = [name: string, run: (loanCase: TestCase) => Promise<unknown>]

/** Applies an event in its own transaction. Ignores refusals and missing prerequisites. */
async function apply<T extends EventType>(loanCase: TestCase, type: T, data: DataOf<T>): Promise<void> {
  const body = loanCase.event(type, data)
  const { event_id: eventId, sender, entity_id: entityId } = body
  const received = {
    tenantId: '',
    partitionKey: loanCase.caseRef,
    entityType: 'CASE',
    entityVersion: 0,
    correlationId: null,
    traceparent: null,
  }
  const event = { ...received, eventId, sender, entityId, type, receivedAt: new Date(), raw: Buffer.alloc(0), body }
  await ignoreRefusals(ctx.db.tx((tx: Tx) => applyEvent({ ...ctx, tx, at: new Date() }, event)))
}

const ignoreRefusals = (work: Promise<unknown>) =>
  work.catch((error) => {
    if (!(error instanceof Refusal || error instanceof PrerequisiteError)) throw error
  })

const reference = fc.constantFrom('ref-1', 'ref-2')
const isConfirmed = fc.constantFrom(true, true, true, false)
const reason_code = 'OTHER'

// Repeated values are drawn more often, so that more sequences reach READY_TO_DISBURSE.
const kycs = fc
  .record({
    status: fc.constantFrom('REQUESTED', 'REVIEW_READY', 'APPROVED', 'APPROVED', 'REJECTED', 'EXPIRED'),
    mode: fc.constantFrom('STANDARD', 'VIDEO_AND_MANUAL_REVIEW'),
    provider_reference_id: reference,
    isConfirmed,
  })
  .map(({ isConfirmed, ...report }): Command => {
    const data = {
      ...exampleData('KYC_UPDATED'),
      ...report,
      verified: isConfirmed && report.status === 'APPROVED',
      document_ids: [],
      reason_code,
    }
    return [
      `KYC ${report.status} ${report.mode}`,
      (loanCase) => apply(loanCase, 'KYC_UPDATED', data as DataOf<'KYC_UPDATED'>),
    ]
  })
const mandates = fc
  .record({
    status: fc.constantFrom('REQUESTED', 'PENDING', 'ACTIVE', 'ACTIVE', 'CANCELLED'),
    maximum_amount: fc.constantFrom('4789.00', '10000.00', '10000.00'),
    provider_reference_id: reference,
    isConfirmed,
  })
  .map(({ isConfirmed, ...report }): Command => {
    const data = {
      ...exampleData('MANDATE_UPDATED'),
      ...report,
      verified: isConfirmed && report.status === 'ACTIVE',
      reason_code,
    }
    const run: Command[1] = (loanCase) => apply(loanCase, 'MANDATE_UPDATED', data as DataOf<'MANDATE_UPDATED'>)
    return [`mandate ${report.status} ${report.maximum_amount}`, run]
  })
const esigns = fc
  .record({
    status: fc.constantFrom('REQUESTED', 'COMPLETED', 'COMPLETED', 'FAILED'),
    provider_reference_id: reference,
    isConfirmed,
  })
  .map(({ isConfirmed, ...report }): Command => {
    const data = {
      ...exampleData('ESIGN_UPDATED'),
      ...report,
      verified: isConfirmed && report.status === 'COMPLETED',
      reason_code,
    }
    return [`esign ${report.status}`, (loanCase) => apply(loanCase, 'ESIGN_UPDATED', data as DataOf<'ESIGN_UPDATED'>)]
  })
const reviews = fc.constantFrom('APPROVED', 'REJECTED').map((decision): Command => {
  const review = { decision, reviewerReference: 'staff-7', reasonCode: 'CHECKED', reasonMessage: null } as const
  return [
    `review ${decision}`,
    (loanCase) => ignoreRefusals(loanCase.act((tx, row, at) => decideKyc({ ...ctx, tx, at }, row, { ...review }))),
  ]
})
const uploads = fc
  .constantFrom('KYC_REPORT', 'SIGNED_LOAN_AGREEMENT', 'MANDATE_DOCUMENT')
  .map((type): Command => [`upload ${type}`, (loanCase) => loanCase.upload(type)])

const commands = fc.array(fc.oneof(kycs, mandates, esigns, reviews, uploads), { minLength: 4, maxLength: 24 })

test('D3 §1.1: property: a case is READY_TO_DISBURSE exactly when nothing blocks its disbursement', async () => {
  let readyCount = 0
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const loanCase = new TestCase(partner)
      await loanCase.runToAcceptedOffer()
      let before = await readState(loanCase)
      for (const [, run] of sequence) {
        await run(loanCase)
        const after = await readState(loanCase)
        assertDetermined(after, before)
        before = after
      }
      if (before.status.case_status === 'READY_TO_DISBURSE') readyCount++
    }),
    { numRuns: roundsOf(15), endOnFailure: true, examples: [[readySequence()]] },
  )
  assert.ok(readyCount > 0, 'no sequence reached READY_TO_DISBURSE')
})

/** Returns a sequence that reaches READY_TO_DISBURSE. */
function readySequence(): Command[] {
  const event = <T extends EventType>(type: T): Command => [
    type,
    (loanCase) => apply(loanCase, type, exampleData(type)),
  ]
  const kyc = { ...exampleData('KYC_UPDATED'), document_ids: [] }
  return [
    ['KYC', (loanCase) => apply(loanCase, 'KYC_UPDATED', kyc)],
    event('MANDATE_UPDATED'),
    event('ESIGN_UPDATED'),
    ['agreement', (loanCase) => loanCase.upload('SIGNED_LOAN_AGREEMENT')],
    ['report', (loanCase) => loanCase.upload('KYC_REPORT')],
  ]
}

interface CaseState {
  status: SnapshotStatus
  facts: CaseFacts
}

async function readState({ caseRef }: TestCase): Promise<CaseState> {
  const at = new Date()
  return ctx.db.snapshot(async (db) => {
    const loanCase = (await findCase(db, platform.sender, caseRef))!
    const snapshot = (await readCaseSnapshot(db, ctx, platform.sender, caseRef))!
    const status = { request_id: '0190f5a0-0000-7000-8000-000000000001', external_reference_id: caseRef, ...snapshot }
    return { status, facts: await factsOf(db, ctx, loanCase, at) }
  })
}

function assertDetermined({ status, facts }: CaseState, before: CaseState): void {
  const { kyc, mandate, esign } = facts.checks
  assert.ok(kyc.status !== 'APPROVED' || kyc.verified, 'KYC is shown as APPROVED before the provider confirmed it')
  assert.ok(mandate.status !== 'ACTIVE' || mandate.verified, 'a mandate is shown before the provider confirmed it')
  assert.ok(esign.status !== 'COMPLETED' || esign.verified, 'a signature is shown before the provider confirmed it')
  assert.deepEqual(inconsistencies(status), [])
  assert.ok(isBeingChecked(status.case_status))
  const blockers = disbursementBlockers(facts)
  assert.equal(status.case_status === 'READY_TO_DISBURSE', blockers.length === 0, `${status.case_status}: ${blockers}`)
  const isJustAccepted = status.case_status === 'OFFER_ACCEPTED' && status.checks.kyc === 'NOT_STARTED'
  if (!isJustAccepted) assert.equal(status.case_status, caseLifecycle.OFFER_ACCEPTED[nextMove(facts)])
  const changed = JSON.stringify(contentOf(status)) !== JSON.stringify(contentOf(before.status))
  assert.ok(
    !changed || status.snapshot_version > before.status.snapshot_version,
    'a changed snapshot has a higher version',
  )
}

const contentOf = ({ snapshot_at, snapshot_version, ...parts }: SnapshotStatus) => parts
