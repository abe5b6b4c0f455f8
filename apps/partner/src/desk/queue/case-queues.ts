// The queues of cases that wait for a staff member, with their texts.

import { keysOf } from '@lendloom/foundation/record'

/** The queues in order of urgency. `why` completes "These cases …". */
export const caseQueues = {
  review: { label: 'Applications to review', why: 'are waiting for a decision', none: 'No applications to review.' },
  kyc: { label: 'KYC to review', why: 'need our own KYC review', none: 'No KYC to review.' },
  transfer: { label: 'Failed disbursements', why: 'could not be paid out', none: 'No failed disbursements.' },
  name: {
    label: 'Account names to verify',
    why: 'are waiting for a decision on whether the account is the borrower’s',
    none: 'No account names to verify.',
  },
  disburse: { label: 'Ready to disburse', why: 'have passed all checks', none: 'No loans are ready to disburse.' },
  hold: {
    label: 'Debits on hold',
    why: 'are not debited until a staff member releases them',
    none: 'No debits are on hold.',
  },
  overdue: { label: 'Overdue loans', why: 'have an overdue instalment', none: 'No overdue loans.' },
  exit: {
    label: 'Payments or cancellations',
    why: 'have a payment that would cancel the loan if the borrower asked for it',
    none: 'No payments wait for a decision.',
  },
  cancelling: {
    label: 'Cancellations to be paid',
    why: 'have a cooling-off cancellation and close as soon as the borrower repays the loan',
    none: 'No cancellations are waiting for money.',
  },
  claim: {
    label: 'Payment claims to verify',
    why: 'have a reported payment that the bank has not confirmed yet',
    none: 'No payment claims to verify.',
  },
} as const

export type CaseQueue = keyof typeof caseQueues
export const caseQueueNames = keysOf(caseQueues)
