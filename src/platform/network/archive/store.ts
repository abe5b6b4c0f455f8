// Table of the archive, network_message: each message exactly as it went, which is also where messages wait to be sent.
import { bucketOf } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { type Run, sql, type Tx } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/record.ts'

const columns = sql`tenant_id, journey_id, message_key, conversation_id, direction, party, action, message_id, url_sealed,
  headers_sealed, body_sealed, answer_sealed, outcome, at, expires_at, sent_at, tries`

export type NewMessage = MessagePlace &
  Pick<ArchivedMessage, 'conversationId' | 'party' | 'action' | 'messageId' | 'body' | 'at'>

/** Stores a request before it is sent. */
export async function archiveOutgoing(
  tx: Tx,
  seal: Seal,
  message: NewMessage & { url: string; expiresAt: Date },
): Promise<void> {
  const { url, body, ...row } = message
  const sealed = { urlSealed: sealPart(seal, row, 'url', url), bodySealed: sealPart(seal, row, 'body', body) }
  await tx`insert into network_message ${tx({ bucket: bucketOf(row.journeyId), ...row, ...sealed, direction: 'sent' })}`
}

/** Stores a form before it is submitted; a retry may have filled it with newer data. */
export async function archiveForm(
  db: Run,
  seal: Seal,
  message: NewMessage & { url: string; headers: Headers },
): Promise<void> {
  const { url, headers, body, ...row } = message
  const urlSealed = sealPart(seal, row, 'url', url)
  const headersSealed = sealPart(seal, row, 'headers', JSON.stringify(headers))
  const bodySealed = sealPart(seal, row, 'body', body)
  const full = {
    bucket: bucketOf(row.journeyId),
    ...row,
    urlSealed,
    headersSealed,
    bodySealed,
    direction: 'sent',
    sentAt: row.at,
    tries: 1,
  }
  await db`
    insert into network_message ${db(full)}
    on conflict (bucket, tenant_id, journey_id, message_key) do update set
      url_sealed = ${urlSealed}, headers_sealed = ${headersSealed}, body_sealed = ${bodySealed},
      tries = network_message.tries + 1`
}

/** Keeps what was received and verified, with the answer it is given. */
export async function archiveIncoming(
  tx: Tx,
  seal: Seal,
  message: NewMessage & { headers: Headers; outcome: string },
): Promise<void> {
  const { headers, body, ...row } = message
  const headersSealed = sealPart(seal, row, 'headers', JSON.stringify(headers))
  await tx`
    insert into network_message ${tx({ bucket: bucketOf(row.journeyId), ...row, headersSealed, bodySealed: sealPart(seal, row, 'body', body), direction: 'received' })}`
}

/** A try to send: with which headers, and when. */
export interface Try {
  headers: Headers
  at: Date
}

/**
 * Notes a try before it is made: a message that left is in the record even when we die while it travels. The record is that
 * of the first try: its time, and the signature that counted then.
 */
export async function markSending(db: Run, seal: Seal, of: MessagePlace, { headers, at }: Try): Promise<void> {
  const sealed = sealPart(seal, of, 'headers', JSON.stringify(headers))
  await db`
    update network_message set tries = tries + 1, headers_sealed = coalesce(headers_sealed, ${sealed}),
      at = coalesce(sent_at, ${at}), sent_at = coalesce(sent_at, ${at})
    where bucket = ${bucketOf(of.journeyId)} and tenant_id = ${of.tenantId} and journey_id = ${of.journeyId} and message_key = ${of.messageKey}`
}

export async function recordOutcome(
  db: Run,
  seal: Seal,
  of: MessagePlace,
  { outcome, answer }: { outcome: string; answer: SyncAnswer | null },
): Promise<void> {
  const answerSealed = answer && sealPart(seal, of, 'answer', JSON.stringify(answer))
  await db`
    update network_message set outcome = ${outcome}, answer_sealed = coalesce(${answerSealed}, answer_sealed)
    where bucket = ${bucketOf(of.journeyId)} and tenant_id = ${of.tenantId} and journey_id = ${of.journeyId} and message_key = ${of.messageKey}`
}

async function readRow(db: Run, of: MessagePlace): Promise<MessageRow | undefined> {
  const [row] = await db<MessageRow>`
    select ${columns} from network_message
    where bucket = ${bucketOf(of.journeyId)} and tenant_id = ${of.tenantId} and journey_id = ${of.journeyId} and message_key = ${of.messageKey}`
  return row
}

export async function readMessage(db: Run, seal: Seal, of: MessagePlace): Promise<ArchivedMessage | undefined> {
  const row = await readRow(db, of)
  return row && openMessage(seal, row)
}

/** A stored request. */
export async function readOutgoing(db: Run, seal: Seal, of: MessagePlace): Promise<OutgoingMessage | undefined> {
  const row = await readRow(db, of)
  return row && openOutgoing(seal, row)
}

