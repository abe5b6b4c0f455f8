// A key has one effect and one response, even if requests are repeated, concurrent or failing.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { canonicalJson } from '@lendloom/foundation/json'
import { Refusal } from '@lendloom/foundation/refusal'
import { runInTrace, trace } from '@lendloom/foundation/trace'
import { type Answer, answer } from '@lendloom/http/server'
import { refusalFrom } from '@lendloom/http/src/refusal-of-error.ts'
import { rekeyDigests } from '@lendloom/postgres/rekey-digests'
import { connect, isCommitUnknown, isLockTimeout, type Tx } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { tablesWith } from '@lendloom/tests/setup/stored-values'
import fc from 'fast-check'
import { digestsOfRequests } from './idempotency/store.ts'
import { idempotencyKey, runOnceForKey } from './idempotency.ts'
import type { IdempotentOperation } from './idempotency-entry.ts'

let now = new Date('2026-11-01T10:00:00Z')
const { ctx, tenant, secondTenant } = await testPlatform()
const { db } = ctx
await db`create table effect (key text, number int)`

const operation = (fields: Partial<IdempotentOperation> = {}): IdempotentOperation => ({
  tenantId: tenant.tenantId,
  principal: 'key-1',
  operation: 'POST /things',
  key: uuidv4(),
  content: { a: 1 },
  replaySeconds: null,
  ...fields,
})
let number = 0
const effect =
  ({ key }: IdempotentOperation) =>
  async (tx: Tx): Promise<Answer> => {
    number++
    await tx`insert into effect ${tx({ key, number })}`
    return answer(201, { number }, { 'cache-control': 'no-store' })
  }
const run = (request: IdempotentOperation) => runOnceForKey(ctx, request, now, effect(request))
const countEffects = async ({ key }: IdempotentOperation): Promise<number> =>
  (await db`select 1 from effect where key = ${key}`).length
const isReplay = ({ headers }: Answer): boolean => headers['idempotent-replayed'] === 'true'

test('D2 §8: a repeated request gets the first response with its headers and has no effect', async () => {
  const request = operation()
  const first = await run(request)
  const second = await run(request)
  assert.equal(isReplay(first), false)
  assert.equal(isReplay(second), true)
  assert.equal(second.status, first.status)
  assert.deepEqual(second.body, first.body)
  assert.deepEqual(second.headers, { 'cache-control': 'no-store', 'idempotent-replayed': 'true' })
  assert.equal(await countEffects(request), 1)
})

test('D2 §8: exactly one of thirty concurrent requests has an effect, and the others get its response', async () => {
  const request = operation()
  const answers = await Promise.all(Array.from({ length: 30 }, () => run(request)))
  assert.equal(answers.filter(isReplay).length, 29)
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
  assert.equal(await countEffects(request), 1)
})

test('D2 §8: a used key is refused with other content, even concurrently', async () => {
  const request = operation()
  const reusedKeyError = { kind: 'reused-key', details: { field: 'Idempotency-Key' } }
  await run(request)
  await assert.rejects(run({ ...request, content: { a: 2 } }), reusedKeyError)
  const newRequest = operation()
  const results = await Promise.allSettled([1, 2].map((a) => run({ ...newRequest, content: { a } })))
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal(await countEffects(newRequest), 1)
})

test('D2 §8: contents that differ only in the order of fields are equal', async () => {
  const request = operation({ content: { a: 1, b: { c: [1, 2], d: null } } })
  await run(request)
  assert.ok(isReplay(await run({ ...request, content: { b: { d: null, c: [1, 2] }, a: 1 } })))
  const otherContents = [{ a: 1, b: { c: [2, 1], d: null } }, { a: '1', b: { c: [1, 2], d: null } }, { a: 1 }, null, []]
  for (const content of otherContents) await assert.rejects(run({ ...request, content }), { kind: 'reused-key' })
})

const plainDigest = (content: unknown): string => hash('sha256', canonicalJson(content), 'hex')

test('DPDP §8(5): the database without its keys does not confirm a guessed mobile number', async () => {
  const alone = operation({ content: { contactNumber: '9876501234' } })
  const shared = operation({ content: { contactNumber: '9876501235' }, owner: 'a borrower' })
  for (const request of [alone, shared]) {
    await run(request)
    assert.deepEqual(await tablesWith(db, plainDigest(request.content)), [])
  }
})

