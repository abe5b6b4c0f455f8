// The words of the lender's papers; they are made in English alone: the exchange carries no language of the borrower, and staff make them.

/** The text of a line, by the kind of its entry. */
const particulars: Partial<Record<string, string>> = {
  DISBURSEMENT: 'Loan paid out to your account',
  FEE_KEPT: 'Processing fee, tax and charges, kept from the loan',
  DUE: 'Interest',
  PENALTY: 'Penal charge',
  RECEIPT: 'Payment received, thank you',
  REVERSAL: 'Reversal of an earlier entry',
  AMENDMENT: 'Change of the schedule',
  SET_OFF: 'Money kept for you, used',
  FEE_RETURN: 'Processing fee and tax given back',
  REFUND: 'Returned to your account',
  WAIVER: 'Waived, no longer owed',
}

export const paperTexts = {
  titles: {
    statement: 'Statement of account',
    schedule: 'Repayment schedule',
    sanction: 'Sanction letter',
    'no-dues': 'No-dues certificate',
    closure: 'Loan closure letter',
    interest: 'Interest certificate',
  },
  facts: {
    borrower: 'Borrower',
    loan: 'Loan number',
    account: 'Loan account',
    madeOn: 'Date',
    disbursed: 'Paid out on',
    amount: 'Loan amount',
    status: 'Account',
    year: 'Financial year',
    version: 'Version of the schedule',
  },
  inRupees: 'All amounts are in Indian rupees (₹).',
  statement: {
    head: ['Date', 'Particulars', 'Added', 'Paid or taken off', 'Balance'],
    of: particulars,
    installment: (number: number) => `, instalment ${number}`,
    summary: 'Outstanding today',
    lines: 'Transactions',
    parts: [
      'Principal',
      'Interest that has fallen due',
      'Penal charges',
      'Other charges',
      'Total outstanding',
      'Of it overdue',
    ],
    unapplied: 'To be returned to you',
    notes: [
      'Interest is earned by the day on the principal and is added here when it falls due. A balance with a minus sign is money of yours that we hold.',
      'Please tell us within 30 days if a line is not right.',
    ],
  },
  schedule: {
    head: ['No.', 'Due on', 'Principal', 'Interest', 'Charges', 'Instalment', 'Paid', 'State'],
    total: 'Total',
    states: { DUE: 'Due', PART_PAID: 'Part paid', PAID: 'Paid', OVERDUE: 'Overdue' },
    note: 'A part payment changes the schedule from its day on; ask for a new one then. Penal charges, where there are any, are owed beside the instalment and stand in the statement of account.',
  },
  sanction: {
    greeting: (name: string) => `Dear ${name},`,
    opening: 'We are pleased to tell you that your loan has been sanctioned on the terms below, which you accepted.',
    terms: 'Terms of the sanction',
    rows: {
      amount: 'Sanctioned amount',
      rate: 'Interest a year, fixed, on the reducing balance',
      apr: 'Annual percentage rate (APR)',
      term: 'Term',
      instalment: 'Instalment',
      fee: 'Processing fee',
      tax: 'Tax on the fee',
      other: 'Other charges',
      net: 'Amount paid out',
      interest: 'Interest over the whole term',
      total: 'Total to be repaid',
      coolOff: 'Cooling-off period',
      accepted: 'Accepted by you on',
    },
    weeks: (weeks: number) => `${weeks} weeks`,
    weekly: (count: number, amount: string, last: string) =>
      `${count} weekly instalments of ${amount}${last === amount ? '' : `, the last of them ${last}`}`,
    days: (days: number) => `${days} days from the payout`,
    conditions: 'Conditions',
    conditionList: [
      'The amount is paid to your own bank account once your identity is verified, the mandate is active and the agreement is signed.',
      'The key facts statement and the loan agreement hold; this letter adds no charge to them.',
      'You may repay early, in part or whole, at no charge.',
    ],
    closing: 'Yours faithfully,',
  },
  noDues: {
    opening: (account: string) => `This is to certify that the loan under account ${account} is closed.`,
    body: 'As of the date of this certificate nothing is outstanding under it: no principal, no interest, no penal and no other charges. We have no claim against the borrower under this loan.',
  },
  closure: {
    opening: (name: string) => `Dear ${name},`,
    body: (on: string) => `Your loan was repaid and closed on ${on}. We thank you for your trust.`,
    rows: {
      repaid: 'Repaid in all',
      principal: 'Principal',
      interest: 'Interest',
      penalty: 'Penal charges',
      other: 'Other charges',
    },
    next: 'What happens next',
    steps: [
      'No more instalments are debited.',
      'We report the closing to the credit information companies.',
      'Keep this letter and the no-dues certificate.',
    ],
    refund: (amount: string) =>
      `${amount} that you paid beyond the loan is returned to the account that the loan was paid to.`,
  },
  interest: {
    year: (year: number) => `${year}-${String((year + 1) % 100).padStart(2, '0')}`,
    body: (from: string, until: string) =>
      `We certify what was charged and paid under this loan from ${from} to ${until}.`,
    rows: {
      charged: 'Interest charged',
      paid: 'Interest paid',
      principal: 'Principal repaid',
      penalty: 'Penal charges paid',
    },
    note: 'Payments that the bank took back are not counted. This certificate is for your tax papers; it is no statement of what is outstanding.',
  },
  signature: 'This paper was made by our systems and is valid without a signature.',
  grievance: (officer: string) => `Questions and complaints: ${officer}`,
}
