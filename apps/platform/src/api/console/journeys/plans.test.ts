// Query plans of the console over thousands of journeys: every search and filter uses an index.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productIds } from '@lendloom/lending/product/products'
import { type Fragment, type Run, sql } from '@lendloom/postgres/sql'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { searchKinds, timelineKinds } from '@lendloom/wire/console/journey-lists'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { indexRangesOf, listStatement } from './journeys-store.ts'
import { type SearchKey, searchStatement } from './search-store.ts'
import { timelineStatement } from './timeline-store.ts'

const { ctx, tenant, secondTenant } = await testPlatform()
const { db } = ctx
const journeyCount = 6000

// Each of two tenants has 6000 journeys, each with a delivery and ten network messages.
await db.tx(async (tx) => {
  const ids = sql`lpad(to_hex(n), 8, '0') || '-0000-7' || lpad(to_hex(n % 4096), 3, '0') || '-8000-' || right(t.tenant_id::text, 12)`
  const rows = sql`(select t.tenant_id, t.application_id, n from application t, generate_series(1, ${journeyCount}::integer) as n) as t`
  const at = ctx.clock()
  await tx`insert into borrower (bucket, tenant_id, borrower_id, external_id, mobile_digest, created_at)
    select n % 4096, t.tenant_id, (${ids})::uuid, 'borrower-' || n, sha256(n::text::bytea), ${at}::timestamptz from ${rows}`
  await tx`insert into journey (bucket, tenant_id, journey_id, application_id, borrower_id, type, status, active, network_transaction_id,
      last_borrower_act_at, created_at, updated_at)
    select n % 4096, t.tenant_id, (${ids})::uuid, t.application_id, (${ids})::uuid, (${[...productIds]}::text[])[1 + n % 3],
      (${[...statuses]}::text[])[1 + n % 9], true, (${ids})::uuid, ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz from ${rows}`
  await tx`insert into profile (bucket, tenant_id, journey_id, profile_sealed, pan_digest, email_digest, official_email_digest, updated_at)
    select n % 4096, t.tenant_id, (${ids})::uuid, '\\x00', sha256(n::text::bytea), sha256(n::text::bytea), sha256(n::text::bytea), ${at}::timestamptz from ${rows}`
  await tx`insert into lifecycle_event (bucket, tenant_id, journey_id, status, sequence, event_id, payload_sealed, correlation_id, at)
    select n % 4096, t.tenant_id, (${ids})::uuid, 'STARTED', 1, (${ids})::uuid, '\\x00', 'c-' || n, ${at}::timestamptz from ${rows}`
  await tx`insert into webhook_delivery (bucket, tenant_id, application_id, delivery_id, destination_id, journey_id, sequence, status, event_id,
      body_sealed, state, created_at)
    select n % 4096, t.tenant_id, t.application_id, (${ids})::uuid, (${ids})::uuid, (${ids})::uuid, 1, 'STARTED', (${ids})::uuid, '\\x00',
      'DELIVERED', ${at}::timestamptz from ${rows}`
  await tx`insert into network_message (bucket, tenant_id, journey_id, message_key, direction, party, action, message_id, body_sealed, at)
    select n % 4096, t.tenant_id, (${ids})::uuid, (lpad(to_hex(m), 8, '0') || right((${ids}), 28))::uuid, 'received', 'p', 'on_search', m::text, '\\x00', ${at}::timestamptz
    from ${rows} cross join generate_series(1, 10) as m`
})
await db`analyze`

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: Plan[]
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

/** Tables that a plan reads sequentially. */
async function sequentiallyReadTables(run: Run, statement: Fragment): Promise<string[]> {
  const [row] = await run<{ 'QUERY PLAN': [{ Plan: Plan }] }>`explain (format json) ${statement}`
  const scans = nodes(row!['QUERY PLAN'][0].Plan).filter((node) => node['Node Type'] === 'Seq Scan')
  return scans.map((node) => node['Relation Name']!)
}

/** Tables that are small in every installation, so that a sequential scan is cheap. */
const smallTables = ['tenant', 'application', 'lender', 'webhook_endpoint', 'inbox_waiting']
/** Tables with enough rows in this test that the planner prefers an index. */
const largeTables = ['borrower', 'journey', 'profile', 'lifecycle_event', 'webhook_delivery', 'network_message']

