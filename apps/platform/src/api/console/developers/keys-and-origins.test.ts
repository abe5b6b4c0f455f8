// Developers manage the tenant's API keys and allowed origins in the console: effects, permissions, audit entries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleUser } from '@lendloom/tests/setup/console'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { listNewest } from '#platform/people/audit/store.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const platform = await testPlatform({}, () => new Date(now))
const { url, ctx, tenant, secondTenant } = platform
const developer = await consoleUser(platform, { role: 'developer', tenantId: tenant.tenantId })
const path = '/developers/keys'

const createKey = async (body: object = {}) => {
  const scopes = ['sessions', 'webhooks']
  return developer.ask('POST', path, { applicationId: tenant.applicationId, label: 'checkout', scopes, ...body })
}
const isAccepted = async (apiKey: string) =>
  (await ask(`${url}/api/lab/sessions`, { method: 'POST', key: apiKey, body: {} })).status !== 401
const findKey = async (keyId: string) =>
  (await developer.ask('GET', path)).body.items.find((each: { keyId: string }) => each.keyId === keyId)

test('D1 §5: a new key works, and the list of keys does not contain its secret', async () => {
  const created = await createKey({ expiresInDays: 30 })
  assert.equal(created.status, 201)
  assert.equal(await isAccepted(created.body.apiKey), true)
  const listed = await findKey(created.body.keyId)
  assert.equal(listed.label, 'checkout')
  assert.deepEqual(listed.scopes, ['sessions', 'webhooks'])
  assert.equal(listed.expiresAt, '2026-12-21T10:00:00.000Z')
  assert.equal(JSON.stringify(listed).includes(created.body.apiKey), false)
})

test('a rolled key works until the overlap ends', async () => {
  const oldKey = (await createKey()).body
  const newKey = await developer.ask('POST', `${path}/${oldKey.keyId}/roll`, { overlapHours: 2 })
  assert.equal(newKey.status, 201)
  assert.equal(await isAccepted(oldKey.apiKey), true)
  assert.equal(await isAccepted(newKey.body.apiKey), true)
  assert.deepEqual((await findKey(newKey.body.keyId)).scopes, ['sessions', 'webhooks'])
  // The requests keep the console session open, which ends after an hour without a request.
  for (let i = 0; i < 4; i++) {
    now += 30 * 60_000
    await developer.ask('GET', '/me')
  }
  assert.equal(await isAccepted(oldKey.apiKey), false)
  assert.equal(await isAccepted(newKey.body.apiKey), true)
  const secondRoll = await developer.ask('POST', `${path}/${oldKey.keyId}/roll`, { overlapHours: 2 })
  assert.equal(secondRoll.status, 409)
  assert.equal((await developer.ask('POST', `${path}/unknown/roll`, { overlapHours: 2 })).status, 404)
})

test('a revoked key stops working at once', async () => {
  const { keyId, apiKey } = (await createKey()).body
  assert.equal((await developer.ask('DELETE', `${path}/${keyId}`)).status, 204)
  now += 10_000
  assert.equal(await isAccepted(apiKey), false)
  assert.ok((await findKey(keyId)).revokedAt)
})

test('replaces all origins, or none if one of them is invalid', async () => {
  const originsPath = `/developers/applications/${tenant.applicationId}/origins`
  const before = (await developer.ask('GET', '/developers/applications')).body.items
  const refused = await developer.ask('PUT', originsPath, { origins: ['https://shop.example', 'shop.example/path'] })
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.details.field ?? refused.body.error.details.fields[0].path, 'origin')
  assert.deepEqual((await developer.ask('GET', '/developers/applications')).body.items, before)
  const [existingOrigin] = before[0].origins
  assert.equal(
    (await developer.ask('PUT', originsPath, { origins: [existingOrigin, 'https://shop.example'] })).status,
    204,
  )
  const [application] = (await developer.ask('GET', '/developers/applications')).body.items
  assert.deepEqual(application.origins, [existingOrigin, 'https://shop.example'])
})

test('refuses changes by staff of other tenants and by viewers', async () => {
  const { keyId } = (await createKey()).body
  const outsider = await consoleUser(platform, { role: 'developer', tenantId: secondTenant.tenantId })
  const viewer = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId })
  const body = { applicationId: tenant.applicationId, label: 'x', scopes: ['sessions'] }
  const calls: [method: string, path: string, body?: object][] = [
    ['POST', path, body],
    ['POST', `${path}/${keyId}/roll`, { overlapHours: 0 }],
    ['DELETE', `${path}/${keyId}`],
    ['PUT', `/developers/applications/${tenant.applicationId}/origins`, { origins: [] }],
  ]
  for (const [method, callPath, callBody] of calls) {
    assert.equal((await outsider.ask(method, callPath, callBody)).status, 404, `${method} ${callPath}`)
    assert.equal(
      (await outsider.ask(method, `${callPath}?tenantId=${tenant.tenantId}`, callBody)).status,
      404,
      `${method} ${callPath}, with tenantId`,
    )
    assert.equal((await viewer.ask(method, callPath, callBody)).status, 403, `${method} ${callPath}, as a viewer`)
  }
  assert.deepEqual(
    (await outsider.ask('GET', path)).body.items.filter((each: { keyId: string }) => each.keyId === keyId),
    [],
  )
  assert.equal((await findKey(keyId)).revokedAt, null)
})

test('the tenant’s audit log contains every change, but no secret of a key', async () => {
  const { keyId, apiKey } = (await createKey({ label: 'audited' })).body
  const originsPath = `/developers/applications/${tenant.applicationId}/origins`
  assert.equal((await developer.ask('POST', `${path}/${keyId}/roll`, { overlapHours: 2 })).status, 201)
  assert.equal((await developer.ask('DELETE', `${path}/${keyId}`)).status, 204)
  assert.equal((await developer.ask('PUT', originsPath, { origins: ['https://audited.example'] })).status, 204)
  const entries = await listNewest(ctx.db, tenant.tenantId, null, 50)
  const createEntry = entries.find(({ act, subject }) => act === 'KEY_CREATED' && subject === keyId)
  assert.equal(createEntry?.personId, developer.person.personId)
  assert.equal(JSON.stringify(entries).includes(apiKey), false)
  for (const act of ['KEY_ROLLED', 'KEY_REVOKED', 'ORIGINS_CHANGED'])
    assert.ok(
      entries.some((each) => each.act === act),
      act,
    )
})
