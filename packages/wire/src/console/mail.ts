// Schemas of the console API: outgoing and quarantined mail, and reasons for revealing personal data.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Count, Id, Instant, InstantOrNull, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { minRevealReasonLength } from './journey-lists.ts'
import { mailKinds, mailStates } from './lists.ts'
import { ListOfTenant } from './staff.ts'

/** The reason for viewing personal data: required for every reveal, and stored in the audit log. */
export const RevealReason = Type.String({
  pattern: `^\\s*\\S[\\s\\S]{${minRevealReasonLength - 2},}\\S\\s*$`,
  maxLength: 500,
  'x-says': `must say why, in ${minRevealReasonLength} to 500 characters`,
})

export const MailQuery = Closed({
  /** `tenantId` selects a tenant's mail; without it, mail of all tenants and of the platform. */
  ...ListOfTenant.properties,
  state: Type.Optional(OneOf(mailStates)),
  kind: Type.Optional(OneOf(mailKinds)),
})
export const OneMailParams = Closed({ mailId: Id })

export const ListedMail = Closed({
  mailId: Id,
  /** Null for the platform's own mail. */
  tenantId: orNull(Id),
  tenant: TextOrNull,
  kind: OneOf(mailKinds),
  /** The complaint, invitation or endpoint that the mail is about. */
  subjectId: Id,
  isCancellation: Type.Boolean(),
  /** Masked, like the subject. */
  to: Text,
  subject: Text,
  files: Count,
  state: OneOf(mailStates),
  tries: Count,
  /** The next try; null once sent or given up. */
  nextTryAt: InstantOrNull,
  /** The mail server's last answer, addresses masked; null before the first try. */
  answer: TextOrNull,
  createdAt: Instant,
  /** When the mail was sent or given up. */
  settledAt: InstantOrNull,
})
export type ListedMail = Static<typeof ListedMail>

export const MailCounts = Closed({ waiting: Count, givenUp: Count, setAside: Count })
export type MailCounts = Static<typeof MailCounts>
/** The newest first. */
export const Mails = Closed({ items: Type.Array(ListedMail), next: TextOrNull, counts: MailCounts })
export type Mails = Static<typeof Mails>

export const SetAsideMail = Closed({
  mailId: Id,
  /** Masked; null for a mail server's non-delivery report. */
  from: TextOrNull,
  /** Masked; null if the mail is too large to be parsed for a list. */
  subject: TextOrNull,
  why: Text,
  sizeBytes: Count,
  receivedAt: Instant,
  setAsideAt: Instant,
})
export type SetAsideMail = Static<typeof SetAsideMail>
/** The newest first. */
export const SetAsideMails = Closed({ items: Type.Array(SetAsideMail), next: TextOrNull })
export type SetAsideMails = Static<typeof SetAsideMails>

export const HandleAgainRequest = Closed({
  /** The complaint number; if omitted, tag, thread and address select the complaint, or a new one is opened. */
  complaint: Type.Optional(Type.String({ maxLength: 40 })),
})
export type HandleAgainRequest = Static<typeof HandleAgainRequest>
export const HandleAgainReply = Closed({ mailId: Id, complaintId: orNull(Id) })
export type HandleAgainReply = Static<typeof HandleAgainReply>

export const MailReveal = Closed({
  reason: RevealReason,
  /** Whether the response is the original mail file. */
  raw: Type.Optional(Type.Boolean()),
})
/** A quarantined mail, unmasked. */
export const RevealedMail = Closed({
  from: TextOrNull,
  fromName: TextOrNull,
  subject: Text,
  text: Text,
  files: Type.Array(Closed({ name: Text, type: Text, size: Count })),
})
export type RevealedMail = Static<typeof RevealedMail>
