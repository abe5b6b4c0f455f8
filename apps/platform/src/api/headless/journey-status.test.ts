// The sixteen statuses of D2 §2.2 with next action and pending operations, computed from stored facts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  aaSessionStates,
  type JourneyStatus,
  journeyStatuses,
  nextActions,
  stepStatuses,
} from '@lendloom/wire/headless/enums'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import fc from 'fast-check'
import { type StepName, stepNames } from '#platform/lending/step/step.ts'
import { type StatusRows, statusOf } from './journey-status.ts'

type FactOverrides = Partial<Omit<StatusRows, 'journey'>> & { journey?: Partial<StatusRows['journey']> }

const facts = ({ journey, ...rest }: FactOverrides = {}): StatusRows => ({
  journey: { type: 'PERSONAL_LOAN', status: 'STARTED', active: true, search: 'NONE', closedAt: null, ...journey },
  profileBegun: false,
  offers: [],
  steps: [],
  aaSessions: [],
  ...rest,
})
const awaitedOffer = { offerId: 'o1', status: 'OFFER_AWAITED', selected: false, finalTerms: false }
const chosenOffer = { offerId: 'o1', status: 'OFFER_RECEIVED', selected: true, finalTerms: false }
const session = { offerId: 'o1', purpose: 'UNDERWRITING', state: 'REQUIRED' } as const
const doneSteps = (...names: StepName[]): StatusRows['steps'] =>
  names.map((name) => ({ name, status: 'SUCCESS', retryable: null }))
const step = (name: StepName, status: StatusRows['steps'][number]['status'], retryable: boolean | null = null) => ({
  name,
  status,
  retryable,
})
const acceptedJourney = { status: 'OFFER_ACCEPTED', search: 'CLOSED' } as const
const redirectedJourney = { status: 'LENDER_REDIRECTED', search: 'CLOSED' } as const
const searchOpen = { status: 'STARTED', search: 'OPEN' } as const

const [FILL, WAIT, VIEW, AA, STEP] = nextActions

/** For each status: a journey in this status, its next action and its pending operations. */
const cases: Record<JourneyStatus, [StatusRows, next: string | null, pending: string[]]> = {
  STARTED: [facts(), FILL, []],
  PROFILE_REQUIRED: [facts({ profileBegun: true }), FILL, []],
  PROFILE_SUBMITTED: [facts({ journey: searchOpen, profileBegun: true }), WAIT, ['PROFILE_SUBMISSION']],
  OFFERS_PENDING: [
    facts({ journey: { ...searchOpen, status: 'PROFILED' }, offers: [awaitedOffer] }),
    WAIT,
    ['PROFILE_SUBMISSION'],
  ],
  OFFERS_AVAILABLE: [
    facts({ journey: { ...searchOpen, status: 'OFFERED' }, offers: [{ ...chosenOffer, selected: false }] }),
    VIEW,
    [],
  ],
  OFFER_SELECTED: [
    facts({ journey: { ...searchOpen, status: 'OFFER_SELECTED' }, offers: [chosenOffer] }),
    null,
    ['SELECT_DISPATCH'],
  ],
  AA_REQUIRED: [
    facts({ journey: { ...searchOpen, status: 'PROFILED' }, offers: [awaitedOffer], aaSessions: [session] }),
    AA,
    ['PROFILE_SUBMISSION'],
  ],
  KYC_PENDING: [facts({ journey: acceptedJourney, steps: [step('kyc', 'READY')] }), STEP, []],
  BANK_MANDATE_PENDING: [
    facts({ journey: redirectedJourney, steps: [...doneSteps('kyc'), step('bankMandate', 'READY')] }),
    STEP,
    [],
  ],
  E_MANDATE_PENDING: [
    facts({ journey: redirectedJourney, steps: [...doneSteps('kyc', 'bankMandate'), step('eMandate', 'IN_PROGRESS')] }),
    STEP,
    [],
  ],
  LOAN_AGREEMENT_PENDING: [
    facts({
      journey: redirectedJourney,
      steps: [...doneSteps('kyc', 'bankMandate', 'eMandate'), step('loanAgreement', 'READY')],
    }),
    STEP,
    [],
  ],
  LENDER_PROCESSING: [
    facts({ journey: redirectedJourney, steps: doneSteps('kyc', 'bankMandate', 'eMandate', 'loanAgreement') }),
    null,
    [],
  ],
  DISBURSED: [facts({ journey: { status: 'DISBURSED', search: 'CLOSED' }, steps: doneSteps(...stepNames) }), null, []],
  REJECTED: [facts({ journey: { status: 'REJECTED', active: false } }), null, []],
  EXPIRED: [facts({ journey: { status: 'OFFERED', active: false } }), null, []],
  CLOSED: [facts({ journey: { status: 'DISBURSED', active: false, closedAt: new Date() } }), null, []],
}

