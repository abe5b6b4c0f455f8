// The smallest partner of the examples passes every check, and goes on with its cases after it was killed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { conformOf } from '#test/setup/conforming.ts'
import { freePort } from '#test/setup/platform.ts'

const [port, listenerPort] = [await freePort(), await freePort()]
const directory = mkdtempSync(join(tmpdir(), 'lendloom-example-'))
const credentials = JSON.parse(readFileSync('examples/partner/credentials.json', 'utf8'))
const env = {
  PATH: process.env.PATH,
  PORT: String(port),
  STATE_FILE: join(directory, 'lender.json'),
  WEBHOOK_URL: `http://127.0.0.1:${listenerPort}/in`,
  RETRY_SECONDS: '0.2',
}
let partner = await start()
after(async () => {
  await kill()
  rmSync(directory, { recursive: true, force: true })
})

async function start() {
  const child = spawn(process.execPath, ['examples/partner/partner.ts'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  return child
}
async function kill() {
  const ended = once(partner, 'exit')
  partner.kill('SIGKILL')
  await ended
}

test('D3: the smallest partner passes every check, killed and started again on the way', async () => {
  const state = join(directory, 'conform.json')
  const given = { state, only: ['lead.registered'] }
  const platform = { credentials, port: listenerPort }
  await conformOf(`http://127.0.0.1:${port}`, platform, given)
  await kill()
  partner = await start()
  const outcomes = await conformOf(`http://127.0.0.1:${port}`, platform, { state })
  assert.deepEqual(
    outcomes.filter(({ result }) => result !== 'passed'),
    [],
  )
})
