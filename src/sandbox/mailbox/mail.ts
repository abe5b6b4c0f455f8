// A mail of the mailbox: what its list shows, and what is read of it when it is opened.

import type { ReadMail } from '#kit/runtime/mail-read.ts'

export interface MailHead {
  mailId: string
  isSent: boolean
  /** Of the envelope, in lower case. */
  from: string
  to: string[]
  fromName: string | null
  subject: string
  /** The beginning of the text. */
  preview: string
  files: number
  at: Date
}

export interface OpenMail extends MailHead {
  read: ReadMail
}

/** What is sealed of a head. */
export type HeadContent = Omit<MailHead, 'mailId' | 'isSent' | 'at'>

const previewLength = 160

export const headOf = (read: ReadMail, from: string | null, to: string[]): HeadContent => ({
  from: (from ?? read.from ?? '').toLowerCase(),
  to: to.map((address) => address.toLowerCase()),
  fromName: read.fromName,
  subject: read.subject,
  preview: read.text.replace(/\s+/g, ' ').trim().slice(0, previewLength),
  files: read.files.length,
})

/** What an answer quotes below itself, as mail programs do. */
export const quoted = ({ read, from, at }: OpenMail): string =>
  `On ${at.toUTCString()}, ${read.from ?? from} wrote:\n${read.text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}\n`

/** Subject of an answer: one `Re:`, however long the exchange is. */
export const answerSubject = (subject: string): string => (/^re:/i.test(subject) ? subject : `Re: ${subject}`)
