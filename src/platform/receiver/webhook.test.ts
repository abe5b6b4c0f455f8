// The webhook for a partner's events: authentication, receipts, and refusals before storage.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Envelope, EventReceipt } from '#contract/exchange/envelope.ts'
import { ErrorBody } from '#contract/exchange/error.ts'
import { exampleData, exampleOffer } from '#contract/exchange/example/event.ts'
import { signedHeaders } from '#contract/exchange/signature.ts'
import vectors from '#contract/exchange/vectors.json' with { type: 'json' }
import { faults } from '#kit/http/schema.ts'
import { sentEvents } from '#kit/messaging/outbox.ts'
import { quietLog } from '#kit/runtime/log.ts'
import { partnerEventWorker } from '#platform/application/partner/apply.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { ask, type Reply, testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { until } from '#test/setup/programs.ts'

const lender = await startLenderExchange()
const platform = await testPlatform(lender.env)
/** Alerts to operators, which the platform logs as errors when no mail is configured. */
const alerts: Record<string, unknown>[] = []
const log = Object.assign(Object.create(quietLog), { error: (facts: (typeof alerts)[number]) => alerts.push(facts) })
const worker = partnerEventWorker({ ...platform.ctx, log })
after(() => worker.stop())
const { webhook } = JSON.parse(lender.env.PARTNER_CREDENTIALS)

const loanStatusEvent = (ids: Parameters<typeof lender.event>[1], version = 1, snapshot_version = 1) =>
  lender.event('LOAN_STATUS_UPDATED', ids, version, {
    loan_status: 'ACTIVE',
    snapshot_version,
    updated_at: '2026-11-20T10:00:00.000Z',
    reason_code: 'PAYMENT_POSTED',
  })

const storedCount = async (eventId: string) =>
  (await platform.ctx.db`select 1 from inbox where event_id = ${eventId}`).length

function assertRefused(reply: Reply, status: number, code: string, path?: string): void {
  assert.deepEqual([reply.status, reply.body.error.code], [status, code], JSON.stringify(reply.body))
  assert.deepEqual(faults(ErrorBody, reply.body), [])
  if (path !== undefined)
    assert.ok(
      reply.body.error.fields.some((field: { path: string }) => field.path === path),
      `${path} is named in ${JSON.stringify(reply.body.error.fields)}`,
    )
}

test('D3 §4.2, §2.2: the first receipt is 202, and a repeated event gets 200 with the same receipt', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  const first = await lender.post(platform.url, event)
  assert.equal(first.status, 202)
  assert.deepEqual(faults(EventReceipt, first.body), [])
  assert.equal(first.body.event_id, event.event_id)
  const again = await lender.post(platform.url, event)
  assert.equal(again.status, 200)
  assert.deepEqual(again.body, first.body)
})

test('D3 §4.2: other content under the same event_id is a conflict', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  assert.equal((await lender.post(platform.url, event)).status, 202)
  const changed = { ...event, occurred_at: '2026-11-20T11:00:00.000Z' }
  const reply = await lender.post(platform.url, changed)
  assertRefused(reply, 409, 'CONFLICT')
  assert.equal(reply.body.request_id, event.event_id)
  assert.equal((await lender.post(platform.url, event)).status, 200)
})

test('D3 §4.2: exactly one of a hundred concurrent duplicates gets 202', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  const replies = await Promise.all(Array.from({ length: 100 }, () => lender.post(platform.url, event)))
  assert.equal(replies.filter(({ status }) => status === 202).length, 1)
  assert.equal(replies.filter(({ status }) => status === 200).length, 99)
})

test('D3 §5: a missing or wrong credential, or the platform’s own, returns 401 before the body is read', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  const platformBearer = JSON.parse(lender.env.PARTNER_CREDENTIALS).bearer
  for (const authorization of [
    '',
    'Bearer',
    `Bearer ${webhook.bearer}x`,
    `Bearer ${platformBearer}`,
    `Basic ${webhook.bearer}`,
  ])
    assertRefused(await lender.post(platform.url, event, { authorization }), 401, 'UNAUTHORIZED')
  assertRefused(
    await lender.post(platform.url, Buffer.from('no json'), { authorization: 'Bearer x' }),
    401,
    'UNAUTHORIZED',
  )
  assert.equal(await storedCount(event.event_id), 0)
})

