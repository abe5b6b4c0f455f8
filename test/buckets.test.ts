// Rows of a borrower are kept by bucket: what was there before the buckets came is still found, and goes on where it is.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { bucketOf, buckets, startBuckets, uuidv7 } from '#kit/crypto/id.ts'
import { migrate } from '#kit/db/migrate.ts'
import { connect, type Db } from '#kit/db/sql.ts'
import { borrowerBucket, newestWithoutBucket } from '#platform/borrower/store.ts'
import { findByExternalId, findByTransaction } from '#platform/journey/store.ts'
import { deliver } from '#platform/webhook/deliver.ts'
import { ownerOfEvent } from '#platform/webhook/store.ts'
import { enter, newApplicant, openSession, readView } from './setup/borrower.ts'
import { bucketFaults, carriersIn } from './setup/buckets.ts'
import { databaseBefore, platformMigrations } from './setup/database-before.ts'
import { startHeadlessClient } from './setup/headless-api.ts'
import { testPlatform } from './setup/platform.ts'
import { until } from './setup/programs.ts'
import { startReceiver } from './setup/receiver.ts'
import { hasty } from './setup/webhooks.ts'

/** Every row, as far as the older version had it: the bits of its ids where a bucket would be say something else there. */
async function copyRows(from: Db, to: string): Promise<void> {
  const db = connect(to, { connections: 1 })
  const tables = await db<{ table: string; columns: string }>`
    select table_name as table, string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
    where table_schema = 'public' and table_name <> 'migration' and is_generated = 'NEVER' group by 1
    order by array_position(array['tenant', 'application'], table_name::text) nulls last`
  for (const { table, columns } of tables) {
    const { rows } = await from.pool.query(`select coalesce(jsonb_agg(t), '[]')::text as all from ${table} t`)
    await db.pool.query(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [rows[0].all],
    )
  }
  await db.close()
}

const bucketsOf = async (db: Db) => {
  const found: Record<string, number[]> = {}
  for (const table of new Set((await carriersIn(db)).map((each) => each.table))) {
    const { rows } = await db.pool.query<{ bucket: number }>(`select distinct bucket from ${table} order by 1`)
    if (rows.length > 0) found[table] = rows.map(({ bucket }) => bucket)
  }
  return found
}

/** An identifier of which the bucket is not the first one. */
function applicantOf(tenantId: string) {
  for (;;) {
    const one = newApplicant()
    if (borrowerBucket(tenantId, one.borrowerProviderID) > 0) return one
  }
}

const before = await testPlatform({ RATE_LIMITS: 'off' })
const { tenant } = before
const receiver = await startReceiver()
after(() => receiver.stop())
const callbackUrl = receiver.url('/callback')

// What the older version had: a borrower of each API, their tokens, and updates that are not delivered yet.
const known = { ...applicantOf(tenant.tenantId), callbackUrl }
const opened = (await openSession(before.url, tenant, known)).body
const entered = await enter(before.url, opened.embedUrl)
const unopened = (await openSession(before.url, tenant, known)).body
const knownHeadless = {
  borrowerExternalID: applicantOf(tenant.tenantId).borrowerProviderID,
  profile: { contactNumber: '9712345678' },
}
const runtime = await startHeadlessClient(before).borrower(knownHeadless)
const begun = (await runtime.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
const url = await databaseBefore('044-bucket.sql')
await copyRows(before.ctx.db, url)
const db = connect(url, { connections: 4 })
after(() => db.close())
const ids = await db<{ journeyId: string; transactionId: string; eventId: string }>`
  select journey_id, network_transaction_id as transaction_id, event_id from journey
  join lifecycle_event using (tenant_id, journey_id) order by journey_id`
await migrate(db, platformMigrations)
startBuckets((await newestWithoutBucket(db)) ?? '')
after(() => startBuckets(''))
const now = await testPlatform({
  RATE_LIMITS: 'off',
  DATABASE_URL: url,
  LENDLOOM_KEYS: before.ctx.config.LENDLOOM_KEYS,
})
const headless = startHeadlessClient(now)
const activeOf = (externalId: string) => db<{ bucket: number; journeyId: string; type: string }>`
  select j.bucket, j.journey_id, j.type from journey j join borrower b using (bucket, tenant_id, borrower_id)
  where b.external_id = ${externalId} order by j.journey_id`

test('what was there before is in bucket 0, and its ids are taken for such', async () => {
  const found = await bucketsOf(db)
  assert.deepEqual(new Set(Object.values(found).flat()), new Set([0]), JSON.stringify(found))
  for (const table of [
    'borrower',
    'journey',
    'lifecycle_event',
    'webhook_delivery',
    'embed_token',
    'embed_session',
    'headless_session',
  ])
    assert.ok(table in found, table)
  assert.equal(ids.length, 2)
  for (const { journeyId, eventId } of ids) assert.deepEqual([bucketOf(journeyId), bucketOf(eventId)], [0, 0])
  assert.equal(bucketOf(uuidv7(Date.now(), 77)), 77)
  assert.deepEqual(await bucketFaults(db), [])
})

test('D1 §4, D2 §4: sessions and tokens from before open what they opened', async () => {
  assert.equal((await readView({ ...entered, platformUrl: now.url })).journeyId, entered.journeyId)
  const again = await enter(now.url, unopened.embedUrl)
  assert.equal(again.journeyId, entered.journeyId)
  const read = await headless.call(`/journeys/${begun.journeyID}`, { token: runtime.token })
  assert.equal(read.status, 200, JSON.stringify(read.body))
  const refreshed = await headless.call('/sessions/refresh', { method: 'POST', token: runtime.session.refreshToken })
  assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body))
  const traded = await headless.call('/journeys', { token: refreshed.body.data.sessionToken })
  assert.deepEqual([traded.status, traded.body.data.items.length], [200, 1], JSON.stringify(traded.body))
})

