// The network's published flows, and which of them the platform supports.
import { ownValue } from '@lendloom/foundation/record'
import type { Dialect } from './context.ts'

export interface NetworkFlow {
  /** Our name for the flow. The tests run every supported flow under this name. */
  id: string
  product: string
  version: Dialect
  section: string
  about: string
  spoken: 'yes' | 'no'
  /** Why the flow is not supported, or the basis of a supported flow without official example; otherwise empty. */
  why: string
  official: readonly string[]
  /** The flow of 2.0.3 that a flow of an older version repeats. */
  twin?: string
}

/** Some of our flows have two official ids, one with and one without account aggregator. */
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
  'personal-loan-one-page': ['Personal_Loan_Single_Redirection'],
  'personal-loan-one-page-foreclosure': ['Personal_Loan_Foreclosure_Single_Redirection'],
  'personal-loan-one-page-part-payment': ['Personal_Loan_Pre_Part_Payment_Single_Redirection'],
  'personal-loan-one-page-missed-instalment': ['Personal_Loan_Missed_EMI_Single_Redirection'],
  'personal-loan-one-page-grievance': ['Personal_Loan_Single_Redirection_With_IGM(v-1.0.0)'],
  // The network has published two flows under this id: of April 2026, and of August 2026 with stops.
  'personal-loan-offline-page': ['Personal_Loan_Offline'],
  'personal-loan-offline-page-foreclosure': ['Personal_Loan_Foreclosure_Offline'],
  'personal-loan-offline-page-part-payment': ['Personal_Loan_Pre_Part_Payment_Offline'],
  'personal-loan-offline-page-missed-instalment': ['Personal_Loan_missed_emi_payment_Offline'],
  'personal-loan-offline-page-grievance': ['Personal_Loan_Offline_With_IGM(v-1.0.0)'],
  'personal-loan-dedupe': ['Personal_Loan_Dedupe_Check'],
  'gold-loan-offline-page': ['Gold_Loan_Offline'],
  'gold-loan-offline-page-grievance': ['Gold_Loan_Offline_with_igm_1.0.0'],
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
  'credit-line-one-page': ['lamf_credit_line_with_mfc_single_redirection'],
  'credit-line-one-page-part-payment': ['lamf_credit_line_prepart_with_mfc_single_redirection'],
  'credit-line-one-page-foreclosure': ['lamf_credit_line_foreclosure_with_mfc_single_redirection'],
  'credit-line-drawdown': ['lamf_credit_line_drawdown_with_mfc_single_redirection'],
  'credit-line-one-page-grievance': ['lamf_credit_line_with_mfc_single_redirection_with_igm_1.0.0'],
  'mutual-funds-one-page': ['lamf_term_loan_with_mfc_single_redirection'],
  'mutual-funds-one-page-foreclosure': ['lamf_term_loan_foreclosure_with_mfc_single_redirection'],
  'mutual-funds-one-page-part-payment': ['lamf_term_loan_prepart_with_mfc_single_redirection'],
  'mutual-funds-one-page-missed-instalment': ['lamf_term_loan_missed_emi_with_mfc_single_redirection'],
}

type FlowRow = [id: string, section: string, spoken: 'yes' | 'no', about: string, why?: string]

const flowsOf = (product: string, version: Dialect, rows: FlowRow[]): NetworkFlow[] =>
  rows.map(([id, section, spoken, about, why = '']) => ({
    id,
    product,
    version,
    section,
    about,
    spoken,
    why,
    official: ownValue(officialIds, id) ?? [],
  }))

const noBodies = 'published as a list of actions without messages'
const basedOnFields = 'based on the published fields; the network publishes no example'
const notOurProduct = 'not a product of this platform'

