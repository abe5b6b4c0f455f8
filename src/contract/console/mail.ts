// The console's requests and answers about outgoing and incoming mail, and the reasons for revealing personal data.
import { Count, Id, Instant, MaybeInstant, MaybeText, Text } from '#contract/atoms.ts'
import { Closed, OneOf, orNull, type Static, Type } from '#kit/http/schema.ts'
import { leastReasonLength } from './journey-lists.ts'
import { mailKinds, mailStates } from './lists.ts'
import { ListOfTenant } from './staff.ts'

/** The reason for viewing personal data: required wherever the console reveals any, and kept in the audit log. */
export const RevealReason = Type.String({
  pattern: `^\\s*\\S[\\s\\S]{${leastReasonLength - 2},}\\S\\s*$`,
  maxLength: 500,
  'x-says': `must say why, in ${leastReasonLength} to 500 characters`,
})

export const MailQuery = Closed({
  /** Mail of this tenant; of all tenants and of the platform itself without it. */
  ...ListOfTenant.properties,
  state: Type.Optional(OneOf(mailStates)),
  kind: Type.Optional(OneOf(mailKinds)),
})
export const OneMailParams = Closed({ mailId: Id })

export const ListedMail = Closed({
  mailId: Id,
  /** Null where it is of the platform itself. */
  tenantId: orNull(Id),
  tenant: MaybeText,
  kind: OneOf(mailKinds),
  /** The complaint, invitation or endpoint that it is about. */
  subjectId: Id,
  /** Masked, as the subject is. */
  to: Text,
  subject: Text,
  files: Count,
  state: OneOf(mailStates),
  tries: Count,
  /** When it is tried next; null once it was sent or given up. */
  nextTryAt: MaybeInstant,
  /** The mail server's last answer, addresses masked; null before the first try. */
  answer: MaybeText,
  createdAt: Instant,
  /** When it was sent, or given up. */
  settledAt: MaybeInstant,
})
export type ListedMail = Static<typeof ListedMail>

export const MailCounts = Closed({ waiting: Count, givenUp: Count, setAside: Count })
export type MailCounts = Static<typeof MailCounts>
/** The newest first. */
export const Mails = Closed({ items: Type.Array(ListedMail), next: MaybeText, counts: MailCounts })
export type Mails = Static<typeof Mails>

export const SetAsideMail = Closed({
  mailId: Id,
  /** Masked; null where a mail server reports that something did not arrive. */
  from: MaybeText,
  /** Masked; null where the mail is too large to be opened for a list. */
  subject: MaybeText,
  why: Text,
  sizeBytes: Count,
  receivedAt: Instant,
  setAsideAt: Instant,
})
export type SetAsideMail = Static<typeof SetAsideMail>
/** The newest first. */
export const SetAsideMails = Closed({ items: Type.Array(SetAsideMail), next: MaybeText })
export type SetAsideMails = Static<typeof SetAsideMails>

export const HandleAgainRequest = Closed({
  /** The number of the complaint that the mail belongs to; without it, tag, thread and address decide, or it opens a new one. */
  complaint: Type.Optional(Type.String({ maxLength: 40 })),
})
export type HandleAgainRequest = Static<typeof HandleAgainRequest>
export const HandleAgainReply = Closed({ mailId: Id, complaintId: orNull(Id) })
export type HandleAgainReply = Static<typeof HandleAgainReply>

export const MailReveal = Closed({
  reason: RevealReason,
  /** Whether the answer is the file of the mail. */
  raw: Type.Optional(Type.Boolean()),
})
/** A mail that was set aside, unmasked. */
export const RevealedMail = Closed({
  from: MaybeText,
  fromName: MaybeText,
  subject: Text,
  text: Text,
  files: Type.Array(Closed({ name: Text, type: Text, size: Count })),
})
export type RevealedMail = Static<typeof RevealedMail>
