// What needs attention: failing endpoints and overdue complaints, by tenant and role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '#kit/crypto/id.ts'
import { consoleUser } from '#test/setup/console.ts'
import { testPlatform } from '#test/setup/platform.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const platform = await testPlatform({}, () => new Date(now))
const { ctx, tenant, secondTenant } = platform

const kindsOf = async (user: Awaited<ReturnType<typeof consoleUser>>, query = '') =>
  (await user.ask('GET', `/attention${query}`)).body.items.map((item: { kind: string; count: number }) => [
    item.kind,
    item.count,
  ])

test('lists failing endpoints and overdue complaints, only of the own tenant and only for roles that read them', async () => {
  const [operator, developer, support, outsider] = await Promise.all([
    consoleUser(platform, { role: 'operator' }),
    consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId }),
    consoleUser(platform, { role: 'support', tenantId: tenant.tenantId }),
    consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId }),
  ])
  assert.deepEqual(await kindsOf(operator), [])
  const { applicationId, tenantId } = tenant
  const created = await developer.ask('POST', '/webhooks/endpoints', { applicationId, url: 'http://127.0.0.1:9/hook' })
  const endpointId = created.body.endpoint.endpointId
  await ctx.db`
    insert into webhook_outage (tenant_id, outage_id, endpoint_id, why, failures, began_at)
    values (${tenantId}, ${uuidv7()}, ${endpointId}, 'FAILURES', 10, ${new Date(now)})`
  const request = { category: 'OTHER', text: 'The fee was charged twice.', language: 'en', email: 'a@mail.example' }
  assert.equal((await operator.ask('POST', '/complaints', request)).status, 201)
  now += 40 * 86_400_000
  const [again, tenantDeveloper, tenantSupport, other] = await Promise.all(
    [operator, developer, support, outsider].map(({ person }) =>
      consoleUser(platform, { role: person.role, tenantId: person.tenantId ?? undefined }),
    ),
  )
  assert.deepEqual(await kindsOf(again!), [
    ['FAILING_ENDPOINTS', 1],
    ['OVERDUE_COMPLAINTS', 1],
  ])
  const { items } = (await tenantDeveloper!.ask('GET', '/attention')).body
  assert.equal(items[0].endpoint.endpointId, endpointId)
  assert.deepEqual(await kindsOf(tenantDeveloper!), [['FAILING_ENDPOINTS', 1]])
  assert.deepEqual(await kindsOf(tenantSupport!), [['FAILING_ENDPOINTS', 1]], 'the complaint belongs to no tenant')
  assert.deepEqual(await kindsOf(other!), [])
  assert.ok([403, 404].includes((await other!.ask('GET', `/attention?tenantId=${tenantId}`)).status))
})
