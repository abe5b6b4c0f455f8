// Received messages are applied once and in version order, and are held at gaps and errors, with an alert.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { logTo } from '@lendloom/foundation/log'
import { Refusal } from '@lendloom/foundation/refusal'
import { connect } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'
import { type Effect, message, messages, receiveAll, recordEffect, testInbox } from '@lendloom/tests/setup/inbox'
import { until } from '@lendloom/tests/setup/programs'
import { PrerequisiteError, receive } from '#event-log/inbox.ts'
import { listHeldEvents, receivedEvents, retryNow } from '../inbox-lists.ts'

const inbox = await testInbox()
const { db } = inbox
let now = new Date()
const clock = () => now
beforeEach(async () => {
  await inbox.stopAll()
  await inbox.clear()
  // The test clock is ahead, so that every received message is due.
  now = secondsAfter(new Date(), 10)
})

const internalError = /^an internal error occurred; the log has the details under ([0-9a-f-]{36})$/

const allApplied = () => until('no message is waiting', async () => (await inbox.waiting()) === 0)
const untilHeld = (count: number) =>
  until(`${count} messages are held`, async () =>
    (await listHeldEvents(db)).length === count ? listHeldEvents(db) : undefined,
  )
/** Number of held messages that raised an alert. */
const countAlerted = async () => (await db`select 1 from inbox_waiting where alerted_at is not null`).length
const versions = (effects: Effect[]) => effects.map(({ version }) => version)
const advanceClock = (seconds: number) => {
  now = secondsAfter(now, seconds)
  db.wake('inbox')
}

test('D3 §6: versions are applied in order when they arrive out of order', async () => {
  const all = messages('case-1', 30)
  inbox.start()
  for (const event of all.toReversed()) await receive(inbox, event)
  await allApplied()
  assert.deepEqual(
    versions(await inbox.effects()),
    all.map(({ entityVersion }) => entityVersion),
  )
})

test('D3 §2.2: versions are counted per sender and object', async () => {
  const all = [
    message({ entityVersion: 1 }),
    message({ entityType: 'PAYMENT', entityId: 'pay-1', entityVersion: 1 }),
    message({ entityType: 'PAYMENT', entityId: 'pay-2', entityVersion: 1 }),
    message({ sender: 'CELESTIUM', entityVersion: 1 }),
  ]
  inbox.start()
  await receiveAll(inbox, all)
  await allApplied()
  assert.equal((await inbox.effects()).length, 4)
})

test('D3 §6: a version gap holds only messages of its own object, until the missing version arrives', async () => {
  const [first, second, third] = messages('case-1', 3)
  const payment = message({ entityType: 'PAYMENT', entityId: 'pay-1' })
  inbox.start({ clock })
  await receiveAll(inbox, [first!, third!, payment])
  const [heldEvent] = await untilHeld(1)
  assert.equal(heldEvent!.eventId, third!.eventId)
  assert.equal(heldEvent!.because, 'waits for version 2')
  assert.equal(heldEvent!.tries, 0)
  assert.deepEqual(heldEvent!.stuckSince, now)
  assert.equal((await inbox.effects()).length, 2)
  await receive(inbox, second!)
  await allApplied()
  assert.deepEqual(versions(await inbox.effects('case-1')).toSorted(), [1, 1, 2, 3])
  assert.deepEqual(inbox.alerts, [])
})

test('D3 §6: a gap that lasts 15 minutes raises only one alert, even if the worker restarts', async () => {
  const [, , third, fourth] = messages('case-1', 4)
  inbox.start({ clock })
  await receiveAll(inbox, [third!, fourth!])
  await untilHeld(2)
  advanceClock(901)
  await until('the alert is sent', () => inbox.alerts.length > 0)
  await until('the alert is recorded', async () => (await countAlerted()) === 1)
  await inbox.stopAll()
  inbox.start({ clock })
  const [, ofOtherCase] = messages('case-2', 2)
  await receive(inbox, ofOtherCase!)
  await untilHeld(3)
  advanceClock(901)
  await until('the alert about the other case is sent', () => inbox.alerts.length > 1)
  assert.equal(inbox.alerts.length, 2)
  assert.equal(inbox.alerts[1]!.facts.eventId, ofOtherCase!.eventId)
  assert.equal(inbox.alerts[0]!.facts.eventId, third!.eventId)
  assert.equal(inbox.alerts[0]!.facts.because, 'waits for version 1')
})

test('D3 §6: a second message with an applied version is superseded, and a repeated message has no effect', async () => {
  const [first, second] = messages('case-1', 2)
  inbox.start()
  await receiveAll(inbox, [first!, second!])
  await allApplied()
  const duplicate = message({ entityVersion: 1, note: 'different content' })
  await receiveAll(inbox, [first!, duplicate, second!])
  await allApplied()
  assert.deepEqual(versions(await inbox.effects()), [1, 2])
  assert.deepEqual(
    [first!, second!, duplicate].map(({ eventId }) => eventId),
    [...(await inbox.outcomes()).keys()],
  )
  assert.equal((await inbox.outcomes()).get(duplicate.eventId), 'SUPERSEDED')
})

