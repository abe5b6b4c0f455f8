// The network's published flows, and which of them the platform supports.
import { ownValue } from '#kit/runtime/record.ts'
import type { Dialect } from './context.ts'

export interface NetworkFlow {
  /** Our name of the flow; the tests play every supported flow under this name. */
  id: string
  product: string
  /** The version of the network in which it is published. */
  version: Dialect
  /** The section that describes it. */
  section: string
  about: string
  spoken: 'yes' | 'no'
  /** Why it is not supported, or on what a supported flow without an official example is based; empty otherwise. */
  why: string
  /** The network's ids of the flow; empty without an official flow. */
  official: readonly string[]
}

/** Official flows with and without account aggregator; here they differ by the data on which the lender decides. */
const officialIds: Record<string, readonly string[]> = {
  'personal-loan-consent-monitoring': ['Personal_Loan_With_AA_And_Monitoring_Consent'],
  'personal-loan-consent': ['Personal_Loan_Without_Account_Monitoring'],
  'personal-loan-bureau': ['Personal_Loan_Without_AA_And_Monitoring_Consent'],
  'personal-loan-foreclosure': [
    'Personal_Loan_Foreclosure_With_Account_Aggregator',
    'Personal_Loan_Foreclosure_Without_Account_Aggregator',
  ],
  'personal-loan-part-payment': [
    'Personal_Loan__PrePart_Payment_With_Account_Aggregator',
    'Personal_Loan_Pre_Part_Payment_Without_Account_Aggregator',
  ],
  'personal-loan-missed-instalment': [
    'Personal_Loan_Missed_EMI_With_Account_Aggregator',
    'Personal_Loan_Missed_EMI_Without_Account_Aggregator',
  ],
  'personal-loan-several-offers': ['Personal_Loan_Multiple_Offers_With_Account_Aggregator_&_Monitoring_Consent'],
  'personal-loan-offline': ['Personal_Loan_Offline'],
  'personal-loan-offline-online': ['Personal_Loan_Offline_Online_Flow'],
  'personal-loan-insurance': ['Personal_Loan_&_Sachet_Insurance_with_AA_And_Monitoring_Consent'],
  'gold-loan-bureau': ['Gold_Loan_Without_Account_Aggregator'],
  'gold-loan-consent': ['Gold_Loan_With_Account_Aggregator'],
  'gold-loan-foreclosure': [
    'Gold_Loan_Foreclosure_With_Account_Aggregator',
    'Gold_Loan_Foreclosure_Without_Account_Aggregator',
  ],
  'gold-loan-part-payment': [
    'Gold_Loan_Pre_Part_Payment_With_Account_Aggregator',
    'Gold_Loan_Pre_Part_Payment_Without_Account_Aggregator',
  ],
  'gold-loan-missed-instalment': [
    'Gold_Loan_Missed_EMI_With_Account_Aggregator',
    'Gold_Loan_Missed_EMI_Without_Account_Aggregator',
  ],
  'gold-loan-several-offers': ['Gold_Loan_With_Multiple_offers_With_Account_Aggregator'],
  'gold-loan-grievance': [
    'Gold_Loan_With_Account_Aggregator_With_IGM(v-1.0.0)',
    'Gold_Loan_Without_Account_Aggregator_With_IGM(v-1.0.0)',
  ],
  'credit-card': ['Credit_Card'],
  'mutual-funds-statement': ['lamf_credit_line_with_mfc'],
  'mutual-funds-registrar': ['lamf_credit_line_with_rta'],
  'credit-line-consent': ['lamf_credit_line_journey'],
  'credit-line-offline': ['lamf_credit_line_with_mfc_offline_journey'],
}

type FlowRow = [id: string, section: string, spoken: 'yes' | 'no', about: string, why?: string]

const flowsOf = (product: string, version: Dialect, rows: FlowRow[]): NetworkFlow[] =>
  rows.map(([id, section, spoken, about, why = '']) => ({
    ...{ id, product, version, section, about, spoken, why },
    official: ownValue(officialIds, id) ?? [],
  }))

const noBodies = 'published as a list of actions without messages'
const ownGrievance = 'by the published fields: the network publishes no example of it'
const notOurProduct = 'not a product of this platform'

