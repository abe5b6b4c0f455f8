// Mail from outside: its Message-ID at once, everything else by a parser thread.

import { ParserFailure, runParser } from './parser-thread.ts'

export interface ReadMail {
  from: string | null
  fromName: string | null
  replyTo: string | null
  subject: string
  /** All of its text; of one in HTML alone, its words. */
  text: string
  /** The text without the history that mail programs quote. */
  written: string
  /** With its angle brackets. */
  messageId: string | null
  inReplyTo: string | null
  references: string[]
  /** Whether its headers say that a machine wrote it (RFC 3834, RFC 2919, and what came before them). */
  isAutomatic: boolean
  files: { name: string; type: string; bytes: Buffer }[]
}

/** A message, or why it is beyond the bounds, completing "the mail …". */
export type ParsedMail = { mail: ReadMail; fault: null } | { mail: null; fault: string }

/** A mail is beyond the bounds of what is read; the message is a sentence for people. */
export class UnreadableMail extends Error {}

const module = new URL('./mail-parse.ts', import.meta.url)

/** Reads a message. Throws `UnreadableMail`, and `ParserFailure` when reading it exceeds a parser's time or memory. */
export async function readMail(raw: Buffer): Promise<ReadMail> {
  const { mail, fault } = await runParser<ParsedMail>({ module, name: 'parseMail' }, raw)
  if (mail === null) throw new UnreadableMail(`the mail ${fault}`)
  return { ...mail, files: mail.files.map((file) => ({ ...file, bytes: asBuffer(file.bytes) })) }
}

/** Bytes arrive from a thread as plain arrays. */
const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length)

const mostShown = 200_000

/** The same for people to look at: of a mail that cannot be read, the beginning of its source. */
export async function readForDisplay(raw: Buffer): Promise<ReadMail> {
  try {
    return await readMail(raw)
  } catch (error) {
    if (!(error instanceof UnreadableMail || error instanceof ParserFailure)) throw error
    const source = raw.toString('utf8', 0, mostShown)
    return {
      ...{ from: null, fromName: null, replyTo: null, subject: '', text: source, written: source },
      ...{ messageId: null, inReplyTo: null, references: [], isAutomatic: false, files: [] },
    }
  }
}

/** Reads no more than the head of a message: its sender and subject, not its text. */
export const readHead = (raw: Buffer): Promise<ReadMail> => readForDisplay(headOf(raw))

const longestHead = 1 << 18

function headOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n')
  return raw.subarray(0, Math.min(end < 0 ? raw.length : end, longestHead))
}

/** The first id of a header, with its angle brackets. */
export const idIn = (text: string | undefined): string | null => /<[^<>\s]{1,900}>/.exec(text ?? '')?.[0] ?? null

/** The Message-ID in the head of a message, without reading the rest of it. */
export function messageIdOf(raw: Buffer): string | null {
  const [, value] = /^message-id:((?:.|\r?\n[ \t])*)/im.exec(headOf(raw).toString('latin1')) ?? []
  return idIn(value)
}
