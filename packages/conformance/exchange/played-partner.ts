// The four interfaces of the lending partner that a run plays for a platform: each call is checked, kept and answered (D3 §4).
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { DedupeRequest } from '#contract/exchange/dedupe.ts'
import { DocumentForm, documentTypes } from '#contract/exchange/document.ts'
import { sensitiveFaults } from '#contract/exchange/fields.ts'
import { isUuid, uuidv4 } from '#kit/crypto/id.ts'
import { BadContent, checkFile } from '#kit/files/file-content.ts'
import { faults } from '#kit/http/schema.ts'
import { fieldsOf, jsonIn, messageOf } from '#kit/runtime/record.ts'
import { type EventReceiver, isJson, keyIn, takeEvent } from './arriving-events.ts'
import { type AnswerHandler, type ListenerAnswer, type ListenerRequest, refusal } from './listener.ts'
import type { PlayedCall } from './memory.ts'
import { leadIn } from './played-loan.ts'
import { playedStatus, type SnapshotFault } from './played-status.ts'

/** A partner for the first case that a platform asks about; it rejects all others. */
export const playedPartner =
  (receiving: EventReceiver): AnswerHandler =>
  async (arriving) => {
    const { method, path } = arriving
    const is = (name: string) => path.endsWith(`/${name}`)
    if (method === 'GET') return is('status') ? answerStatus(receiving, arriving) : null
    if (is('dedupe')) return answerDedupe(receiving, arriving)
    if (is('documents')) return answerUpload(receiving, arriving)
    return is('events') ? takeEvent(receiving, arriving) : refusal(404, uuidv4(), 'NOT_FOUND', 'there is no such path')
  }

/** What is wrong with a call; each fault breaks the check of its interface, of its key, or of the credential. */
class Faults {
  readonly found: PlayedCall['faults'] = []
  add(check: string, words: string): void {
    this.found.push({ check: `platform-calls.${check}`, words })
  }
  credential({ theirs }: EventReceiver, { authorization }: IncomingHttpHeaders): void {
    if (authorization !== `Bearer ${theirs.bearer}`) this.add('bearer', 'Authorization is not the agreed bearer')
  }
  key(headers: IncomingHttpHeaders, requestId: unknown): void {
    const key = keyIn(headers)
    if (key !== String(requestId)) this.add('key', `Idempotency-Key is ${key}, and request_id ${requestId}`)
  }
}

/** Stores the call, and postpones the first of its name; null when it should be answered. */
function kept({ memory, kept: keep }: EventReceiver, call: Omit<PlayedCall, 'at' | 'answered'>): ListenerAnswer | null {
  const { name, key, content } = call
  const before = memory.calls.filter((each) => each.name === name)
  const differs = name !== 'status' && before.some((each) => each.key === key && each.content !== content)
  const answered = differs ? 409 : before.length === 0 && name !== 'status' ? 503 : 200
  memory.calls.push({ ...call, at: Date.now(), answered })
  keep()
  if (answered === 409) return refusal(409, key, 'CONFLICT', 'this request_id was used with other content')
  return answered === 503 ? refusal(503, key, 'INTERNAL_ERROR', 'not now') : null
}

function answerDedupe(receiving: EventReceiver, { headers, raw }: ListenerRequest): ListenerAnswer {
  const { memory, kept: keep } = receiving
  const body = jsonIn(raw.toString('utf8'))
  const { request_id, external_reference_id } = fieldsOf(body)
  const [key, reference] = [String(request_id), String(external_reference_id)]
  if (memory.caseRef === '') {
    memory.caseRef = reference
    memory.refs.push(reference)
  }
  const wrong = new Faults()
  wrong.credential(receiving, headers)
  wrong.key(headers, request_id)
  if (!isJson(headers)) wrong.add('dedupe', `Content-Type is ${headers['content-type']}`)
  for (const { path, message } of [...faults(DedupeRequest, body), ...sensitiveFaults(body)])
    wrong.add('dedupe', `${path || 'body'} ${message}`)
  const content = JSON.stringify(body ?? raw.toString('utf8'))
  const other = kept(receiving, { name: 'dedupe', key, reference, content, faults: wrong.found })
  if (other) return other
  const isOurs = reference === memory.caseRef
  memory.found[`reply ${key}`] ??= JSON.stringify({
    ...{ request_id, external_reference_id },
    dedupe_reference_id: `CONFORM-${uuidv4()}`,
    match_status: 'NO_MATCH',
    ...{ decision: isOurs ? 'PROCEED' : 'DECLINE', reason_code: isOurs ? 'NO_RECORD' : 'ONE_CASE_ONLY' },
    reason_message: isOurs ? 'Nobody of that name is known' : 'This run has a case already',
    ...{ existing_celestium_lead_id: null, existing_celestium_loan_id: null, checked_at: new Date().toISOString() },
  })
  keep()
  return { status: 200, body: JSON.parse(memory.found[`reply ${key}`] ?? '{}') }
}

