// Events on their way to the partner: one key, one body, a fresh signature for each try, and their order.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { ListenerRequest } from '#conformance/exchange/listener.ts'
import { exampleData } from '#contract/exchange/example/event.ts'
import { UnreachableError } from '#kit/http/client.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { OutboundEvent } from '#kit/messaging/outbox.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { until } from '#test/setup/programs.ts'
import { withPartner } from './call.ts'
import { decideCase } from './channel.ts'
import { eventDeliveryWorker, postEvent, sendEvent } from './deliver.ts'
import { halfPartnered } from './partner/from-settings.ts'
import { firstPartnerId } from './partner/store.ts'
import { exchangeSettings, sandboxContact } from './settings.ts'

const lender = await startLenderExchange()
const platform = await testPlatform({ ...lender.env, LENDLOOM_TIME_SCALE: '0.01' })
const { ctx } = platform
const worker = eventDeliveryWorker(ctx)
after(() => worker.stop())

// It takes its ten seconds beside the other tests.
const silent = createServer(() => {}).listen(0, '127.0.0.1')
await once(silent, 'listening')
after(() => {
  silent.closeAllConnections()
  silent.close()
})
const PARTNER_URL = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
const begun = performance.now()
const { partner, ...speaking } = await withPartner(ctx, { partnerId: firstPartnerId })
const waited = postEvent({ ...speaking, partner: { ...partner, url: PARTNER_URL } }, {
  eventId: randomUUID(),
  raw: Buffer.from('{}'),
} as OutboundEvent).then(
  () => null,
  (error: unknown) => ({ error, seconds: (performance.now() - begun) / 1000 }),
)

const came: ListenerRequest[] = []
let status = (_: ListenerRequest): number => 202
let body: object | undefined
lender.answer = (request) => {
  if (request.path === '/events') came.push(request)
  return { status: status(request), ...(body && { body }) }
}
const about = (caseRef: string) => came.filter(({ raw }) => raw.includes(caseRef))
const stateOf = async (eventId: string) =>
  (await ctx.db<{ state: string }>`select state from outbox where event_id = ${eventId}`)[0]!.state
const claim = exampleData('PAYMENT_CLAIM_SUBMITTED')

test('D3 §2.1, §5, §8: a try that failed is repeated: the same bytes and key, signed anew', async () => {
  let tries = 0
  status = () => (++tries === 1 ? 503 : 202)
  const of = await caseAt(platform, 'DISBURSED')
  const at = ctx.clock()
  const eventId = await ctx.db.tx(async (tx) =>
    sendEvent({ ...ctx, tx, at }, await of.application(), { type: 'PAYMENT_CLAIM_SUBMITTED', data: claim }),
  )
  await until('delivered', async () => (await stateOf(eventId)) === 'DELIVERED')
  const [first, second] = about(of.ids.caseRef)
  assert.ok(first && second)
  assert.ok(first.raw.equals(second.raw))
  assert.deepEqual([first.headers['idempotency-key'], second.headers['idempotency-key']], [eventId, eventId])
  assert.ok(Number(second.headers['x-sent-at']) >= Number(first.headers['x-sent-at']))
  const { sender, entity_type, entity_id, entity_version, correlation } = JSON.parse(second.raw.toString('utf8'))
  assert.deepEqual([sender, entity_type, entity_id, entity_version], ['LENDLOOM', 'CASE', of.ids.caseRef, 1])
  assert.deepEqual(Object.values(correlation), [of.ids.caseRef, of.ids.leadId, of.ids.loanId])
})

test('D3 §2.2: a success that is no receipt of the event is no delivery: it is sent again', async () => {
  status = () => 200
  body = { event_id: randomUUID(), receipt_status: 'RECEIVED', received_at: new Date().toISOString() }
  const of = await caseAt(platform, 'DISBURSED')
  const eventId = await ctx.db.tx(async (tx) =>
    sendEvent({ ...ctx, tx, at: ctx.clock() }, await of.application(), {
      type: 'PAYMENT_CLAIM_SUBMITTED',
      data: claim,
    }),
  )
  await until('a second try', () => about(of.ids.caseRef).length > 1)
  assert.equal(await stateOf(eventId), 'PENDING')
  body = undefined
  await until('delivered', async () => (await stateOf(eventId)) === 'DELIVERED')
})

test('D3 §6: versions go up by one for a case, and out in their order', async () => {
  status = () => 202
  const of = await caseAt(platform, 'DISBURSED')
  for (let i = 0; i < 5; i++)
    await ctx.db.tx(async (tx) =>
      sendEvent({ ...ctx, tx, at: ctx.clock() }, await of.application(), {
        type: 'PAYMENT_CLAIM_SUBMITTED',
        data: claim,
      }),
    )
  await until('all of them', () => about(of.ids.caseRef).length >= 5)
  assert.deepEqual(
    about(of.ids.caseRef).map(({ raw }) => JSON.parse(raw.toString('utf8')).entity_version),
    [1, 2, 3, 4, 5],
  )
})

