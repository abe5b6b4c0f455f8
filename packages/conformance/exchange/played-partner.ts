// The lending partner's four interfaces, played for a platform: checks, stores and answers each call (D3 §4).
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { BadContent, checkFile } from '@lendloom/files/file-content'
import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import { faults } from '@lendloom/foundation/schema'
import { messageOf } from '@lendloom/foundation/thrown'
import { isUuid } from '@lendloom/foundation/uuid'
import { uuidv4 } from '@lendloom/seal/id'
import { DedupeRequest } from '@lendloom/wire/exchange/dedupe'
import { DocumentForm, documentTypes } from '@lendloom/wire/exchange/document'
import { sensitiveFaults } from '@lendloom/wire/exchange/fields'
import { type EventReceiver, isJson, keyIn, receiveEvent } from './arriving-events.ts'
import { type AnswerHandler, type ListenerAnswer, type ListenerRequest, refusal } from './listener.ts'
import { receivedLead } from './played-loan.ts'
import { playedStatus, type SnapshotFault } from './played-status.ts'
import type { PlayedCall } from './run-memory.ts'

/** Plays a partner for the first case that a platform asks about; declines all others. */
export const playPartner =
  (receiver: EventReceiver): AnswerHandler =>
  async (request) => {
    const { method, path } = request
    const isPath = (name: string) => path.endsWith(`/${name}`)
    if (method === 'GET') return isPath('status') ? answerStatus(receiver, request) : null
    if (isPath('dedupe')) return answerDedupe(receiver, request)
    if (isPath('documents')) return answerUpload(receiver, request)
    return isPath('events')
      ? receiveEvent(receiver, request)
      : refusal(404, uuidv4(), 'NOT_FOUND', 'there is no such interface')
  }

/** Collects the faults of a call, each with the check that it fails. */
class CallFaults {
  readonly found: PlayedCall['faults'] = []
  add(check: string, words: string): void {
    this.found.push({ check: `platform-calls.${check}`, words })
  }
  checkCredential({ theirs }: EventReceiver, { authorization }: IncomingHttpHeaders): void {
    if (authorization !== `Bearer ${theirs.bearer}`) this.add('bearer', 'Authorization is not the agreed bearer')
  }
  checkKey(headers: IncomingHttpHeaders, requestId: unknown): void {
    const key = keyIn(headers)
    if (key !== String(requestId)) this.add('key', `Idempotency-Key is ${key}, but request_id is ${requestId}`)
  }
}

/** Stores a call. Returns a 409 for changed content, a 503 for the first upload or dedupe, otherwise null. */
function storeCall({ memory, save }: EventReceiver, call: Omit<PlayedCall, 'at' | 'answered'>): ListenerAnswer | null {
  const { name, key, content } = call
  const earlier = memory.calls.filter((each) => each.name === name)
  const isConflict = name !== 'status' && earlier.some((each) => each.key === key && each.content !== content)
  const answered = isConflict ? 409 : earlier.length === 0 && name !== 'status' ? 503 : 200
  memory.calls.push({ ...call, at: Date.now(), answered })
  save()
  if (answered === 409) return refusal(409, key, 'CONFLICT', 'this request_id was used with other content')
  return answered === 503 ? refusal(503, key, 'INTERNAL_ERROR', 'try again later') : null
}

function answerDedupe(receiver: EventReceiver, { headers, raw }: ListenerRequest): ListenerAnswer {
  const { memory, save } = receiver
  const body = jsonIn(raw.toString('utf8'))
  const { request_id, external_reference_id } = fieldsOf(body)
  const key = String(request_id)
  const reference = String(external_reference_id)
  if (memory.caseRef === '') {
    memory.caseRef = reference
    memory.refs.push(reference)
  }
  const callFaults = new CallFaults()
  callFaults.checkCredential(receiver, headers)
  callFaults.checkKey(headers, request_id)
  if (!isJson(headers)) callFaults.add('dedupe', `Content-Type is ${headers['content-type']}`)
  for (const { path, message } of [...faults(DedupeRequest, body), ...sensitiveFaults(body)])
    callFaults.add('dedupe', `${path || 'body'} ${message}`)
  const content = JSON.stringify(body ?? raw.toString('utf8'))
  const refused = storeCall(receiver, { name: 'dedupe', key, reference, content, faults: callFaults.found })
  if (refused) return refused
  const isOurs = reference === memory.caseRef
  memory.found[`reply ${key}`] ??= JSON.stringify({
    request_id,
    external_reference_id,
    dedupe_reference_id: `CONFORM-${uuidv4()}`,
    match_status: 'NO_MATCH',
    decision: isOurs ? 'PROCEED' : 'DECLINE',
    reason_code: isOurs ? 'NO_RECORD' : 'ONE_CASE_ONLY',
    reason_message: isOurs ? 'No record of this applicant' : 'This run has a case already',
    existing_celestium_lead_id: null,
    existing_celestium_loan_id: null,
    checked_at: new Date().toISOString(),
  })
  save()
  return { status: 200, body: JSON.parse(memory.found[`reply ${key}`] ?? '{}') }
}