test('D2 §8: a request that the previous version has answered is recognized, before and after its digest is keyed', async () => {
  const request = operation()
  await run(request)
  await db`
    update idempotency set content_digest = ${Buffer.from(plainDigest(request.content), 'hex')}, content_mac = null
    where key = ${request.key}`
  const repeat = async () => {
    assert.ok(isReplay(await run(request)))
    await assert.rejects(run({ ...request, content: { a: 2 } }), { kind: 'reused-key' })
  }
  await repeat()
  await rekeyDigests(db, ctx.seal, digestsOfRequests)
  assert.deepEqual(await tablesWith(db, plainDigest(request.content)), [])
  await repeat()
  assert.equal(await countEffects(request), 1)
})

test('property: a copy of any JSON value counts as the same content', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (content) => {
      const request = operation({ content })
      await run(request)
      assert.ok(isReplay(await run({ ...request, content: JSON.parse(JSON.stringify(content)) })))
    }),
    { numRuns: roundsOf(15), endOnFailure: true },
  )
})

test('D2 §8: a key is scoped to its tenant, principal and operation', async () => {
  const request = operation()
  const others = [
    { tenantId: secondTenant.tenantId },
    { principal: 'key-2' },
    { operation: 'PUT /things' },
    { key: `${request.key}2` },
  ]
  await run(request)
  for (const other of others) assert.ok(!isReplay(await run({ ...request, ...other, content: 'another' })))
})

test('ARCHITECTURE rule 7: a refused or failed request can be retried with the same key', async () => {
  const request = operation()
  const failures = [new Refusal('wrong-state', 'not now'), new Error('a bug')]
  for (const failure of failures) {
    const failing = runOnceForKey(ctx, request, now, async (tx) => {
      await effect(request)(tx)
      throw failure
    })
    await assert.rejects(failing, failure)
    assert.equal(await countEffects(request), 0)
  }
  assert.ok(!isReplay(await run(request)))
})

test('D2 §8: a response with a short-lived secret is replayed until it expires, then the effect runs again', async () => {
  const request = operation({ replaySeconds: 60 })
  const first = await run(request)
  now = new Date(now.getTime() + 60_000)
  assert.deepEqual((await run(request)).body, first.body)
  now = new Date(now.getTime() + 1)
  const answers = await Promise.all([run(request), run(request), run(request)])
  assert.equal(answers.filter((each) => !isReplay(each)).length, 1)
  assert.equal(new Set([...answers, first].map(({ body }) => JSON.stringify(body))).size, 2)
  assert.equal(await countEffects(request), 2)
  await assert.rejects(run({ ...request, content: 'other' }), { kind: 'reused-key' })
})

test('D2 §8: stored responses are sealed, and a response opens only with its own key', async () => {
  const request = operation()
  await runOnceForKey(ctx, request, now, async () => answer(200, { token: 'st_visible' }))
  const [row] = await db<{ outcomeSealed: Buffer }>`select outcome_sealed from idempotency where key = ${request.key}`
  assert.ok(!row!.outcomeSealed.includes('st_visible'))
  const otherCaller = operation({ principal: 'key-9' })
  await run(otherCaller)
  await db`update idempotency set outcome_sealed = ${row!.outcomeSealed} where key = ${otherCaller.key}`
  await assert.rejects(run(otherCaller))
})

test('D2 §8: a key has 1 to 255 visible ASCII characters, quoted or bare', () => {
  const parse = (key: string | string[] | undefined) => idempotencyKey({ 'idempotency-key': key })
  assert.equal(parse(undefined), null)
  assert.equal(parse('abc'), 'abc')
  assert.equal(parse('"abc"'), 'abc')
  assert.equal(parse('!~'), '!~')
  assert.equal(parse('x'.repeat(255)), 'x'.repeat(255))
  const invalidKeyError = { kind: 'invalid', details: { field: 'Idempotency-Key' } }
  for (const invalidKey of [
    '',
    '""',
    '"abc',
    'abc"',
    'a b',
    'é',
    'a\tb',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
    ['a', 'b'],
  ])
    assert.throws(() => parse(invalidKey), invalidKeyError)
})

