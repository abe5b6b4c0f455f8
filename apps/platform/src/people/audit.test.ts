// The audit log: one gapless chain per tenant, in which every tampering is detected.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listChain } from '@lendloom/identity/audit/store'
import { readHeads } from '@lendloom/postgres/chain-head'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { assertUnsentHeadWarning } from '@lendloom/tests/setup/unsent-head'
import fc from 'fast-check'
import type { MailContent } from '#platform/mail/outgoing-mail.ts'
import { mailContentContext } from '#platform/mail/queue-mail.ts'
import type { MailRow } from '#platform/mail/store.ts'
import { auditHeadsWorker, sendHeads } from './audit/send-heads.ts'
import { type Actor, noteStaffAct, type StaffAct, verifyAll, verifyChain } from './audit.ts'
import { platformTenant } from './person.ts'

const { ctx } = await testPlatform()
const { db } = ctx
const at = new Date('2026-11-21T10:00:00.123Z')
const personOf = (tenantId: string | null): Actor => ({ personId: uuidv7(), tenantId })
const addEntry = (person: Actor, act: StaffAct, when = at) => db.tx((tx) => noteStaffAct({ tx, at: when }, person, act))

test('concurrent acts form one gapless chain per tenant, without the entries of rolled-back acts', async () => {
  const firstTenant = uuidv7()
  const secondTenant = uuidv7()
  const acts = Array.from({ length: 40 }, (_, i) =>
    addEntry(personOf(i % 2 ? firstTenant : secondTenant), { act: 'TRIED', detail: { i } }),
  )
  const rolledBack = db.tx(async (tx) => {
    await noteStaffAct({ tx, at }, personOf(firstTenant), { act: 'UNDONE' })
    throw new Error('the act itself failed')
  })
  await Promise.all([...acts, assert.rejects(rolledBack, /failed/)])
  for (const tenantId of [firstTenant, secondTenant]) {
    const rows = await listChain(db, { tenantId }, 0, 100)
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
    assert.ok(rows.every(({ act }) => act === 'TRIED'))
    const verified = await verifyChain(db, tenantId)
    assert.equal(verified.entries, 20)
    assert.equal(verified.fault, null)
    assert.equal(verified.digest, rows.at(-1)!.digest.toString('hex'))
  }
})

test('an act of platform staff is logged for the named tenant, otherwise for the platform', async () => {
  const tenantId = uuidv7()
  const platformPerson = personOf(null)
  await addEntry(platformPerson, { act: 'FOR_TENANT', tenantId })
  await addEntry(platformPerson, { act: 'FOR_PLATFORM' })
  await addEntry(null, { act: 'AT_THE_COMMAND_LINE', tenantId })
  await addEntry(personOf(tenantId), { act: 'BY_TENANT', tenantId: uuidv7() })
  const acts = async (owner: string) => (await listChain(db, { tenantId: owner }, 0, 100)).map(({ act }) => act)
  assert.deepEqual(await acts(tenantId), ['FOR_TENANT', 'AT_THE_COMMAND_LINE', 'BY_TENANT'])
  assert.ok((await acts(platformTenant)).includes('FOR_PLATFORM'))
  assert.ok((await verifyAll(db)).every(({ fault }) => fault === null))
})

/** Applies a change, inspects the result and rolls back. */
async function inspectAndRollBack<T>(
  change: (tx: Tx) => Promise<unknown>,
  inspect: (tx: Tx) => Promise<T>,
): Promise<T> {
  let inspected: { value: T } | undefined
  class Undo extends Error {}
  await db
    .tx(async (tx) => {
      await change(tx)
      inspected = { value: await inspect(tx) }
      throw new Undo()
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error
    })
  return inspected!.value
}

