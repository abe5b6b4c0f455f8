// A message of the archive: what went over the wire, exactly as it went, and how it was taken.
import type { Seal } from '#kit/crypto/seal.ts'
import { required } from '#kit/runtime/record.ts'

export type Headers = Record<string, string>

/** `form` stands beside the actions of the network: a form that was handed in for a borrower. */
export interface Message {
  tenantId: string
  journeyId: string
  messageKey: string
  conversationId: string | null
  direction: 'sent' | 'received'
  /** The other side: a lender's subscriber id, or the gateway's host. */
  party: string
  action: string
  messageId: string
  /** Where it was or is to be sent; null for what was received. */
  url: string | null
  headers: Headers | null
  body: Buffer
  answer: SyncAnswer | null
  outcome: string | null
  at: Date
  /** The end of a request's ttl. */
  expiresAt: Date | null
  sentAt: Date | null
  tries: number
}

/** A request of ours: it has an address, and a time after which its answer is not waited for. */
export interface OutgoingMessage extends Message {
  url: string
  expiresAt: Date
}

/** What came back at once. */
export interface SyncAnswer {
  status: number
  body: string
}

export interface MessageRow extends Omit<Message, 'url' | 'headers' | 'body' | 'answer'> {
  urlSealed: Buffer | null
  headersSealed: Buffer | null
  bodySealed: Buffer
  answerSealed: Buffer | null
}

export type MessagePlace = Pick<Message, 'tenantId' | 'journeyId' | 'messageKey'>

type Part = 'url' | 'headers' | 'body' | 'answer'

/** Each part is sealed to its own place: none can stand in for another. */
const place = ({ tenantId, journeyId, messageKey }: MessagePlace, part: Part): string =>
  `network_message.${part}:${tenantId}:${journeyId}:${messageKey}`

export const sealPart = (seal: Seal, of: MessagePlace, part: Part, value: Buffer | string): Buffer =>
  seal.bytes(Buffer.from(value), place(of, part))

const openPart = (seal: Seal, of: MessagePlace, part: Part, sealed: Buffer): Buffer =>
  seal.open(sealed, place(of, part))

export function openMessage(seal: Seal, row: MessageRow): Message {
  const { urlSealed, headersSealed, bodySealed, answerSealed, ...rest } = row
  const read = (part: Part, sealed: Buffer | null) => sealed && openPart(seal, row, part, sealed).toString('utf8')
  const headers = read('headers', headersSealed)
  const answer = read('answer', answerSealed)
  return {
    ...rest,
    url: read('url', urlSealed),
    headers: headers === null ? null : JSON.parse(headers),
    body: openPart(seal, row, 'body', bodySealed),
    answer: answer === null ? null : JSON.parse(answer),
  }
}

export function openOutgoing(seal: Seal, row: MessageRow): OutgoingMessage {
  const message = openMessage(seal, row)
  const url = required(message.url, 'the address of a request')
  return { ...message, url, expiresAt: required(message.expiresAt, 'the end of the ttl of a request') }
}
