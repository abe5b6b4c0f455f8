// The words of the papers of a loan; they are made in English alone, as the lender's statement of key facts is.
import type { InstallmentStatus, PaymentStatus } from '#contract/exchange/account.ts'

export const paperTexts = {
  titles: { statement: 'Statement of account', schedule: 'Repayment schedule' },
  facts: { borrower: 'Borrower', loan: 'Loan number', account: 'Loan account', asOf: 'As of' },
  asOf: (day: string) => `${day}. All amounts are in Indian rupees (INR).`,
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
}