test('D3 §5: a signature covers the exact bytes, expires after 300 seconds, and uses either of two keys', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  const raw = Buffer.from(JSON.stringify(event))
  const [first, second] = webhook.keys
  const at = (seconds: number, key = first, bytes = raw) =>
    signedHeaders({ ...key, at: new Date(Date.now() + seconds * 1000), raw: bytes })
  for (const change of [
    at(-301),
    at(360),
    at(0, { ...first, secret: second.secret }),
    at(0, { keyId: 'p-3', secret: first.secret }),
    at(0, first, Buffer.from(`${raw} `)),
    { ...at(0), 'x-signature': '' },
    { ...at(0), 'x-signature': at(0)['x-signature'].toUpperCase() },
    { ...at(0), 'x-sent-at': 'now' },
  ])
    assertRefused(await lender.post(platform.url, event, change), 401, 'UNAUTHORIZED')
  assert.equal(await storedCount(event.event_id), 0)
  assert.equal((await lender.post(platform.url, event, at(-240, second))).status, 202)
})

test('D3 §5, §6: an event of another sender, or of a type that only the platform sends, returns 403', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  assertRefused(
    await lender.post(platform.url, { ...loanStatusEvent(ids), sender: 'LENDLOOM' }),
    403,
    'FORBIDDEN',
    'sender',
  )
  const decision = lender.event('OFFER_DECISION_RECORDED', ids, 1, {
    offer_id: 'F-1',
    decision: 'ACCEPT',
    decided_at: '2026-11-20T10:00:00.000Z',
    reason: null,
  })
  assertRefused(await lender.post(platform.url, decision), 403, 'FORBIDDEN', 'event_type')
  const incomplete = { ...decision, occurred_at: 'yesterday', data: {} }
  assertRefused(await lender.post(platform.url, incomplete), 403, 'FORBIDDEN', 'event_type')
  assertRefused(await lender.post(platform.url, { ...incomplete, sender: 'LENDLOOM' }), 403, 'FORBIDDEN', 'sender')
})

test('D3 §9, §7: a wrong version, type or field returns 422 with its path', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  const wrong: [object, string][] = [
    [{ ...event, event_version: '3.0' }, 'event_version'],
    [{ ...event, event_type: 'GRIEVANCE_RAISED' }, 'event_type'],
    [{ ...event, entity_version: 0 }, 'entity_version'],
    [{ ...event, entity_id: 'another' }, 'entity_id'],
    [{ ...event, data: { ...event.data, loan_status: 'SLEEPING' } }, 'data.loan_status'],
    [{ ...event, correlation: { ...event.correlation, celestium_loan_id: null } }, 'correlation.celestium_loan_id'],
  ]
  for (const [change, path] of wrong)
    assertRefused(await lender.post(platform.url, change), 422, 'VALIDATION_ERROR', path)
  const more = { ...event, more: 1, data: { ...event.data, more: true } }
  assert.equal((await lender.post(platform.url, more)).status, 202, 'additive keys are ignored')
})

