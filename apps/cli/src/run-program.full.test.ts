// `lendloom run`, which the image and its compose file and chart use.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { startCollector } from '@lendloom/tests/setup/collector'
import { testServer } from '@lendloom/tests/setup/database'
import { freePort, platformEnvironment } from '@lendloom/tests/setup/platform'
import { createDatabase } from '#cli/postgres/server.ts'

const main = 'apps/cli/src/main.ts'

test('lendloom run: the platform starts with the settings of the environment, records spans and stops on a signal', async () => {
  const databaseUrl = await createDatabase(await testServer(), `run_${uuidv4().replaceAll('-', '')}`)
  const port = await freePort()
  const collector = await startCollector()
  after(() => collector.stop())
  const child = spawn(process.execPath, [main, 'run', 'platform'], {
    env: { ...process.env, ...platformEnvironment(databaseUrl, port), DRAIN_SECONDS: '0', ...collector.env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [ready] = await once(child, 'message')
  assert.equal(ready.type, 'ready')
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200)
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`)
  assert.match(metrics.headers.get('content-type') ?? '', /openmetrics/)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.ok(collector.spans().every(({ service }) => service === 'lendloom-platform') && collector.spans().length > 0)
})

test('lendloom run names wrong programs and missing settings', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [main, 'run', ...args], { env: { PATH: process.env.PATH }, encoding: 'utf8' })
  assert.match(run('bank').stderr, /^lendloom: the program must be platform, partner or sandbox, not "bank"\n$/)
  assert.equal(run().status, 2)
  assert.equal(run('bank').status, 2)
  const unset = run('partner')
  assert.equal(unset.status, 1)
  assert.match(unset.stderr, /PARTNER_DATABASE_URL is not set/)
})
