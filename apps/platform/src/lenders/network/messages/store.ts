// Store of network_message, the archive of all messages exactly as they are sent and received.

import { required } from '@lendloom/foundation/required'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'

const columns = sql`tenant_id, journey_id, message_key, conversation_id, direction, party, action, message_id, url_sealed,
  headers_sealed, body_sealed, answer_sealed, outcome, at, expires_at, sent_at, tries`

export type NewMessage = ArchiveKey &
  Pick<ArchivedMessage, 'conversationId' | 'party' | 'action' | 'messageId' | 'body' | 'at'>

/** Stores a message in the transaction that decides to send it. */
export async function archiveOutgoing(
  tx: Tx,
  seal: Seal,
  message: NewMessage & { url: string; expiresAt: Date },
): Promise<void> {
  const { url, body, ...row } = message
  const sealed = { urlSealed: sealPart(seal, row, 'url', url), bodySealed: sealPart(seal, row, 'body', body) }
  await tx`insert into network_message ${tx({ bucket: bucketOf(row.journeyId), ...row, ...sealed, direction: 'sent' })}`
}

/** Stores a form before each attempt to submit it, because a retry may contain newer data. */
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

/** Stores a received message with our answer to it, as `outcome`. */
export async function archiveIncoming(
  tx: Tx,
  seal: Seal,
  message: NewMessage & { headers: Headers; outcome: string },
): Promise<void> {
  const { headers, body, ...row } = message
  const sealed = {
    headersSealed: sealPart(seal, row, 'headers', JSON.stringify(headers)),
    bodySealed: sealPart(seal, row, 'body', body),
  }
  await tx`
    insert into network_message ${tx({ bucket: bucketOf(row.journeyId), ...row, ...sealed, direction: 'received' })}`
}

export interface SendAttempt {
  headers: Headers
  at: Date
}

/** Records an attempt before it is made, so that no sent message is unrecorded. Keeps the first time and signature. */
export async function markSending(db: Run, seal: Seal, key: ArchiveKey, { headers, at }: SendAttempt): Promise<void> {
  const sealed = sealPart(seal, key, 'headers', JSON.stringify(headers))
  await db`
    update network_message set tries = tries + 1, headers_sealed = coalesce(headers_sealed, ${sealed}),
      at = coalesce(sent_at, ${at}), sent_at = coalesce(sent_at, ${at})
    where bucket = ${bucketOf(key.journeyId)} and tenant_id = ${key.tenantId} and journey_id = ${key.journeyId} and message_key = ${key.messageKey}`
}

/** Records how the sending of a message ended, with the receiver's answer if there was one. */
export async function recordOutcome(
  db: Run,
  seal: Seal,
  key: ArchiveKey,
  { outcome, answer }: { outcome: string; answer: SyncAnswer | null },
): Promise<void> {
  const answerSealed = answer && sealPart(seal, key, 'answer', JSON.stringify(answer))
  await db`
    update network_message set outcome = ${outcome}, answer_sealed = coalesce(${answerSealed}, answer_sealed)
    where bucket = ${bucketOf(key.journeyId)} and tenant_id = ${key.tenantId} and journey_id = ${key.journeyId} and message_key = ${key.messageKey}`
}

async function readRow(db: Run, key: ArchiveKey): Promise<MessageRow | undefined> {
  const [row] = await db<MessageRow>`
    select ${columns} from network_message
    where bucket = ${bucketOf(key.journeyId)} and tenant_id = ${key.tenantId} and journey_id = ${key.journeyId} and message_key = ${key.messageKey}`
  return row
}

export async function readMessage(db: Run, seal: Seal, key: ArchiveKey): Promise<ArchivedMessage | undefined> {
  const row = await readRow(db, key)
  return row && openMessage(seal, row)
}

/** Reads the bodies of messages of a journey by their keys, without those in the archive. */
export async function readBodies(
  db: Run,
  seal: Seal,
  { tenantId, journeyId }: Omit<ArchiveKey, 'messageKey'>,
  messageKeys: string[],
): Promise<Map<string, string>> {
  const rows = await db<{ messageKey: string; bodySealed: Buffer }>`
    select message_key, body_sealed from network_message
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
      and message_key = any(${messageKeys}::uuid[]) and body_sealed is not null`
  const bodyOf = ({ messageKey, bodySealed }: (typeof rows)[number]) =>
    openPart(seal, { tenantId, journeyId, messageKey }, 'body', bodySealed).toString('utf8')
  return new Map(rows.map((row) => [row.messageKey, bodyOf(row)]))
}

/** Reads the body of a callback, and whether it answers a `request` of ours. */
export async function readCallback(
  db: Run,
  seal: Seal,
  key: ArchiveKey,
  request: string,
): Promise<{ body: Buffer; isAnswer: boolean } | undefined> {
  const { tenantId, journeyId, messageKey } = key
  const [row] = await db<{ bodySealed: Buffer | null; isAnswer: boolean }>`
    select m.body_sealed, r.message_key is not null as is_answer
    from network_message m left join network_message r on r.bucket = m.bucket and r.tenant_id = m.tenant_id and r.journey_id = m.journey_id
      and r.direction = 'sent' and r.message_id = m.message_id and r.action = ${request}
    where m.bucket = ${bucketOf(journeyId)} and m.tenant_id = ${tenantId} and m.journey_id = ${journeyId} and m.message_key = ${messageKey}`
  return row?.bodySealed ? { body: openPart(seal, key, 'body', row.bodySealed), isAnswer: row.isAnswer } : undefined
}

