// File uploads to the partner: prerequisites, retries, idempotency keys and final refusals.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import type { ListenerRequest } from '@lendloom/conformance/exchange/listener'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { untilJobsHaveRun } from '@lendloom/tests/setup/idle'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { until } from '@lendloom/tests/setup/programs'
import { startProviders } from '@lendloom/tests/setup/providers'
import { tablesWith } from '@lendloom/tests/setup/stored-values'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import { documentContext, type PartnerDocument } from '#platform/lenders/partner/partner-document.ts'
import { findDocument, insertDocument } from '#platform/lenders/partner/store.ts'
import { lendloomBureau } from '#platform/providers/bureau/lendloom.ts'
import { recordRegistration } from './apply-status.ts'
import { registerFile } from './provider-file.ts'
import { retryRefusedUpload, scheduleUploads, uploadWorker } from './upload-files.ts'

const lender = await startLenderExchange()
const providers = await startProviders()
const platform = await testPlatform({
  ...lender.env,
  ...sandboxProviders(providers.url),
  LENDLOOM_TIME_SCALE: '0.0002',
})
const { ctx } = platform
const alertLines: string[] = []
const log = Object.assign(Object.create(ctx.log), {
  error: (facts: { documentReferenceId?: string }, subject: string) =>
    alertLines.push(`${facts.documentReferenceId} ${subject}`),
}) as typeof ctx.log
const worker = uploadWorker({ ...ctx, log })
after(() => worker.stop())

type Case = Awaited<ReturnType<typeof caseAt>>
const bytes = Buffer.from('{"score":712}')

async function insertWaitingDocument(testCase: Case, change: Partial<PartnerDocument> = {}): Promise<PartnerDocument> {
  const { caseRef } = testCase.ids
  const documentKey = {
    tenantId: testCase.tenantId,
    caseRef,
    documentReferenceId: uuidv7(Date.now(), bucketOf(caseRef)),
  }
  const document: PartnerDocument = {
    ...documentKey,
    requestId: uuidv4(bucketOf(caseRef)),
    documentType: 'BUREAU_REPORT',
    fileName: 'bureau-report.json',
    contentType: 'application/json',
    providerReference: 'B-1',
    sourceSealed: null,
    state: 'WAITING',
    documentId: null,
    refusedBecause: null,
    createdAt: ctx.clock(),
    storedAt: null,
    bytesSealed: ctx.seal.bytes(bytes, documentContext('bytes', documentKey)),
    ...change,
  }
  await ctx.db.tx((tx) => insertDocument(tx, document))
  return document
}

/** The parts of a multipart form, by name. */
function partsOf({ raw, headers }: ListenerRequest): Record<string, string> {
  const [, boundary] = /boundary=(.+)$/.exec(String(headers['content-type']))!
  const parts = raw.toString('latin1').split(`--${boundary}`).slice(1, -1)
  return Object.fromEntries(
    parts.map((part) => {
      const [head, ...body] = part.split('\r\n\r\n')
      return [/name="([^"]+)"/.exec(head!)![1], body.join('\r\n\r\n').replace(/\r\n$/, '')]
    }),
  )
}

/** The answer by which the partner confirms that the file of a request is stored. */
function storedAnswer(request: ListenerRequest, change: object = {}) {
  const { file, provider_reference_id: _, ...fields } = partsOf(request)
  const content = Buffer.from(file!, 'latin1')
  return {
    status: 201,
    body: {
      ...fields,
      document_id: 'D-1',
      file_name: 'x',
      content_type: 'application/json',
      size_bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      status: 'STORED',
      stored_at: '2026-11-20T10:00:00.000Z',
      ...change,
    },
  }
}
const uploads = ({ requestId }: PartnerDocument) =>
  lender.requests.filter(({ path, headers }) => path === '/documents' && headers['idempotency-key'] === requestId)
const storedDocument = async (document: PartnerDocument) =>
  (await findDocument(ctx.db, document, document.documentReferenceId))!
const waitForState = (document: PartnerDocument, state: string) =>
  until(state, async () => (await storedDocument(document)).state === state)
const scheduleUpload = async (testCase: Case) =>
  ctx.db.tx(async (tx) => scheduleUploads(tx, await testCase.loanCase(), ctx.clock()))

test('D3 §4.3: an upload waits for both partner ids', async () => {
  lender.answer = storedAnswer
  const testCase = await caseAt(platform, 'SUBMITTED')
  const document = await insertWaitingDocument(testCase)
  await scheduleUpload(testCase)
  await untilJobsHaveRun(ctx, 'partner-upload')
  assert.equal(uploads(document).length, 0)
  await ctx.db.tx(async (tx) =>
    recordRegistration({ ...ctx, tx, at: ctx.clock() }, await testCase.loanCase(), { leadId: '11', loanId: '12' }),
  )
  await waitForState(document, 'STORED')
  const [request] = uploads(document)
  assert.deepEqual(partsOf(request!), {
    request_id: document.requestId,
    external_reference_id: testCase.ids.caseRef,
    celestium_lead_id: '11',
    celestium_loan_id: '12',
    document_reference_id: document.documentReferenceId,
    document_type: 'BUREAU_REPORT',
    provider_reference_id: 'B-1',
    file: bytes.toString(),
  })
  const { documentId, bytesSealed } = await storedDocument(document)
  assert.equal(documentId, 'D-1')
  assert.equal(bytesSealed, null, 'the bytes are deleted after the upload')
})

