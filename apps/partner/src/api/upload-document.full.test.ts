// POST /documents over HTTP with PostgreSQL and disk: idempotency, checks, limits, privacy and errors.
import assert from 'node:assert/strict'
import { createHash, hash } from 'node:crypto'
import { copyFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { faults } from '@lendloom/foundation/schema'
import { rekeyDigests } from '@lendloom/postgres/rekey-digests'
import { uuidv4 } from '@lendloom/seal/id'
import { fakeClamd } from '@lendloom/tests/setup/clamd'
import { clients, startDocumentsApi } from '@lendloom/tests/setup/documents-api'
import {
  bombPdf,
  eicar,
  mp4Box,
  ownerPasswordPdf,
  passwordPdf,
  plainPdf,
  sampleJpeg,
  sampleMp4,
  samplePdf,
  samplePng,
} from '@lendloom/tests/setup/files'
import { tablesWith } from '@lendloom/tests/setup/stored-values'
import { waitFor } from '@lendloom/tests/setup/subscriber'
import { DocumentReply, documentTypeNames, documentTypes } from '@lendloom/wire/exchange/document'
import { ErrorBody } from '@lendloom/wire/exchange/error'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCase, readCase } from '#partner/origination/case/store.ts'
import { pendingDocuments, storedDocuments } from '#partner/origination/document/manifest.ts'
import { readDocument } from '#partner/origination/document/open-files.ts'
import { removeOldUnrecorded } from '#partner/origination/document/remove-unrecorded-files.ts'
import { digestsOfUploads, noteObject } from '#partner/origination/document/store.ts'

const api = await startDocumentsApi()
const { ctx, register } = api
const pdf = await samplePdf('Bureau report of A. Borrower')
const MiB = 1 << 20

type Fields = Record<string, string>
const fieldsOf = (loanCase: Pick<Case, 'caseRef' | 'leadId' | 'loanId'>, changes: Fields = {}): Fields => ({
  request_id: uuidv4(),
  external_reference_id: loanCase.caseRef,
  celestium_lead_id: loanCase.leadId,
  celestium_loan_id: loanCase.loanId,
  document_reference_id: `ref-${uuidv4()}`,
  document_type: 'BUREAU_REPORT',
  ...changes,
})

interface UploadOptions {
  type?: string
  name?: string
  headers?: Record<string, string>
  bearer?: string
  isFileFirst?: boolean
  url?: string
}
async function upload(fields: Fields, file: Buffer = pdf, options: UploadOptions = {}) {
  const { type = 'application/pdf', name = 'report.pdf', bearer = clients[0]!.bearer, url = api.url } = options
  const form = new FormData()
  const add = () => form.append('file', new Blob([new Uint8Array(file)], { type }), name)
  if (options.isFileFirst) add()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  if (!options.isFileFirst) add()
  const headers = { authorization: `Bearer ${bearer}`, 'idempotency-key': fields.request_id ?? '', ...options.headers }
  const answer = await fetch(`${url}/documents`, { method: 'POST', headers, body: form })
  const text = await answer.text()
  return { status: answer.status, text, body: JSON.parse(text), headers: answer.headers }
}
type Answer = Awaited<ReturnType<typeof upload>>

