// Checks of uploads: stored once per key, refused if invalid, and matched with the manifest (D3 §4.3).
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { fieldsOf } from '@lendloom/foundation/record'
import { faults } from '@lendloom/foundation/schema'
import { uuidv4 } from '@lendloom/seal/id'
import { DocumentReply, documentTypes } from '@lendloom/wire/exchange/document'
import { type Check, checks, expect } from '#conformance/exchange/check.ts'
import { expectRefusal } from '#conformance/exchange/refusal-checks.ts'
import type { Run } from '#conformance/exchange/run.ts'
import type { HttpAnswer } from '#conformance/exchange/send-request.ts'
import { manifest, pdf, png } from '#conformance/exchange/test-borrower.ts'
import { formOf } from '#conformance/exchange/upload-form.ts'

interface Upload {
  reference?: string
  type: string
  requestId?: string
  bytes?: Buffer | null
  contentType?: string
  change?: Record<string, string>
}

const json = 'application/json'

async function upload(run: Run, uploadInput: Upload): Promise<HttpAnswer> {
  const { reference = uuidv4(), type, requestId = uuidv4(), bytes = pdf(type), contentType, change } = uploadInput
  const fields = {
    request_id: requestId,
    external_reference_id: run.memory.caseRef,
    celestium_lead_id: run.found('leadId'),
    celestium_loan_id: run.found('loanId'),
    document_reference_id: reference,
    document_type: type,
    ...change,
  }
  const name = contentType === json ? 'report.json' : contentType === 'image/png' ? 'proof.png' : 'report.pdf'
  const form = await formOf(fields, bytes && { bytes, name, ...(contentType && { contentType }) })
  return run.request('POST', '/documents', form.headers, form.body)
}

/** Uploads a file under the step's saved key, so that a repeated step is a replay. Returns the `document_id`. */
export async function storeDocument(run: Run, step: string, uploadInput: Upload): Promise<string> {
  const key = `upload ${step}`
  const wasTried = run.memory.found[key] !== undefined
  if (!wasTried) run.remember({ [key]: uuidv4() })
  const requestId = run.found(key)
  const bytes = uploadInput.bytes ?? pdf(uploadInput.type)
  const answer = await upload(run, { reference: requestId, ...uploadInput, requestId, bytes })
  const isStored = answer.status === 201 || (wasTried && answer.status === 200)
  expect(isStored, `got status ${answer.status} for a new file, expected 201`)
  const replyFaults = faults(DocumentReply, answer.json)
  expect(replyFaults.length === 0, replyFaults.map(({ path, message }) => `${path || 'body'} ${message}`).join('; '))
  const reply = fieldsOf(answer.json)
  const digest = createHash('sha256').update(bytes).digest('hex')
  expect(reply.sha256 === digest, `sha256 is ${reply.sha256}, but that of the bytes is ${digest}`)
  expect(reply.size_bytes === bytes.length, `size_bytes is ${reply.size_bytes}, but the file has ${bytes.length}`)
  expect(reply.request_id === requestId, 'request_id differs from the request')
  expect(reply.external_reference_id === run.memory.caseRef, 'external_reference_id differs from the request')
  expect(
    reply.document_reference_id === (uploadInput.reference ?? requestId),
    'document_reference_id differs from the request',
  )
  run.remember({ [`answer ${step}`]: answer.text })
  return String(reply.document_id)
}

const bureau = { type: 'BUREAU_REPORT', reference: manifest.bureau.document_reference_id }
const invalidStatuses = [400, 422]
const unsupportedStatuses = [415, 400, 422]

interface InvalidUpload {
  id: string
  title: string
  statuses: number[]
  upload: Upload
  field?: string
}
const invalidUploads: InvalidUpload[] = [
  {
    id: 'content',
    title: 'a text that claims to be a PDF',
    statuses: unsupportedStatuses,
    upload: { type: 'BANK_STATEMENT', bytes: Buffer.from('this is no PDF') },
  },
  {
    id: 'media',
    title: 'a BANK_STATEMENT in JSON, which is allowed for reports only',
    statuses: unsupportedStatuses,
    upload: { type: 'BANK_STATEMENT', bytes: Buffer.from('{"a":1}'), contentType: json },
  },
  {
    id: 'corrupt',
    title: 'a truncated PDF',
    statuses: unsupportedStatuses,
    upload: { type: 'BANK_STATEMENT', bytes: pdf('cut').subarray(0, 90) },
  },
  {
    id: 'type',
    title: 'a document_type that does not exist',
    statuses: invalidStatuses,
    upload: { type: 'SELFIE' },
    field: 'document_type',
  },
  { id: 'no-file', title: 'no file', statuses: invalidStatuses, upload: { type: 'BANK_STATEMENT', bytes: null } },
  {
    id: 'too-large',
    title: 'a PAYMENT_SCREENSHOT of more than 5 MiB',
    statuses: [413],
    upload: { type: 'PAYMENT_SCREENSHOT', bytes: pdf('large', documentTypes.PAYMENT_SCREENSHOT.maxBytes) },
  },
  {
    id: 'other-ids',
    title: 'the partner IDs of another case',
    statuses: [403, 404, 409, 422],
    upload: { type: 'BANK_STATEMENT', change: { celestium_lead_id: 'CONFORM-1', celestium_loan_id: '1' } },
  },
  {
    id: 'unknown-case',
    title: 'an unknown case',
    statuses: [403, 404],
    upload: { type: 'BANK_STATEMENT', change: { external_reference_id: 'CONFORM-NOBODY' } },
  },
]

