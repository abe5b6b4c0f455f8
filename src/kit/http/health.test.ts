// What a program answers about itself, with its database and without.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { quietLog } from '#kit/runtime/log.ts'
import { counter } from '#kit/runtime/metrics.ts'
import { healthRoutes } from './health.ts'
import { answer, serve } from './server.ts'

let isAway = false
let isReadOnly = false
let lacking: string | null = null
const db = {
  async isWritable() {
    if (isAway) throw new Error('away')
    return !isReadOnly
  },
}
const api = { prefix: '/', routes: healthRoutes<{ db: typeof db }>(() => lacking), refuse: () => answer(500, {}) }
const server = await serve({
  apis: [api],
  ctx: { db },
  clock: () => new Date(),
  log: quietLog,
  host: '127.0.0.1',
  port: 0,
})
after(() => server.stop())
const ask = async (path: string): Promise<[number, string]> => {
  const answered = await fetch(server.url + path)
  return [answered.status, await answered.text()]
}

test('docs/decisions/0023-a-program-says-how-it-is.md: alive is alive, ready is ready with a database that can be written to', async () => {
  assert.deepEqual([(await ask('/healthz'))[0], (await ask('/readyz'))[0]], [200, 200])
  isAway = true
  assert.deepEqual([(await ask('/healthz'))[0], (await ask('/readyz'))[0]], [200, 503])
  isAway = false
  isReadOnly = true
  assert.deepEqual(await ask('/readyz'), [503, '{"status":"the database cannot be written to"}'])
  isReadOnly = false
  assert.equal((await ask('/readyz'))[0], 200)
})

test('docs/decisions/0023-a-program-says-how-it-is.md: what a program waits for keeps it from being ready, and is told', async () => {
  lacking = 'not on the network yet'
  assert.deepEqual(await ask('/readyz'), [503, '{"status":"not on the network yet"}'])
  lacking = null
  assert.equal((await ask('/readyz'))[0], 200)
})

test('docs/decisions/0023-a-program-says-how-it-is.md: figures in the text of Prometheus, by route and not by address', async () => {
  const refusals = async (): Promise<number> => {
    const [, text] = await ask('/metrics')
    return Number(/http_request_seconds_count\{method="GET",route="\/readyz",status="503"\} (\d+)/.exec(text)?.[1] ?? 0)
  }
  counter('test_things_total', 'Things', ['kind']).inc({ kind: 'a' })
  const before = await refusals()
  lacking = 'not on the network yet'
  await ask('/readyz')
  lacking = null
  await ask('/secret-9800000001?pan=ABCPE1234F')
  const answered = await fetch(`${server.url}/metrics`)
  const text = await answered.text()
  assert.match(answered.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  assert.match(text, /^test_things_total\{kind="a"\} 1$/m)
  assert.equal(await refusals(), before + 1)
  assert.match(text, /^process_cpu_seconds_total/m)
  assert.doesNotMatch(text, /9800000001|ABCPE/)
})

test('docs/how-to/monitor.md: the figures say whether it is ready and whether its database can be written to', async () => {
  const figures = async () => {
    const [, text] = await ask('/metrics')
    return ['ready', 'database_writable'].map((name) => new RegExp(`^${name} (\\d)$`, 'm').exec(text)?.[1])
  }
  assert.deepEqual(await figures(), ['1', '1'])
  lacking = 'not on the network yet'
  assert.deepEqual(await figures(), ['0', '1'])
  lacking = null
  isReadOnly = true
  assert.deepEqual(await figures(), ['0', '0'])
  isReadOnly = false
  isAway = true
  assert.deepEqual(await figures(), ['0', '0'])
  isAway = false
  assert.deepEqual(await figures(), ['1', '1'])
})
