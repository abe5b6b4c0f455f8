// The webhook commands on a real database: endpoints, deliveries, replays and error messages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryOf } from '@lendloom/platform/src/integrators/webhook/delivery.ts'
import { insertDeliveries } from '@lendloom/platform/src/integrators/webhook/store.ts'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { testPlatform } from '@lendloom/tests/setup/platform'

const { ctx, tenant: testTenant } = await testPlatform()
const { tenantId, applicationId } = testTenant
const lendloom = commandLine(keysAndAddressOf(ctx))
const tenant = ['--tenant', tenantId] as const
const owner = [...tenant, '--application', applicationId] as const
const run = (...args: string[]) => lendloom.run('webhook', ...args)
const runJson = (...args: string[]) => lendloom.runJson('webhook', ...args)
const runFailing = (...args: string[]) => lendloom.runFailing('webhook', ...args)

test('an endpoint can be added, listed without its secret, rotated and removed', async () => {
  const none = 'No endpoints yet: lendloom webhook add <url>'
  assert.equal((await run('health', ...tenant)).text, none)
  const url = 'http://127.0.0.1:9/hook'
  const added = await run('add', url, ...owner, '--status', 'started', '--status', 'DISBURSED')
  const [, endpointId = ''] = /^whsec_\S+\n\nSave it now: .* The endpoint is (\S+)\.$/.exec(added.text) ?? []
  const listed = await run('health', ...tenant)
  assert.match(listed.text, new RegExp(`${endpointId} +idle .* ${url.slice(0, 16)}`))
  const shown = await runJson('show', endpointId, ...tenant)
  assert.deepEqual(shown.statuses, ['STARTED', 'DISBURSED'])
  assert.doesNotMatch(`${listed.text}${JSON.stringify(shown)}`, /whsec_/)
  const rotated = await runJson('rotate', endpointId, ...tenant)
  assert.match(rotated.secret, /^whsec_/)
  assert.ok(!added.text.includes(rotated.secret))
  assert.equal((await run('remove', endpointId, ...tenant)).text, `removed ${endpointId}`)
  assert.equal((await runFailing('remove', endpointId, ...tenant)).code, 1)
  assert.equal((await run('health', ...tenant)).text, none)
})

test('deliveries can be filtered, and a delivery can be resent', async () => {
  await runJson('add', 'http://127.0.0.1:9/hook', ...owner)
  const journeyId = uuidv4()
  const event = { tenantId, applicationId, journeyId, sequence: 1, status: 'STARTED' as const }
  const eventId = uuidv7(Date.now(), bucketOf(journeyId))
  const update = deliveryOf(ctx, { ...event, eventId }, Buffer.from('{}'), null)
  await ctx.db.tx((tx) => insertDeliveries(tx, update, new Date()))
  const listCommand = ['deliveries', '--journey', journeyId] as const
  assert.match(
    (await run(...listCommand, ...tenant, '--state', 'pending', '--status', 'STARTED')).text,
    /STARTED +PENDING +0/,
  )
  assert.equal((await runJson('deliveries', '--event', eventId, ...tenant)).items[0].journeyId, journeyId)
  assert.equal((await runJson('deliveries', '--event', eventId)).items[0].tenantId, tenantId)
  for (const other of [
    ['--event', uuidv7()],
    [...tenant, '--state', 'DELIVERED'],
    [...tenant, '--event', uuidv7()],
  ])
    assert.equal((await run('deliveries', ...other)).text, 'No deliveries found.')
  const [{ deliveryId }] = (await runJson(...listCommand)).items
  assert.equal((await run('replay', deliveryId, ...tenant)).text, `${deliveryId} is due again`)
  assert.equal((await run('replay', deliveryId)).text, `${deliveryId} is due again`, 'its tenant need not be named')
  assert.equal((await runFailing('replay', deliveryId, '--tenant', uuidv4())).code, 1)
  assert.deepEqual(await runFailing('replay', uuidv4()), {
    code: 1,
    errorOutput: 'lendloom: there is no such delivery',
  })
})

test('alert settings are shown and changed', async () => {
  assert.match(
    (await run('alerts', ...tenant)).text,
    /after 10 failures, or when an update waits for 15 minutes\n(.*\n)*No outage yet/,
  )
  const { settings } = await runJson(
    'alerts',
    ...tenant,
    '--failures',
    '3',
    '--email',
    'ops@pay.example',
    '--on',
    'yes',
  )
  assert.equal(settings.failures, 3)
  assert.deepEqual(settings.emails, ['ops@pay.example'])
  assert.match((await run('alerts', ...tenant, '--on', 'no')).text, /alerts +off\nby mail +ops@pay\.example/)
  assert.equal((await runJson('alerts', ...tenant, '--email', 'people')).settings.emails, null)
  assert.equal((await runFailing('alerts', ...tenant, '--failures', '0')).code, 2)
  assert.equal((await runFailing('alerts', ...tenant, '--email', 'nobody')).code, 2)
  assert.equal((await runFailing('alerts', ...tenant, '--endpoint', uuidv4())).code, 1)
})

test('a wrong option is refused with the allowed values', async () => {
  assert.match((await runFailing('add', 'https://10.0.0.1/hook', ...owner)).errorOutput, /url/)
  const { code, errorOutput: complaint } = await runFailing(
    'add',
    'https://hooks.example.com/',
    ...owner,
    '--status',
    'SOON',
  )
  assert.equal(code, 2)
  assert.match(complaint, /must be one of STARTED, .*, not "SOON"/)
  assert.match(
    (await runFailing('remove', 'nonsense', ...tenant)).errorOutput,
    /webhook endpoint nonsense does not exist/,
  )
  assert.match((await runFailing('deliveries', '--limit', '0')).errorOutput, /limit must be 1 to 200/)
  assert.equal((await runFailing('deliveries', '--state', 'LOST')).code, 2)
  assert.match((await runFailing('health')).errorOutput, /--tenant is missing/)
  const foreign = ['add', 'https://hooks.example.com/', ...tenant, '--application'] as const
  assert.match((await runFailing(...foreign, uuidv4())).errorOutput, /is not an application of this tenant/)
  assert.match((await runFailing(...foreign, 'shop')).errorOutput, /there is no application "shop"/)
})
