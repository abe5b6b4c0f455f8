// Every message of the journal reaches the network's collector with its answer, once it is settled, without personal data.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { fakeNetwork, type NetworkCall } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import {
  archiveIncoming,
  archiveOutgoing,
  markSending,
  recordOutcome,
  type SyncAnswer,
} from '#platform/lenders/network/messages/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { eraseJourneyRows } from '#platform/records/privacy/erase/store.ts'
import { settingsFaults } from '#platform/settings-faults.ts'
import { addUnreported, reportFault, reportWork } from './report-messages.ts'
import { countReports, listRefusals } from './store.ts'

const section = 'FIS12 §23'
const network = await fakeNetwork()
const env = { NETWORK_OBSERVABILITY_URL: `${network.url}/collect`, NETWORK_OBSERVABILITY_TOKEN: 'token-of-the-portal' }
const platform = await testSubscriber(network.url, { env })
const { ctx } = platform
const accepted = () => ({ status: 200, body: { message: 'Successful' } })
network.on('/collect', accepted)

const acked: SyncAnswer = { status: 200, body: '{"message":{"ack":{"status":"ACK"}}}' }

interface Sent {
  step?: string
  outcome: string
  answer: SyncAnswer | null
  tries?: boolean
  ttlSeconds?: number
}

async function addSent(journey: Journey, sent: Sent, { db, seal, clock } = ctx): Promise<string> {
  const { step = 'select_1', outcome, answer, tries = true, ttlSeconds = 30 } = sent
  const { action, context, message } = stepNamed(step)
  const at = clock()
  const messageId = uuidv4()
  const key = keyIn(journey, at)
  const body = Buffer.from(JSON.stringify({ context: { ...context, message_id: messageId }, message }))
  const row = { ...key, conversationId: null, party: 'sahyadri.example', action, messageId, body, at }
  await db.tx((tx) => archiveOutgoing(tx, seal, { ...row, url: network.url, expiresAt: secondsAfter(at, ttlSeconds) }))
  if (tries) await markSending(db, seal, key, { headers: {}, at })
  await recordOutcome(db, seal, key, { outcome, answer })
  return messageId
}

const keyIn = ({ tenantId, journeyId }: Journey, at: Date) => ({
  tenantId,
  journeyId,
  messageKey: uuidv7(at.getTime(), bucketOf(journeyId)),
})

async function addReceived(
  journey: Journey,
  step: string,
  outcome: string,
  action?: string,
  { db, seal, clock } = ctx,
): Promise<string> {
  const { action: own, context, message } = stepNamed(step)
  const at = clock()
  const messageId = uuidv4()
  const body = Buffer.from(JSON.stringify({ context: { ...context, message_id: messageId }, message }))
  const row = { ...keyIn(journey, at), conversationId: null, party: 'sahyadri.example', messageId, body, at }
  await db.tx((tx) => archiveIncoming(tx, seal, { ...row, action: action ?? own, headers: {}, outcome }))
  return messageId
}

const reportsOf = (messageId: string): NetworkCall[] =>
  network.calls.filter(({ path, body }) => path === '/collect' && body.data.context.message_id === messageId)
const typesOf = (messageId: string): string[] => reportsOf(messageId).map(({ body }) => body.type)
const sweep = () => addUnreported(ctx, secondsAfter(ctx.clock(), -900))
const stateOf = async ({ journeyId }: Journey) =>
  (await ctx.db<{ state: string; note: string | null; attempt: number }>`
    select state, note, attempt from network_report where journey_id = ${journeyId} order by message_key`)!