async function answerUpload(receiver: EventReceiver, { headers, raw }: ListenerRequest): Promise<ListenerAnswer> {
  const { memory, save } = receiver
  const callFaults = new CallFaults()
  callFaults.checkCredential(receiver, headers)
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': String(headers['content-type']) } })
    .formData()
    .catch(() => new FormData())
  const files = form.getAll('file').filter((part) => typeof part !== 'string')
  const fields = Object.fromEntries([...form].filter(([name, value]) => name !== 'file' && typeof value === 'string'))
  const [file] = files
  const bytes = file ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const { request_id, external_reference_id, document_reference_id: reference } = fields
  callFaults.checkKey(headers, request_id)
  if (files.length !== 1) callFaults.add('documents', `${files.length} parts are a file named "file", not one`)
  for (const { path, message } of faults(DocumentForm, fields))
    callFaults.add('documents', `${path || 'body'} ${message}`)
  for (const words of [...idFaults(receiver, fields), ...(file ? await contentFaults(fields, file, bytes) : [])])
    callFaults.add('documents', words)
  const fileFields = { file_name: file?.name ?? '', content_type: file?.type ?? '', size_bytes: bytes.length, sha256 }
  const content = JSON.stringify({ fields, ...fileFields })
  const key = String(request_id)
  const isKnown = memory.calls.some((call) => call.name === 'documents' && call.key === key && call.answered === 200)
  const refused = storeCall(receiver, {
    name: 'documents',
    key,
    reference: String(external_reference_id),
    content,
    faults: callFaults.found,
  })
  if (refused) return refused
  memory.found[`file ${reference}`] ??= `FILE-${uuidv4()}`
  memory.found[`stored ${key}`] ??= new Date().toISOString()
  save()
  const { provider_reference_id: _, ...ids } = fields
  return {
    status: isKnown ? 200 : 201,
    body: {
      ...ids,
      document_id: memory.found[`file ${reference}`],
      ...fileFields,
      status: 'STORED',
      stored_at: memory.found[`stored ${key}`],
    },
  }
}

/** Checks that a file has the IDs of the case, and the type that the lead announced. */
function* idFaults({ memory }: EventReceiver, fields: Record<string, unknown>): Generator<string> {
  const { caseRef, found } = memory
  const { celestium_lead_id, celestium_loan_id, document_reference_id, document_type } = fields
  if (found.leadId === undefined) yield 'the file came before LEAD_REGISTERED gave the partner IDs'
  else if (celestium_lead_id !== found.leadId || celestium_loan_id !== found.loanId)
    yield 'the partner IDs are not those of LEAD_REGISTERED'
  if (fields.external_reference_id !== caseRef) yield `external_reference_id is not ${caseRef}`
  const announced = receivedLead(memory)?.documents_expected.find(
    (each) => each.document_reference_id === document_reference_id,
  )
  if (announced && announced.document_type !== document_type)
    yield `${document_reference_id} is a ${document_type}, but was announced as ${announced.document_type}`
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
    found.push(`the bytes are not ${contentType}: ${messageOf(error)}`)
  }
  return found
}

function answerStatus(receiver: EventReceiver, { headers, query, raw }: ListenerRequest): ListenerAnswer {
  const { memory, save } = receiver
  const requestId = String(headers['x-request-id'])
  const reference = String(query.get('external_reference_id'))
  const callFaults = new CallFaults()
  callFaults.checkCredential(receiver, headers)
  if (!isUuid(requestId)) callFaults.add('status', `X-Request-Id is ${requestId}, not a UUID`)
  if (raw.length > 0) callFaults.add('status', 'a read has a body')
  const isKnown = reference === memory.caseRef && receivedLead(memory) !== null
  const fault = isKnown ? takeSnapshotFault(receiver) : undefined
  const content = JSON.stringify({ spoiled: fault ?? null })
  storeCall(receiver, { name: 'status', key: requestId, reference, content, faults: callFaults.found })
  if (!isKnown) return refusal(404, requestId, 'NOT_FOUND', 'this run has no such case')
  const body = playedStatus(memory, requestId, fault)
  save()
  return { status: 200, body }
}

/** Takes the fault that a check has ordered for the next snapshot, if any. */
function takeSnapshotFault({ memory }: EventReceiver): SnapshotFault | undefined {
  const [next, ...later] = (memory.found.nextSnapshots ?? '').split(' ')
  memory.found.nextSnapshots = later.join(' ')
  return next === 'inconsistent' || next === 'stale' ? next : undefined
}