const flows: readonly NetworkFlow[] = [
  ...flowsOf('personal loan', '2.0.3', [
    [
      'personal-loan-consent-monitoring',
      '§8.1',
      'yes',
      'assessed by bank data; the account is monitored after the sanction',
    ],
    [
      'personal-loan-bureau-monitoring',
      '§8.1',
      'yes',
      'assessed by the bureau; the account is monitored after the sanction',
      'based on two published flows; the network publishes no combined flow',
    ],
    ['personal-loan-consent', '§8.1', 'yes', 'assessed by bank data'],
    ['personal-loan-bureau', '§8.1', 'yes', 'assessed by the bureau'],
    ['personal-loan-foreclosure', '§11.1, §18.3', 'yes', 'the loan is repaid in full'],
    [
      'personal-loan-part-payment',
      '§11.1, §18.3',
      'yes',
      'the lender reports an early part payment without a payment link',
    ],
    ['personal-loan-missed-instalment', '§11.1, §18.5', 'yes', 'a missed instalment is paid right after disbursal'],
    ['personal-loan-several-offers', '§19.1', 'yes', 'one offer is based on the bureau, another on bank data'],
    ['personal-loan-offline', '§19.3', 'yes', 'one page of the lender covers all steps after the offer'],
    ['personal-loan-offline-online', '§19.3', 'yes', 'KYC is offline, and the agreement online'],
    ['personal-loan-cancelled', '§11.3', 'yes', 'the lender cancels after the sanction by on_cancel', basedOnFields],
    ['personal-loan-cancelled-by-state', '§11.3', 'yes', 'an update has the state CANCELLED', basedOnFields],
    ['personal-loan-cancelled-by-status', '§11.3', 'yes', 'an update has the order status CANCELLED', basedOnFields],
    ['personal-loan-one-page', '§26.2', 'yes', 'all steps after the offer are on one page of the lender'],
    ['personal-loan-one-page-foreclosure', '§26.5', 'yes', 'the loan is repaid in full'],
    ['personal-loan-one-page-part-payment', '§26.5', 'yes', 'a part is repaid early'],
    ['personal-loan-one-page-missed-instalment', '§26.5', 'yes', 'a missed instalment is paid'],
    ['personal-loan-one-page-grievance', '§20, §26.2', 'yes', 'a complaint is opened, resolved, and closed'],
    ['personal-loan-offline-page', '§26.2', 'yes', 'the lender’s people take all steps after the offer'],
    ['personal-loan-offline-page-foreclosure', '§26.5', 'yes', 'the loan is repaid in full'],
    ['personal-loan-offline-page-part-payment', '§26.5', 'yes', 'a part is repaid early'],
    ['personal-loan-offline-page-missed-instalment', '§26.5', 'yes', 'a missed instalment is paid'],
    ['personal-loan-offline-page-grievance', '§20, §26.2', 'yes', 'a complaint is opened, resolved, and closed'],
    ['personal-loan-dedupe', '§26.3', 'yes', 'the lender checks the borrower before the application'],
    ['personal-loan-insurance', '§22', 'no', 'an insurance is sold with the loan', 'insurance is not supported'],
  ]),
  ...flowsOf('gold loan', '2.0.3', [
    ['gold-loan-bureau', '§9.1', 'yes', 'assessed by the bureau, followed by a branch visit'],
    ['gold-loan-consent', '§9.1', 'yes', 'assessed by bank data, followed by a branch visit'],
    ['gold-loan-foreclosure', '§11.1, §18.1', 'yes', 'the loan is repaid in full; payment ids change'],
    ['gold-loan-part-payment', '§11.1, §18.1', 'yes', 'a part is repaid early; payment ids change'],
    ['gold-loan-missed-instalment', '§18.1, §18.5', 'yes', 'a missed instalment is paid; payment ids change'],
    ['gold-loan-several-offers', '§19.2', 'yes', 'one offer is based on the bureau, another on bank data'],
    ['gold-loan-offline-page', '§26.4', 'yes', 'paid out at the branch before it is confirmed; one repayment'],
    ['gold-loan-offline-page-grievance', '§20, §26.4', 'yes', 'a complaint is opened, resolved, and closed'],
    ['gold-loan-grievance', '§20', 'yes', 'a complaint is opened, resolved, and closed with a rating'],
    ['gold-loan-grievance-question', '§20', 'yes', 'the lender asks for more information', basedOnFields],
    [
      'gold-loan-grievance-escalation',
      '§20',
      'yes',
      'an overdue complaint is escalated to the grievance officer',
      basedOnFields,
    ],
  ]),
  ...flowsOf('credit card', '2.0.3', [
    [
      'credit-card',
      '§22',
      'no',
      'the borrower applies for a card and receives it',
      'offers without amounts are not supported',
    ],
  ]),
  ...flowsOf('loan against mutual funds', '2.3.0', [
    ['mutual-funds-statement', '§10.2', 'yes', 'a term loan based on the statement of MF Central'],
    ['mutual-funds-registrar', '§10.2', 'yes', 'a term loan based on the statement of one registrar'],
    ['credit-line-consent', '§17.3', 'yes', 'a credit line on funds that an account aggregator reports'],
    ['credit-line-offline', '§10.1, §17.4', 'yes', 'a credit line that is completed on one page of the lender'],
    ['credit-line-one-page', '§27.2', 'yes', 'a credit line; all steps after the offer are on one page of the lender'],
    ['credit-line-one-page-grievance', '§20, §27.2', 'yes', 'a complaint is opened, resolved, and closed'],
    ['mutual-funds-one-page', '§27.2', 'yes', 'a term loan; all steps after the offer are on one page of the lender'],
    ['mutual-funds-one-page-foreclosure', '§27.4', 'yes', 'the loan is repaid in full'],
    ['mutual-funds-one-page-part-payment', '§27.4', 'yes', 'a part is repaid early'],
    ['mutual-funds-one-page-missed-instalment', '§27.4', 'yes', 'a missed instalment is paid'],
    ['credit-line-one-page-part-payment', '§27.4', 'yes', 'a part of a line is paid'],
    ['credit-line-one-page-foreclosure', '§27.4', 'yes', 'a line is repaid and closed'],
    ['credit-line-drawdown', '§27.5', 'yes', 'money is drawn from an open line, in a transaction of its own'],
  ]),
  ...flowsOf('others', '2.3.0', [
    ['personal-loan-2.3.0', '§18.6', 'no', 'a personal loan in the later version', noBodies],
    ['gold-loan-2.3.0', '§1', 'no', 'a gold loan in the later version', 'announced only by the code of a form'],
    ['business-term-loan', '§1, §18.6', 'no', 'a term loan for a business', notOurProduct],
    ['invoice-loan', '§18.6', 'no', 'a loan on an invoice', notOurProduct],
    ['purchase-finance', '§11.3, §18.6', 'no', 'finance of a purchase, and its cancellation', notOurProduct],
    [
      'cancellation',
      '§11.3',
      'no',
      'the borrower cancels',
      'published for another product; we speak it with lenders that agreed (§25)',
    ],
  ]),
]

