// Checks that lifecycle updates conform to the tables and rules of D1 §2.4 to §2.6.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faults } from '@lendloom/foundation/schema'
import type { Lender } from '@lendloom/lending/lender'
import { updateFaults } from '@lendloom/tests/oracles/lifecycle-oracle'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { type LifecycleStatus, LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import fc from 'fast-check'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import { chargeOf } from './charge-text.ts'
import type { Installment } from './installment.ts'
import type { Journey, Terms } from './journey.ts'
import { lifecyclePayload, type UpdateContent } from './lifecycle-payload.ts'
import type { ReportedLender, ReportedOffer, ReportedStep } from './store.ts'
import { toStoredTerms } from './stored-terms.ts'

const at = new Date('2026-03-01T10:00:00.000Z')
const uuid = (number: number): string => `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`

const lender: Lender = {
  providerId: 'P-1',
  name: 'Meridian Finance',
  shortDescription: null,
  longDescription: null,
  logoUrl: null,
  contact: {
    groName: 'Asha Kulkarni',
    groEmail: 'gro@meridian.example',
    groContactNumber: '022-40001234',
    groDesignation: 'Grievance Redressal Officer',
    groAddress: '7 Fort Road, Mumbai 400001',
    customerSupportLink: 'https://meridian.example/help',
    customerSupportContactNumber: '1800-200-1001',
    customerSupportEmail: 'care@meridian.example',
  },
  serviceProvider: { name: null, email: null, contactNumber: null, address: null },
}

const terms: Terms = {
  quoteId: 'Q-1',
  quoteTtl: 'P7D',
  principal: 200_000_00n,
  interest: 15_489_09n,
  processingFee: 2360_00n,
  otherUpfront: 500_00n,
  insurance: 0n,
  otherCharges: 0n,
  netDisbursed: 197_140_00n,
  interestRate: '14%',
  apr: '16.8%',
  interestType: 'REDUCING',
  term: '2 months',
  termMonths: 2,
  repaymentFrequency: 'MONTHLY',
  installmentsCount: 2,
  installmentAmount: 107_744_55n,
  applicationFee: '0 INR',
  foreclosureFee: '2%',
  interestRateConversionCharge: null,
  delayPenaltyFee: '2%',
  otherPenaltyFee: null,
  tncLink: 'https://meridian.example/terms',
  kfsLink: 'https://meridian.example/kfs',
  coolOffPeriod: 'P3D',
  ltvRatio: null,
}

const installments: Installment[] = [
  {
    serialNumber: 1,
    amount: '10774455',
    status: 'NOT-PAID',
    startsAt: '2026-03-01T18:30:00.000Z',
    dueAt: '2026-04-01T18:29:59.999Z',
  },
  {
    serialNumber: 2,
    amount: '10774454',
    status: 'NOT-PAID',
    startsAt: '2026-04-01T18:30:00.000Z',
    dueAt: '2026-05-01T18:29:59.999Z',
  },
]

const person: BorrowerDetails = {
  personal: { mobile: '9876543210', pan: 'ABCPE1234F', panName: 'Asha Rao', dob: '1992-02-29', gender: 'female' },
  work: { employmentType: 'salaried', income: 85_000, companyName: 'Example Industries' },
  address: { city: 'Mumbai', pincode: '400001' },
  gold: null,
}

const selectedStatuses: LifecycleStatus[] = ['OFFER_SELECTED', 'OFFER_ACCEPTED', 'LENDER_REDIRECTED', 'DISBURSED']
const isAfter = (status: LifecycleStatus, earlier: LifecycleStatus): boolean =>
  statuses.indexOf(status) > statuses.indexOf(earlier)

function journeyIn(status: LifecycleStatus, more: Partial<Journey> = {}): Journey {
  const isSelected = selectedStatuses.includes(status)
  return {
    tenantId: uuid(1),
    journeyId: uuid(2),
    applicationId: uuid(3),
    borrowerId: uuid(4),
    type: 'PERSONAL_LOAN',
    status,
    active: status !== 'NOT_OFFERED' && status !== 'REJECTED',
    networkTransactionId: uuid(5),
    refusedLenders: [],
    endUse: null,
    bureauConsent: isAfter(status, 'STARTED'),
    lenderMode: isSelected ? 'ONLINE' : null,
    changeInOffer: false,
    preferredAmountPaise: isSelected ? 200_000_00n : null,
    preferredTenureMonths: isSelected ? 2 : null,
    decision: status === 'DISBURSED' ? 'APPROVED' : null,
    search: 'CLOSED',
    endReason: null,
    callbackUrlSealed: null,
    pageSequence: 0,
    pageId: null,
    returnUrlSealed: null,
    version: 1,
    lastBorrowerActAt: at,
    closedAt: null,
    createdAt: new Date('2026-03-01T09:00:00.000Z'),
    updatedAt: at,
    ...more,
  }
}

const lenderFact: ReportedLender = { lenderId: uuid(6), identity: lender }
const offerFact = (more: Partial<ReportedOffer> = {}): ReportedOffer => ({
  offerId: uuid(7),
  lenderId: uuid(6),
  accepted: false,
  terms: toStoredTerms(terms),
  validUntil: null,
  installments: [],
  ...more,
})
const step = (name: string, status: string, attempts: number): ReportedStep => ({ name, status, attempts })
const completedSteps = ['kyc', 'eMandate', 'loanAgreement'].map((name) => step(name, 'SUCCESS', 1))

/** Returns typical facts of a journey with this status. */
function factsIn(status: LifecycleStatus, more: Partial<UpdateContent> = {}): UpdateContent {
  const accepted = ['OFFER_ACCEPTED', 'LENDER_REDIRECTED', 'DISBURSED'].includes(status)
  const offer = offerFact({ accepted, installments: accepted ? installments : [] })
  const steps = {
    LENDER_REDIRECTED: [step('kyc', 'IN_PROGRESS', 1)],
    REJECTED: [step('kyc', 'FAILURE', 1)],
    DISBURSED: completedSteps,
  }[status as string]
  return { externalId: 'user-1', person, lenders: [lenderFact], offers: [offer], steps: steps ?? [], ...more }
}

const buildPayload = (status: LifecycleStatus, journey: Partial<Journey> = {}, facts: Partial<UpdateContent> = {}) =>
  lifecyclePayload(journeyIn(status, journey), factsIn(status, facts), at)
const buildJourney = (...args: Parameters<typeof buildPayload>) => buildPayload(...args).borrower.journey

for (const status of statuses)
  test(`D1 §2.6: the payload of ${status} conforms to its row`, () => {
    const payload = buildPayload(status)
    assert.deepEqual(updateFaults(payload), [])
    assert.deepEqual(faults(LifecycleUpdate, payload), [])
    assert.equal(payload.borrower.journey.status, status)
    assert.equal(payload.borrower.journey.updated, at.toISOString())
  })

test('D1 §2.6: the list of lenders is empty before OFFERED', () => {
  for (const status of ['STARTED', 'PROFILED'] as const) assert.deepEqual(buildJourney(status).lenders, [])
})

test('D1 §2.5.2: the list of offers is empty for NOT_OFFERED, even after a late offer', () => {
  assert.deepEqual(buildJourney('NOT_OFFERED', {}, { offers: [offerFact()] }).offers, [])
})

test('D1 §2.5.4: OFFER_SELECTED and OFFER_ACCEPTED differ only in status and the accepted flag', () => {
  const selected = buildPayload('OFFER_SELECTED')
  const accepted = buildPayload('OFFER_ACCEPTED')
  const flags = [selected, accepted].map(({ borrower }) => borrower.journey.offers[0]!.accepted)
  assert.deepEqual(flags, [false, true])
  accepted.borrower.journey.status = 'OFFER_SELECTED'
  accepted.borrower.journey.offers[0]!.accepted = false
  assert.deepEqual(accepted, selected)
})

test('D1 §2.6: a rejected journey keeps its lender mode and its offers', () => {
  const { lender_mode, offers, decision_status, kyc_status, kyc_attempts } = buildJourney('REJECTED', {
    lenderMode: 'ONLINE',
    decision: 'APPROVED',
  })
  assert.equal(lender_mode, 'ONLINE')
  assert.equal(offers.length, 1)
  assert.equal(decision_status, 'NOT_APPROVED')
  assert.equal(kyc_status, 'FAILURE')
  assert.equal(kyc_attempts, 1)
})

test('D1 §2.4: an update has instalments only after disbursal, and only of the accepted offer', () => {
  for (const status of ['OFFER_ACCEPTED', 'LENDER_REDIRECTED'] as const)
    assert.deepEqual(buildJourney(status).offers[0]!.installments, [], status)
  const offers = [offerFact({ accepted: true, installments }), offerFact({ offerId: uuid(8), installments })]
  const [accepted, other] = buildJourney('DISBURSED', {}, { offers }).offers
  assert.deepEqual(accepted!.installments[0], {
    serial_number: 1,
    type: 'INSTALLMENT',
    amount: '107744.55',
    status: 'NOT-DUE',
    installment_due_date: '2026-04-01T18:29:59.999Z',
  })
  assert.equal(accepted!.installments.length, 2)
  assert.deepEqual(other!.installments, [])
})

test('D1 §2.4: an instalment is DUE from its date in India, and OVERDUE when its lender reports a delay', () => {
  const statusAt = (status: Installment['status'], now: string) => {
    const offers = [offerFact({ accepted: true, installments: [{ ...installments[0]!, status }] })]
    const payload = lifecyclePayload(journeyIn('DISBURSED'), factsIn('DISBURSED', { offers }), new Date(now))
    return payload.borrower.journey.offers[0]!.installments[0]!.status
  }
  assert.equal(statusAt('NOT-PAID', '2026-03-31T18:29:59.999Z'), 'NOT-DUE')
  assert.equal(statusAt('NOT-PAID', '2026-03-31T18:30:00.000Z'), 'DUE')
  const lenderStatuses = ['PAID', 'DEFERRED', 'DELAYED', 'FAILED'] as const
  assert.deepEqual(
    lenderStatuses.map((status) => statusAt(status, '2026-03-05T00:00:00.000Z')),
    ['PAID', 'CLOSED', 'OVERDUE', 'OVERDUE'],
  )
})

test('D1 §2.4: each amount of an offer is sent in its own field, in rupees', () => {
  const other = {
    ...terms,
    principal: 1n,
    interest: 22n,
    processingFee: 333n,
    otherUpfront: 4_444n,
    insurance: 55_555n,
  }
  const distinct = { ...other, otherCharges: 666_666n, netDisbursed: 7_777_777n, interestType: 'FIXED' }
  const [offer] = buildJourney('OFFERED', {}, { offers: [offerFact({ terms: toStoredTerms(distinct) })] }).offers
  const { amount_principal, amount_total_interest_payable, processing_fees, other_upfront_charges } = offer!
  assert.equal(amount_principal, '0.01')
  assert.equal(amount_total_interest_payable, '0.22')
  assert.equal(processing_fees, '3.33')
  assert.equal(other_upfront_charges, '44.44')
  assert.equal(offer!.insurance_charges, '555.55')
  assert.equal(offer!.other_charges, '6666.66')
  assert.equal(offer!.amount_net_disbursed_amount, '77777.77')
  assert.equal(offer!.interest_type, 'Fixed')
})

test('D1 §2.4: unknown charges and an unknown interest type are sent as empty strings', () => {
  const partial = { ...terms, interestType: null, applicationFee: null, foreclosureFee: null, delayPenaltyFee: null }
  const [offer] = buildJourney('OFFERED', {}, { offers: [offerFact({ terms: toStoredTerms(partial) })] }).offers
  const { interest_type, application_fees, foreclosure_fees, delay_penalty_fees } = offer!
  assert.equal(interest_type, '')
  assert.equal(application_fees, '')
  assert.equal(foreclosure_fees, '')
  assert.equal(delay_penalty_fees, '')
})

test('D1 §2.4: charges of an offer are normalised if they are amounts or percentages', () => {
  const varied = {
    ...terms,
    applicationFee: '0 INR',
    foreclosureFee: '2.00 %',
    delayPenaltyFee: '₹ 350 a month',
    interestRateConversionCharge: 'INR 1,180',
    otherPenaltyFee: '1%',
  }
  const [offer] = buildJourney('OFFERED', {}, { offers: [offerFact({ terms: toStoredTerms(varied) })] }).offers
  assert.equal(offer!.application_fees, '0.00')
  assert.equal(offer!.foreclosure_fees, '2%')
  assert.equal(offer!.delay_penalty_fees, '₹ 350 a month')
  assert.equal(offer!.interest_rate_conversion_charges, '1180.00')
  assert.equal(offer!.other_penalty_fees, '1%')
})

test('FIS12 §13.5: an offer expires at validUntil unless it was accepted', () => {
  const expired = (validUntil: Date | null, accepted = false) =>
    buildJourney('OFFERED', {}, { offers: [offerFact({ validUntil, accepted })] }).offers[0]!.expired
  const later = new Date(at.getTime() + 1)
  assert.equal(expired(null), false)
  assert.equal(expired(later), false)
  assert.equal(expired(at), true)
  assert.equal(expired(at, true), false)
})

test('D1 §2.4: only the update of a gold loan has gold_loan, with null for unknown values', () => {
  const gold = { purity: '22K' as const, jewelleryWeightGrams: 24.5 }
  const { profile } = buildPayload('STARTED', { type: 'GOLD_LOAN' }, { person: { ...person, gold } }).borrower
  assert.deepEqual(profile.gold_loan, { userType: null, constitution: null, jewelleryWeightGrams: 24.5, purity: '22K' })
  const unknown = buildPayload('STARTED', { type: 'GOLD_LOAN' }).borrower.profile.gold_loan!
  assert.deepEqual(Object.values(unknown), [null, null, null, null])
  assert.equal('gold_loan' in buildPayload('STARTED', {}, { person: { ...person, gold } }).borrower.profile, false)
})

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const anyText = fc.string({ minLength: 1, maxLength: 20 })
const paise = fc.bigInt({ min: 0n, max: 10_000_000_00n })
const anyBorrower = fc
  .record({
    mobile: fc.stringMatching(/^[6-9]\d{9}$/),
    personal: fc.record({
      panName: optional(anyText),
      dob: optional(anyText),
      gender: optional(anyText),
      personalEmail: optional(anyText),
    }),
    work: fc.record({ officialEmail: optional(anyText), income: optional(fc.nat()), udyamNumber: optional(anyText) }),
    address: fc.record({
      addressL1: optional(anyText),
      addressL2: optional(anyText),
      city: optional(anyText),
      state: optional(anyText),
    }),
  })
  .map(
    ({ mobile, personal, ...rest }) => ({ personal: { mobile, ...personal }, ...rest, gold: null }) as BorrowerDetails,
  )
const anyCharges = fc.record({ processingFee: paise, otherUpfront: paise, insurance: paise, interest: paise })
const anyOffer = anyCharges.map((charges) => {
  const deducted = charges.processingFee + charges.otherUpfront + charges.insurance
  const principal = deducted + 1_000_00n
  return toStoredTerms({ ...terms, ...charges, principal, netDisbursed: principal - deducted })
})

test('D1 §2.4 to §2.6: property: every payload conforms to the tables', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...statuses),
      anyBorrower,
      fc.array(anyOffer, { minLength: 1 }),
      (status, who, offers) => {
        const typical = factsIn(status)
        const more = offers.map((stored, i) => offerFact({ offerId: uuid(100 + i), terms: stored }))
        const payload = buildPayload(status, {}, { person: who, offers: [...typical.offers, ...more] })
        assert.deepEqual(updateFaults(payload), [])
        assert.deepEqual(faults(LifecycleUpdate, payload), [])
        assert.equal(payload.borrower.profile.personal.contactNumber, `+91${who.personal.mobile}`)
        assert.ok(!JSON.stringify(payload).includes('"pan"'), 'the PAN is not sent')
      },
    ),
    { numRuns: roundsOf(150) },
  )
})

test('D1 §2.4: a charge is written in one format for amounts or percentages, and other texts are unchanged', () => {
  const cases: Record<string, string> = {
    '0 INR': '0.00',
    '₹ 1,180': '1180.00',
    '500 INR': '500.00',
    'Rs. 2.5': '2.50',
    '2360.00': '2360.00',
    '500': '500',
    '2.5': '2.5',
    '1,180.5': '1,180.5',
    '0': '0',
    '0.0': '0.0',
    '1%': '1%',
    '1.50 %': '1.5%',
    '2.00%': '2%',
    '20%': '20%',
    '3 percent': '3%',
    '2% of the outstanding principal': '2% of the outstanding principal',
    '18 % p.a.': '18 % p.a.',
    '24% per annum': '24% per annum',
    12: '12',
    '': '',
  }
  for (const [text, expected] of Object.entries(cases)) assert.equal(chargeOf(text), expected, text)
})
