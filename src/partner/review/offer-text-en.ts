// The words of an offer's key facts statement and terms, as the lender publishes them.

export const english = {
  /** By the format that the regulator asks for. */
  keyFacts: {
    title: 'Key facts statement',
    download: 'Download as PDF',
    parts: {
      terms: 'Part 1: interest rate, fees and charges',
      assurances: 'Part 2: other qualitative information',
      computation: 'Computation of the APR',
      schedule: 'Repayment schedule',
    },
    scheduleHead: ['Week', 'Outstanding principal', 'Principal', 'Interest', 'Instalment'],
    proposal: (of: { offerId: string; version: number; madeOn: string; validUntil: string }) =>
      `Proposal ${of.offerId}, version ${of.version}, made on ${of.madeOn}. The lender is bound by it until ${of.validUntil}.`,

    loan: {
      proposal: 'Loan proposal number and type of loan',
      proposalOf: (offerId: string) => `${offerId}; business loan, unsecured`,
      amount: 'Sanctioned loan amount',
      disbursal: 'Disbursal schedule',
      atOnce: '100 % upfront, to your own bank account, after the agreement is signed',
      term: 'Loan term',
      weeks: (count: number) => `${count} weeks`,
      instalments: 'Instalments',
      instalmentsOf: (count: number, amount: string, last: string) =>
        `${count} weekly instalments of ${amount}, the last one ${last}; the first is due seven days after disbursal`,
    },

    price: {
      rate: 'Interest rate and type',
      rateOf: (percent: string) => `${percent} % a year, fixed, on the reducing balance, by the day`,
      floating: 'Floating rate details',
      isFixed: 'Not applicable: the rate is fixed',
      fees: 'Fees and charges',
      feesOf: (fee: string, tax: string, other: string) =>
        `Payable to the lender, once: processing fee ${fee}, tax on it ${tax}, other charges ${other}. Payable to a third party through the lender: none`,
      apr: 'Annual percentage rate (APR)',
      percent: (value: string) => `${value} %`,
      contingent: 'Contingent charges',
      noPenalty: 'No penal charges; foreclosure and part payment free of charge',
      penalty: (of: { percent: number; graceDays: number; everyDays: number; most: number }) =>
        `Penal charges of ${of.percent} % of the unpaid instalment, from ${of.graceDays} days after its due date and every ${of.everyDays} days, ${of.most} times at most, never on penal charges; foreclosure and part payment free of charge`,
    },

    assurances: {
      recovery: 'Recovery agents',
      recoveryOf: 'None at sanction. Before one contacts you, you are told its name and contact details.',
      redressal: 'Grievance redressal',
      redressalOf:
        'Write or call the grievance officer. If you have no answer within 30 days, you may complain at cms.rbi.org.in.',
      officer: 'Nodal grievance redressal officer',
      transfer: 'Transfer or securitisation',
      transferOf: 'The loan may be transferred or securitised; your terms stay the same.',
      coLending: 'Co-lending',
      alone: 'None: the lender lends alone',
      coolOff: 'Cooling-off period',
      coolOffOf: (days: number) =>
        `${days} days from disbursal: repay the principal and the interest for the days you had it, without penalty; the processing fee and the tax on it are given back, and the mandate is cancelled`,
    },

    computation: {
      amount: 'Sanctioned loan amount',
      count: 'Number of instalments',
      regular: 'Regular instalment',
      interest: 'Total interest',
      fees: 'Fees and charges, tax included',
      net: 'Net disbursed amount',
      total: 'Total to be paid',
      apr: 'Annual percentage rate',
      aprOf: (value: string) => `${value} %, with the tax on the fee counted as a cost`,
    },
  },

  terms: {
    title: 'Terms of the loan',
    /** What stands before and behind the link to the key facts. */
    lead: (proposal: string): [string, string] => [
      `${proposal} The amounts, the rate and every charge are in the `,
      ', which is part of these terms.',
    ],
    keyFacts: 'key facts statement',
    conditions: [
      'The lender pays the net amount to your own bank account once the agreement is signed and the mandate is active. Interest runs from the day of the transfer.',
      'You repay in weekly instalments by the mandate that you give. A debit that the bank returns leaves the instalment unpaid; nothing but the charges in the key facts statement may be asked for it.',
      'You may repay early, in part or in whole, at any time. What you pay goes to the oldest instalment first: penal charges, other charges, interest, principal. What is more than the next instalment repays principal on the day it comes, and no interest runs on that part from then on. You keep the same instalment and finish sooner, unless you tell us to keep the term and lower the instalment.',
      'Within the cooling-off period you may leave the loan by repaying the principal and the interest for the days you had it; the processing fee and the tax on it are taken off what you repay.',
      'Your data is used to decide on and to service this loan, as you agreed. You may ask what is kept, and withdraw a consent for the future.',
    ],
  },
}

export type OfferTexts = typeof english
