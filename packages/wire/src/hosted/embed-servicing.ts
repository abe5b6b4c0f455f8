// Hosted page after the disbursal: missed instalments, prepayments, foreclosure, cooling-off exit, loan documents.

import { Closed, Nullable, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Words } from '@lendloom/lending/reason/reason'
import { Money, Text, WholeRupees } from '#wire/basic-schemas.ts'
import { borrowerRequests, complaintOrigins } from '#wire/console/complaint-lists.ts'

/** OVERDUE can be paid on the page; PENDING is covered by a reported payment; CLOSED was settled by another payment. */
const installmentStatuses = ['NOT-DUE', 'DUE', 'OVERDUE', 'PENDING', 'PAID', 'CLOSED'] as const
export type InstallmentStatus = (typeof installmentStatuses)[number]

const paymentKinds = ['FORECLOSURE', 'PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT'] as const
export type PaymentKind = (typeof paymentKinds)[number]

const EmbedInstallment = Closed({
  serialNumber: Type.Integer(),
  amount: Money,
  dueOn: Type.String(),
  status: OneOf([...installmentStatuses]),
})

const Parts = Type.Array(Closed({ part: OneOf(['instalment', 'principal', 'interest', 'charges']), amount: Money }))

/** A requested payment. Only the lender sets it to PAID. */
export const EmbedPayment = Closed({
  operationId: Type.String(),
  kind: OneOf([...paymentKinds]),
  /** When the borrower asked for it. */
  askedAt: Text,
  /** When the request ends at the latest if it is not paid; null for a transfer, and once it has ended. */
  unpaidUntil: Nullable(Text),
  status: OneOf(['REQUESTED', 'LINK_READY', 'PAID', 'FAILED', 'EXPIRED']),
  /** The lender's amount, or what was asked for if the lender refused; null until the lender has answered. */
  amount: Nullable(Money),
  /** The components of the amount; empty unless the lender reports them. */
  parts: Parts,
  /** The fees that were deducted from the payout and that the lender does not refund after a cancellation. */
  keptFees: Nullable(Money),
  /** The lender's payment page while it can be paid; with `payTo`, our page for reporting the transfer, also again. */
  redirectUrl: Nullable(Type.String()),
  /** The account for a transfer to a lender without a payment page, empty if unknown; null for other lenders. */
  payTo: Nullable(Text),
  /** What the borrower reported, and the day by which the lender usually has verified it; null without a report. */
  claim: Nullable(Closed({ reference: Text, paidOn: Text, resultBy: Text })),
  /** Until when the lender is asked often, because the borrower says that it is paid; null unless the borrower says so. */
  check: Nullable(Closed({ until: Text, isOver: Type.Boolean() })),
  /** The interest that a part payment saves, by the lender's schedules; null if they do not tell it. */
  saved: Nullable(Money),
  problem: Nullable(Words),
})
export type EmbedPayment = Static<typeof EmbedPayment>

/** POST /api/embed/servicing/{kind}; `status` asks the lender for the loan's state, `exit-price` what leaving costs. */
export const servicingPaths = ['foreclosure', 'pre-part-payment', 'missed-emi-payment', 'status', 'exit-price'] as const
export type ServicingPath = (typeof servicingPaths)[number]

/**
 * `amount`, in whole rupees, is required for a prepayment and ignored otherwise. `exitPrice`: the price of leaving that
 * the page showed, required for a foreclosure if the lender stated one today; it is refused if the price is another.
 */
export const EmbedServicingRequest = Closed({
  amount: Type.Optional(WholeRupees),
  exitPrice: Type.Optional(Money),
})
export type EmbedServicingRequest = Static<typeof EmbedServicingRequest>

export const EmbedRatingRequest = Closed({ value: Type.Integer({ minimum: 1, maximum: 5 }) })

/** Dues in the lender's account, without zero amounts; `planned` is the sum of unpaid instalments without an account. */
export const EmbedDues = Closed({
  part: OneOf([
    'principal',
    'interest',
    'penalCharges',
    'charges',
    'outstanding',
    'overdue',
    'late',
    'today',
    'planned',
  ]),
  amount: Money,
})
export type EmbedDues = Static<typeof EmbedDues>

export const EmbedLeave = Closed({
  /** The day in India by our clock, which the borrower's may differ from. */
  today: Text,
  until: Type.String(),
  /** The lender's account for the payment, within three days of the request; null where the lender states it. */
  account: Nullable(Text),
  payBy: Nullable(Text),
  /** The cost today, less what is paid; null when nothing is left to pay, or only the lender can compute it. */
  cost: Nullable(
    Closed({
      days: Type.Integer(),
      principal: Money,
      interest: Money,
      feeReturned: Money,
      paid: Nullable(Money),
      total: Money,
    }),
  ),
})
export type EmbedLeave = Static<typeof EmbedLeave>

