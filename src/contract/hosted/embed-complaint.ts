// The borrower's acts on complaints of any kind on the hosted page: reading, opening, adding, judging the resolution.
import { Text } from '#contract/atoms.ts'
import {
  attachmentTypes,
  complaintCategories,
  complaintEvents,
  complaintStatuses,
  entryKinds,
  mostAttachments,
  partPaymentKeeps,
} from '#contract/console/complaint-lists.ts'
import { languages } from '#contract/language.ts'
import { Closed, Nullable, OneOf, orNull, type Static, Type } from '#kit/http/schema.ts'
import { EmbedViewReply } from './embed.ts'

const Officer = Closed({ name: Text, email: Text, phone: Text })

export const EmbedComplaintEntry = Closed({
  at: Text,
  by: OneOf(['BORROWER', 'OFFICER', 'LENDER', 'SYSTEM']),
  kind: OneOf(entryKinds),
  /** The event's code. */
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
  /** The lender that answers for it; null where the platform does. */
  lender: orNull(Text),
  receivedAt: Text,
  /** The next deadline for an answer or resolution; null when nothing is pending. */
  dueAt: orNull(Text),
  overdue: Type.Boolean(),
  escalated: Type.Boolean(),
  /** Whether the regulator's ombudsman may be turned to. */
  ombudsman: Type.Boolean(),
  /** Whether words may be added; after the end they open it again. */
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
  /** The lender that was chosen, which answers for what is about the loan. */
  lender: Nullable(Text),
  items: Type.Array(EmbedComplaint),
})
export type EmbedComplaints = Static<typeof EmbedComplaints>
export const EmbedComplaintsReply = Closed({ complaints: EmbedComplaints })
export const EmbedComplaintReply = Closed({ ...EmbedViewReply.properties, complaints: EmbedComplaints })
export type EmbedComplaintReply = Static<typeof EmbedComplaintReply>

/** Files with a message: bytes in base64. */
export const GivenFiles = Type.Optional(
  Type.Array(
    Closed({
      name: Type.String({ minLength: 1, maxLength: 200 }),
      type: OneOf([...attachmentTypes]),
      content: Type.String({ maxLength: 7_200_000, pattern: '^[A-Za-z0-9+/]*={0,2}$', 'x-says': 'must be base64' }),
    }),
    { maxItems: mostAttachments },
  ),
)
const Words = Type.String({ minLength: 1, maxLength: 8000 })

/** POST /api/embed/complaints */
export const EmbedComplaintRequest = Closed({
  category: OneOf(complaintCategories),
  text: Words,
  language: OneOf(languages),
  files: GivenFiles,
  /** With `PART_PAYMENT`: the amount in whole rupees, and what it keeps. */
  partPayment: Type.Optional(
    Closed({
      amount: Type.String({ pattern: '^[1-9]\\d{0,9}$', 'x-says': 'must be a whole positive amount in rupees' }),
      keep: OneOf(partPaymentKeeps),
    }),
  ),
})
/** POST /api/embed/complaints/{complaintID}/words */
export const EmbedComplaintWords = Closed({ text: Words, files: GivenFiles })
/** POST /api/embed/complaints/{complaintID}/judge */
export const EmbedComplaintJudgement = Closed({ settled: Type.Boolean() })
/** POST /api/embed/complaints/{complaintID}/withdraw */
export const EmbedComplaintWithdrawal = Closed({})
