// An incoming mail as its handler gets it.

import type { TxContext } from '#platform/context.ts'

export interface IncomingAttachment {
  name: string
  /** The verified media type, or the claimed type of a rejected file. */
  type: string
  size: number
  objectKey: string | null
  /** Why the file was rejected, as readable text; null for an accepted file. */
  why: string | null
}

export interface IncomingMail {
  mailId: string
  /** The tag of the recipient address `grievance+TAG@domain` in lower case; null without a tag. */
  tag: string | null
  from: string
  fromName: string | null
  subject: string
  /** The text; of a reply to our mail, without quoted history. The raw bytes are stored too. */
  text: string
  /** The text with quoted history. */
  wholeText: string
  /** Includes the angle brackets; generated if the mail has no Message-ID. */
  messageId: string
  inReplyTo: string | null
  references: string[]
  receivedAt: Date
  /** Whether a program sent the mail; such mail gets no automatic reply. */
  isAutomatic: boolean
  /** Whether a mail of a person or program must get no automatic reply. */
  refusesAnswer: boolean
  attachments: IncomingAttachment[]
}

/** Runs in the transaction that marks the mail as handled. A `Refusal` sets the mail aside without a retry. */
export type MailHandler = (ctx: TxContext, mail: IncomingMail) => Promise<void>
