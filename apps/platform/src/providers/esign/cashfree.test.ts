// Tests the adapter of Cashfree's e-sign against a server that replays exchanges from Cashfree's documentation.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { pdfOf } from '@lendloom/documents/pdf'
import { configFrom } from '@lendloom/foundation/config'
import { logTo } from '@lendloom/foundation/log'
import { Refusal } from '@lendloom/foundation/refusal'
import { platformEnvironment } from '@lendloom/tests/setup/platform'
import { type Recording, startReplay } from '@lendloom/tests/setup/replay'
import { esignMachine } from '@lendloom/wire/exchange/event/mandate'
import { isNewReport } from '#platform/providers/status-report.ts'
import { settings } from '#platform/settings.ts'
import recordings from './cashfree.recordings.json' with { type: 'json' }
import { cashfreeEsign } from './cashfree.ts'

const { requests, answers, refusals, webhook } = recordings
type Answers = typeof answers
const exchange = (
  request: keyof typeof requests,
  response: Answers[keyof Answers] | Recording['response'],
): Recording => ({
  request: requests[request],
  response,
})
const uploadExchange = exchange('upload', answers.uploaded)
const createExchange = exchange('create', answers.created)
const statusExchange = (name: keyof Answers): Recording => exchange('status', answers[name])
const fileExchange = exchange('signed file', answers['signed file'])

const vendor = await startReplay()
const warnings: string[] = []
const log = Object.assign(Object.create(logTo('test', 'silent')), {
  warn: ({ why }: { why: string }) => warnings.push(why),
}) as ReturnType<typeof logTo>
const environment = {
  ...platformEnvironment('postgres://unused', 1),
  CASHFREE_URL: `${vendor.origin}/verification`,
  CASHFREE_CLIENT_ID: 'client-id',
  CASHFREE_CLIENT_SECRET: 'client-secret',
  PROVIDER_SECONDS: '1',
}
const at = new Date('2026-11-20T06:00:00Z')
const ctx = { config: configFrom(settings, environment), clock: () => at, log }

const pdf = await pdfOf({
  title: 'Loan agreement',
  author: 'A lender',
  blocks: [{ kind: 'text', text: 'Everything that was agreed.' }],
  createdAt: at,
})
const signRequest = {
  clientReference: '0190f5a0-0000-7000-8000-000000000001:esign:1:2026-11-20',
  person: {
    fullName: 'Asha Verma',
    pan: 'ABCPV1234F',
    dateOfBirth: '1991-04-17',
    mobile: '9876543210',
    email: 'asha@example.com',
  },
  callbackUrl: 'https://platform.example/api/provider/esign/cashfree/callback',
  returnUrl: 'https://platform.example/verify/abc?back=1',
  pdf,
  title: 'Loan agreement',
}
const reference = createHash('sha256').update(signRequest.clientReference).digest('base64url')
const isRefused = (kind: string) => (error: unknown) => error instanceof Refusal && error.kind === kind

const bodyOf = (verificationId: string) =>
  Buffer.from(JSON.stringify(webhook).replace('{{verification_id}}', verificationId))
const signedHeaders = (raw: Buffer, secret = 'client-secret', timestamp = '1746427759733') => ({
  'content-type': 'application/json',
  'x-webhook-attempt': '1',
  'x-webhook-timestamp': timestamp,
  'x-webhook-signature': createHmac('sha256', secret).update(timestamp).update(raw).digest('base64'),
})

test('D3 §6 ESIGN_UPDATED: `begin` uploads the agreement and returns the page for its only signer', async () => {
  vendor.expect(uploadExchange, createExchange)
  const started = await cashfreeEsign.begin(ctx, signRequest)
  vendor.check()
  assert.deepEqual(started, {
    reference,
    url: `https://forms.cashfree.com/verification/${reference}`,
    expiresAt: new Date('2026-11-21T06:00:00Z'),
  })
  assert.match(reference, /^[\w.-]{1,50}$/, 'the reference is a valid verification_id')
  const [upload, create] = vendor.requests.slice(-2)
  assert.ok(upload!.raw.includes(pdf), 'the upload contains all bytes of the agreement')
  const body = JSON.parse(create!.raw.toString('utf8'))
  assert.equal(body.verification_id, reference)
  assert.equal(body.redirect_url, signRequest.returnUrl)
  assert.equal(body.signers[0].name, 'Asha Verma')
  assert.equal(body.signers[0].email, 'asha@example.com')
})