test(`${section}: a request, a callback and a NACK are reported with their answers, in this order, anonymised`, async () => {
  const journey = await platform.newJourney()
  const sent = await addSent(journey, { outcome: 'ACK', answer: acked })
  const refusal = {
    message: { ack: { status: 'NACK' } },
    error: { type: 'DOMAIN-ERROR', code: '40000', message: 'Anil' },
  }
  const nacked = await addSent(journey, {
    step: 'select_2',
    outcome: 'NACK 40000',
    answer: { status: 200, body: JSON.stringify(refusal) },
  })
  const received = await addReceived(journey, 'on_confirm', 'ACK')
  const late = await addReceived(journey, 'on_select_1', 'LATE')
  const refused = await addReceived(journey, 'on_status_kyc', 'NACK 20006', 'on_status')
  await sweep()
  await waitFor(() => [sent, nacked, received, late, refused].every((id) => typesOf(id).length === 2))
  assert.deepEqual(typesOf(sent), ['select', 'select_response'])
  const [request, answer] = reportsOf(sent)
  assert.equal(request!.headers.authorization, 'Bearer token-of-the-portal')
  assert.deepEqual(answer!.body.data, { context: request!.body.data.context, message: { ack: { status: 'ACK' } } })
  assert.deepEqual(Object.keys(request!.body.data), ['context', 'message'])
  assert.deepEqual(reportsOf(nacked)[1]!.body.data.error, { code: '40000', type: 'DOMAIN-ERROR' })
  assert.deepEqual(typesOf(received), ['on_confirm', 'on_confirm_response'])
  const { order } = reportsOf(received)[0]!.body.data.message
  assert.deepEqual(order.fulfillments[0].customer, {
    person: { name: '***' },
    contact: { phone: '***', email: '***' },
  })
  assert.equal(reportsOf(late)[1]!.body.data.message.ack.status, 'ACK')
  assert.deepEqual(reportsOf(refused)[1]!.body.data.error, { code: '20006' })
  assert.doesNotMatch(JSON.stringify(network.calls.filter(({ path }) => path === '/collect')), /Anil|Kamble|98000000/)
  await waitFor(async () => (await stateOf(journey)).every(({ state }) => state === 'REPORTED'))
})

test(`${section}: a message that no receiver acknowledged is a TECH-ERROR once its ttl has ended, and has no response`, async () => {
  const journey = await platform.newJourney()
  const silent = await addSent(journey, { outcome: 'UNREACHED', answer: null })
  const down = await addSent(journey, { outcome: 'UNREACHED', answer: { status: 503, body: 'down' } })
  const missing = await addSent(journey, { outcome: 'NACK 30000', answer: { status: 404, body: 'not here' } })
  const withdrawn = await addSent(journey, { outcome: 'WITHDRAWN', answer: null, tries: false })
  await sweep()
  await waitFor(() => typesOf(missing).length === 1)
  assert.deepEqual(typesOf(silent), [])
  assert.deepEqual(typesOf(down), [])
  platform.advanceClock(91)
  await sweep()
  await waitFor(() => typesOf(silent).length === 1 && typesOf(down).length === 1)
  const errors = [silent, down, missing].map((id) => reportsOf(id).map(({ body }) => body.data.error))
  assert.deepEqual(
    errors.map(([error]) => ({ type: error.type, code: error.code })),
    [
      { type: 'TECH-ERROR', code: '0' },
      { type: 'TECH-ERROR', code: '503' },
      { type: 'TECH-ERROR', code: '404' },
    ],
  )
  await waitFor(async () => (await stateOf(journey)).every(({ state }) => state === 'REPORTED'))
  assert.deepEqual(typesOf(silent), ['select'])
  assert.deepEqual(typesOf(withdrawn), [])
})

test(`${section}: a refused message shows the collector's code and path and is not repeated; warnings accept it`, async () => {
  const journey = await platform.newJourney()
  const message = { message: 'must be one of', path: '$.type\u0000' }
  network.on('/collect', ({ body }) =>
    body.type === 'select_response'
      ? { status: 400, body: { errors: [{ error_code: 4003, error_description: 'INVALID_ENUM_VALUE', ...message }] } }
      : { status: 200, body: { warnings: [{ code: 2001, type: 'EXTRA_FIELD', message: 'x', path: '$.data.x' }] } },
  )
  const sent = await addSent(journey, { outcome: 'ACK', answer: acked })
  const received = await addReceived(journey, 'on_select_1', 'ACK')
  await sweep()
  await waitFor(async () => (await stateOf(journey)).every(({ state }) => state !== 'WAITING'))
  network.on('/collect', accepted)
  const states = (await stateOf(journey)).map(({ state, note }) => ({ state, note }))
  assert.deepEqual(
    states.toSorted((left, right) => left.state.localeCompare(right.state)),
    [
      { state: 'REFUSED', note: 'select_response: 4003 $.type' },
      { state: 'REPORTED', note: 'on_select_response: 2001 $.data.x' },
    ],
  )
  platform.advanceClock(1000)
  await sweep()
  assert.equal(typesOf(sent).length, 2)
  assert.equal(typesOf(received).length, 2)
  const period = { from: daysAfter(ctx.clock(), -1), until: daysAfter(ctx.clock(), 1) }
  assert.deepEqual(await listRefusals(ctx.db, period), [
    { action: 'select', note: 'select_response: 4003 $.type', count: 1 },
  ])
})