export const EmbedReceipt = Closed({
  id: Text,
  kind: OneOf(['INSTALLMENT', ...paymentKinds]),
  /** The number of the paid instalment; null for several instalments, and for other payments. */
  serialNumber: Nullable(Type.Integer()),
  amount: Money,
  /** The day of the payment; null if the lender reports only that the instalment is paid. */
  paidOn: Nullable(Text),
  status: OneOf(['PAID', 'PENDING', 'MISSING', 'FAILED', 'REVERSED']),
  reference: Nullable(Text),
  problem: Nullable(Words),
  /** A link that is valid for a day; null without a document. */
  url: Nullable(Text),
})
export type EmbedReceipt = Static<typeof EmbedReceipt>

export const EmbedExitRequest = Closed({
  number: Text,
  at: Text,
  origin: OneOf(complaintOrigins),
  answered: Type.Boolean(),
  /** The last day of an exit that was not paid in time, or not requested in time; null while it is possible. */
  missedOn: Nullable(Text),
  /** What the lender received after `missedOn`, and the day of the last payment. */
  paidLate: orNull(Closed({ amount: Text, on: Text })),
})
export type EmbedExitRequest = Static<typeof EmbedExitRequest>

export const EmbedWrittenRequest = Closed({
  category: OneOf(borrowerRequests),
  at: Text,
  /** Until when the borrower gets an answer; null once it is answered. */
  dueAt: Nullable(Text),
  /** Whether the borrower has an answer or a question to read. */
  answered: Type.Boolean(),
})
export type EmbedWrittenRequest = Static<typeof EmbedWrittenRequest>

/** The lender's documents for a borrower by network code; a document without a code has only a name. */
export const loanDocuments = ['LOAN_AGREEMENT', 'SANCTION_LETTER', 'LOAN_CANCELLATION'] as const

export const loanPapers = ['statement', 'schedule'] as const
export type LoanPaper = (typeof loanPapers)[number]
export const embedLoanParts = {
  /** The day in India by our clock, which the borrower's may differ from. */
  today: Text,
  /** Whether the loan was paid out today. */
  justPaidOut: Type.Boolean(),
  /** The day on which the loan was repaid or cancelled; null before that. */
  closedOn: Nullable(Text),
  loanNumber: Nullable(Text),
  payoutReference: Nullable(Text),
  /** The amount of a due instalment that the borrower can pay on the page. */
  payNow: Nullable(Money),
  /** Why the bank returned the last debit of the instalment that is due; null without one. */
  debitFailed: Nullable(Words),
  /** Payments, newest first; at most fifty. */
  receipts: Type.Array(EmbedReceipt),
  exitRequest: Nullable(EmbedExitRequest),
  /** Transfers that reach the price of a cancellation, until the lender has decided how it books them. */
  exitHeld: Nullable(Money),
  /** Transfers that reach the price of a cancellation, and that the lender has posted as repayments. */
  exitBooked: Nullable(Money),
  /** OPEN: the borrower has asked to cancel the loan in its cooling-off period. DONE: the loan is closed because of it. */
  cancellation: Nullable(OneOf(['OPEN', 'DONE'])),
  /** The newest written request of each kind that is not closed. */
  requested: Type.Array(EmbedWrittenRequest),
  /** Whether a complaint filed under help has an answer or a question for the borrower. */
  complaintAnswered: Type.Boolean(),
  complaintOpen: Type.Boolean(),
  installments: Type.Array(EmbedInstallment),
  /** Empty if the lender does not report its account, or nothing is due. */
  owed: Type.Array(EmbedDues),
  /** The end of the cooling-off period, and its cost today; null after it. */
  leave: Nullable(EmbedLeave),
  /** The lender's price for leaving today; null for a lender that states it only after the request. */
  exitPrice: Nullable(
    Closed({
      state: OneOf(['ASKABLE', 'ASKED', 'STATED']),
      amount: Nullable(Money),
      parts: Parts,
      account: Nullable(Text),
      keptFees: Nullable(Money),
    }),
  ),
  /** The lender's page for following the payout; null without one, and after the payout. */
  tracking: Nullable(Text),
  /** Whether the borrower may rate the loan, and the rating that was given; null for a lender that receives none. */
  rating: Nullable(Closed({ given: Nullable(Type.Integer()) })),
  /** Links to generated documents, valid for a day; empty without the lender's figures. */
  papers: Type.Array(Closed({ name: OneOf([...loanPapers]), url: Type.String() })),
  documents: Type.Array(Closed({ code: Nullable(OneOf([...loanDocuments])), name: Type.String(), url: Type.String() })),
  /** The address of the calendar file of due dates, valid for a day; null without dues. */
  reminders: Nullable(Type.String()),
  /** Whether the lender takes payments outside the schedule here, also of a credit line; otherwise at its own place. */
  paysHere: Type.Boolean(),
  /** Whether the page offers an early closure; otherwise we request a quote from the lender. */
  closesHere: Type.Boolean(),
  /** Written requests that the borrower may send, because the lender's interface has no message for them. */
  requests: Type.Array(OneOf(borrowerRequests)),
  /** The newest of each kind. */
  servicing: Type.Array(EmbedPayment),
}
