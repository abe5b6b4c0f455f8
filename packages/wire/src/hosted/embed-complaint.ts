// Hosted page: a borrower reads, opens, extends, judges and withdraws complaints.

import { Closed, Nullable, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { languages } from '@lendloom/lending/language'
import { Text } from '#wire/basic-schemas.ts'
import {
  complaintCategories,
  complaintEvents,
  complaintOutcomes,
  complaintStatuses,
  entryKinds,
  partPaymentKeeps,
} from '#wire/console/complaint-lists.ts'
import { EmbedViewReply } from './embed-view.ts'

const Officer = Closed({ name: Text, email: Text, phone: Text })

export const EmbedComplaintEntry = Closed({
  at: Text,
  by: OneOf(['BORROWER', 'OFFICER', 'LENDER', 'SYSTEM']),
  kind: OneOf(entryKinds),
  code: orNull(OneOf(complaintEvents)),
  text: Text,
  /** An event's values: a lender, another number. */
  values: Type.Record(Type.String(), Type.String()),
  files: Type.Array(Text),
})
export type EmbedComplaintEntry = Static<typeof EmbedComplaintEntry>

export const EmbedComplaint = Closed({
  id: Text,
  number: Text,
  category: OneOf(complaintCategories),
  status: OneOf(complaintStatuses),
  /** The responsible lender; null if the platform is responsible. */
  lender: orNull(Text),
  receivedAt: Text,
  /** The next deadline for an answer or resolution; null when nothing is pending. */
  dueAt: orNull(Text),
  overdue: Type.Boolean(),
  /** Of an open request to cancel a loan: the last day for the payment, and whether only the payment is open. */
  exit: orNull(Closed({ payBy: Text, state: OneOf(['PAY', 'MISSED', 'PAID']) })),
  outcome: orNull(OneOf(complaintOutcomes)),
  escalated: Type.Boolean(),
  /** Whether the borrower may contact the regulator's ombudsman. */
  ombudsman: Type.Boolean(),
  /** Whether the borrower may add a message; a message to an ended complaint reopens it. */
  mayAdd: Type.Boolean(),
  mayJudge: Type.Boolean(),
  mayWithdraw: Type.Boolean(),
  entries: Type.Array(EmbedComplaintEntry),
})
export type EmbedComplaint = Static<typeof EmbedComplaint>

/** The newest first. */
export const EmbedComplaints = Closed({
  officer: Officer,
  nodal: Officer,
  /** The chosen lender, which is responsible for complaints about the loan. */
  lender: Nullable(Text),
  items: Type.Array(EmbedComplaint),
})
export type EmbedComplaints = Static<typeof EmbedComplaints>
export const EmbedComplaintsReply = Closed({ complaints: EmbedComplaints })
export const EmbedComplaintReply = Closed({ ...EmbedViewReply.properties, complaints: EmbedComplaints })
export type EmbedComplaintReply = Static<typeof EmbedComplaintReply>

const MessageText = Type.String({ minLength: 1, maxLength: 8000 })

/** POST /api/embed/complaints: in a form, with files beside it. */
export const EmbedComplaintRequest = Closed({
  category: OneOf(complaintCategories),
  text: MessageText,
  language: OneOf(languages),
  /** For `PART_PAYMENT`: the amount in whole rupees, and what the prepayment leaves unchanged. */
  partPayment: Type.Optional(
    Closed({
      amount: Type.String({ pattern: '^[1-9]\\d{0,9}$', 'x-says': 'must be a whole positive amount in rupees' }),
      keep: OneOf(partPaymentKeeps),
    }),
  ),
})
/** POST /api/embed/complaints/{complaintID}/words */
export const EmbedComplaintWords = Closed({ text: MessageText })
/** POST /api/embed/complaints/{complaintID}/judge */
export const EmbedComplaintJudgement = Closed({ settled: Type.Boolean() })
/** POST /api/embed/complaints/{complaintID}/withdraw */
export const EmbedComplaintWithdrawal = Closed({})
