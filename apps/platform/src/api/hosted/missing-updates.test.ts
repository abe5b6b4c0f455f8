// The list of updates that were given up, over HTTP: content, pages, other tenants, size and replay.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { schedule } from '@lendloom/foundation/schedule'
import { sql } from '@lendloom/postgres/sql'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { immediateRetries } from '@lendloom/tests/setup/webhooks'
import { webhookDeliveryWorker } from '#platform/integrators/webhook/deliver-updates.ts'
import { deliveryOf, noFilter } from '#platform/integrators/webhook/delivery.ts'
import { insertDeliveries, listDeliveries } from '#platform/integrators/webhook/store.ts'

const { url, ctx, tenant, secondTenant } = await testPlatform()
const receiver = await startReceiver()
after(() => receiver.stop())
const endpoints = `${url}/api/lab/webhook-endpoints`
const deliveries = `${url}/api/lab/webhook-deliveries`
const list = async (query = '', { apiKey: key } = tenant) =>
  (await ask(`${deliveries}?missing=true${query}`, { key })).body.data
const webhookIds = async (query = '') =>
  (await list(query)).items.map(({ webhookID }: { webhookID: string }) => webhookID)

async function commitUpdate(journeyId: string, sequence: number): Promise<string> {
  const { tenantId, applicationId } = tenant
  const eventId = uuidv7(Date.now(), bucketOf(journeyId))
  const event = { tenantId, applicationId, journeyId, sequence, status: 'STARTED' as const, eventId }
  await ctx.db.tx((tx) => insertDeliveries(tx, deliveryOf(ctx, event, Buffer.from('{}'), null), new Date()))
  return eventId
}
const settled = () =>
  until('the deliveries', async () => {
    const { tenantId, applicationId } = tenant
    return (
      (await listDeliveries(ctx.db, { tenantId, applicationId }, { ...noFilter, state: 'PENDING' }, 1)).length === 0
    )
  })

test('D1 §6: GET lists the updates that were given up, by endpoint and journey, until a replay delivers them', async () => {
  const register = (path: string) =>
    ask(endpoints, { method: 'POST', key: tenant.apiKey, body: { url: receiver.url(path) } })
  const failing = (await register('/failing')).body
  const working = (await register('/working')).body
  receiver.answer = ({ path }) => (path === '/failing' ? 500 : 204)
  const worker = webhookDeliveryWorker(ctx, { ...immediateRetries, schedule: schedule([], 'give up') })
  const journeyId = uuidv4()
  const otherId = uuidv4()
  const lost = [await commitUpdate(journeyId, 1), await commitUpdate(journeyId, 2)]
  const other = await commitUpdate(otherId, 1)
  lost.sort()
  await settled()
  assert.deepEqual(await webhookIds(), [...lost, other].sort().reverse())
  assert.deepEqual(await webhookIds(`&journeyID=${journeyId}&endpointID=${failing.id}`), [lost[1], lost[0]])
  assert.deepEqual(await webhookIds(`&endpointID=${working.id}`), [])
  assert.deepEqual(await webhookIds('&state=DELIVERED'), [])
  assert.deepEqual((await list('', secondTenant)).items, [])
  for (const wrong of ['missing=false', 'missing=1', 'missing=true&missing=true']) {
    const { status, body } = await ask(`${deliveries}?${wrong}`, { key: tenant.apiKey })
    assert.equal(status, 400, wrong)
    assert.equal(body.error.details.field, 'missing', wrong)
  }

  receiver.answer = () => 204
  const [{ id }] = (await list(`&journeyID=${otherId}`)).items
  assert.equal((await ask(`${deliveries}/${id}/replay`, { method: 'POST', key: tenant.apiKey })).status, 202)
  assert.deepEqual(await webhookIds(`&journeyID=${otherId}`), [], 'it is tried again')
  await settled()
  assert.deepEqual(await webhookIds(), [lost[1], lost[0]])

  await ask(`${endpoints}/${failing.id}`, { method: 'DELETE', key: tenant.apiKey })
  assert.deepEqual(await webhookIds(), [lost[1], lost[0]], 'a removed endpoint did not get them either')
  await ctx.db`delete from webhook_delivery where journey_id = ${journeyId}`
  await worker.stop()
})

test('D1 §6: among many updates the list reads only those that were given up, in pages of at most a hundred', async () => {
  const { tenantId, applicationId } = tenant
  const insert = (from: number, count: number, state: string) => ctx.db`
    insert into webhook_delivery (bucket, tenant_id, application_id, delivery_id, destination_id, journey_id, sequence, status, event_id,
      body_sealed, state, created_at)
    select 0, ${tenantId}, ${applicationId}, (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid,
      (lpad(to_hex(n % 50), 8, '0') || '-0000-4000-8000-000000000000')::uuid,
      (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid, 1, 'STARTED', (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid,
      '\\x00', ${state}, now() from generate_series(${from}::integer, ${from + count - 1}::integer) as n`
  // With only a few endpoints, PostgreSQL expects that most updates belong to pages that listen, and sorts the rest.
  await insert(1, 1500, 'EXHAUSTED')
  await insert(1501, 1000, 'STOPPED')
  await insert(10_000, 20_000, 'DELIVERED')
  await ctx.db`analyze webhook_delivery`
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { items, page } = await list(`&limit=100${cursor}`)
    seen.push(...items.map(({ id }: { id: string }) => id))
    assert.ok(items.length <= 100)
    if (!page.hasMore) break
    cursor = `&cursor=${page.nextCursor}`
  }
  assert.equal(new Set(seen).size, 2500)
  assert.deepEqual(seen, seen.toSorted().reverse())
  const explain = (strings: TemplateStringsArray, ...values: never[]) =>
    ctx.db`explain (format json) ${sql(strings, ...values)}`
  const filter = { ...noFilter, isMissing: true }
  const [plan] = await listDeliveries(explain as never, { tenantId, applicationId }, filter, 101)
  const planText = JSON.stringify(plan)
  assert.match(planText, /"Index Name":"webhook_delivery_missing"/)
  assert.doesNotMatch(planText, /Seq Scan|Sort/)
})
