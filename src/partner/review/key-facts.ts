// The key facts statement of an offer: every row that the regulator's format asks for, as data for the page and the PDF.

import { businessDate } from '#kit/money/calendar.ts'
import { inr, type Paise } from '#kit/money/money.ts'
import type { Config } from '#kit/runtime/config.ts'
import { required } from '#kit/runtime/required.ts'
import { scheduleOf } from '#partner/loan/terms.ts'
import type { Offer } from './offer.ts'
import type { productSettings } from './settings.ts'

/** A numbered fact; the number is the format's own. */
export interface Fact {
  number: string
  label: string
  value: string
}

export interface KeyFacts {
  lender: string
  proposal: string
  terms: Fact[]
  assurances: Fact[]
  /** How the APR comes about. */
  computation: Fact[]
  schedule: { number: string; opening: string; principal: string; interest: string; amount: string }[]
}

type Lender = Config<typeof productSettings>
type Rows = [label: string, value: string][]

/** The facts of one offer and of no other; nothing in them says who the borrower is. */
export function keyFacts(offer: Offer, lender: Lender): KeyFacts {
  const rows = scheduleOf(offer.terms)
  const last = required(rows.at(-1), 'the last row of a schedule')
  return {
    lender: lender.PARTNER_LENDER_NAME,
    proposal: `Proposal ${offer.offerId}, version ${offer.version}, made on ${dayText(offer.createdAt)}. The lender is bound by it until ${momentText(offer.validUntil)}.`,
    terms: numbered([...loanRows(offer, last.amount), ...priceRows(offer)]),
    assurances: numbered(assuranceRows(lender)),
    computation: numbered(computationRows(offer)),
    schedule: rows.map((row) => ({
      number: String(row.number),
      opening: inr(row.opening),
      principal: inr(row.principal),
      interest: inr(row.interest),
      amount: inr(row.amount),
    })),
  }
}

const numbered = (rows: Rows): Fact[] => rows.map(([label, value], i) => ({ number: String(i + 1), label, value }))

const loanRows = ({ offerId, terms }: Offer, last: Paise): Rows => [
  ['Loan proposal number and type of loan', `${offerId}; business loan, unsecured`],
  ['Sanctioned loan amount', inr(terms.amountPaise)],
  ['Disbursal schedule', '100 % upfront, to your own bank account, after the agreement is signed'],
  ['Loan term', `${terms.tenureWeeks} weeks`],
  [
    'Instalments',
    `${terms.numberOfInstallments} weekly instalments of ${inr(terms.installmentPaise)}, the last one ${inr(last)}; the first is due seven days after disbursal`,
  ],
]

const priceRows = ({ terms }: Offer): Rows => [
  ['Interest rate and type', `${terms.annualRatePercent} % a year, fixed, on the reducing balance, by the day`],
  ['Floating rate details', 'Not applicable: the rate is fixed'],
  [
    'Fees and charges',
    `Payable to the lender, once: processing fee ${inr(terms.feePaise)}, tax on it ${inr(terms.taxPaise)}, other charges ${inr(terms.otherChargesPaise)}. Payable to a third party through the lender: none`,
  ],
  ['Annual percentage rate (APR)', `${terms.aprPercent} %`],
  ['Contingent charges', penalText(terms.penalty)],
]

const penalText = ({ bps, graceDays, everyDays, most }: Offer['terms']['penalty']): string =>
  bps === 0 || most === 0
    ? 'No penal charges; foreclosure and part payment free of charge'
    : `Penal charges of ${bps / 100} % of the unpaid instalment, from ${graceDays} days after its due date and every ${everyDays} days, ${most} times at most, never on penal charges; foreclosure and part payment free of charge`

const assuranceRows = (lender: Lender): Rows => [
  ['Recovery agents', 'None at sanction. Before one contacts you, you are told its name and contact details.'],
  [
    'Grievance redressal',
    'Write or call the grievance officer. If you have no answer within 30 days, you may complain at cms.rbi.org.in.',
  ],
  ['Nodal grievance redressal officer', `${lender.PARTNER_GRIEVANCE_OFFICER}; ${lender.PARTNER_LENDER_ADDRESS}`],
  ['Transfer or securitisation', 'The loan may be transferred or securitised; your terms stay the same.'],
  ['Co-lending', 'None: the lender lends alone'],
  [
    'Cooling-off period',
    `${lender.PARTNER_COOL_OFF_DAYS} days from disbursal: repay the principal and the interest for the days you had it, without penalty`,
  ],
]

const computationRows = ({ terms }: Offer): Rows => [
  ['Sanctioned loan amount', inr(terms.amountPaise)],
  ['Number of instalments', String(terms.numberOfInstallments)],
  ['Regular instalment', inr(terms.installmentPaise)],
  ['Total interest', inr(terms.totalInterestPaise)],
  ['Fees and charges, tax included', inr(terms.feePaise + terms.taxPaise + terms.otherChargesPaise)],
  ['Net disbursed amount', inr(terms.netPaise)],
  ['Total to be paid', inr(terms.totalPayablePaise)],
  ['Annual percentage rate', `${terms.aprPercent} %, with the tax on the fee counted as a cost`],
]

const dayText = (at: Date): string =>
  new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(businessDate(at)))
const momentText = (at: Date): string =>
  `${new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Kolkata' }).format(at)} (IST)`
