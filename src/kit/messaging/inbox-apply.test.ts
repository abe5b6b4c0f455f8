// Applying: versions in their order, each message and its effect once, gaps and failures held, told and put right.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { logTo } from '#kit/runtime/log.ts'
import { type Effect, leaveEffect, message, messages, receiveAll, testInbox } from '#test/setup/inbox.ts'
import { until } from '#test/setup/programs.ts'
import { listHeld, NotYet, receive, receivedEvents, retryNow } from './inbox.ts'
import { nobody } from './queue.ts'

const inbox = await testInbox()
const { db } = inbox
let now = new Date()
const clock = () => now
beforeEach(async () => {
  await inbox.stopAll()
  await inbox.clear()
  // Whatever a test receives is in the past of a clock that stands still.
  now = secondsAfter(new Date(), 10)
})

const internalError = /^an internal error stopped it; the log has it under ([0-9a-f-]{36})$/

const empty = () => until('none waiting', async () => (await inbox.waiting()) === 0)
const held = (count: number) =>
  until(`${count} are held`, async () => ((await listHeld(db)).length === count ? listHeld(db) : undefined))
/** How many are held that operators have been told of. */
const alerted = async () => (await db`select 1 from inbox_waiting where alerted_at is not null`).length
const versions = (effects: Effect[]) => effects.map(({ version }) => version)
const later = (seconds: number) => {
  now = secondsAfter(now, seconds)
  db.wake('inbox')
}

test('D3 §6: versions are applied in their order, whatever the order of their arrival', async () => {
  const all = messages('case-1', 30)
  inbox.start()
  for (const one of all.toReversed()) await receive(inbox, one)
  await empty()
  assert.deepEqual(
    versions(await inbox.effects()),
    all.map(({ entityVersion }) => entityVersion),
  )
})

test('D3 §2.2: versions of different senders and objects are never compared', async () => {
  const all = [
    message({ entityVersion: 1 }),
    message({ entityType: 'PAYMENT', entityId: 'pay-1', entityVersion: 1 }),
    message({ entityType: 'PAYMENT', entityId: 'pay-2', entityVersion: 1 }),
    message({ sender: 'CELESTIUM', entityVersion: 1 }),
  ]
  inbox.start()
  await receiveAll(inbox, all)
  await empty()
  assert.equal((await inbox.effects()).length, 4)
})

test('D3 §6: a gap is held and listed with its age, keeps only its own object back, and goes on when it is filled', async () => {
  const [first, second, third] = messages('case-1', 3)
  const payment = message({ entityType: 'PAYMENT', entityId: 'pay-1' })
  inbox.start({ clock })
  await receiveAll(inbox, [first!, third!, payment])
  const [one] = await held(1)
  assert.deepEqual([one!.eventId, one!.because, one!.tries], [third!.eventId, 'waits for version 2', 0])
  assert.deepEqual(one!.stuckSince, now)
  assert.equal((await inbox.effects()).length, 2)
  await receive(inbox, second!)
  await empty()
  assert.deepEqual(versions(await inbox.effects('case-1')).toSorted(), [1, 1, 2, 3])
  assert.deepEqual(inbox.alerts, [])
})

test('D3 §6: a gap of 15 minutes is told, once, and a restart of the worker does not tell it again', async () => {
  const [, , third, fourth] = messages('case-1', 4)
  inbox.start({ clock })
  await receiveAll(inbox, [third!, fourth!])
  await held(2)
  later(901)
  await until('it is told', () => inbox.alerts.length > 0)
  await until('that is written down', async () => (await alerted()) === 1)
  await inbox.stopAll()
  inbox.start({ clock })
  later(901)
  // Long enough for a second alert that must not come.
  await sleep(200)
  assert.equal(inbox.alerts.length, 1)
  assert.deepEqual(
    [inbox.alerts[0]!.facts.eventId, inbox.alerts[0]!.facts.because],
    [third!.eventId, 'waits for version 1'],
  )
})

test('D3 §6: an older version and a second message of the same version are superseded, and a replay has no second effect', async () => {
  const [first, second] = messages('case-1', 2)
  inbox.start()
  await receiveAll(inbox, [first!, second!])
  await empty()
  const again = message({ entityVersion: 1, note: 'another' })
  await receiveAll(inbox, [first!, again, second!])
  await empty()
  assert.deepEqual(versions(await inbox.effects()), [1, 2])
  assert.deepEqual(
    [first!, second!, again].map(({ eventId }) => eventId),
    [...(await inbox.outcomes()).keys()],
  )
  assert.equal((await inbox.outcomes()).get(again.eventId), 'SUPERSEDED')
})