async function assertUsesIndex(statement: Fragment, name: string): Promise<void> {
  const scanned = await sequentiallyReadTables(db, statement)
  assert.deepEqual(
    scanned.filter((table) => largeTables.includes(table)),
    [],
    name,
  )
  // On an empty table a scan is cheapest. With scans disabled, the planner uses a scan only if no index fits.
  const unavoidableScans = await db.tx(async (tx) => {
    await tx`set local enable_seqscan = off`
    return sequentiallyReadTables(tx, statement)
  })
  assert.deepEqual(
    unavoidableScans.filter((table) => !smallTables.includes(table)),
    [],
    name,
  )
}

const uuid = `00000a00-0000-7a00-8000-${tenant.tenantId.slice(-12)}`
const keyOf = (kind: (typeof searchKinds)[number]): SearchKey =>
  kind === 'mobile' || kind === 'pan' || kind === 'email'
    ? { kind, digest: Buffer.alloc(32, 1) }
    : { kind, value: ['borrower', 'correlation', 'loan', 'bank-reference'].includes(kind) ? 'x-1' : uuid }

for (const kind of searchKinds)
  test(`a search by ${kind} uses an index, for one tenant and for all`, async () => {
    for (const tenantId of [tenant.tenantId, null])
      await assertUsesIndex(searchStatement([keyOf(kind)], { tenantId, senders: ['CELESTIUM'] }), `${kind} ${tenantId}`)
  })

test('a search by id uses an index for every kind of id', async () => {
  const keys = searchKinds.filter((kind) => !['mobile', 'pan', 'email'].includes(kind)).map(keyOf)
  await assertUsesIndex(searchStatement(keys, { tenantId: null, senders: ['CELESTIUM'] }), 'every kind of id')
})

test('every filter of the journey list uses an index', async () => {
  const applications = [tenant, secondTenant].map(({ tenantId, applicationId }) => ({ tenantId, applicationId }))
  const choices = { applications, types: productIds, statuses }
  const unfiltered = {
    tenantId: tenant.tenantId,
    applicationId: null,
    types: null,
    statuses: null,
    from: uuid,
    before: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    found: null,
    condition: null,
  }
  const everyTenant = { ...unfiltered, tenantId: null }
  const waitingForLender = { is: 'open' as const, waitsOn: 'lender' as const, actedBefore: new Date(0) }
  for (const filter of [
    unfiltered,
    everyTenant,
    { ...everyTenant, statuses: ['REJECTED' as const] },
    { ...unfiltered, statuses: ['REJECTED' as const] },
    { ...unfiltered, types: [productIds[0]] },
    { ...unfiltered, applicationId: tenant.applicationId },
    { ...everyTenant, statuses: ['STARTED' as const], condition: { is: 'inactive' as const } },
    { ...unfiltered, statuses: ['DISBURSED' as const], condition: { is: 'ended-loan' as const } },
    { ...unfiltered, condition: waitingForLender },
    { ...everyTenant, condition: waitingForLender },
    { ...unfiltered, applicationId: tenant.applicationId, types: [productIds[0]], statuses: ['STARTED' as const] },
  ])
    await assertUsesIndex(
      listStatement(filter, filter.statuses || filter.types ? indexRangesOf(filter, choices) : applications, 51),
      JSON.stringify(filter),
    )
  const found = [{ tenantId: tenant.tenantId, journeyId: uuid }]
  await assertUsesIndex(listStatement({ ...everyTenant, found }, found, 51), 'journeys with an identifier')
})

test('a timeline reads each source by tenant and journey', async () => {
  const key = { tenantId: secondTenant.tenantId, journeyId: uuid.slice(0, 24) + secondTenant.tenantId.slice(-12) }
  for (const order of ['oldest', 'newest'] as const)
    for (const after of [null, { at: ctx.clock(), id: 'update.x' }])
      await assertUsesIndex(timelineStatement(key, { kinds: timelineKinds, order, after, limit: 51 }), order)
})
