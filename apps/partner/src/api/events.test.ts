// POST /events over HTTP: authentication, validation and idempotent storage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { fakeClamd } from '@lendloom/tests/setup/clamd'
import { independentPlatform, ourKey, platform, secondKey, startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import vectors from '@lendloom/wire/exchange/vectors.json' with { type: 'json' }

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })

const prepareLead = async (loanCase = new TestCase(partner)) => {
  await loanCase.dedupe()
  return { loanCase, event: loanCase.event('LEAD_SUBMITTED', loanCase.lead) }
}
const rawOf = (event: object) => Buffer.from(JSON.stringify(event))
const sign = (raw: Buffer, key = ourKey, secondsAhead = 0) =>
  signedHeaders({ ...key, at: new Date(Date.now() + secondsAhead * 1000), raw })

test('D3 §4.2: a new event gets 202, and its repetition gets 200 with the original receipt time', async () => {
  const { event } = await prepareLead()
  const first = await partner.post(event)
  assert.equal(first.status, 202)
  assert.deepEqual(Object.keys(first.body).sort(), ['event_id', 'receipt_status', 'received_at'])
  assert.equal(first.body.event_id, event.event_id)
  assert.equal(first.body.receipt_status, 'RECEIVED')
  const repeated = await partner.post(event)
  assert.equal(repeated.status, 200)
  assert.deepEqual(repeated.body, first.body)
})

test('D3 §4.2: other content under the same event_id gets 409 and is not stored', async () => {
  const { loanCase, event } = await prepareLead()
  await partner.post(event)
  const { status, body } = await partner.post({ ...event, occurred_at: '2026-01-01T00:00:00Z' })
  assert.equal(status, 409)
  assert.equal(body.error.code, 'CONFLICT')
  assert.equal(body.request_id, event.event_id)
  await loanCase.waitForEvent('LEAD_REGISTERED')
  const stored = await partner.db`select 1 from inbox where event_id = ${event.event_id}`
  assert.equal(stored.length, 1)
})

test('D3 §4.2: of a hundred concurrent identical events exactly one gets 202', async () => {
  const { event } = await prepareLead()
  const replies = await Promise.all(Array.from({ length: 100 }, () => partner.post(event)))
  assert.equal(replies.filter(({ status }) => status === 202).length, 1)
  assert.equal(replies.filter(({ status }) => status === 200).length, 99)
  assert.equal(new Set(replies.map(({ body }) => body.received_at)).size, 1)
})