test('D3 §6: a refusal fails only its own message, and is reported in the same transaction', async () => {
  const all = messages('case-1', 5)
  const refusals: { eventId: string; message: string }[] = []
  inbox.start({
    async apply(tx, event) {
      await recordEffect(tx, event)
      if (event.entityVersion === 3) throw new Refusal('wrong-state', 'the offer has expired')
    },
    async reportFailure(tx, event, refusal) {
      refusals.push({ eventId: event.eventId, message: refusal.message })
      await tx`insert into effect (case_ref, entity_id, version) values ('failed', ${event.entityId}, ${event.entityVersion})`
    },
  })
  await receiveAll(inbox, all)
  await allApplied()
  assert.deepEqual(versions(await inbox.effects('case-1')), [1, 2, 4, 5])
  assert.deepEqual(versions(await inbox.effects('failed')), [3])
  assert.deepEqual(refusals, [{ eventId: all[2]!.eventId, message: 'the offer has expired' }])
  const events = await receivedEvents(db, inbox.seal, { tenantId: noTenantId, partitionKey: 'case-1' })
  const failed = events.find(({ outcome }) => outcome === 'FAILED')!
  assert.equal(failed.eventId, all[2]!.eventId)
  assert.equal(failed.reason, 'the offer has expired')
})

test('messages of several cases share a commit; a refusal or an error fails only its own case', async () => {
  const cases = Array.from({ length: 24 }, (_, i) => `case-${i + 1}`)
  const commits = async () =>
    (await db<{ count: number }>`select count(distinct xmin::text)::int as count from effect`)[0]!.count
  const all = cases.map((partitionKey) => messages(partitionKey, 2))
  await receiveAll(inbox, all.flat())
  inbox.start()
  await allApplied()
  assert.equal((await inbox.effects()).length, 48)
  assert.ok((await commits()) < 24, `${await commits()} commits`)
  await inbox.stopAll()
  await inbox.clear()
  await receiveAll(inbox, all.flat())
  inbox.start({
    clock,
    async apply(tx, event) {
      await recordEffect(tx, event)
      if (event.partitionKey === 'case-3') throw new Refusal('wrong-state', 'the offer has expired')
      if (event.partitionKey === 'case-4') throw new Error('a fault')
      if (event.partitionKey === 'case-5') await tx`insert into effect (version) values ('no number')`
    },
  })
  await until('all other messages are settled', async () => (await inbox.waiting()) === 4)
  const applied = (await inbox.effects()).map(({ partitionKey, version }) => `${partitionKey} ${version}`)
  const others = cases.filter((each) => !['case-3', 'case-4', 'case-5'].includes(each))
  assert.deepEqual(applied.toSorted(), others.flatMap((each) => [`${each} 1`, `${each} 2`]).toSorted())
  const outcomes = await inbox.outcomes()
  assert.deepEqual(
    all.flat().flatMap(({ partitionKey, eventId }) => (outcomes.get(eventId) === 'FAILED' ? [partitionKey] : [])),
    ['case-3', 'case-3'],
  )
})

test('a case whose record is locked does not delay other cases', async () => {
  const cases = Array.from({ length: 13 }, (_, i) => `case-${i + 1}`)
  await db`create table if not exists record (case_ref text primary key, changes int not null)`
  await db`insert into record (case_ref, changes) select unnest(${cases}::text[]), 0`
  await receiveAll(
    inbox,
    cases.flatMap((partitionKey) => ['LENDLOOM', 'CELESTIUM'].map((sender) => message({ partitionKey, sender }))),
  )
  const others = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holder = db.tx(async (tx) => {
    await tx`select 1 from record where case_ref = 'case-1' for update`
    locked.resolve()
    await others.promise
  })
  await locked.promise
  inbox.start({
    async apply(tx, event) {
      const [row] = await tx<{ changes: number }>`
        select changes from record where case_ref = ${event.partitionKey} for update`
      await tx`update record set changes = ${row!.changes + 1} where case_ref = ${event.partitionKey}`
      await recordEffect(tx, event)
    },
  })
  await until('the other cases are applied', async () => (await inbox.effects()).length === 24)
  others.resolve()
  await holder
  await allApplied()
  // Two senders of a case change one record, so their messages never share a transaction.
  const changes = await db<{ changes: number }>`select changes from record`
  assert.deepEqual(new Set(changes.map((row) => row.changes)), new Set([2]))
})

