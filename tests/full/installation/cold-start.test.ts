// Runs `npm start` as a new user who has only this folder.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { postmasterOf } from '@lendloom/cli/src/postgres/cluster.ts'
import { databaseUrl, portIsFree } from '@lendloom/cli/src/postgres/server.ts'
import { testServer } from '#test/setup/database.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { freePort } from '#test/setup/platform.ts'

const folder = mkdtempSync(join(tmpdir(), 'lendloom-start-'))
const ports = {
  platform: await freePort(),
  partner: await freePort(),
  sandbox: await freePort(),
  second: await freePort(),
  smtp: await freePort(),
  mail: await freePort(),
}
const launched: ChildProcess[] = []
after(() => {
  for (const child of launched) child.kill('SIGKILL')
  const postgres = postmasterOf(join(folder, 'postgres'))
  if (postgres) process.kill(postgres.pid, 'SIGQUIT')
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
})

function launch(env: Record<string, string> = {}, ...args: string[]): ChildProcess {
  const home = join(import.meta.dirname, '..', '..', '..')
  const child = spawn(process.execPath, ['apps/cli/src/main.ts', 'start', '--json', ...args], {
    cwd: home,
    env: {
      ...process.env,
      LENDLOOM_DATA_DIR: folder,
      PORT: String(ports.platform),
      PARTNER_PORT: String(ports.partner),
      SANDBOX_PORT: String(ports.sandbox),
      SECOND_PARTNER_PORT: String(ports.second),
      SANDBOX_SMTP_PORT: String(ports.smtp),
      MAIL_IN_PORT: String(ports.mail),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  launched.push(child)
  return child
}

interface Ready {
  pid: number
  platform: string
  partner: string
  secondPartner: string
  sandbox: string
  credentials: string
}

async function ready(child: ChildProcess): Promise<Ready> {
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (more: string) => {
    said += more
  })
  const line = await Promise.race([once(child.stdout!, 'data'), once(child, 'exit').then(() => null)])
  assert.ok(line, `it did not start: ${said}`)
  assert.match(said, /^lendloom: starting 4 programs; their data is in /)
  for (const what of ['database', 'sandbox', 'partner', 'second partner', 'platform'])
    assert.match(said, new RegExp(`^lendloom: the ${what} is ready after \\d+\\.\\d s$`, 'm'))
  return JSON.parse(String(line[0]))
}

async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal)
  const [code] = await once(child, 'exit')
  return code
}

const nobody = '01930000-0000-7000-8000-00000000ffff'
const credentials = () => JSON.parse(readFileSync(join(folder, 'sandbox.json'), 'utf8'))
const statusOf = async (url: string, key?: string): Promise<number> =>
  (await fetch(url, key ? { headers: { authorization: `Bearer ${key}` } } : {})).status

/** The running launcher, shared between tests because starting it is slow. */
let child = launch()

