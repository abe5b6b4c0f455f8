// Several lending partners at one platform: each is known by its own credential, and none sees or moves what is another's.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { exampleData } from '#contract/exchange/example/event.ts'
import { signedHeaders } from '#contract/exchange/signature.ts'
import { quietLog } from '#kit/runtime/log.ts'
import { startLenderExchange } from '#test/setup/lender-exchange.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { caseAt } from '#test/setup/platform-case.ts'
import { until } from '#test/setup/programs.ts'
import { eventDeliveryWorker, sendEvent } from './deliver.ts'
import { rotateCredential } from './partner/change.ts'
import { partnersFromSettings } from './partner/from-settings.ts'
import { firstPartnerId, outgoingAt, type Partner } from './partner/store.ts'
import { partnersOf } from './partners.ts'

const [first, second] = [await startLenderExchange(), await startLenderExchange('SECOND')]
let aheadMs = 0
const clock = () => new Date(Date.now() + aheadMs)
const platform = await testPlatform({ ...first.env, ...second.asSecondPartner }, clock)
const { ctx, url } = platform
const worker = eventDeliveryWorker(ctx)
after(() => worker.stop())

const named = async (sender: string): Promise<Partner> =>
  (await partnersOf(ctx).all(ctx.db)).find((partner) => partner.sender === sender)!
const { partnerId: secondId } = await named('SECOND')
const news = (lender: typeof first, ids: Parameters<typeof first.event>[1], version = 1) =>
  lender.event('LOAN_STATUS_UPDATED', ids, version, {
    loan_status: 'ACTIVE',
    snapshot_version: 1,
    updated_at: '2026-11-20T10:00:00.000Z',
    reason_code: 'PAYMENT_POSTED',
  })

test('D3 §4.2, §5: an event about the case of another partner is answered as if there were no such case, and kept nowhere', async () => {
  const of = await caseAt(platform, 'DISBURSED')
  const foreign = await second.post(url, news(second, of.ids))
  const unknown = await second.post(url, news(second, { ...of.ids, caseRef: randomUUID() }))
  assert.deepEqual([foreign.status, unknown.status], [404, 404])
  const answerOf = ({ body }: typeof foreign) => ({ ...body, request_id: null })
  assert.deepEqual(answerOf(foreign), answerOf(unknown), 'nobody learns whose it is')
  assert.equal((await ctx.db`select 1 from inbox where case_ref = ${of.ids.caseRef}`).length, 0)
  assert.equal((await first.post(url, news(first, of.ids))).status, 202)
  const own = await caseAt(platform, 'DISBURSED', {}, secondId)
  assert.equal((await second.post(url, news(second, own.ids))).status, 202)
  assert.equal((await first.post(url, news(first, own.ids))).status, 404)
})

test('D3 §2.2, §5: nobody speaks in the name of another partner, nor signs with its key', async () => {
  const of = await caseAt(platform, 'DISBURSED', {}, secondId)
  const credential = JSON.parse(first.env.PARTNER_CREDENTIALS).webhook
  const authorization = `Bearer ${credential.bearer}`
  const raw = Buffer.from(JSON.stringify(news(second, of.ids)))
  assert.equal((await second.post(url, raw, { authorization })).status, 401, 'the key is of another partner')
  const signed = signedHeaders({ ...credential.keys[0], at: clock(), raw })
  const inItsName = await second.post(url, raw, { authorization, ...signed })
  assert.ok([403, 422].includes(inItsName.status), `${inItsName.status}`)
  assert.equal((await ctx.db`select 1 from inbox where case_ref = ${of.ids.caseRef}`).length, 0)
})

test('D3 §6: an event goes to the partner of its case, under the credential for it', async () => {
  for (const [lender, partnerId] of [[first, firstPartnerId] as const, [second, secondId] as const]) {
    lender.answer = ({ path }) => ({ status: path === '/events' ? 202 : 503 })
    const of = await caseAt(platform, 'DISBURSED', {}, partnerId)
    const data = exampleData('PAYMENT_CLAIM_SUBMITTED')
    const eventId = await ctx.db.tx(async (tx) =>
      sendEvent({ ...ctx, tx, at: clock() }, await of.application(), { type: 'PAYMENT_CLAIM_SUBMITTED', data }),
    )
    await until('it is delivered', () => lender.events.some(({ event_id }) => event_id === eventId))
    const other = lender === first ? second : first
    assert.ok(!other.events.some(({ event_id }) => event_id === eventId))
  }
})