test('D1 §6: a transaction, an event and an update from before are found, and the update is delivered', async () => {
  for (const { journeyId, transactionId } of ids)
    assert.equal((await findByTransaction(db, transactionId))?.journeyId, journeyId)
  const first = ids.find(({ journeyId }) => journeyId === entered.journeyId)!
  assert.equal((await ownerOfEvent(db, first.eventId))?.applicationId, tenant.applicationId)
  const worker = deliver(now.ctx, hasty)
  after(() => worker.stop())
  const [got] = await receiver.until(1)
  assert.equal(got!.id, first.eventId)
  await until(
    'it is noted',
    async () =>
      (await db`select 1 from webhook_delivery where event_id = ${first.eventId} and state = 'DELIVERED'`).length === 1,
  )
})

test('D1 §2.3: whoever was known stays known, and all that is made for them later is in bucket 0 too', async () => {
  const resumed = await openSession(now.url, tenant, known)
  assert.equal(resumed.status, 200, JSON.stringify(resumed.body))
  assert.equal((await enter(now.url, resumed.body.embedUrl)).journeyId, entered.journeyId)
  const other = await openSession(now.url, tenant, { ...known, journeyType: 'GOLD_LOAN' })
  assert.ok(other.status < 300, JSON.stringify(other.body))
  const hosted = await activeOf(known.borrowerProviderID)
  assert.deepEqual(
    hosted.map(({ bucket }) => bucket),
    [0, 0],
    JSON.stringify(hosted),
  )
  assert.equal((await findByExternalId(db, known.borrowerProviderID, null)).length, 2)
  const session = await headless.borrower(knownHeadless)
  const listed = (await session.get('/journeys')).body.data.items
  assert.deepEqual(
    listed.map((each: { journeyID: string }) => each.journeyID),
    [begun.journeyID],
  )
  assert.deepEqual(await bucketFaults(db), [])
})

test('a new borrower is in the bucket of the identifier', async () => {
  const fresh = applicantOf(tenant.tenantId)
  const { body } = await openSession(now.url, tenant, fresh)
  const { journeyId } = await enter(now.url, body.embedUrl)
  const bucket = borrowerBucket(tenant.tenantId, fresh.borrowerProviderID)
  assert.deepEqual(await activeOf(fresh.borrowerProviderID), [{ bucket, journeyId, type: 'PERSONAL_LOAN' }])
  assert.equal(bucketOf(journeyId), bucket)
  const found = await findByExternalId(db, fresh.borrowerProviderID, null)
  assert.deepEqual(
    found.map((one) => one.journeyId),
    [journeyId],
  )
  assert.deepEqual(await bucketFaults(db), [])
})

test('a row in another bucket than its ids say is found', async () => {
  const fresh = applicantOf(tenant.tenantId)
  const { body } = await openSession(now.url, tenant, fresh)
  const { journeyId } = await enter(now.url, body.embedUrl)
  const elsewhere = (bucketOf(journeyId) % (buckets - 1)) + 1
  await db`update journey set bucket = ${elsewhere} where journey_id = ${journeyId}`
  const faults = await bucketFaults(db)
  assert.ok(
    faults.some((fault) => fault.includes(`journey_id ${journeyId} of journey is in bucket ${elsewhere}`)),
    String(faults),
  )
})
