// Reads received mails: the ids synchronously, all other fields in a parser thread.

import { createHash } from 'node:crypto'
import { ParserFailure, runParser } from '@lendloom/foundation/parser-thread'

export interface ReadFile {
  name: string
  type: string
  bytes: Buffer
  /** Whether it is the readable text of a forwarded mail, which no person has attached. */
  isExtract: boolean
}

export interface ReadMail {
  from: string | null
  fromName: string | null
  replyTo: string | null
  subject: string
  /** The plain text; for an HTML-only mail, its extracted text. */
  text: string
  /** The text without the history that mail programs quote. */
  ownText: string
  /** All ids have angle brackets. */
  messageId: string | null
  inReplyTo: string | null
  references: string[]
  /** Whether its headers mark it as sent by a machine (RFC 3834, RFC 2919, and older conventions). */
  isAutomatic: boolean
  /** Whether its sender asks for no automatic answer, or has a mailbox that nobody reads. The words may be a person's. */
  refusesAnswer: boolean
  /** At most `maxFiles`; those of the mail itself stand before those of mails that it forwards. */
  files: ReadFile[]
  /** The names of the files beyond them. */
  furtherFiles: string[]
}

export const maxFiles = 20

/** `fault` says why the mail was not parsed; it completes a sentence that begins with "the mail". */
export type ParsedMail = { mail: ReadMail; fault: null } | { mail: null; fault: string }

/** Thrown for a mail that exceeds the limits of the parser. Users see the message. */
export class UnreadableMail extends Error {}

const module = new URL('./mail-parse.ts', import.meta.url)

/** Reads a message. Throws `UnreadableMail`, and `ParserFailure` when reading it exceeds a parser's time or memory. */
export async function readMail(raw: Buffer): Promise<ReadMail> {
  const { mail, fault } = await runParser<ParsedMail>({ module, name: 'parseMail' }, raw)
  if (mail === null) throw new UnreadableMail(`the mail ${fault}`)
  return { ...mail, files: mail.files.map((file) => ({ ...file, bytes: asBuffer(file.bytes) })) }
}

/** A Buffer that a thread sends arrives as a Uint8Array. */
const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length)

const maxSourceBytes = 200_000

/** Like `readMail`, but the text of an unreadable mail is the beginning of its source. */
export async function readForDisplay(raw: Buffer): Promise<ReadMail> {
  try {
    return await readMail(raw)
  } catch (error) {
    if (!(error instanceof UnreadableMail || error instanceof ParserFailure)) throw error
    const source = raw.toString('utf8', 0, maxSourceBytes)
    return {
      from: null,
      fromName: null,
      replyTo: null,
      subject: '',
      text: source,
      ownText: source,
      messageId: null,
      inReplyTo: null,
      references: [],
      isAutomatic: false,
      refusesAnswer: false,
      files: [],
      furtherFiles: [],
    }
  }
}

/** Parses only the head of a message, for its sender and subject. */
export const readHead = (raw: Buffer): Promise<ReadMail> => readForDisplay(headOf(raw))

const maxHeadBytes = 1 << 18

function headOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n')
  return raw.subarray(0, Math.min(end < 0 ? raw.length : end, maxHeadBytes))
}

interface FieldLine {
  /** The name of the field in lower case; empty for a line that is none. */
  name: string
  line: string
  /** What the line has of the field's value. */
  value: string
}

/** Yields the lines of a head; a folded line has the name of the field that it continues. */
function* fieldLinesOf(head: Buffer): Generator<FieldLine> {
  let name = ''
  for (const line of head.toString('latin1').split('\n')) {
    const isFolded = line.startsWith(' ') || line.startsWith('\t')
    const colon = isFolded ? -1 : line.indexOf(':')
    if (!isFolded) name = colon < 0 ? '' : line.slice(0, colon).trim().toLowerCase()
    yield { name, line, value: line.slice(colon + 1) }
  }
}

/** The first id of a header, with its angle brackets. */
export const idIn = (text: string | undefined): string | null => /<[^<>\s]{1,900}>/.exec(text ?? '')?.[0] ?? null

/**
 * The fields that the sender writes (RFC 5322 §3.6, MIME). Servers and filters add all others on the way, which differ
 * between two deliveries of one message.
 */
const senderField =
  /^(from|sender|reply-to|to|cc|subject|date|message-id|in-reply-to|references|mime-version|content-[a-z-]+)$/

/** The digest of what the sender wrote: two deliveries of one message have the same. */
export function digestOf(raw: Buffer): Buffer {
  const head = headOf(raw)
  const hash = createHash('sha256')
  for (const { name, line } of fieldLinesOf(head))
    if (senderField.test(name)) hash.update(`${line.trimEnd()}\n`, 'latin1')
  return hash.update(raw.subarray(head.length)).digest()
}

export interface MailIds {
  /** With angle brackets. */
  messageId: string | null
  /** The id of the first mail of the thread; null when this mail is not a reply. */
  thread: string | null
}

/** Finds the ids in the head of a message, in one pass over at most 256 KiB. */
export function mailIdsOf(raw: Buffer): MailIds {
  const values = new Map<string, string>()
  for (const { name, value } of fieldLinesOf(headOf(raw)))
    if (idHeaders.includes(name)) values.set(name, (values.get(name) ?? '') + value)
  const [messageId = null, references = null, inReplyTo = null] = idHeaders.map((each) => idIn(values.get(each)))
  return { messageId, thread: references ?? inReplyTo }
}

const idHeaders = ['message-id', 'references', 'in-reply-to']
