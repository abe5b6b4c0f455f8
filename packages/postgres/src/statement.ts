// SQL statements: nested fragments, their text and parameter values, and result rows with camelCase fields.

import { createHash } from 'node:crypto'
import { required } from '@lendloom/foundation/required'
import { inSpan, isSampled, type SpanFacts } from '@lendloom/foundation/trace'
import { type QueryArrayConfig, type QueryArrayResult, types } from 'pg'

types.setTypeParser(types.builtins.INT8, BigInt)
// A calendar date has no time zone: as a `Date` it could shift by a day.
types.setTypeParser(types.builtins.DATE, (text) => text)

/** A piece of SQL with its values. Fragments nest; a `Tx` or `Db` runs the outermost one as a statement. */
export class Fragment {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

/** Composes a fragment without running it. */
export const sql = (strings: TemplateStringsArray, ...values: unknown[]): Fragment => new Fragment(strings, values)

/** Joins fragments by a separator, such as ` union all ` or ` and `. */
export function join(fragments: Fragment[], separator: string): Fragment {
  const strings = cachedStrings(`${fragments.length} ${separator}`, () =>
    fragments.length === 0 ? [''] : ['', ...Array(fragments.length - 1).fill(separator), ''],
  )
  return new Fragment(strings, fragments)
}

/** Composes `(a_column, b_column) values ($1, $2)` from a row with camelCase fields. */
export function columnsAndValues(row: Record<string, unknown>): Fragment {
  const names = Object.keys(row)
  const strings = cachedStrings(names.join(','), () => [
    `(${names.map(columnOf).join(', ')}) values (`,
    ...Array(names.length - 1).fill(', '),
    ')',
  ])
  return new Fragment(strings, Object.values(row))
}

export function assignments(row: Record<string, unknown>): Fragment {
  const names = Object.keys(row)
  const strings = cachedStrings(`${names.join(',')} =`, () => [
    ...names.map((name, i) => `${i === 0 ? '' : ', '}${columnOf(name)} = `),
    '',
  ])
  return new Fragment(strings, Object.values(row))
}

const stringCache = new Map<string, readonly string[]>()

/** Returns the same array for the same key, because a statement is recognized by the identity of its string arrays. */
function cachedStrings(key: string, make: () => string[]): readonly string[] {
  const known = stringCache.get(key)
  if (known) return known
  const strings = Object.freeze(make())
  if (stringCache.size < maxStatements) stringCache.set(key, strings)
  return strings
}

/** Returns the text of a statement with `$1` and so on; appends its values to `collected`. */
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

/** A pool or a connection, with rows as arrays of values. */
export interface Queryable {
  query(statement: QueryArrayConfig): Promise<QueryArrayResult<unknown[]>>
}

/**
 * Runs a statement and returns its rows. The statement is prepared once per connection, unless `isNamed` is false or
 * the cache is full.
 */
export async function execute(on: Queryable, fragment: Fragment, isNamed = true): Promise<unknown[]> {
  const values: unknown[] = []
  const statement = statementOf(fragment, values)
  const { text } = statement
  const name = isNamed ? statement.name : undefined
  const send = () => on.query({ name, text, values, rowMode: 'array' })
  const { rows, fields } = await (isSampled() ? inSpan(spanOf(text), send) : send())
  // A different number of columns means that a migration has changed the statement's result.
  if (statement.fields?.length !== fields.length) statement.fields = fields.map((field) => camel(field.name))
  const names = statement.fields
  return rows.map((row) => rowObject(names, row))
}

function spanOf(text: string): SpanFacts {
  const [operation = 'sql'] = text.trimStart().split(/\s/, 1)
  return {
    name: operation,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.replace(/\s+/g, ' ').slice(0, maxSpanText) },
  }
}
const maxSpanText = 4000

/** Runs for every row, so it avoids `Object.fromEntries`, which is several times slower. */
function rowObject(names: string[], values: unknown[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  let i = 0
  for (const name of names) fields[name] = values[i++]
  return fields
}

/** The row of a statement that always returns one: an aggregate, or an unconditional insert. */
export const oneRow = <Row>([row]: readonly Row[]): Row =>
  required(row, 'the row of a statement that always returns one')

interface Statement {
  name?: string
  text: string
  fields?: string[]
}

/** A node in the trie of statement fragments; the path identifies the statement without building its text. */
interface TrieNode {
  children: Map<unknown, TrieNode>
  statement?: Statement
}
const start: TrieNode = { children: new Map() }
const byText = new Map<string, Statement>()
let nodeCount = 0

/** Maximum number of cached texts; further texts are composed on each use. */
const maxStatements = 2000
/** Maximum size of all cached texts: a statement with a thousand rows is long. */
const maxBytes = 16 << 20
let cachedBytes = 0

function statementOf(fragment: Fragment, values: unknown[]): Statement {
  const end = walk(start, fragment, values)
  if (end === null) return cachedStatement(textOf(fragment, []))
  if (end.statement) return end.statement
  const statement = cachedStatement(textOf(fragment, []))
  // Texts that are not cached by name are not cached here either.
  if (statement.name !== undefined) end.statement = statement
  return statement
}

/** Follows all fragments through the trie and collects their values; null when the path is new and the cache is full. */
function walk(from: TrieNode | null, { strings, values }: Fragment, collected: unknown[]): TrieNode | null {
  // An array that is not frozen may change, so it is identified by its text.
  let at = step(from, Object.isFrozen(strings) ? strings : strings.join('\0'))
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value instanceof Fragment) at = walk(step(at, i), value, collected)
    else collected.push(value)
  }
  return at
}

function step(from: TrieNode | null, part: unknown): TrieNode | null {
  const known = from?.children.get(part)
  if (known) return known
  const bytes = typeof part === 'string' ? part.length : 0
  if (from === null || nodeCount >= 10 * maxStatements || cachedBytes + bytes > maxBytes) return null
  cachedBytes += bytes
  const node: TrieNode = { children: new Map() }
  from.children.set(part, node)
  nodeCount++
  return node
}

/** Names a statement by a digest of its text, so that every process and connection uses the same name. */
function cachedStatement(text: string): Statement {
  const known = byText.get(text)
  if (known) return known
  if (byText.size >= maxStatements || cachedBytes + text.length > maxBytes) return { text }
  cachedBytes += text.length
  const statement = { name: createHash('sha256').update(text).digest('base64url').slice(0, 24), text }
  byText.set(text, statement)
  return statement
}

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, character: string) => character.toUpperCase())

const columns = new Map<string, string>()

/** Returns the column of a field. Column names are written into statements unescaped, so only valid names are accepted. */
export function columnOf(field: string): string {
  const known = columns.get(field)
  if (known) return known
  if (!/^[a-z][A-Za-z0-9]*$/.test(field)) throw new Error(`${JSON.stringify(field)} cannot be the name of a column`)
  const column = field.replace(/[A-Z]/g, (character) => `_${character.toLowerCase()}`)
  columns.set(field, column)
  return column
}
