// The console's audit log: filters, CSV export and tenant isolation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '@lendloom/postgres/sql'
import { consoleUser } from '@lendloom/tests/setup/console'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { noteStaffAct } from '#platform/people/audit.ts'

const platform = await testPlatform()
const { ctx, tenant, secondTenant } = platform
const tenantKey = { tenantId: tenant.tenantId }
const admin = await consoleUser(platform, { role: 'admin', name: 'Asha Admin', ...tenantKey })
const outsider = await consoleUser(platform, { role: 'admin', tenantId: secondTenant.tenantId })
const subject = '01a1ffa0-0000-7000-8000-000000000001'
const addEntry = (person: typeof admin.person | null, act: string, at: string) =>
  ctx.db.tx((tx) => noteStaffAct({ tx, at: new Date(at) }, person, { act, subject, ...tenantKey }))
await addEntry(admin.person, 'KEY_CREATED', '2026-11-20T18:29:00.000Z')
await addEntry(null, 'KEY_REVOKED', '2026-11-20T18:31:00.000Z')
await addEntry(admin.person, 'NOTE_ADDED', '2026-11-22T10:00:00.000Z')

const listActs = async (query: string) =>
  (await admin.ask('GET', `/audit?${query}`)).body.items.map(({ act }: { act: string }) => act)

test('filters entries by person, act, subject and Indian day', async () => {
  assert.deepEqual(await listActs(`person=${admin.person.personId}&subject=${subject}`), ['NOTE_ADDED', 'KEY_CREATED'])
  assert.deepEqual(await listActs('person=command-line'), ['KEY_REVOKED'])
  assert.deepEqual(await listActs('act=KEY_CREATED'), ['KEY_CREATED'])
  assert.deepEqual(await listActs('from=2026-11-21&until=2026-11-21'), ['KEY_REVOKED'])
  assert.deepEqual(await listActs('until=2026-11-20'), ['KEY_CREATED'])
  for (const [query, field] of [
    ['from=2026-13-45', 'from'],
    ['person=unknown', 'person'],
  ] as const) {
    const { status, body } = await admin.ask('GET', `/audit?${query}`)
    assert.equal(status, 400)
    assert.equal(body.error.details.field ?? body.error.details.fields[0].path, field)
  }
})

test('lists the acts of the log once each, but not those of another tenant', async () => {
  assert.deepEqual((await admin.ask('GET', '/audit/acts')).body, {
    items: ['KEY_CREATED', 'KEY_REVOKED', 'NOTE_ADDED'],
    next: null,
  })
  assert.equal((await outsider.ask('GET', `/audit/acts?tenantId=${tenant.tenantId}`)).status, 404)
  assert.deepEqual((await outsider.ask('GET', '/audit/acts')).body.items, [])
})

test('exports all entries as CSV, also beyond the 500 of a page', async () => {
  const at = new Date('2026-11-18T10:00:00.000Z')
  const add = (tx: Tx) => noteStaffAct({ tx, at }, null, { act: 'CLOCK_MOVED', ...tenantKey })
  await ctx.db.tx(async (tx) => {
    for (let entry = 0; entry < 1001; entry++) await add(tx)
  })
  const { body: csv } = await admin.ask('GET', '/audit/csv?act=CLOCK_MOVED')
  const lines = csv.trim().split('\r\n')
  assert.equal(lines.length, 1002)
  assert.equal(new Set(lines.map((line: string) => line.split(',')[0])).size, 1002)
})

test('exports filtered entries as CSV, but none to staff of another tenant', async () => {
  const headers = { cookie: admin.cookie }
  const csvUrl = `${platform.url}/api/console/audit/csv?act=KEY_CREATED`
  const text = await (await fetch(csvUrl, { headers })).text()
  assert.match(
    text,
    /^\ufeff?number,at,person_id,person,act,subject,detail,digest\r\n\d+,2026-11-20T18:29:00.000000Z,[^,]+,Asha Admin,KEY_CREATED,/,
  )
  const otherTenant = await fetch(`${csvUrl}&tenantId=${tenant.tenantId}`, { headers: { cookie: outsider.cookie } })
  assert.equal(otherTenant.status, 404)
})