test('D3 §6: a refusal fails its message alone, is said in the transaction that marks it, and the next version goes on', async () => {
  const all = messages('case-1', 5)
  const refusals: [string, string][] = []
  inbox.start({
    async apply(tx, event) {
      await leaveEffect(tx, event)
      if (event.entityVersion === 3) throw new Refusal('wrong-state', 'the offer has expired')
    },
    async failed(tx, event, refusal) {
      refusals.push([event.eventId, refusal.message])
      await tx`insert into effect (case_ref, entity_id, version) values ('failed', ${event.entityId}, ${event.entityVersion})`
    },
  })
  await receiveAll(inbox, all)
  await empty()
  assert.deepEqual(versions(await inbox.effects('case-1')), [1, 2, 4, 5])
  assert.deepEqual(versions(await inbox.effects('failed')), [3])
  assert.deepEqual(refusals, [[all[2]!.eventId, 'the offer has expired']])
  const events = await receivedEvents(db, inbox.seal, { tenantId: nobody, partitionKey: 'case-1' })
  const failed = events.find(({ outcome }) => outcome === 'FAILED')!
  assert.deepEqual([failed.eventId, failed.reason], [all[2]!.eventId, 'the offer has expired'])
})

test('D3 §6: what breaks is tried again with growing delays, holds its object back, and is told after 15 minutes', async () => {
  const all = messages('case-1', 3)
  const payment = message({ entityType: 'PAYMENT', entityId: 'pay-1' })
  let broken = true
  let tries = 0
  const lines: string[] = []
  inbox.start({
    clock,
    log: logTo('test', 'info', { write: (line) => void lines.push(line) }),
    async apply(tx, event) {
      await leaveEffect(tx, event)
      if (event.entityType === 'CASE' && event.entityVersion === 2) {
        tries++
        if (broken) throw new TypeError('x is not a function')
      }
    },
  })
  await receiveAll(inbox, [...all, payment])
  await held(2)
  assert.equal((await inbox.effects()).length, 2)
  const delays: number[] = []
  for (let i = 0; i < 4; i++) {
    const [row] = await db<{ dueAt: Date; tries: number }>`select due_at, tries from inbox_waiting where tries > 0`
    delays.push(Math.round((row!.dueAt.getTime() - now.getTime()) / 1000))
    later(delays.at(-1)!)
    await until('it was tried', async () => {
      const [next] = await db<{ tries: number }>`select tries from inbox_waiting where tries > 0`
      return next!.tries > row!.tries
    })
  }
  assert.deepEqual(delays, [2, 4, 8, 16])
  later(900)
  await until('it is told', () => inbox.alerts.length === 1)
  await until('that is written down', async () => (await alerted()) === 1)
  const [, errorId] = internalError.exec(String(inbox.alerts[0]!.facts.because))!
  const [line] = lines.filter((each) => each.includes(errorId!))
  assert.match(line!, /x is not a function/)
  const before = tries
  broken = false
  const [first] = await listHeld(db)
  assert.equal(await db.tx((tx) => retryNow(tx, first!.sender, first!.eventId, now)), true)
  await empty()
  assert.ok(tries > before)
  assert.deepEqual(versions(await inbox.effects('case-1')).toSorted(), [1, 1, 2, 3])
})

test('D3 §6: what waits for another object is held, and tried as soon as its case goes on', async () => {
  const payment = message({ entityType: 'PAYMENT', entityId: 'pay-1' })
  const disbursed = message({ note: 'disbursed' })
  inbox.start({
    clock,
    async apply(tx, event) {
      const [row] =
        await tx`select 1 from effect where case_ref = ${event.partitionKey} and entity_id = ${event.partitionKey}`
      if (event.entityType === 'PAYMENT' && !row) throw new NotYet('the loan is not disbursed')
      await leaveEffect(tx, event)
    },
  })
  await receive(inbox, payment)
  const [one] = await held(1)
  assert.equal(one!.because, 'the loan is not disbursed')
  await receive(inbox, disbursed)
  await empty()
  assert.deepEqual(
    (await inbox.effects()).map(({ entityId }) => entityId),
    ['case-1', 'pay-1'],
  )
})

test("a message whose case is nobody's is applied under the tenant that its case belongs to", async () => {
  const tenantId = '11111111-1111-4111-8111-111111111111'
  const seen: string[] = []
  inbox.start({ tenantOf: async () => tenantId, apply: async (_, event) => void seen.push(event.tenantId) })
  await receive(inbox, message())
  await empty()
  assert.deepEqual(seen, [tenantId])
  assert.deepEqual(await db`select tenant_id from inbox_outcome`, [{ tenantId }])
})

test('a case that nobody knows yet keeps no other case back, and is tried again', async () => {
  inbox.start({
    clock,
    async tenantOf(partitionKey) {
      if (partitionKey === 'case-unknown') throw new Refusal('absent', 'the case is not there')
      return nobody
    },
  })
  await receiveAll(inbox, [message({ partitionKey: 'case-unknown' }), ...messages('case-1', 3)])
  const [one] = await held(1)
  assert.deepEqual([one!.partitionKey, one!.because, one!.tries], ['case-unknown', 'the case is not there', 1])
  await until('the other is applied', async () => (await inbox.effects('case-1')).length === 3)
})