function assertError({ status, body }: Answer, expected: number, code: string, path?: string): void {
  assert.equal(status, expected)
  assert.equal(body.error.code, code)
  assert.equal(body.error.fields[0]?.path, path)
  assert.deepEqual(faults(ErrorBody, body), [])
}
const drafts = (server = api): string[] => readdirSync(join(server.directory, 'draft'))
const objects = (server = api): string[] =>
  readdirSync(join(server.directory, 'object'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

test('D3 §4.3: the first upload gets 201 with every field, and its file can be read by the document id', async () => {
  const loanCase = await register()
  const fields = fieldsOf(loanCase, { provider_reference_id: 'EXP-77' })
  const { status, body } = await upload(fields)
  assert.equal(status, 201)
  assert.deepEqual(faults(DocumentReply, body), [])
  const { document_id, stored_at, ...rest } = body
  assert.deepEqual(rest, {
    request_id: fields.request_id,
    external_reference_id: loanCase.caseRef,
    celestium_lead_id: loanCase.leadId,
    celestium_loan_id: loanCase.loanId,
    document_reference_id: fields.document_reference_id,
    document_type: 'BUREAU_REPORT',
    file_name: 'report.pdf',
    content_type: 'application/pdf',
    size_bytes: pdf.length,
    sha256: createHash('sha256').update(pdf).digest('hex'),
    status: 'STORED',
  })
  assert.ok(Math.abs(Date.parse(stored_at) - Date.now()) < 60_000)
  const found = await readDocument(ctx, loanCase.caseRef, document_id)
  assert.ok((await buffer(found!.bytes)).equals(pdf))
  const { uploader, fileName, providerReferenceId, sizeBytes } = found!.document
  assert.equal(uploader, 'LENDLOOM')
  assert.equal(fileName, 'report.pdf')
  assert.equal(providerReferenceId, 'EXP-77')
  assert.equal(sizeBytes, pdf.length)
  assert.deepEqual(drafts(), [])
})

test('D3 §4.3: the database without its keys does not confirm a guessed request of an upload; one of the previous version is recognized', async () => {
  const { caseRef, leadId, loanId } = await register()
  const fields = fieldsOf({ caseRef, leadId, loanId })
  await upload(fields)
  const { document_reference_id: reference, document_type: type } = fields
  const content = [caseRef, leadId, loanId, reference, type, null, hash('sha256', pdf)]
  const plain = hash('sha256', JSON.stringify(content), 'buffer')
  assert.deepEqual(await tablesWith(ctx.db, plain.toString('hex')), [])
  await ctx.db`
    update document_request set content_digest = ${plain}, content_mac = null where request_id = ${fields.request_id}`
  const repeat = async () => {
    assert.equal((await upload(fields)).status, 200)
    assert.equal((await upload({ ...fields, document_type: 'BANK_STATEMENT' })).status, 409)
  }
  await repeat()
  await rekeyDigests(ctx.db, ctx.seal, digestsOfUploads)
  assert.deepEqual(await tablesWith(ctx.db, plain.toString('hex')), [])
  await repeat()
})

test('D3 §4.3: a repeated request gets 200 with the original body, even with the file before the fields', async () => {
  const fields = fieldsOf(await register())
  const first = await upload(fields)
  const before = objects()
  const again = await upload(fields, pdf, { isFileFirst: true, name: 'other-name.pdf' })
  assert.equal(first.status, 201)
  assert.equal(again.status, 200)
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(objects(), before)
  const upper = { ...fields, request_id: fields.request_id!.toUpperCase() }
  assert.equal((await upload(upper)).status, 200)
})

test('D3 §4.3: a reused request_id with other identifiers, type or bytes gets 409', async () => {
  const loanCase = await register()
  const other = await register()
  const fields = fieldsOf(loanCase)
  await upload(fields)
  const conflicts: [Fields, Buffer][] = [
    [fields, await samplePdf('Another report')],
    [{ ...fields, document_type: 'BANK_STATEMENT' }, pdf],
    [{ ...fields, document_reference_id: 'another' }, pdf],
    [{ ...fields, provider_reference_id: 'P-1' }, pdf],
    [{ ...fields, celestium_loan_id: '1' }, pdf],
    [{ ...fields, external_reference_id: 'unknown' }, pdf],
    [fieldsOf(other, { request_id: fields.request_id! }), pdf],
  ]
  const before = objects()
  for (const [changed, file] of conflicts) {
    const answer = await upload(changed, file)
    assertError(answer, 409, 'CONFLICT', 'request_id')
    assert.equal(answer.body.error.retryable, false)
  }
  assert.deepEqual(objects(), before)
  assert.equal((await storedDocuments(ctx.db, loanCase.caseRef)).length, 1)
})

test('D3 §4.3: of concurrent uploads of one request, one gets 201, and all get the same body', async () => {
  const loanCase = await register()
  const fields = fieldsOf(loanCase)
  const answers = await Promise.all(Array.from({ length: 8 }, () => upload(fields)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 201])
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal((await storedDocuments(ctx.db, loanCase.caseRef)).length, 1)
  assert.deepEqual(drafts(), [])
})

test('D3 §4.3: of concurrent uploads for two cases with one request_id, one gets 201 and the other 409', async () => {
  for (let round = 0; round < 5; round++) {
    const request_id = uuidv4()
    const cases = [await register(), await register()]
    const answers = await Promise.all(cases.map((loanCase) => upload(fieldsOf(loanCase, { request_id }))))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
    assertError(answers.find(({ status }) => status === 409)!, 409, 'CONFLICT', 'request_id')
  }
})

test('D3 §4.3: of concurrent files for one document reference, one is stored and the others get 409', async () => {
  const loanCase = await register()
  const document_reference_id = 'one-reference'
  const answers = await Promise.all([1, 2, 3].map(() => upload(fieldsOf(loanCase, { document_reference_id }))))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  assertError(answers.find(({ status }) => status === 409)!, 409, 'CONFLICT', 'document_reference_id')
})

test('DPDP §8(7): a file that is in the store when its row is refused is removed', async () => {
  const loanCase = await register()
  const before = objects().length
  const document_reference_id = 'one-reference'
  let answers: Promise<Answer[]> | undefined
  // All files are in the store before the first row is stored.
  await ctx.db.tx(async (tx) => {
    await lockCase(tx, loanCase.caseRef)
    answers = Promise.all([1, 2, 3].map(() => upload(fieldsOf(loanCase, { document_reference_id }))))
    await waitFor(async () => objects().length === before + 3)
  })
  assert.deepEqual((await answers!).map(({ status }) => status).sort(), [201, 409, 409])
  const [stored] = await storedDocuments(ctx.db, loanCase.caseRef)
  assert.equal(objects().length, before + 1)
  assert.ok(objects().includes(stored!.objectName))
  assert.deepEqual(await ctx.db`select from unrecorded_object where case_ref = ${loanCase.caseRef}`, [])
})

test('D3 §4.3: a replacement needs a new document reference, and the old file stays stored', async () => {
  const loanCase = await register()
  const old = await upload(fieldsOf(loanCase, { document_reference_id: 'old' }))
  const refused = await upload(fieldsOf(loanCase, { document_reference_id: 'old' }), await samplePdf('Newer'))
  assertError(refused, 409, 'CONFLICT', 'document_reference_id')
  const newer = await upload(fieldsOf(loanCase, { document_reference_id: 'new' }), await samplePdf('Newer'))
  assert.equal(newer.status, 201)
  assert.deepEqual(
    (await storedDocuments(ctx.db, loanCase.caseRef)).map(({ documentReferenceId }) => documentReferenceId),
    ['old', 'new'],
  )
  const { bytes } = (await readDocument(ctx, loanCase.caseRef, old.body.document_id))!
  assert.ok((await buffer(bytes)).equals(pdf))
})

test('D3 §4.3: reading a file fails after another file has replaced it in the store', async () => {
  const loanCase = await register()
  const one = await upload(fieldsOf(loanCase))
  const other = await upload(fieldsOf(loanCase), await samplePdf('Another'))
  const stored = await storedDocuments(ctx.db, loanCase.caseRef)
  const pathOf = (documentId: string): string => {
    const { objectName } = stored.find((each) => each.documentId === documentId)!
    return join(api.directory, 'object', objectName.slice(0, 2), objectName)
  }
  copyFileSync(pathOf(other.body.document_id), pathOf(one.body.document_id))
  const found = await readDocument(ctx, loanCase.caseRef, one.body.document_id)
  await assert.rejects(buffer(found!.bytes), /its digest differs/)
})

test('D3 §4.3: a retry reuses the stored file when saving the metadata failed', async () => {
  const loanCase = await register()
  const fields = fieldsOf(loanCase)
  const before = new Set(objects())
  await ctx.db`alter table stored_document add constraint broken check (false) not valid`
  const failed = await upload(fields)
  await ctx.db`alter table stored_document drop constraint broken`
  assert.equal(failed.status, 500)
  assert.equal(failed.body.error.code, 'INTERNAL_ERROR')
  assert.equal(failed.body.error.retryable, true)
  assert.deepEqual(await storedDocuments(ctx.db, loanCase.caseRef), [])
  const [orphan] = objects().filter((name) => !before.has(name))
  const path = join(api.directory, 'object', orphan!.slice(0, 2), orphan!)
  const { ino } = statSync(path)
  const retried = await upload(fields)
  assert.equal(retried.status, 201)
  const [stored] = await storedDocuments(ctx.db, loanCase.caseRef)
  assert.equal(stored!.objectName, orphan)
  assert.equal(statSync(path).ino, ino)
  assert.deepEqual(drafts(), [])
})

test('DPDP §8(7): a file whose row was never stored is removed after a day; a stored one and a store that fails stay', async () => {
  const lost = await register()
  const whole = await register()
  await upload(fieldsOf(whole))
  const before = objects()
  await ctx.db`alter table stored_document add constraint broken check (false) not valid`
  assert.equal((await upload(fieldsOf(lost))).status, 500)
  await ctx.db`alter table stored_document drop constraint broken`
  const [stored] = await storedDocuments(ctx.db, whole.caseRef)
  // As after a crash of an upload that repeats an answered request.
  await noteObject(ctx.db, stored!, ctx.clock())
  const contextAfter = (hours: number) => ({ ...ctx, clock: () => secondsAfter(ctx.clock(), hours * 3600) })
  assert.equal(await removeOldUnrecorded(contextAfter(23)), 0)
  const store = { ...ctx.store, remove: () => Promise.reject(new Error('the object store does not answer')) }
  assert.equal(await removeOldUnrecorded({ ...contextAfter(25), store }), 0)
  assert.equal(objects().length, before.length + 1)
  assert.equal(await removeOldUnrecorded(contextAfter(25)), 1)
  assert.deepEqual(objects().toSorted(), before.toSorted())
  assert.deepEqual(await ctx.db`select from unrecorded_object`, [])
})

test('D3 §4.3: the review starts only when the last expected file is stored', async () => {
  const expected = [
    { documentReferenceId: 'bureau', documentType: 'BUREAU_REPORT' as const },
    { documentReferenceId: 'bank', documentType: 'BANK_ANALYSIS_REPORT' as const },
  ]
  const loanCase = await register(expected)
  assert.deepEqual(await pendingDocuments(ctx.db, loanCase.caseRef), ['bank', 'bureau'])
  await upload(fieldsOf(loanCase, { document_reference_id: 'not-announced' }))
  await upload(fieldsOf(loanCase, { document_reference_id: 'bureau' }))
  assert.deepEqual(await pendingDocuments(ctx.db, loanCase.caseRef), ['bank'])
  const before = (await readCase(ctx.db, loanCase.caseRef))!
  assert.equal(before.status, 'DOCUMENTS_PENDING')

  const mistyped = fieldsOf(loanCase, { document_reference_id: 'bank', document_type: 'BANK_STATEMENT' })
  assertError(await upload(mistyped), 422, 'VALIDATION_ERROR', 'document_type')
  const report = Buffer.from(JSON.stringify({ statements: [{ month: '2026-10', credits: '120000.00' }] }))
  const last = fieldsOf(loanCase, { document_reference_id: 'bank', document_type: 'BANK_ANALYSIS_REPORT' })
  assert.equal((await upload(last, report, { type: 'application/json', name: 'analysis.json' })).status, 201)
  const after = (await readCase(ctx.db, loanCase.caseRef))!
  assert.equal(after.status, 'UNDER_REVIEW')
  assert.ok(after.snapshotVersion > before.snapshotVersion)
  assert.deepEqual(await pendingDocuments(ctx.db, loanCase.caseRef), [])

  await upload(last, report, { type: 'application/json' })
  assert.equal(
    (await readCase(ctx.db, loanCase.caseRef))!.snapshotVersion,
    after.snapshotVersion,
    'a replay changes nothing',
  )
})

const contents: Record<string, [Buffer, string]> = {
  'application/pdf': [pdf, 'a.pdf'],
  'application/json': [Buffer.from('{"a":1}'), 'a.json'],
  'image/png': [samplePng(), 'a.png'],
  'image/jpeg': [sampleJpeg(), 'a.jpg'],
  'video/mp4': [sampleMp4(), 'a.mp4'],
}
test('D3 §4.3: each document type accepts only its allowed content types', async () => {
  const loanCase = await register()
  for (const document_type of documentTypeNames)
    for (const [type, [file, name]] of Object.entries(contents)) {
      const answer = await upload(fieldsOf(loanCase, { document_type }), file, { type, name })
      const isAllowed = (documentTypes[document_type].contentTypes as readonly string[]).includes(type)
      if (isAllowed) {
        assert.equal(answer.status, 201, document_type)
        assert.equal(answer.body.content_type, type, document_type)
      } else assertError(answer, 415, 'UNSUPPORTED_MEDIA', 'file')
    }
})

test('D3 §4.3: a PDF with an owner password is stored, but not as a signed document, with the fields before or after it', async () => {
  const loanCase = await register()
  const types: [string, number][] = [
    ['BANK_STATEMENT', 201],
    ['PAYMENT_SCREENSHOT', 201],
    ['SIGNED_LOAN_AGREEMENT', 422],
    ['MANDATE_DOCUMENT', 422],
  ]
  for (const [document_type, status] of types)
    for (const isFileFirst of [false, true]) {
      const answer = await upload(fieldsOf(loanCase, { document_type }), ownerPasswordPdf(), { isFileFirst })
      assert.equal(answer.status, status, document_type)
      if (status === 422) assert.match(answer.body.error.fields[0].message, /has an owner password/)
    }
})

test('D3 §4.3: rejects a file whose content does not match its type, is corrupt or unsafe', async () => {
  const loanCase = await register()
  const invalidFiles: [Buffer, number, RegExp][] = [
    [samplePng(), 415, /is not a PDF/],
    [Buffer.from('MZ\u0090'), 415, /is not a PDF/],
    [pdf.subarray(0, pdf.length - 200), 422, /does not end as a PDF does/],
    [plainPdf(['<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>']), 422, /contains scripts/],
    [plainPdf(['<</Type/Catalog>>'], '/Root 1 0 R/Encrypt 2 0 R'), 422, /is encrypted/],
    [passwordPdf(), 422, /needs a password to open/],
    [bombPdf(), 422, /unpack to more than 32 MiB/],
    [Buffer.alloc(0), 422, /is empty/],
  ]
  const before = objects()
  for (const [file, status, message] of invalidFiles) {
    const answer = await upload(fieldsOf(loanCase), file)
    assertError(answer, status, status === 415 ? 'UNSUPPORTED_MEDIA' : 'VALIDATION_ERROR', 'file')
    assert.match(answer.body.error.fields[0].message, message)
  }
  assert.deepEqual(objects(), before)
  assert.deepEqual(drafts(), [])
  assert.deepEqual(await storedDocuments(ctx.db, loanCase.caseRef), [])
})

test('D3 §4.3: a file above the limit of its document type gets 413, with the fields before or after it', async () => {
  const loanCase = await register()
  const document_type = 'PAYMENT_SCREENSHOT'
  const largestAllowed = Buffer.concat([sampleJpeg(), Buffer.alloc(5 * MiB - sampleJpeg().length)])
  const image = { type: 'image/jpeg', name: 'a.jpg' }
  assert.equal((await upload(fieldsOf(loanCase, { document_type }), largestAllowed, image)).status, 201)
  const tooLarge = Buffer.concat([largestAllowed, Buffer.alloc(1)])
  assertError(await upload(fieldsOf(loanCase, { document_type }), tooLarge, image), 413, 'TOO_LARGE', 'file')
  const tooLargePdf = plainPdf([
    '<</Type/Catalog>>',
    `<<>>stream
${' '.repeat(5 * MiB)}
endstream`,
  ])
  assertError(
    await upload(fieldsOf(loanCase, { document_type }), tooLargePdf, { isFileFirst: true }),
    413,
    'TOO_LARGE',
    'file',
  )
  assertError(await upload(fieldsOf(loanCase), Buffer.alloc(21 * MiB, '%PDF-1.7\n')), 413, 'TOO_LARGE', 'file')
  assert.deepEqual(drafts(), [])
})

test('D3 §4.3: accepts a recording of 30 MiB', async () => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(30 * MiB + 8)
  head.write('mdat', 4, 'latin1')
  const movie = mp4Box('moov', mp4Box('mvhd', Buffer.alloc(100)), mp4Box('trak', Buffer.alloc(9)))
  const file = Buffer.concat([sampleMp4(0), movie, head, Buffer.alloc(30 * MiB, 'frames')])
  const fields = fieldsOf(await register(), { document_type: 'VKYC_RECORDING' })
  const answer = await upload(fields, file, { type: 'video/mp4', name: 'vkyc.mp4' })
  assert.equal(answer.status, 201)
  assert.equal(answer.body.size_bytes, file.length)
})

test('D3 §5, §7: an unknown caller gets 401, a case of another platform 404, and wrong ids 409', async () => {
  const loanCase = await register()
  const unauthorized = await upload(fieldsOf(loanCase), pdf, { bearer: 'unknown' })
  assertError(unauthorized, 401, 'UNAUTHORIZED')
  assertError(await upload(fieldsOf(loanCase), pdf, { bearer: clients[1]!.bearer }), 404, 'NOT_FOUND')
  assertError(await upload(fieldsOf(loanCase, { external_reference_id: 'unknown' })), 404, 'NOT_FOUND')
  assertError(await upload(fieldsOf(loanCase, { celestium_lead_id: '1' })), 409, 'CONFLICT', 'celestium_lead_id')
  assertError(await upload(fieldsOf(loanCase, { celestium_loan_id: '1' })), 409, 'CONFLICT', 'celestium_loan_id')
  assert.deepEqual(await storedDocuments(ctx.db, loanCase.caseRef), [])
})

test('D3 §7: an error response names every invalid field, and a missing or different Idempotency-Key', async () => {
  const loanCase = await register()
  const answer = await upload({ request_id: 'x', document_type: 'SELFIE', celestium_loan_id: 'A1' })
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.error.fields.map(({ path }: { path: string }) => path).sort(), [
    'celestium_lead_id',
    'celestium_loan_id',
    'document_reference_id',
    'document_type',
    'external_reference_id',
    'request_id',
  ])
  const fields = fieldsOf(loanCase)
  for (const key of ['', uuidv4()])
    assertError(
      await upload(fields, pdf, { headers: { 'idempotency-key': key } }),
      422,
      'VALIDATION_ERROR',
      'Idempotency-Key',
    )
  const json = await fetch(`${api.url}/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${clients[0]!.bearer}`, 'content-type': 'application/json' },
    body: '{}',
  })
  assert.equal(json.status, 415)
  assert.equal(((await json.json()) as ErrorBody).error.code, 'UNSUPPORTED_MEDIA')
})

