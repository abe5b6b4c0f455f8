// What borrowers are written about a complaint, and what officers begin their answers with, in English; what only staff and lenders read.
import type { ComplaintCategory, ComplaintTemplate, PartPaymentKeeps } from '#contract/console/complaint-lists.ts'

export const borrowerTexts = {
  subject: 'Your complaint {number}',
  greeting: 'Dear {name},',
  greetingUnnamed: 'Dear borrower,',
  acknowledged: `We have your complaint. Its number is {number}: please keep it.

{officer} answers for it. You will have a first answer by {firstAnswer}, and we are to resolve it by {resolution}.

To add something, answer this e-mail.`,
  acknowledgedLender: `We have your complaint. Its number is {number}: please keep it.

It is about your loan, so we have passed it on to {lender} and see to it that you are answered: a first answer by {firstAnswer}, a resolution by {resolution}. On our side {officer} answers for it.

To add something, answer this e-mail.`,
  footer: `--
Complaint {number}. To add something, answer this e-mail.
Grievance officer: {officer}, {phone}`,
  signature: `{signer}
Lendloom`,
  resolvedFooter: `If this does not settle it, answer this e-mail by {reopen}: the complaint is then opened again, and you may also ask that it be taken to our nodal officer, {nodal}.`,
  escalated: `Your complaint {number} was not resolved in the time that we set ourselves, so it now lies with our nodal officer, {nodal}, {nodalPhone}, {nodalEmail}. We are sorry that it takes so long.`,
  escalatedByHand: `Your complaint {number} was taken to our nodal officer, {nodal}, {nodalPhone}, {nodalEmail}, who decides it.`,
  ombudsman: `You may now take complaint {number} to the Reserve Bank's ombudsman, under the Reserve Bank – Integrated Ombudsman Scheme, 2021: at https://cms.rbi.org.in, by telephone at 14448, or in writing to the Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017. It costs nothing. Your complaint is one about {lender} as the lender; please name our number {number}.`,
  ombudsmanPlatform: `You may now take complaint {number} to the Reserve Bank's ombudsman, under the Reserve Bank – Integrated Ombudsman Scheme, 2021: at https://cms.rbi.org.in, by telephone at 14448, or in writing to the Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017. It costs nothing. Please name our number {number}.`,
  closed: `Complaint {number} is closed. Should it come up again, answer this e-mail by {reopen}.`,
  lenderAnswers: '{lender} answers:',
  merged: `Your complaint {number} is about the same as {other}. We go on with both under {other}.`,
} as const
export type BorrowerText = keyof typeof borrowerTexts

export const templates: Record<ComplaintTemplate, string> = {
  WORKING: `We are looking into what you wrote. I expect to have an answer for you by {resolution}; should it take longer, I will say so before.`,
  ASK: `To go on I need one thing from you: 

Please answer this e-mail, or write on the page of your loan.`,
  SENT_TO_LENDER: `Your complaint is for {lender} to answer. We have passed it on with everything that you sent us, and ask every few days until it is answered. You will hear from us, not later than {resolution}.`,
  UPHELD: `You are right, and we are sorry. 

This is what was done about it: `,
  NOT_UPHELD: `We have looked at this with care, and it is as agreed: 

You may object to this by answering this e-mail.`,
  REFUND: `{lender} pays back ₹ to the account that instalments are taken from. It takes up to seven working days to arrive.`,
  PRIVACY: `This is what we keep of you, where it came from, and with whom it was shared: 

What the law lets us delete we have deleted.`,
  BLANK: '',
}

/** What a complaint is about, where staff and lenders read it. */
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

/** To the grievance officer of a lender that has no other way. */
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

/** What is asked for with a part payment, above the borrower's words. */
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

/** In place of what a mail or a mirrored complaint does not say. */
export const notKnown = 'not known'