test('if Cashfree already has the id of a request, the adapter retries once with another id', async () => {
  const duplicate = exchange('create', answers.duplicate)
  vendor.expect(uploadExchange, duplicate, statusExchange('in progress'), createExchange, statusExchange('in progress'))
  const started = await cashfreeEsign.begin(ctx, signRequest)
  assert.match(started.reference, new RegExp(`^${reference}\\.[0-9a-f]{6}$`))
  assert.match(started.reference, /^[\w.-]{1,50}$/)
  assert.equal((await cashfreeEsign.fetch(ctx, started.reference)).reference, started.reference)
  vendor.check()
  vendor.expect(uploadExchange, duplicate, statusExchange('in progress'), duplicate)
  await assert.rejects(
    cashfreeEsign.begin(ctx, signRequest),
    isRefused('upstream'),
    'a second conflict is an upstream error',
  )
  vendor.check()
})

test('D3 §6 rule 1: an agreement that is signed under the id of the request is not signed again', async () => {
  const duplicate = exchange('create', answers.duplicate)
  vendor.expect(uploadExchange, duplicate, statusExchange('success'))
  const signed = await cashfreeEsign.begin(ctx, signRequest)
  assert.equal(signed.reference, reference)
  assert.equal(signed.url, signRequest.returnUrl, 'the link was lost, and the borrower needs none')
  assert.deepEqual(signed.expiresAt, at)
  vendor.check()
  for (const ended of ['failure', 'expired', 'not found'] as const) {
    vendor.expect(uploadExchange, duplicate, statusExchange(ended), createExchange)
    assert.match((await cashfreeEsign.begin(ctx, signRequest)).reference, /\.[0-9a-f]{6}$/, ended)
    vendor.check()
  }
  vendor.expect(uploadExchange, duplicate, 'hang-up')
  await assert.rejects(cashfreeEsign.begin(ctx, signRequest), isRefused('upstream'), 'it may be signed')
  vendor.check()
})

test('D3 §6 ESIGN_UPDATED: `fetch` converts each status, and adds the signed file to a success', async () => {
  const bytes = Buffer.from(answers['signed file'].body)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { type: 'SIGNED_LOAN_AGREEMENT', contentType: 'application/pdf', sizeBytes: bytes.length, sha256 }
  const cases: [answer: keyof Answers, status: string, documents: object[]][] = [
    ['in progress', 'REQUESTED', []],
    ['success', 'COMPLETED', [{ fileId: reference, ...file }]],
    ['failure', 'FAILED', []],
    ['expired', 'EXPIRED', []],
  ]
  for (const [answer, expected, documents] of cases) {
    vendor.expect(statusExchange(answer), ...(expected === 'COMPLETED' ? [fileExchange] : []))
    assert.deepEqual(await cashfreeEsign.fetch(ctx, reference), {
      provider: 'CASHFREE',
      reference,
      status: expected,
      verified: expected === 'COMPLETED',
      providerUpdatedAt: null,
      reasonCode: null,
      documents,
    })
    vendor.check()
  }
  vendor.expect(statusExchange('success'), fileExchange)
  const chunks: Buffer[] = []
  for await (const chunk of await cashfreeEsign.download(ctx, reference)) chunks.push(chunk)
  assert.deepEqual(Buffer.concat(chunks), bytes)
  vendor.check()
})

test('a success whose signed file cannot be downloaded is an upstream error', async () => {
  const { body } = answers.success
  for (const url of ['', null, undefined]) {
    vendor.expect(exchange('status', { status: 200, body: { ...body, signed_doc_url: url } }))
    await assert.rejects(cashfreeEsign.fetch(ctx, reference), isRefused('upstream'), String(url))
  }
  vendor.expect(statusExchange('success'), exchange('signed file', { status: 403, body: 'Request has expired' }))
  await assert.rejects(cashfreeEsign.fetch(ctx, reference), isRefused('upstream'))
  const ctxOutside = { ...ctx, config: { ...ctx.config, SANDBOX: false } }
  await assert.rejects(
    cashfreeEsign.fetch(ctxOutside, reference),
    isRefused('upstream'),
    'a private address is refused outside the sandbox',
  )
  vendor.check()
})

test('an invalid or missing response is an upstream error, and an unknown reference is absent', async () => {
  const { body } = answers['in progress']
  for (const invalidBody of [{ ...body, status: 'SIGNED' }, { ...body, verification_id: 'another' }, {}, 'not json']) {
    vendor.expect(exchange('status', { status: 200, body: invalidBody }))
    await assert.rejects(cashfreeEsign.fetch(ctx, reference), isRefused('upstream'), JSON.stringify(invalidBody))
  }
  for (const failure of ['hang-up', 'silence'] as const) {
    vendor.expect(failure)
    await assert.rejects(cashfreeEsign.fetch(ctx, reference), isRefused('upstream'), failure)
  }
  assert.match(warnings.at(-1)!, /no answer in time/)
  vendor.expect(statusExchange('not found'))
  await assert.rejects(cashfreeEsign.fetch(ctx, reference), isRefused('absent'))
  vendor.check()
})

