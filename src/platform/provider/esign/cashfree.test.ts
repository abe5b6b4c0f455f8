// Cashfree's e-sign over HTTP, against exchanges from its published documentation, not the vendor itself.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { esignMachine } from '#contract/exchange/event/mandate.ts'
import { pdfOf } from '#kit/files/pdf.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { logTo } from '#kit/runtime/log.ts'
import { isNewReport } from '#platform/provider/status-report.ts'
import { settings } from '#platform/settings.ts'
import { platformEnvironment } from '#test/setup/platform.ts'
import { type Recording, startReplay } from '#test/setup/replay.ts'
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
const uploaded = exchange('upload', answers.uploaded)
const created = exchange('create', answers.created)
const status = (name: keyof Answers): Recording => exchange('status', answers[name])
const signedFile = exchange('signed file', answers['signed file'])

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
const beginning = {
  clientReference: '0190f5a0-0000-7000-8000-000000000001:esign:1:2026-11-20',
  person: {
    ...{ fullName: 'Asha Verma', pan: 'ABCPV1234F', dateOfBirth: '1991-04-17' },
    ...{ mobile: '9876543210', email: 'asha@example.com' },
  },
  callbackUrl: 'https://platform.example/api/provider/esign/cashfree/callback',
  returnUrl: 'https://platform.example/verify/abc?back=1',
  ...{ pdf, title: 'Loan agreement' },
}
const reference = createHash('sha256').update(beginning.clientReference).digest('base64url')
const isRefused = (kind: string) => (error: unknown) => error instanceof Refusal && error.kind === kind

const bodyOf = (verificationId: string) =>
  Buffer.from(JSON.stringify(webhook).replace('{{verification_id}}', verificationId))
const signed = (raw: Buffer, secret = 'client-secret', timestamp = '1746427759733') => ({
  'content-type': 'application/json',
  'x-webhook-attempt': '1',
  'x-webhook-timestamp': timestamp,
  'x-webhook-signature': createHmac('sha256', secret).update(timestamp).update(raw).digest('base64'),
})

test('D3 §6 ESIGN_UPDATED: begin uploads the agreement, creates a request for one signer and returns its page', async () => {
  vendor.expect(uploaded, created)
  const started = await cashfreeEsign.begin(ctx, beginning)
  vendor.check()
  assert.deepEqual(started, {
    reference,
    url: `https://forms.cashfree.com/verification/${reference}`,
    expiresAt: new Date('2026-11-21T06:00:00Z'),
  })
  assert.match(reference, /^[\w.-]{1,50}$/, 'a valid verification_id')
  const [upload, create] = vendor.requests.slice(-2)
  assert.ok(upload!.raw.includes(pdf), 'all bytes of the agreement')
  const body = JSON.parse(create!.raw.toString('utf8'))
  assert.equal(body.verification_id, reference)
  assert.equal(body.redirect_url, beginning.returnUrl)
  assert.deepEqual([body.signers[0].name, body.signers[0].email], ['Asha Verma', 'asha@example.com'])
})

test('a repeated request gets another id once', async () => {
  vendor.expect(uploaded, exchange('create', answers.duplicate), created, status('in progress'))
  const started = await cashfreeEsign.begin(ctx, beginning)
  assert.match(started.reference, new RegExp(`^${reference}\\.[0-9a-f]{6}$`))
  assert.match(started.reference, /^[\w.-]{1,50}$/)
  assert.equal((await cashfreeEsign.fetch(ctx, started.reference)).reference, started.reference)
  vendor.check()
  vendor.expect(uploaded, exchange('create', answers.duplicate), exchange('create', answers.duplicate))
  await assert.rejects(cashfreeEsign.begin(ctx, beginning), isRefused('upstream'), 'a second conflict fails')
  vendor.check()
})

test('D3 §6 ESIGN_UPDATED: each vendor status maps to ours, and a success has the signed file with its digest', async () => {
  const bytes = Buffer.from(answers['signed file'].body)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { type: 'SIGNED_LOAN_AGREEMENT', contentType: 'application/pdf', sizeBytes: bytes.length, sha256 }
  const states: [answer: keyof Answers, status: string, documents: object[]][] = [
    ['in progress', 'REQUESTED', []],
    ['success', 'COMPLETED', [{ fileId: reference, ...file }]],
    ['failure', 'FAILED', []],
    ['expired', 'EXPIRED', []],
  ]
  for (const [answer, expected, documents] of states) {
    vendor.expect(status(answer), ...(expected === 'COMPLETED' ? [signedFile] : []))
    assert.deepEqual(await cashfreeEsign.fetch(ctx, reference), {
      ...{ provider: 'CASHFREE', reference, status: expected, verified: expected === 'COMPLETED' },
      ...{ providerUpdatedAt: null, reasonCode: null, documents },
    })
    vendor.check()
  }
  vendor.expect(status('success'), signedFile)
  const chunks: Buffer[] = []
  for await (const chunk of await cashfreeEsign.download(ctx, reference)) chunks.push(chunk)
  assert.deepEqual(Buffer.concat(chunks), bytes)
  vendor.check()
})

test('a signature without a readable file is an upstream error', async () => {
  const { body } = answers.success
  for (const url of ['', null, undefined]) {
    vendor.expect(exchange('status', { status: 200, body: { ...body, signed_doc_url: url } }))
    await assert.rejects(cashfreeEsign.fetch(ctx, reference), isRefused('upstream'), String(url))
  }
  vendor.expect(status('success'), exchange('signed file', { status: 403, body: 'Request has expired' }))
  await assert.rejects(cashfreeEsign.fetch(ctx, reference), isRefused('upstream'))
  const outside = { ...ctx, config: { ...ctx.config, SANDBOX: false } }
  await assert.rejects(
    cashfreeEsign.fetch(outside, reference),
    isRefused('upstream'),
    'no private address outside the sandbox',
  )
  vendor.check()
})

