// The words of a foreclosure quote; it is made in English alone, as the other papers that staff make are.

export const payoffTexts = {
  title: 'Foreclosure quote',
  loan: 'Loan number',
  borrower: 'Borrower',
  madeOn: 'Made on',
  goodFor: 'Good for payment on',
  principal: 'Principal outstanding',
  interest: 'Interest until that day',
  penalty: 'Penal charges',
  charges: 'Other charges',
  fee: 'Given back, and taken off: processing fee and the tax on it',
  foreclosure: 'Charge for closing early',
  none: 'None',
  total: 'Amount that closes the loan',
  conditions: [
    'The loan is closed when this amount reaches the lender’s account on the day above. On another day the interest is different; ask for a new quote.',
    'Name the loan number in the remark of the transfer, so that the money is found.',
    'A debit that is presented until then counts. What is paid too much is returned to the account that the loan was paid to.',
  ],
}