test('D2 §8: a concurrent duplicate gets the replay, whatever the first request changed', async () => {
  const request = operation()
  const openOnce = async (tx: Tx): Promise<Answer> => {
    const existing = await tx`select 1 from effect where key = ${request.key}`
    if (existing.length > 0) throw new Refusal('wrong-state', 'it is already open')
    return effect(request)(tx)
  }
  const answers = await Promise.all(Array.from({ length: 10 }, () => runOnceForKey(ctx, request, now, openOnce)))
  assert.equal(answers.filter(isReplay).length, 9)
})

test('D2 §8: a duplicate that waits too long is refused as pending', async () => {
  const request = operation()
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const first = runOnceForKey(ctx, request, now, async (tx) => {
    // This statement completes only when the request has claimed the key, so that later requests wait.
    await tx`select 1`
    started.resolve()
    await release.promise
    return effect(request)(tx)
  })
  await started.promise
  await assert.rejects(run(request), { kind: 'pending', details: { retryAfterSeconds: 1 } })
  release.resolve()
  await first
  assert.ok(isReplay(await run(request)))
})

test('D2 §8: a duplicate is refused as pending while an expired response is being produced again', async () => {
  const request = operation({ replaySeconds: 60 })
  await run(request)
  now = new Date(now.getTime() + 61_000)
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  let runs = 0
  const slow = runOnceForKey(ctx, request, now, async (tx) => {
    // The first run is rolled back, because the key is already claimed; only the second run counts.
    if (++runs > 1) {
      started.resolve()
      await release.promise
    }
    return effect(request)(tx)
  })
  await started.promise
  await assert.rejects(run(request), { kind: 'pending', details: { retryAfterSeconds: 1 } })
  release.resolve()
  await slow
  assert.ok(isReplay(await run(request)))
})

const borrowers = (count: number) =>
  Array.from({ length: count }, () => operation({ owner: uuidv4(), principal: uuidv4() }))
const transactionsOf = async (operations: IdempotentOperation[]): Promise<number> => {
  const [row] = await db<{ count: number }>`
    select count(distinct xmin::text)::int as count from effect where key = any(${operations.map(({ key }) => key)})`
  return row!.count
}

test('D2 §8: concurrent writes of different borrowers share a commit and keep their responses and correlation ids', async () => {
  const requests = borrowers(40)
  const correlations: (string | undefined)[] = []
  const answers = await Promise.all(
    requests.map((request, i) =>
      runInTrace({ correlationId: `request-${i}` }, () =>
        runOnceForKey(ctx, request, now, async (tx) => {
          const response = await effect(request)(tx)
          correlations[i] = trace()?.correlationId
          return answer(201, { key: request.key, response: response.body })
        }),
      ),
    ),
  )
  assert.ok((await transactionsOf(requests)) <= 4, `${await transactionsOf(requests)} transactions`)
  for (const [i, request] of requests.entries()) {
    assert.equal((answers[i]!.body as { key: string }).key, request.key)
    assert.equal(correlations[i], `request-${i}`)
    assert.ok(isReplay(await run(request)))
    assert.equal(await countEffects(request), 1)
  }
})

test('D2 §8: a key that two processes use at once in shared commits has one effect and one response', async () => {
  const otherDb = connect(ctx.config.DATABASE_URL)
  const [request] = borrowers(1)
  const bothBegun = Promise.withResolvers<void>()
  let begun = 0
  const slowEffect = async (tx: Tx): Promise<Answer> => {
    if (++begun === 2) bothBegun.resolve()
    await bothBegun.promise
    return effect(request!)(tx)
  }
  const companions = borrowers(2)
  const processes = [ctx, { ...ctx, db: otherDb }].map((deps, i) => [
    runOnceForKey(deps, request!, now, slowEffect),
    runOnceForKey(deps, companions[i]!, now, effect(companions[i]!)),
  ])
  const [first, second] = await Promise.all(processes.map(([shared]) => shared!))
  await Promise.all(processes.flat())
  assert.deepEqual(first!.body, second!.body)
  assert.deepEqual([isReplay(first!), isReplay(second!)].sort(), [false, true])
  for (const each of [request!, ...companions]) assert.equal(await countEffects(each), 1)
  await otherDb.close()
})