for (const [status, [caseFacts, next, pending]] of Object.entries(cases))
  test(`D2 §2.2: the next action of ${status} is ${next ?? 'none'}`, () => {
    const report = statusOf(caseFacts)
    assert.equal(report.status, status)
    assert.equal(report.nextAction, next)
    assert.deepEqual(report.pendingOperations, pending)
  })

test('D2 §3: the timeline state of a STARTED journey is PROFILE_REQUIRED', () => {
  for (const [status, [caseFacts]] of Object.entries(cases))
    assert.equal(statusOf(caseFacts).timelineState, status === 'STARTED' ? 'PROFILE_REQUIRED' : status)
})

test('D2 §2.2: a journey whose search reached no lender returns to PROFILE_REQUIRED', () => {
  const { status, nextAction, pendingOperations } = statusOf(facts({ journey: { search: 'UNANSWERED' } }))
  assert.equal(status, 'PROFILE_REQUIRED')
  assert.equal(nextAction, 'FILL_PROFILE')
  assert.deepEqual(pendingOperations, [])
})

test('D2 §2.2: a journey without offers is REJECTED', () => {
  assert.equal(statusOf(facts({ journey: { status: 'NOT_OFFERED', active: false } })).status, 'REJECTED')
})

test('D2 §2.2: AA_REQUIRED applies only while the lender waits for the borrower’s consent', () => {
  const searching: FactOverrides = { journey: { ...searchOpen, status: 'PROFILED' }, offers: [awaitedOffer] }
  const report = (caseFacts: FactOverrides) => statusOf(facts({ ...searching, ...caseFacts })).status
  const statesThatNeedConsent = aaSessionStates.filter(
    (state) => report({ aaSessions: [{ ...session, state }] }) === 'AA_REQUIRED',
  )
  assert.deepEqual(statesThatNeedConsent, ['REQUIRED', 'REDIRECT_READY', 'IN_PROGRESS'])
  const noOffer = { ...awaitedOffer, status: 'NO_OFFER_AVAILABLE' }
  assert.equal(report({ aaSessions: [session], offers: [noOffer] }), 'OFFERS_PENDING')
  assert.equal(report({ aaSessions: [{ ...session, purpose: 'MONITORING' }] }), 'OFFERS_PENDING')
  const offered = report({ journey: { ...searchOpen, status: 'OFFERED' }, aaSessions: [session] })
  assert.equal(offered, 'OFFERS_AVAILABLE', 'a borrower with an offer need not give the consent')
})

test('D2 §2.2: a consent to monitoring is required before the disbursal', () => {
  const steps = doneSteps('kyc', 'bankMandate', 'eMandate', 'loanAgreement')
  const aaSessions = [{ ...session, purpose: 'MONITORING' as const }]
  const { status, nextAction } = statusOf(facts({ journey: redirectedJourney, steps, aaSessions }))
  assert.equal(status, 'AA_REQUIRED')
  assert.equal(nextAction, 'COMPLETE_AA')
})

