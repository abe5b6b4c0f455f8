// Idempotency: one effect and one answer for one key, however often, however concurrently, whatever fails in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { uuidv4 } from '#kit/crypto/id.ts'
import { isCommitUnknown, type Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { type Answer, answer } from '#kit/http/server.ts'
import { trace, traced } from '#kit/runtime/trace.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { type IdempotentOperation, idempotencyKey, once } from './idempotency.ts'

let now = new Date('2026-11-01T10:00:00Z')
const { ctx, tenant, secondTenant } = await testPlatform()
const { db } = ctx
await db`create table effect (key text, number int)`

const operation = (more: Partial<IdempotentOperation> = {}): IdempotentOperation => ({
  tenantId: tenant.tenantId,
  principal: 'key-1',
  operation: 'POST /things',
  key: uuidv4(),
  content: { a: 1 },
  replaySeconds: null,
  ...more,
})
let number = 0
const effect =
  ({ key }: IdempotentOperation) =>
  async (tx: Tx): Promise<Answer> => {
    number++
    await tx`insert into effect ${tx({ key, number })}`
    return answer(201, { number }, { 'cache-control': 'no-store' })
  }
const run = (of: IdempotentOperation) => once(ctx, of, now, effect(of))
const effects = async ({ key }: IdempotentOperation): Promise<number> =>
  (await db`select 1 from effect where key = ${key}`).length
const isReplay = ({ headers }: Answer): boolean => headers['idempotent-replayed'] === 'true'

test('D2 §8: the second time has the answer of the first, headers too, and no effect', async () => {
  const of = operation()
  const [first, second] = [await run(of), await run(of)]
  assert.deepEqual([isReplay(first), isReplay(second)], [false, true])
  assert.deepEqual([second.status, second.body], [first.status, first.body])
  assert.deepEqual(second.headers, { 'cache-control': 'no-store', 'idempotent-replayed': 'true' })
  assert.equal(await effects(of), 1)
})

test('D2 §8: of thirty at once one has an effect, the others its answer', async () => {
  const of = operation()
  const answers = await Promise.all(Array.from({ length: 30 }, () => run(of)))
  assert.equal(answers.filter(isReplay).length, 29)
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
  assert.equal(await effects(of), 1)
})

test('D2 §8: other content under a used key is refused, at once and at the same time', async () => {
  const of = operation()
  const refused = { kind: 'reused-key', details: { field: 'Idempotency-Key' } }
  await run(of)
  await assert.rejects(run({ ...of, content: { a: 2 } }), refused)
  const fresh = operation()
  const tries = await Promise.allSettled([1, 2].map((a) => run({ ...fresh, content: { a } })))
  assert.deepEqual(tries.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal(await effects(fresh), 1)
})

test('D2 §8: content is the same in whatever order its fields come, and never when it differs', async () => {
  const of = operation({ content: { a: 1, b: { c: [1, 2], d: null } } })
  await run(of)
  assert.ok(isReplay(await run({ ...of, content: { b: { d: null, c: [1, 2] }, a: 1 } })))
  const others = [{ a: 1, b: { c: [2, 1], d: null } }, { a: '1', b: { c: [1, 2], d: null } }, { a: 1 }, null, []]
  for (const content of others) await assert.rejects(run({ ...of, content }), { kind: 'reused-key' })
})

test('property: any JSON is the same content as its own copy', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (content) => {
      const of = operation({ content })
      await run(of)
      assert.ok(isReplay(await run({ ...of, content: JSON.parse(JSON.stringify(content)) })))
    }),
    { numRuns: 15 },
  )
})

test('D2 §8: tenant, principal, operation and key each make it another one', async () => {
  const of = operation()
  const others = [
    { tenantId: secondTenant.tenantId },
    { principal: 'key-2' },
    { operation: 'PUT /things' },
    { key: `${of.key}2` },
  ]
  await run(of)
  for (const other of others) assert.ok(!isReplay(await run({ ...of, ...other, content: 'another' })))
})

test('ARCHITECTURE rule 7: effect and record are one: what was refused or failed can be tried again', async () => {
  const of = operation()
  const failures = [new Refusal('wrong-state', 'not now'), new Error('a bug')]
  for (const failure of failures) {
    const failing = once(ctx, of, now, async (tx) => {
      await effect(of)(tx)
      throw failure
    })
    await assert.rejects(failing, failure)
    assert.equal(await effects(of), 0)
  }
  assert.ok(!isReplay(await run(of)))
})