test('D3 §4.3, §7: a failed upload is retried with the same bytes and the same key', async () => {
  let attempts = 0
  lender.answer = (request) => (++attempts < 3 ? { status: attempts === 1 ? 500 : 429 } : storedAnswer(request))
  const testCase = await caseAt(platform, 'REGISTERED')
  const document = await insertWaitingDocument(testCase)
  await scheduleUpload(testCase)
  await waitForState(document, 'STORED')
  const requests = uploads(document)
  assert.equal(requests.length, 3)
  assert.equal(new Set(requests.map(({ raw }) => raw.toString('latin1'))).size, 1)
})

test('D3 §4.3: operators are alerted once about a file whose upload fails for hours', async () => {
  let isUnavailable = true
  lender.answer = (request) => (isUnavailable ? { status: 503 } : storedAnswer(request))
  const testCase = await caseAt(platform, 'REGISTERED')
  const document = await insertWaitingDocument(testCase)
  await scheduleUpload(testCase)
  const alerts = () =>
    alertLines.filter((line) => line.startsWith(`${document.documentReferenceId} a file could not be`))
  await until('an alert', () => alerts().length > 0)
  assert.equal(uploads(document).length, 5, 'the alert follows the last pause of the schedule')
  isUnavailable = false
  await waitForState(document, 'STORED')
  assert.equal(alerts().length, 1)
})

test('D3 §7: an upload is not retried after a final refusal or an invalid confirmation', async () => {
  const testCase = await caseAt(platform, 'REGISTERED')
  const answers: [typeof lender.answer, RegExp][] = [
    [
      () => ({
        status: 415,
        body: {
          request_id: null,
          error: { code: 'UNSUPPORTED_MEDIA', message: 'no PDF', retryable: false, fields: [] },
        },
      }),
      /UNSUPPORTED_MEDIA: no PDF/,
    ],
    [() => ({ status: 409, body: {} }), /409/],
    [(request) => storedAnswer(request, { sha256: '0'.repeat(64) }), /another file/],
    [(request) => storedAnswer(request, { status: 'PENDING' }), /status/],
  ]
  for (const [answer, reason] of answers) {
    lender.answer = answer
    const document = await insertWaitingDocument(testCase)
    await scheduleUpload(testCase)
    await waitForState(document, 'REFUSED')
    assert.equal(uploads(document).length, 1)
    assert.match((await storedDocument(document)).refusedBecause!, reason)
  }
})

test('D3 §4.3: an operator can resend a refused file with the same request id', async () => {
  lender.answer = () => ({ status: 415, body: {} })
  const testCase = await caseAt(platform, 'REGISTERED')
  const document = await insertWaitingDocument(testCase)
  await scheduleUpload(testCase)
  await waitForState(document, 'REFUSED')
  lender.answer = storedAnswer
  const refused = await storedDocument(document)
  await ctx.db.tx((tx) => retryRefusedUpload(tx, refused, ctx.clock()))
  await waitForState(document, 'STORED')
  assert.equal(uploads(document).length, 2)
  assert.equal(new Set(uploads(document).map(({ raw }) => raw.toString('latin1'))).size, 1)
  await ctx.db.tx((tx) => retryRefusedUpload(tx, refused, ctx.clock()))
  assert.equal((await storedDocument(document)).state, 'STORED', 'a stored file is not sent again')
})

test('D3 §4.3: a provider’s file reaches the partner unchanged', async () => {
  lender.answer = (request) => storedAnswer(request, { content_type: 'application/pdf' })
  const testCase = await caseAt(platform, 'REGISTERED')
  const { person } = providers.newRequest()
  const bureau = await lendloomBureau.pull(ctx, {
    clientReference: testCase.ids.caseRef,
    person,
    consentedAt: new Date(),
  })
  const [report] = bureau.documents
  const document = await ctx.db.tx(async (tx) =>
    registerFile({ ...ctx, tx, at: ctx.clock() }, await testCase.loanCase(), {
      from: 'bureau',
      reference: bureau.reference,
      ...report!,
    }),
  )
  await scheduleUpload(testCase)
  await waitForState(document, 'STORED')
  const { file } = partsOf(uploads(document)[0]!)
  assert.equal(createHash('sha256').update(Buffer.from(file!, 'latin1')).digest('hex'), report!.sha256)
  assert.deepEqual(await tablesWith(ctx.db, report!.sha256), [], 'DPDP §8(5): the digest of the file is not stored')
})

test('D3 §4.3: the files of an ended case are not uploaded', async () => {
  lender.answer = storedAnswer
  const testCase = await caseAt(platform, 'REGISTERED')
  const document = await insertWaitingDocument(testCase)
  await ctx.db`update partner_case set stage = 'ENDED' where case_ref = ${testCase.ids.caseRef}`
  await scheduleUpload(testCase)
  await untilJobsHaveRun(ctx, 'partner-upload')
  assert.equal(uploads(document).length, 0)
  assert.equal((await storedDocument(document)).state, 'WAITING')
})
