// Statements: pieces nest, values stay values, names stay the same, and no column name is taken from outside.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { columnsAndValues, execute, Fragment, join, type Queryable, sql, textOf } from './statement.ts'

/** The text of a piece and its values. */
function made(piece: Fragment): [string, unknown[]] {
  const values: unknown[] = []
  return [textOf(piece, values), values]
}

test('values become numbered parameters, in order, through nested pieces', () => {
  const inner = sql`b = ${2} and c = ${3}`
  assert.deepEqual(made(sql`select ${1} where ${inner} limit ${4}`), [
    'select $1 where b = $2 and c = $3 limit $4',
    [1, 2, 3, 4],
  ])
})

test('a list of pieces is glued, and an empty list is nothing', () => {
  assert.deepEqual(made(join([sql`a = ${1}`, sql`b = ${2}`, sql`c`], ' and ')), ['a = $1 and b = $2 and c', [1, 2]])
  assert.deepEqual(made(join([], ' and ')), ['', []])
})

test('a row in camelCase becomes columns in snake_case', () => {
  const row = { tenantId: 't', nameOfX2: null, a: 1n }
  assert.deepEqual(made(columnsAndValues(row)), ['(tenant_id, name_of_x2, a) values ($1, $2, $3)', ['t', null, 1n]])
})

test('what is not a plain name cannot be a column', () => {
  for (const name of ['a) values (1); --', 'a b', '', 'a"', 'A', '1a', '__proto__', 'a_b'])
    assert.throws(() => columnsAndValues(Object.fromEntries([[name, 1]])), /cannot be the name of a column/)
})

test('property: whatever the values are, they never reach the text', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 8 }), (given) => {
      const list = join(
        given.map((value) => sql`(${value})`),
        ', ',
      )
      const [text, values] = made(sql`insert into x values ${list}`)
      assert.equal(text, `insert into x values ${given.map((_, i) => `($${i + 1})`).join(', ')}`)
      assert.deepEqual(values, given)
    }),
    { numRuns: 50 },
  )
})

/** Notes what is sent and answers one row. */
function recorder(): Queryable & { sent: { name?: string; text: string; values: unknown[] }[] } {
  const sent: { name?: string; text: string; values: unknown[] }[] = []
  const query = (statement: (typeof sent)[number]) => {
    sent.push(statement)
    return Promise.resolve({ rows: [[1, 2]], fields: [{ name: 'tenant_id' }, { name: 'count' }] })
  }
  return { sent, query } as unknown as ReturnType<typeof recorder>
}

test('one template, with and without pieces, is never taken for another', async () => {
  const on = recorder()
  const run = (value: unknown) => execute(on, sql`select * from x where a = ${value}`)
  for (const value of [1, sql`any(${[1]})`, 2, sql`b`]) await run(value)
  assert.deepEqual(
    on.sent.map(({ text, values }) => [text, values]),
    [
      ['select * from x where a = $1', [1]],
      ['select * from x where a = any($1)', [[1]]],
      ['select * from x where a = $1', [2]],
      ['select * from x where a = b', []],
    ],
  )
  const names = on.sent.map(({ name }) => name)
  assert.equal(names[0], names[2])
  assert.equal(new Set(names).size, 3)
})

test('property: however a statement is put together, and however often, its text and values are those of its pieces', async () => {
  const templates = [
    (a: unknown) => sql`one ${a}`,
    (a: unknown, b: unknown) => sql`two ${a} and ${b}`,
    () => sql`three`,
    (a: unknown) => columnsAndValues({ tenantId: a, x: 1 }),
    (a: unknown) => new Fragment(['made ', ' at once'], [a]),
  ]
  const { piece } = fc.letrec<{ piece: Fragment; value: unknown }>((tie) => ({
    piece: fc.oneof(
      { maxDepth: 4 },
      fc.constant(sql`leaf`),
      fc.tuple(fc.constantFrom(...templates), tie('value'), tie('value')).map(([make, a, b]) => make(a, b)),
      fc.array(tie('piece'), { maxLength: 3 }).map((pieces) => join(pieces, ', ')),
    ),
    value: fc.oneof({ maxDepth: 4 }, fc.integer(), fc.constant(null), tie('piece')),
  }))
  const on = recorder()
  await fc.assert(
    fc.asyncProperty(piece, async (each) => {
      const [text, values] = made(each)
      for (let i = 0; i < 2; i++) {
        await execute(on, each)
        const sent = on.sent.pop()!
        assert.deepEqual([sent.text, sent.values], [text, values])
      }
    }),
    { numRuns: 300 },
  )
})

test('rows come as objects with camelCase fields', async () => {
  assert.deepEqual(await execute(recorder(), sql`select tenant_id, count`), [{ tenantId: 1, count: 2 }])
})

test('long statements are sent without a name once the named ones fill their memory', async () => {
  const on = recorder()
  // A copy of the module that has kept nothing yet, and whose memory is gone for nobody else.
  const { execute, Fragment, sql }: typeof import('./statement.ts') = await import(`${'./statement.ts'}?empty`)
  const long = (i: number) => new Fragment([`select ${'x'.repeat(1 << 20)} ${i}`], [])
  for (let i = 0; i < 20; i++) await execute(on, long(i))
  const named = on.sent.filter(({ name }) => name !== undefined)
  assert.ok(named.length > 0 && named.length <= 16, `${named.length} of 20 were kept`)
  await execute(on, sql`select short`)
  assert.notEqual(on.sent.at(-1)!.name, undefined)
})

test('names of statements do not grow without bound', async () => {
  const on = recorder()
  const { execute, join, sql }: typeof import('./statement.ts') = await import(`${'./statement.ts'}?named`)
  for (let i = 0; i < 2100; i++) await execute(on, sql`select ${join(Array(i).fill(sql`x`), ', ')}`)
  const unnamed = on.sent.filter(({ name }) => name === undefined)
  assert.ok(unnamed.length >= 100 && unnamed.length < 200, `${unnamed.length} were sent without a name`)
})
