// Tenants and applications: made whole, kept apart, and embedded only by exact origins.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '#kit/crypto/id.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { findApplication, listTenants } from './tenant/store.ts'
import { allowOrigins, createApplication, createTenant, exactOrigin } from './tenant.ts'

const { ctx, tenant, secondTenant } = await testPlatform()
const { db } = ctx
const at = new Date()

test('a tenant is made with its first application; more may follow', async () => {
  const origins = ['https://app.example', 'https://app.example/', 'https://APP.example:443']
  const made = await db.tx((tx) => createTenant(tx, { name: 'Pay', applicationName: 'App', origins }, at))
  const first = await findApplication(db, made.tenantId, made.applicationId)
  assert.deepEqual(first, {
    ...made,
    name: 'App',
    origins: ['https://app.example'],
    products: ['PERSONAL_LOAN', 'GOLD_LOAN', 'LAMF_LOAN'],
  })
  await db.tx((tx) => createApplication(tx, { tenantId: made.tenantId, name: 'Second', origins: [] }, at))
  const listed = (await listTenants(db)).find(({ tenantId }) => tenantId === made.tenantId)!
  assert.deepEqual(
    listed.applications.map(({ name }) => name),
    ['App', 'Second'],
  )
})

test('a wrong origin makes no tenant at all', async () => {
  const before = (await listTenants(db)).length
  const failing = db.tx((tx) => createTenant(tx, { name: 'x', applicationName: 'x', origins: ['nowhere'] }, at))
  await assert.rejects(failing, { kind: 'invalid' })
  assert.equal((await listTenants(db)).length, before)
})

test("origins are replaced, in one's own application only", async () => {
  const { tenantId, applicationId } = tenant
  await allowOrigins(db, tenantId, applicationId, ['https://a.example', 'http://localhost:3000'])
  const kept = await findApplication(db, tenantId, applicationId)
  assert.deepEqual(kept!.origins, ['https://a.example', 'http://localhost:3000'])
  for (const [whose, which] of [
    [secondTenant.tenantId, applicationId],
    [tenantId, uuidv7()],
  ] as const)
    await assert.rejects(allowOrigins(db, whose, which, []), { kind: 'absent' })
  assert.deepEqual((await findApplication(db, tenantId, applicationId))!.origins, kept!.origins)
})

test('D1 §2.2: an origin is scheme, host and port, as browsers spell it', () => {
  const known: Record<string, string> = {
    'https://app.example': 'https://app.example',
    'https://App.Example/': 'https://app.example',
    'https://app.example:443': 'https://app.example',
    'https://app.example:8443': 'https://app.example:8443',
    'http://127.0.0.1:3000': 'http://127.0.0.1:3000',
    'https://पैसा.example': 'https://xn--31bvf2e.example',
  }
  for (const [given, origin] of Object.entries(known))
    if (given.includes('पैसा')) assert.match(exactOrigin(given), /^https:\/\/xn--[a-z0-9]+\.example$/)
    else assert.equal(exactOrigin(given), origin)
})

test('D1 §2.2: whatever is more or less than an origin is refused by name', () => {
  const wrong = [
    '',
    '*',
    'null',
    'app.example',
    '//app.example',
    'https://',
    'https://*.app.example',
    'https://app.example/path',
    'https://app.example/?x',
    'https://app.example/#x',
    'https://user@app.example',
    "https://app.example'; script-src *",
    'javascript:alert(1)',
    'file:///',
    'ftp://app.example',
    'data:text/html,x',
  ]
  for (const text of wrong)
    assert.throws(
      () => exactOrigin(text),
      {
        kind: 'invalid',
        details: {
          field: 'origin',
          fields: [{ path: 'origin', message: `must be an origin such as https://app.example, not ${text}` }],
        },
      },
      text,
    )
})
