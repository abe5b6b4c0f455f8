// The key facts statement: the rows of the regulator's format, as data for the page and the PDF.
import { dayText, longDayText, plusMonths } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import { type Loan, lastAmountOf, share } from '#sandbox/lender/core/lending-decision.ts'
import type { Security } from '#sandbox/lender/core/loan-security.ts'
import { bpsText, penalText } from '#sandbox/lender/core/message-parts.ts'

/** A row with its number in the regulator's format. */
export interface NumberedFact {
  number: string
  label: string
  value: string
  /** A number that stands below the value. */
  reference?: string
}

export interface KeyFacts {
  title: string
  proposalNumber: string
  issuedOn: string
  validity: string
  terms: NumberedFact[]
  assurances: NumberedFact[]
  /** Empty for an unsecured loan, as is the title. */
  securityTitle: string
  security: NumberedFact[]
  computation: NumberedFact[]
  computationTitle: string
  scheduleTitle: string
  /** Marks the schedule of a credit line as an example, in the languages of borrowers; null for a loan. */
  illustration: { en: string; hi: string } | null
  schedule: { number: string; dueOn: string; opening: string; principal: string; interest: string; amount: string }[]
}

export interface Proposal {
  policy: LenderPolicy
  loan: Loan
  proposalNumber: string
  /** The day in India from which the schedule counts. */
  startsOn: string
  /** How long the offer binds the lender, in words. */
  validity: string
  security: Security
  /** Whether the proposal is for a credit line. */
  isLine?: boolean
}

/** Returns the statement of a proposal. */
export function keyFacts(proposal: Proposal): KeyFacts {
  const { policy, loan, proposalNumber, startsOn, validity, security, isLine = false } = proposal
  return {
    title: 'Key facts statement',
    proposalNumber,
    issuedOn: longDayText(startsOn),
    validity,
    terms: numbered([...loanTerms(proposal), ...priceTerms(policy, loan)]),
    assurances: numbered(assurances(policy)),
    securityTitle: security.title,
    security: numbered(security.rows(loan)),
    computation: numbered(computation(proposal)),
    computationTitle: isLine ? `Computation of the APR, ${ifFullyDrawn}` : 'Computation of the APR',
    scheduleTitle: isLine ? `Repayment schedule: an illustration, ${ifFullyDrawn}` : 'Repayment schedule',
    illustration: isLine ? illustration : null,
    schedule: loan.rows.map((row, i) => ({
      number: String(i + 1),
      dueOn: dayText(plusMonths(startsOn, row.number)),
      opening: inr(row.opening),
      principal: inr(row.principal),
      interest: inr(row.interest),
      amount: inr(row.amount),
    })),
  }
}

const ifFullyDrawn = 'if the whole limit is drawn at the start'

const illustration = {
  en: 'This schedule is an illustration: it shows what you would repay if the whole limit were drawn on the first day. You repay only what you draw, and pay interest only on that.',
  hi: 'यह अनुसूची केवल उदाहरण है: यह दिखाती है कि पूरी लिमिट पहले दिन निकालने पर आपको कितना चुकाना होगा। आप वही राशि चुकाते हैं जो आप निकालते हैं, और ब्याज भी सिर्फ़ उसी पर लगता है।',
}

type Rows = [label: string, value: string, reference?: string][]

const numbered = (rows: Rows): NumberedFact[] =>
  rows.map(([label, value, reference], i) => ({ number: String(i + 1), label, value, ...(reference && { reference }) }))

const endText = ({ loan, startsOn }: Pick<Proposal, 'loan' | 'startsOn'>): string =>
  longDayText(plusMonths(startsOn, loan.months))

