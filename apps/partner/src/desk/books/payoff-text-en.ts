// The texts of a foreclosure quote. Like the other documents that staff create, it exists in English only.

export const payoffTexts = {
  title: 'Foreclosure quote',
  exitTitle: 'Amount to cancel the loan',
  loan: 'Loan number',
  borrower: 'Borrower',
  issuedOn: 'Made on',
  day: 'Payment day',
  paymentDay: 'Valid for payment on',
  principal: 'Principal outstanding',
  interest: 'Interest until that day',
  penalty: 'Penal charges',
  charges: 'Other charges',
  fee: 'Less refund: processing fee and the tax on it',
  foreclosure: 'Foreclosure charge',
  noCharge: 'None',
  total: 'Amount to close the loan',
  account: 'Pay to',
  onPaper: 'On the borrower’s letter',
  conditions: [
    'The loan is closed when this amount reaches the lender’s account on the day above. The interest differs on any other day; ask for a new quote.',
    'Enter the loan number in the remarks of the transfer, so that we can match your payment.',
    'A debit that is presented before that day counts towards this amount. We return any excess to the account that the loan was paid to.',
  ],
}
