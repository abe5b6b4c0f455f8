// Tests the webhook for a partner's events: authentication, receipts, refusals, and the order of events.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sentEvents } from '@lendloom/event-log/outbox'
import { quietLog } from '@lendloom/foundation/log'
import { faults } from '@lendloom/foundation/schema'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { ask, type Reply, testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { until } from '@lendloom/tests/setup/programs'
import type { Envelope } from '@lendloom/wire/exchange/envelope'
import { ErrorBody } from '@lendloom/wire/exchange/error'
import { EventReceipt } from '@lendloom/wire/exchange/event-receipt'
import { exampleData, exampleOffer } from '@lendloom/wire/exchange/example/event'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import vectors from '@lendloom/wire/exchange/vectors.json' with { type: 'json' }
import { partnerEventWorker } from '#platform/lenders/partner/reactions/apply-event.ts'

const lender = await startLenderExchange()
const platform = await testPlatform(lender.env)
/** Alerts to operators. The platform logs them as errors if no mail is configured. */
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
  assert.equal(reply.status, status, JSON.stringify(reply.body))
  assert.equal(reply.body.error.code, code, JSON.stringify(reply.body))
  assert.deepEqual(faults(ErrorBody, reply.body), [])
  if (path !== undefined)
    assert.ok(
      reply.body.error.fields.some((field: { path: string }) => field.path === path),
      `${path} is a field of ${JSON.stringify(reply.body.error.fields)}`,
    )
}

test('D3 §4.2, §2.2: a new event gets 202, and a repeated event gets 200 with the same receipt', async () => {
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

test('D3 §4.2: an event with a known event_id and other content gets 409', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  assert.equal((await lender.post(platform.url, event)).status, 202)
  const changedEvent = { ...event, occurred_at: '2026-11-20T11:00:00.000Z' }
  const reply = await lender.post(platform.url, changedEvent)
  assertRefused(reply, 409, 'CONFLICT')
  assert.equal(reply.body.request_id, event.event_id)
  assert.equal((await lender.post(platform.url, event)).status, 200)
})

test('D3 §4.2: an event that begins with a byte order mark is applied as it was accepted', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  const marked = Buffer.from(`\ufeff${JSON.stringify(event)}`)
  const change = { 'idempotency-key': event.event_id }
  assert.equal((await lender.post(platform.url, marked, change)).status, 202)
  await until('the event is applied', async () => {
    const [row] = await platform.ctx.db<{ outcome: string }>`
      select outcome from inbox_outcome where event_id = ${event.event_id}`
    return row?.outcome === 'APPLIED'
  })
})

test('D3 §4.2: exactly one of a hundred concurrent duplicates gets 202', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  const replies = await Promise.all(Array.from({ length: 100 }, () => lender.post(platform.url, event)))
  assert.equal(replies.filter(({ status }) => status === 202).length, 1)
  assert.equal(replies.filter(({ status }) => status === 200).length, 99)
})

test('D3 §5: an event without the partner’s credential gets 401 before its body is parsed', async () => {
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
    await lender.post(platform.url, Buffer.from('not JSON'), { authorization: 'Bearer x' }),
    401,
    'UNAUTHORIZED',
  )
  assert.equal(await storedCount(event.event_id), 0)
})

test('D3 §5: an event needs a recent signature of its exact bytes by one of the partner’s two keys', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  const raw = Buffer.from(JSON.stringify(event))
  const [first, second] = webhook.keys
  const signedAt = (secondsFromNow: number, key = first, bytes = raw) =>
    signedHeaders({ ...key, at: new Date(Date.now() + secondsFromNow * 1000), raw: bytes })
  for (const change of [
    // Only 300 seconds before or after now are accepted.
    signedAt(-301),
    signedAt(360),
    signedAt(0, { ...first, secret: second.secret }),
    signedAt(0, { keyId: 'unknown', secret: first.secret }),
    signedAt(0, first, Buffer.from(`${raw} `)),
    { ...signedAt(0), 'x-signature': '' },
    { ...signedAt(0), 'x-signature': signedAt(0)['x-signature'].toUpperCase() },
    { ...signedAt(0), 'x-sent-at': 'now' },
  ])
    assertRefused(await lender.post(platform.url, event, change), 401, 'UNAUTHORIZED')
  assert.equal(await storedCount(event.event_id), 0)
  assert.equal((await lender.post(platform.url, event, signedAt(-240, second))).status, 202)
})

