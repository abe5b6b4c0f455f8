// English texts of a loan's documents, such as statements and certificates. D3 has no field for another language.

/** Text of a statement line for each kind of entry. */
const particulars: Partial<Record<string, string>> = {
  DISBURSEMENT: 'Loan paid out to your account',
  FEE_DEDUCTED: 'Processing fee, tax and charges, deducted from the loan',
  DUE: 'Interest',
  PENALTY: 'Penal charge',
  RECEIPT: 'Payment received, thank you',
  REVERSAL: 'Reversal of an earlier entry',
  AMENDMENT: 'Change to the schedule',
  SET_OFF: 'Credit balance used',
  FEE_RETURN: 'Processing fee and tax refunded',
  REFUND: 'Refund to your account',
  WAIVER: 'Waived',
  SETTLEMENT: 'Given up by the settlement',
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
    issuedOn: 'Date',
    disbursed: 'Paid out on',
    amount: 'Loan amount',
    status: 'Account',
    year: 'Financial year',
    version: 'Version of the schedule',
    payTo: 'Account for transfers, with the loan number in the remarks',
  },
  inRupees: 'All amounts are in Indian rupees (₹).',
  statement: {
    head: ['Date', 'Particulars', 'Added', 'Paid or deducted', 'Balance'],
    particulars,
    installment: (number: number) => `, instalment ${number}`,
    summary: 'Outstanding today',
    lines: 'Transactions',
    parts: ['Principal', 'Interest due', 'Penal charges', 'Other charges', 'Total outstanding', 'Of which overdue'],
    unapplied: 'Refundable to you',
    notes: [
      'Interest accrues daily on the principal and is added here when it falls due. A negative balance is money that we hold for you.',
      'Please tell us within 30 days if an entry is wrong.',
    ],
  },
  schedule: {
    head: ['No.', 'Due on', 'Principal', 'Interest', 'Charges', 'Instalment', 'Paid', 'State'],
    total: 'Total',
    states: { DUE: 'Due', PART_PAID: 'Part paid', PAID: 'Paid', OVERDUE: 'Overdue' },
    note: 'A part payment changes the schedule from the day it arrives; ask for a new schedule then. Penal charges, if any, are due in addition to the instalment and are listed in the statement of account.',
  },
  sanction: {
    greeting: (name: string) => `Dear ${name},`,
    opening: 'We are pleased to tell you that your loan has been sanctioned on the terms below, which you accepted.',
    terms: 'Terms of the sanction',
    rows: {
      amount: 'Sanctioned amount',
      rate: 'Annual interest rate, fixed, on the reducing balance',
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
      `${count} weekly instalments of ${amount}${last === amount ? '' : `, the last one ${last}`}`,
    days: (days: number) => `${days} days from the payout`,
    conditions: 'Conditions',
    conditionList: [
      'The amount is paid to your own bank account once your identity is verified, the mandate is active and the agreement is signed.',
      'The key facts statement and the loan agreement apply; this letter adds no charge to them.',
      'You may repay early, in part or in full, free of charge.',
    ],
    closing: 'Yours faithfully,',
  },
  noDues: {
    opening: (account: string) => `We certify that the loan under account ${account} is closed.`,
    settled: (on: string, amount: string) =>
      `Status: settled. The loan was settled on ${on} for ${amount}, which is less than the amount owed. Credit information companies show it as settled.`,
    body: 'On the date of this certificate nothing is outstanding under it: no principal, no interest, no penal charges and no other charges. We have no claim against the borrower under this loan.',
  },
  closure: {
    opening: (name: string) => `Dear ${name},`,
    body: (on: string) => `Your loan was repaid and closed on ${on}. We thank you for your trust.`,
    settled: (on: string, amount: string) =>
      `Your loan was settled for ${amount} and closed on ${on}. We gave up the rest and claim nothing more. Credit information companies show the loan as settled.`,
    rows: {
      repaid: 'Total repaid',
      principal: 'Principal',
      interest: 'Interest',
      penalty: 'Penal charges',
      other: 'Other charges',
    },
    next: 'What happens next',
    steps: [
      'We debit no more instalments.',
      'We report the closure to the credit information companies.',
      'Keep this letter and the no-dues certificate.',
    ],
    refund: (amount: string) =>
      `${amount} that you paid in excess is refunded to the account that the loan was paid to.`,
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
    note: 'Payments that the bank reversed are not counted. This certificate is for your tax return; it does not state what is outstanding.',
  },
  signature: 'This document was generated by our systems and is valid without a signature.',
  grievance: (officer: string) => `Questions and complaints: ${officer}`,
}
