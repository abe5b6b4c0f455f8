// Checks the SQL text in the sources against rules 10 and 11 of ARCHITECTURE.md, without a database.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const sources = globSync('{apps/{platform,partner,sandbox},packages/*}/src/**/*.ts')
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** The statements of a file: template literals that begin with an SQL keyword, without the interpolated values. */
const statementsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]*)`/g)]
    .map(([, inside]) => inside!.replaceAll(/\$\{[^}]*\}/g, '?'))
    .filter((inside) => /^\s*(?:with|select|insert|update|delete)\b/.test(inside))

test('rule 10: no statement calls a function whose value differs between replicas', () => {
  const statements = sources.flatMap(({ path, text }) => statementsIn(text).map((statement) => ({ path, statement })))
  assert.ok(statements.length > 80, `${statements.length} statements were found`)
  const volatile =
    /\b(?:clock_timestamp|statement_timestamp|timeofday|random|setseed|gen_random_uuid|uuidv[47]|nextval|currval|lastval|setval|txid_current|pg_current_xact_id)\s*\(/i
  for (const { path, statement } of statements) assert.doesNotMatch(statement, volatile, path)
})

/** Result lists that a migration would change: `select *`, `t.*`, `returning *`. */
const everyColumn = /\b(?:select|returning|distinct|all)\s+\*|,\s*\*|\w\.\*/i

test('rule 10: rows are identified by their key, because a physical row position is unique only within one table', () => {
  for (const { path, text } of sources) assert.doesNotMatch(text.replaceAll(/`ctid`/g, ''), /\bctid\b/i, path)
})

/** Every template literal of a file, whole statements and fragments, without comments. */
const piecesIn = (text: string): string[] =>
  [...text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').matchAll(/`([^`]*)`/g)].map(([, inside]) => inside!)

test('no statement selects all columns: once prepared, it must return the same columns after a migration', () => {
  for (const wrong of ['select *\nfrom t', 'select a, * from t', 'select t.* from t', 'delete from t returning *'])
    assert.match(wrong, everyColumn)
  for (const right of ['select count(*), a * 2 from t', 'select 1']) assert.doesNotMatch(right, everyColumn)
  const pieces = sources.flatMap(({ path, text }) => piecesIn(text).map((piece) => ({ path, piece })))
  assert.ok(pieces.length > 80, `${pieces.length} pieces were found`)
  for (const { path, piece } of pieces) assert.doesNotMatch(piece, everyColumn, path)
})

/** Files that may use advisory locks: the launcher for its own server, and migrations. */
const alone = ['packages/postgres/src/migrate.ts', 'apps/cli/src/postgres/lock.ts']
/** Files where notifications wake workers; without a notification, due work is found a second later. */
const wakes = ['packages/postgres/src/queue-polling.ts']

test('rule 11: correctness does not depend on notifications, advisory locks or session state', () => {
  for (const { path, text } of sources) {
    if (alone.includes(path) || wakes.includes(path)) continue
    assert.doesNotMatch(text, /\b(?:pg_(?:try_)?advisory_\w+|pg_notify)\b/i, path)
    for (const statement of statementsIn(text).concat(text.match(/query\((['"`])[^'"`]*\1/g) ?? []))
      assert.doesNotMatch(statement, /^\W*(?:listen|notify|unlisten|set(?!\s+local)|prepare|declare)\b/i, path)
  }
})
