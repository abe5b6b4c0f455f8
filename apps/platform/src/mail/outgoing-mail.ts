// Outgoing mail: its content, states and retry schedule.

import { schedule } from '@lendloom/foundation/schedule'
import type { MailKind, MailState } from '@lendloom/wire/console/lists'
import { mailAddressPattern } from '@lendloom/wire/identifier'

export type { MailKind } from '@lendloom/wire/console/lists'

/** An attachment, which `file.ts` stores. */
export interface MailAttachment {
  name: string
  type: string
  objectKey: string
}

export interface OutgoingMail {
  /** `noTenantId` for a mail of no tenant. */
  tenantId: string
  kind: MailKind
  /** The id of what the mail is about, such as a complaint, an invitation or an endpoint. */
  subjectId: string
  to: string
  subject: string
  text: string
  /** The tag in the reply address (`grievance+TAG@domain`); null when replies are not read. */
  replyTag: string | null
  /** Message-ID of the mail to which this mail replies. */
  inReplyTo: string | null
  attachments: MailAttachment[]
}

export interface QueuedMail {
  mailId: string
  /** Includes the angle brackets. */
  messageId: string
}

/** A queued mail without its sealed content. */
export interface SentMail extends QueuedMail {
  tenantId: string
  kind: MailKind
  subjectId: string
  state: MailState
  tries: number
  nextTryAt: Date | null
  /** The mail server's last answer with masked addresses; null before the first attempt. */
  answer: string | null
  createdAt: Date
  /** When the mail was sent or finally failed. */
  settledAt: Date | null
}

/** The sealed part of a mail. */
export type MailContent = Pick<OutgoingMail, 'to' | 'subject' | 'text' | 'replyTag' | 'inReplyTo' | 'attachments'>

/** Pauses between attempts. The mail fails two days after the first attempt. */
export const mailSchedule = schedule(
  ['PT1M', 'PT5M', 'PT15M', 'PT30M', 'PT1H', 'PT2H', 'PT4H', 'PT8H', 'PT12H', 'PT20H'],
  'give up',
)

/** Local part of the addresses for incoming mail. */
const mailbox = 'grievance'

const tagPattern = /^[a-z0-9-]{1,40}$/
export const isMailAddress = (text: string): boolean => new RegExp(mailAddressPattern).test(text)

/** Throws a RangeError for a malformed tag, a malformed address or a line break in a header. */
export function checkMail({ to, subject, replyTag, inReplyTo }: MailContent): void {
  if (replyTag !== null && !tagPattern.test(replyTag))
    throw new RangeError('a mail tag must consist of lower-case letters, digits and hyphens')
  if (!isMailAddress(to)) throw new RangeError('a mail must have one recipient address')
  if (/[\r\n]/.test(subject) || /\s/.test(inReplyTo ?? '')) throw new RangeError('a mail header must be one line')
}

/** Returns our address for incoming mail with this tag. */
export const addressOf = (domain: string, tag: string | null): string =>
  `${mailbox}${tag === null ? '' : `+${tag}`}@${domain}`

/** Returns the tag of one of our addresses; undefined for any other address. */
export function recipientOf(address: string, domain: string): { tag: string | null } | undefined {
  const [local = '', host = '', ...extra] = address.toLowerCase().split('@')
  if (extra.length > 0 || host !== domain) return undefined
  if (local === mailbox || local === 'postmaster') return { tag: null }
  const tag = local.startsWith(`${mailbox}+`) ? local.slice(mailbox.length + 1) : ''
  return tagPattern.test(tag) ? { tag } : undefined
}

/** Masks the email addresses in a text, and cuts the text to 500 characters. */
export const maskAddresses = (text: string): string =>
  text.replace(/(?<![^\s@<>"'(),:;])[^\s@<>"'(),:;]+@[^\s@<>"'(),:;]+/g, '[masked]').slice(0, 500)