test('D2 §3: OFFER_SELECTED lasts until the final terms and the page of a step exist', () => {
  const journey = { status: 'OFFER_SELECTED', search: 'CLOSED' } as const
  const reportOf = (caseFacts: FactOverrides) => {
    const { status, nextAction, pendingOperations } = statusOf(facts({ journey, ...caseFacts }))
    return { status, nextAction, pendingOperations }
  }
  const offerWithFinalTerms = { ...chosenOffer, finalTerms: true }
  assert.deepEqual(reportOf({ offers: [offerWithFinalTerms] }), {
    status: 'OFFER_SELECTED',
    nextAction: null,
    pendingOperations: [],
  })
  assert.deepEqual(reportOf({ offers: [offerWithFinalTerms], steps: [step('kyc', 'READY')] }), {
    status: 'KYC_PENDING',
    nextAction: 'COMPLETE_STEP',
    pendingOperations: [],
  })
  assert.deepEqual(reportOf({ offers: [chosenOffer], steps: [step('kyc', 'READY')] }), {
    status: 'OFFER_SELECTED',
    nextAction: null,
    pendingOperations: ['SELECT_DISPATCH'],
  })
  const accountStep = [step('bankMandate', 'READY')]
  assert.deepEqual(
    reportOf({ offers: [chosenOffer], steps: accountStep }),
    { status: 'BANK_MANDATE_PENDING', nextAction: 'COMPLETE_STEP', pendingOperations: ['SELECT_DISPATCH'] },
    'the lender requires the account before it sends final terms',
  )
})

test('D2 §2.2: the first unfinished step decides the status', () => {
  const reportOf = (...steps: StatusRows['steps']) => {
    const { status, nextAction } = statusOf(facts({ journey: redirectedJourney, steps }))
    return { status, nextAction }
  }
  assert.deepEqual(reportOf(), { status: 'LENDER_PROCESSING', nextAction: null })
  assert.deepEqual(reportOf(step('kyc', 'FAILURE', true)), { status: 'KYC_PENDING', nextAction: 'COMPLETE_STEP' })
  assert.deepEqual(reportOf(step('kyc', 'FAILURE', false)), { status: 'KYC_PENDING', nextAction: null })
  assert.deepEqual(reportOf(step('kyc', 'NOT_REQUIRED'), step('bankMandate', 'READY')), {
    status: 'BANK_MANDATE_PENDING',
    nextAction: 'COMPLETE_STEP',
  })
  assert.deepEqual(reportOf(...doneSteps('kyc'), step('bankMandate', 'IN_PROGRESS')), {
    status: 'BANK_MANDATE_PENDING',
    nextAction: null,
  })
  assert.deepEqual(reportOf(...doneSteps('kyc'), step('eMandate', 'READY')), {
    status: 'LENDER_PROCESSING',
    nextAction: null,
  })
})

test('property: every journey has a status of D2, and a next action only while it is active', () => {
  const arbitraryFacts: fc.Arbitrary<StatusRows> = fc.record({
    journey: fc.record({
      type: fc.constant('PERSONAL_LOAN' as const),
      status: fc.constantFrom(...statuses),
      active: fc.boolean(),
      search: fc.constantFrom('NONE' as const, 'OPEN' as const, 'CLOSED' as const, 'UNANSWERED' as const),
      closedAt: fc.constantFrom(null, new Date(0)),
    }),
    profileBegun: fc.boolean(),
    offers: fc.array(
      fc.record({
        offerId: fc.constantFrom('o1', 'o2'),
        status: fc.constantFrom('OFFER_AWAITED', 'OFFER_RECEIVED', 'NO_OFFER_AVAILABLE'),
        selected: fc.boolean(),
        finalTerms: fc.boolean(),
      }),
    ),
    steps: fc.array(
      fc.record({
        name: fc.constantFrom(...stepNames),
        status: fc.constantFrom(...stepStatuses),
        retryable: fc.constantFrom(null, true, false),
      }),
    ),
    aaSessions: fc.array(
      fc.record({
        offerId: fc.constantFrom('o1', 'o2'),
        purpose: fc.constantFrom('UNDERWRITING' as const, 'MONITORING' as const),
        state: fc.constantFrom(...aaSessionStates),
      }),
    ),
  })
  fc.assert(
    fc.property(arbitraryFacts, (caseFacts) => {
      const report = statusOf(caseFacts)
      assert.ok(journeyStatuses.includes(report.status))
      if (!caseFacts.journey.active || caseFacts.journey.closedAt !== null) assert.equal(report.nextAction, null)
      if (!caseFacts.journey.active) assert.deepEqual(report.pendingOperations, [])
    }),
  )
})
