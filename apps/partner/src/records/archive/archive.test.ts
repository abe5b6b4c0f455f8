// The partner's archive: bodies of events of loans move to objects; repetitions and new events still work.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readArchive } from '@lendloom/archive/archive'
import { replay } from '@lendloom/event-log/outbox'
import { daysAfter } from '@lendloom/foundation/clock'
import { noTenantId } from '@lendloom/queue/queue'
import { startTestPartner } from '@lendloom/tests/setup/partner'
import { TestCase } from '@lendloom/tests/setup/partner-case'
import { until } from '@lendloom/tests/setup/programs'
import { ownerOf } from './store.ts'
import { archiveSettled } from './sweep.ts'

const partner = await startTestPartner({ PARTNER_AUTOPILOT: 'off' })
const { db, ctx } = partner

const isSettled = (caseRef: string) =>
  until('every event is applied', async () => {
    const rows = await db`select from inbox_waiting where case_ref = ${caseRef}`
    return rows.length === 0
  })

test('D3 §8: events of a loan move to the archive after ninety days, and their repetitions are still recognized', async () => {
  const one = new TestCase(partner)
  await one.dedupe()
  const lead = one.event('LEAD_SUBMITTED', one.lead)
  assert.equal((await partner.post(lead)).status, 202)
  await one.waitForEvent('LEAD_REGISTERED')
  await isSettled(one.caseRef)
  await partner.waitForDeliveries()
  const later = daysAfter(ctx.clock(), 100)
  assert.deepEqual(await archiveSettled(ctx, later), { owners: 0, rows: 0 }, 'an application is not archived')
  await db`
    insert into loan (case_ref, loan_id, loan_account_id, status, terms, disbursed_paise, disbursed_on, bank_reference,
      schedule_updated_at, opened_at, updated_at, installment_paise, principal_paise)
    values (${one.caseRef}, 'L1', 'A1', 'CLOSED', '{}', 100, current_date, 'UTR', now(), now(), now(), 10, 100)`
  assert.equal((await archiveSettled(ctx, daysAfter(ctx.clock(), 89))).rows, 0)
  const { owners, rows } = await archiveSettled(ctx, later)
  assert.ok(owners === 1 && rows >= 2, `${rows} rows`)
  const archived = []
  for await (const row of readArchive({ db, seal: ctx.seal, objects: ctx.archive }, ownerOf(one.caseRef)))
    archived.push(row)
  assert.equal(archived.length, rows)
  const stored = archived.find(({ row }) => row.event_id === lead.event_id)
  assert.deepEqual(JSON.parse(String(stored?.values.body)), lead)
  const [left] = await db<{ inbox: number; outbox: number; due: number }>`
    select (select count(*) from inbox where case_ref = ${one.caseRef} and body_sealed is not null)::int as inbox,
      (select count(*) from outbox where case_ref = ${one.caseRef} and body_sealed is not null)::int as outbox,
      (select count(*) from archive_key where due_at is not null)::int as due`
  assert.deepEqual(left, { inbox: 0, outbox: 0, due: 0 })
  assert.equal((await partner.post(lead)).status, 200, 'the same event')
  const changed = { ...lead, occurred_at: new Date(0).toISOString() }
  assert.equal((await partner.post(changed)).status, 409, 'other content under the same id')
  const sent = archived.find(({ table }) => table === 'outbox')
  const key = { tenantId: noTenantId, partitionKey: one.caseRef, eventId: String(sent?.row.event_id) }
  const [{ tenantId } = key] = await db<{
    tenantId: string
  }>`select tenant_id from outbox where event_id = ${key.eventId}`
  await assert.rejects(
    db.tx((tx) => replay(tx, { ...key, tenantId }, ctx.clock())),
    /in the archive/,
  )
})
