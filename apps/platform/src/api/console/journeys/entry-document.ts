// Reads the unmasked document of a timeline entry, such as the payload of an update or the body of a message.

import type { ArchivedRow } from '@lendloom/archive/archived-row'
import { outboxContext } from '@lendloom/event-log/deliver-outbox'
import { inboxContext } from '@lendloom/event-log/inbox/inbox-store'
import { jsonIn } from '@lendloom/foundation/json'
import { maskedWords } from '@lendloom/foundation/mask'
import { fieldsOf, ownValue } from '@lendloom/foundation/record'
import { isUuid } from '@lendloom/foundation/uuid'
import type { EntryAnswer } from '@lendloom/wire/console/journeys'
import { listEntries } from '#platform/complaints/complaint/entry/store.ts'
import { findGrievance } from '#platform/complaints/grievance/store.ts'
import { type Bodies, bodiesContext } from '#platform/integrators/request-log/request-log.ts'
import { findRequest } from '#platform/integrators/request-log/store.ts'
import { answerContext, bodyContext } from '#platform/integrators/webhook/delivery.ts'
import { detailContext } from '#platform/lenders/network/inbound/store.ts'
import { readMessage } from '#platform/lenders/network/messages/store.ts'
import { checkContext, checkKinds } from '#platform/lenders/partner/partner-check.ts'
import { eventContext } from '#platform/lending/journey/journey.ts'
import { type ArchiveReader, findArchivedRow, mainText } from '#platform/records/archive/read-archive.ts'
import {
  readAttemptAnswer,
  readCheckResult,
  readDeliveryBody,
  readJobPayload,
  readObservation,
  readReceived,
  readSent,
  readUpdate,
} from './entry-document-store.ts'
import type { EntryRow, TimelineKey } from './timeline-store.ts'

/** `raw` is JSON or text; null when the entry has no document. The other fields describe the document. */
export interface EntryDocument {
  raw: unknown
  answer?: EntryAnswer | null
  [about: string]: unknown
}

type DocumentDeps = ArchiveReader
type Reader = (deps: DocumentDeps, journey: TimelineKey, entryKey: string) => Promise<EntryDocument | null>

const readers: Record<string, Reader> = {
  async update({ db, seal }, journey, eventId) {
    const row = await readUpdate(db, journey, eventId)
    return row?.payloadSealed
      ? { raw: parseJson(seal.open(row.payloadSealed, eventContext(journey.tenantId, journey.journeyId, row.status))) }
      : null
  },
  async request({ db, seal }, { tenantId }, requestId) {
    const row = await findRequest(db, { tenantId, requestId })
    if (!row?.bodiesSealed) return null
    const { request, reply } = seal.openJson<Bodies>(row.bodiesSealed, bodiesContext({ tenantId, requestId }))
    return { raw: { request, reply }, path: row.path }
  },
  delivery: readDelivery,
  async try(deps, journey, entryKey) {
    const [deliveryId = '', number] = entryKey.split('.')
    const [document, answer] = await Promise.all([
      readDelivery(deps, journey, deliveryId),
      answerOfAttempt(deps, journey, deliveryId, Number(number)),
    ])
    return document && { ...document, answer }
  },
  async network({ db, seal }, journey, messageKey) {
    const message = await readMessage(db, seal, { ...journey, messageKey })
    if (!message) return null
    const { url, headers, answer, body, outcome, tries, sentAt, expiresAt } = message
    return {
      raw: message.isArchived ? null : parseJson(body),
      url,
      headers,
      answer: answer && { answer: String(answer.status), tookMs: null, body: answer.body },
      outcome,
      tries,
      sentAt,
      expiresAt,
    }
  },
  async noted({ db, seal }, journey, inboundMessageId) {
    const row = await readObservation(db, journey, inboundMessageId)
    return row?.detailSealed
      ? { raw: seal.openJson(row.detailSealed, detailContext({ ...journey, inboundMessageId })) }
      : null
  },
  async sent({ db, seal }, journey, eventId) {
    const row = await readSent(db, journey, eventId)
    return row?.bodySealed ? { raw: parseJson(seal.open(row.bodySealed, outboxContext(row.reference, eventId))) } : null
  },
  async received({ db, seal }, journey, eventId) {
    const row = await readReceived(db, journey, eventId)
    return row?.bodySealed ? { raw: parseJson(seal.open(row.bodySealed, inboxContext(row.sender, eventId))) } : null
  },
  async check({ db, seal }, journey, entryKey) {
    const [kindName, number] = entryKey.split('.')
    const kind = checkKinds.find((each) => each === kindName)
    const row = kind && (await readCheckResult(db, journey, kind, Number(number)))
    if (!kind || !row?.resultSealed) return null
    const checkKey = { tenantId: journey.tenantId, caseRef: row.caseRef, kind, attempt: Number(number) }
    return { raw: seal.openJson(row.resultSealed, checkContext('result', checkKey)) }
  },
  async grievance({ db, seal }, journey, grievanceId) {
    const grievance = await findGrievance(db, seal, journey, grievanceId)
    return grievance ? { raw: { ...grievance.detail, complainant: null } } : null
  },
  async complaint({ db, seal }, { tenantId }, complaintId) {
    const entries = (await listEntries(db, seal, { tenantId, complaintId })).filter(({ kind }) => kind !== 'NOTE')
    return {
      raw: entries.map(({ at, author, kind, code, body }) => ({
        at,
        author,
        kind,
        code,
        text: maskedWords(body.text),
      })),
    }
  },
  async job({ db }, journey, jobId) {
    const row = await readJobPayload(db, journey.tenantId, jobId)
    return row ? { raw: row.payload } : null
  },
}

