// Delivery of events to the partner: key, body and order, with a new signature per attempt.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { ListenerRequest } from '@lendloom/conformance/exchange/listener'
import type { OutboundEvent } from '@lendloom/event-log/outbox'
import { configFrom } from '@lendloom/foundation/config'
import { Refusal } from '@lendloom/foundation/refusal'
import { UnreachableError } from '@lendloom/http/client'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { until } from '@lendloom/tests/setup/programs'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { withPartner } from './call-partner.ts'
import { decideCase } from './decide-case.ts'
import { eventDeliveryWorker, postEvent, sendEvent } from './deliver-events.ts'
import { firstPartnerId } from './directory/lending-partner.ts'
import { partnerConfigFault } from './directory/partners-from-settings.ts'
import { sandboxContact } from './partner-contact.ts'
import { exchangeSettings } from './settings.ts'

const lender = await startLenderExchange()
const platform = await testPlatform({ ...lender.env, LENDLOOM_TIME_SCALE: '0.01' })
const { ctx } = platform
const worker = eventDeliveryWorker(ctx)
after(() => worker.stop())

// A delivery to a server that never answers takes ten seconds, so it runs in parallel with the tests.
const silentServer = createServer(() => {}).listen(0, '127.0.0.1')
await once(silentServer, 'listening')
after(() => {
  silentServer.closeAllConnections()
  silentServer.close()
})
const PARTNER_URL = `http://127.0.0.1:${(silentServer.address() as AddressInfo).port}`
const startedAt = performance.now()
const { partner, ...withoutPartner } = await withPartner(ctx, { partnerId: firstPartnerId })
const timedOutPost = postEvent({ ...withoutPartner, partner: { ...partner, url: PARTNER_URL } }, {
  eventId: randomUUID(),
  raw: Buffer.from('{}'),
} as OutboundEvent).then(
  () => null,
  (error: unknown) => ({ error, seconds: (performance.now() - startedAt) / 1000 }),
)

const requests: ListenerRequest[] = []
let status = (_: ListenerRequest): number => 202
let body: object | undefined
lender.answer = (request) => {
  if (request.path === '/events') requests.push(request)
  return { status: status(request), ...(body && { body }) }
}
const requestsAbout = (caseRef: string) => requests.filter(({ raw }) => raw.includes(caseRef))
const stateOf = async (eventId: string) =>
  (await ctx.db<{ state: string }>`select state from outbox where event_id = ${eventId}`)[0]!.state
const claim = exampleData('PAYMENT_CLAIM_SUBMITTED')

test('D3 §2.1, §5, §8: retries a failed delivery with the same bytes and key and a new signature', async () => {
  let attempts = 0
  status = () => (++attempts === 1 ? 503 : 202)
  const partnerCase = await caseAt(platform, 'DISBURSED')
  const at = ctx.clock()
  const eventId = await ctx.db.tx(async (tx) =>
    sendEvent({ ...ctx, tx, at }, await partnerCase.loanCase(), { type: 'PAYMENT_CLAIM_SUBMITTED', data: claim }),
  )
  await until('the delivery', async () => (await stateOf(eventId)) === 'DELIVERED')
  const [first, second] = requestsAbout(partnerCase.ids.caseRef)
  assert.ok(first && second)
  assert.ok(first.raw.equals(second.raw))
  assert.equal(first.headers['idempotency-key'], eventId)
  assert.equal(second.headers['idempotency-key'], eventId)
  assert.ok(Number(second.headers['x-sent-at']) >= Number(first.headers['x-sent-at']))
  const { sender, entity_type, entity_id, entity_version, correlation } = JSON.parse(second.raw.toString('utf8'))
  assert.equal(sender, 'LENDLOOM')
  assert.equal(entity_type, 'CASE')
  assert.equal(entity_id, partnerCase.ids.caseRef)
  assert.equal(entity_version, 1)
  assert.deepEqual(Object.values(correlation), [
    partnerCase.ids.caseRef,
    partnerCase.ids.leadId,
    partnerCase.ids.loanId,
  ])
})

test('D3 §2.2: retries after a success response without a receipt of this event', async () => {
  status = () => 200
  body = { event_id: randomUUID(), receipt_status: 'RECEIVED', received_at: new Date().toISOString() }
  const partnerCase = await caseAt(platform, 'DISBURSED')
  const eventId = await ctx.db.tx(async (tx) =>
    sendEvent({ ...ctx, tx, at: ctx.clock() }, await partnerCase.loanCase(), {
      type: 'PAYMENT_CLAIM_SUBMITTED',
      data: claim,
    }),
  )
  await until('a second attempt', () => requestsAbout(partnerCase.ids.caseRef).length > 1)
  assert.equal(await stateOf(eventId), 'PENDING')
  body = undefined
  await until('the delivery', async () => (await stateOf(eventId)) === 'DELIVERED')
})

test('D3 §6: the events of a case have increasing versions and are delivered in order', async () => {
  status = () => 202
  const partnerCase = await caseAt(platform, 'DISBURSED')
  for (let i = 0; i < 5; i++)
    await ctx.db.tx(async (tx) =>
      sendEvent({ ...ctx, tx, at: ctx.clock() }, await partnerCase.loanCase(), {
        type: 'PAYMENT_CLAIM_SUBMITTED',
        data: claim,
      }),
    )
  await until('five deliveries', () => requestsAbout(partnerCase.ids.caseRef).length >= 5)
  assert.deepEqual(
    requestsAbout(partnerCase.ids.caseRef).map(({ raw }) => JSON.parse(raw.toString('utf8')).entity_version),
    [1, 2, 3, 4, 5],
  )
})