function instalmentsText({ policy, loan, startsOn, isLine = false }: Proposal): string {
  if (policy.repaysAtEnd)
    return `None: one repayment of ${inr(loan.instalment)} at the end of the term (${endText({ loan, startsOn })})`
  return `${isLine ? `Illustration, ${ifFullyDrawn}: ` : ''}${loan.months} monthly instalments of ${inr(loan.instalment)}, the last one ${inr(lastAmountOf(loan))}; the first is due one month after the agreement (${longDayText(plusMonths(startsOn, 1))})`
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const loanTerms = (proposal: Proposal): Rows => [
  ['Loan proposal number and type of loan', capitalised(proposal.security.kind), proposal.proposalNumber],
  ['Sanctioned loan amount', inr(proposal.loan.principal)],
  ['Disbursal schedule', proposal.security.disbursalSchedule],
  ['Loan term', `${proposal.loan.months} months`],
  ['Instalments', instalmentsText(proposal)],
]

const priceTerms = (policy: LenderPolicy, loan: Loan): Rows => [
  [
    'Interest rate and type',
    `${bpsText(loan.annualBps)} a year, fixed, on the ${policy.repaysAtEnd ? 'loan amount for the whole term' : 'reducing balance'}`,
  ],
  ['Floating rate details', 'Not applicable: the rate is fixed'],
  [
    'Fees and charges',
    `Payable to the lender: processing fee ${inr(loan.fee)} and GST ${inr(loan.feeTax)}, once; stamp duty ${inr(loan.stampDuty)}, once; insurance none; valuation none. Payable to a third party through the lender: none`,
  ],
  ['Annual percentage rate (APR)', `${loan.aprPercent}%`],
  [
    'Contingent charges',
    `Penal charges ${penalText(policy, 'instalment')}, not compounded; returned debit ${inr(policy.bounceCharge)} each time; foreclosure ${bpsText(policy.foreclosureBps)} of the principal outstanding, part payment the same of the part repaid; switching of rate type not applicable; others none`,
  ],
]

const assurances = ({ officer, address, coolOffDays, servicer }: LenderPolicy): Rows => [
  [
    'Recovery agents',
    'No recovery agent is engaged at sanction. Before one contacts you, we send you its name and contact details.',
  ],
  [
    'Grievance redressal',
    'Write to or call the grievance officer. If you have no answer within 30 days, you can complain at cms.rbi.org.in.',
  ],
  [
    'Nodal grievance redressal officer',
    `${officer.name}, ${officer.designation}, ${address}; telephone ${officer.phone}; ${officer.email}`,
  ],
  ['Transfer or securitisation', 'The loan may be transferred or securitised; your terms stay the same.'],
  ['Co-lending', 'None: the lender is the only lender'],
  [
    'Cooling-off period',
    `${coolOffDays} days from disbursal: repay the principal and the interest for the days you had it, without penalty`,
  ],
  ['Lending service provider acting as recovery agent', `None; ${servicer.name} only services the application`],
]

const planRows = ({ policy, loan, startsOn }: Proposal): Rows =>
  policy.repaysAtEnd
    ? [
        ['Loan term and number of instalments', `${loan.months} months, one repayment`],
        ['Amount of the repayment', inr(loan.instalment)],
        ['Due on', endText({ loan, startsOn })],
      ]
    : [
        ['Loan term and number of instalments', `${loan.months} months, ${loan.months} instalments`],
        ['Amount of each instalment', inr(loan.instalment)],
        ['First instalment', longDayText(plusMonths(startsOn, 1))],
      ]

const computation = (proposal: Proposal): Rows => [
  ['Sanctioned loan amount', inr(proposal.loan.principal)],
  ...planRows(proposal),
  ...costRows(proposal.loan),
]

const costRows = (loan: Loan): Rows => [
  ['Interest rate', `${bpsText(loan.annualBps)} a year, fixed`],
  ['Total interest', inr(loan.interest)],
  ['Fees and charges payable to the lender, GST included', inr(loan.processingFee + loan.stampDuty)],
  ['Fees and charges payable to a third party', inr(0n)],
  ['Net disbursed amount', inr(loan.netDisbursed)],
  ['Total to be paid', inr(loan.principal + loan.interest)],
  [
    'Annual percentage rate',
    `${loan.aprPercent}%: twelve times the monthly rate at which the instalments are worth the net disbursed amount`,
  ],
]

/** The penal charge on an instalment overdue for thirty days, as an example for the terms page. */
export const penalExample = ({ penalBps }: LenderPolicy, overdue: bigint): string =>
  inr((share(overdue, penalBps) * 30n) / 365n)
