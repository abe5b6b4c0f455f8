// Admins end the sessions of people of their tenant, with audit entries.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consolePassword, consoleUser } from '@lendloom/tests/setup/console'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { listNewest } from '#platform/people/audit/store.ts'

const platform = await testPlatform()
const { url, ctx, tenant, secondTenant } = platform
const tenantKey = { tenantId: tenant.tenantId }

test('an admin lists a colleague’s sessions and ends one or all, with audit entries', async () => {
  const admin = await consoleUser(platform, { role: 'admin', ...tenantKey })
  const colleague = await consoleUser(platform, { role: 'support', ...tenantKey })
  const path = `/people/${colleague.person.personId}/sessions`
  const body = { email: colleague.person.email, password: consolePassword }
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
  assert.equal((await ask(`${url}/api/console/sign-in`, { method: 'POST', body, headers })).status, 200)
  const { items } = (await admin.ask('GET', path)).body
  assert.equal(items.length, 2)
  assert.equal(items[0].browser, 'Firefox, Linux')
  assert.equal(items[0].isCurrent, false)
  assert.equal((await admin.ask('DELETE', `${path}/${colleague.person.sessionId}`)).status, 204)
  assert.equal((await colleague.ask('GET', '/me')).status, 401)
  assert.equal(
    (await admin.ask('DELETE', `${path}/${colleague.person.sessionId}`)).status,
    404,
    'the session has already ended',
  )
  assert.equal(
    (await admin.ask('DELETE', `${path}/${admin.person.sessionId}`)).status,
    404,
    'the session belongs to another person',
  )
  assert.equal((await admin.ask('DELETE', path)).status, 204)
  assert.deepEqual((await admin.ask('GET', path)).body.items, [])
  const acts = await listNewest(ctx.db, tenant.tenantId, null, 2)
  assert.deepEqual(
    acts.map(({ act, subject, personId, detail }) => ({ act, subject, personId, detail: JSON.parse(detail) })),
    [
      {
        act: 'SESSIONS_ENDED',
        subject: colleague.person.personId,
        personId: admin.person.personId,
        detail: { sessions: 1 },
      },
      {
        act: 'SESSION_ENDED',
        subject: colleague.person.personId,
        personId: admin.person.personId,
        detail: { session: colleague.person.sessionId },
      },
    ],
  )
})

test('sessions of other tenants look absent to admins; only admins can list and end sessions', async () => {
  const colleague = await consoleUser(platform, { role: 'viewer', ...tenantKey })
  const operator = await consoleUser(platform, { role: 'operator' })
  const outsider = await consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId })
  const developer = await consoleUser(platform, { role: 'developer', ...tenantKey })
  const boss = await consoleUser(platform, { role: 'admin' })
  for (const target of [colleague, operator])
    for (const query of ['', `?tenantId=${tenant.tenantId}`])
      for (const [method, id] of [
        ['GET', ''],
        ['DELETE', ''],
        ['DELETE', `/${target.person.sessionId}`],
      ] as const) {
        const path = `/people/${target.person.personId}/sessions${id}${query}`
        assert.equal((await outsider.ask(method, path)).status, 404, `${method} ${path}`)
        assert.equal((await developer.ask(method, path)).status, 403, `${method} ${path}`)
      }
  assert.equal((await colleague.ask('GET', '/me')).status, 200)
  const path = `/people/${colleague.person.personId}/sessions`
  assert.equal((await boss.ask('DELETE', path)).status, 404, 'the person belongs to the tenant, not to the platform')
  assert.equal((await boss.ask('DELETE', `${path}?tenantId=${tenant.tenantId}`)).status, 204)
  assert.equal((await colleague.ask('GET', '/me')).status, 401)
})
