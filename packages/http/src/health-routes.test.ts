// The health routes with a writable, a read-only and an unavailable database.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { quietLog } from '@lendloom/foundation/log'
import { counter } from '@lendloom/foundation/metrics'
import { healthRoutes } from './health-routes.ts'
import { answer, serve } from './server.ts'

let isUnavailable = false
let isReadOnly = false
let missingPrerequisite: string | null = null
const db = {
  async isWritable() {
    if (isUnavailable) throw new Error('no connection')
    return !isReadOnly
  },
}
const api = {
  prefix: '/',
  routes: healthRoutes<{ db: typeof db }>(() => missingPrerequisite),
  refuse: () => answer(500, {}),
}
const server = await serve({
  apis: [api],
  ctx: { db },
  clock: () => new Date(),
  log: quietLog,
  host: '127.0.0.1',
  port: 0,
})
after(() => server.stop())
const get = async (path: string): Promise<{ status: number; body: string }> => {
  const response = await fetch(server.url + path)
  return { status: response.status, body: await response.text() }
}

test('docs/decisions/0023-a-program-says-how-it-is.md: readiness requires a writable database, liveness does not', async () => {
  assert.equal((await get('/healthz')).status, 200)
  assert.equal((await get('/readyz')).status, 200)
  isUnavailable = true
  assert.equal((await get('/healthz')).status, 200)
  assert.equal((await get('/readyz')).status, 503)
  isUnavailable = false
  isReadOnly = true
  assert.deepEqual(await get('/readyz'), { status: 503, body: '{"status":"the database cannot be written to"}' })
  isReadOnly = false
  assert.equal((await get('/readyz')).status, 200)
})

test('docs/decisions/0023-a-program-says-how-it-is.md: readiness fails while a prerequisite is missing', async () => {
  missingPrerequisite = 'not registered at the network yet'
  assert.deepEqual(await get('/readyz'), { status: 503, body: '{"status":"not registered at the network yet"}' })
  missingPrerequisite = null
  assert.equal((await get('/readyz')).status, 200)
})

test('docs/decisions/0023-a-program-says-how-it-is.md: metrics count requests by route, in Prometheus text format', async () => {
  const countRefusals = async (): Promise<number> => {
    const { body } = await get('/metrics')
    return Number(/http_request_seconds_count\{method="GET",route="\/readyz",status="503"\} (\d+)/.exec(body)?.[1] ?? 0)
  }
  counter('test_things_total', 'A counter of this test', ['kind']).inc({ kind: 'a' })
  const before = await countRefusals()
  missingPrerequisite = 'not registered at the network yet'
  await get('/readyz')
  missingPrerequisite = null
  await get('/secret-9800000001?pan=ABCPE1234F')
  const response = await fetch(`${server.url}/metrics`)
  const text = await response.text()
  assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  assert.match(text, /^test_things_total\{kind="a"\} 1$/m)
  assert.equal(await countRefusals(), before + 1)
  assert.match(text, /^process_cpu_seconds_total/m)
  assert.doesNotMatch(text, /"[^"\n]*(?:9800000001|ABCPE)/)
})

test('docs/how-to/monitor.md: metrics report readiness and whether the database accepts writes', async () => {
  const metricValues = async () => {
    const { body } = await get('/metrics')
    return ['ready', 'database_writable'].map((name) => new RegExp(`^${name} (\\d)$`, 'm').exec(body)?.[1])
  }
  assert.deepEqual(await metricValues(), ['1', '1'])
  missingPrerequisite = 'not registered at the network yet'
  assert.deepEqual(await metricValues(), ['0', '1'])
  missingPrerequisite = null
  isReadOnly = true
  assert.deepEqual(await metricValues(), ['0', '0'])
  isReadOnly = false
  isUnavailable = true
  assert.deepEqual(await metricValues(), ['0', '0'])
  isUnavailable = false
  assert.deepEqual(await metricValues(), ['1', '1'])
})
