// Saved list views: private or shared within a tenant, without personal data.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '@lendloom/identity/person'
import { consoleUser } from '@lendloom/tests/setup/console'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { removePerson } from '#platform/people/manage-people.ts'

const platform = await testPlatform()
const { ctx, tenant, secondTenant } = platform
const { tenantId } = tenant
const developer = await consoleUser(platform, { role: 'developer', tenantId })
const support = await consoleUser(platform, { role: 'support', tenantId })
const admin = await consoleUser(platform, { role: 'admin', tenantId })
const outsider = await consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId })
const operator = await consoleUser(platform, { role: 'operator' })

const viewBody = { list: 'journeys', name: 'Stuck', filters: { status: 'OFFERED', product: 'PERSONAL_LOAN' } }
const namesOf = async (user: typeof developer, path = '/views') =>
  (await user.ask('GET', path)).body.items.map(({ name }: { name: string }) => name)
const statusAndFieldOf = ({ status, body }: Awaited<ReturnType<typeof developer.ask>>) => [
  status,
  body.error?.details?.field,
]

test('a view is private until its owner shares it with colleagues of the tenant', async () => {
  const saved = await developer.ask('POST', '/views', viewBody)
  assert.equal(saved.status, 201)
  const { viewId, version, isShared, isOwn, mayChange } = saved.body
  assert.equal(version, 1)
  assert.equal(isShared, false)
  assert.equal(isOwn, true)
  assert.equal(mayChange, true)
  assert.deepEqual(await namesOf(developer, '/views?list=journeys'), ['Stuck'])
  assert.deepEqual(await namesOf(developer, '/views?list=complaints'), [])
  for (const other of [support, admin, outsider, operator]) {
    assert.deepEqual(await namesOf(other), [])
    assert.equal((await other.ask('PATCH', `/views/${viewId}`, { version: 1, name: 'Mine' })).status, 404)
    assert.equal((await other.ask('DELETE', `/views/${viewId}`)).status, 404)
  }
  assert.equal((await developer.ask('PATCH', `/views/${viewId}`, { version: 1, isShared: true })).body.version, 2)
  assert.deepEqual(await namesOf(support), ['Stuck'])
  const [sharedView] = (await support.ask('GET', '/views')).body.items
  assert.equal(sharedView.isOwn, false)
  assert.equal(sharedView.mayChange, false)
  assert.equal(sharedView.by, developer.person.name)
  assert.equal(
    (await support.ask('DELETE', `/views/${viewId}`)).status,
    403,
    'only the owner and admins may delete a view',
  )
  for (const other of [outsider, operator]) assert.deepEqual(await namesOf(other), [])
  assert.equal((await outsider.ask('GET', `/views?tenantId=${tenantId}`)).status, 404)
  assert.equal((await operator.ask('GET', `/views?tenantId=${tenantId}`)).status, 403)

  const renamed = await admin.ask('PATCH', `/views/${viewId}`, { version: 2, name: ' Stuck  at offers ' })
  assert.equal(renamed.body.name, 'Stuck at offers')
  assert.equal(renamed.body.version, 3)
  const outdated = await developer.ask('PATCH', `/views/${viewId}`, { version: 2, name: 'Late' })
  assert.equal(outdated.status, 409)
  assert.match(outdated.body.error.message, /has changed since/)
  assert.equal((await developer.ask('DELETE', `/views/${viewId}?version=2`)).status, 409)
  assert.equal((await developer.ask('DELETE', `/views/${viewId}?version=3`)).status, 204)
  assert.deepEqual(await namesOf(support), [])
  const acts = await ctx.db<{ act: string }>`
    select act from audit_entry where tenant_id = ${tenantId} and subject = ${viewId} order by sequence`
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['VIEW_SHARED', 'VIEW_SHARED', 'VIEW_REMOVED'],
  )
})

test('rejects personal data, unknown filters and unknown lists of a view, and names the field', async () => {
  const saveWith = async (change: object) =>
    statusAndFieldOf(await support.ask('POST', '/views', { ...viewBody, ...change }))
  assert.deepEqual(await saveWith({ filters: { borrower: 'asha' } }), [400, 'filters.borrower'])
  assert.deepEqual(await saveWith({ filters: { journey: '9876543210' } }), [400, 'filters.journey'])
  assert.deepEqual(await saveWith({ filters: { status: '9876543210' } }), [400, 'filters.status'])
  assert.deepEqual(await saveWith({ filters: { __proto__x: 'a' } }), [400, 'filters.__proto__x'])
  assert.deepEqual(await saveWith({ filters: {} }), [400, 'filters'])
  assert.deepEqual(await saveWith({ list: 'people' }), [400, 'list'])
  for (const name of ['98765 43210', 'of ABCDE1234F', 'a@b.example', ' ', 'x'.repeat(61)])
    assert.deepEqual(await saveWith({ name }), [400, 'name'], name)
  assert.equal((await support.ask('POST', '/views', viewBody)).status, 201)
  assert.deepEqual(await saveWith({ name: 'STUCK' }), [400, 'name'], 'a view of this name exists')
  assert.deepEqual(await namesOf(support), ['Stuck'])
})

test('a person may save 50 views per list; removing the person deletes only the private ones', async () => {
  const ownPlatform = await testPlatform()
  const { ctx: ownCtx, tenant: ownTenant } = ownPlatform
  const collector = await consoleUser(ownPlatform, { role: 'support', tenantId: ownTenant.tenantId })
  const colleague = await consoleUser(ownPlatform, { role: 'admin', tenantId: ownTenant.tenantId })
  assert.equal((await collector.ask('POST', '/views', viewBody)).status, 201)
  for (let i = 1; i < 50; i++)
    assert.equal(
      (await collector.ask('POST', '/views', { ...viewBody, name: `View ${i}`, isShared: i === 1 })).status,
      201,
    )
  assert.equal((await collector.ask('POST', '/views', { ...viewBody, name: 'View 51' })).status, 409)
  const other = { list: 'complaints', name: 'Overdue', filters: { due: 'overdue', assignee: 'me' } }
  assert.equal((await collector.ask('POST', '/views', other)).status, 201, 'the limit is per list')
  await ownCtx.db.tx((tx) => removePerson({ ...ownCtx, tx, at: ownCtx.clock() }, null, keyOf(collector.person)))
  assert.deepEqual(await namesOf(colleague), ['View 1'])
  const rows = await ownCtx.db`select 1 from staff_view where tenant_id = ${ownTenant.tenantId}`
  assert.equal(rows.length, 1)
})
