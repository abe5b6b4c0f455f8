// The lenders of the sandbox for personal loans: whom they lend to, amounts, prices, contacts, and the version of their
// messages.

import type { Paise } from '@lendloom/lending/money'
import type { Assessment } from '@lendloom/lending/terms'
import type { IgmVersion } from '@lendloom/wire/network/igm/codec'

export type Employment = 'salaried' | 'selfEmployed'

export interface RateBand {
  fromIncome: Paise
  annualBps: bigint
}

export interface LenderPolicy {
  slug: string
  name: string
  legalName: string
  kind: 'NBFC' | 'Bank'
  about: string
  colours: [string, string]
  address: string
  court: string
  officer: { name: string; designation: string; email: string; phone: string }
  support: { email: string; phone: string }
  servicer: { name: string; email: string; phone: string; address: string }
  /** By credit bureau, or by bank data that the borrower shares through an account aggregator. */
  assessment: Assessment
  /** The assessment of the lender's second catalogue item, for borrowers who request that item. */
  secondAssessment?: Assessment
  employment: Employment[]
  /** Completed years at application, and at the last instalment. */
  ages: { from: number; until: number }
  minMonthlyIncome: Paise
  amounts: { from: Paise; to: Paise; step: Paise }
  /** In ascending order. */
  tenuresMonths: readonly [number, ...number[]]
  /** Yearly rates in hundredths of a percent, by minimum monthly income; the last matching band applies. */
  rates: readonly [RateBand, ...RateBand[]]
  /** Maximum share of the monthly income for instalments, in hundredths of a percent. */
  instalmentShareBps: bigint
  /** Processing fee before tax: a share of the principal within bounds. */
  fee: { bps: bigint; minimum: Paise; maximum: Paise }
  stampDuty: Paise
  /** Penal rate per year on the overdue instalment, in hundredths of a percent; not compounded. */
  penalBps: bigint
  bounceCharge: Paise
  /** Set when a loan is repaid in one sum at its end, without instalments (FIS12 §26.4). */
  repaysAtEnd?: true
  foreclosureBps: bigint
  coolOffDays: number
  offerDays: number
  /** Prefixes of PIN codes that the lender does not serve. */
  unservedPincodes: string[]
  answerDelayMs: number
  /** The version of its complaint messages; it rejects the other one. */
  igmVersion: IgmVersion
}

const lakh = 100_000_00n
const thousand = 1_000_00n

const servicer = {
  name: 'Setu Nadi Loan Services',
  email: 'partners@setunadi.example',
  phone: '080-40007711',
  address: '14 Residency Road, Bengaluru 560025',
}