test('D2 §8: a locked row delays only its own borrower, not others in the shared commit', async () => {
  const requests = borrowers(10)
  await db`create table if not exists borrower_row (key text primary key)`
  for (const { key } of requests) await db`insert into borrower_row (key) values (${key})`
  const lockAndWrite = (request: IdempotentOperation) =>
    runOnceForKey(ctx, request, now, async (tx) => {
      await tx`select 1 from borrower_row where key = ${request.key} for update`
      return effect(request)(tx)
    })
  const blocked = requests[4]!
  const others = requests.filter((request) => request !== blocked)
  const { waiting } = await db.tx(async (tx) => {
    await tx`select 1 from borrower_row where key = ${blocked.key} for update`
    // If the others take longer than the lock wait, the blocked write is refused as pending and retried below.
    const waiting = lockAndWrite(blocked).catch((error) =>
      error.kind === 'pending' ? { status: 'pending' as const } : Promise.reject(error),
    )
    const done = Promise.all(others.map(lockAndWrite))
    assert.equal((await done).length, 9)
    assert.equal(await countEffects(blocked), 0)
    return { waiting }
  })
  const { status } = await waiting
  assert.equal(status === 'pending' ? (await lockAndWrite(blocked)).status : status, 201)
  assert.equal(await countEffects(blocked), 1)
})

/** Locks the rows of borrowers by another connection until the returned function is called. */
async function lockRows(requests: IdempotentOperation[]): Promise<() => Promise<void>> {
  await db`create table if not exists borrower_row (key text primary key)`
  for (const { key } of requests) await db`insert into borrower_row (key) values (${key})`
  const locked = Promise.withResolvers<void>()
  const unlock = Promise.withResolvers<void>()
  const holder = db.tx(async (tx) => {
    await tx`select 1 from borrower_row where key = any(${requests.map(({ key }) => key)}) for update`
    locked.resolve()
    await unlock.promise
  })
  await locked.promise
  return () => {
    unlock.resolve()
    return holder
  }
}

/** A write that waits for the row of its borrower; `alone` resolves when it waits in its own transaction. */
function writeToLockedRow(request: IdempotentOperation, runsBefore: number) {
  const alone = Promise.withResolvers<void>()
  let runs = 0
  const done = runOnceForKey(ctx, request, now, async (tx) => {
    if (runs++ === runsBefore) {
      await tx`set local lock_timeout = '60s'`
      alone.resolve()
    }
    await tx`select 1 from borrower_row where key = ${request.key} for update`
    return effect(request)(tx)
  })
  return { alone: alone.promise, done }
}

test('D2 §8: borrowers whose shared commit failed on a locked row write again while that row is locked', async () => {
  const requests = borrowers(10)
  const [locked, ...others] = requests as [IdempotentOperation, ...IdempotentOperation[]]
  const unlock = await lockRows([locked])
  const blocked = writeToLockedRow(locked, 1)
  const first = others.map(run)
  await blocked.alone
  await Promise.all(first)
  const next = others.map((request) => ({ ...request, key: uuidv4() }))
  await Promise.all(next.map(run))
  assert.equal(await countEffects(locked), 0)
  await unlock()
  assert.equal((await blocked.done).status, 201)
})

test('D2 §8: writes to several locked rows do not delay the writes of other borrowers', async () => {
  const [other, ...locked] = borrowers(5) as [IdempotentOperation, ...IdempotentOperation[]]
  const unlock = await lockRows(locked)
  const blocked: Promise<Answer>[] = []
  for (const request of locked) {
    const { alone, done } = writeToLockedRow(request, 0)
    blocked.push(done)
    await alone
  }
  await run(other)
  for (const request of locked) assert.equal(await countEffects(request), 0)
  await unlock()
  for (const { status } of await Promise.all(blocked)) assert.equal(status, 201)
})

test('D2 §8: a statement that the server cancels fails its own borrower, not others in the shared commit', async () => {
  const requests = borrowers(6)
  const slow = requests[2]!
  const results = await Promise.allSettled(
    requests.map((request) =>
      runOnceForKey(ctx, request, now, async (tx) => {
        if (request !== slow) return effect(request)(tx)
        await tx`set local statement_timeout = 50`
        await tx`select pg_sleep(60)`
        return effect(request)(tx)
      }),
    ),
  )
  for (const [i, { status }] of results.entries())
    assert.equal(status, requests[i] === slow ? 'rejected' : 'fulfilled', `${i}`)
})

