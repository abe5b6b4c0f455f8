// The desk's English texts on a borrower's bank data.
import type { Measure } from '#partner/review/bank/figures.ts'
import type { BankDecision } from '#partner/review/bank/judge.ts'

export const bankTexts = {
  title: 'Bank statement',
  none: 'This case is older than the bank data check.',
  by: 'Result of the bank data',
  decisions: {
    APPROVE: 'all rules met',
    LOWER: 'same limit as without a statement',
    REVIEW: 'sent to manual review',
    DECLINE: 'failed a rule that declines',
  } satisfies Record<BankDecision, string>,
  reason: 'Reason',
  status: 'Statements',
  source: 'Shared by',
  sources: {
    STATEMENT_UPLOAD: 'the borrower, on the analyser’s page',
    BUYER_APP: 'nobody',
    ACCOUNT_AGGREGATOR: 'an account aggregator',
  },
  unavailable: 'Why it is missing',
  period: 'Period',
  analysed: 'Analysed',
  reference: 'Analyser reference',
  inflow: 'Monthly inflow',
  outflow: 'Monthly outflow',
  average: 'Average balance',
  lowest: 'Lowest balance',
  salary: 'Monthly salary',
  obligations: 'Monthly EMIs',
  rules: 'Rules for bank data',
  head: { rule: 'Rule', figure: 'Figure', outcome: 'Outcome' },
  measures: {
    months: 'months covered',
    returnedDebits: 'returned debits, last three months',
    obligationsPercent: 'EMIs as a share of income',
    inflowPercent: 'inflow as a share of stated income',
    averageBalanceRupees: 'average balance',
  } satisfies Record<Measure, string>,
  effects: { REVIEW: 'review', DECLINE: 'decline' },
  most: (bound: string) => `at most ${bound}`,
  least: (bound: string) => `at least ${bound}`,
  missing: 'not available',
}