test('D2 §8: an answer with a short-lived secret is given again for its time, then made anew', async () => {
  const of = operation({ replaySeconds: 60 })
  const first = await run(of)
  now = new Date(now.getTime() + 60_000)
  assert.deepEqual((await run(of)).body, first.body)
  now = new Date(now.getTime() + 1)
  const answers = await Promise.all([run(of), run(of), run(of)])
  assert.equal(answers.filter((each) => !isReplay(each)).length, 1)
  assert.equal(new Set([...answers, first].map(({ body }) => JSON.stringify(body))).size, 2)
  assert.equal(await effects(of), 2)
  await assert.rejects(run({ ...of, content: 'other' }), { kind: 'reused-key' })
})

test('D2 §8: outcomes are sealed at rest, each in its own place', async () => {
  const of = operation()
  await once(ctx, of, now, async () => answer(200, { token: 'st_visible' }))
  const [row] = await db<{ outcomeSealed: Buffer }>`select outcome_sealed from idempotency where key = ${of.key}`
  assert.ok(!row!.outcomeSealed.includes('st_visible'))
  const thief = operation({ principal: 'thief' })
  await run(thief)
  await db`update idempotency set outcome_sealed = ${row!.outcomeSealed} where key = ${thief.key}`
  await assert.rejects(run(thief))
})