test('D3 §6: an internal error holds its object, is retried with growing delays, and raises an alert after 15 minutes', async () => {
  const all = messages('case-1', 3)
  const payment = message({ entityType: 'PAYMENT', entityId: 'pay-1' })
  let isBroken = true
  let tries = 0
  const lines: string[] = []
  inbox.start({
    clock,
    log: logTo('test', 'info', { write: (line) => void lines.push(line) }),
    async apply(tx, event) {
      await recordEffect(tx, event)
      if (event.entityType === 'CASE' && event.entityVersion === 2) {
        tries++
        if (isBroken) throw new TypeError('x is not a function')
      }
    },
  })
  await receiveAll(inbox, [...all, payment])
  await untilHeld(2)
  assert.equal((await inbox.effects()).length, 2)
  const delays: number[] = []
  for (let i = 0; i < 4; i++) {
    const [row] = await db<{ dueAt: Date; tries: number }>`select due_at, tries from inbox_waiting where tries > 0`
    delays.push(Math.round((row!.dueAt.getTime() - now.getTime()) / 1000))
    advanceClock(delays.at(-1)!)
    await until('the message was retried', async () => {
      const [next] = await db<{ tries: number }>`select tries from inbox_waiting where tries > 0`
      return next!.tries > row!.tries
    })
  }
  assert.deepEqual(delays, [2, 4, 8, 16])
  advanceClock(900)
  await until('the alert is sent', () => inbox.alerts.length === 1)
  await until('the alert is recorded', async () => (await countAlerted()) === 1)
  const [, errorId] = internalError.exec(String(inbox.alerts[0]!.facts.because))!
  const [line] = lines.filter((each) => each.includes(errorId!))
  assert.match(line!, /x is not a function/)
  const before = tries
  isBroken = false
  const [first] = await listHeldEvents(db)
  assert.equal(await db.tx((tx) => retryNow(tx, first!.sender, first!.eventId, now)), true)
  await allApplied()
  assert.ok(tries > before)
  assert.deepEqual(versions(await inbox.effects('case-1')).toSorted(), [1, 1, 2, 3])
})

test('D3 §6: a message that waits for another object is applied as soon as that object advances', async () => {
  const payment = message({ entityType: 'PAYMENT', entityId: 'pay-1' })
  const disbursed = message({ note: 'disbursed' })
  inbox.start({
    clock,
    async apply(tx, event) {
      const [row] =
        await tx`select 1 from effect where case_ref = ${event.partitionKey} and entity_id = ${event.partitionKey}`
      if (event.entityType === 'PAYMENT' && !row) throw new PrerequisiteError('the loan is not disbursed')
      await recordEffect(tx, event)
    },
  })
  await receive(inbox, payment)
  const [heldEvent] = await untilHeld(1)
  assert.equal(heldEvent!.because, 'the loan is not disbursed')
  await receive(inbox, disbursed)
  await allApplied()
  assert.deepEqual(
    (await inbox.effects()).map(({ entityId }) => entityId),
    ['case-1', 'pay-1'],
  )
})

test('a message is applied under the tenant that its case belongs to', async () => {
  const tenantId = '11111111-1111-4111-8111-111111111111'
  const seen: string[] = []
  inbox.start({ tenantOf: async () => tenantId, apply: async (_, event) => void seen.push(event.tenantId) })
  await receive(inbox, message())
  await allApplied()
  assert.deepEqual(seen, [tenantId])
  assert.deepEqual(await db`select tenant_id from inbox_outcome`, [{ tenantId }])
})

test('a message of an unknown case is retried, and does not hold messages of other cases', async () => {
  inbox.start({
    clock,
    async tenantOf(partitionKey) {
      if (partitionKey === 'case-unknown') throw new Refusal('absent', 'the case does not exist')
      return noTenantId
    },
  })
  await receiveAll(inbox, [message({ partitionKey: 'case-unknown' }), ...messages('case-1', 3)])
  const [heldEvent] = await untilHeld(1)
  assert.equal(heldEvent!.partitionKey, 'case-unknown')
  assert.equal(heldEvent!.because, 'the case does not exist')
  assert.equal(heldEvent!.tries, 1)
  await until('the messages of the other case are applied', async () => (await inbox.effects('case-1')).length === 3)
})

test('D3 §6: when a case cannot be read, only the log contains the error message', async () => {
  const lines: string[] = []
  inbox.start({
    clock,
    log: logTo('test', 'info', { write: (line) => void lines.push(line) }),
    // Throws a RangeError.
    tenantOf: async () => 'x'.repeat(-1),
  })
  await receive(inbox, message())
  const [heldEvent] = await untilHeld(1)
  const [, errorId] = internalError.exec(heldEvent!.because!)!
  assert.match(lines.find((line) => line.includes(errorId!))!, /Invalid count/)
})