test(`${section}: a failing collector is asked again with growing pauses, and only for what it has not accepted`, async () => {
  const journey = await platform.newJourney()
  network.on('/collect', ({ body }) => (body.type.endsWith('_response') ? { status: 503, body: 'down' } : accepted()))
  const sent = await addSent(journey, { outcome: 'ACK', answer: acked })
  await sweep()
  const failures = async (count: number) =>
    waitFor(async () => (await stateOf(journey))[0]?.attempt === count && (await stateOf(journey))[0]?.note !== null)
  await failures(1)
  platform.advanceClock(6)
  await failures(2)
  platform.advanceClock(6)
  assert.equal((await stateOf(journey))[0]!.attempt, 2)
  network.on('/collect', accepted)
  platform.advanceClock(5)
  await waitFor(async () => (await stateOf(journey))[0]?.state === 'REPORTED')
  assert.deepEqual(typesOf(sent), ['select', 'select_response', 'select_response', 'select_response'])
})

test(`${section}: after seven days of failures a message is given up, with the reason`, async () => {
  const journey = await platform.newJourney()
  network.on('/collect', () => ({ status: 500, body: '' }))
  await addSent(journey, { outcome: 'ACK', answer: acked })
  await sweep()
  await waitFor(async () => (await stateOf(journey))[0]?.attempt === 1)
  platform.advanceClock(8 * 86_400)
  await waitFor(async () => {
    const [{ attempt, state }] = (await stateOf(journey)) as [Awaited<ReturnType<typeof stateOf>>[number]]
    assert.ok(state !== 'REFUSED' || attempt >= 8, 'a few failures after a long wait are not final')
    platform.advanceClock(900)
    return state === 'REFUSED'
  })
  assert.equal((await stateOf(journey))[0]!.note, 'select: answered 500')
  network.on('/collect', accepted)
})

test(`${section}: while the collector refuses the token all reports wait, and readiness says why`, async () => {
  const journey = await platform.newJourney()
  let calls = 0
  network.on('/collect', () => ({ status: ++calls > 0 ? 401 : 500, body: { message: 'token expired' } }))
  for (let i = 0; i < 40; i++) await addSent(journey, { outcome: 'ACK', answer: acked })
  await sweep()
  await waitFor(() => reportFault(ctx) !== null)
  assert.match(reportFault(ctx)!, /refuses NETWORK_OBSERVABILITY_TOKEN/)
  await waitFor(async () => (await stateOf(journey)).some(({ note }) => note === 'select: answered 401'))
  assert.ok(calls <= 16, `${calls} calls with a refused token`)
  network.on('/collect', accepted)
  platform.advanceClock(61)
  await waitFor(async () => (await stateOf(journey)).every(({ state }) => state === 'REPORTED'))
  assert.equal(reportFault(ctx), null)
})

test(`${section}: the difference to the journal is counted, and an erased journey leaves no report`, async () => {
  const journey = await platform.newJourney()
  const other = await platform.newJourney()
  platform.advanceClock(2 * 86_400)
  const from = ctx.clock()
  network.on('/collect', ({ body }) => ({ status: body.type === 'on_select' ? 500 : 200, body: '' }))
  await addSent(journey, { outcome: 'ACK', answer: acked })
  await addReceived(journey, 'on_select_1', 'ACK')
  await addSent(other, { outcome: 'ACK', answer: acked })
  await addSent(other, { outcome: 'WITHDRAWN', answer: null, tries: false })
  const count = () => countReports(ctx.db, { from, until: daysAfter(from, 1) }, ctx.clock())
  // The moved clock may have started the sweep.
  const { journal: messages, reported, waiting } = await count()
  assert.equal(messages, 3)
  assert.equal(reported + waiting, 3)
  await sweep()
  await waitFor(async () => (await count()).reported === 2)
  assert.deepEqual(await count(), { journal: 3, reported: 2, refused: 0, waiting: 1 })
  const erased = { profileSealed: Buffer.alloc(1), networkTransactionId: uuidv4(), erasedAt: ctx.clock() }
  await ctx.db.tx((tx) => eraseJourneyRows(tx, journey, erased))
  assert.deepEqual(await stateOf(journey), [])
  await sweep()
  assert.deepEqual(await count(), { journal: 1, reported: 1, refused: 0, waiting: 0 })
  network.on('/collect', accepted)
})