describe('npm start in one folder, one story', () => {
  test('starts from an empty directory, prints all addresses, and rejects a second start', async () => {
    const { platform, partner, secondPartner, sandbox } = await ready(child)
    const programs = [platform, partner, secondPartner, sandbox]
    assert.deepEqual(await Promise.all(programs.map((url) => statusOf(`${url}/readyz`))), [200, 200, 200, 200])
    for (const file of ['keys.json', 'sandbox.json', 'run.json'])
      assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, `${file} is for its owner alone`)
    assert.match(credentials().tenant.apiKey, /^sk_test_/)
    const { desk, partners } = credentials()
    assert.deepEqual(
      partners.map(({ sender }: { sender: string }) => sender),
      ['CELESTIUM', 'KAVERI'],
    )
    assert.deepEqual(partners[0].desk, desk, '`desk` is that of the first one')
    for (const { url, email, password } of [partners[0].desk, partners[1].desk, partners[1].desk.checker]) {
      const body = new URLSearchParams({ email, password })
      const signIn = `${url ?? partners[1].desk.url}/sign-in`
      assert.equal((await fetch(signIn, { method: 'POST', body, redirect: 'manual' })).status, 303)
    }

    const { people } = credentials().console
    const roles = people.map(({ role, tenantId }: Record<string, string>) => ({ role, tenantId }))
    const { tenantId } = credentials().tenant
    assert.deepEqual(roles, [
      ...['viewer', 'operator', 'grievance-officer', 'admin'].map((role) => ({ role, tenantId: null })),
      ...['viewer', 'developer', 'support', 'admin'].map((role) => ({ role, tenantId })),
    ])
    for (const person of people) {
      const signIn = JSON.stringify({ email: person.email, password: person.password })
      const headers = { 'content-type': 'application/json' }
      const entered = await fetch(`${platform}/api/console/sign-in`, { method: 'POST', headers, body: signIn })
      assert.equal(entered.status, 200)
      assert.deepEqual(Object(await entered.json()).person.role, person.role)
    }

    for (const path of [...programs, `${platform}/demo`, `${platform}/demo/`, `${partner}/`, `${sandbox}/`]) {
      const shown = await fetch(path)
      assert.equal(shown.status, 200, path)
      assert.equal(shown.headers.get('content-type'), 'text/html; charset=utf-8', path)
    }
    for (const program of programs) {
      const icon = await fetch(`${program}/favicon.ico`)
      assert.equal(icon.status, 200, program)
      assert.equal(icon.headers.get('content-type'), 'image/svg+xml', program)
    }
    for (const query of ['', '?tenant_id=x&utm_source=mail', `?tenant_id=${nobody}&application_id=${nobody}`]) {
      const bare = await fetch(`${platform}/lab/embed${query}`, { headers: { 'accept-language': 'hi' } })
      assert.equal(bare.status, 404, query)
      assert.equal(bare.headers.get('content-type'), 'text/html; charset=utf-8', query)
      assert.match(await bare.text(), /यह पेज ऐप से खोलें/)
    }

    const second = launch()
    assert.match(await text(second.stderr!), /already running on .+; stop it first, or set LENDLOOM_DATA_DIR/)
    assert.equal(second.exitCode ?? (await once(second, 'exit'))[0], 1)
  })

  test('after a kill, the next start works with unchanged credentials', async () => {
    const before = credentials()
    await stopped(child, 'SIGKILL')
    child = launch()
    const { platform } = await ready(child)
    assert.deepEqual(credentials(), before)
    assert.equal(await statusOf(`${platform}/api/lab/features`, before.tenant.apiKey), 200)
  })

  test('restarts its database if it dies, and stops on SIGTERM', async () => {
    process.kill(postmasterOf(join(folder, 'postgres'))!.pid, 'SIGKILL')
    const platform = `http://127.0.0.1:${ports.platform}`
    for (const deadline = Date.now() + deadlineMs; ; await sleep(50)) {
      if (
        postmasterOf(join(folder, 'postgres'))?.isReady &&
        (await statusOf(`${platform}/readyz`).catch(() => 0)) === 200
      )
        break
      assert.ok(Date.now() < deadline, 'the platform is ready again')
    }
    assert.equal(await stopped(child, 'SIGTERM'), 0)
    for (const port of Object.values(ports)) assert.ok(await portIsFree(port), `port ${port} is free again`)
    assert.equal(existsSync(join(folder, 'run.json')), false)
    assert.equal(postmasterOf(join(folder, 'postgres')), null)
  })

  test('after a clean stop, starts again on the same database with the same credentials, and stops with --watch', async () => {
    const before = credentials()
    child = launch({}, '--watch')
    const { platform } = await ready(child)
    assert.deepEqual(credentials(), before)
    assert.equal(await statusOf(`${platform}/api/lab/features`, before.tenant.apiKey), 200)
    assert.equal(await stopped(child, 'SIGTERM'), 0)
  })

  test('with DATABASE_URL, uses that server, creates missing databases, and stops on SIGINT', async () => {
    const url = databaseUrl(await testServer(), `own_${ports.platform}`)
    const own = join(folder, 'own')
    child = launch({ DATABASE_URL: url, LENDLOOM_DATA_DIR: own })
    const { platform } = await ready(child)
    assert.equal(await statusOf(`${platform}/readyz`), 200)
    assert.equal(existsSync(join(own, 'postgres')), false)
    assert.equal(await stopped(child, 'SIGINT'), 0)
  })
})
