// The words of the loan agreement that the borrower signs; it is made in English alone.

export const agreement = {
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
  interestOf: (rate: string, type: string | null) => `${rate} a year, ${type?.toLowerCase() ?? 'fixed'}`,
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
}
