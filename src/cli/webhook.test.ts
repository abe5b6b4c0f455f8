// The webhook commands on a real database: endpoints come and go, deliveries are shown and replayed, mistakes are explained.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bucketOf, uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import { newSealKey, sealWith } from '#kit/crypto/seal.ts'
import { connect } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { createTenant } from '#platform/access/tenant.ts'
import { deliveryOf } from '#platform/webhook/delivery.ts'
import { insertDeliveries } from '#platform/webhook/store.ts'
import { testDatabase } from '#test/setup/database.ts'
import { CannotRun, UsageError } from './command.ts'
import { webhook } from './webhook.ts'

const env = { DATABASE_URL: await testDatabase('platform'), LENDLOOM_KEYS: newSealKey('k1') }
const db = connect(env.DATABASE_URL, { connections: 2 })
after(() => db.close())
const names = { name: 'Asha', applicationName: 'Shop', origins: [] }
const { tenantId: tenant, applicationId: application } = await db.tx((tx) => createTenant(tx, names, new Date()))

async function run(verb: string, args: string[] = [], options: Record<string, unknown> = {}) {
  const found = webhook.commands.find(({ name }) => name === `webhook ${verb}`)
  assert.ok(found && 'run' in found)
  const printed = await found.run({ args, options: { tenant, application, ...options }, json: false, env })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return printed as { text: string; data: any }
}

test('an endpoint is added, listed without its secret, rotated and removed', async () => {
  assert.equal((await run('list')).text, 'No endpoints yet.')
  const { text, data } = await run('add', ['http://127.0.0.1:9/hook'], { status: ['started', 'DISBURSED'] })
  assert.match(text, /^whsec_\S+\n/)
  const listed = await run('list')
  assert.match(listed.text, new RegExp(`${data.endpointId} +enabled +STARTED,DISBURSED +http://127.0.0.1:9/hook`))
  assert.doesNotMatch(JSON.stringify(listed.data), /whsec_/)
  const rotated = await run('rotate', [data.endpointId])
  assert.notEqual(rotated.data.secret, data.secret)
  await run('remove', [data.endpointId])
  await assert.rejects(run('remove', [data.endpointId]), Refusal)
  assert.equal((await run('list')).text, 'No endpoints yet.')
})

test('deliveries are shown by what is asked for, and one is replayed', async () => {
  await run('add', ['http://127.0.0.1:9/hook'])
  const journeyId = uuidv4()
  const event = { tenantId: tenant, applicationId: application, journeyId, sequence: 1, status: 'STARTED' as const }
  const eventId = uuidv7(Date.now(), bucketOf(journeyId))
  const update = deliveryOf({ seal: sealWith(env.LENDLOOM_KEYS) }, { ...event, eventId }, Buffer.from('{}'), null)
  await db.tx((tx) => insertDeliveries(tx, update, new Date()))
  const { text, data } = await run('deliveries', [], { journey: journeyId, state: 'pending', status: 'STARTED' })
  assert.match(text, /STARTED +PENDING +0/)
  assert.match((await run('deliveries', [], { event: eventId })).text, new RegExp(journeyId))
  const alone = { tenant: undefined, application: undefined }
  assert.match((await run('deliveries', [], { event: eventId, ...alone })).text, new RegExp(journeyId))
  assert.equal((await run('deliveries', [], { event: uuidv7(), ...alone })).text, 'There are none.')
  await assert.rejects(run('deliveries', [], alone), /--tenant is missing/)
  for (const other of [{ state: 'DELIVERED' }, { event: uuidv7() }])
    assert.equal((await run('deliveries', [], other)).text, 'There are none.')
  const { deliveryId } = data.deliveries[0]
  assert.equal((await run('replay', [deliveryId])).text, `${deliveryId} is due again`)
  await assert.rejects(run('replay', [uuidv4()]), Refusal)
})

test('alerts are shown, and changed by what is given', async () => {
  assert.match(
    (await run('alerts')).text,
    /after 10 failures, or when an update waits for 15 minutes\n(.*\n)*No outage yet/,
  )
  const { data } = await run('alerts', [], { failures: '3', email: ['ops@pay.example'], on: 'yes' })
  assert.deepEqual([data.settings.failures, data.settings.emails], [3, ['ops@pay.example']])
  assert.match((await run('alerts', [], { on: 'no' })).text, /told +nobody\nby mail +ops@pay\.example/)
  assert.equal((await run('alerts', [], { email: ['people'] })).data.settings.emails, null)
  await assert.rejects(run('alerts', [], { failures: '0' }), UsageError)
  await assert.rejects(run('alerts', [], { email: ['nobody'] }), UsageError)
  await assert.rejects(run('alerts', [], { endpoint: [uuidv4()] }), Refusal)
})

test('what cannot be meant is refused with what could be', async () => {
  await assert.rejects(run('add', ['https://10.0.0.1/hook']), Refusal)
  await assert.rejects(
    run('add', ['https://hooks.example.com/'], { status: ['SOON'] }),
    /must be one of STARTED, .*, not "SOON"/,
  )
  await assert.rejects(run('remove', ['nonsense']), UsageError)
  await assert.rejects(run('deliveries', [], { limit: '0' }), UsageError)
  await assert.rejects(run('deliveries', [], { state: 'LOST' }), UsageError)
  await assert.rejects(run('list', [], { tenant: undefined }), /--tenant is missing/)
  await assert.rejects(run('list', [], { application: uuidv4() }), CannotRun)
  await assert.rejects(run('list', [], { application: 'shop' }), CannotRun)
})