test('verification names the entry whose field was changed in the database', async () => {
  const tenantId = uuidv7()
  const count = 12
  for (let i = 0; i < count; i++)
    await addEntry(i % 3 ? personOf(tenantId) : null, {
      act: `ACT_${i}`,
      ...(i % 2 && { subject: `subject ${i}` }),
      detail: i % 4 ? { count: i, text: 'é\u2028"', flag: true } : {},
      tenantId,
    })
  const text = fc.string({ minLength: 1, maxLength: 20 }).filter((each) => !each.includes('\0'))
  const change = fc.oneof(
    fc.record({ field: fc.constant('at' as const), value: fc.integer({ min: 1, max: 10 ** 9 }) }),
    fc.record({ field: fc.constant('person_id' as const), value: fc.option(fc.uuid()) }),
    fc.record({ field: fc.constant('act' as const), value: text }),
    fc.record({ field: fc.constant('subject' as const), value: fc.option(text) }),
    fc.record({ field: fc.constant('detail' as const), value: text }),
    fc.record({ field: fc.constant('digest' as const), value: fc.uint8Array({ minLength: 1, maxLength: 33 }) }),
  )
  const numbers = fc.integer({ min: 1, max: count })
  await fc.assert(
    fc.asyncProperty(change, numbers, async ({ field, value }, sequence) => {
      const result = await inspectAndRollBack(
        (tx) => update(tx, { tenantId, sequence, field, value }),
        async (tx) => {
          const [row] = await tx<{ isSame: boolean }>`
            select audit_entry::text = ${await rowText(sequence)} as is_same from audit_entry
            where tenant_id = ${tenantId} and sequence = ${sequence}`
          return { isSame: row!.isSame, fault: (await verifyChain(tx, tenantId)).fault }
        },
      )
      assert.equal(result.fault?.sequence, result.isSame ? undefined : sequence)
    }),
    { numRuns: roundsOf(150) },
  )
  assert.equal((await verifyChain(db, tenantId)).fault, null, 'every change was rolled back')

  async function rowText(sequence: number): Promise<string> {
    const [row] = await db<{ row: string }>`
      select audit_entry::text as row from audit_entry where tenant_id = ${tenantId} and sequence = ${sequence}`
    return row!.row
  }
})

interface Change {
  tenantId: string
  sequence: number
  field: 'at' | 'person_id' | 'act' | 'subject' | 'detail' | 'digest'
  value: unknown
}

async function update(tx: Tx, { tenantId, sequence, field, value }: Change): Promise<void> {
  const set = {
    at: () =>
      tx`update audit_entry set at = at + ${value} * interval '1 microsecond' where tenant_id = ${tenantId} and sequence = ${sequence}`,
    person_id: () =>
      tx`update audit_entry set person_id = ${value}::uuid where tenant_id = ${tenantId} and sequence = ${sequence}`,
    act: () => tx`update audit_entry set act = ${value} where tenant_id = ${tenantId} and sequence = ${sequence}`,
    subject: () =>
      tx`update audit_entry set subject = ${value}::text where tenant_id = ${tenantId} and sequence = ${sequence}`,
    detail: () => tx`update audit_entry set detail = ${value} where tenant_id = ${tenantId} and sequence = ${sequence}`,
    digest: () =>
      tx`update audit_entry set digest = ${Buffer.from(value as Uint8Array)} where tenant_id = ${tenantId} and sequence = ${sequence}`,
  }
  await set[field]()
}