test('D3 §5, §6: an event of another sender, or of a type that only the platform sends, gets 403', async () => {
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

test('D3 §9, §7: an event with an invalid field gets 422 with the path of the field', async () => {
  const { ids } = await caseAt(platform, 'DISBURSED')
  const event = loanStatusEvent(ids)
  const invalidEvents: [object, string][] = [
    [{ ...event, event_version: '3.0' }, 'event_version'],
    [{ ...event, event_type: 'GRIEVANCE_RAISED' }, 'event_type'],
    [{ ...event, entity_version: 0 }, 'entity_version'],
    [{ ...event, entity_id: 'another' }, 'entity_id'],
    [{ ...event, data: { ...event.data, loan_status: 'SLEEPING' } }, 'data.loan_status'],
    [{ ...event, correlation: { ...event.correlation, celestium_loan_id: null } }, 'correlation.celestium_loan_id'],
  ]
  for (const [change, path] of invalidEvents)
    assertRefused(await lender.post(platform.url, change), 422, 'VALIDATION_ERROR', path)
  const extended = { ...event, unknown: 1, data: { ...event.data, unknown: true } }
  assert.equal((await lender.post(platform.url, extended)).status, 202, 'unknown keys are ignored')
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
  assert.equal(reply.body.error.retryable, true)
  assert.equal(reply.body.request_id, event.event_id)
  assert.match(reply.headers.get('retry-after')!, /^\d+$/)
})

test('D3 §7: an unknown path or method gets an error in the format of the exchange', async () => {
  const reply = await ask(`${platform.url}/api/partner/webhook`)
  assertRefused(reply, 405, 'NOT_FOUND')
  assertRefused(await ask(`${platform.url}/api/partner/grievances`, { method: 'POST', body: {} }), 404, 'NOT_FOUND')
})

test('D3 §6: events are applied in the order of their versions, and a late event is superseded', async () => {
  const { ids, loanCase } = await caseAt(platform, 'SUBMITTED')
  const leadId = '81001'
  const loanId = '91001'
  const idsOfLoan = { ...ids, leadId, loanId }
  const rejected = lender.event('MANUAL_REVIEW_DECIDED', idsOfLoan, 2, {
    decision: 'REJECTED',
    reason_code: 'POLICY',
    reason_message: 'Outside our policy',
    reviewed_at: '2026-11-20T10:00:00.000Z',
    offer: null,
  })
  const registered = lender.event('LEAD_REGISTERED', idsOfLoan, 1, { status: 'UNDER_REVIEW', documents_pending: [] })
  assert.equal((await lender.post(platform.url, rejected)).status, 202)
  const [reason] = await until('the worker to hold the event', async () => {
    const held = await platform.ctx.db<{ stuckBecause: string }>`
      select stuck_because from inbox_waiting where event_id = ${rejected.event_id} and stuck_because is not null`
    return held.length > 0 && held
  })
  assert.equal(reason!.stuckBecause, 'waits for version 1')
  assert.equal((await loanCase()).stage, 'SUBMITTED')
  assert.equal((await lender.post(platform.url, registered)).status, 202)
  await until('both events are applied', async () => (await loanCase()).stage === 'ENDED')
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

test('D3 §2.4, §6 rule 6: a wrong APR in an offer causes a failure event and an alert', async () => {
  const { ids, tenantId, loanCase } = await caseAt(platform, 'REGISTERED')
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
  assert.equal(failure.event_type, 'EVENT_PROCESSING_FAILED')
  assert.equal(source_event_id, offer.event_id)
  assert.equal(code, 'VALIDATION_ERROR')
  assert.match(message, /^data\.offer\.apr_percent /)
  assert.equal((await loanCase()).offerId, null)
  const alert = alerts.find(({ eventId }) => eventId === offer.event_id)
  assert.match(String(alert?.why), /^data\.offer\.apr_percent /)
})

test('D3 §2.2, §6 rule 6: a wrong loan id causes a failure event, except in a failure event', async () => {
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

test('D3 §5.2: the test vectors of signatures are public without a credential', async () => {
  const answer = await fetch(`${platform.url}/api/partner/signature-vectors.json`)
  assert.equal(answer.status, 200)
  assert.deepEqual(await answer.json(), vectors)
})
