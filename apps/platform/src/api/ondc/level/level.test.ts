// Service levels of callbacks: counted by each process, added over processes, and shown to platform staff only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { consoleUser } from '@lendloom/tests/setup/console'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { answerCounterOf } from './count-answers.ts'
import { addAnswers, deleteAnswers, listAnswers } from './store.ts'

const network = await fakeNetwork()
const platform = await testPlatform({ NETWORK_REGISTRY_URL: `${network.url}/registry` })
const { ctx, tenant } = platform
const viewer = await consoleUser(platform, { role: 'viewer' })
const tenantAdmin = await consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId })
const readLevel = async () => (await viewer.ask('GET', '/network/level')).body

const during = () => ({ from: new Date(0), until: secondsAfter(ctx.clock(), 60) })

test('FIS12 §3.1: a malformed callback is counted, over real HTTP; an unsigned one and other requests are not', async () => {
  const send = (path: string, body: string, method = 'POST') =>
    fetch(`${platform.url}${path}`, { method, ...(method === 'POST' && { body }) })
  for (const path of ['/ondc/on_search', '/ondc/on_issue', '/ondc/on_nothing', '/api/x', '/ondc/on_subscribe'])
    assert.ok((await send(path, '{}')).status >= 400)
  await send('/ondc/on_search', '', 'GET')
  const unsigned = await send('/ondc/on_search', 'x'.repeat((1 << 20) + 1))
  assert.equal(unsigned.status, 401)
  await answerCounterOf(ctx).end()
  assert.deepEqual(await listAnswers(ctx.db, during()), [], 'anyone may send those')
  const tooLarge = await network.postSigned(platform.url, 'x'.repeat((1 << 20) + 1))
  assert.equal(tooLarge.status, 413)
  await answerCounterOf(ctx).end()
  const { days, actions } = await readLevel()
  assert.equal(days.length, 1)
  const [{ action, callbacks, refused, failed }] = actions
  assert.equal(actions.length, 1)
  assert.equal(action, 'on_search')
  assert.equal(callbacks, 1)
  assert.equal(refused, 1)
  assert.equal(failed, 0)
})

test('FIS12 §3.1: counts of several processes add up by day in India, and percentiles are upper bounds', async () => {
  await deleteAnswers(ctx.db, secondsAfter(ctx.clock(), 86_400))
  const today = businessDate(ctx.clock())
  const yesterday = secondsAfter(startOf(today), -1800)
  const row = { beginsAt: startOf(today), action: 'on_select', outcome: 'ACK' as const, withinMs: 25, count: 94 }
  const slow = { ...row, withinMs: 2500, outcome: 'FAILED' as const, count: 1 }
  await Promise.all([
    addAnswers(ctx.db, [row, { ...row, withinMs: 100, count: 4 }, slow]),
    addAnswers(ctx.db, [slow, { ...row, beginsAt: yesterday, outcome: 'NACK' }, row]),
  ])
  await addAnswers(ctx.db, [{ ...row, beginsAt: startOf(plusDays(today, -7)) }])
  const { days, actions } = await readLevel()
  const ofToday = { callbacks: 194, refused: 0, failed: 2, withinSecond: 192, medianMs: 25, p95Ms: 25, p99Ms: 2500 }
  const ofYesterday = { ...ofToday, callbacks: 94, refused: 94, failed: 0, withinSecond: 94, p99Ms: 25 }
  assert.deepEqual(days, [
    { day: today, ...ofToday },
    { day: businessDate(yesterday), ...ofYesterday },
  ])
  assert.equal(actions.length, 1)
  assert.equal(actions[0].callbacks, 288)
  assert.deepEqual((await tenantAdmin.ask('GET', '/network/level')).body, { days: [], actions: [] })
})

test('FIS12 §3.1: counts that cannot be written are written later', async () => {
  await deleteAnswers(ctx.db, secondsAfter(ctx.clock(), 86_400))
  let isDown = true
  const db = (strings: TemplateStringsArray, ...values: never[]) =>
    isDown ? Promise.reject(new Error('down')) : ctx.db(strings, ...values)
  const counter = answerCounterOf({ ...ctx, db: db as never })
  const arrival = { at: ctx.clock() } as never
  const answered = { method: 'POST', route: '/ondc/on_search', status: 500, ms: 3, arrival }
  counter.note(answered)
  await counter.end()
  counter.note(answered)
  isDown = false
  for (let i = 0; i < 2; i++) await counter.end()
  const counts = await listAnswers(ctx.db, during())
  assert.deepEqual(
    counts.map(({ outcome, count }) => ({ outcome, count })),
    [{ outcome: 'FAILED', count: 2 }],
  )
})
