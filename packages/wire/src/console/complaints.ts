// Schemas of the console API: the complaint queue, a complaint with its thread, and officers' actions.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { uuidPattern } from '@lendloom/foundation/uuid'
import { languages } from '@lendloom/lending/language'
import { productIds } from '@lendloom/lending/product/products'
import { Count, Day, Id, Instant, InstantOrNull, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { statuses } from '#wire/hosted/lifecycle-status.ts'
import {
  complaintCategories,
  complaintEvents,
  complaintOrigins,
  complaintOutcomes,
  complaintRoutes,
  complaintStatuses,
  complaintTemplates,
  entryAuthors,
  entryKinds,
  escalationReasons,
} from './complaint-lists.ts'
import { RevealReason } from './mail.ts'
import { ListOfTenant, OfTenant } from './staff.ts'

const Category = OneOf(complaintCategories)
const Outcome = OneOf(complaintOutcomes)
const MessageText = Type.String({ minLength: 1, maxLength: 8000 })
const Version = Type.Integer({ minimum: 1 })

/** Filters of the queue; `state` is one status, `PENDING` (all pending) or `DONE` (all ended). */
const complaintFilters = {
  ...OfTenant.properties,
  state: Type.Optional(OneOf([...complaintStatuses, 'PENDING', 'DONE'])),
  due: Type.Optional(OneOf(['overdue', 'today', 'week'])),
  /** An id, `me`, or `none`. */
  assignee: Type.Optional(
    Type.String({ pattern: `^(?:me|none|${uuidPattern.slice(1, -1)})$`, 'x-says': 'must be me, none or an id' }),
  ),
  category: Type.Optional(Category),
  route: Type.Optional(OneOf(complaintRoutes)),
  /** A `party` from `ComplaintSetup.lenders`. */
  lender: Type.Optional(Type.String({ maxLength: 300 })),
  matched: Type.Optional(OneOf(['no'])),
  /** Only complaints escalated to the nodal officer. */
  escalated: Type.Optional(OneOf(['yes'])),
  /** Only complaints whose last message is the borrower's. */
  replied: Type.Optional(OneOf(['yes'])),
  journeyId: Type.Optional(Id),
  /** A complaint number in any spelling. */
  number: Type.Optional(Type.String({ maxLength: 40 })),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
}
export const ComplaintsQuery = Closed({
  ...complaintFilters,
  after: Type.Optional(Type.String({ maxLength: 300 })),
  limit: ListOfTenant.properties.limit,
})
export const ComplaintExportQuery = Closed(complaintFilters)

const listed = {
  /** Null while the complaint is unmatched. */
  tenantId: orNull(Id),
  complaintId: Id,
  number: Text,
  category: Category,
  status: OneOf(complaintStatuses),
  origin: OneOf(complaintOrigins),
  route: OneOf(complaintRoutes),
  /** Masked. */
  name: TextOrNull,
  /** Masked; the borrower's mail address; null when unknown. */
  email: TextOrNull,
  /** Masked: the subject of the first mail, or the start of the first message; null without one. */
  subject: TextOrNull,
  excerpt: TextOrNull,
  product: orNull(OneOf(productIds)),
  lender: TextOrNull,
  tenant: TextOrNull,
  assignee: orNull(Closed({ personId: Id, name: Text })),
  /** The next deadline; null when nothing is pending. */
  dueAt: InstantOrNull,
  overdue: Type.Boolean(),
  escalated: Type.Boolean(),
  /** When the borrower sent the last message without an answer, a note or a mark as seen; null without one. */
  repliedAt: InstantOrNull,
  /** The last day to pay for the requested cancellation; null for others. */
  exitPayBy: orNull(Day),
  /** When the request is closed if no payment is reported; null when nothing is pending. */
  exitEndsAt: InstantOrNull,
  unverified: Count,
  receivedAt: Instant,
  updatedAt: Instant,
}
export const ListedComplaint = Closed(listed)
export type ListedComplaint = Static<typeof ListedComplaint>

/** `lenderAnswered`: the complaint is pending, and its last message is the lender's, which is no question. */
const QueuedComplaint = Closed({ ...listed, lenderAnswered: Type.Boolean() })
export type QueuedComplaint = Static<typeof QueuedComplaint>

export const ComplaintCounts = Closed({
  pending: Count,
  overdue: Count,
  mine: Count,
  unassigned: Count,
  unmatched: Count,
  escalated: Count,
  replied: Count,
})
export type ComplaintCounts = Static<typeof ComplaintCounts>
/** `counts` are of all pending complaints, whatever the filters. */
export const ComplaintsReply = Closed({ items: Type.Array(QueuedComplaint), next: TextOrNull, counts: ComplaintCounts })
export type ComplaintsReply = Static<typeof ComplaintsReply>

/** Complaint officers and lenders. */
export const ComplaintSetup = Closed({
  assignees: Type.Array(Closed({ personId: Id, name: Text })),
  lenders: Type.Array(Closed({ party: Text, name: Text })),
})
export type ComplaintSetup = Static<typeof ComplaintSetup>

export const ComplaintParams = Closed({ complaintId: Id })
export const EntryParams = Closed({ complaintId: Id, entryId: Id })
export const FileParams = Closed({ complaintId: Id, entryId: Id, index: Type.String({ pattern: '^\\d$' }) })
export const MailParams = Closed({ complaintId: Id, mailId: Id })

const ComplaintFile = Closed({
  name: Text,
  type: Text,
  size: Count,
  /** False if the file was rejected, with the reason in `why`. */
  kept: Type.Boolean(),
  why: TextOrNull,
})

/** The delivery state of the mail that carries an entry. */
export const EntryMail = Closed({
  mailId: Id,
  state: OneOf(['QUEUED', 'SENT', 'FAILED']),
  tries: Count,
  nextTryAt: InstantOrNull,
  answer: TextOrNull,
})
export type EntryMail = Static<typeof EntryMail>

export const ThreadEntry = Closed({
  entryId: Id,
  at: Instant,
  author: OneOf(entryAuthors),
  kind: OneOf(entryKinds),
  code: orNull(OneOf(complaintEvents)),
  /** Whether the borrower sees it. */
  shown: Type.Boolean(),
  /** The staff member who wrote it. */
  person: TextOrNull,
  text: Text,
  subject: TextOrNull,
  /** Masked. */
  from: TextOrNull,
  values: Type.Record(Type.String(), Type.String()),
  files: Type.Array(ComplaintFile),
  mail: orNull(EntryMail),
})
export type ThreadEntry = Static<typeof ThreadEntry>

export const complaintActs = [
  'answer',
  'note',
  'assign',
  'categorize',
  'forward',
  'close',
  'reopen',
  'escalate',
  'merge',
  'match',
  'seen',
  'reveal',
] as const
export type ComplaintAct = (typeof complaintActs)[number]

const OfficerContact = Closed({ name: Text, email: Text, phone: Text })

export const ComplaintDetail = Closed({
  ...listed,
  version: Version,
  language: OneOf(languages),
  journeyId: orNull(Id),
  /** Masked. */
  mobile: TextOrNull,
  firstAnswerDueAt: Instant,
  resolutionDueAt: Instant,
  limitAt: Instant,
  firstAnsweredAt: InstantOrNull,
  resolvedAt: InstantOrNull,
  closedAt: InstantOrNull,
  escalatedAt: InstantOrNull,
  escalatedBecause: orNull(OneOf(escalationReasons)),
  ombudsmanAt: InstantOrNull,
  outcome: orNull(Outcome),
  satisfied: orNull(Type.Boolean()),
  reopened: Count,
  mergedInto: orNull(Closed({ complaintId: Id, number: Text })),
  /** Of an open request to cancel a loan whose price is known: its last day for the payment, and what has arrived. */
  exit: orNull(
    Closed({
      payBy: Day,
      payment: OneOf(['AWAITED', 'HELD', 'POSTED', 'LATE']),
      received: TextOrNull,
      /** What was left to pay on the day of the request; null once it is paid. */
      amount: TextOrNull,
      /** The day of the last payment, if it came after the last day. */
      paidLateOn: orNull(Day),
    }),
  ),
  /** The lender's progress over the network. */
  grievanceStatus: TextOrNull,
  officers: Closed({
    platform: Closed({ officer: OfficerContact, nodal: OfficerContact }),
    lender: orNull(Closed({ officer: OfficerContact, nodal: OfficerContact })),
  }),
  thread: Type.Array(ThreadEntry),
  /** The acts that the caller may perform now. */
  acts: Type.Array(OneOf(complaintActs)),
  /** While the complaint is unmatched: journeys of the mobile numbers in its text, which the sender did not prove. */
  suggestions: Type.Array(
    Closed({
      journeyId: Id,
      tenant: TextOrNull,
      product: OneOf(productIds),
      status: OneOf(statuses),
      createdAt: Instant,
      /** Masked. */
      name: TextOrNull,
    }),
  ),
  /** The borrower's other complaints, into which this one may be merged. */
  others: Type.Array(Closed({ complaintId: Id, number: Text, category: Category, status: OneOf(complaintStatuses) })),
})
export type ComplaintDetail = Static<typeof ComplaintDetail>

export const ComplaintRequest = Closed({
  ...OfTenant.properties,
  /** The complainant's journey; without one an officer matches it later. */
  journeyId: Type.Optional(Id),
  category: Category,
  text: MessageText,
  language: OneOf(languages),
  name: Type.Optional(Type.String({ maxLength: 100 })),
  email: Type.Optional(Type.String({ maxLength: 254 })),
  mobile: Type.Optional(Type.String({ maxLength: 20 })),
})
export type ComplaintRequest = Static<typeof ComplaintRequest>

// A `version` is the one that the officer saw: an act on a complaint that has changed since is refused.

export const AnswerRequest = Closed({
  version: Version,
  kind: OneOf(['WORDS', 'QUESTION', 'RESOLUTION']),
  text: MessageText,
  outcome: Type.Optional(Outcome),
})
export const NoteRequest = Closed({ text: MessageText })
export const AssignRequest = Closed({ version: Version, assigneeId: orNull(Id) })
export const CategoryRequest = Closed({ version: Version, category: Category })
export const ForwardRequest = Closed({ version: Version, text: MessageText })
export const CloseRequest = Closed({ version: Version, outcome: Type.Optional(Outcome) })
export const VersionRequest = Closed({ version: Version })
/** `into` is the number of the complaint that continues. */
export const MergeRequest = Closed({ version: Version, into: Type.String({ minLength: 5, maxLength: 40 }) })
export const MatchRequest = Closed({ version: Version, journeyId: Id })
/** Decides on a mail from an address that is not the complainant's: accepts it into the thread, or dismisses it. */
export const SettleRequest = Closed({ version: Version, accept: Type.Boolean() })

export const TemplateQuery = Closed({ ...OfTenant.properties, template: OneOf(complaintTemplates) })
export const TemplateReply = Closed({
  text: Text,
  /** The mail's greeting, with a masked name. */
  greeting: Text,
  /** Follows a resolution: the borrower's deadline for an objection. */
  objection: Text,
  /** The signature: the officer who writes, and the responsible officers. */
  closing: Text,
})
export type TemplateReply = Static<typeof TemplateReply>

export const ComplaintReveal = Closed({
  reason: RevealReason,
})
export const ComplaintExport = Closed({
  reason: RevealReason,
  format: OneOf(['json', 'csv']),
})
export const RevealedComplaint = Closed({
  name: TextOrNull,
  email: TextOrNull,
  mobile: TextOrNull,
  /** The unmasked texts of the thread, by entry. */
  words: Type.Record(Type.String(), Type.String()),
})
export type RevealedComplaint = Static<typeof RevealedComplaint>
