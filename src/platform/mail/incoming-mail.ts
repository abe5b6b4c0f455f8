// A mail that came in, and the function that handles it.
import type { TxContext } from '#platform/context.ts'

export interface IncomingAttachment {
  name: string
  /** The media type that it is of, or, where it was turned away, that it claims to be of. */
  type: string
  size: number
  /** By which `readFile` reads it; null: it was turned away. */
  objectKey: string | null
  /** Why it was turned away (malware, size, kind, content), as people may read it. */
  why: string | null
}

export interface IncomingMail {
  mailId: string
  /** The tag of the address that it was written to, in lower case: `grievance+TAG@domain`; null: it has none. */
  tag: string | null
  from: string
  fromName: string | null
  subject: string
  /** What was written, without the history that mail programs quote below it; the bytes are kept as they came. */
  text: string
  /** With its angle brackets; ours where it came without one. */
  messageId: string
  inReplyTo: string | null
  references: string[]
  receivedAt: Date
  /** Written by a machine: never answered automatically. */
  isAutomatic: boolean
  attachments: IncomingAttachment[]
}

/**
 * What becomes of a mail, in the one transaction in which it is marked as handled. A `Refusal` sets the mail aside at once, any
 * other error after some more tries.
 */
export type HandleMail = (ctx: TxContext, mail: IncomingMail) => Promise<void>
