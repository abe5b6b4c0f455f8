// Several lending partners at one platform: authentication, isolation and credential rotation.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { quietLog } from '@lendloom/foundation/log'
import { startLenderExchange } from '@lendloom/tests/setup/lender-exchange'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { caseAt } from '@lendloom/tests/setup/platform-case'
import { until } from '@lendloom/tests/setup/programs'
import { exampleData } from '@lendloom/wire/exchange/example/event'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import { partnerProviderFaults } from '#platform/providers/partner-providers.ts'
import { eventDeliveryWorker, sendEvent } from './deliver-events.ts'
import { addPartner, changePartner, rotateCredential } from './directory/change-partner.ts'
import { firstPartnerId, outgoingAt, type Partner } from './directory/lending-partner.ts'
import { partnersFromSettings } from './directory/partners-from-settings.ts'
import { sandboxContact } from './partner-contact.ts'
import { partnersOf } from './partner-look-ups.ts'

let clockOffsetMs = 0
const clock = () => new Date(Date.now() + clockOffsetMs)
const first = await startLenderExchange('CELESTIUM', clock)
const second = await startLenderExchange('SECOND', clock)
const platform = await testPlatform({ ...first.env, ...second.asSecondPartner }, clock)
const { ctx, url } = platform
const worker = eventDeliveryWorker(ctx)
after(() => worker.stop())

const partnerWith = async (sender: string): Promise<Partner> =>
  (await partnersOf(ctx).all(ctx.db)).find((partner) => partner.sender === sender)!
const { partnerId: secondId } = await partnerWith('SECOND')
const loanStatusEvent = (lender: typeof first, ids: Parameters<typeof first.event>[1], version = 1) =>
  lender.event('LOAN_STATUS_UPDATED', ids, version, {
    loan_status: 'ACTIVE',
    snapshot_version: 1,
    updated_at: '2026-11-20T10:00:00.000Z',
    reason_code: 'PAYMENT_POSTED',
  })

test('D3 §4.2, §5: an event about another partner’s case is refused like an event about an unknown case', async () => {
  const partnerCase = await caseAt(platform, 'DISBURSED')
  const answerAboutForeignCase = await second.post(url, loanStatusEvent(second, partnerCase.ids))
  const answerAboutUnknownCase = await second.post(
    url,
    loanStatusEvent(second, { ...partnerCase.ids, caseRef: randomUUID() }),
  )
  assert.equal(answerAboutForeignCase.status, 404)
  assert.equal(answerAboutUnknownCase.status, 404)
  const answerOf = ({ body }: typeof answerAboutForeignCase) => ({ ...body, request_id: null })
  assert.deepEqual(
    answerOf(answerAboutForeignCase),
    answerOf(answerAboutUnknownCase),
    'the answer does not reveal that the case exists',
  )
  assert.equal((await ctx.db`select 1 from inbox where case_ref = ${partnerCase.ids.caseRef}`).length, 0)
  assert.equal((await first.post(url, loanStatusEvent(first, partnerCase.ids))).status, 202)
  const ownCase = await caseAt(platform, 'DISBURSED', {}, secondId)
  assert.equal((await second.post(url, loanStatusEvent(second, ownCase.ids))).status, 202)
  assert.equal((await first.post(url, loanStatusEvent(first, ownCase.ids))).status, 404)
})

test('D3 §2.2, §5: an event in the name or with the key of another partner is refused', async () => {
  const partnerCase = await caseAt(platform, 'DISBURSED', {}, secondId)
  const credential = JSON.parse(first.env.PARTNER_CREDENTIALS).webhook
  const authorization = `Bearer ${credential.bearer}`
  const raw = Buffer.from(JSON.stringify(loanStatusEvent(second, partnerCase.ids)))
  assert.equal(
    (await second.post(url, raw, { authorization })).status,
    401,
    'the signature key belongs to another partner',
  )
  const signed = signedHeaders({ ...credential.keys[0], at: clock(), raw })
  const impersonated = await second.post(url, raw, { authorization, ...signed })
  assert.ok([403, 422].includes(impersonated.status), `${impersonated.status}`)
  assert.equal((await ctx.db`select 1 from inbox where case_ref = ${partnerCase.ids.caseRef}`).length, 0)
})

