// The sixteen statuses of D2 §2.2, each from what is stored, with what the borrower does next and what is under way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  aaSessionStates,
  type JourneyStatus,
  journeyStatuses,
  nextActions,
  stepStatuses,
} from '#contract/headless/fields.ts'
import { statuses } from '#contract/hosted/lifecycle-status.ts'
import { type StepName, stepNames } from '#platform/step/store.ts'
import { type JourneyFacts, statusOf } from './journey-status.ts'

type GivenFacts = Partial<Omit<JourneyFacts, 'journey'>> & { journey?: Partial<JourneyFacts['journey']> }

const facts = ({ journey, ...rest }: GivenFacts = {}): JourneyFacts => ({
  journey: { type: 'PERSONAL_LOAN', status: 'STARTED', active: true, search: 'NONE', closedAt: null, ...journey },
  profileBegun: false,
  offers: [],
  steps: [],
  aaSessions: [],
  ...rest,
})
const awaited = { offerId: 'o1', status: 'OFFER_AWAITED', selected: false, finalTerms: false }
const chosen = { offerId: 'o1', status: 'OFFER_RECEIVED', selected: true, finalTerms: false }
const session = { offerId: 'o1', purpose: 'UNDERWRITING', state: 'REQUIRED' } as const
const done = (...names: StepName[]): JourneyFacts['steps'] =>
  names.map((name) => ({ name, status: 'SUCCESS', retryable: null }))
const step = (name: StepName, status: JourneyFacts['steps'][number]['status'], retryable: boolean | null = null) => ({
  name,
  status,
  retryable,
})
const accepted = { status: 'OFFER_ACCEPTED', search: 'CLOSED' } as const
const redirected = { status: 'LENDER_REDIRECTED', search: 'CLOSED' } as const
const asking = { status: 'STARTED', search: 'OPEN' } as const

const [FILL, WAIT, VIEW, AA, STEP] = nextActions

/** Each status by its name: a journey that has it, what is next, what is under way. */
const cases: Record<JourneyStatus, [JourneyFacts, next: string | null, pending: string[]]> = {
  STARTED: [facts(), FILL, []],
  PROFILE_REQUIRED: [facts({ profileBegun: true }), FILL, []],
  PROFILE_SUBMITTED: [facts({ journey: asking, profileBegun: true }), WAIT, ['PROFILE_SUBMISSION']],
  OFFERS_PENDING: [
    facts({ journey: { ...asking, status: 'PROFILED' }, offers: [awaited] }),
    WAIT,
    ['PROFILE_SUBMISSION'],
  ],
  OFFERS_AVAILABLE: [
    facts({ journey: { ...asking, status: 'OFFERED' }, offers: [{ ...chosen, selected: false }] }),
    VIEW,
    [],
  ],
  OFFER_SELECTED: [
    facts({ journey: { ...asking, status: 'OFFER_SELECTED' }, offers: [chosen] }),
    null,
    ['SELECT_DISPATCH'],
  ],
  AA_REQUIRED: [
    facts({ journey: { ...asking, status: 'PROFILED' }, offers: [awaited], aaSessions: [session] }),
    AA,
    ['PROFILE_SUBMISSION'],
  ],
  KYC_PENDING: [facts({ journey: accepted, steps: [step('kyc', 'READY')] }), STEP, []],
  BANK_MANDATE_PENDING: [
    facts({ journey: redirected, steps: [...done('kyc'), step('bankMandate', 'READY')] }),
    STEP,
    [],
  ],
  E_MANDATE_PENDING: [
    facts({ journey: redirected, steps: [...done('kyc', 'bankMandate'), step('eMandate', 'IN_PROGRESS')] }),
    STEP,
    [],
  ],
  LOAN_AGREEMENT_PENDING: [
    facts({ journey: redirected, steps: [...done('kyc', 'bankMandate', 'eMandate'), step('loanAgreement', 'READY')] }),
    STEP,
    [],
  ],
  LENDER_PROCESSING: [
    facts({ journey: redirected, steps: done('kyc', 'bankMandate', 'eMandate', 'loanAgreement') }),
    null,
    [],
  ],
  DISBURSED: [facts({ journey: { status: 'DISBURSED', search: 'CLOSED' }, steps: done(...stepNames) }), null, []],
  REJECTED: [facts({ journey: { status: 'REJECTED', active: false } }), null, []],
  EXPIRED: [facts({ journey: { status: 'OFFERED', active: false } }), null, []],
  CLOSED: [facts({ journey: { status: 'DISBURSED', active: false, closedAt: new Date() } }), null, []],
}

for (const [status, [given, next, pending]] of Object.entries(cases))
  test(`D2 §2.2: ${status}${next ? `, then ${next}` : ''}`, () => {
    const report = statusOf(given)
    assert.equal(report.status, status)
    assert.equal(report.nextAction, next)
    assert.deepEqual(report.pendingOperations, pending)
  })