test('D3 §7: an event that the partner rejects is not sent again', async () => {
  status = () => 422
  const partnerCase = await caseAt(platform, 'DISBURSED')
  const eventId = await ctx.db.tx(async (tx) =>
    sendEvent({ ...ctx, tx, at: ctx.clock() }, await partnerCase.loanCase(), {
      type: 'PAYMENT_CLAIM_SUBMITTED',
      data: claim,
    }),
  )
  await until('the end of the attempts', async () => (await stateOf(eventId)) === 'DEAD')
  assert.equal(requestsAbout(partnerCase.ids.caseRef).length, 1)
})

test('D3 §3: refuses a contrary decision after an acceptance, and an acceptance without an offer', async () => {
  status = () => 202
  const decide = async (stage: 'DECIDED' | 'OFFERED' | 'REGISTERED', decision: 'ACCEPT' | 'REJECT' | 'EXPIRE') => {
    const partnerCase = await caseAt(platform, stage)
    const loanCase = await ctx.db.tx(async (tx) =>
      decideCase({ ...ctx, tx, at: ctx.clock() }, await partnerCase.loanCase(), { decision, reason: null }),
    )
    const sent = await ctx.db`select 1 from outbox where case_ref = ${partnerCase.ids.caseRef}`
    return { stage: loanCase.stage, decision: loanCase.decision, sent: sent.length }
  }
  const isWrongState = (error: unknown) => error instanceof Refusal && error.kind === 'wrong-state'
  for (const decision of ['REJECT', 'EXPIRE'] as const) await assert.rejects(decide('DECIDED', decision), isWrongState)
  await assert.rejects(decide('REGISTERED', 'ACCEPT'), isWrongState)
  assert.deepEqual(
    await decide('DECIDED', 'ACCEPT'),
    { stage: 'DECIDED', decision: 'ACCEPT', sent: 0 },
    'a repeated acceptance is not sent',
  )
  assert.deepEqual(await decide('OFFERED', 'ACCEPT'), { stage: 'DECIDED', decision: 'ACCEPT', sent: 1 })
  assert.deepEqual(await decide('OFFERED', 'REJECT'), { stage: 'ENDED', decision: 'REJECT', sent: 1 })
  assert.deepEqual(await decide('OFFERED', 'EXPIRE'), { stage: 'ENDED', decision: 'EXPIRE', sent: 1 })
  assert.deepEqual(
    await decide('REGISTERED', 'REJECT'),
    { stage: 'ENDED', decision: null, sent: 0 },
    'without an offer only the case ends',
  )
})

test('D3 §5: refuses partner settings that are invalid or unsafe', () => {
  const read = (env: Record<string, string>) => configFrom(exchangeSettings, env)
  const valid = JSON.parse(lender.env.PARTNER_CREDENTIALS)
  const invalid = [
    'no json',
    '{}',
    JSON.stringify({ ...valid, bearer: 'short' }),
    JSON.stringify({ ...valid, webhook: { ...valid.webhook, bearer: valid.bearer } }),
    JSON.stringify({ ...valid, webhook: { ...valid.webhook, sender: valid.sender } }),
    JSON.stringify({ ...valid, webhook: { ...valid.webhook, keys: [] } }),
    JSON.stringify({ ...valid, webhook: { ...valid.webhook, keys: [valid.webhook.keys[0], valid.webhook.keys[0]] } }),
  ]
  for (const PARTNER_CREDENTIALS of invalid)
    assert.throws(
      () => read({ PARTNER_CREDENTIALS }),
      (error: Error) => !error.message.includes(valid.bearer),
    )
  const config = { ...read({}), SANDBOX: true }
  assert.equal(partnerConfigFault({ config }), null)
  const fullContact = JSON.stringify(sandboxContact)
  const faultOf = (PARTNER_URL: string, SANDBOX: boolean, PARTNER_CONTACT = fullContact) =>
    partnerConfigFault({ config: { ...read({ ...lender.env, PARTNER_URL, PARTNER_CONTACT }), SANDBOX } } as never)
  assert.match(faultOf('http://partner.example', false)!, /https/)
  assert.equal(faultOf('https://partner.example', false), null)
  assert.equal(faultOf('http://127.0.0.1:4100', true), null)
  const twoFaults = faultOf('http://partner.example', false, JSON.stringify({ ...sandboxContact, groEmail: ' ' }))!
  assert.match(twoFaults, /https.*; PARTNER_CONTACT needs groEmail outside/)
  assert.match(faultOf('https://partner.example', false, '{}')!, /groName, .*customerSupportEmail/)
  const withoutCredentials = { ...read({ PARTNER_URL: lender.env.PARTNER_URL }), SANDBOX: true }
  assert.equal(typeof partnerConfigFault({ config: withoutCredentials }), 'string')
})

test('D3 §8: a delivery without an answer fails after ten seconds', async () => {
  const { error, seconds } = (await timedOutPost)!
  assert.ok(error instanceof UnreachableError)
  assert.ok(seconds > 9.5 && seconds < 60, `${seconds} s`)
})
