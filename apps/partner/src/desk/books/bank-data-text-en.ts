// The English texts of the desk about a borrower's bank data.
import type { Measure } from '#partner/origination/review/bank/bank-figures.ts'
import type { BankDecision } from '#partner/origination/review/bank/review-bank-data.ts'

export const bankTexts = {
  title: 'Bank statement',
  outcome: 'Outcome',
  decisions: {
    APPROVE: 'all rules met',
    LOWER: 'the limit without a statement applies',
    REVIEW: 'sent to manual review',
    DECLINE: 'a mandatory rule was not met',
  } satisfies Record<BankDecision, string>,
  figure: {
    title: 'Bank data',
    met: (met: number, count: number) => `${met} of ${count} rules met`,
    warning: 'one warning: EMIs with this loan',
    none: 'No figures',
  },
  withoutStatement: 'No statement: the limit without a statement applies',
  reason: 'Reason',
  status: 'Analysis',
  source: 'Shared by',
  sources: {
    STATEMENT_UPLOAD: 'the borrower, on the analyser’s page',
    BUYER_APP: 'not shared',
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
  rules: 'Bank data rules',
  columns: { rule: 'Rule', figure: 'Figure', ifNotMet: 'If not met', outcome: 'Outcome' },
  measures: {
    months: 'months covered',
    returnedDebits: 'returned debits, last three months',
    obligationsPercent: 'EMIs as a share of income',
    inflowPercent: 'inflow as a share of stated income',
    averageBalanceRupees: 'average balance',
  } satisfies Record<Measure, string>,
  effects: { REVIEW: 'Review', DECLINE: 'Decline' },
  most: (limit: string) => `at most ${limit}`,
  least: (limit: string) => `at least ${limit}`,
  missing: (measure: string) => `Missing figure: ${measure}`,
  noFigure: '–',
}