test('D2 §8: keys of 1 to 255 visible ASCII characters, quoted or bare, the same either way', () => {
  const of = (key: string | string[] | undefined) => idempotencyKey({ 'idempotency-key': key })
  assert.equal(of(undefined), null)
  assert.equal(of('abc'), 'abc')
  assert.equal(of('"abc"'), 'abc')
  assert.equal(of('!~'), '!~')
  assert.equal(of('x'.repeat(255)), 'x'.repeat(255))
  const refused = { kind: 'invalid', details: { field: 'Idempotency-Key' } }
  for (const wrong of [
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
    assert.throws(() => of(wrong), refused)
})

test('D2 §8: of two at once the second never meets the state that the first one left', async () => {
  const of = operation()
  const opening = async (tx: Tx): Promise<Answer> => {
    const before = await tx`select 1 from effect where key = ${of.key}`
    if (before.length > 0) throw new Refusal('wrong-state', 'it is open already')
    return effect(of)(tx)
  }
  const answers = await Promise.all(Array.from({ length: 10 }, () => once(ctx, of, now, opening)))
  assert.equal(answers.filter(isReplay).length, 9)
})

test('D2 §8: a duplicate does not wait for ever: it is told that the first one is still running', async () => {
  const of = operation()
  const [began, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = once(ctx, of, now, async (tx) => {
    // Answered only once the key is ours: who comes now waits for it.
    await tx`select 1`
    began.resolve()
    await released.promise
    return effect(of)(tx)
  })
  await began.promise
  await assert.rejects(run(of), { kind: 'pending', details: { retryAfterSeconds: 1 } })
  released.resolve()
  await first
  assert.ok(isReplay(await run(of)))
})

test('D2 §8: who makes an answer anew does not wait for ever either, for whoever does so at the same time', async () => {
  const of = operation({ replaySeconds: 60 })
  await run(of)
  now = new Date(now.getTime() + 61_000)
  const [began, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let times = 0
  const slow = once(ctx, of, now, async (tx) => {
    // Begun once in vain, with the claim of the key, and then for good.
    if (++times > 1) {
      began.resolve()
      await released.promise
    }
    return effect(of)(tx)
  })
  await began.promise
  await assert.rejects(run(of), { kind: 'pending', details: { retryAfterSeconds: 1 } })
  released.resolve()
  await slow
  assert.ok(isReplay(await run(of)))
})

const borrowers = (count: number) =>
  Array.from({ length: count }, () => operation({ owner: uuidv4(), principal: uuidv4() }))
const transactionsOf = async (of: IdempotentOperation[]): Promise<number> => {
  const [row] = await db<{ count: number }>`
    select count(distinct xmin::text)::int as count from effect where key = any(${of.map(({ key }) => key)})`
  return row!.count
}

test('D2 §8: writes of different borrowers that come together share a commit, each with its own answer and correlation', async () => {
  const all = borrowers(40)
  const correlations: (string | undefined)[] = []
  const answers = await Promise.all(
    all.map((of, i) =>
      traced({ correlationId: `request-${i}` }, () =>
        once(ctx, of, now, async (tx) => {
          const given = await effect(of)(tx)
          correlations[i] = trace()?.correlationId
          return answer(201, { key: of.key, given: given.body })
        }),
      ),
    ),
  )
  assert.ok((await transactionsOf(all)) <= 4, `${await transactionsOf(all)} transactions`)
  for (const [i, of] of all.entries()) {
    assert.equal((answers[i]!.body as { key: string }).key, of.key)
    assert.equal(correlations[i], `request-${i}`)
    assert.ok(isReplay(await run(of)))
    assert.equal(await effects(of), 1)
  }
})

test('D2 §8: a row that is locked elsewhere holds up its own borrower, and not those whose commit it would have shared', async () => {
  const all = borrowers(10)
  await db`create table if not exists borrower_row (key text primary key)`
  for (const { key } of all) await db`insert into borrower_row values (${key})`
  const locking = (of: IdempotentOperation) =>
    once(ctx, of, now, async (tx) => {
      await tx`select 1 from borrower_row where key = ${of.key} for update`
      return effect(of)(tx)
    })
  const held = all[4]!
  const others = all.filter((of) => of !== held)
  const { waiting } = await db.tx(async (tx) => {
    await tx`select 1 from borrower_row where key = ${held.key} for update`
    // Where the others take longer than a write waits for a row, it is refused for the moment, and asked for again.
    const waiting = locking(held).catch((error) =>
      error.kind === 'pending' ? { status: 'pending' as const } : Promise.reject(error),
    )
    const done = Promise.all(others.map(locking))
    assert.equal((await done).length, 9)
    assert.equal(await effects(held), 0)
    return { waiting }
  })
  const { status } = await waiting
  assert.equal(status === 'pending' ? (await locking(held)).status : status, 201)
  assert.equal(await effects(held), 1)
})

test('D2 §8: writes that shared a commit whose answer was lost are not done again', async () => {
  await db`create table doomed (key text)`
  await db`
    create function fail_at_commit() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`
  await db`
    create constraint trigger doomed_at_commit after insert on doomed deferrable initially deferred
    for each row execute function fail_at_commit()`
  const all = borrowers(6)
  let begun = 0
  const settled = await Promise.allSettled(
    all.map((of, i) =>
      once(ctx, of, now, async (tx) => {
        begun++
        if (i === 3) await tx`insert into doomed values (${of.key})`
        return effect(of)(tx)
      }),
    ),
  )
  assert.ok(settled.every((each) => each.status === 'rejected' && isCommitUnknown(each.reason)))
  assert.equal(begun, 6)
})

test('property: whatever fails, repeats or collides, each key has one effect and one answer or none', async () => {
  const asks = fc.array(
    fc.record({
      owner: fc.integer({ min: 0, max: 6 }),
      key: fc.integer({ min: 0, max: 2 }),
      content: fc.constantFrom('same', 'same', 'same', 'other'),
      ending: fc.constantFrom('well', 'well', 'well', 'refused', 'broken'),
      turns: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(asks, async (given) => {
      const salt = uuidv4()
      const of = ({ owner, key, content }: (typeof given)[number]) =>
        operation({ owner: `${salt}-${owner}`, principal: `${salt}-${owner}`, key: `${salt}-${owner}-${key}`, content })
      const settled = await Promise.allSettled(
        given.map(async (one) => {
          for (let waited = 0; waited < one.turns; waited++) await new Promise(setImmediate)
          return once(ctx, of(one), now, async (tx) => {
            const answered = await effect(of(one))(tx)
            if (one.ending === 'refused') throw new Refusal('wrong-state', 'not now')
            if (one.ending === 'broken') await tx`select 1 / 0`
            return answered
          })
        }),
      )
      for (const key of new Set(given.map((one) => of(one).key))) {
        const tries = given.flatMap((one, i) => (of(one).key === key ? [{ ...one, end: settled[i]! }] : []))
        const given200 = tries.flatMap(({ end }) => (end.status === 'fulfilled' ? [end.value] : []))
        const isDone = tries.some(({ ending }) => ending === 'well')
        assert.equal(given200.filter((one) => !isReplay(one)).length, isDone ? 1 : 0)
        assert.equal(new Set(given200.map(({ body }) => JSON.stringify(body))).size, isDone ? 1 : 0)
        assert.equal(await effects({ key } as IdempotentOperation), isDone ? 1 : 0)
        for (const { end } of tries)
          if (end.status === 'rejected')
            assert.match(String((end.reason as Error).message), /not now|division by zero|other content/)
      }
    }),
    { numRuns: 12 },
  )
})

test('a claim that fails while its effect waits for something else is an answer, and no end of the process', async () => {
  const of = operation()
  const [began, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = once(ctx, of, now, async (tx) => {
    // Answered only once the key is ours: who comes now waits for it.
    await tx`select 1`
    began.resolve()
    await released.promise
    return effect(of)(tx)
  })
  await began.promise
  const waiting = once(ctx, of, now, async (tx) => {
    // Longer than the patience of a caller who waits for the key.
    await new Promise((resolve) => setTimeout(resolve, 3300))
    return effect(of)(tx)
  })
  await assert.rejects(waiting, { kind: 'pending' })
  released.resolve()
  await first
})