test('D3 §5: a body whose whitespace differs from the signed bytes gets 401', async () => {
  const { event } = await prepareLead()
  const raw = rawOf(event)
  const spaced = Buffer.from(JSON.stringify(event, null, 1))
  const { status, body } = await partner.post(event, sign(spaced))
  assert.equal(status, 401)
  assert.equal(body.error.code, 'UNAUTHORIZED')
  const unchanged = await partner.ask('POST', '/events', {
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${platform.bearer}`,
      'idempotency-key': event.event_id,
      ...sign(raw),
    },
    body: raw,
  })
  assert.equal(unchanged.status, 202)
})

test('D3 §5: a signature more than 300 s in the past or future gets 401', async () => {
  const { event } = await prepareLead()
  const raw = rawOf(event)
  assert.equal((await partner.post(event, sign(raw, ourKey, -302))).status, 401)
  assert.equal((await partner.post(event, sign(raw, ourKey, 330))).status, 401)
  assert.equal((await partner.post(event, sign(raw, ourKey, -270))).status, 202)
})

test('D3 §5: accepts both active keys of a platform, and no other keys', async () => {
  const { event } = await prepareLead()
  const raw = rawOf(event)
  assert.equal((await partner.post(event, sign(raw, { ...ourKey, keyId: 'platform-3' }))).status, 401)
  assert.equal((await partner.post(event, sign(raw, independentPlatform.keys[0]!))).status, 401)
  assert.equal((await partner.post(event, sign(raw, { ...secondKey, secret: ourKey.secret }))).status, 401)
  assert.equal((await partner.post(event, sign(raw, secondKey))).status, 202)
})

test('D3 §5: an invalid signature gets 401 before the body is parsed', async () => {
  const raw = Buffer.from('{')
  const { status } = await partner.post(raw, { 'idempotency-key': uuidv4(), ...sign(Buffer.from('}')) })
  assert.equal(status, 401)
})

test('D3 §5: a credential that is missing, unknown or used for our own calls gets 401', async () => {
  const { event } = await prepareLead()
  for (const authorization of ['', `Bearer ${platform.bearer}x`, `Bearer ${platform.webhook.bearer}`])
    assert.equal((await partner.post(event, { authorization })).status, 401)
})

test('D3 §5: the sender name of another platform, or an event type of the partner, gets 403', async () => {
  const { loanCase, event } = await prepareLead()
  const other = await partner.post({ ...event, sender: 'CELESTIUM' })
  assert.equal(other.status, 403)
  assert.equal(other.body.error.code, 'FORBIDDEN')
  const { status, body } = await partner.post(
    loanCase.event(
      'LEAD_REGISTERED',
      { status: 'UNDER_REVIEW', documents_pending: [] },
      {
        correlation: { external_reference_id: loanCase.caseRef, celestium_lead_id: '1', celestium_loan_id: '2' },
      },
    ),
  )
  assert.equal(status, 403)
  assert.equal(body.error.code, 'FORBIDDEN')
  for (const change of [
    { event_type: 'LEAD_REGISTERED', data: {} },
    { sender: 'CELESTIUM', data: {} },
  ]) {
    const incomplete = await partner.post({ ...event, ...change })
    assert.equal(incomplete.status, 403)
    assert.equal(incomplete.body.error.code, 'FORBIDDEN')
  }
})

test('D3 §5: an event about a case of another platform gets 403, and Status of this case 404', async () => {
  const loanCase = new TestCase(partner)
  await loanCase.register()
  const event = loanCase.event('KYC_UPDATED', exampleData('KYC_UPDATED'), { sender: independentPlatform.sender })
  const { status, body } = await partner.post(event, {}, independentPlatform)
  assert.equal(status, 403)
  assert.equal(body.error.code, 'FORBIDDEN')
  assert.equal((await partner.status(loanCase.caseRef, independentPlatform)).status, 404)
})

test('D3 §9: events of unsupported versions or types are rejected and not stored', async () => {
  const { event } = await prepareLead()
  for (const change of [{ event_version: '1.0' }, { event_version: '2.1' }, { event_type: 'LOAN_CLOSED' }]) {
    const { status, body } = await partner.post({ ...event, ...change })
    assert.equal(status, 422)
    assert.equal(body.error.code, 'VALIDATION_ERROR')
    assert.equal(body.error.fields[0].path, Object.keys(change)[0])
  }
  assert.equal((await partner.db`select 1 from inbox where event_id = ${event.event_id}`).length, 0)
})

test('D3 §7: an error response lists the path of every invalid field, and the event id as request_id', async () => {
  const { loanCase, event } = await prepareLead()
  const lead = structuredClone(loanCase.lead) as Record<string, never> & typeof loanCase.lead
  lead.borrower.pan = 'ABCDE1234F'
  lead.proposed_offer.loan_amount = '1000'
  lead.business.address.postal_code = '0'
  const { status, body } = await partner.post({ ...event, data: lead })
  assert.equal(status, 422)
  assert.equal(body.request_id, event.event_id)
  assert.deepEqual(body.error.fields.map(({ path }: { path: string }) => path).sort(), [
    'data.borrower.pan',
    'data.business.address.postal_code',
    'data.proposed_offer.loan_amount',
  ])
})

test('D3 §2.1: the Idempotency-Key of an event is optional, but must equal its event_id', async () => {
  const { event } = await prepareLead()
  const { status, body } = await partner.post(event, { 'idempotency-key': uuidv4() })
  assert.equal(status, 422)
  assert.equal(body.error.fields[0].path, 'Idempotency-Key')
  const raw = rawOf(event)
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${platform.bearer}`,
    ...sign(raw),
  }
  assert.equal((await partner.ask('POST', '/events', { headers, body: raw })).status, 202)
})

test('D3 §7: invalid JSON gets 400, another media type 415 and more than 2 MiB 413', async () => {
  const raw = Buffer.from('{"event_id":')
  const broken = await partner.post(raw, { 'idempotency-key': uuidv4() })
  assert.equal(broken.status, 400)
  assert.equal(broken.body.error.code, 'VALIDATION_ERROR')
  const { event } = await prepareLead()
  const text = await partner.post(event, { 'content-type': 'text/plain' })
  assert.equal(text.status, 415)
  assert.equal(text.body.error.code, 'UNSUPPORTED_MEDIA')
  const large = await partner.post({ ...event, filler: 'x'.repeat(2 * 1024 * 1024) })
  assert.equal(large.status, 413)
  assert.equal(large.body.error.code, 'TOO_LARGE')
})

test('D3 §2.1: rejects a full Aadhaar number in any field without repeating the number', async () => {
  const { loanCase, event } = await prepareLead()
  const lead = structuredClone(loanCase.lead)
  lead.borrower.residential_address.line2 = 'UID 999999990019'
  const { status, body } = await partner.post({ ...event, data: lead })
  assert.equal(status, 422)
  assert.equal(body.error.fields[0].path, 'data.borrower.residential_address.line2')
  assert.doesNotMatch(JSON.stringify(body), /999999990019/)
})

test('D3 §9: additional keys are ignored', async () => {
  const { loanCase, event } = await prepareLead()
  assert.equal((await partner.post({ ...event, note: 'x', data: { ...event.data, more: { deep: 1 } } })).status, 202)
  await loanCase.waitForEvent('LEAD_REGISTERED')
})

test('D3 §7: a platform above its rate limit gets 429 with Retry-After, but other platforms do not', async () => {
  const now = new Date()
  const limitedPartner = await startTestPartner({ PARTNER_REQUESTS_PER_SECOND: '1', PARTNER_BURST: '2' }, () => now)
  const replies = await Promise.all([1, 2, 3].map(() => limitedPartner.status('CASE-1')))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [404, 404, 429])
  const refused = replies.find(({ status }) => status === 429)!
  assert.equal(refused.body.error.code, 'RATE_LIMITED')
  assert.equal(refused.body.error.retryable, true)
  assert.match(refused.headers.get('retry-after')!, /^\d+$/)
  assert.equal((await limitedPartner.status('CASE-1', independentPlatform)).status, 404)
})