test('D3 §6: an event is delivered to its case’s partner with that partner’s credential', async () => {
  for (const [lender, partnerId] of [[first, firstPartnerId] as const, [second, secondId] as const]) {
    lender.answer = ({ path }) => ({ status: path === '/events' ? 202 : 503 })
    const partnerCase = await caseAt(platform, 'DISBURSED', {}, partnerId)
    const data = exampleData('PAYMENT_CLAIM_SUBMITTED')
    const eventId = await ctx.db.tx(async (tx) =>
      sendEvent({ ...ctx, tx, at: clock() }, await partnerCase.loanCase(), {
        type: 'PAYMENT_CLAIM_SUBMITTED',
        data,
      }),
    )
    await until('the delivery', () => lender.events.some(({ event_id }) => event_id === eventId))
    const otherLender = lender === first ? second : first
    assert.ok(!otherLender.events.some(({ event_id }) => event_id === eventId))
  }
})

test('D3 §7: an unresponsive partner does not delay events for other partners', async () => {
  const release = Promise.withResolvers<void>()
  let openRequests = 0
  first.beforeAnswer = async ({ path }) => {
    if (path !== '/events') return
    openRequests++
    await release.promise
  }
  const partnerCase = await caseAt(platform, 'DISBURSED')
  const data = exampleData('PAYMENT_CLAIM_SUBMITTED')
  const send = (loanCase: Awaited<ReturnType<typeof partnerCase.loanCase>>) =>
    ctx.db.tx((tx) => sendEvent({ ...ctx, tx, at: clock() }, loanCase, { type: 'PAYMENT_CLAIM_SUBMITTED', data }))
  const cases = await Promise.all(Array.from({ length: 40 }, () => caseAt(platform, 'DISBURSED')))
  for (const each of cases) await send(await each.loanCase())
  await until('the limit per partner', () => openRequests >= 32)
  const otherCase = await caseAt(platform, 'DISBURSED', {}, secondId)
  const eventId = await send(await otherCase.loanCase())
  await until('the delivery', () => second.events.some(({ event_id }) => event_id === eventId))
  assert.equal(openRequests, 32, 'further deliveries to this partner wait')
  release.resolve()
  // A delivery of this test that arrived after a later test moved the clock would be refused.
  await until('every delivery', async () => (await ctx.db`select 1 from outbox where state = 'PENDING'`).length === 0)
})

test('D3 §5: both credentials are valid during a rotation, afterwards only the new credential', async () => {
  const partnerCase = await caseAt(platform, 'DISBURSED', {}, secondId)
  const rotate = (direction: 'incoming' | 'outgoing') =>
    ctx.db.tx((tx) =>
      rotateCredential({ ...ctx, tx, at: clock() }, null, secondId, { direction, overlapHours: 2, withBearer: true }),
    )
  // The settings give two keys. Replace both by one, because a rotation may not add a third valid key.
  await ctx.db.tx((tx) =>
    rotateCredential({ ...ctx, tx, at: clock() }, null, secondId, {
      direction: 'incoming',
      overlapHours: 0,
      withBearer: false,
      given: JSON.parse(second.asSecondPartner.SANDBOX_PARTNERS)[0].credentials.webhook.keys[0],
    }),
  )
  const { incoming } = await rotate('incoming')
  const { outgoing } = await rotate('outgoing')
  partnersOf(ctx).forget()
  let version = 0
  const post = async (usesNew: boolean) => {
    const raw = Buffer.from(JSON.stringify(loanStatusEvent(second, partnerCase.ids, ++version)))
    const old = JSON.parse(second.asSecondPartner.SANDBOX_PARTNERS)[0].credentials.webhook
    const { keyId, secret, bearer } = usesNew ? incoming! : { ...old.keys[0], bearer: old.bearer }
    const signed = signedHeaders({ keyId, secret, at: clock(), raw })
    const id = JSON.parse(raw.toString()).event_id
    const headers = { ...signed, authorization: `Bearer ${bearer}`, 'idempotency-key': id }
    return (await second.post(url, raw, headers)).status
  }
  assert.equal(await post(false), 202)
  assert.equal(await post(true), 202)
  const before = outgoingAt(await partnerWith('SECOND'), clock())
  assert.notEqual(before.keyId, outgoing!.keyId)
  clockOffsetMs = 3 * 3_600_000
  assert.equal(await post(false), 401)
  assert.equal(await post(true), 202)
  assert.equal(outgoingAt(await partnerWith('SECOND'), clock()).keyId, outgoing!.keyId)
  clockOffsetMs = 0
})

