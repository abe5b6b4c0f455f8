// The view of a journey at each screen, as the platform sends it to the hosted page. Comments in `EmbedView` and
// `EmbedOffer` describe each field.
import type { EmbedComplaint } from '@lendloom/wire/hosted/embed-complaint'
import type { EmbedLender } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedStep, EmbedView, Screen } from '@lendloom/wire/hosted/embed-view'
import type { LifecycleStatus, LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'

const journeyId = '0192e0a4-0000-7000-8000-000000000001'
/** The page has no text for this code of a reason, so it shows the English text from the platform. */
const unknownReasonCode = 'UNKNOWN_REASON'

const lender = (
  id: string,
  name: string,
  status: EmbedLender['status'],
  reason: string | null = null,
): EmbedLender => ({
  id,
  name,
  legalName: name === 'Kaveri Bank' ? 'Kaveri Bank Limited' : null,
  logoUrl: null,
  about: name.endsWith('Bank') ? 'Bank' : 'NBFC',
  kind: name.endsWith('Bank') ? 'bank' : 'nbfc',
  status,
  reason: reason === null ? null : { code: unknownReasonCode, en: reason },
  usualPayoutSeconds: name === 'Kaveri Bank' ? 5400 : null,
  waitedSeconds: status === 'OFFER_AWAITED' ? 75 : null,
  grievanceOfficer: {
    name: 'Thomas Mathew',
    designation: 'Principal Nodal Officer',
    email: 'nodal@lender.example',
    phone: '080-25001188',
    address: '22 Mission Street, Bengaluru 560027',
  },
  support: { link: 'https://lender.example/help', phone: '1800-425-2002', email: 'help@lender.example' },
})

const offer = (id: string, lenderId: string, lenderName: string, figures: Partial<EmbedOffer>): EmbedOffer => ({
  id,
  lenderId,
  lenderName,
  basis: null,
  amountPrincipal: '200000.00',
  tenureMonths: 24,
  offerTerm: '24 months',
  interestRate: '11.50%',
  interestType: 'Reducing',
  annualPercentageRate: '12.61%',
  installmentAmount: '9368.00',
  numberOfInstallments: 24,
  repaymentFrequency: 'MONTHLY',
  totalInterest: '24832.00',
  processingFees: '1180.00',
  otherUpfrontCharges: '250.00',
  insuranceCharges: '0.00',
  otherCharges: '0.00',
  netDisbursed: '198570.00',
  penalCharges: [
    { kind: 'DELAY', text: '12% a year on the overdue instalment, and ₹350 when a debit bounces' },
    { kind: 'FORECLOSURE', text: 'none' },
  ],
  coolOffPeriod: 'P5D',
  coolOffUntil: '2026-12-01',
  ltvRatio: null,
  branches: [],
  schemes: [],
  creditLine: false,
  ownPage: false, // Every step after the bank account is on one page of the lender.
  keyFactsStatementUrl: 'https://lender.example/kfs/1',
  termsUrl: 'https://lender.example/terms/1',
  validUntil: '2027-01-10T10:00:00.000Z',
  expired: false,
  submits: false, // Choosing the offer submits the application for the lender's review.
  start: { amount: '200000.00', tenureMonths: 24 },
  least: { amount: '50000.00', tenureMonths: 12 },
  most: { amount: '400000.00', tenureMonths: 60 },
  ...figures,
})

export const kaveri = offer('0192e0a4-0000-7000-8000-00000000000a', 'kaveri', 'Kaveri Bank', {})
export const meridian = offer('0192e0a4-0000-7000-8000-00000000000b', 'meridian', 'Meridian Finance', {
  amountPrincipal: '250000.00',
  interestRate: '15.00%',
  annualPercentageRate: '17.34%',
  installmentAmount: '12122.00',
  totalInterest: '40928.00',
  processingFees: '4425.00',
  netDisbursed: '245075.00',
  coolOffPeriod: 'P3D',
  coolOffUntil: '2026-11-29',
  start: { amount: '250000.00', tenureMonths: 24 },
})
const lapsed = offer('0192e0a4-0000-7000-8000-00000000000c', 'sahyadri', 'Sahyadri Capital', {
  annualPercentageRate: '24.90%',
  interestRate: '21.00%',
  expired: true,
})

const lenders: EmbedLender[] = [
  lender('kaveri', 'Kaveri Bank', 'OFFER_RECEIVED'),
  lender('meridian', 'Meridian Finance', 'OFFER_RECEIVED'),
  lender('sahyadri', 'Sahyadri Capital', 'OFFER_RECEIVED'),
  lender('tulsi', 'Tulsi Credit', 'NO_OFFER_AVAILABLE', 'The amount is above what this lender gives.'),
]

const pending: EmbedStep = { status: 'PENDING', attempts: 0, redirectUrl: null, problem: null }
const done: EmbedStep = { status: 'SUCCESS', attempts: 1, redirectUrl: null, problem: null }
const ready = (redirectUrl: string | null): EmbedStep => ({ status: 'READY', attempts: 0, redirectUrl, problem: null })

export const lendersPage = 'https://lender.example/kyc/1'

type Steps = EmbedView['steps']
const stepNames = ['kyc', 'bankMandate', 'eMandate', 'loanAgreement', 'disbursal'] as const
/** Returns steps in which all before `due` are done and `due` waits for the borrower. */
const stepsAt = (due: (typeof stepNames)[number] | null, dueStep: EmbedStep = ready(lendersPage)): Steps =>
  Object.fromEntries(
    stepNames.map((name, i) => {
      const dueIndex = due === null ? -1 : stepNames.indexOf(due)
      return [name, i < dueIndex ? done : i === dueIndex ? dueStep : pending]
    }),
  ) as Steps

const selected: NonNullable<EmbedView['selected']> = {
  offerId: kaveri.id,
  lenderName: kaveri.lenderName,
  amount: '200000.00',
  tenureMonths: 24,
  terms: kaveri,
  quote: { quoteId: 'Q-1', termsDigest: '5'.repeat(64) },
  final: true,
  changed: false,
  branch: null,
  agent: null,
  visitBooked: false,
  lenderPage: null,
  visit: null,
  pledges: [],
}

const installments = Array.from({ length: 24 }, (_, i) => ({
  serialNumber: i + 1,
  amount: '9368.00',
  dueOn: new Date(Date.UTC(2027, i, 5)).toISOString().slice(0, 10),
  status: i === 0 ? ('OVERDUE' as const) : ('NOT-DUE' as const),
}))

const profile: Pick<EmbedView, 'profile' | 'workProfile' | 'address' | 'endUse'> = {
  profile: {
    contactNumber: '9876543210',
    pan: 'ABCPE1234F',
    panName: 'Asha Rao',
    dob: '1992-02-29',
    gender: 'female',
    personalemail: 'asha@mail.example',
  },
  workProfile: { employmentType: 'salaried', income: 85000, companyName: 'Example Industries' },
  address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
  endUse: 'travel',
}

const atScreen: Record<Screen, Partial<EmbedView>> = {
  PROFILE: { status: 'STARTED', lenders: [], offers: [], steps: stepsAt(null) },
  SEARCHING: {
    status: 'PROFILED',
    searching: true,
    offers: [kaveri],
    lenders: lenders.map((each, i) => (i === 0 ? each : { ...each, status: 'OFFER_AWAITED', reason: null })),
    steps: stepsAt(null),
    pollAfterMs: 1000,
  },
  OFFERS: { status: 'OFFERED', steps: stepsAt(null) },
  FINALISING: { status: 'OFFER_SELECTED', selected: { ...selected, final: false }, steps: stepsAt(null) },
  FINAL_OFFER: {
    status: 'OFFER_SELECTED',
    selected: {
      ...selected,
      changed: true,
      amount: '250000.00',
      terms: { ...kaveri, annualPercentageRate: '12.95%', processingFees: '1770.00' },
    },
    steps: stepsAt(null),
  },
  KYC: { selected, steps: stepsAt('kyc') },
  VISIT: {
    journeyType: 'GOLD_LOAN',
    selected: {
      ...selected,
      branch: { id: 'fort', name: 'Fort', address: '7 Fort Road, Mumbai', pincode: '400001', aboutKm: 0 },
      agent: { name: 'Meera Joshi', phone: '+91-9876500002' },
    },
    steps: stepsAt('kyc'),
  },
  BANK: { selected, steps: stepsAt('bankMandate', ready(null)) },
  STATEMENT: {
    status: 'OFFER_SELECTED',
    selected: { ...selected, final: false },
    steps: stepsAt('bankMandate'),
  },
  LIEN: { selected, steps: stepsAt('eMandate') },
  E_MANDATE: {
    selected,
    steps: stepsAt('eMandate', {
      status: 'FAILURE',
      attempts: 1,
      redirectUrl: lendersPage,
      problem: { code: unknownReasonCode, en: 'Your bank did not confirm the mandate in time.' },
    }),
  },
  LOAN_AGREEMENT: { selected, steps: stepsAt('loanAgreement') },
  LENDER_WORKING: { selected, steps: stepsAt('eMandate', pending), bankAccount: '•••• 6789' },
  DISBURSAL: { selected, steps: stepsAt('disbursal', ready(null)), bankAccount: '•••• 6789' },
  DISBURSED: {
    status: 'DISBURSED',
    selected,
    steps: Object.fromEntries(stepNames.map((name) => [name, done])) as Steps,
    bankAccount: '•••• 6789',
    installments,
  },
  LINE_OPEN: {
    journeyType: 'LAMF_LOAN',
    selected: { ...selected, terms: { ...kaveri, creditLine: true } },
    steps: stepsAt('disbursal', pending),
    bankAccount: '•••• 6789',
    creditLine: { limit: '500000.00', used: '120000.00', free: '380000.00', changedAt: '2026-11-20T09:30:00.000Z' },
  },
  CLOSED: {
    status: 'DISBURSED',
    selected,
    steps: Object.fromEntries(stepNames.map((name) => [name, done])) as Steps,
    bankAccount: '•••• 6789',
    installments: installments.map((each) => ({ ...each, status: 'CLOSED' as const })),
  },
  NOT_OFFERED: {
    advice: ['CREDIT', 'INCOME'],
    status: 'NOT_OFFERED',
    offers: [],
    lenders: lenders.map((each) => ({
      ...each,
      status: 'NO_OFFER_AVAILABLE',
      reason: each.reason ?? { code: unknownReasonCode, en: 'The income is below what this lender asks for.' },
    })),
    steps: stepsAt(null),
  },
  REJECTED: {
    status: 'REJECTED',
    selected,
    steps: stepsAt('kyc', { status: 'FAILURE', attempts: 1, redirectUrl: null, problem: null }),
    endReason: { code: unknownReasonCode, en: 'Kaveri Bank could not confirm your identity.' },
    advice: ['IDENTITY'],
  },
  NO_ANSWER: { status: 'STARTED', lenders: [], offers: [], steps: stepsAt(null) },
  EXPIRED: { status: 'OFFERED', expiredFor: 'TIME', advice: ['TIME'], steps: stepsAt(null) },
}

export const viewAt = (screen: Screen, more: Partial<EmbedView> = {}): EmbedView => ({
  journeyId,
  journeyType: 'PERSONAL_LOAN',
  version: 1,
  status: 'LENDER_REDIRECTED',
  screen,
  hostName: 'Saathi',
  hostOrigins: [],
  ...profile,
  goldLoan: null,
  prefilled: false,
  asksBusiness: false, // A self-employed borrower may enter business details.
  receivers: [], // Names of the lenders that would receive the application now.
  lenders,
  offers: [kaveri, meridian, lapsed],
  holdings: [],
  funds: null,
  selected: null,
  steps: stepsAt(null),
  creditLine: null,
  bankAccount: null,
  installments: [],
  accountAggregator: [],
  searching: false,
  today: '2027-01-06',
  justPaidOut: screen === 'DISBURSED',
  closedOn: screen === 'CLOSED' ? '2026-12-04' : null,
  loanNumber: null,
  payoutReference: null, // The bank's reference of the payout (UTR).
  payNow: null, // The amount of a due instalment that the page can request.
  debitFailed: null,
  complaintOpen: false,
  receipts: [], // The borrower's payments, newest first.
  requested: [], // The borrower's written requests that are not closed.
  complaintAnswered: false,
  exitRequest: null, // The pending cooling-off exit.
  exitHeld: null,
  exitPrice: null,
  tracking: null,
  rating: null,
  exitBooked: null,
  cancellation: null,
  owed: [], // Dues in the lender's account.
  leave: null, // The cooling-off exit from the loan.
  papers: [], // Documents that the platform generates: statement and repayment schedule.
  documents: [], // The lender's documents: agreement, sanction letter, cancellation terms.
  reminders: null,
  drawsHere: false, // The lender of the open credit line takes drawdowns on the page.
  drawdowns: [],
  paysHere: true,
  closesHere: true, // The page offers to close the loan early; otherwise the lender is asked for a quote.
  requests: [],
  servicing: [],
  grievances: null,
  endReason: null,
  advice: [],
  bureau: null,
  expiredFor: null, // Why the journey expired: `OFFERS` or `TIME`.
  elsewhere: false,
  returnUrl: null,
  mayAskOthers: screen === 'REJECTED',
  lastApplication: null,
  earlierLoan: null,
  allRefused: false,
  mayWithdraw: ['SEARCHING', 'OFFERS', 'FINALISING', 'FINAL_OFFER'].includes(screen),
  withdrawnAt: null,
  updates: [],
  pollAfterMs: null,
  ...atScreen[screen],
  ...more,
})

/** A complaint or request in help that was received and not answered yet. */
export const receivedComplaint: EmbedComplaint = {
  id: '0192e0a4-0000-7000-8000-0000000000c1',
  number: 'GR-2611-7K4PQ',
  category: 'COOLING_OFF',
  status: 'ACKNOWLEDGED',
  lender: 'Kaveri Bank',
  receivedAt: '2026-11-26T05:00:00.000Z',
  dueAt: '2026-12-11T05:00:00.000Z',
  overdue: false,
  exit: null,
  escalated: false,
  ombudsman: false,
  mayAdd: true,
  mayJudge: false,
  mayWithdraw: true,
  outcome: null,
  entries: [],
}

/** Returns the lifecycle update of a status, in the shape of D1 §2.4. */
export const updateFor = (status: LifecycleStatus): LifecycleUpdate => ({
  tenant_id: 'tenant-1',
  application_id: 'application-1',
  borrower: {
    id: 'borrower-1',
    provider_id: 'customer-1',
    profile: {
      personal: { panName: null, dob: null, gender: null, personalemail: null, contactNumber: '+919876543210' },
      work: { employmentType: null, officialemail: null, income: null, companyName: null, udyamNumber: null },
      address: { addressL1: null, addressL2: null, city: null, state: null, pincode: null },
    },
    journey: {
      id: journeyId,
      endUse: null,
      bureauConsent: false,
      network_transaction_id: '6743e9e2-4fb5-487c-92b7-13ba8018f176',
      created: '2026-11-20T05:00:00.000Z',
      updated: '2026-11-20T05:00:00.000Z',
      type: 'PERSONAL_LOAN',
      status,
      activity_status: 'ACTIVE',
      decision_status: null,
      lender_mode: null,
      kyc_status: null,
      emandate_status: null,
      esign_status: null,
      kyc_attempts: null,
      emandate_attempts: null,
      esign_attempts: null,
      change_in_offer: false,
      borrower_preferred_amount: null,
      borrower_preferred_tenure: null,
      lenders: [],
      offers: [],
    },
  },
})