test(`${section}: without a collector no report is made; one without a token, or without https in production, is refused`, () => {
  assert.deepEqual(reportWork({ ...ctx, config: { ...ctx.config, NETWORK_OBSERVABILITY_URL: '' } }), [])
  const faults = (fields: object) =>
    settingsFaults({ SANDBOX: true, NETWORK_OBSERVABILITY_TOKEN: '', ...fields }).filter((fault) =>
      fault.includes('OBSERVABILITY'),
    )
  assert.deepEqual(faults({ NETWORK_OBSERVABILITY_URL: '' }), [])
  assert.deepEqual(faults({ NETWORK_OBSERVABILITY_URL: 'https://collector.example/push' }), [
    'NETWORK_OBSERVABILITY_TOKEN must be set with NETWORK_OBSERVABILITY_URL',
  ])
  const plain = { NETWORK_OBSERVABILITY_URL: 'http://collector.example/push', NETWORK_OBSERVABILITY_TOKEN: 'x' }
  assert.deepEqual(faults(plain), [])
  assert.deepEqual(faults({ ...plain, SANDBOX: false }), [
    'NETWORK_OBSERVABILITY_URL must be https outside the sandbox',
  ])
})

/** A reporter whose clock is ahead, so that the leases of killed reporters have expired. */
const reporter = `
import { sealWith } from '@lendloom/seal/seal'
import { connect } from '@lendloom/postgres/sql'
import { quietLog as log } from '@lendloom/foundation/log'
import { reportWork } from './apps/platform/src/lenders/network/report/report-messages.ts'
const { DATABASE_URL, KEYS, CLOCK_AHEAD_MS, ...config } = process.env
const clock = () => new Date(Date.now() + Number(CLOCK_AHEAD_MS))
reportWork({ db: connect(DATABASE_URL), seal: sealWith(KEYS), clock, log, config: { ...config, SANDBOX: true } })
`

test(`${section}: a reporter that is killed again and again between a report and its record loses no message`, async () => {
  const subscriber = await testSubscriber(network.url, { workers: false })
  const { config, db } = subscriber.ctx
  const journeys = await Promise.all(Array.from({ length: 10 }, () => subscriber.newJourney()))
  const ids: string[] = []
  for (const journey of journeys)
    for (let i = 0; i < 15; i++) {
      ids.push(await addSent(journey, { outcome: 'ACK', answer: acked }, subscriber.ctx))
      ids.push(await addReceived(journey, 'on_select_1', 'ACK', undefined, subscriber.ctx))
    }
  const received = new Set<string>()
  let posts = 0
  let kills = 0
  let ahead = 0
  const isDone = async () => (await db`select 1 from network_report where state = 'REPORTED'`).length === ids.length
  while (!(await isDone())) {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', reporter], {
      env: {
        ...process.env,
        DATABASE_URL: config.DATABASE_URL,
        KEYS: config.LENDLOOM_KEYS,
        ...env,
        CLOCK_AHEAD_MS: String(ahead),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const ended = once(child, 'exit')
    const killAt = kills < 6 ? posts + 20 + kills * 13 : Number.POSITIVE_INFINITY
    network.on('/collect', ({ body }) => {
      received.add(`${body.type} ${body.data.context.message_id}`)
      if (++posts >= killAt) child.kill('SIGKILL')
      return accepted()
    })
    await Promise.race([ended, waitFor(isDone)])
    child.kill('SIGKILL')
    await ended
    kills++
    ahead += 61_000
  }
  assert.ok(kills >= 6, `${kills} kills`)
  assert.ok(posts > 2 * ids.length, 'some records were reported twice')
  const expected = ids.flatMap((id, i) =>
    ['', '_response'].map((suffix) => `${i % 2 === 0 ? 'select' : 'on_select'}${suffix} ${id}`),
  )
  assert.deepEqual([...received].sort(), expected.sort())
})
