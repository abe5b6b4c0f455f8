// A journey's status and steps determine who must act next, and until when.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type WaitingFacts, waitOfJourney } from './journey-wait.ts'

const idleDays = 30
const at = (day: number) => new Date(Date.UTC(2026, 10, day))
const journey: WaitingFacts['journey'] = {
  type: 'PERSONAL_LOAN',
  status: 'STARTED',
  active: true,
  search: 'NONE',
  lenderMode: null,
  lastBorrowerActAt: at(1),
  closedAt: null,
}
const facts: WaitingFacts = {
  journey,
  chosenIsFinal: null,
  offersUntil: at(9),
  awaitedUntil: at(3),
  consentIsDue: false,
  lineOpenedAt: null,
  movedAt: null,
  steps: [],
}
const summaryOf = (journeyFields: Partial<WaitingFacts['journey']>, otherFacts: Partial<WaitingFacts> = {}) => {
  const waiting = waitOfJourney({ ...facts, ...otherFacts, journey: { ...journey, ...journeyFields } }, idleDays)
  return waiting && [waiting.what, waiting.whose, waiting.until?.slice(0, 10) ?? null].join(' ')
}

test('before the selection, a journey waits for the borrower’s profile, consent and choice, and the lender’s offers', () => {
  assert.equal(summaryOf({}), 'PROFILE borrower 2026-12-01')
  assert.equal(summaryOf({ search: 'OPEN' }), 'OFFERS lender 2026-11-03')
  assert.equal(summaryOf({ search: 'UNANSWERED' }), 'PROFILE borrower 2026-12-01')
  assert.equal(summaryOf({ status: 'PROFILED' }), 'OFFERS lender 2026-11-03')
  assert.equal(summaryOf({ status: 'PROFILED' }, { consentIsDue: true }), 'CONSENT borrower 2026-12-01')
  assert.equal(summaryOf({ status: 'OFFERED' }), 'CHOICE borrower 2026-11-09')
  assert.equal(summaryOf({ status: 'OFFERED' }, { offersUntil: at(40) }), 'CHOICE borrower 2026-12-01')
})

test('after the selection, the first unfinished step determines who must act', () => {
  const selected = { status: 'OFFER_SELECTED' } as const
  const step = (
    name: 'kyc' | 'bankMandate',
    status: 'READY' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE',
    retryable = true,
  ) => [{ name, status, diagnostics: { problem: 'IDENTITY_REFUSED' as const, retryable } }]
  assert.equal(summaryOf(selected, { chosenIsFinal: false }), 'FINAL_OFFER lender 2026-11-03')
  assert.equal(
    summaryOf(selected, { chosenIsFinal: false, steps: step('bankMandate', 'READY') }),
    'ACCOUNT borrower 2026-12-01',
  )
  assert.equal(summaryOf(selected, { chosenIsFinal: true }), 'ACCEPTANCE borrower 2026-11-09')
  const redirected = { status: 'LENDER_REDIRECTED' } as const
  assert.equal(summaryOf(redirected), 'LENDER lender 2026-11-03')
  assert.equal(summaryOf(redirected, { steps: step('kyc', 'READY') }), 'KYC borrower 2026-12-01')
  const offline = { ...redirected, lenderMode: 'OFFLINE' } as const
  assert.equal(
    summaryOf({ ...offline, type: 'GOLD_LOAN' }, { steps: step('kyc', 'READY') }),
    'VISIT borrower 2026-12-01',
  )
  const onLendersPage = summaryOf(offline, { steps: step('kyc', 'READY') })
  assert.equal(onLendersPage, 'KYC borrower 2026-12-01', 'a page is no branch')
  assert.equal(summaryOf(redirected, { steps: step('kyc', 'FAILURE', false) }), 'KYC lender 2026-11-03')
  const stepsWithBank = [...step('kyc', 'SUCCESS'), ...step('bankMandate', 'IN_PROGRESS')]
  assert.equal(summaryOf(redirected, { steps: stepsWithBank }), 'ACCOUNT lender 2026-11-03')
  const completedSteps = (['kyc', 'bankMandate', 'eMandate', 'loanAgreement'] as const).map((name) => ({
    name,
    status: 'SUCCESS' as const,
    diagnostics: null,
  }))
  assert.equal(summaryOf(redirected, { steps: completedSteps }), 'DISBURSAL lender 2026-11-03')
})

test('an ended journey waits for nothing', () => {
  for (const end of [{ status: 'DISBURSED' }, { status: 'REJECTED' }, { active: false }, { closedAt: at(2) }] as const)
    assert.equal(summaryOf(end), null)
})

test('FIS12 §17.5: an open credit line waits for nobody, drawn or not', () => {
  assert.equal(summaryOf({ status: 'LENDER_REDIRECTED' }, { lineOpenedAt: at(2) }), null)
})

test('a wait began with the last act of the borrower, change of the status or change of a step', () => {
  const sinceOf = (movedAt: Date | null) => waitOfJourney({ ...facts, movedAt }, idleDays)?.since
  assert.equal(sinceOf(null), at(1).toISOString())
  assert.equal(sinceOf(at(2)), at(2).toISOString())
  assert.equal(sinceOf(new Date(at(1).getTime() - 1)), at(1).toISOString())
})
