// English texts about complaints for staff and lenders; texts for borrowers are in `text/*.json`.
import type { ComplaintCategory, PartPaymentKeeps } from '@lendloom/wire/console/complaint-lists'

export const categoryNames: Record<ComplaintCategory, string> = {
  CHARGES: 'Interest or a charge',
  REPAYMENT: 'A payment or an instalment',
  MONEY: 'The payout',
  DOCUMENTS: 'A document',
  CONDUCT: 'Conduct towards the borrower',
  COOLING_OFF: 'Cancelling the loan in its cooling-off period',
  PART_PAYMENT: 'Effect of a part payment',
  CLOSING_AMOUNT: 'The amount to repay the whole loan',
  CANCELLATION: 'Stopping the application before the payout',
  PRIVACY: 'Personal data',
  APP: 'The app or the page',
  OTHER: 'Something else',
}

/** Mails to the grievance officer of a lender that receives complaints only by mail. */
export const lenderMail = {
  subject: '{Matter} {number} about one of your loans: {category}',
  reminderSubject: 'Reminder: {matter} {number} about one of your loans: {category}',
  escalatedSubject: 'Escalated: {matter} {number} about one of your loans',
  text: `To {officer}, {lender}

One of your borrowers has sent us, the platform on which they took the loan, a {matter}.

{Matter}: {number}
About: {category}
Received: {received}
Loan: {loan}
Borrower: {name}, {mobile}
{deadline}
In the borrower's words{language}:

{message}

{request}Please answer this email. We store your answer with the {matter}.

{from}
Grievance officer of Lendloom, {phone}`,
  escalated: `To {officer}, {lender}

{Matter} {number}, which we sent you on {received}, is not resolved. It is now escalated. Please reply to this email by {limit}: after that, the borrower can complain to the Reserve Bank's ombudsman.

In the borrower's words{language}:

{message}

{from}
Nodal officer of Lendloom, {phone}`,
}

/** What the lender does for a request, before "Please answer this email". */
export const lenderTasks: Partial<Record<ComplaintCategory, string>> = {
  COOLING_OFF: `Until the end of the cooling-off period the borrower may cancel without a charge. Please record the cancellation in your system with the number above, and send the borrower the amount, the account and the last day for the payment.`,
}

/** Instead of the task, for an exit whose price the borrower knows or has paid. */
export const exitTasks = {
  acknowledgedExit: `Please record the cancellation in your system at once, with the number above. We sent the borrower the amount and your account, and the last day for the payment, {payBy}. Without the record, the payment may be posted as a repayment.`,
  acknowledgedPaid: `The borrower has already paid {payment}, which you hold. Please record the cancellation in your system at once, with the number above: without the record, the payment is posted as a repayment.`,
  acknowledgedBooked: `The borrower has already paid {payment}, which you posted as a repayment. Please record the cancellation in your system, with the number above and the day of the request: this corrects the posting. We asked the borrower to pay nothing more until you answer.`,
  unpaid: `The borrower paid {payment} on {paidOn}, after the last day for the payment, {payBy}. It counts as a repayment.`,
}

export const partPaymentText: Record<PartPaymentKeeps, string> = {
  INSTALLMENT: 'Requested: part payment of {amount} with the same instalment and a shorter term.',
  TERM: 'Requested: part payment of {amount} with the same term and smaller instalments.',
}

export const staffMail = {
  FIRST_ANSWER: '{Matter} {number} has no answer yet; the first answer was due {due}.',
  REMINDER: '{Matter} {number} must be resolved by {due}.',
  RESOLUTION: '{Matter} {number} was not resolved by {due} and is escalated to the nodal officer.',
  LIMIT: '{Matter} {number} was not resolved within 30 days. The borrower was informed of the ombudsman.',
  UNRECORDED:
    'The lender has the payment for {matter} {number}, but has neither recorded the cancellation nor answered. We have reminded the lender. To be resolved by {due}.',
  subject: '{Matter} {number}: {summary}',
  summaries: {
    FIRST_ANSWER: 'no first answer yet',
    REMINDER: 'due soon',
    RESOLUTION: 'escalated',
    LIMIT: 'past 30 days',
    UNRECORDED: 'paid, but not recorded',
    NODAL: 'escalated to you',
  },
  link: 'Open it at {link}',
}

export const unknownValue = 'not known'
