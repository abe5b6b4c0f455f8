// The words of the papers of a loan: statement of account, repayment schedule and the agreement that the borrower signs.
import type { InstallmentStatus, PaymentStatus } from '#contract/exchange/account.ts'

export const english = {
  titles: { statement: 'Statement of account', schedule: 'Repayment schedule' },
  facts: { borrower: 'Borrower', loan: 'Loan number', account: 'Loan account', asOf: 'As of' },
  asOf: (day: string) => `${day}. All amounts are in Indian rupees (₹).`,
  source: (lender: string) =>
    `These are the figures of ${lender}, who keeps the account. Ask ${lender} for its own papers, such as a no-dues certificate or an interest certificate.`,
  statement: {
    outstanding: 'Outstanding',
    parts: [
      'Principal',
      'Interest that has fallen due',
      'Penal charges',
      'Other charges',
      'Total outstanding',
      'Of it overdue',
    ],
    payments: 'Money paid out and received',
    head: ['Date', 'Method', 'State', 'Bank reference', 'Amount'],
    paidOut: 'Paid out to you',
    states: {
      PENDING_VERIFICATION: 'Being looked for',
      SUBMITTED: 'Presented',
      PROCESSING: 'On its way',
      FAILED: 'Failed',
      POSTED: 'Received',
      REVERSED: 'Taken back',
    } satisfies Record<PaymentStatus, string>,
  },
  schedule: {
    head: ['No.', 'Due on', 'Principal', 'Interest', 'Charges', 'Instalment', 'Paid', 'State'],
    states: { DUE: 'Due', PART_PAID: 'Part paid', PAID: 'Paid', OVERDUE: 'Overdue' } satisfies Record<
      InstallmentStatus,
      string
    >,
    note: 'A part payment changes the schedule from its day on. Penal charges, where there are any, are owed beside the instalment and stand in the statement of account.',
  },
  agreement: {
    title: 'Loan agreement',
    between: 'Between',
    lender: 'Lender',
    borrower: 'Borrower',
    pan: 'PAN of the borrower',
    application: 'Application',
    loan: 'Loan',
    offer: 'Offer',
    accepted: 'Accepted',
    theLoan: 'The loan',
    term: 'Term',
    amount: 'Loan amount',
    paidOut: 'Paid to the borrower',
    interest: 'Interest',
    fixed: 'fixed',
    interestOf: (rate: string, type: string) => `${rate} a year, ${type}`,
    apr: 'Annual percentage rate',
    totalInterest: 'Total interest',
    fee: 'Processing fee with tax',
    otherUpfront: 'Other upfront charges',
    instalments: 'Instalments',
    instalmentsOf: (count: number, amount: string) => `${count} weekly, each ${amount}, the last one adjusted`,
    keyFacts: 'Key Facts Statement',
    conditions: 'Terms and conditions',
    agreed:
      'The borrower has read the Key Facts Statement and takes this loan on these terms. The instalments are debited by the mandate that the borrower has registered. Key Facts Statement and terms named above are part of this agreement.',
  },
}

export type PaperTexts = typeof english
