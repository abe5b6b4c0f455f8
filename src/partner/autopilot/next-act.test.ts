// What the rules do next, read off where a case stands.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Checks } from '#partner/case/check.ts'
import { caseStatuses } from '#partner/case/lifecycle.ts'
import { type CaseProgress, nextAct } from './next-act.ts'

const at = new Date('2026-11-20T10:00:00Z')
const none = { status: 'NOT_STARTED', verified: false, facts: null } as const
const checks = (change: Partial<Checks> = {}): Checks => ({
  kyc: none,
  lenderKycReview: none,
  mandate: none,
  esign: none,
  ...change,
})
const report = (change: Partial<CaseProgress>): CaseProgress => ({
  status: 'UNDER_REVIEW',
  updatedAt: at,
  checks: checks(),
  hasFailedTransfer: false,
  scenario: null,
  bank: null,
  ...change,
})

test('D3 §1.1: only a review and a cleared loan are acted on by status alone', () => {
  const acting = caseStatuses.filter((status) => nextAct(report({ status }), at) !== null)
  assert.deepEqual(acting, ['UNDER_REVIEW', 'READY_TO_DISBURSE'])
})

test('D3 §1.1 rule 6: a transfer that failed is not ordered again by rule', () => {
  assert.deepEqual(nextAct(report({ status: 'READY_TO_DISBURSE' }), at), { kind: 'disburse' })
  assert.equal(nextAct(report({ status: 'READY_TO_DISBURSE', hasFailedTransfer: true }), at), null)
})

test('D3 §6 rule 2: a KYC is reviewed when its provider has finished, and only where a review is due', () => {
  const act = (kyc: Checks['kyc']['status'], review: Checks['lenderKycReview']['status']) =>
    nextAct(
      report({
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

test('D3 §2.3: bank data that a rule breaks are declined or left to people; what is missing is no reason to approve more', () => {
  const act = (decision: 'APPROVE' | 'LOWER' | 'REVIEW' | 'DECLINE') =>
    nextAct(report({ bank: { decision, reasonCode: decision === 'APPROVE' ? null : 'RETURNED_DEBITS' } }), at)
  assert.deepEqual(act('DECLINE'), { kind: 'reject', because: 'RETURNED_DEBITS' })
  assert.equal(act('REVIEW'), null)
  const approved = { kind: 'approve', shareOfTen: 10n, validSeconds: null }
  assert.deepEqual([act('APPROVE'), act('LOWER')], [approved, approved])
})

test('a slow review waits for its time and is then an ordinary one', () => {
  const slow = report({ scenario: 'slow-review' })
  assert.deepEqual(nextAct(slow, at), { waitSeconds: 30 })
  const later = new Date(at.getTime() + 30_000)
  assert.deepEqual(nextAct(slow, later), { kind: 'approve', shareOfTen: 10n, validSeconds: null })
})
