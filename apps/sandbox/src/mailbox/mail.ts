// A mail of the mailbox: the head that the list shows, and the content of the open mail.

import type { ReadMail } from '@lendloom/mail/mail-read'

export interface MailHead {
  mailId: string
  isSent: boolean
  /** Envelope sender and recipients, in lower case. */
  from: string
  to: string[]
  fromName: string | null
  subject: string
  preview: string
  files: number
  at: Date
}

export interface OpenMail extends MailHead {
  content: ReadMail
}

/** The sealed part of a head. */
export type HeadContent = Omit<MailHead, 'mailId' | 'isSent' | 'at'>

/** About two lines of the list. */
const previewLength = 160

/** Returns the head of a received or sent mail. The envelope's sender is preferred to that of the mail. */
export const headOf = (read: ReadMail, from: string | null, to: string[]): HeadContent => ({
  from: (from ?? read.from ?? '').toLowerCase(),
  to: to.map((address) => address.toLowerCase()),
  fromName: read.fromName,
  subject: read.subject,
  preview: read.text.replace(/\s+/g, ' ').trim().slice(0, previewLength),
  files: read.files.length,
})

/** The quotation below an answer, as mail programs format it. */
export const quotationOf = ({ content, from, at }: OpenMail): string =>
  `On ${at.toUTCString()}, ${content.from ?? from} wrote:\n${content.text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}\n`

/** Returns the subject of an answer; repeated answers do not add another `Re:`. */
export const answerSubject = (subject: string): string => (/^re:/i.test(subject) ? subject : `Re: ${subject}`)