/**
 * The flow of 2.0.3 that an older one repeats, the text after it in the name of the older one, and the official ids; by
 * default those of the flow of 2.0.3.
 */
type OlderFlow = [twin: string, suffix: string, ...official: string[]]

const olderFlowsOf = (version: Dialect, rows: OlderFlow[]): NetworkFlow[] =>
  rows.flatMap(([twin, suffix, ...official]) =>
    flows
      .filter(({ id }) => id === twin)
      .map((flow) => ({
        ...flow,
        id: `${twin}${suffix}-${version}`,
        version,
        section: '§24',
        official: official.length > 0 ? official : flow.official,
        twin,
      })),
  )

export const networkFlows: readonly NetworkFlow[] = [
  ...flows,
  ...olderFlowsOf('2.0.1', [
    ['personal-loan-consent-monitoring', '', 'Personal_Loan_With_AA_And_Monitoring_Consent'],
    ['personal-loan-consent', '', 'Personal_Loan_Without_Acount_Monitoring'],
    ['personal-loan-bureau', '', 'Personal_Loan_Without_AA_And_Monitoring_Consent'],
    ['personal-loan-foreclosure', '', 'Personal_Loan_Foreclosure_WITHOUT_ACCOUNT_AGGREGATOR'],
    ['personal-loan-foreclosure', '-consent', 'Personal_Loan_Foreclosure'],
    ['personal-loan-part-payment', '', 'Personal_Loan_Pre_Part_Payment_WITHOUT_ACCOUNT_AGGREGATOR'],
    ['personal-loan-part-payment', '-consent', 'Personal_Loan_Pre_Part_Payment'],
    ['personal-loan-missed-instalment', '', 'Personal_Loan_Missed_EMI_WITHOUT_ACCOUNT_AGGREGATOR'],
    ['personal-loan-missed-instalment', '-consent', 'Personal_Loan_Missed_EMI'],
  ]),
  // The branch of 2.0.2 uses the ids of 2.0.3. Of a pair with and without account aggregator, both are this flow.
  ...olderFlowsOf('2.0.2', [
    ['personal-loan-consent-monitoring', ''],
    ['personal-loan-consent', ''],
    ['personal-loan-bureau', ''],
    ['personal-loan-foreclosure', ''],
    ['personal-loan-part-payment', ''],
    ['personal-loan-missed-instalment', ''],
    ['personal-loan-several-offers', ''],
    ['personal-loan-offline', ''],
    ['personal-loan-offline-online', ''],
    ['gold-loan-bureau', ''],
    ['gold-loan-consent', ''],
    ['gold-loan-foreclosure', '', 'Gold_Loan_Foreclosure_Without_Account_Aggregator'],
    ['gold-loan-foreclosure', '-consent', 'Gold_Loan_Foreclosure_With_Account_Aggregator'],
    ['gold-loan-part-payment', '', 'Gold_Loan_Pre_Part_Payment_Without_Account_Aggregator'],
    ['gold-loan-part-payment', '-consent', 'Gold_Loan_Pre_Part_Payment_With_Account_Aggregator'],
    ['gold-loan-missed-instalment', '', 'Gold_Loan_Missed_EMI_Without_Account_Aggregator'],
    ['gold-loan-missed-instalment', '-consent', 'Gold_Loan_Missed_EMI_With_Account_Aggregator'],
  ]),
]