test('D3 §4.3: neither the content nor the name of a file is logged', async () => {
  await upload(fieldsOf(await register()), await samplePdf('Secret'), { name: 'aadhaar-of-ravi.pdf' })
  assert.ok(api.lines.length > 0)
  for (const line of api.lines) assert.doesNotMatch(line, /ravi|%PDF/)
})

test('D3 §4.3: rejects malware before storing it, and answers 503 while the scanner is down', async () => {
  const daemon = await fakeClamd()
  const guarded = await startDocumentsApi({ PARTNER_CLAMD: `127.0.0.1:${daemon.port}` })
  const loanCase = await guarded.register()
  const jsonFile = { type: 'application/json', name: 'a.json', url: guarded.url }
  const escapedJson = Buffer.from(JSON.stringify({ note: 'x' }).replace('x', eicar.toString().replaceAll('\\', '\\\\')))
  const trailer = pdf.subarray(pdf.lastIndexOf('startxref'))
  const infectedPdf = Buffer.concat([pdf, Buffer.from('\n%'), eicar, Buffer.from('\n'), trailer])
  const refused = await upload(fieldsOf(loanCase), infectedPdf, { url: guarded.url })
  assertError(refused, 422, 'VALIDATION_ERROR', 'file')
  assert.match(refused.body.error.fields[0].message, /malware/)
  assert.equal((await upload(fieldsOf(loanCase), pdf, { url: guarded.url })).status, 201)
  assert.equal((await upload(fieldsOf(loanCase), escapedJson, jsonFile)).status, 201, 'escaped malware is accepted')
  assert.deepEqual(daemon.fileSizes, [infectedPdf.length, pdf.length, escapedJson.length])

  await daemon.stop()
  const before = objects(guarded)
  const unavailable = await upload(fieldsOf(loanCase), pdf, { url: guarded.url })
  assert.equal(unavailable.status, 503)
  assert.equal(unavailable.body.error.retryable, true)
  assert.equal(unavailable.headers.get('retry-after'), '30')
  assert.deepEqual(objects(guarded), before)
  assert.deepEqual(drafts(guarded), [])
})