test('D2 §3: a journey that has begun stands at PROFILE_REQUIRED; any other at its status', () => {
  for (const [status, [given]] of Object.entries(cases))
    assert.equal(statusOf(given).timelineState, status === 'STARTED' ? 'PROFILE_REQUIRED' : status)
})

test('D2 §2.2: a search that reached nobody leads back to the profile, and is under way no more', () => {
  const { status, nextAction, pendingOperations } = statusOf(facts({ journey: { search: 'UNANSWERED' } }))
  assert.deepEqual([status, nextAction, pendingOperations], ['PROFILE_REQUIRED', 'FILL_PROFILE', []])
})

test('D2 §2.2: no offer at all is a rejection, as D2 has no other word for it', () => {
  assert.equal(statusOf(facts({ journey: { status: 'NOT_OFFERED', active: false } })).status, 'REJECTED')
})

test('D2 §2.2: an aggregator is in the way only while its lender waits for the borrower', () => {
  const searching: GivenFacts = { journey: { ...asking, status: 'PROFILED' }, offers: [awaited] }
  const report = (given: GivenFacts) => statusOf(facts({ ...searching, ...given })).status
  const due = aaSessionStates.filter((state) => report({ aaSessions: [{ ...session, state }] }) === 'AA_REQUIRED')
  assert.deepEqual(due, ['REQUIRED', 'REDIRECT_READY', 'IN_PROGRESS'])
  const noOffer = { ...awaited, status: 'NO_OFFER_AVAILABLE' }
  assert.equal(report({ aaSessions: [session], offers: [noOffer] }), 'OFFERS_PENDING')
  assert.equal(report({ aaSessions: [{ ...session, purpose: 'MONITORING' }] }), 'OFFERS_PENDING')
  const offered = report({ journey: { ...asking, status: 'OFFERED' }, aaSessions: [session] })
  assert.equal(offered, 'OFFERS_AVAILABLE', 'who has an offer can choose')
})

test('D2 §2.2: a lender that watches over the loan asks before it pays out', () => {
  const steps = done('kyc', 'bankMandate', 'eMandate', 'loanAgreement')
  const aaSessions = [{ ...session, purpose: 'MONITORING' as const }]
  const { status, nextAction } = statusOf(facts({ journey: redirected, steps, aaSessions }))
  assert.deepEqual([status, nextAction], ['AA_REQUIRED', 'COMPLETE_AA'])
})

test('D2 §3: final terms with a page to go to make the choice a step', () => {
  const journey = { status: 'OFFER_SELECTED', search: 'CLOSED' } as const
  const place = (given: GivenFacts) => {
    const { status, nextAction, pendingOperations } = statusOf(facts({ journey, ...given }))
    return [status, nextAction, pendingOperations]
  }
  const final = { ...chosen, finalTerms: true }
  assert.deepEqual(place({ offers: [final] }), ['OFFER_SELECTED', null, []])
  assert.deepEqual(place({ offers: [final], steps: [step('kyc', 'READY')] }), ['KYC_PENDING', 'COMPLETE_STEP', []])
  assert.deepEqual(place({ offers: [chosen], steps: [step('kyc', 'READY')] }), [
    'OFFER_SELECTED',
    null,
    ['SELECT_DISPATCH'],
  ])
  const account = [step('bankMandate', 'READY')]
  const expected = ['BANK_MANDATE_PENDING', 'COMPLETE_STEP', ['SELECT_DISPATCH']]
  assert.deepEqual(
    place({ offers: [chosen], steps: account }),
    expected,
    'a lender that wants to know the account first',
  )
})

test('D2 §2.2: the first step that is not done decides, and whose turn it is', () => {
  const place = (...steps: JourneyFacts['steps']) => {
    const { status, nextAction } = statusOf(facts({ journey: redirected, steps }))
    return [status, nextAction]
  }
  assert.deepEqual(place(), ['LENDER_PROCESSING', null])
  assert.deepEqual(place(step('kyc', 'FAILURE', true)), ['KYC_PENDING', 'COMPLETE_STEP'])
  assert.deepEqual(place(step('kyc', 'FAILURE', false)), ['KYC_PENDING', null])
  assert.deepEqual(place(step('kyc', 'NOT_REQUIRED'), step('bankMandate', 'READY')), [
    'BANK_MANDATE_PENDING',
    'COMPLETE_STEP',
  ])
  assert.deepEqual(place(...done('kyc'), step('bankMandate', 'IN_PROGRESS')), ['BANK_MANDATE_PENDING', null])
  assert.deepEqual(place(...done('kyc'), step('eMandate', 'READY')), ['LENDER_PROCESSING', null])
})

test('property: whatever is stored, a journey has a status of D2, and only an active one has anything next', () => {
  const any: fc.Arbitrary<JourneyFacts> = fc.record({
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
    fc.property(any, (given) => {
      const report = statusOf(given)
      assert.ok(journeyStatuses.includes(report.status))
      if (!given.journey.active || given.journey.closedAt !== null) assert.equal(report.nextAction, null)
      if (!given.journey.active) assert.deepEqual(report.pendingOperations, [])
    }),
  )
})