test('every error response of Cashfree is an upstream error, and its code is logged', async () => {
  for (const refusal of refusals) {
    vendor.expect(exchange('upload', refusal))
    await assert.rejects(cashfreeEsign.begin(ctx, signRequest), isRefused('upstream'), refusal.body.code)
    assert.match(warnings.at(-1)!, new RegExp(`returned ${refusal.status} ${refusal.body.code}`))
    vendor.expect(uploadExchange, exchange('create', refusal))
    await assert.rejects(cashfreeEsign.begin(ctx, signRequest), isRefused('upstream'), refusal.body.code)
  }
  assert.doesNotMatch(warnings.join(), /client-secret|Asha|9876543210/)
  vendor.check()
})

test('D3 §6 rule 1: a correctly signed webhook only makes the adapter query Cashfree for the status', async () => {
  const raw = bodyOf(reference)
  vendor.expect(statusExchange('success'), fileExchange)
  const { providerEventId, report } = await cashfreeEsign.verifyCallback(ctx, raw, signedHeaders(raw))
  assert.equal(providerEventId, null)
  assert.equal(report.status, 'COMPLETED')
  assert.equal(report.reference, reference)
  vendor.expect(statusExchange('in progress'))
  const unconfirmed = await cashfreeEsign.verifyCallback(ctx, raw, signedHeaders(raw))
  assert.equal(unconfirmed.report.status, 'REQUESTED', 'the server does not confirm the webhook yet')
  vendor.expect(statusExchange('not found'))
  await assert.rejects(
    cashfreeEsign.verifyCallback(ctx, raw, signedHeaders(raw)),
    isRefused('absent'),
    'an unknown reference',
  )
  vendor.check()

  const forged = Buffer.from(raw.toString('utf8').replace('SUCCESS', 'FAILURE'))
  const refused: [why: string, raw: Buffer, headers: Record<string, string>][] = [
    ['a changed body', forged, signedHeaders(raw)],
    ['a changed timestamp', raw, { ...signedHeaders(raw), 'x-webhook-timestamp': '1746427759734' }],
    ['a signature with another secret', raw, signedHeaders(raw, 'another')],
    ['a signature with an empty secret', raw, signedHeaders(raw, '')],
    ['no signature', raw, { 'x-webhook-timestamp': '1746427759733' }],
    ['no timestamp', raw, { 'x-webhook-signature': signedHeaders(raw)['x-webhook-signature'] }],
    ['a short signature', raw, { ...signedHeaders(raw), 'x-webhook-signature': 'AAAA' }],
  ]
  for (const [why, bytes, headers] of refused)
    await assert.rejects(cashfreeEsign.verifyCallback(ctx, bytes, headers), isRefused('bad-credential'), why)
  const text = Buffer.from('not json')
  await assert.rejects(cashfreeEsign.verifyCallback(ctx, text, signedHeaders(text)), isRefused('malformed'))
  const empty = Buffer.from('{"data":{}}')
  await assert.rejects(cashfreeEsign.verifyCallback(ctx, empty, signedHeaders(empty)), isRefused('invalid'))
  vendor.check()
})

test('a webhook is verified with CASHFREE_WEBHOOK_SECRET if set, and refused if no secret is set', async () => {
  const raw = bodyOf(reference)
  const ctxWithSecret = { ...ctx, config: { ...ctx.config, CASHFREE_WEBHOOK_SECRET: 'oldest-key' } }
  await assert.rejects(
    cashfreeEsign.verifyCallback(ctxWithSecret, raw, signedHeaders(raw)),
    isRefused('bad-credential'),
  )
  vendor.expect(statusExchange('failure'))
  assert.equal(
    (await cashfreeEsign.verifyCallback(ctxWithSecret, raw, signedHeaders(raw, 'oldest-key'))).report.status,
    'FAILED',
  )
  const ctxWithoutSecret = { ...ctx, config: { ...ctx.config, CASHFREE_CLIENT_SECRET: '' } }
  await assert.rejects(
    cashfreeEsign.verifyCallback(ctxWithoutSecret, raw, signedHeaders(raw, '')),
    isRefused('bad-credential'),
  )
  vendor.check()
})

test('D3 §6: a repeated or outdated webhook is not a new report, although Cashfree reports no times', async () => {
  vendor.expect(
    statusExchange('success'),
    fileExchange,
    statusExchange('success'),
    fileExchange,
    statusExchange('in progress'),
  )
  const raw = bodyOf(reference)
  const current = { status: 'REQUESTED', providerUpdatedAt: at } as const
  const first = (await cashfreeEsign.verifyCallback(ctx, raw, signedHeaders(raw))).report
  assert.equal(isNewReport(esignMachine, current, first), true)
  const completed = { status: first.status, providerUpdatedAt: at }
  assert.equal(
    isNewReport(esignMachine, completed, (await cashfreeEsign.verifyCallback(ctx, raw, signedHeaders(raw))).report),
    false,
  )
  assert.equal(isNewReport(esignMachine, completed, await cashfreeEsign.fetch(ctx, reference)), false)
  vendor.check()
})
