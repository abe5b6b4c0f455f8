// `lendloom login`, contexts, names in place of ids, and `webhook listen`, against a real platform and a real receiver.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { deliveryOf } from '@lendloom/platform/src/integrators/webhook/delivery.ts'
import { insertDeliveries } from '@lendloom/platform/src/integrators/webhook/store.ts'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { consoleUser } from '@lendloom/tests/setup/console'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { verify } from '@lendloom/wire/webhook/signature'
import { withDefaults } from './console/names.ts'
import { type Context, changeContexts, contextOf, listenSecretOf } from './contexts.ts'
import { commands } from './main.ts'

const platform = await testPlatform()
const { ctx, url, tenant } = platform
const { tenantId, applicationId } = tenant
const directory = mkdtempSync(join(tmpdir(), 'lendloom-contexts-'))
after(() => rmSync(directory, { recursive: true }))
const env = { LENDLOOM_CONFIG_DIR: directory, LENDLOOM_CONTEXT: '' }
const lendloom = commandLine(env)
const root = join(import.meta.dirname, '..', '..', '..')

/** Starts a command line in a process of its own. */
function start(...args: string[]): { program: ChildProcessWithoutNullStreams; output(): string } {
  const program = spawn(process.execPath, [join(root, 'apps', 'cli', 'src', 'main.ts'), ...args], {
    env: { ...process.env, ...env, LENDLOOM_DATA_DIR: directory },
  })
  let text = ''
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (part) => (text += part))
  return { program, output: () => text }
}

async function logIn(name: string, role: 'developer' | 'operator'): Promise<void> {
  const person = await consoleUser(platform, { role, tenantId: role === 'developer' ? tenantId : null })
  const { program, output } = start('login', url, '--name', name, '--no-browser')
  const ended = new Promise((resolve) => program.on('close', resolve))
  await until('the code', () => /[A-Z]{8}/.test(output()))
  const [code = ''] = /[A-Z]{8}/.exec(output()) ?? []
  assert.equal((await person.ask('POST', `/command-line/${code}`, { isAllowed: true })).status, 204)
  assert.equal(await ended, 0, output())
  assert.match(output(), new RegExp(`as ${person.person.email} \\(${role}\\)`))
}

test('a context may have the name of a property of every object, and a damaged file stops only commands that need it', () => {
  const other = { LENDLOOM_CONFIG_DIR: mkdtempSync(join(directory, 'names-')) }
  const context = { url: 'https://a.example/', cookie: 'a=b', expiresAt: '', person: {} } as Context
  for (const name of ['__proto__', 'constructor']) {
    const named = { ...other, LENDLOOM_CONTEXT: name }
    assert.throws(() => contextOf(named), /there is no context/)
    changeContexts(named, ({ contexts }) => {
      contexts[name] = context
    })
    assert.deepEqual(contextOf(named), context)
    assert.match(listenSecretOf(named), /^whsec_/)
    assert.equal(listenSecretOf(named), listenSecretOf(named))
  }
  writeFileSync(join(other.LENDLOOM_CONFIG_DIR, 'contexts.json'), '{')
  assert.deepEqual(withDefaults({ usage: '[--logs]' }, {}, other), {})
  assert.throws(() => contextOf(other), /contexts\.json cannot be read/)
})

