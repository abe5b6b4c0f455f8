// Statements: nesting, parameters, stable names, and safe column names.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { columnsAndValues, execute, Fragment, join, type Queryable, sql, textOf } from './statement.ts'

/** Returns the text of a fragment, and its values. */
function textAndValues(fragment: Fragment): { text: string; values: unknown[] } {
  const values: unknown[] = []
  return { text: textOf(fragment, values), values }
}

test('numbers parameters in order through nested fragments', () => {
  const inner = sql`b = ${2} and c = ${3}`
  assert.deepEqual(textAndValues(sql`select ${1} where ${inner} limit ${4}`), {
    text: 'select $1 where b = $2 and c = $3 limit $4',
    values: [1, 2, 3, 4],
  })
})

test('joins fragments; an empty list becomes an empty text', () => {
  assert.deepEqual(textAndValues(join([sql`a = ${1}`, sql`b = ${2}`, sql`c`], ' and ')), {
    text: 'a = $1 and b = $2 and c',
    values: [1, 2],
  })
  assert.deepEqual(textAndValues(join([], ' and ')), { text: '', values: [] })
})

test('writes camelCase fields as snake_case columns', () => {
  const row = { tenantId: 't', nameOfX2: null, a: 1n }
  assert.deepEqual(textAndValues(columnsAndValues(row)), {
    text: '(tenant_id, name_of_x2, a) values ($1, $2, $3)',
    values: ['t', null, 1n],
  })
})

test('rejects a column that is not a plain name', () => {
  for (const name of ['a) values (1); --', 'a b', '', 'a"', 'A', '1a', '__proto__', 'a_b'])
    assert.throws(() => columnsAndValues(Object.fromEntries([[name, 1]])), /cannot be the name of a column/)
})

test('property: values never become part of the text', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 8 }), (inputs) => {
      const list = join(
        inputs.map((value) => sql`(${value})`),
        ', ',
      )
      const { text, values } = textAndValues(sql`insert into x values ${list}`)
      assert.equal(text, `insert into x values ${inputs.map((_, i) => `($${i + 1})`).join(', ')}`)
      assert.deepEqual(values, inputs)
    }),
    { numRuns: roundsOf(50) },
  )
})

/** Records the statements and returns one row for each. */
function recorder(): Queryable & { sent: { name?: string; text: string; values: unknown[] }[] } {
  const sent: { name?: string; text: string; values: unknown[] }[] = []
  const query = (statement: (typeof sent)[number]) => {
    sent.push(statement)
    return Promise.resolve({ rows: [[1, 2]], fields: [{ name: 'tenant_id' }, { name: 'count' }] })
  }
  return { sent, query } as unknown as ReturnType<typeof recorder>
}

test('a template with different nested fragments is sent as different statements', async () => {
  const on = recorder()
  const run = (value: unknown) => execute(on, sql`select * from x where a = ${value}`)
  for (const value of [1, sql`any(${[1]})`, 2, sql`b`]) await run(value)
  assert.deepEqual(
    on.sent.map(({ text, values }) => ({ text, values })),
    [
      { text: 'select * from x where a = $1', values: [1] },
      { text: 'select * from x where a = any($1)', values: [[1]] },
      { text: 'select * from x where a = $1', values: [2] },
      { text: 'select * from x where a = b', values: [] },
    ],
  )
  const names = on.sent.map(({ name }) => name)
  assert.equal(names[0], names[2])
  assert.equal(new Set(names).size, 3)
})

test('property: a cached statement has the text and values of its fragments', async () => {
  const templates = [
    (a: unknown) => sql`one ${a}`,
    (a: unknown, b: unknown) => sql`two ${a} and ${b}`,
    () => sql`three`,
    (a: unknown) => columnsAndValues({ tenantId: a, x: 1 }),
    (a: unknown) => new Fragment(['unfrozen ', ' fragment'], [a]),
  ]
  const { fragment } = fc.letrec<{ fragment: Fragment; value: unknown }>((tie) => ({
    fragment: fc.oneof(
      { maxDepth: 4 },
      fc.constant(sql`leaf`),
      fc.tuple(fc.constantFrom(...templates), tie('value'), tie('value')).map(([make, a, b]) => make(a, b)),
      fc.array(tie('fragment'), { maxLength: 3 }).map((fragments) => join(fragments, ', ')),
    ),
    value: fc.oneof({ maxDepth: 4 }, fc.integer(), fc.constant(null), tie('fragment')),
  }))
  const on = recorder()
  await fc.assert(
    fc.asyncProperty(fragment, async (each) => {
      const { text, values } = textAndValues(each)
      for (let i = 0; i < 2; i++) {
        await execute(on, each)
        const sent = on.sent.pop()!
        assert.equal(sent.text, text)
        assert.deepEqual(sent.values, values)
      }
    }),
    { numRuns: roundsOf(300) },
  )
})

test('returns rows as objects with camelCase fields', async () => {
  assert.deepEqual(await execute(recorder(), sql`select tenant_id, count`), [{ tenantId: 1, count: 2 }])
})

test('sends long statements without a name once the name cache is full', async () => {
  const on = recorder()
  // A fresh copy of the module, so that filling its cache does not affect other tests.
  const { execute, Fragment, sql }: typeof import('./statement.ts') = await import(`${'./statement.ts'}?empty`)
  const long = (i: number) => new Fragment([`select ${'x'.repeat(1 << 20)} ${i}`], [])
  for (let i = 0; i < 20; i++) await execute(on, long(i))
  const named = on.sent.filter(({ name }) => name !== undefined)
  assert.ok(named.length > 0 && named.length <= 16, `${named.length} of 20 were cached`)
  await execute(on, sql`select short`)
  assert.notEqual(on.sent.at(-1)!.name, undefined)
})

test('gives a name to at most 2000 statements', async () => {
  const on = recorder()
  const { execute, join, sql }: typeof import('./statement.ts') = await import(`${'./statement.ts'}?named`)
  for (let i = 0; i < 2100; i++) await execute(on, sql`select ${join(Array(i).fill(sql`x`), ', ')}`)
  const unnamed = on.sent.filter(({ name }) => name === undefined)
  assert.ok(unnamed.length >= 100 && unnamed.length < 200, `${unnamed.length} were sent without a name`)
})