async function answerUpload(receiving: EventReceiver, { headers, raw }: ListenerRequest): Promise<ListenerAnswer> {
  const { memory, kept: keep } = receiving
  const wrong = new Faults()
  wrong.credential(receiving, headers)
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': String(headers['content-type']) } })
    .formData()
    .catch(() => new FormData())
  const files = form.getAll('file').filter((part) => typeof part !== 'string')
  const fields = Object.fromEntries([...form].filter(([name, value]) => name !== 'file' && typeof value === 'string'))
  const [file] = files
  const bytes = file ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const { request_id, external_reference_id, document_reference_id: reference } = fields
  wrong.key(headers, request_id)
  if (files.length !== 1) wrong.add('documents', `${files.length} parts are a file named "file", not one`)
  for (const { path, message } of faults(DocumentForm, fields)) wrong.add('documents', `${path || 'body'} ${message}`)
  for (const words of [...idFaults(receiving, fields), ...(file ? await contentFaults(fields, file, bytes) : [])])
    wrong.add('documents', words)
  const about = { file_name: file?.name ?? '', content_type: file?.type ?? '', size_bytes: bytes.length, sha256 }
  const content = JSON.stringify({ fields, ...about })
  const key = String(request_id)
  const isKnown = memory.calls.some((call) => call.name === 'documents' && call.key === key && call.answered === 200)
  const other = kept(receiving, {
    ...{ name: 'documents', key, reference: String(external_reference_id), content, faults: wrong.found },
  })
  if (other) return other
  memory.found[`file ${reference}`] ??= `FILE-${uuidv4()}`
  memory.found[`stored ${key}`] ??= new Date().toISOString()
  keep()
  const { provider_reference_id: _, ...named } = fields
  return {
    status: isKnown ? 200 : 201,
    body: {
      ...named,
      document_id: memory.found[`file ${reference}`],
      ...about,
      status: 'STORED',
      stored_at: memory.found[`stored ${key}`],
    },
  }
}

/** Whose file it is, and whether it is the one that the lead has announced under its reference. */
function* idFaults({ memory }: EventReceiver, fields: Record<string, unknown>): Generator<string> {
  const { caseRef, found } = memory
  const { celestium_lead_id, celestium_loan_id, document_reference_id, document_type } = fields
  if (found.leadId === undefined) yield 'it came before LEAD_REGISTERED had given the partner IDs'
  else if (celestium_lead_id !== found.leadId || celestium_loan_id !== found.loanId)
    yield 'its partner IDs are not those of LEAD_REGISTERED'
  if (fields.external_reference_id !== caseRef) yield `external_reference_id is not ${caseRef}`
  const announced = leadIn(memory)?.documents_expected.find(
    (each) => each.document_reference_id === document_reference_id,
  )
  if (announced && announced.document_type !== document_type)
    yield `${document_reference_id} is a ${document_type}, and was announced as ${announced.document_type}`
}

async function contentFaults(fields: Record<string, unknown>, { type }: Blob, bytes: Buffer): Promise<string[]> {
  const rule = Object.entries(documentTypes).find(([name]) => name === fields.document_type)?.[1]
  if (!rule) return []
  const contentType = type.replace(/;.*$/, '')
  if (!rule.contentTypes.some((allowed) => allowed === contentType))
    return [`a ${fields.document_type} may not be ${contentType}`]
  const found = []
  if (bytes.length > rule.maxBytes) found.push(`a ${fields.document_type} of ${bytes.length} bytes is too large`)
  try {
    await checkFile(contentType, bytes)
  } catch (error) {
    if (!(error instanceof BadContent)) throw error
    found.push(`its bytes are no ${contentType}: ${messageOf(error)}`)
  }
  return found
}

function answerStatus(receiving: EventReceiver, { headers, query, raw }: ListenerRequest): ListenerAnswer {
  const { memory, kept: keep } = receiving
  const requestId = String(headers['x-request-id'])
  const reference = String(query.get('external_reference_id'))
  const wrong = new Faults()
  wrong.credential(receiving, headers)
  if (!isUuid(requestId)) wrong.add('status', `X-Request-Id is ${requestId}, not a UUID`)
  if (raw.length > 0) wrong.add('status', 'a read has a body')
  const isKnown = reference === memory.caseRef && leadIn(memory) !== null
  const spoiled = isKnown ? nextSpoiled(receiving) : undefined
  const content = JSON.stringify({ spoiled: spoiled ?? null })
  kept(receiving, { name: 'status', key: requestId, reference, content, faults: wrong.found })
  if (!isKnown) return refusal(404, requestId, 'NOT_FOUND', 'this run has no such case')
  const body = playedStatus(memory, requestId, spoiled)
  keep()
  return { status: 200, body }
}

/** What was ordered for the next snapshots is used up one by one. */
function nextSpoiled({ memory }: EventReceiver): SnapshotFault | undefined {
  const [next, ...more] = (memory.found.nextSnapshots ?? '').split(' ')
  memory.found.nextSnapshots = more.join(' ')
  return next === 'inconsistent' || next === 'stale' ? next : undefined
}
