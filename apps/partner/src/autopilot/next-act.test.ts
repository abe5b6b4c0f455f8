// Which act the autopilot performs next, by the state of a case.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Checks } from '#partner/origination/case/checks.ts'
import { caseStatuses } from '#partner/origination/case/lifecycle.ts'
import { type CaseProgress, nextAct } from './next-act.ts'

const at = new Date('2026-11-20T10:00:00Z')
const notStarted = { status: 'NOT_STARTED', verified: false, facts: null } as const
const checks = (change: Partial<Checks> = {}): Checks => ({
  kyc: notStarted,
  lenderKycReview: notStarted,
  mandate: notStarted,
  esign: notStarted,
  ...change,
})
const progress = (change: Partial<CaseProgress>): CaseProgress => ({
  status: 'UNDER_REVIEW',
  updatedAt: at,
  checks: checks(),
  hasFailedTransfer: false,
  scenario: null,
  bank: { decision: 'APPROVE', reasonCode: null },
  ...change,
})

test('D3 §1.1: without provider reports, only UNDER_REVIEW and READY_TO_DISBURSE have a next act', () => {
  const statusesWithAct = caseStatuses.filter((status) => nextAct(progress({ status }), at) !== null)
  assert.deepEqual(statusesWithAct, ['UNDER_REVIEW', 'READY_TO_DISBURSE'])
})

test('D3 §1.1 rule 6: the autopilot does not repeat a failed transfer', () => {
  assert.deepEqual(nextAct(progress({ status: 'READY_TO_DISBURSE' }), at), { kind: 'disburse' })
  assert.equal(nextAct(progress({ status: 'READY_TO_DISBURSE', hasFailedTransfer: true }), at), null)
})

test('D3 §6 rule 2: the autopilot reviews a KYC if its provider has finished and a review is required', () => {
  const act = (kyc: Checks['kyc']['status'], review: Checks['lenderKycReview']['status']) =>
    nextAct(
      progress({
        status: 'KYC_PENDING',
        checks: checks({
          kyc: { status: kyc, verified: false, facts: null },
          lenderKycReview: { status: review, verified: false, facts: null },
        }),
      }),
      at,
    )
  assert.deepEqual(act('REVIEW_READY', 'NOT_STARTED'), { kind: 'review-kyc', decision: 'APPROVED' })
  assert.deepEqual(act('APPROVED', 'NOT_STARTED'), { kind: 'review-kyc', decision: 'APPROVED' })
  assert.equal(act('REQUESTED', 'NOT_STARTED'), null)
  assert.equal(act('APPROVED', 'NOT_REQUIRED'), null)
  assert.equal(act('APPROVED', 'REJECTED'), null)
})

test('D3 §2.3: after the bank review the autopilot rejects, waits for an officer, or approves', () => {
  const act = (decision: 'APPROVE' | 'LOWER' | 'REVIEW' | 'DECLINE') =>
    nextAct(progress({ bank: { decision, reasonCode: decision === 'APPROVE' ? null : 'RETURNED_DEBITS' } }), at)
  assert.deepEqual(act('DECLINE'), { kind: 'reject', reasonCode: 'RETURNED_DEBITS' })
  assert.equal(act('REVIEW'), null)
  const approved = { kind: 'approve', tenths: 10n, validSeconds: null }
  assert.deepEqual(act('APPROVE'), approved)
  assert.deepEqual(act('LOWER'), approved)
})

test('the slow-review scenario approves after 30 seconds', () => {
  const slow = progress({ scenario: 'slow-review' })
  assert.deepEqual(nextAct(slow, at), { waitSeconds: 30 })
  const later = new Date(at.getTime() + 30_000)
  assert.deepEqual(nextAct(slow, later), { kind: 'approve', tenths: 10n, validSeconds: null })
})
