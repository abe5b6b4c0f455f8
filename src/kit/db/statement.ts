// One SQL statement: pieces that nest, the text and values they make, and the rows they give as camelCase fields.

import { createHash } from 'node:crypto'
import { type QueryArrayConfig, type QueryArrayResult, types } from 'pg'
import { required } from '#kit/runtime/record.ts'

types.setTypeParser(types.builtins.INT8, BigInt)
// A calendar date has no time zone: as a `Date` it could shift by a day.
types.setTypeParser(types.builtins.DATE, (text) => text)

/** A piece of SQL with its values; pieces nest inside each other, and become a statement when a `Tx` or `Db` runs them. */
export class Fragment {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

/** Composes a piece without running it. */
export const sql = (strings: TemplateStringsArray, ...values: unknown[]): Fragment => new Fragment(strings, values)

/** Glues pieces together, as `select … union all select …` or a list of conditions. */
export function join(pieces: Fragment[], glue: string): Fragment {
  const strings = lasting(`${pieces.length} ${glue}`, () =>
    pieces.length === 0 ? [''] : ['', ...Array(pieces.length - 1).fill(glue), ''],
  )
  return new Fragment(strings, pieces)
}

/** `(a_column, b_column) values ($1, $2)` of columns written in camelCase. */
export function columnsAndValues(columns: Record<string, unknown>): Fragment {
  const names = Object.keys(columns)
  const strings = lasting(names.join(','), () => [
    `(${names.map(columnOf).join(', ')}) values (`,
    ...Array(names.length - 1).fill(', '),
    ')',
  ])
  return new Fragment(strings, Object.values(columns))
}

const made = new Map<string, readonly string[]>()

/** Strings that were made before, the same ones: a statement is recognized by the strings it is put together from. */
function lasting(key: string, make: () => string[]): readonly string[] {
  const known = made.get(key)
  if (known) return known
  const strings = Object.freeze(make())
  if (made.size < mostKept) made.set(key, strings)
  return strings
}

/** The text of a statement with `$1` and so on; its values are appended to `collected`. */
export function textOf({ strings, values }: Fragment, collected: unknown[]): string {
  let text = ''
  for (const [i, string] of strings.entries()) {
    text += string
    if (i === values.length) break
    const value = values[i]
    text += value instanceof Fragment ? textOf(value, collected) : `$${collected.push(value)}`
  }
  return text
}

/** A pool or a connection. Rows are lists of values. */
export interface Queryable {
  query(statement: QueryArrayConfig): Promise<QueryArrayResult<unknown[]>>
}

/**
 * Runs a statement and returns its rows; it is prepared once per connection under a name, unless it must not be cached.
 */
export async function execute(on: Queryable, fragment: Fragment, isNamed = true): Promise<unknown[]> {
  const values: unknown[] = []
  const statement = statementOf(fragment, values)
  const { text } = statement
  const name = isNamed ? statement.name : undefined
  const { rows, fields } = await on.query({ name, text, values, rowMode: 'array' })
  // A different number of columns means that a migration has changed the statement's result.
  if (statement.fields?.length !== fields.length) statement.fields = fields.map((field) => camel(field.name))
  const names = statement.fields
  return rows.map((row) => named(names, row))
}

/** Assignments are several times as fast as `Object.fromEntries`, and every row passes here. */
function named(names: string[], row: unknown[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  let i = 0
  for (const name of names) fields[name] = row[i++]
  return fields
}

/** The row of a statement that always returns one: an aggregate, or an unconditional insert. */
export const oneRow = <Row>([row]: readonly Row[]): Row => required(row, 'the row of a statement that always gives one')

interface Statement {
  name?: string
  text: string
  fields?: string[]
}

/** A node in the trie of statement fragments; the path identifies the statement without building its text. */
interface Point {
  onward: Map<unknown, Point>
  statement?: Statement
}
const start: Point = { onward: new Map() }
const byText = new Map<string, Statement>()
let points = 0

/** How many texts, and trie nodes on the way to them, are cached. Further texts are composed on each use. */
const mostKept = 2000
/** Limit of the cached texts in bytes: a statement with a thousand rows is long. */
const mostBytes = 16 << 20
let keptBytes = 0

function statementOf(fragment: Fragment, values: unknown[]): Statement {
  const end = walk(start, fragment, values)
  if (end === null) return lastingStatement(textOf(fragment, []))
  if (end.statement) return end.statement
  const statement = lastingStatement(textOf(fragment, []))
  // Texts that are not cached by name are not cached here either.
  if (statement.name !== undefined) end.statement = statement
  return statement
}

/** Walks all pieces and collects their values; null when the path is not cached and the cache is full. */
function walk(from: Point | null, { strings, values }: Fragment, collected: unknown[]): Point | null {
  // A piece that is not frozen may change, so it is identified by its text.
  let at = step(from, Object.isFrozen(strings) ? strings : strings.join('\0'))
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value instanceof Fragment) at = walk(step(at, i), value, collected)
    else collected.push(value)
  }
  return at
}

function step(from: Point | null, towards: unknown): Point | null {
  const known = from?.onward.get(towards)
  if (known) return known
  const bytes = typeof towards === 'string' ? towards.length : 0
  if (from === null || points >= 10 * mostKept || keptBytes + bytes > mostBytes) return null
  keptBytes += bytes
  const point: Point = { onward: new Map() }
  from.onward.set(towards, point)
  points++
  return point
}

/** The name of a statement is a digest of its text, so that every process and connection calls it the same. */
function lastingStatement(text: string): Statement {
  const known = byText.get(text)
  if (known) return known
  if (byText.size >= mostKept || keptBytes + text.length > mostBytes) return { text }
  keptBytes += text.length
  const statement = { name: createHash('sha256').update(text).digest('base64url').slice(0, 24), text }
  byText.set(text, statement)
  return statement
}

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, character: string) => character.toUpperCase())

const columns = new Map<string, string>()

/** The column of a field. Column names are written into statements unescaped, so only valid names are accepted. */
export function columnOf(field: string): string {
  const known = columns.get(field)
  if (known) return known
  if (!/^[a-z][A-Za-z0-9]*$/.test(field)) throw new Error(`${JSON.stringify(field)} cannot be the name of a column`)
  const column = field.replace(/[A-Z]/g, (character) => `_${character.toLowerCase()}`)
  columns.set(field, column)
  return column
}