test('ARCHITECTURE rule 7: a write to a locked table is refused as a database that does not answer, not as pending', async () => {
  const request = operation()
  await db.tx(async (tx) => {
    await tx`lock table effect`
    const error = await run(request).catch((failure) => failure)
    assert.ok(isLockTimeout(error), String(error))
    const refusal = refusalFrom(error)
    assert.ok(refusal instanceof Refusal)
    assert.equal(refusal.kind, 'upstream')
    assert.equal(refusal.details?.retryAfterSeconds, 2)
  })
  assert.equal((await run(request)).status, 201)
})

test('D2 §8: writes are not repeated if the outcome of their shared commit is unknown', async () => {
  await db`create table failing_commit (key text)`
  await db`
    create function fail_at_commit() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`
  await db`
    create constraint trigger fail_trigger after insert on failing_commit deferrable initially deferred
    for each row execute function fail_at_commit()`
  const requests = borrowers(6)
  let runs = 0
  const results = await Promise.allSettled(
    requests.map((request, i) =>
      runOnceForKey(ctx, request, now, async (tx) => {
        runs++
        if (i === 3) await tx`insert into failing_commit (key) values (${request.key})`
        return effect(request)(tx)
      }),
    ),
  )
  assert.ok(results.every((each) => each.status === 'rejected' && isCommitUnknown(each.reason)))
  assert.equal(runs, 6)
})

test('property: each key has at most one effect and one response, under any failures and repetitions', async () => {
  const requests = fc.array(
    fc.record({
      owner: fc.integer({ min: 0, max: 6 }),
      key: fc.integer({ min: 0, max: 2 }),
      content: fc.constantFrom('same', 'same', 'same', 'other'),
      ending: fc.constantFrom('success', 'success', 'success', 'refused', 'broken'),
      ticks: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(requests, async (calls) => {
      const salt = uuidv4()
      const request = ({ owner, key, content }: (typeof calls)[number]) =>
        operation({ owner: `${salt}-${owner}`, principal: `${salt}-${owner}`, key: `${salt}-${owner}-${key}`, content })
      const settled = await Promise.allSettled(
        calls.map(async (call) => {
          for (let tick = 0; tick < call.ticks; tick++) await new Promise(setImmediate)
          return runOnceForKey(ctx, request(call), now, async (tx) => {
            const response = await effect(request(call))(tx)
            if (call.ending === 'refused') throw new Refusal('wrong-state', 'not now')
            if (call.ending === 'broken') await tx`select 1 / 0`
            return response
          })
        }),
      )
      for (const key of new Set(calls.map((call) => request(call).key))) {
        const callsOfKey = calls.flatMap((call, i) =>
          request(call).key === key ? [{ ...call, end: settled[i]! }] : [],
        )
        const responses = callsOfKey.flatMap(({ end }) => (end.status === 'fulfilled' ? [end.value] : []))
        const hasSuccess = callsOfKey.some(({ ending }) => ending === 'success')
        assert.equal(responses.filter((call) => !isReplay(call)).length, hasSuccess ? 1 : 0)
        assert.equal(new Set(responses.map(({ body }) => JSON.stringify(body))).size, hasSuccess ? 1 : 0)
        assert.equal(await countEffects({ key } as IdempotentOperation), hasSuccess ? 1 : 0)
        for (const { end } of callsOfKey)
          if (end.status === 'rejected')
            assert.match(String((end.reason as Error).message), /not now|division by zero|other content/)
      }
    }),
    { numRuns: roundsOf(12), endOnFailure: true },
  )
})

test('a claim that fails while its own effect runs is refused as pending and does not crash the process', async () => {
  const request = operation()
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const first = runOnceForKey(ctx, request, now, async (tx) => {
    // This statement completes only when the request has claimed the key, so that later requests wait.
    await tx`select 1`
    started.resolve()
    await release.promise
    return effect(request)(tx)
  })
  await started.promise
  const waiting = runOnceForKey(ctx, request, now, async (tx) => {
    const isWaiting = async () =>
      (await db`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length >
      0
    await until('the claim waits for the key', isWaiting)
    await until('the claim has failed', async () => !(await isWaiting()))
    return effect(request)(tx)
  })
  await assert.rejects(waiting, { kind: 'pending' })
  release.resolve()
  await first
})