describe('a person’s contexts from login to logout, one story', () => {
  test('a person signs in from another machine, and commands act as the person in the context', async () => {
    await logIn('shop', 'developer')
    assert.equal(statSync(join(directory, 'contexts.json')).mode & 0o777, 0o600)
    const { context, role, tenants } = await lendloom.runJson('status')
    assert.equal(context, 'shop')
    assert.equal(role, 'developer')
    assert.deepEqual(tenants, [{ tenantId, name: 'Sandbox Pay' }])
    assert.deepEqual((await lendloom.runJson('webhook', 'health')).items, [])
    assert.equal((await lendloom.runFailing('people', 'list')).code, 1, 'a developer may not list people')
    assert.match(
      (await lendloom.runFailing('tenant', 'create', 'Shop')).errorOutput,
      /needs the database.* --context local/,
    )

    await logIn('operations', 'operator')
    const items = (await lendloom.runJson('context', 'list')).items
    assert.deepEqual(
      items.map(({ name, isCurrent }: { name: string; isCurrent: boolean }) => ({ name, isCurrent })),
      [
        { name: 'shop', isCurrent: false },
        { name: 'operations', isCurrent: true },
      ],
    )
    assert.equal((await lendloom.runJson('status', '--context', 'shop')).role, 'developer')
    assert.equal((await lendloom.run('context', 'use', 'shop')).code, 0)
    assert.deepEqual(await lendloom.runFailing('context', 'use', 'nowhere'), {
      code: 1,
      errorOutput: 'lendloom: there is no context "nowhere"; see lendloom context list',
    })
  })

  test('a tenant and an application are given by name, and all missing options are named at once', async () => {
    const add = ['webhook', 'add', 'http://127.0.0.1:9/hook', '--application', 'sandbox pay'] as const
    assert.match((await lendloom.run(...add)).text, /^whsec_/)
    assert.match((await lendloom.run(...add, '--context', 'operations', '--tenant', 'Sandbox Pay')).text, /^whsec_/)
    assert.deepEqual(await lendloom.runFailing('webhook', 'add', 'http://127.0.0.1:9/', '--application', 'Shop'), {
      code: 2,
      errorOutput: 'lendloom: there is no application "Shop"; there are: Sandbox Pay',
    })
    assert.deepEqual(await lendloom.runFailing('webhook', 'add', 'http://127.0.0.1:9/', '--context', 'operations'), {
      code: 2,
      errorOutput: 'lendloom: --tenant and --application are missing; see lendloom help webhook add',
    })
    await lendloom.run('context', 'set', 'operations', '--tenant', 'Sandbox Pay', '--application', 'Sandbox Pay')
    assert.match(
      (await lendloom.run('webhook', 'add', 'http://127.0.0.1:9/', '--context', 'operations')).text,
      /^whsec_/,
    )
    for (const name of ['shop', 'operations']) {
      const { text, code } = await lendloom.run('doctor', '--context', name)
      assert.equal(code, 0, text)
      assert.match(
        text,
        /ok +platform: answers in .*\nok +API keys: \d valid\nok +embedding origins.*\nok +webhook endpoints: 3/,
      )
    }
    const named = ['--context', 'operations', '--tenant', 'sandbox pay'] as const
    assert.deepEqual((await lendloom.runJson('lenders', 'list', ...named)).items, [])
    assert.equal((await lendloom.runJson('webhook', 'replays', 'list', ...named)).next, null)
    assert.equal((await lendloom.run('webhook', 'alerts', ...named)).code, 0)
    for (const { endpointId } of (await lendloom.runJson('webhook', 'health')).items)
      await lendloom.run('webhook', 'remove', endpointId)
  })

  test('the tenant of a context narrows no command that works for all tenants, and changes no other context', async () => {
    const operations = { ...env, LENDLOOM_CONTEXT: 'operations' }
    const lenders = await commands.lenders!.load()
    assert.ok('commands' in lenders)
    for (const each of lenders.commands) if ('usage' in each) assert.deepEqual(withDefaults(each, {}, operations), {})
    const { items } = await lendloom.runJson('context', 'list')
    await lendloom.run('context', 'set', 'shop', '--application', 'Sandbox Pay', '--context', 'operations')
    const file = JSON.parse(readFileSync(join(directory, 'contexts.json'), 'utf8'))
    assert.equal(items[1].tenant, 'Sandbox Pay')
    assert.equal(file.contexts.shop.tenant, undefined)
    assert.deepEqual(await lendloom.runFailing('webhook', 'health', '--context', ''), {
      code: 2,
      errorOutput: 'lendloom: the name after --context is missing',
    })
  })

  test('D1 §2.1: session create opens a session with the API key of an integrator', async () => {
    const withKey = commandLine({ ...env, LENDLOOM_API_KEY: tenant.apiKey })
    const session = await withKey.runJson('session', 'create', 'user-42', '--contact', '9876543210')
    assert.match(session.embedUrl, new RegExp(`^${url}/`))
    assert.match(
      (await withKey.runFailing('session', 'create', 'user-42', '--contact', '12')).errorOutput,
      /contactNumber/,
    )
    assert.match(
      (await lendloom.runFailing('session', 'create', 'u', '--contact', '9876543210')).errorOutput,
      /LENDLOOM_API_KEY/,
    )
    const wrongKey = commandLine({ ...env, LENDLOOM_API_KEY: 'sk_wrong' })
    const { code, errorOutput: complaint } = await wrongKey.runFailing(
      'session',
      'create',
      'user-42',
      '--contact',
      '9876543210',
    )
    assert.equal(code, 1, complaint)
    assert.equal(complaint.includes('the platform failed'), false, complaint)
  })

  test('D1 §6.2: webhook listen sends every update to a server on this machine, signed and in order', async () => {
    const receiver = await startReceiver()
    const listen = ['webhook', 'listen', '--forward-to', receiver.url('/hook'), '--application', 'Sandbox Pay'] as const
    const { program, output } = start(...listen)
    const ended = new Promise((resolve) => program.on('close', resolve))
    await until('it listens', () => output().includes('Listening'))
    const [secret = ''] = /whsec_\S+/.exec(output()) ?? []
    const journeyId = uuidv4()
    receiver.answer = () => (receiver.received.length === 1 ? 500 : 204)
    for (const sequence of [1, 2, 3]) {
      const eventId = uuidv7(Date.now(), bucketOf(journeyId))
      const event = { tenantId, applicationId, journeyId, sequence, status: 'STARTED' as const, eventId }
      const body = Buffer.from(JSON.stringify({ sequence, name: 'आशा' }))
      await ctx.db.tx((tx) => insertDeliveries(tx, deliveryOf(ctx, event, body, null), new Date()))
    }
    const received = await receiver.waitForRequests(4)
    for (const { headers, body } of received) verify(secret, headers, body, new Date())
    assert.deepEqual(
      received.map(({ body }) => JSON.parse(body.toString()).sequence),
      [1, 1, 2, 3],
    )
    await until('four lines', () => output().split(journeyId).length === 5)
    assert.match(output(), /500 +STARTED.* #1 .*\n.*204 +STARTED.* #1 .* try 2\n/)
    program.kill('SIGTERM')
    assert.equal(await ended, 0, output())
    await receiver.stop()
    assert.deepEqual((await lendloom.runJson('webhook', 'health')).items, [], 'the listener was removed')
    const states = (await lendloom.runJson('webhook', 'deliveries', '--journey', journeyId)).items
    assert.deepEqual(
      states.map(({ state }: { state: string }) => state),
      ['DELIVERED', 'DELIVERED', 'DELIVERED'],
    )
    assert.equal(JSON.parse(readFileSync(join(directory, 'contexts.json'), 'utf8')).listenSecrets.shop, secret)
  })

  test('webhook listen survives a removed listener, a busy platform and a cut response, and ends with the session', async () => {
    const receiver = await startReceiver()
    receiver.answer = () => (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('x', () => response.destroy())
    }
    const update = {
      receipt: 'r',
      deliveryId: uuidv4(),
      journeyId: uuidv4(),
      sequence: 1,
      status: 'STARTED',
      attempt: 1,
    }
    const refusal = (code: string, retryable: boolean) => ({ error: { code, message: 'no', retryable, details: {} } })
    const replies: [status: number, body: unknown][] = [
      [201, { endpointId: uuidv4() }],
      [404, refusal('RESOURCE_NOT_FOUND', false)],
      [503, refusal('UPSTREAM_TEMPORARY_FAILURE', true)],
      [201, { endpointId: uuidv4() }],
      [200, { items: [{ ...update, headers: [], body: '{}' }] }],
      [401, refusal('AUTH_INVALID_SESSION', false)],
    ]
    const bodies: string[] = []
    const server = createServer(async (request, response) => {
      bodies.push(await text(request))
      const [status, body] = replies.shift() ?? [500, {}]
      response.writeHead(status).end(JSON.stringify(body))
    }).listen(0)
    const { port } = server.address() as AddressInfo
    changeContexts(env, ({ contexts }) => {
      contexts.busy = { ...contexts.shop!, url: `http://127.0.0.1:${port}/` }
    })
    const forward = ['--forward-to', receiver.url(), '--application', applicationId, '--context', 'busy']
    const { program, output } = start('webhook', 'listen', ...forward)
    const [code] = await once(program, 'close')
    assert.equal(code, 1, output())
    assert.equal(replies.length, 0, output())
    assert.match(output(), /session .* has ended/)
    assert.match(bodies.at(-1) ?? '', /"receipt":"r","status":200/)
    changeContexts(env, ({ contexts }) => void delete contexts.busy)
    server.close()
    await receiver.stop()
  })

  test('logout ends the session and removes the context; a command of an ended session says how to sign in', async () => {
    const file = join(directory, 'contexts.json')
    const { contexts } = JSON.parse(readFileSync(file, 'utf8'))
    assert.match((await lendloom.run('logout')).text, /Signed out of shop/)
    assert.equal((await fetch(`${url}/api/console/me`, { headers: { cookie: contexts.shop.cookie } })).status, 401)
    assert.equal((await lendloom.runFailing('status', '--context', 'shop')).code, 1)
    await fetch(`${url}/api/console/sign-out`, { method: 'POST', headers: { cookie: contexts.operations.cookie } })
    assert.match(
      (await lendloom.runFailing('status', '--context', 'operations')).errorOutput,
      /has ended; run lendloom login http/,
    )
  })
})

test('the local installation needs no context', async () => {
  const local = commandLine({ ...env, ...keysAndAddressOf(ctx), LENDLOOM_CONTEXT: 'local' })
  assert.equal((await local.runJson('status')).context, 'local')
})