test('D3 §7: a partner that does not answer delays no event for another', async () => {
  const release = Promise.withResolvers<void>()
  let held = 0
  first.beforeAnswer = async ({ path }) => {
    if (path !== '/events') return
    held++
    await release.promise
  }
  const of = await caseAt(platform, 'DISBURSED')
  const data = exampleData('PAYMENT_CLAIM_SUBMITTED')
  const send = (application: Awaited<ReturnType<typeof of.application>>) =>
    ctx.db.tx((tx) => sendEvent({ ...ctx, tx, at: clock() }, application, { type: 'PAYMENT_CLAIM_SUBMITTED', data }))
  const waiting = await Promise.all(Array.from({ length: 40 }, () => caseAt(platform, 'DISBURSED')))
  for (const each of waiting) await send(await each.application())
  await until('as many as one partner may have', () => held >= 32)
  const other = await caseAt(platform, 'DISBURSED', {}, secondId)
  const eventId = await send(await other.application())
  await until('it is delivered', () => second.events.some(({ event_id }) => event_id === eventId))
  assert.equal(held, 32, 'the others are held back meanwhile')
  release.resolve()
})

test('D3 §5: while a credential is replaced both are good, and then the new one alone', async () => {
  const of = await caseAt(platform, 'DISBURSED', {}, secondId)
  const rotate = (direction: 'incoming' | 'outgoing') =>
    ctx.db.tx((tx) =>
      rotateCredential({ ...ctx, tx, at: clock() }, null, secondId, { direction, overlapHours: 2, withBearer: true }),
    )
  // Of two keys that are good from before, an overlap would make three.
  await ctx.db.tx((tx) =>
    rotateCredential({ ...ctx, tx, at: clock() }, null, secondId, {
      ...{ direction: 'incoming', overlapHours: 0, withBearer: false },
      given: JSON.parse(second.asSecondPartner.SANDBOX_PARTNERS)[0].credentials.webhook.keys[0],
    }),
  )
  const { incoming } = await rotate('incoming')
  const { outgoing } = await rotate('outgoing')
  partnersOf(ctx).forget()
  let version = 0
  const post = async (withNew: boolean) => {
    const raw = Buffer.from(JSON.stringify(news(second, of.ids, ++version)))
    const old = JSON.parse(second.asSecondPartner.SANDBOX_PARTNERS)[0].credentials.webhook
    const { keyId, secret, bearer } = withNew ? incoming! : { ...old.keys[0], bearer: old.bearer }
    const signed = signedHeaders({ keyId, secret, at: clock(), raw })
    const id = JSON.parse(raw.toString()).event_id
    const headers = { ...signed, authorization: `Bearer ${bearer}`, 'idempotency-key': id }
    return (await second.post(url, raw, headers)).status
  }
  assert.deepEqual([await post(false), await post(true)], [202, 202])
  const before = outgoingAt(await named('SECOND'), clock())
  assert.notEqual(before.keyId, outgoing!.keyId)
  aheadMs = 3 * 3_600_000
  assert.deepEqual([await post(false), await post(true)], [401, 202])
  assert.equal(outgoingAt(await named('SECOND'), clock()).keyId, outgoing!.keyId)
  aheadMs = 0
})

test('settings make the row of a partner once; outside the sandbox a start changes nothing of it any more', async () => {
  const elsewhere = 'http://127.0.0.1:8'
  const lines: unknown[] = []
  const log = Object.assign(Object.create(quietLog), { info: (facts: unknown) => lines.push(facts) })
  const start = async (SANDBOX: boolean) => {
    const config = { ...ctx.config, PARTNER_URL: elsewhere, PARTNER_MOST_RUPEES: 123_000, SANDBOX }
    await partnersFromSettings({ ...ctx, config, log }, clock())
    const { url, rules } = await named('CELESTIUM')
    return [url, rules.mostRupees]
  }
  assert.deepEqual(await start(false), [first.env.PARTNER_URL, 200_000])
  assert.deepEqual(lines, [{ sender: 'CELESTIUM' }], 'the log says so')
  assert.deepEqual(await start(true), [elsewhere, 200_000], 'in the sandbox the launcher says where it is')
  assert.equal((await partnersOf(ctx).all(ctx.db)).length, 2)
})