async function readDelivery(
  { db, seal }: DocumentDeps,
  journey: TimelineKey,
  deliveryId: string,
): Promise<EntryDocument | null> {
  if (!isUuid(deliveryId)) return null
  const row = await readDeliveryBody(db, journey, deliveryId)
  if (!row) return null
  const { bodySealed, ...about } = row
  const raw = bodySealed && parseJson(seal.open(bodySealed, bodyContext({ ...journey, sequence: row.sequence })))
  return { raw, ...about }
}

/** The body is null after a first attempt that succeeded, because the delivery's row stores no response body. */
async function answerOfAttempt(
  { db, seal }: DocumentDeps,
  journey: TimelineKey,
  deliveryId: string,
  number: number,
): Promise<EntryAnswer | null> {
  if (!isUuid(deliveryId) || !Number.isInteger(number)) return null
  const row = await readAttemptAnswer(db, journey, deliveryId, number)
  if (!row || row.answer === null) return null
  const { answer, tookMs, answerSealed } = row
  const body = answerSealed && seal.open(answerSealed, answerContext({ ...journey, deliveryId })).toString('utf8')
  return { answer, tookMs, body }
}

/** Reads the document of a timeline entry, whose id names the source and the key. */
export async function readEntryDocument(
  deps: DocumentDeps,
  journey: TimelineKey,
  { id }: EntryRow,
): Promise<EntryDocument> {
  const dot = id.indexOf('.')
  const source = id.slice(0, dot)
  const entryKey = id.slice(dot + 1)
  const read = ownValue(readers, source)
  const document = (read && (await read(deps, journey, entryKey))) ?? { raw: null }
  return document.raw === null ? { ...document, ...(await readArchived(deps, journey, source, entryKey)) } : document
}

/** The tables whose documents are archived, with the column that an entry's key names. */
const archivedIn: Record<string, [table: string, column: string]> = {
  update: ['lifecycle_event', 'event_id'],
  delivery: ['webhook_delivery', 'delivery_id'],
  try: ['webhook_delivery', 'delivery_id'],
  network: ['network_message', 'message_key'],
  noted: ['inbound_message', 'inbound_message_id'],
  sent: ['outbox', 'event_id'],
  received: ['inbox', 'event_id'],
}

async function readArchived(
  deps: DocumentDeps,
  journey: TimelineKey,
  source: string,
  entryKey: string,
): Promise<EntryDocument> {
  const [table, column] = ownValue(archivedIn, source) ?? []
  if (table === undefined || column === undefined) return { raw: null }
  const [value = ''] = entryKey.split('.')
  const archived = await findArchivedRow(deps, journey, { table, column, value })
  const text = archived && mainText(archived)
  const raw = text === null ? null : parseJson(text)
  return archived && source === 'network' ? { raw, ...archivedExchange(archived) } : { raw }
}

/** What a message has beside its body. */
function archivedExchange({ values: { url = null, headers, answer } }: ArchivedRow) {
  const sent = typeof answer === 'string' ? fieldsOf(jsonIn(answer)) : null
  return {
    url,
    headers: typeof headers === 'string' ? jsonIn(headers) : null,
    answer: sent && { answer: String(sent.status), tookMs: null, body: String(sent.body) },
  }
}

/** Returns the text itself when it is not valid JSON. */
function parseJson(bytes: Buffer | string): unknown {
  const text = bytes.toString()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
