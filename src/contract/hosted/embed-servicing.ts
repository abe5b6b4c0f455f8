// The borrower's acts after the payout: paying a missed instalment, paying part early, closing the loan.

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
  /** The lender's amount; null until it has answered. */
  amount: Nullable(Money),
  /** The lender's payment page while it can be paid. */
  redirectUrl: Nullable(Type.String()),
  /** Why it failed. */
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

/** The dues, by the lender's own account; zero ones are left out. */
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

/** A lender's documents for a borrower, by the network's codes; others have their own name. */
export const loanDocuments = ['LOAN_AGREEMENT', 'SANCTION_LETTER', 'LOAN_CANCELLATION'] as const

/** Papers that the platform makes from the lender's figures. */
export const loanPapers = ['statement', 'schedule'] as const
export type LoanPaper = (typeof loanPapers)[number]
/** The loan in the view: its instalments, options to end or change it, and payments outside its plan. */
export const embedLoanParts = {
  installments: Type.Array(EmbedInstallment),
  /** The dues; empty when the lender does not report its account, or nothing is due. */
  owed: Type.Array(EmbedDues),
  /** The end of the cooling-off period, and its cost today; null after it. */
  leave: Nullable(EmbedLeave),
  /** Papers of the running loan from the lender's figures: their addresses, valid for a day; empty without figures. */
  papers: Type.Array(Closed({ name: OneOf([...loanPapers]), url: Type.String() })),
  /** The lender's documents for the borrower: agreement, sanction, exit terms. */
  documents: Type.Array(Closed({ code: Nullable(OneOf([...loanDocuments])), name: Type.String(), url: Type.String() })),
  /** The address of the calendar file of due dates, valid for a day; null without dues. */
  reminders: Nullable(Type.String()),
  /** Whether the loan can be closed early from this page; else the lender is asked for a quote. */
  closesHere: Type.Boolean(),
  /** Requests to the lender in writing, for which its interface has no message. */
  requests: Type.Array(OneOf(borrowerRequests)),
  /** Payments asked for after disbursal, the newest of each kind. */
  servicing: Type.Array(EmbedPayment),
}