test('D3 §4.3: a form with 100,000 near matches of its boundary never causes a server error', async () => {
  const boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
  const end = `\r\n--${boundary}--\r\n`
  const head = `\r\n--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n`
  for (const near of [`\r\n--${boundary.slice(0, -1)}`, `\r\n--${boundary}x`, '\r\n--', '\r']) {
    const flood = near.repeat(100_000)
    const fields = fieldsOf(await register())
    const parts = Object.entries(fields).map(
      ([name, value]) => `\r\n--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}`,
    )
    const headers = {
      authorization: `Bearer ${clients[0]!.bearer}`,
      'idempotency-key': fields.request_id ?? '',
      'content-type': `multipart/form-data; boundary=${boundary}`,
    }
    for (const pieces of [
      [flood, ...parts, head, pdf, end],
      [...parts, head, pdf, flood, end],
      [...parts, head, flood, end],
      [...parts, flood, head, pdf, end],
    ]) {
      const body = Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
      const answer = await fetch(`${api.url}/documents`, { method: 'POST', headers, body })
      const text = await answer.text()
      assert.ok(answer.status < 500, `${JSON.stringify(near)}: ${answer.status} ${text}`)
    }
  }
})

test('D3 §4.3: a file that contains 100,000 truncated boundaries is still checked', async () => {
  const boundary = '----WebKitFormBoundaryABCDEFGHIJKL'
  const loanCase = await register()
  const fields = fieldsOf(loanCase)
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x.pdf"\r\nContent-Type: application/pdf\r\n\r\n`
  const near = `\r\n--${boundary.slice(0, -1)}`.repeat(100_000)
  const sent = await fetch(`${api.url}/documents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${clients[0]!.bearer}`,
      'idempotency-key': fields.request_id ?? '',
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: Buffer.concat([Buffer.from(parts.join('') + head), pdf, Buffer.from(`${near}\r\n--${boundary}--\r\n`)]),
  })
  assert.equal(sent.status, 422)
  assert.match(await sent.text(), /does not end as a PDF does/)
})
