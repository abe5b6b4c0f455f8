// The sandbox's tenants are the same on every start and for concurrent processes; their keys differ per installation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { apiKey } from './api-key.ts'
import { sandboxTenants } from './sandbox-tenants.ts'
import { listKeys } from './store.ts'
import { findApplication, listTenants, setOrigins } from './tenant/store.ts'

const { ctx, tenant, secondTenant } = await testPlatform()
const { db } = ctx
const start = (context = ctx) => db.tx((tx) => sandboxTenants({ ...context, tx, at: new Date() }))
/** Numbers of tenants, and of keys of the first tenant. */
const counts = async () => ({
  tenants: (await listTenants(db)).length,
  keys: (await listKeys(db, tenant.tenantId)).length,
})

test('docs/decisions/0024-sandbox-helps-nowhere-else.md: every start returns the same tenants and keys', async () => {
  assert.deepEqual(await start(), { tenant, secondTenant })
  assert.deepEqual(await counts(), { tenants: 2, keys: 1 })
})

test('processes that start concurrently on an empty database create the same tenants', async () => {
  await db`truncate tenant, application, api_key cascade`
  const results = await Promise.all(Array.from({ length: 6 }, () => start()))
  for (const each of results) assert.deepEqual(each, { tenant, secondTenant })
  assert.deepEqual(await counts(), { tenants: 2, keys: 1 })
})

test('each key works for its own tenant', async () => {
  for (const { tenantId, applicationId, apiKey: key } of [tenant, secondTenant]) {
    const headers = { authorization: `Bearer ${key}` }
    const integrator = await apiKey('sandbox').check({ headers, at: new Date(), answerHeaders: {} } as never, ctx)
    assert.equal(integrator.tenantId, tenantId)
    assert.equal(integrator.applicationId, applicationId)
  }
})

test('another installation has other keys for the same tenants', async () => {
  const otherInstallation = await start({ ...ctx, seal: sealWith(newSealKey('k1')) })
  assert.equal(otherInstallation.tenant.tenantId, tenant.tenantId)
  assert.notEqual(otherInstallation.tenant.apiKey, tenant.apiKey)
})

test('a start adds this installation’s origins and retains others', async () => {
  const { tenantId, applicationId } = tenant
  await setOrigins(db, tenantId, applicationId, ['https://mine.example'])
  await start()
  const { origins } = (await findApplication(db, tenantId, applicationId))!
  const { origin } = new URL(ctx.config.PUBLIC_URL)
  for (const each of ['https://mine.example', origin, 'http://localhost:*', 'http://127.0.0.1:*'])
    assert.ok(origins.includes(each), each)
  await start()
  assert.deepEqual((await findApplication(db, tenantId, applicationId))!.origins, origins)
})