test('verification detects a removed, inserted or moved entry and a truncated chain', async () => {
  const tenantId = uuidv7()
  const other = uuidv7()
  for (let i = 0; i < 5; i++) await addEntry(personOf(tenantId), { act: 'SAME' })
  await addEntry(personOf(other), { act: 'SAME' })
  const faultOf = (change: (tx: Tx) => Promise<unknown>) =>
    inspectAndRollBack(change, async (tx) => (await verifyChain(tx, tenantId)).fault?.sequence)
  // Each change with the sequence number of the fault that verification reports.
  const manipulations: [number, (tx: Tx) => Promise<unknown>][] = [
    [3, (tx) => tx`delete from audit_entry where tenant_id = ${tenantId} and sequence = 3`],
    [1, (tx) => tx`delete from audit_entry where tenant_id = ${tenantId} and sequence = 1`],
    [5, (tx) => tx`delete from audit_entry where tenant_id = ${tenantId} and sequence = 5`],
    [1, (tx) => tx`delete from audit_entry where tenant_id = ${tenantId}`],
    [5, (tx) => tx`delete from audit_chain where tenant_id = ${tenantId}`],
    [5, (tx) => tx`update audit_chain set sequence = 4 where tenant_id = ${tenantId}`],
    [
      6,
      (tx) => tx`
        insert into audit_entry (tenant_id, sequence, at, person_id, act, subject, detail, digest)
        select tenant_id, 6, at, person_id, act, subject, detail, digest from audit_entry
        where tenant_id = ${tenantId} and sequence = 5`,
    ],
    [
      3,
      async (tx) => {
        await tx`update audit_entry set sequence = 33 where tenant_id = ${tenantId} and sequence = 3`
        await tx`update audit_entry set sequence = 3 where tenant_id = ${tenantId} and sequence = 4`
        await tx`update audit_entry set sequence = 4 where tenant_id = ${tenantId} and sequence = 33`
      },
    ],
    [
      1,
      async (tx) => {
        await tx`delete from audit_entry where tenant_id = ${tenantId} and sequence = 1`
        await tx`update audit_entry set tenant_id = ${tenantId} where tenant_id = ${other}`
      },
    ],
  ]
  for (const [i, [sequence, change]] of manipulations.entries())
    assert.equal(await faultOf(change), sequence, `change ${i}`)
  assert.equal((await verifyChain(db, tenantId)).fault, null)
})

test('mailed heads reveal a chain that was truncated or deleted together with its stored head', async () => {
  const firstTenant = uuidv7()
  const secondTenant = uuidv7()
  for (const tenantId of [firstTenant, firstTenant, firstTenant, secondTenant])
    await addEntry(personOf(tenantId), { act: 'TRIED' })
  const config = { ...ctx.config, SMTP_URL: 'smtp://127.0.0.1:9', AUDIT_EMAIL: 'auditor@firm.example' }
  await db.tx((tx) => sendHeads({ ...ctx, config, tx, at }))
  const [mail] = await db<MailRow>`
    select tenant_id, mail_id, kind, subject_id, message_id, content_sealed, created_at from mail_out where kind = 'audit-head'`
  const { to, text } = ctx.seal.openJson<MailContent>(mail!.contentSealed, mailContentContext(mail!))
  assert.equal(to, 'auditor@firm.example')
  const heads = readHeads(ctx.seal, text).filter((head) => head !== null)
  assert.deepEqual(
    heads.filter(({ log }) => log === firstTenant).map(({ sequence }) => sequence),
    [3],
  )
  const faults = async () => (await verifyAll(db, heads)).filter(({ fault }) => fault)
  assert.deepEqual(await faults(), [])
  await addEntry(personOf(firstTenant), { act: 'LATER' })
  assert.deepEqual(await faults(), [])
  await db`delete from audit_entry where tenant_id = ${firstTenant} and sequence > 2`
  await db`
    update audit_chain c set sequence = e.sequence, digest = e.digest from audit_entry e
    where c.tenant_id = ${firstTenant} and e.tenant_id = c.tenant_id and e.sequence = 2`
  await db`delete from audit_entry where tenant_id = ${secondTenant}`
  await db`delete from audit_chain where tenant_id = ${secondTenant}`
  assert.equal((await verifyChain(db, firstTenant)).fault, null, 'the truncation is invisible without a mailed head')
  const byTenant = (left: { tenantId: string | null }, right: { tenantId: string | null }) =>
    String(left.tenantId).localeCompare(String(right.tenantId))
  assert.deepEqual(
    (await faults()).map(({ tenantId, fault }) => ({ tenantId, sequence: fault?.sequence })).toSorted(byTenant),
    [
      { tenantId: firstTenant, sequence: 3 },
      { tenantId: secondTenant, sequence: 1 },
    ].toSorted(byTenant),
  )
})

test('outside the sandbox, the program warns at its start when heads cannot be mailed, and names the settings', () =>
  assertUnsentHeadWarning((settings, log) =>
    auditHeadsWorker({ ...ctx, log, config: { ...ctx.config, ...settings } }).stop(),
  ))
