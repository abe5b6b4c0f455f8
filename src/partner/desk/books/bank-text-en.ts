// The desk's English texts on a borrower's bank data.
import type { Measure } from '#partner/review/bank/figures.ts'
import type { BankDecision } from '#partner/review/bank/judge.ts'

export const bankTexts = {
  title: 'Bank statement',
  none: 'This case came before bank data were looked at.',
  by: 'By the bank data',
  decisions: {
    APPROVE: 'every rule is met',
    LOWER: 'no more than without a statement',
    REVIEW: 'people look at it',
    DECLINE: 'a rule that declines is not met',
  } satisfies Record<BankDecision, string>,
  reason: 'Because of',
  status: 'Statements',
  source: 'Shared by',
  sources: {
    STATEMENT_UPLOAD: 'the borrower, at the analyser',
    BUYER_APP: 'nobody',
    ACCOUNT_AGGREGATOR: 'an account aggregator',
  },
  unavailable: 'Why there is none',
  period: 'Period',
  analysed: 'Analysed',
  reference: 'Reference of the analyser',
  inflow: 'Comes in a month',
  outflow: 'Goes out a month',
  average: 'Average balance',
  lowest: 'Lowest balance',
  salary: 'Salary a month',
  obligations: 'Instalments a month',
  rules: 'Rules for bank data',
  head: { rule: 'Rule', figure: 'Figure', outcome: 'Outcome' },
  measures: {
    months: 'months covered',
    returnedDebits: 'returned debits, last three months',
    obligationsPercent: 'instalments of income',
    inflowPercent: 'inflow of stated income',
    averageBalanceRupees: 'average balance',
  } satisfies Record<Measure, string>,
  effects: { REVIEW: 'review', DECLINE: 'decline' },
  most: (bound: string) => `at most ${bound}`,
  least: (bound: string) => `at least ${bound}`,
  missing: 'not told',
}