test('D3 §8: messages of 2 MiB are received and applied', async () => {
  const seen: number[] = []
  inbox.start({ apply: async (_, { raw }) => void seen.push(raw.length) })
  const note = 'x'.repeat(2 * 1024 * 1024 - 100)
  const all = [1, 2, 3, 4].map((entityVersion) => message({ entityVersion, note }))
  await receiveAll(inbox, all)
  await allApplied()
  assert.deepEqual(
    seen,
    all.map(({ raw }) => raw.length),
  )
})

test('ARCHITECTURE rule 11: messages of a killed worker are claimed again after its lease, and are not applied twice', async () => {
  const all = messages('case-1', 4)
  await receiveAll(inbox, all)
  inbox.start({ clock })
  await allApplied()
  // Restores the waiting rows, as if a process had died after the commit of the effects and before deleting the rows.
  await db`
    insert into inbox_waiting (sender, case_ref, entity_type, entity_id, entity_version, event_id, received_at, due_at)
    select sender, case_ref, entity_type, entity_id, entity_version, event_id, received_at, ${secondsAfter(now, 30)} from inbox`
  await receive(inbox, message({ entityVersion: 5 }))
  await until('version 5 is applied', async () => (await inbox.effects()).length === 5)
  await until('the leased messages still wait', async () => (await inbox.waiting()) === 4)
  advanceClock(31)
  await allApplied()
  assert.deepEqual(versions(await inbox.effects()), [1, 2, 3, 4, 5])
  assert.deepEqual(new Set((await inbox.outcomes()).values()), new Set(['APPLIED']))
})

test('several workers apply each message once and in order', async () => {
  const all = Array.from({ length: 40 }, (_, i) => messages(`case-${i}`, 12)).flat()
  const workers = 3
  for (let i = 0; i < workers; i++) inbox.start()
  // The prime 7919 gives each message a different position.
  const shuffled = all
    .map((event, i) => ({ event, position: (i * 7919) % all.length }))
    .sort((a, b) => a.position - b.position)
  await receiveAll(
    inbox,
    shuffled.map(({ event }) => event),
  )
  await allApplied()
  const effects = await inbox.effects()
  assert.equal(effects.length, all.length)
  for (const [, caseEffects] of Map.groupBy(effects, ({ partitionKey }) => partitionKey))
    assert.deepEqual(
      versions(caseEffects),
      Array.from({ length: 12 }, (_, i) => i + 1),
    )
})

test('no message is lost or applied twice when database connections are cut', async () => {
  const all = Array.from({ length: 10 }, (_, i) => messages(`case-${i}`, 10)).flat()
  await receiveAll(inbox, all)
  // The clock advances past the lease, so that messages of a lost transaction are claimed again.
  let secondsPassed = 0
  inbox.start({ clock: () => new Date(Date.now() + secondsPassed * 1000) })
  const admin = connect(inbox.databaseUrl, { connections: 1 })
  for (let i = 0; i < 4; i++) {
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    secondsPassed += 31
    db.wake('inbox')
    await until('the worker has connected again', async () => {
      const others = await admin`
        select from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
      return others.length > 0
    })
  }
  await admin.close()
  await until('no message is waiting', async () => {
    secondsPassed += 1
    return (await inbox.waiting().catch(() => 1)) === 0
  })
  const effects = await inbox.effects()
  assert.equal(effects.length, all.length)
  for (const [, caseEffects] of Map.groupBy(effects, ({ partitionKey }) => partitionKey))
    assert.deepEqual(
      versions(caseEffects),
      Array.from({ length: 10 }, (_, i) => i + 1),
    )
})

test('rule 10: in a partitioned table, settling and holding messages of one partition does not affect the others', async () => {
  const { pool } = inbox.db
  await pool.query('alter table inbox_waiting rename to unpartitioned_waiting')
  await pool.query('create table inbox_waiting (like unpartitioned_waiting including all) partition by hash (case_ref)')
  for (let i = 0; i < 4; i++)
    await pool.query(
      `create table inbox_waiting_${i} partition of inbox_waiting for values with (modulus 4, remainder ${i})`,
    )
  await pool.query('drop table unpartitioned_waiting')
  const all = Array.from({ length: 40 }, (_, i) => messages(`case-${i}`, 2))
  // In every second case the first message arrives late, so the second message is held.
  const late = all.filter((_, i) => i % 2 === 0).map(([first]) => first!)
  await receiveAll(
    inbox,
    all.flat().filter((event) => !late.includes(event)),
  )
  inbox.start()
  assert.equal((await untilHeld(late.length)).length, late.length)
  await receiveAll(inbox, late)
  await allApplied()
  const effects = await inbox.effects()
  assert.equal(effects.length, 80)
  for (const [, caseEffects] of Map.groupBy(effects, ({ partitionKey }) => partitionKey))
    assert.deepEqual(versions(caseEffects), [1, 2])
})
