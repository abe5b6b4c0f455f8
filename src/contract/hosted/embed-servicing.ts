// What a borrower can do on the hosted page once the loan is paid out: pay a missed instalment, pay part early, close the loan.

import { Money } from '#contract/atoms.ts'
import { borrowerRequests } from '#contract/console/complaint-lists.ts'
import { maybe } from '#contract/hosted/profile.ts'
import { Words } from '#contract/reason/reason.ts'
import { Closed, Nullable, OneOf, type Static, Type } from '#kit/http/schema.ts'

/** OVERDUE can be paid on the page; CLOSED was settled by another payment. */
const installmentStatuses = ['NOT-DUE', 'DUE', 'OVERDUE', 'PAID', 'CLOSED'] as const
export type InstallmentStatus = (typeof installmentStatuses)[number]

const paymentKinds = ['FORECLOSURE', 'PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT'] as const
export type PaymentKind = (typeof paymentKinds)[number]

const EmbedInstallment = Closed({
  serialNumber: Type.Integer(),
  amount: Money,
  dueOn: Type.String(),
  status: OneOf([...installmentStatuses]),
})

/** One payment that was asked for. Only the lender makes it PAID. */
export const EmbedPayment = Closed({
  operationId: Type.String(),
  kind: OneOf([...paymentKinds]),
  status: OneOf(['REQUESTED', 'LINK_READY', 'PAID', 'FAILED', 'EXPIRED']),
  /** What the lender asks for; null until it has answered. */
  amount: Nullable(Money),
  /** The lender's payment page while it can be paid. */
  redirectUrl: Nullable(Type.String()),
  /** Why it came to nothing. */
  problem: Nullable(Words),
})
export type EmbedPayment = Static<typeof EmbedPayment>

/** POST /api/embed/servicing/{kind}; `status` asks the lender for the loan's state. */
export const servicingPaths = ['foreclosure', 'pre-part-payment', 'missed-emi-payment', 'status'] as const
export type ServicingPath = (typeof servicingPaths)[number]

/** `amount` is needed to pay part early, in whole rupees, and means nothing otherwise. */
export const EmbedServicingRequest = Closed({
  amount: maybe(
    Type.String({ pattern: '^[1-9]\\d{0,9}(?:\\.00)?$', 'x-says': 'must be a whole positive amount in rupees' }),
  ),
})
export type EmbedServicingRequest = Static<typeof EmbedServicingRequest>

/** What is owed, by the lender's own account; what is nothing is left out. */
export const EmbedDues = Closed({
  /** The outstanding total, the overdue part of it, and penal charges. */
  part: OneOf(['outstanding', 'overdue', 'penalCharges']),
  amount: Money,
})
export type EmbedDues = Static<typeof EmbedDues>

/** Leaving a loan within the cooling-off period. */
export const EmbedLeave = Closed({
  /** The last day, as a date. */
  until: Type.String(),
  /** Whether how it is done is agreed with the lender: the borrower asks here, and pays within three days. */
  agreed: Type.Boolean(),
  /** The cost today; null when only the lender can compute it. */
  cost: Nullable(Closed({ days: Type.Integer(), principal: Money, interest: Money, feeReturned: Money, total: Money })),
})
export type EmbedLeave = Static<typeof EmbedLeave>

/** What a lender gives a borrower to keep, by the network's codes; anything else goes by the name that it has there. */
export const loanDocuments = ['LOAN_AGREEMENT', 'SANCTION_LETTER', 'LOAN_CANCELLATION'] as const

/** What is made of the lender's figures for the borrower to take along. */
export const loanPapers = ['statement', 'schedule'] as const
export type LoanPaper = (typeof loanPapers)[number]
/** What the view has of a loan: its instalments, how it may end or change, and payments outside its plan. */
export const embedLoanParts = {
  installments: Type.Array(EmbedInstallment),
  /** What is owed; empty where the lender does not tell its account, and where nothing is. */
  owed: Type.Array(EmbedDues),
  /** The end of the cooling-off period, and its cost today; null after it. */
  leave: Nullable(EmbedLeave),
  /** Papers of the running loan from the lender's figures: their addresses, valid for a day; empty without figures. */
  papers: Type.Array(Closed({ name: OneOf([...loanPapers]), url: Type.String() })),
  /** What the lender has given the borrower to keep: the agreement, the sanction, how to leave the loan. */
  documents: Type.Array(Closed({ code: Nullable(OneOf([...loanDocuments])), name: Type.String(), url: Type.String() })),
  /** What is still to be paid as a calendar file: where it is, good for a day; null where nothing is. */
  reminders: Nullable(Type.String()),
  /** Whether the loan can be closed early from this page; else the lender is asked for a quote. */
  closesHere: Type.Boolean(),
  /** What the lender can be asked for in writing now, because its interface has no message for it. */
  requests: Type.Array(OneOf(borrowerRequests)),
  /** Payments asked for after disbursal, the newest of each kind. */
  servicing: Type.Array(EmbedPayment),
}