test('an invalid or missing response is an upstream error, and an unknown id is absent', async () => {
  const { body } = answers['in progress']
  for (const wrong of [{ ...body, status: 'SIGNED' }, { ...body, verification_id: 'another' }, {}, 'not json']) {
    vendor.expect(exchange('status', { status: 200, body: wrong }))
    await assert.rejects(cashfreeEsign.fetch(ctx, reference), isRefused('upstream'), JSON.stringify(wrong))
  }
  for (const unavailable of ['hang-up', 'silence'] as const) {
    vendor.expect(unavailable)
    await assert.rejects(cashfreeEsign.fetch(ctx, reference), isRefused('upstream'), unavailable)
  }
  assert.match(warnings.at(-1)!, /no answer in time/)
  vendor.expect(status('not found'))
  await assert.rejects(cashfreeEsign.fetch(ctx, reference), isRefused('absent'))
  vendor.check()
})

test('every refusal of the vendor is an upstream error with its code in the log', async () => {
  for (const refusal of refusals) {
    vendor.expect(exchange('upload', refusal))
    await assert.rejects(cashfreeEsign.begin(ctx, beginning), isRefused('upstream'), refusal.body.code)
    assert.match(warnings.at(-1)!, new RegExp(`answered ${refusal.status} ${refusal.body.code}`))
    vendor.expect(uploaded, exchange('create', refusal))
    await assert.rejects(cashfreeEsign.begin(ctx, beginning), isRefused('upstream'), refusal.body.code)
  }
  assert.doesNotMatch(warnings.join(), /client-secret|Asha|9876543210/)
  vendor.check()
})

test('D3 §6 rule 1: a correctly signed webhook makes the adapter query the vendor', async () => {
  const raw = bodyOf(reference)
  vendor.expect(status('success'), signedFile)
  const { providerEventId, report } = await cashfreeEsign.verifyCallback(ctx, raw, signed(raw))
  assert.deepEqual([providerEventId, report.status, report.reference], [null, 'COMPLETED', reference])
  vendor.expect(status('in progress'))
  const early = await cashfreeEsign.verifyCallback(ctx, raw, signed(raw))
  assert.equal(early.report.status, 'REQUESTED', 'the vendor’s server does not confirm it yet')
  vendor.expect(status('not found'))
  await assert.rejects(cashfreeEsign.verifyCallback(ctx, raw, signed(raw)), isRefused('absent'), 'an unknown id')
  vendor.check()

  const forged = Buffer.from(raw.toString('utf8').replace('SUCCESS', 'FAILURE'))
  const refused: [why: string, raw: Buffer, headers: Record<string, string>][] = [
    ['other bytes', forged, signed(raw)],
    ['another time', raw, { ...signed(raw), 'x-webhook-timestamp': '1746427759734' }],
    ['another secret', raw, signed(raw, 'another')],
    ['the empty secret', raw, signed(raw, '')],
    ['no signature', raw, { 'x-webhook-timestamp': '1746427759733' }],
    ['no time', raw, { 'x-webhook-signature': signed(raw)['x-webhook-signature'] }],
    ['a short signature', raw, { ...signed(raw), 'x-webhook-signature': 'AAAA' }],
  ]
  for (const [why, bytes, headers] of refused)
    await assert.rejects(cashfreeEsign.verifyCallback(ctx, bytes, headers), isRefused('bad-credential'), why)
  const text = Buffer.from('not json')
  await assert.rejects(cashfreeEsign.verifyCallback(ctx, text, signed(text)), isRefused('malformed'))
  const empty = Buffer.from('{"data":{}}')
  await assert.rejects(cashfreeEsign.verifyCallback(ctx, empty, signed(empty)), isRefused('invalid'))
  vendor.check()
})

test('a webhook is verified with its own secret if set, and refused if no secret is set', async () => {
  const raw = bodyOf(reference)
  const own = { ...ctx, config: { ...ctx.config, CASHFREE_WEBHOOK_SECRET: 'oldest-key' } }
  await assert.rejects(cashfreeEsign.verifyCallback(own, raw, signed(raw)), isRefused('bad-credential'))
  vendor.expect(status('failure'))
  assert.equal((await cashfreeEsign.verifyCallback(own, raw, signed(raw, 'oldest-key'))).report.status, 'FAILED')
  const none = { ...ctx, config: { ...ctx.config, CASHFREE_CLIENT_SECRET: '' } }
  await assert.rejects(cashfreeEsign.verifyCallback(none, raw, signed(raw, '')), isRefused('bad-credential'))
  vendor.check()
})

test('D3 §6: a repeated or outdated webhook is not a new report, although the vendor sends no times', async () => {
  vendor.expect(status('success'), signedFile, status('success'), signedFile, status('in progress'))
  const raw = bodyOf(reference)
  const current = { status: 'REQUESTED', providerUpdatedAt: at } as const
  const first = (await cashfreeEsign.verifyCallback(ctx, raw, signed(raw))).report
  assert.equal(isNewReport(esignMachine, current, first), true)
  const completed = { status: first.status, providerUpdatedAt: at }
  assert.equal(
    isNewReport(esignMachine, completed, (await cashfreeEsign.verifyCallback(ctx, raw, signed(raw))).report),
    false,
  )
  assert.equal(isNewReport(esignMachine, completed, await cashfreeEsign.fetch(ctx, reference)), false)
  vendor.check()
})
