// English texts for staff and lenders about a complaint; `text` has those for borrowers.
import type { ComplaintCategory, PartPaymentKeeps } from '#contract/console/complaint-lists.ts'

/** Complaint categories for staff and lenders. */
export const categoryNames: Record<ComplaintCategory, string> = {
  CHARGES: 'Interest or a charge',
  REPAYMENT: 'A payment or an instalment',
  MONEY: 'The payout',
  DOCUMENTS: 'A document',
  CONDUCT: 'How the borrower was treated',
  COOLING_OFF: 'Leaving the loan within the cooling-off period',
  PART_PAYMENT: 'What a part payment leaves as it was',
  CANCELLATION: 'Stopping the application before the payout',
  PRIVACY: 'Personal data',
  APP: 'The app or the page',
  OTHER: 'Something else',
}

/** For the grievance officer of a lender without another channel. */
export const lenderMail = {
  subject: 'Complaint {number} about a loan of yours',
  escalatedSubject: 'Escalated: complaint {number} about a loan of yours',
  text: `To {officer}, {lender}

A borrower of yours has complained to us, the platform through which the loan was taken.

Complaint: {number}
About: {category}
Received: {received}
Loan: {loan}
Borrower: {name}, {mobile}
To be resolved by: {resolution}

In the borrower's words:

{words}

Please answer this e-mail: what you write is kept with the complaint. We tell the borrower.

{from}
Grievance officer of Lendloom, {phone}`,
  escalated: `To {officer}, {lender}

Complaint {number}, which we sent you on {received}, is not resolved. It is now escalated: please answer this e-mail by {limit}, when the borrower may turn to the Reserve Bank's ombudsman.

In the borrower's words:

{words}

{from}
Nodal officer of Lendloom, {phone}`,
}

/** The details of a part payment, above the borrower's text. */
export const partPaymentText: Record<PartPaymentKeeps, string> = {
  INSTALLMENT: 'Asked for: part payment of {amount}, the instalment stays the same and there are fewer of them.',
  TERM: 'Asked for: part payment of {amount}, the term stays the same and every instalment is smaller.',
}

/** To our own officers. */
export const staffMail = {
  FIRST_ANSWER: 'Complaint {number} has had no answer; its first answer was due {due}.',
  REMINDER: 'Complaint {number} is to be resolved by {due}.',
  RESOLUTION: 'Complaint {number} was not resolved by {due} and is escalated to the nodal officer.',
  LIMIT: 'Complaint {number} was not resolved within 30 days. The borrower was told of the ombudsman.',
  subject: 'Complaint {number}: {what}',
  what: {
    FIRST_ANSWER: 'no first answer yet',
    REMINDER: 'due soon',
    RESOLUTION: 'escalated',
    LIMIT: 'past 30 days',
    NODAL: 'escalated to you',
  },
  link: 'It is at {link}',
}

/** Shown for a value that a mail or a mirrored complaint lacks. */
export const notKnown = 'not known'
