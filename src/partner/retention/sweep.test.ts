// Retention of ended applications: what is deleted, what stays, and that no table is forgotten.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { uuidv4 } from '#kit/crypto/id.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { startTestPartner } from '#test/setup/partner.ts'
import { TestCase } from '#test/setup/partner-case.ts'
import { until } from '#test/setup/programs.ts'
import { deleteEndedCases } from './sweep.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { db } = partner
const sweep = () => deleteEndedCases(partner.ctx)

/** An application with a document, which the lender has rejected. */
async function rejectedCase(): Promise<TestCase> {
  const one = new TestCase(partner)
  const reference = uuidv4()
  one.lead.documents_expected = [{ document_reference_id: reference, document_type: 'BUREAU_REPORT' }]
  await one.register()
  await one.upload('BUREAU_REPORT', reference)
  await until('every event is applied', async () => {
    const rows = await db`select from inbox_waiting where case_ref = ${one.caseRef}`
    return rows.length === 0
  })
  await db`update case_file set status = 'REJECTED' where case_ref = ${one.caseRef}`
  return one
}

const endedBefore = (one: TestCase, days: number) =>
  db`update case_file set updated_at = ${daysAfter(partner.ctx.clock(), -days)} where case_ref = ${one.caseRef}`

async function tablesOf(one: TestCase): Promise<string[]> {
  const tables = await db<{ name: string }>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'case_ref' order by 1`
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await db.pool.query(`select 1 from ${name} where case_ref = $1 limit 1`, [one.caseRef])
    if (rows.length > 0) found.push(name)
  }
  return found
}

const filesOf = () => globSync('object/*/*', { cwd: partner.ctx.config.PARTNER_FILES_DIR })

test('DPDP §8(7): an application that ended without a loan is deleted after a year, with its files', async () => {
  const [old, recent, disputed] = [await rejectedCase(), await rejectedCase(), await rejectedCase()]
  await endedBefore(old, 367)
  await endedBefore(recent, 365)
  await endedBefore(disputed, 800)
  const staffId = '00000000-0000-0000-0000-000000000001'
  await db`
    insert into case_task (case_ref, task_id, text_sealed, assignee, due_on, made_by, made_at)
    values (${disputed.caseRef}, gen_random_uuid(), '', ${staffId}, '2030-01-01', ${staffId}, now())`
  assert.equal(filesOf().length, 3)
  assert.equal(await sweep(), 1)
  assert.deepEqual(await tablesOf(old), ['inbox_entity', 'inbox_outcome', 'outbox_entity'])
  assert.ok((await tablesOf(recent)).includes('case_lead'))
  assert.ok((await tablesOf(disputed)).includes('case_lead'), 'an open task keeps the case')
  assert.equal(filesOf().length, 2)
  assert.equal((await partner.status(old.caseRef)).status, 404)
  assert.equal((await partner.status(recent.caseRef)).status, 200)
  assert.equal(await sweep(), 0)
})

test('a file that cannot be deleted keeps its application, but does not stop the deletion of others', async () => {
  const [broken, whole] = [await rejectedCase(), await rejectedCase()]
  await endedBefore(broken, 500)
  await endedBefore(whole, 400)
  const [file] = await db<{ objectName: string }>`
    select object_name from stored_document where case_ref = ${broken.caseRef}`
  const store = {
    ...partner.ctx.store,
    async remove(name: string) {
      if (name === file!.objectName) throw new Error('the object store does not answer')
      await partner.ctx.store.remove(name)
    },
  }
  assert.equal(await deleteEndedCases({ ...partner.ctx, store }), 1)
  assert.ok((await tablesOf(broken)).includes('stored_document'))
  assert.ok(!(await tablesOf(whole)).includes('case_file'))
  assert.equal(await sweep(), 1)
})

test('D3 §6: an event that is repeated after the deletion is not applied again', async () => {
  const one = new TestCase(partner)
  await one.dedupe()
  const event = one.event('LEAD_SUBMITTED', one.lead)
  assert.equal((await partner.post(event)).status, 202)
  await one.waitForEvent('LEAD_REGISTERED')
  await db`update case_file set status = 'EXPIRED' where case_ref = ${one.caseRef}`
  await endedBefore(one, 400)
  assert.equal(await sweep(), 1)
  await partner.post(event)
  await until('the repeated event is settled', async () => {
    const rows = await db`select from inbox_waiting where case_ref = ${one.caseRef}`
    return rows.length === 0
  })
  assert.deepEqual(await db`select 1 from case_file where case_ref = ${one.caseRef}`, [])
  const bodies = await db<{ eventId: string; bodySealed: Buffer }>`
    select event_id, body_sealed from inbox where case_ref = ${one.caseRef}`
  assert.deepEqual(
    bodies.map((row) => partner.ctx.seal.open(row.bodySealed, `inbox/${event.sender}/${row.eventId}`).toString()),
    ['{}'],
    'a body that arrives after the deletion is not kept',
  )
})

test('an event that first arrives after the deletion leaves no row of the case, and is recognized again', async () => {
  const one = await rejectedCase()
  await endedBefore(one, 400)
  assert.equal(await sweep(), 1)
  const before = await tablesOf(one)
  const events = [2, 9].map((entity_version) => one.event('KYC_UPDATED', undefined, { entity_version }))
  for (const event of events) assert.equal((await partner.post(event)).status, 202)
  await until('the events are settled', async () => {
    const rows = await db`select from inbox_waiting where case_ref = ${one.caseRef}`
    return rows.length === 0
  })
  assert.deepEqual(await tablesOf(one), [...before, 'inbox'].toSorted())
  const bodies = await db<{ eventId: string; bodySealed: Buffer }>`
    select event_id, body_sealed from inbox where case_ref = ${one.caseRef}`
  for (const { eventId, bodySealed } of bodies)
    assert.equal(partner.ctx.seal.open(bodySealed, `inbox/${events[0]!.sender}/${eventId}`).toString(), '{}')
  for (const event of events) assert.equal((await partner.post(event)).status, 200)
})

test('a loan is never deleted, and every table of a case is deleted or belongs to loans', async () => {
  assert.ok(existsSync(partner.ctx.config.PARTNER_FILES_DIR))
  const source = readFileSync(new URL('store.ts', import.meta.url), 'utf8')
  const deleted = new Set([...source.matchAll(/delete from (\w+)/g)].map(([, table]) => table))
  const ofLoans = [
    ...[
      'account_change',
      'agent_notice',
      'archive_key',
      'archive_part',
      'audit_entry',
      'bank_receipt',
      'collection_agent',
      'collection_day',
      'debit_notice',
    ],
    ...['collection_hold', 'contact_note', 'installment', 'ledger_entry', 'ledger_posting', 'loan', 'loan_class'],
    ...['loan_month', 'payment', 'payment_promise', 'refund', 'reminder', 'schedule_history', 'tax_document'],
  ]
  const versions = ['inbox_entity', 'inbox_outcome', 'inbox_waiting', 'outbox_entity']
  const tables = await db<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'case_ref' order by 1`
  assert.deepEqual(
    tables.flatMap(({ name }) => (deleted.has(name) || ofLoans.includes(name) || versions.includes(name) ? [] : name)),
    [],
  )
})