export const policies: [LenderPolicy, ...LenderPolicy[]] = [
  {
    slug: 'meridian',
    name: 'Meridian Finance',
    legalName: 'Meridian Finance Private Limited',
    kind: 'NBFC',
    about: 'Quick personal loans for people with a steady income.',
    colours: ['#1f4f8f', '#f2a73b'],
    address: '7 Fort Road, Mumbai 400001',
    court: 'Mumbai',
    officer: {
      name: 'Asha Kulkarni',
      designation: 'Grievance Redressal Officer',
      email: 'gro@meridian.example',
      phone: '022-40001234',
    },
    support: { email: 'care@meridian.example', phone: '1800-200-1001' },
    servicer,
    assessment: 'bureau',
    employment: ['salaried', 'selfEmployed'],
    ages: { from: 21, until: 62 },
    minMonthlyIncome: 20n * thousand,
    amounts: { from: 25n * thousand, to: 10n * lakh, step: thousand },
    tenuresMonths: [6, 12, 18, 24, 36],
    rates: [
      { fromIncome: 0n, annualBps: 1800n },
      { fromIncome: 50n * thousand, annualBps: 1500n },
      { fromIncome: 1n * lakh, annualBps: 1375n },
    ],
    instalmentShareBps: 4000n,
    fee: { bps: 150n, minimum: thousand, maximum: 12n * thousand },
    stampDuty: 500_00n,
    penalBps: 1800n,
    bounceCharge: 500_00n,
    foreclosureBps: 200n,
    coolOffDays: 3,
    offerDays: 15,
    unservedPincodes: [],
    answerDelayMs: 150,
    igmVersion: '1.0.0',
  },
  {
    slug: 'kaveri',
    name: 'Kaveri Bank',
    legalName: 'Kaveri Bank Limited',
    kind: 'Bank',
    about: 'Low rates for salaried borrowers, but slow decisions.',
    colours: ['#0b6e4f', '#c9e265'],
    address: '22 Mission Street, Bengaluru 560027',
    court: 'Bengaluru',
    officer: {
      name: 'Thomas Mathew',
      designation: 'Principal Nodal Officer',
      email: 'nodal@kaveribank.example',
      phone: '080-25001188',
    },
    support: { email: 'help@kaveribank.example', phone: '1800-425-2002' },
    servicer,
    assessment: 'bureau',
    employment: ['salaried'],
    ages: { from: 23, until: 60 },
    minMonthlyIncome: 40n * thousand,
    amounts: { from: 50n * thousand, to: 20n * lakh, step: 5n * thousand },
    tenuresMonths: [12, 24, 36, 48, 60],
    rates: [
      { fromIncome: 0n, annualBps: 1150n },
      { fromIncome: 1n * lakh, annualBps: 1050n },
    ],
    instalmentShareBps: 5000n,
    fee: { bps: 50n, minimum: 999_00n, maximum: 5n * thousand },
    stampDuty: 250_00n,
    penalBps: 1200n,
    bounceCharge: 350_00n,
    foreclosureBps: 0n,
    coolOffDays: 5,
    offerDays: 10,
    unservedPincodes: ['79'],
    answerDelayMs: 900,
    igmVersion: '1.0.0',
  },
  {
    slug: 'sahyadri',
    name: 'Sahyadri Capital',
    legalName: 'Sahyadri Capital Services Limited',
    kind: 'NBFC',
    about: 'Lends to shopkeepers, self-employed and salaried borrowers.',
    colours: ['#7a2e8e', '#ffb5a7'],
    address: '3 Deccan Gymkhana, Pune 411004',
    court: 'Pune',
    officer: {
      name: 'Meera Joshi',
      designation: 'Grievance Redressal Officer',
      email: 'grievance@sahyadri.example',
      phone: '020-67003344',
    },
    support: { email: 'support@sahyadri.example', phone: '1800-266-3003' },
    servicer,
    assessment: 'bureau',
    secondAssessment: 'account-aggregator',
    employment: ['salaried', 'selfEmployed'],
    ages: { from: 18, until: 65 },
    minMonthlyIncome: 15n * thousand,
    amounts: { from: 10n * thousand, to: 5n * lakh, step: thousand },
    tenuresMonths: [3, 6, 9, 12, 24],
    rates: [
      { fromIncome: 0n, annualBps: 2400n },
      { fromIncome: 30n * thousand, annualBps: 2100n },
      { fromIncome: 75n * thousand, annualBps: 1900n },
    ],
    instalmentShareBps: 3500n,
    fee: { bps: 200n, minimum: 500_00n, maximum: 10n * thousand },
    stampDuty: 200_00n,
    penalBps: 2400n,
    bounceCharge: 450_00n,
    foreclosureBps: 300n,
    coolOffDays: 2,
    offerDays: 7,
    unservedPincodes: ['19'],
    answerDelayMs: 350,
    igmVersion: '2.0.0',
  },
  {
    slug: 'tulsi',
    name: 'Tulsi Credit',
    legalName: 'Tulsi Credit Cooperative Finance Limited',
    kind: 'NBFC',
    about: 'Small loans for small incomes, repaid within two years.',
    colours: ['#b3541e', '#ffd166'],
    address: '91 Station Road, Ahmedabad 380002',
    court: 'Ahmedabad',
    officer: {
      name: 'Farhan Sheikh',
      designation: 'Grievance Redressal Officer',
      email: 'gro@tulsicredit.example',
      phone: '079-26004455',
    },
    support: { email: 'hello@tulsicredit.example', phone: '1800-233-4004' },
    servicer,
    assessment: 'bureau',
    employment: ['salaried', 'selfEmployed'],
    ages: { from: 20, until: 58 },
    minMonthlyIncome: 10n * thousand,
    amounts: { from: 5n * thousand, to: 2n * lakh, step: 500_00n },
    tenuresMonths: [3, 6, 12, 18, 24],
    rates: [
      { fromIncome: 0n, annualBps: 2200n },
      { fromIncome: 25n * thousand, annualBps: 1950n },
    ],
    instalmentShareBps: 3000n,
    fee: { bps: 100n, minimum: 250_00n, maximum: 2n * thousand },
    stampDuty: 100_00n,
    penalBps: 1500n,
    bounceCharge: 250_00n,
    foreclosureBps: 100n,
    coolOffDays: 3,
    offerDays: 15,
    unservedPincodes: [],
    answerDelayMs: 60,
    igmVersion: '1.0.0',
  },
  {
    slug: 'narmada',
    name: 'Narmada Finserv',
    legalName: 'Narmada Finserv Private Limited',
    kind: 'NBFC',
    about: 'Decides by your bank account, not by your credit score.',
    colours: ['#155e75', '#fb923c'],
    address: '5 Arera Colony, Bhopal 462016',
    court: 'Bhopal',
    officer: {
      name: 'Leela Bhargava',
      designation: 'Grievance Redressal Officer',
      email: 'gro@narmadafinserv.example',
      phone: '0755-40005566',
    },
    support: { email: 'care@narmadafinserv.example', phone: '1800-270-5005' },
    servicer,
    assessment: 'account-aggregator',
    employment: ['salaried', 'selfEmployed'],
    ages: { from: 21, until: 63 },
    minMonthlyIncome: 12n * thousand,
    amounts: { from: 15n * thousand, to: 7n * lakh, step: thousand },
    tenuresMonths: [6, 12, 24, 36],
    rates: [
      { fromIncome: 0n, annualBps: 1700n },
      { fromIncome: 60n * thousand, annualBps: 1300n },
    ],
    instalmentShareBps: 4500n,
    fee: { bps: 125n, minimum: 500_00n, maximum: 8n * thousand },
    stampDuty: 200_00n,
    penalBps: 1600n,
    bounceCharge: 300_00n,
    foreclosureBps: 100n,
    coolOffDays: 3,
    offerDays: 10,
    unservedPincodes: [],
    answerDelayMs: 200,
    igmVersion: '1.0.0',
  },
]

/** A lender's subscriber id: a domain name, as the network requires, that the sandbox never resolves. */
export const subscriberId = ({ slug }: Pick<LenderPolicy, 'slug'>): string => `${slug}.sandbox.example`

export const policyOf = (slug: string): LenderPolicy | undefined => policies.find((policy) => policy.slug === slug)
