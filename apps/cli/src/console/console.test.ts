// Commands that call the console, with a real database and a real webhook receiver.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { schedule } from '@lendloom/foundation/schedule'
import { bulkReplayWorker } from '@lendloom/platform/src/integrators/webhook/bulk-replay/replay-worker.ts'
import { webhookDeliveryWorker } from '@lendloom/platform/src/integrators/webhook/deliver-updates.ts'
import { deliveryOf } from '@lendloom/platform/src/integrators/webhook/delivery.ts'
import { insertDeliveries } from '@lendloom/platform/src/integrators/webhook/store.ts'
import { holdJourney } from '@lendloom/platform/src/lending/journey/store.ts'
import { listNewest } from '@lendloom/platform/src/people/audit/store.ts'
import { verifyChain } from '@lendloom/platform/src/people/audit.ts'
import { commandLineAuthorization } from '@lendloom/platform/src/people/authenticate-command-line.ts'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { newSealKey } from '@lendloom/seal/seal'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { ask, freePort, testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { immediateRetries } from '@lendloom/tests/setup/webhooks'
import { announceRun, forgetRun } from '#cli/installation.ts'

const { ctx, tenant, secondTenant, url } = await testPlatform()
const { tenantId, applicationId } = tenant
const folder = mkdtempSync(join(tmpdir(), 'lendloom-cli-'))
after(() => rmSync(folder, { recursive: true }))
const { LENDLOOM_KEYS, PUBLIC_URL } = ctx.config
const env = { ...keysAndAddressOf(ctx), LENDLOOM_DATA_DIR: folder }
const ofTenant = ['--tenant', tenantId]

const { run, runJson } = commandLine(env)

const acts = async () => (await listNewest(ctx.db, tenantId, null, 50)).map(({ act, personId }) => ({ act, personId }))

const eventIdFor = (journeyId: string) => uuidv7(Date.now(), bucketOf(journeyId))

/** Queues deliveries of a journey's updates, which contain personal data. */
async function queueUpdates(journeyId: string, count: number): Promise<void> {
  for (let sequence = 1; sequence <= count; sequence++) {
    const event = {
      tenantId,
      applicationId,
      journeyId,
      sequence,
      status: 'STARTED' as const,
      eventId: eventIdFor(journeyId),
    }
    const body = Buffer.from(JSON.stringify({ journeyId, sequence, panName: 'Asha Rao' }))
    await ctx.db.tx((tx) => insertDeliveries(tx, deliveryOf(ctx, event, body, null), new Date()))
  }
}

test('D1 §6: an endpoint that missed updates is paused, changed, resumed and replayed, one story', async (t) => {
  const ownerOptions = [...ofTenant, '--application', applicationId]
  const journeyId = uuidv4()
  const receiver = await startReceiver()
  const worker = webhookDeliveryWorker(ctx, { ...immediateRetries, schedule: schedule([], 'give up') })
  const replays = bulkReplayWorker(ctx, holdJourney)
  t.after(() => Promise.all([receiver.stop(), worker.stop(), replays.stop()]))
  const created = await runJson('webhook', 'add', receiver.url('/first'), ...ownerOptions)
  const { endpointId } = created.endpoint
  const filter = [...ofTenant, '--endpoint', endpointId]
  let replayed: typeof receiver.received

  await t.test('an endpoint with missed updates is listed as failing and can be paused', async () => {
    receiver.answer = () => 503
    await queueUpdates(journeyId, 3)
    await until(
      'every delivery is exhausted',
      async () => (await runJson('webhook', 'show', endpointId, ...ofTenant)).missed === 3,
    )
    const health = await run('webhook', 'health', ...ofTenant)
    assert.match(health.text, new RegExp(`${endpointId}  failing .* 3 +Sandbox Pay`))
    assert.equal((await runJson('webhook', 'pause', endpointId, ...ofTenant)).health, 'paused')
    const again = await run('webhook', 'pause', endpointId, ...ofTenant)
    assert.equal(again.code, 1)
    assert.equal(again.errorOutput, 'lendloom: the endpoint is already paused')
  })

  await t.test('a paused endpoint can be changed, tested and resumed', async () => {
    receiver.answer = () => 204
    const second = receiver.url('/second')
    const changed = await runJson('webhook', 'change', endpointId, ...ofTenant, '--url', second, '--status', 'started')
    assert.equal(changed.url, second)
    assert.deepEqual(changed.statuses, ['STARTED'])
    assert.equal((await runJson('webhook', 'test', endpointId, ...ofTenant)).isSuccess, true)
    await runJson('webhook', 'resume', endpointId, ...ofTenant)
  })

  await t.test('missed updates are counted, then replayed in order', async () => {
    const counted = await runJson('webhook', 'replays', 'begin', ...filter, '--dry-run', '--per-second', '2')
    assert.deepEqual(counted, { journeys: 1, chosen: 3, updates: 3, missed: 3, waiting: 0, seconds: 2 })
    assert.equal((await runJson('webhook', 'replays', 'list', ...ofTenant)).items.length, 0)
    const before = receiver.received.length
    const replay = await runJson('webhook', 'replays', 'begin', ...filter, '--per-second', '500')
    assert.equal(replay.state, 'DONE')
    assert.equal(replay.updatesDone, 3)
    assert.equal(replay.personId, null)
    replayed = await until(
      'every update has arrived',
      async () => receiver.received.length === before + 3 && receiver.received.slice(before),
    )
    assert.deepEqual(
      replayed.map(({ body }) => JSON.parse(String(body)).sequence),
      [1, 2, 3],
    )
    const ended = await run('webhook', 'replays', 'stop', replay.replayId, ...ofTenant)
    assert.equal(ended.code, 1)
    assert.equal(ended.errorOutput, 'lendloom: the replay is not running')
  })

  await t.test('a delivery is shown with its attempts and without personal data', async () => {
    const listed = await runJson('webhook', 'deliveries', ...ofTenant, '--journey', journeyId)
    const { deliveryId } = listed.items[0]
    const seen = await runJson('webhook', 'delivery', deliveryId, ...ofTenant)
    assert.equal(seen.state, 'DELIVERED')
    assert.equal(seen.tries.length, 2)
    assert.doesNotMatch(JSON.stringify(seen), /Asha/)
  })

  await t.test('the check of a received signature finds an added line break', async () => {
    const { headers, body } = replayed.at(-1)!
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    writeFileSync(join(folder, 'headers'), lines.join('\n'))
    writeFileSync(join(folder, 'body'), body)
    const files = ['--headers', join(folder, 'headers'), '--body', join(folder, 'body')]
    const checked = await run('webhook', 'check-signature', endpointId, ...ofTenant, ...files)
    assert.equal(checked.code, 0, checked.text)
    assert.match(checked.text, /^the signature is right\n/, checked.text)
    writeFileSync(join(folder, 'body'), `${body}\n`)
    const wrong = await run('webhook', 'check-signature', endpointId, ...ofTenant, ...files, '--json')
    assert.equal(wrong.code, 1)
    assert.equal(wrong.errorOutput, '')
    assert.equal(wrong.data.finding, 'line-break-added')
  })

  await t.test('the audit log records the acts on an endpoint', async () => {
    const recordedActs = await acts()
    for (const act of ['ADDED', 'PAUSED', 'CHANGED', 'TESTED', 'RESUMED', 'REPLAY_BEGUN', 'SIGNATURE_CHECKED'])
      assert.ok(
        recordedActs.some((recorded) => recorded.act === `WEBHOOK_${act}` && recorded.personId === null),
        act,
      )
    assert.equal((await verifyChain(ctx.db, tenantId)).fault, null)
  })
})

test('a stopped replay resumes where it stopped', async () => {
  const receiver = await startReceiver()
  after(() => receiver.stop())
  const ownerOptions = [...ofTenant, '--application', applicationId]
  const created = await runJson('webhook', 'add', receiver.url('/slow'), ...ownerOptions)
  await queueUpdates(uuidv4(), 1)
  const filter = [...ofTenant, '--endpoint', created.endpoint.endpointId, '--state', 'pending']
  const begun = await runJson('webhook', 'replays', 'begin', ...filter, '--detach')
  assert.equal(begun.state, 'RUNNING')
  const replayArguments = [begun.replayId, ...ofTenant]
  assert.equal((await runJson('webhook', 'replays', 'stop', ...replayArguments)).state, 'STOPPED')
  assert.equal((await runJson('webhook', 'replays', 'watch', ...replayArguments)).updatesDone, 0)
  assert.equal((await runJson('webhook', 'replays', 'resume', ...replayArguments, '--detach')).state, 'RUNNING')
  assert.equal((await runJson('webhook', 'replays', 'show', ...replayArguments)).state, 'RUNNING')
})

test('a journey can be found, shown masked and annotated, and its data can be revealed with a reason', async () => {
  const beginOptions = ['--application', applicationId, '--product', 'personal_loan', '--digits', '1234']
  const created = await runJson('sandbox', 'begin', ...ofTenant, ...beginOptions)
  const { journeyId, pan } = created
  const found = await runJson('journey', 'search', pan)
  assert.ok(found.items.some((each: { journeyId: string }) => each.journeyId === journeyId))
  assert.equal(found.items[0].matched, null)
  assert.match((await run('journey', 'list', ...ofTenant)).text, new RegExp(`${journeyId} .* STARTED`))
  const shown = await run('journey', 'show', journeyId)
  assert.match(shown.text, /^waits for +PROFILE of the borrower since .+ until /m)
  assert.match(shown.text, /^replay-deliveries +no +NOTHING_TO_DO/m)
  assert.ok(!shown.text.includes(pan))
  const short = await run('journey', 'reveal', journeyId, '--reason', 'because')
  assert.equal(short.code, 1)
  assert.match(short.errorOutput, /reason must say why, in 10/)
  const revealed = await runJson(
    'journey',
    'reveal',
    journeyId,
    '--field',
    'pan',
    '--reason',
    'The borrower asks for it',
  )
  assert.deepEqual(revealed, { fields: { pan } })
  await runJson('journey', 'note', journeyId, '--text', 'Has called twice')
  const notes = await runJson('journey', 'notes', journeyId)
  assert.deepEqual(
    notes.items.map(({ personName, text }: { personName: string; text: string }) => ({ personName, text })),
    [{ personName: 'Command line', text: 'Has called twice' }],
  )
  const staff = await runJson('journey', 'timeline', journeyId, '--kind', 'staff', '--newest')
  const [entry] = staff.items
  assert.equal((await runJson('journey', 'entry', journeyId, entry.id)).kind, 'staff')
  assert.equal((await runJson('journey', 'move-on', journeyId, '--to', 'profiled')).to, 'PROFILED')
  const nothing = await run('journey', 'retry-events', journeyId)
  assert.equal(nothing.code, 1)
  assert.equal(nothing.errorOutput, 'lendloom: the journey has no event to resend or retry')
  const elsewhere = await run('journey', 'show', journeyId, '--tenant', secondTenant.tenantId, '--json')
  assert.equal(JSON.parse(elsewhere.errorOutput).error.code, 'absent')
  assert.ok((await acts()).some(({ act, personId }) => act === 'PERSONAL_DATA_REVEALED' && personId === null))
})

test('a rolled key works, and the embed check lists its findings', async () => {
  const oldKey = await runJson(
    'key',
    'create',
    '--tenant',
    tenantId,
    '--application',
    applicationId,
    '--address',
    '127.0.0.1',
  )
  const rolled = await runJson('key', 'roll', oldKey.keyId, ...ofTenant, '--overlap-hours', '0')
  const { status } = await ask(`${url}/v2/lenders`, { key: rolled.apiKey })
  assert.notEqual(status, 401)
  const listed = await runJson('key', 'list', '--tenant', tenantId)
  const rolledKey = listed.items.find(({ keyId }: { keyId: string }) => keyId === rolled.keyId)
  assert.deepEqual(rolledKey.addresses, ['127.0.0.1'])
  const wrong = await run('key', 'roll', rolled.keyId, ...ofTenant, '--overlap-hours', 'two')
  assert.match(wrong.errorOutput, /--overlap-hours must be a whole number, not "two"/)
  const receiver = await startReceiver()
  after(() => receiver.stop())
  const page = ['tenant', 'check-embed', receiver.url('/page'), ...ofTenant, '--application', applicationId]
  assert.match((await run(...page)).text, /^allowed +yes/m)
  const foreign = await run(...page.with(4, secondTenant.tenantId))
  assert.equal(foreign.code, 1)
  assert.equal(foreign.errorOutput, 'lendloom: there is no such application')
})

test('without PUBLIC_URL a command calls the local installation; the error about an unreachable server has its address', async () => {
  const commandLineWith = (env: NodeJS.ProcessEnv) => commandLine({ LENDLOOM_DATA_DIR: folder, LENDLOOM_KEYS, ...env })
  assert.match(
    (await commandLineWith({}).runFailing('journey', 'list')).errorOutput,
    /no platform: run lendloom login <url>, .* nothing runs on/,
  )
  const platformAddress = { url: PUBLIC_URL, databaseUrl: '' }
  announceRun(folder, { pid: 1, startedAt: '', platform: platformAddress, partner: null, sandbox: null })
  after(() => forgetRun(folder))
  const beginOptions = ['--application', applicationId, '--product', 'personal_loan']
  const begun = await runJson('sandbox', 'begin', ...ofTenant, ...beginOptions)
  const listed = (await commandLineWith({}).runJson('journey', 'list', ...ofTenant)).items
  assert.ok(listed.some(({ journeyId }: { journeyId: string }) => journeyId === begun.journeyId))
  const { code, errorOutput: otherKeys } = await commandLineWith({ LENDLOOM_KEYS: newSealKey('k1') }).runFailing(
    'journey',
    'list',
    '--json',
  )
  assert.equal(code, 1)
  assert.equal(JSON.parse(otherKeys).error.code, 'bad-session')
  assert.match(otherKeys, /LENDLOOM_KEYS of the command line differs/)
  const receiver = await startReceiver()
  after(() => receiver.stop())
  receiver.answer = () => 404
  assert.match(
    (await commandLineWith({ PUBLIC_URL: receiver.url('/') }).runFailing('journey', 'list')).errorOutput,
    /the platform failed: HTTP/,
  )
  const unreachable = commandLineWith({ PUBLIC_URL: `http://127.0.0.1:${await freePort()}` })
  assert.match(
    (await unreachable.runFailing('journey', 'list')).errorOutput,
    /the platform at \S+ is not reachable: ECONNREFUSED$/,
  )
})

test('a command-line token is valid for one request and one minute', async () => {
  const status = async (path: string, seconds: number, { method = 'GET', search = '', body = '' } = {}) => {
    const signed = { method, path, search, raw: Buffer.from(body) }
    const authorization = commandLineAuthorization(ctx.seal, signed, new Date(Date.now() + seconds * 1000))
    return (await ask(`${url}/api/console/views`, { headers: { authorization } })).status
  }
  assert.equal(await status('/api/console/views', 0), 200)
  assert.equal(await status('/api/console/people', 0), 401)
  assert.equal(await status('/api/console/views', 0, { body: '{}' }), 401)
  assert.equal(await status('/api/console/views', 0, { method: 'DELETE' }), 401)
  assert.equal(await status('/api/console/views', 0, { search: '?limit=1' }), 401)
  assert.equal(await status('/api/console/views', 90), 401)
  assert.equal(await status('/api/console/views', -90), 401)
})

test('a command-line token allows only one change, in any spelling', async () => {
  const raw = Buffer.from('{}')
  const signed = { method: 'POST', path: '/api/console/people/invitations', search: '', raw }
  const authorization = commandLineAuthorization(ctx.seal, signed, new Date())
  const send = async (token: string) => {
    const headers = { authorization: token, 'content-type': 'application/json' }
    return (await ask(url + signed.path, { method: 'POST', headers, body: raw.toString() })).status
  }
  assert.notEqual(await send(authorization), 401)
  assert.equal(await send(authorization), 401)
  const bytes = Buffer.from(authorization.slice(-43), 'base64url')
  const otherSpellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map((last) => authorization.slice(0, -1) + last)
    .filter((token) => bytes.equals(Buffer.from(token.slice(-43), 'base64url')))
  assert.equal(otherSpellings.length, 4)
  for (const token of otherSpellings) assert.equal(await send(token), 401)
})

test('a figure is printed as CSV', async () => {
  const { code, text } = await run('figures', 'csv', 'journeys.csv', '--range', '7d')
  assert.equal(code, 0, text)
  assert.match(text, /^Start .+,Count$/m, text)
  assert.equal((await runJson('figures', 'csv', 'journeys.csv', '--range', '7d')).trimEnd(), text)
  assert.match((await run('figures', 'csv', 'journey.csv')).errorOutput, /<file> must be one of journeys\.csv, /)
})

test('an invitation can be listed and withdrawn', async () => {
  await runJson('people', 'invite', 'meera@lend.example', '--name', 'Meera', '--role', 'operator')
  const data = await runJson('people', 'invitations')
  const [{ invitationId, email }] = data.items
  assert.equal(email, 'meera@lend.example')
  assert.match((await run('people', 'withdraw', invitationId)).text, /^withdrew /)
  assert.equal((await run('people', 'invitations')).text, 'No invitation is open.')
  assert.equal((await run('people', 'failures')).text, 'No sign-in has failed.')
})

test('shared views can be saved, changed and deleted', async () => {
  const view = await runJson(
    'views',
    'save',
    'Stuck',
    '--filter',
    'status=OFFERED',
    '--list',
    'journeys',
    '--shared',
    ...ofTenant,
  )
  const changed = await runJson('views', 'change', 'stuck', '--name', 'Stuck at offers', ...ofTenant)
  assert.equal(changed.name, 'Stuck at offers')
  assert.deepEqual(changed.filters, { status: 'OFFERED' })
  assert.equal(changed.version, 2)
  assert.match(
    (await run('views', 'list', ...ofTenant)).text,
    /^Stuck at offers +journeys +status=OFFERED +yes +command line/m,
  )
  assert.equal((await run('views', 'list')).text, 'No view is saved.', 'the platform does not have the tenant’s view')
  const wrong = await run(
    'views',
    'save',
    'Asha',
    '--filter',
    'borrower=asha',
    '--list',
    'journeys',
    '--shared',
    ...ofTenant,
  )
  assert.equal(wrong.code === 0, false)
  assert.match(wrong.errorOutput, /--filter borrower/)
  await runJson('views', 'delete', view.viewId, ...ofTenant)
  assert.equal((await run('views', 'list', ...ofTenant)).text, 'No view is saved.')
})
