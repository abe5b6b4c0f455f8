// The example partner passes every check, and continues after it was killed.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runConformance } from '@lendloom/tests/setup/conforming'
import { killExample, spawnExample } from '@lendloom/tests/setup/example-lender'
import { freePort } from '@lendloom/tests/setup/platform'

const port = await freePort()
const listenerPort = await freePort()
const directory = mkdtempSync(join(tmpdir(), 'lendloom-example-'))
const credentialsPath = 'examples/partner/credentials.json'
const credentials = JSON.parse(readFileSync(credentialsPath, 'utf8'))
const env = {
  PORT: String(port),
  STATE_FILE: join(directory, 'lender.json'),
  WEBHOOK_URL: `http://127.0.0.1:${listenerPort}/in`,
  RETRY_SECONDS: '0.2',
}
let partner = await spawnExample(credentialsPath, env)
after(async () => {
  await killExample(partner)
  rmSync(directory, { recursive: true, force: true })
})

test('D3: the example partner passes every check while being killed and restarted', async () => {
  const state = join(directory, 'conform.json')
  const untilRegistered = { state, only: ['lead.registered'] }
  const platform = { credentials, port: listenerPort }
  await runConformance(`http://127.0.0.1:${port}`, platform, untilRegistered)
  await killExample(partner)
  partner = await spawnExample(credentialsPath, env)
  const outcomes = await runConformance(`http://127.0.0.1:${port}`, platform, { state })
  assert.deepEqual(
    outcomes.filter(({ result }) => result !== 'passed'),
    [],
  )
})
