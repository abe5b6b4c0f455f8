// Mail that the platform sends: what it is made of, which states it passes, when it is tried again.

import type { MailKind, MailState } from '#contract/console/lists.ts'
import { mailAddressPattern } from '#contract/identifier.ts'
import { schedule } from '#kit/runtime/schedule.ts'

export type { MailKind } from '#contract/console/lists.ts'

/** A file of a mail, in the store of `file.ts`. */
export interface MailAttachment {
  name: string
  /** Its media type. */
  type: string
  objectKey: string
}

export interface OutgoingMail {
  /** The owner; `noTenantId` for a mail without a tenant. */
  tenantId: string
  kind: MailKind
  /** The id of the row that it is about: a complaint, an invitation, an endpoint. */
  subjectId: string
  to: string
  subject: string
  text: string
  /** The tag in the reply address (`grievance+TAG@domain`); null when replies are not read. */
  replyTag: string | null
  /** The Message-ID of what it answers. */
  inReplyTo: string | null
  attachments: MailAttachment[]
}

export interface QueuedMail {
  mailId: string
  /** With angle brackets. */
  messageId: string
}

/** A queued mail without its sealed content. */
export interface SentMail extends QueuedMail {
  tenantId: string
  kind: MailKind
  subjectId: string
  state: MailState
  /** How often the mail server was tried. */
  tries: number
  nextTryAt: Date | null
  /** The mail server's last answer, addresses masked; null before the first try. */
  answer: string | null
  createdAt: Date
  /** When it was sent, or given up. */
  settledAt: Date | null
}

/** The sealed part of a mail. */
export type MailContent = Pick<OutgoingMail, 'to' | 'subject' | 'text' | 'replyTag' | 'inReplyTo' | 'attachments'>

/** When a mail is tried again that the mail server did not take. Two days after the first try it is given up. */
export const mailSchedule = schedule(
  ['PT1M', 'PT5M', 'PT15M', 'PT30M', 'PT1H', 'PT2H', 'PT4H', 'PT8H', 'PT12H', 'PT20H'],
  'give up',
)

/** Local part of the addresses that people write to. */
const mailbox = 'grievance'

const tagPattern = /^[a-z0-9-]{1,40}$/
export const isMailAddress = (text: string): boolean => new RegExp(mailAddressPattern).test(text)

/**
 * Throws a RangeError for what no mail may hold, a mistake in the program: a tag that is not of lower-case letters, digits and
 * hyphens, an address that is not one, a subject of more than one line.
 */
export function checkMail({ to, subject, replyTag, inReplyTo }: MailContent): void {
  if (replyTag !== null && !tagPattern.test(replyTag))
    throw new RangeError('the tag of a mail is of lower-case letters, digits and hyphens')
  if (!isMailAddress(to)) throw new RangeError('a mail goes to one address')
  if (/[\r\n]/.test(subject) || /\s/.test(inReplyTo ?? '')) throw new RangeError('a header of a mail is one line')
}

/** The address for replies with this tag. */
export const addressOf = (domain: string, tag: string | null): string =>
  `${mailbox}${tag === null ? '' : `+${tag}`}@${domain}`

/** Whether a recipient is ours, and with which tag; undefined for one that is not. Case does not matter. */
export function recipientOf(address: string, domain: string): { tag: string | null } | undefined {
  const [local = '', of = '', ...more] = address.toLowerCase().split('@')
  if (more.length > 0 || of !== domain) return undefined
  if (local === mailbox || local === 'postmaster') return { tag: null }
  const tag = local.startsWith(`${mailbox}+`) ? local.slice(mailbox.length + 1) : ''
  return tagPattern.test(tag) ? { tag } : undefined
}

/** A mail server's answer without the address that servers repeat in it. */
export const maskedAnswer = (answer: string): string =>
  answer.replace(/(?<![^\s@<>"'(),:;])[^\s@<>"'(),:;]+@[^\s@<>"'(),:;]+/g, '[masked]').slice(0, 500)