/** Our request with this id and action, opened. */
export async function readRequest(
  db: Run,
  seal: Seal,
  of: { tenantId: string; journeyId: string },
  { messageId, action }: Pick<ArchivedMessage, 'messageId' | 'action'>,
): Promise<OutgoingMessage | undefined> {
  const [row] = await db<MessageRow>`
    select ${columns} from network_message
    where bucket = ${bucketOf(of.journeyId)} and tenant_id = ${of.tenantId} and journey_id = ${of.journeyId} and direction = 'sent'
      and message_id = ${messageId} and action = ${action}`
  return row && openOutgoing(seal, row)
}

/** Whether a callback that we took answers our request with this id. */
export async function isAnswered(
  db: Run,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  messageId: string,
  callback: string,
): Promise<boolean> {
  const found = await db`
    select 1 from network_message
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and direction = 'received'
      and message_id = ${messageId} and action = ${callback} and outcome not like 'NACK%' limit 1`
  return found.length > 0
}

/** The newest message with one of these actions that a lender sent in a conversation and that was taken. */
export async function readNewest(
  db: Run,
  seal: Seal,
  { tenantId, journeyId, conversationId }: { tenantId: string; journeyId: string; conversationId: string },
  actions: string[],
): Promise<ArchivedMessage | undefined> {
  const [row] = await db<MessageRow>`
    select ${columns} from network_message
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and conversation_id = ${conversationId}
      and direction = 'received' and action = any(${actions}::text[]) and outcome = 'ACK' order by at desc limit 1`
  return row && openMessage(seal, row)
}

/** The accepted callback of a sender under this id; refused ones do not count. */
export async function readTaken(
  db: Run,
  seal: Seal,
  of: { tenantId: string; journeyId: string },
  { action, messageId, party }: Pick<ArchivedMessage, 'action' | 'messageId' | 'party'>,
): Promise<ArchivedMessage | undefined> {
  const [row] = await db<MessageRow>`
    select ${columns} from network_message
    where bucket = ${bucketOf(of.journeyId)} and tenant_id = ${of.tenantId} and journey_id = ${of.journeyId} and direction = 'received'
      and message_id = ${messageId} and action = ${action} and party = ${party} and outcome not like 'NACK%' limit 1`
  return row && openMessage(seal, row)
}

/** Whether any callback of this kind was accepted in a journey, in any state. */
export async function hasTaken(
  db: Run,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  callback: string,
): Promise<boolean> {
  const found = await db`
    select 1 from network_message
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and direction = 'received'
      and action = ${callback} and outcome not like 'NACK%' limit 1`
  return found.length > 0
}

/** All messages of a journey in wire order. */
export async function readMessages(
  db: Run,
  seal: Seal,
  tenantId: string,
  journeyId: string,
): Promise<ArchivedMessage[]> {
  const rows = await db<MessageRow>`
    select ${columns} from network_message where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
    order by at, message_key`
  return rows.map((row) => openMessage(seal, row))
}

/** A message of the archive: what went over the wire, exactly as it went, and how it was taken. */
export type Headers = Record<string, string>

/** `form` is beside the network's actions: a form that we submitted for a borrower. */
export interface ArchivedMessage {
  tenantId: string
  journeyId: string
  messageKey: string
  conversationId: string | null
  direction: 'sent' | 'received'
  /** The other side: a lender's subscriber id, or the gateway's host. */
  party: string
  action: string
  messageId: string
  /** The address of a sent message; null for a received one. */
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

/** A request of ours: its address, and the time until which its answer is awaited. */
export interface OutgoingMessage extends ArchivedMessage {
  url: string
  expiresAt: Date
}

/** The synchronous answer. */
export interface SyncAnswer {
  status: number
  body: string
}

interface MessageRow extends Omit<ArchivedMessage, 'url' | 'headers' | 'body' | 'answer'> {
  urlSealed: Buffer | null
  headersSealed: Buffer | null
  bodySealed: Buffer
  answerSealed: Buffer | null
}

export type MessagePlace = Pick<ArchivedMessage, 'tenantId' | 'journeyId' | 'messageKey'>

type MessagePart = 'url' | 'headers' | 'body' | 'answer'

/** Each part is sealed to its own place, so none can replace another. */
const place = ({ tenantId, journeyId, messageKey }: MessagePlace, part: MessagePart): string =>
  `network_message.${part}:${tenantId}:${journeyId}:${messageKey}`

const sealPart = (seal: Seal, of: MessagePlace, part: MessagePart, value: Buffer | string): Buffer =>
  seal.bytes(Buffer.from(value), place(of, part))

const openPart = (seal: Seal, of: MessagePlace, part: MessagePart, sealed: Buffer): Buffer =>
  seal.open(sealed, place(of, part))

function openMessage(seal: Seal, row: MessageRow): ArchivedMessage {
  const { urlSealed, headersSealed, bodySealed, answerSealed, ...rest } = row
  const read = (part: MessagePart, sealed: Buffer | null) =>
    sealed && openPart(seal, row, part, sealed).toString('utf8')
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

function openOutgoing(seal: Seal, row: MessageRow): OutgoingMessage {
  const message = openMessage(seal, row)
  const url = required(message.url, 'the address of a request')
  return { ...message, url, expiresAt: required(message.expiresAt, 'the end of the ttl of a request') }
}