test('D3 §2.1, §7: an event with a wrong Idempotency-Key, body or case is refused', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  const post = (change: Record<string, string>) => lender.post(platform.url, event, change)
  assertRefused(await post({ 'idempotency-key': randomUUID() }), 422, 'VALIDATION_ERROR', 'Idempotency-Key')
  assertRefused(await post({ 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA')
  assertRefused(await lender.post(platform.url, Buffer.from('{')), 400, 'VALIDATION_ERROR')
  for (const caseRef of [randomUUID(), 'CASE-1'])
    assertRefused(await lender.post(platform.url, loanStatusEvent({ ...ids, caseRef })), 404, 'NOT_FOUND')
  const large = Buffer.alloc(2 * 1024 * 1024 + 1, 0x20)
  assertRefused(await lender.post(platform.url, large), 413, 'TOO_LARGE')
  assert.equal((await post({ 'idempotency-key': `"${event.event_id}"` })).status, 202)
  const eventWithoutKey = loanStatusEvent(ids, 2)
  const raw = Buffer.from(JSON.stringify(eventWithoutKey))
  const headers = {
    authorization: `Bearer ${webhook.bearer}`,
    'content-type': 'application/json',
    ...signedHeaders({ ...webhook.keys[0], at: new Date(), raw }),
  }
  const replyWithoutKey = await fetch(`${platform.url}/api/partner/webhook`, { method: 'POST', headers, body: raw })
  assert.equal(replyWithoutKey.status, 202, 'the key is optional')
})

test('D3 §7: a rate-limited partner gets 429 with Retry-After', async () => {
  const at = new Date()
  const limits = { PARTNER_EVENTS_PER_SECOND: '1', PARTNER_EVENTS_BURST: '2' }
  const busy = await testPlatform({ ...lender.env, ...limits }, () => at)
  const { ids } = await caseAt(busy, 'DISBURSED')
  const event = loanStatusEvent(ids)
  for (const status of [202, 200]) assert.equal((await lender.post(busy.url, event)).status, status)
  const reply = await lender.post(busy.url, event)
  assertRefused(reply, 429, 'RATE_LIMITED')
  assert.deepEqual([reply.body.error.retryable, reply.body.request_id], [true, event.event_id])
  assert.match(reply.headers.get('retry-after')!, /^\d+$/)
})

test('D3 §7: other methods and paths return the exchange’s error format', async () => {
  const reply = await ask(`${platform.url}/api/partner/webhook`)
  assertRefused(reply, 405, 'NOT_FOUND')
  assertRefused(await ask(`${platform.url}/api/partner/grievances`, { method: 'POST', body: {} }), 404, 'NOT_FOUND')
})

test('D3 §6: events are applied in the order of their versions, and older ones are superseded', async () => {
  const { ids, application } = await caseAt(platform, 'SUBMITTED')
  const [leadId, loanId] = ['81001', '91001']
  const known = { ...ids, leadId, loanId }
  const rejected = lender.event('MANUAL_REVIEW_DECIDED', known, 2, {
    decision: 'REJECTED',
    reason_code: 'POLICY',
    reason_message: 'Outside our policy',
    reviewed_at: '2026-11-20T10:00:00.000Z',
    offer: null,
  })
  const registered = lender.event('LEAD_REGISTERED', known, 1, { status: 'UNDER_REVIEW', documents_pending: [] })
  assert.equal((await lender.post(platform.url, rejected)).status, 202)
  // Long enough to apply the event, which must wait.
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal((await application()).stage, 'SUBMITTED', 'an event after a gap waits')
  assert.equal((await lender.post(platform.url, registered)).status, 202)
  await until('both events are applied', async () => (await application()).stage === 'ENDED')
  const lateEvent = { ...registered, event_id: randomUUID() } as Envelope
  assert.equal((await lender.post(platform.url, lateEvent)).status, 202)
  const outcomeOf = async () =>
    (
      await platform.ctx.db<{
        outcome: string
      }>`select outcome from inbox_outcome where event_id = ${lateEvent.event_id}`
    )[0]
  await until('the late event is settled', async () => (await outcomeOf())?.outcome === 'SUPERSEDED')
})

test('D3 §2.4, §6 rule 6: an offer with a wrong APR gets a failure event and alerts operators', async () => {
  const { ids, tenantId, application } = await caseAt(platform, 'REGISTERED')
  const { ctx } = platform
  const valid_until = new Date(Date.now() + 3_600_000).toISOString()
  const offer = lender.event('MANUAL_REVIEW_DECIDED', ids, 1, {
    ...exampleData('MANUAL_REVIEW_DECIDED'),
    offer: { ...exampleOffer(), valid_until, apr_percent: '1.00' },
  })
  assert.equal((await lender.post(platform.url, offer)).status, 202)
  const sent = () => sentEvents(ctx.db, ctx.seal, { tenantId, partitionKey: ids.caseRef })
  await until('a failure is sent', async () => (await sent()).length > 0)
  const [failure] = (await sent()).map(({ raw }) => JSON.parse(raw.toString('utf8')))
  const { source_event_id, code, message } = failure.data
  assert.deepEqual(
    [failure.event_type, source_event_id, code],
    ['EVENT_PROCESSING_FAILED', offer.event_id, 'VALIDATION_ERROR'],
  )
  assert.match(message, /^data\.offer\.apr_percent /)
  assert.equal((await application()).offerId, null)
  const alert = alerts.find(({ eventId }) => eventId === offer.event_id)
  assert.match(String(alert?.why), /^data\.offer\.apr_percent /)
})

test('D3 §2.2, §6 rule 6: an event with another loan id gets a failure event, a failure event gets none', async () => {
  const { ids, tenantId } = await caseAt(platform, 'ACCEPTED')
  const foreignEvent = loanStatusEvent({ ...ids, loanId: '99' })
  assert.equal((await lender.post(platform.url, foreignEvent)).status, 202)
  const sent = () =>
    platform.ctx.db<{ eventType: string }>`
      select event_type from outbox where tenant_id = ${tenantId} and case_ref = ${ids.caseRef}`
  await until('a failure is sent', async () =>
    (await sent()).some(({ eventType }) => eventType === 'EVENT_PROCESSING_FAILED'),
  )
  const failure = lender.event('EVENT_PROCESSING_FAILED', { ...ids, leadId: '5' }, 2, {
    source_event_id: randomUUID(),
    code: 'PROCESSING_ERROR',
    message: 'no',
    retryable: false,
    failed_at: '2026-11-20T10:00:00.000Z',
  })
  assert.equal((await lender.post(platform.url, failure)).status, 202)
  await until('the failure event is settled', async () => {
    const [row] = await platform.ctx.db<{ outcome: string }>`
      select outcome from inbox_outcome where event_id = ${failure.event_id}`
    return row?.outcome === 'FAILED'
  })
  assert.equal((await sent()).length, 1)
})

test('D3 §5.2: the test vectors of signatures are public', async () => {
  const answer = await fetch(`${platform.url}/api/partner/signature-vectors.json`)
  assert.equal(answer.status, 200)
  assert.deepEqual(await answer.json(), vectors)
})
