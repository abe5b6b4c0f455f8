// Erasures that a restore of the database undoes are repeated from the record in the archive.
import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { consoleUser } from '@lendloom/tests/setup/console'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { repeatArchivedApprovals } from './archived-approvals.ts'
import { sweepPersonalData } from './daily-erasure.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-erasures-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const platform = await testPlatform({ RATE_LIMITS: 'off', ARCHIVE_DIR: directory })
const { ctx, tenant, url } = platform
const { db } = ctx
const officer = await consoleUser(platform, { role: 'grievance-officer' })
const admin = await consoleUser(platform, { role: 'admin' })
const reason = 'asked for it in complaint GR-2611-7K3Q9'

/** An ended application of a new borrower. */
async function endedJourney() {
  const person = newApplicant()
  await openSession(url, tenant, person)
  const [ids] = await db<{ journeyId: string; borrowerId: string }>`
    select journey_id, borrower_id from journey join borrower using (bucket, tenant_id, borrower_id)
    where external_id = ${person.borrowerProviderID}`
  await db`update webhook_delivery set state = 'DELIVERED', due_at = null where journey_id = ${ids!.journeyId}`
  await db`update journey set active = false, status = 'NOT_OFFERED' where journey_id = ${ids!.journeyId}`
  return { ...ids!, externalId: person.borrowerProviderID }
}

async function request(journeyId: string): Promise<string> {
  const { body } = await officer.ask('POST', `/journeys/${journeyId}/privacy/erasure`, { reason })
  return body.erasures[0].erasureId
}
const decide = async (erasureId: string, approve: boolean) =>
  assert.equal((await admin.ask('POST', `/privacy/erasures/${erasureId}/decision`, { approve })).status, 204)

/** Copies the tables of borrowers; the returned function restores them to that instant. */
async function backUp(): Promise<() => Promise<void>> {
  const { pool } = db
  const tables = await db<{ name: string; columns: string }>`
    select table_name as name, string_agg('"' || column_name || '"', ', ' order by ordinal_position) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
    group by table_name having bool_or(column_name in ('borrower_id', 'journey_id'))`
  await pool.query('drop schema if exists backup cascade; create schema backup')
  for (const { name } of tables) await pool.query(`create table backup.${name} as table public.${name}`)
  return async () => {
    await pool.query(`truncate ${tables.map(({ name }) => `public.${name}`)}`)
    for (const { name, columns } of tables)
      await pool.query(
        `insert into public.${name} (${columns}) overriding system value select ${columns} from backup.${name}`,
      )
  }
}

const stateOf = async ({ journeyId }: { journeyId: string }) => {
  const { body } = await officer.ask('GET', `/journeys/${journeyId}/privacy`)
  return {
    state: body.erasures[0]?.state ?? null,
    isErased: body.journeys[0].erasedAt !== null,
    isIdentified: body.isIdentified,
  }
}
const objects = () => globSync('object/*/*', { cwd: directory }).map((name) => join(directory, name))

test('an erasure that was approved after the restored instant is repeated, requested before it or not', async () => {
  const early = await endedJourney()
  const late = await endedJourney()
  const refused = await endedJourney()
  const other = await endedJourney()
  const earlyRequest = await request(early.journeyId)
  const refusedRequest = await request(refused.journeyId)
  const restore = await backUp()
  await decide(earlyRequest, true)
  await decide(await request(late.journeyId), true)
  await decide(refusedRequest, false)
  const erased = { state: 'DONE', isErased: true, isIdentified: false }
  assert.deepEqual(await stateOf(early), erased)
  assert.deepEqual(await stateOf(late), erased)
  const [record] = objects()
  const text = readFileSync(record!, 'utf8')
  for (const each of [early, late]) assert.ok(!text.includes(each.externalId), 'the record has only ids')

  await restore()
  assert.deepEqual(await stateOf(early), { state: 'WAITING', isErased: false, isIdentified: true })
  assert.deepEqual(await stateOf(late), { state: null, isErased: false, isIdentified: true })
  await sweepPersonalData(ctx)
  assert.deepEqual(await stateOf(early), erased)
  assert.deepEqual(await stateOf(late), erased)
  assert.deepEqual(await stateOf(refused), { state: 'WAITING', isErased: false, isIdentified: true })
  assert.deepEqual(await stateOf(other), { state: null, isErased: false, isIdentified: true })
  assert.equal(await repeatArchivedApprovals(ctx), 0, 'once')
  const { items } = (await admin.ask('GET', `/audit?tenantId=${tenant.tenantId}&act=ERASURE_REPEATED`)).body
  assert.equal(items.length, 2)
})

test('a later request of the same borrower still needs its own decision', async () => {
  const journey = await endedJourney()
  await decide(await request(journey.journeyId), true)
  await db`update borrower set external_id = ${journey.externalId} where borrower_id = ${journey.borrowerId}`
  const next = await request(journey.journeyId)
  await sweepPersonalData(ctx)
  const [row] = await db<{ state: string }>`select state from erasure where erasure_id = ${next}`
  assert.equal(row!.state, 'WAITING')
})

test('a request that people recorded after the restore waits for its own decision; then the lost one is repeated', async () => {
  const journey = await endedJourney()
  const restore = await backUp()
  await decide(await request(journey.journeyId), true)
  await restore()
  const next = await request(journey.journeyId)
  await sweepPersonalData(ctx)
  assert.deepEqual(
    await stateOf(journey),
    { state: 'WAITING', isErased: false, isIdentified: true },
    'the record approves only its own request',
  )
  await decide(next, false)
  await sweepPersonalData(ctx)
  const { body } = await officer.ask('GET', `/journeys/${journey.journeyId}/privacy`)
  assert.notEqual(body.journeys[0].erasedAt, null)
  assert.equal(body.isIdentified, false)
})

test('the sweep records an approval that a crash left out, and nothing is erased by a changed record', async () => {
  const journey = await endedJourney()
  const restore = await backUp()
  await decide(await request(journey.journeyId), true)
  const [record] = objects()
  const complete = readFileSync(record!, 'utf8')
  rmSync(record!)
  await sweepPersonalData(ctx)
  assert.ok(readFileSync(record!, 'utf8').includes(journey.borrowerId))
  await restore()
  writeFileSync(record!, complete.replace(/"decidedBy":"[^"]+"/, '"decidedBy":null'))
  await sweepPersonalData(ctx)
  assert.deepEqual(await stateOf(journey), { state: null, isErased: false, isIdentified: true })
})