test('D3 §4.3: a partner whose scanner rejects files of the maximum size is not ready and stores no file', async () => {
  const smallScanner = await fakeClamd({ maxStreamBytes: 1 << 20 })
  const guarded = await startTestPartner({ PARTNER_CLAMD: `127.0.0.1:${smallScanner.port}` })
  await until('the scanner is tested', async () => /250 MiB/.test((await guarded.ask('GET', '/readyz')).body.status))
  const ready = await guarded.ask('GET', '/readyz')
  assert.equal(ready.status, 503)
  assert.match(ready.body.status, /MaxFileSize, MaxScanSize and StreamMaxLength must be above 250M/)
  const loanCase = new TestCase(guarded)
  await loanCase.register()
  const { status, body } = await loanCase.upload('KYC_REPORT')
  assert.equal(status, 503)
  assert.equal(body.error.code, 'INTERNAL_ERROR')
  assert.equal(body.error.retryable, true)
})

test('D3 §1: serves the OpenAPI document, the signature vectors and the health routes', async () => {
  const { body } = await partner.ask('GET', '/openapi.json')
  assert.deepEqual(Object.keys(body.paths).sort(), ['/dedupe', '/documents', '/events', '/status'])
  assert.deepEqual((await partner.ask('GET', '/signature-vectors.json')).body, vectors)
  for (const path of ['/healthz', '/readyz', '/metrics']) assert.equal((await partner.ask('GET', path)).status, 200)
})