/** Valid settings of the providers that the sandbox's settings lack. */
const ownProviders = Object.fromEntries(
  partnerProviderFaults({ ...ctx.config, SANDBOX: false }).map((fault) => {
    const [name = ''] = fault.split(' ')
    return [name, name.endsWith('_URL') ? 'https://provider.example' : 'own-value']
  }),
)

test('outside the sandbox, the settings create a partner but do not change an existing partner', async () => {
  const otherUrl = 'http://127.0.0.1:8'
  const lines: unknown[] = []
  const log = Object.assign(Object.create(quietLog), { info: (facts: unknown) => lines.push(facts) })
  const start = async (SANDBOX: boolean) => {
    const config = { ...ctx.config, ...ownProviders, PARTNER_URL: otherUrl, PARTNER_MOST_RUPEES: 123_000, SANDBOX }
    await partnersFromSettings({ ...ctx, config, log }, clock())
    const { url, rules } = await partnerWith('CELESTIUM')
    return { url, mostRupees: rules.mostRupees }
  }
  assert.deepEqual(await start(false), { url: first.env.PARTNER_URL, mostRupees: 200_000 })
  assert.deepEqual(lines, [{ sender: 'CELESTIUM' }], 'the log records the ignored settings')
  assert.deepEqual(
    await start(true),
    { url: otherUrl, mostRupees: 200_000 },
    'in the sandbox the start updates the address',
  )
  assert.equal((await partnersOf(ctx).all(ctx.db)).length, 2)
})

test('docs/how-to/run-in-production.md: outside the sandbox, partners need the settings of their providers', async () => {
  const config = { ...ctx.config, SANDBOX: false }
  const added = ctx.db.tx((tx) =>
    addPartner({ ...ctx, config, tx, at: clock() }, null, {
      sender: 'THIRD',
      name: 'Third',
      url: 'https://third.example',
      contact: sandboxContact,
    }),
  )
  await assert.rejects(added, (error: Error) => /KYC_CREDENTIAL still.*BUREAU_URL must be https/.test(error.message))
  await assert.rejects(
    partnersFromSettings({ ...ctx, config }, clock()),
    /required by the lending partners in the .*\n.*KYC_PROVIDER/,
  )
})

test('docs/how-to/upgrade.md: a partner stored without an account for repayments can be changed, and cannot lose one', async () => {
  const { partnerId, contact } = await partnerWith('SECOND')
  const change = (body: Parameters<typeof changePartner>[3]) =>
    ctx.db.tx((tx) =>
      changePartner({ ...ctx, config: { ...ctx.config, SANDBOX: false }, tx, at: clock() }, null, partnerId, body),
    )
  const url = 'https://second.example'
  await ctx.db`update lending_partner set contact = contact - 'repaymentAccount' where partner_id = ${partnerId}`
  assert.equal((await change({ url, rules: { mostRupees: 60_000 } })).rules.mostRupees, 60_000)
  await change({ contact: { ...contact, ...sandboxContact } })
  await assert.rejects(change({ contact: { repaymentAccount: ' ' } }), /contact\.repaymentAccount is required/)
})