export const networkFlows: readonly NetworkFlow[] = [
  ...flowsOf('personal loan', '2.0.3', [
    [
      'personal-loan-consent-monitoring',
      '§8.1',
      'yes',
      'judged by bank data, the account is watched from the sanction on',
    ],
    [
      'personal-loan-bureau-monitoring',
      '§8.1',
      'yes',
      'judged by the bureau, the account is watched from the sanction on',
      'by the published messages of each: the network publishes no flow of both',
    ],
    ['personal-loan-consent', '§8.1', 'yes', 'judged by bank data'],
    ['personal-loan-bureau', '§8.1', 'yes', 'judged by the bureau'],
    ['personal-loan-foreclosure', '§11.1, §18.3', 'yes', 'the loan is repaid whole'],
    ['personal-loan-part-payment', '§11.1, §18.3', 'yes', 'a part is repaid early, told without a link before it'],
    ['personal-loan-missed-instalment', '§11.1, §18.5', 'yes', 'a missed instalment is paid right after disbursal'],
    ['personal-loan-several-offers', '§19.1', 'yes', 'an offer by the bureau and another one by bank data'],
    ['personal-loan-offline', '§19.3', 'yes', 'one page of the lender for everything after the offer'],
    ['personal-loan-offline-online', '§19.3', 'yes', 'KYC offline, the agreement online'],
    [
      'personal-loan-cancelled',
      '§11.3',
      'yes',
      'the lender cancels after the sanction',
      'by the published fields: the network publishes no flow of it',
    ],
    ['personal-loan-insurance', '§22', 'no', 'an insurance comes with the loan', 'insurance is not built'],
  ]),
  ...flowsOf('gold loan', '2.0.3', [
    ['gold-loan-bureau', '§9.1', 'yes', 'judged by the bureau, then a visit to a branch'],
    ['gold-loan-consent', '§9.1', 'yes', 'judged by bank data, then a visit to a branch'],
    ['gold-loan-foreclosure', '§11.1, §18.1', 'yes', 'the loan is repaid whole, under ids that change'],
    ['gold-loan-part-payment', '§11.1, §18.1', 'yes', 'a part is repaid early, under ids that change'],
    ['gold-loan-missed-instalment', '§18.1, §18.5', 'yes', 'a missed instalment is paid, under ids that change'],
    ['gold-loan-several-offers', '§19.2', 'yes', 'an offer by the bureau and another one by bank data'],
    ['gold-loan-grievance', '§20', 'yes', 'a complaint is opened, resolved, and closed with a rating'],
    ['gold-loan-grievance-question', '§20', 'yes', 'the lender asks for more information', ownGrievance],
    [
      'gold-loan-grievance-escalation',
      '§20',
      'yes',
      'a complaint goes to the grievance officer after its time',
      ownGrievance,
    ],
  ]),
  ...flowsOf('credit card', '2.0.3', [
    ['credit-card', '§22', 'no', 'a card is applied for and delivered', 'offers without amounts are not built'],
  ]),
  ...flowsOf('loan against mutual funds', '2.3.0', [
    ['mutual-funds-statement', '§10.2', 'yes', 'a term loan on the statement of MF Central'],
    ['mutual-funds-registrar', '§10.2', 'yes', 'a term loan on the statement of one registrar'],
    [
      'mutual-funds-servicing',
      '§10.3, §18.6',
      'no',
      'repayment beside the plan',
      'the network publishes no message for it',
    ],
    ['credit-line-consent', '§17.3', 'yes', 'a line on funds that are shared by an account aggregator'],
    ['credit-line-offline', '§10.1, §17.4', 'yes', 'a line on one page of the lender'],
    ['credit-line-drawdown', '§17.5', 'no', 'money is drawn and paid back', 'the network publishes no message for it'],
  ]),
  ...flowsOf('others', '2.3.0', [
    ['personal-loan-2.3.0', '§18.6', 'no', 'a personal loan in the later version', noBodies],
    ['gold-loan-2.3.0', '§1', 'no', 'a gold loan in the later version', 'announced by the code of a form alone'],
    ['business-term-loan', '§1, §18.6', 'no', 'a term loan for a business', notOurProduct],
    ['invoice-loan', '§18.6', 'no', 'a loan on an invoice', notOurProduct],
    ['purchase-finance', '§11.3, §18.6', 'no', 'finance of a purchase, and its cancellation', notOurProduct],
    ['cancellation', '§11.3', 'no', 'the borrower cancels', 'no flow for our products; the page links to the lender'],
  ]),
]