export async function readOutgoing(db: Run, seal: Seal, key: ArchiveKey): Promise<OutgoingMessage | undefined> {
  const row = await readRow(db, key)
  return row && openOutgoing(seal, row)
}

/** Returns the request of ours with this message id. */
export async function readRequest(
  db: Run,
  seal: Seal,
  key: { tenantId: string; journeyId: string },
  { messageId, action }: Pick<ArchivedMessage, 'messageId' | 'action'>,
): Promise<OutgoingMessage | undefined> {
  const [row] = await db<MessageRow>`
    select ${columns} from network_message
    where bucket = ${bucketOf(key.journeyId)} and tenant_id = ${key.tenantId} and journey_id = ${key.journeyId} and direction = 'sent'
      and message_id = ${messageId} and action = ${action}`
  return row && openOutgoing(seal, row)
}

/** Finds what an answer needs of its request, without unsealing the request. */
export async function findRequest(
  db: Run,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  { messageId, action }: Pick<ArchivedMessage, 'messageId' | 'action'>,
): Promise<Pick<OutgoingMessage, 'conversationId' | 'expiresAt'> | undefined> {
  const [row] = await db<Pick<OutgoingMessage, 'conversationId' | 'expiresAt'>>`
    select conversation_id, expires_at from network_message
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and direction = 'sent'
      and message_id = ${messageId} and action = ${action}`
  return row
}

/** Whether a callback that answers our request with this message id was accepted. */
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

/** Returns a lender's newest accepted message in a conversation that has one of these actions. */
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

/** Returns the accepted callback with this message id and sender. */
export async function readAccepted(
  db: Run,
  seal: Seal,
  key: { tenantId: string; journeyId: string },
  { action, messageId, party }: Pick<ArchivedMessage, 'action' | 'messageId' | 'party'>,
): Promise<ArchivedMessage | undefined> {
  const [row] = await db<MessageRow>`
    select ${columns} from network_message
    where bucket = ${bucketOf(key.journeyId)} and tenant_id = ${key.tenantId} and journey_id = ${key.journeyId} and direction = 'received'
      and message_id = ${messageId} and action = ${action} and party = ${party} and outcome not like 'NACK%' limit 1`
  return row && openMessage(seal, row)
}

/** Whether any callback of this action was accepted in the journey. */
export async function hasAccepted(
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

/** Returns all messages of a journey in the order of their time. */
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

export type Headers = Record<string, string>

/** An archived message. `action` is a network action, or `form` for a submitted form. */
export interface ArchivedMessage {
  tenantId: string
  journeyId: string
  messageKey: string
  conversationId: string | null
  direction: 'sent' | 'received'
  /** The other party: a lender's subscriber id, or the gateway's host. */
  party: string
  action: string
  messageId: string
  /** The address of a sent message; null for a received one. */
  url: string | null
  headers: Headers | null
  /** Empty when the message has moved to the archive. */
  body: Buffer
  isArchived: boolean
  answer: SyncAnswer | null
  outcome: string | null
  at: Date
  /** The end of a request's ttl; null for other messages. */
  expiresAt: Date | null
  sentAt: Date | null
  tries: number
}

/** A request of ours, which always has an address (empty once archived) and a ttl. */
export interface OutgoingMessage extends ArchivedMessage {
  url: string
  expiresAt: Date
}

export interface SyncAnswer {
  status: number
  body: string
}

interface MessageRow extends Omit<ArchivedMessage, 'url' | 'headers' | 'body' | 'answer' | 'isArchived'> {
  urlSealed: Buffer | null
  headersSealed: Buffer | null
  bodySealed: Buffer | null
  answerSealed: Buffer | null
}

export type ArchiveKey = Pick<ArchivedMessage, 'tenantId' | 'journeyId' | 'messageKey'>

type MessagePart = 'url' | 'headers' | 'body' | 'answer'

/** The binding context of a sealed part, so that no part can replace another. */
const sealContext = ({ tenantId, journeyId, messageKey }: ArchiveKey, part: MessagePart): string =>
  `network_message.${part}:${tenantId}:${journeyId}:${messageKey}`

const sealPart = (seal: Seal, key: ArchiveKey, part: MessagePart, value: Buffer | string): Buffer =>
  seal.bytes(Buffer.from(value), sealContext(key, part))

const openPart = (seal: Seal, key: ArchiveKey, part: MessagePart, sealed: Buffer): Buffer =>
  seal.open(sealed, sealContext(key, part))

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
    body: bodySealed ? openPart(seal, row, 'body', bodySealed) : Buffer.alloc(0),
    isArchived: bodySealed === null,
    answer: answer === null ? null : JSON.parse(answer),
  }
}

function openOutgoing(seal: Seal, row: MessageRow): OutgoingMessage {
  const message = openMessage(seal, row)
  const url = message.isArchived ? '' : required(message.url, 'the address of a request')
  return { ...message, url, expiresAt: required(message.expiresAt, 'the end of the ttl of a request') }
}
