// Creation of tenants and applications, and validation of the origins that may embed them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '@lendloom/seal/id'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { findApplication, listTenants } from './tenant/store.ts'
import { allowOrigins, createApplication, createTenant, exactOrigin } from './tenant.ts'

const { ctx, tenant, secondTenant } = await testPlatform()
const { db } = ctx
const at = new Date()

test('a tenant is created with its first application and can have more applications', async () => {
  const origins = ['https://app.example', 'https://app.example/', 'https://APP.example:443']
  const created = await db.tx((tx) => createTenant(tx, { name: 'Pay', applicationName: 'App', origins }, at))
  const first = await findApplication(db, created.tenantId, created.applicationId)
  assert.deepEqual(first, {
    ...created,
    name: 'App',
    origins: ['https://app.example'],
    products: ['PERSONAL_LOAN', 'GOLD_LOAN', 'LAMF_LOAN'],
  })
  await db.tx((tx) => createApplication(tx, { tenantId: created.tenantId, name: 'Second', origins: [] }, at))
  const listed = (await listTenants(db)).find(({ tenantId }) => tenantId === created.tenantId)!
  assert.deepEqual(
    listed.applications.map(({ name }) => name),
    ['App', 'Second'],
  )
})

test('an invalid origin creates no tenant', async () => {
  const countBefore = (await listTenants(db)).length
  const failing = db.tx((tx) => createTenant(tx, { name: 'x', applicationName: 'x', origins: ['not-an-origin'] }, at))
  await assert.rejects(failing, { kind: 'invalid' })
  assert.equal((await listTenants(db)).length, countBefore)
})

test("origins are replaced only in the tenant's own application", async () => {
  const { tenantId, applicationId } = tenant
  await allowOrigins(db, tenantId, applicationId, ['https://a.example', 'http://localhost:3000'])
  const stored = await findApplication(db, tenantId, applicationId)
  assert.deepEqual(stored!.origins, ['https://a.example', 'http://localhost:3000'])
  for (const [tenant, application] of [
    [secondTenant.tenantId, applicationId],
    [tenantId, uuidv7()],
  ] as const)
    await assert.rejects(allowOrigins(db, tenant, application, []), { kind: 'absent' })
  assert.deepEqual((await findApplication(db, tenantId, applicationId))!.origins, stored!.origins)
})

test('D1 §2.2: an origin is normalised to scheme, host and port, as in browsers', () => {
  const cases: Record<string, string> = {
    'https://app.example': 'https://app.example',
    'https://App.Example/': 'https://app.example',
    'https://app.example:443': 'https://app.example',
    'https://app.example:8443': 'https://app.example:8443',
    'http://127.0.0.1:3000': 'http://127.0.0.1:3000',
    'https://पैसा.example': 'https://xn--31bvf2e.example',
  }
  for (const [input, origin] of Object.entries(cases))
    if (input.includes('पैसा')) assert.match(exactOrigin(input), /^https:\/\/xn--[a-z0-9]+\.example$/)
    else assert.equal(exactOrigin(input), origin)
})

test('D1 §2.2: every text that is not exactly an origin is rejected', () => {
  const invalidOrigins = [
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
  for (const text of invalidOrigins)
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