const refusalChecks = invalidUploads.map(
  ({ id, title, statuses, upload: uploadInput, field }): Check => ({
    id: `documents.${id}`,
    section: 'D3 §4.3',
    title: `a file is refused: ${title}`,
    sends: `POST /documents with ${title}`,
    expects: `${statuses.join(' or ')} with the error body of D3 §7`,
    needs: ['lead.registered'],
    async run(run) {
      const requestId = uuidv4()
      const answer = await upload(run, { ...uploadInput, requestId })
      expectRefusal(answer, statuses, { id: requestId, ...(field !== undefined && { field }) })
    },
  }),
)

export const documents = checks([
  ...refusalChecks,
  {
    id: 'documents.stored',
    section: 'D3 §4.3',
    title: 'a file of the manifest is stored',
    sends: 'POST /documents with the BUREAU_REPORT as PDF',
    expects: '201 with the IDs of the request, the size and the SHA-256 of the bytes, status STORED',
    needs: ['lead.registered'],
    async run(run) {
      run.remember({ bureauDocument: await storeDocument(run, 'bureau', bureau) })
    },
  },
  {
    id: 'documents.replay',
    section: 'D3 §4.3',
    title: 'a repeated upload gets the same response',
    sends: 'POST /documents with the same request_id, IDs and bytes',
    expects: '200 with the same body',
    needs: ['documents.stored'],
    async run(run) {
      const answer = await upload(run, { ...bureau, requestId: run.found('upload bureau') })
      expect(answer.status === 200, `got status ${answer.status}, expected 200`)
      const before = JSON.parse(run.found('answer bureau'))
      expect(isDeepStrictEqual(answer.json, before), 'the body differs from the first response')
    },
  },
  {
    id: 'documents.conflict',
    section: 'D3 §4.3',
    title: 'different bytes under the same key are a conflict',
    sends: 'POST /documents with the same request_id and another PDF',
    expects: '409 with the error body of D3 §7',
    needs: ['documents.stored'],
    async run(run) {
      const requestId = run.found('upload bureau')
      const answer = await upload(run, { ...bureau, requestId, bytes: pdf('another') })
      expectRefusal(answer, [409], { id: requestId })
    },
  },
  {
    id: 'documents.kept',
    section: 'D3 §4.3',
    title: 'a stored file is not replaced under its own reference',
    sends: 'POST /documents with a new request_id, the document_reference_id of the stored file, and another PDF',
    expects: '409 with the error body of D3 §7: a replacement has its own reference',
    needs: ['documents.stored'],
    async run(run) {
      expectRefusal(await upload(run, { ...bureau, bytes: pdf('another') }), [409])
    },
  },
  {
    id: 'status.documents',
    section: 'D3 §4.4',
    title: 'Status lists stored and pending files',
    sends: 'GET /status',
    expects: 'the stored file with its document_id, once, and not in pending',
    needs: ['documents.stored'],
    async run(run) {
      const { documents: files } = await run.status()
      const stored = files.stored.filter(({ document_reference_id: id }) => id === bureau.reference)
      expect(stored.length === 1, `the stored file appears ${stored.length} times in documents.stored`)
      expect(stored[0]?.document_id === run.found('bureauDocument'), 'document_id is not that of the upload')
      expect(!files.pending.includes(bureau.reference), 'the stored file is still pending')
    },
  },
  {
    id: 'documents.replacement',
    section: 'D3 §4.3',
    title: 'a replacement is stored beside the file that it replaces',
    sends: 'POST /documents with another BUREAU_REPORT under a new document_reference_id',
    expects: '201, and both files in Status',
    needs: ['documents.stored'],
    async run(run) {
      const id = await storeDocument(run, 'replacement', { type: 'BUREAU_REPORT', bytes: pdf('a newer report') })
      const { documents: files } = await run.status()
      for (const each of [id, run.found('bureauDocument')])
        expect(
          files.stored.some(({ document_id }) => document_id === each),
          `documents.stored lacks ${each}`,
        )
    },
  },
  {
    id: 'documents.json',
    section: 'D3 §4.3',
    title: 'a report in JSON completes the manifest',
    sends: 'POST /documents with the BANK_ANALYSIS_REPORT as JSON',
    expects: '201, and nothing pending in Status; the case is under review, or further',
    needs: ['documents.stored'],
    async run(run) {
      const { document_reference_id: reference, document_type: type } = manifest.analysis
      const bytes = Buffer.from('{"accounts":[{"average_balance":"41250.75"}]}')
      await storeDocument(run, 'analysis', { type, reference, bytes, contentType: json })
      const { documents: files } = await run.status()
      expect(files.pending.length === 0, `documents.pending is ${files.pending.join()}`)
      await run.statusUntil(
        ({ case_status }) => case_status !== 'DOCUMENTS_PENDING',
        'case_status is still DOCUMENTS_PENDING',
      )
    },
  },
  {
    id: 'documents.png',
    section: 'D3 §4.3',
    title: 'an image is stored as a payment screenshot',
    sends: 'POST /documents with a PAYMENT_SCREENSHOT as PNG',
    expects: '201',
    needs: ['lead.registered'],
    async run(run) {
      await storeDocument(run, 'screenshot', { type: 'PAYMENT_SCREENSHOT', bytes: png(), contentType: 'image/png' })
    },
  },
])