test('D3 §7: what the partner refuses as such is not sent again, and is kept', async () => {
  status = () => 422
  const of = await caseAt(platform, 'DISBURSED')
  const eventId = await ctx.db.tx(async (tx) =>
    sendEvent({ ...ctx, tx, at: ctx.clock() }, await of.application(), {
      type: 'PAYMENT_CLAIM_SUBMITTED',
      data: claim,
    }),
  )
  await until('given up', async () => (await stateOf(eventId)) === 'DEAD')
  assert.equal(about(of.ids.caseRef).length, 1)
})

test('D3 §3: what was accepted is not taken back, and what was never offered is not accepted', async () => {
  status = () => 202
  const decide = async (stage: 'DECIDED' | 'OFFERED' | 'REGISTERED', decision: 'ACCEPT' | 'REJECT' | 'EXPIRE') => {
    const of = await caseAt(platform, stage)
    const application = await ctx.db.tx(async (tx) =>
      decideCase({ ...ctx, tx, at: ctx.clock() }, await of.application(), { decision, reason: null }),
    )
    const sent = await ctx.db`select 1 from outbox where case_ref = ${of.ids.caseRef}`
    return [application.stage, application.decision, sent.length]
  }
  const refused = (error: unknown) => error instanceof Refusal && error.kind === 'wrong-state'
  for (const decision of ['REJECT', 'EXPIRE'] as const) await assert.rejects(decide('DECIDED', decision), refused)
  await assert.rejects(decide('REGISTERED', 'ACCEPT'), refused)
  assert.deepEqual(await decide('DECIDED', 'ACCEPT'), ['DECIDED', 'ACCEPT', 0], 'said before')
  assert.deepEqual(await decide('OFFERED', 'ACCEPT'), ['DECIDED', 'ACCEPT', 1])
  assert.deepEqual(await decide('OFFERED', 'REJECT'), ['ENDED', 'REJECT', 1])
  assert.deepEqual(await decide('OFFERED', 'EXPIRE'), ['ENDED', 'EXPIRE', 1])
  assert.deepEqual(await decide('REGISTERED', 'REJECT'), ['ENDED', null, 0], 'nothing to decide yet')
})

test('D3 §5: two credentials, never the same one; without a partner nothing of this exists', () => {
  const read = (env: Record<string, string>) => configFrom(exchangeSettings, env)
  const good = JSON.parse(lender.env.PARTNER_CREDENTIALS)
  const wrong = [
    'no json',
    '{}',
    JSON.stringify({ ...good, bearer: 'short' }),
    JSON.stringify({ ...good, webhook: { ...good.webhook, bearer: good.bearer } }),
    JSON.stringify({ ...good, webhook: { ...good.webhook, sender: good.sender } }),
    JSON.stringify({ ...good, webhook: { ...good.webhook, keys: [] } }),
    JSON.stringify({ ...good, webhook: { ...good.webhook, keys: [good.webhook.keys[0], good.webhook.keys[0]] } }),
  ]
  for (const PARTNER_CREDENTIALS of wrong)
    assert.throws(
      () => read({ PARTNER_CREDENTIALS }),
      (error: Error) => !error.message.includes(good.bearer),
    )
  const config = { ...read({}), SANDBOX: true }
  assert.equal(halfPartnered({ config }), null)
  const whole = JSON.stringify(sandboxContact)
  const open = (PARTNER_URL: string, SANDBOX: boolean, PARTNER_CONTACT = whole) =>
    halfPartnered({ config: { ...read({ ...lender.env, PARTNER_URL, PARTNER_CONTACT }), SANDBOX } } as never)
  assert.match(open('http://partner.example', false)!, /https/)
  assert.deepEqual([open('https://partner.example', false), open('http://127.0.0.1:4100', true)], [null, null])
  const without = open('http://partner.example', false, JSON.stringify({ ...sandboxContact, groEmail: ' ' }))!
  assert.match(without, /https.*; PARTNER_CONTACT needs groEmail outside/, 'both at once')
  assert.match(open('https://partner.example', false, '{}')!, /groName, .*customerSupportEmail/)
  const half = { ...read({ PARTNER_URL: lender.env.PARTNER_URL }), SANDBOX: true }
  assert.equal(typeof halfPartnered({ config: half }), 'string')
})

test('D3 §8: an event without an answer after ten seconds was not delivered', async () => {
  const { error, seconds } = (await waited)!
  assert.ok(error instanceof UnreachableError)
  assert.ok(seconds > 9.5 && seconds < 60, `${seconds} s`)
})