test('D3 §6: the words of an error that stopped a look at a case are in the log alone, under an id', async () => {
  const lines: string[] = []
  inbox.start({
    clock,
    log: logTo('test', 'info', { write: (line) => void lines.push(line) }),
    tenantOf: async () => 'x'.repeat(-1),
  })
  await receive(inbox, message())
  const [one] = await held(1)
  const [, errorId] = internalError.exec(one!.because!)!
  assert.match(lines.find((line) => line.includes(errorId!))!, /Invalid count/)
})

test('D3 §8: messages of 2 MiB are received and applied as any other', async () => {
  const seen: number[] = []
  inbox.start({ apply: async (_, { raw }) => void seen.push(raw.length) })
  const note = 'x'.repeat(2 * 1024 * 1024 - 100)
  const all = [1, 2, 3, 4].map((entityVersion) => message({ entityVersion, note }))
  await receiveAll(inbox, all)
  await empty()
  assert.deepEqual(
    seen,
    all.map(({ raw }) => raw.length),
  )
})

test('ARCHITECTURE rule 11: what a worker died with comes back with its lease, and what it had applied is not applied again', async () => {
  const all = messages('case-1', 4)
  await receiveAll(inbox, all)
  inbox.start({ clock })
  await empty()
  // As it is when the process ends between the commit of the effects and the end of the waiting rows.
  await db`
    insert into inbox_waiting (sender, case_ref, entity_type, entity_id, entity_version, event_id, received_at, due_at)
    select sender, case_ref, entity_type, entity_id, entity_version, event_id, received_at, ${secondsAfter(now, 30)} from inbox`
  await receive(inbox, message({ entityVersion: 5 }))
  await until('the next one is applied', async () => (await inbox.effects()).length === 5)
  await until('what was held alone still waits', async () => (await inbox.waiting()) === 4)
  later(31)
  await empty()
  assert.deepEqual(versions(await inbox.effects()), [1, 2, 3, 4, 5])
  assert.deepEqual(new Set((await inbox.outcomes()).values()), new Set(['APPLIED']))
})

test('several workers share the cases, and none is applied twice or out of order', async () => {
  const all = Array.from({ length: 40 }, (_, i) => messages(`case-${i}`, 12)).flat()
  const workers = 3
  for (let i = 0; i < workers; i++) inbox.start()
  const order = all.map((one, i) => ({ one, place: (i * 7919) % all.length })).sort((a, b) => a.place - b.place)
  await receiveAll(
    inbox,
    order.map(({ one }) => one),
  )
  await empty()
  const effects = await inbox.effects()
  assert.equal(effects.length, all.length)
  for (const [, ofCase] of Map.groupBy(effects, ({ partitionKey }) => partitionKey))
    assert.deepEqual(
      versions(ofCase),
      Array.from({ length: 12 }, (_, i) => i + 1),
    )
})

test('connections that are cut while it works cost no message and double none', async () => {
  const all = Array.from({ length: 10 }, (_, i) => messages(`case-${i}`, 10)).flat()
  await receiveAll(inbox, all)
  // A real clock: a commit whose answer was lost is found out about when the lease has passed.
  let passed = 0
  inbox.start({ clock: () => new Date(Date.now() + passed * 1000) })
  // On a connection that nobody cuts.
  const knife = connect(inbox.databaseUrl, { connections: 1 })
  for (let i = 0; i < 4; i++) {
    await knife`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    // It begins again meanwhile.
    await sleep(30)
    passed += 31
  }
  await knife.close()
  await until('none waiting', async () => {
    passed += 1
    return (await inbox.waiting().catch(() => 1)) === 0
  })
  const effects = await inbox.effects()
  assert.equal(effects.length, all.length)
  for (const [, ofCase] of Map.groupBy(effects, ({ partitionKey }) => partitionKey))
    assert.deepEqual(
      versions(ofCase),
      Array.from({ length: 10 }, (_, i) => i + 1),
    )
})

test('rule 10: where the table is partitioned, what is settled, held or taken in one partition leaves the others alone', async () => {
  const plain = inbox.db.pool
  await plain.query('alter table inbox_waiting rename to plain_waiting')
  await plain.query('create table inbox_waiting (like plain_waiting including all) partition by hash (case_ref)')
  for (let i = 0; i < 4; i++)
    await plain.query(
      `create table inbox_waiting_${i} partition of inbox_waiting for values with (modulus 4, remainder ${i})`,
    )
  await plain.query('drop table plain_waiting')
  const all = Array.from({ length: 40 }, (_, i) => messages(`case-${i}`, 2))
  // The first message of every second case comes late: the second one is held meanwhile, at the place of one that goes.
  const late = all.filter((_, i) => i % 2 === 0).map(([first]) => first!)
  await receiveAll(
    inbox,
    all.flat().filter((one) => !late.includes(one)),
  )
  inbox.start()
  assert.equal((await held(late.length)).length, late.length)
  await receiveAll(inbox, late)
  await empty()
  const effects = await inbox.effects()
  assert.equal(effects.length, 80)
  for (const [, ofCase] of Map.groupBy(effects, ({ partitionKey }) => partitionKey))
    assert.deepEqual(versions(ofCase), [1, 2])
})
