// The webhook commands on a real database: endpoints, deliveries, replays and error messages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketOf, uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import { deliveryOf } from '#platform/webhook/delivery.ts'
import { insertDeliveries } from '#platform/webhook/store.ts'
import { commandLine, keysAndAddressOf } from '#test/setup/command-line.ts'
import { testPlatform } from '#test/setup/platform.ts'

const { ctx, tenant: made } = await testPlatform()
const { tenantId, applicationId } = made
const lendloom = commandLine(keysAndAddressOf(ctx))
const tenant = ['--tenant', tenantId] as const
const whose = [...tenant, '--application', applicationId] as const
const run = (...args: string[]) => lendloom.run('webhook', ...args)
const done = (...args: string[]) => lendloom.runJson('webhook', ...args)
const refused = (...args: string[]) => lendloom.runFailing('webhook', ...args)

test('an endpoint is added, listed without its secret, rotated and removed', async () => {
  const none = 'No endpoints yet: lendloom webhook add <url>'
  assert.equal((await run('health', ...tenant)).text, none)
  const url = 'http://127.0.0.1:9/hook'
  const added = await run('add', url, ...whose, '--status', 'started', '--status', 'DISBURSED')
  const [, endpointId = ''] = /^whsec_\S+\n\nKeep it now: .* The endpoint is (\S+)\.$/.exec(added.text) ?? []
  const listed = await run('health', ...tenant)
  assert.match(listed.text, new RegExp(`${endpointId} +idle .* ${url}`))
  const shown = await done('show', endpointId, ...tenant)
  assert.deepEqual(shown.statuses, ['STARTED', 'DISBURSED'])
  assert.doesNotMatch(`${listed.text}${JSON.stringify(shown)}`, /whsec_/)
  const rotated = await done('rotate', endpointId, ...tenant)
  assert.match(rotated.secret, /^whsec_/)
  assert.ok(!added.text.includes(rotated.secret))
  assert.equal((await run('remove', endpointId, ...tenant)).text, `removed ${endpointId}`)
  assert.equal((await refused('remove', endpointId, ...tenant))[0], 1)
  assert.equal((await run('health', ...tenant)).text, none)
})

test('deliveries are filtered, and one is resent', async () => {
  await done('add', 'http://127.0.0.1:9/hook', ...whose)
  const journeyId = uuidv4()
  const event = { tenantId, applicationId, journeyId, sequence: 1, status: 'STARTED' as const }
  const eventId = uuidv7(Date.now(), bucketOf(journeyId))
  const update = deliveryOf(ctx, { ...event, eventId }, Buffer.from('{}'), null)
  await ctx.db.tx((tx) => insertDeliveries(tx, update, new Date()))
  const of = ['deliveries', '--journey', journeyId] as const
  assert.match((await run(...of, ...tenant, '--state', 'pending', '--status', 'STARTED')).text, /STARTED +PENDING +0/)
  assert.match((await run('deliveries', '--event', eventId, ...tenant)).text, new RegExp(journeyId))
  assert.match((await run('deliveries', '--event', eventId)).text, new RegExp(`${tenantId} +${journeyId}`))
  for (const other of [
    ['--event', uuidv7()],
    [...tenant, '--state', 'DELIVERED'],
    [...tenant, '--event', uuidv7()],
  ])
    assert.equal((await run('deliveries', ...other)).text, 'No deliveries found.')
  const [{ deliveryId }] = (await done(...of)).items
  assert.equal((await run('replay', deliveryId, ...tenant)).text, `${deliveryId} is due again`)
  assert.equal((await run('replay', deliveryId)).text, `${deliveryId} is due again`, 'its tenant need not be named')
  assert.equal((await refused('replay', deliveryId, '--tenant', uuidv4()))[0], 1)
  assert.deepEqual(await refused('replay', uuidv4()), [1, 'lendloom: there is no such delivery'])
})

test('alert settings are shown and changed', async () => {
  assert.match(
    (await run('alerts', ...tenant)).text,
    /after 10 failures, or when an update waits for 15 minutes\n(.*\n)*No outage yet/,
  )
  const { settings } = await done('alerts', ...tenant, '--failures', '3', '--email', 'ops@pay.example', '--on', 'yes')
  assert.deepEqual([settings.failures, settings.emails], [3, ['ops@pay.example']])
  assert.match((await run('alerts', ...tenant, '--on', 'no')).text, /alerts +off\nby mail +ops@pay\.example/)
  assert.equal((await done('alerts', ...tenant, '--email', 'people')).settings.emails, null)
  assert.equal((await refused('alerts', ...tenant, '--failures', '0'))[0], 2)
  assert.equal((await refused('alerts', ...tenant, '--email', 'nobody'))[0], 2)
  assert.equal((await refused('alerts', ...tenant, '--endpoint', uuidv4()))[0], 1)
})

test('a wrong option is refused with the allowed values', async () => {
  assert.match((await refused('add', 'https://10.0.0.1/hook', ...whose))[1], /url/)
  const [code, complaint] = await refused('add', 'https://hooks.example.com/', ...whose, '--status', 'SOON')
  assert.deepEqual([code, /must be one of STARTED, .*, not "SOON"/.test(complaint)], [2, true])
  assert.equal((await refused('remove', 'nonsense', ...tenant))[0], 2)
  assert.match((await refused('deliveries', '--limit', '0'))[1], /limit must be 1 to 200/)
  assert.equal((await refused('deliveries', '--state', 'LOST'))[0], 2)
  assert.match((await refused('health'))[1], /--tenant is missing/)
  const foreign = ['add', 'https://hooks.example.com/', ...tenant, '--application'] as const
  assert.match((await refused(...foreign, uuidv4()))[1], /is not an application of this tenant/)
  assert.match((await refused(...foreign, 'shop'))[1], /applicationId must be an id/)
})
