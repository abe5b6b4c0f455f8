// One SQL statement: pieces that nest, the text and values they make, and the rows they give as camelCase fields.
import { createHash } from 'node:crypto'
import { type Pool, types } from 'pg'

types.setTypeParser(types.builtins.INT8, BigInt)
// A calendar date has no time zone: as a `Date` it would be another day east or west of here.
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
  if (pieces.length === 0) return new Fragment([''], [])
  return new Fragment(['', ...Array(pieces.length - 1).fill(glue), ''], pieces)
}

/** `(a_column, b_column) values ($1, $2)` of a row written in camelCase. */
export function columnsAndValues(row: Record<string, unknown>): Fragment {
  const names = Object.keys(row)
  const strings = [`(${names.map(columnOf).join(', ')}) values (`, ...Array(names.length - 1).fill(', '), ')']
  return new Fragment(strings, Object.values(row))
}

/** The text of a statement with `$1` and so on; the values it stands for are added to `collected`. */
export function textOf({ strings, values }: Fragment, collected: unknown[]): string {
  let text = strings[0]!
  for (const [i, value] of values.entries()) {
    text += value instanceof Fragment ? textOf(value, collected) : `$${collected.push(value)}`
    text += strings[i + 1]
  }
  return text
}

/** What a statement can be sent to: a pool, or one connection. */
export type Queryable = Pick<Pool, 'query'>

/** Sends a statement and gives its rows. */
export async function execute(on: Queryable, fragment: Fragment): Promise<unknown[]> {
  const { statement, values } = preparedOf(fragment)
  const { name, text } = statement
  const { rows, fields } = await on.query<unknown[]>({ name, text, values, rowMode: 'array' })
  statement.fields ??= fields.map((field) => camel(field.name))
  const names = statement.fields
  return rows.map((row) => Object.fromEntries(names.map((field, i) => [field, row[i]])))
}

interface Statement {
  name?: string
  text: string
  fields?: string[]
}
const byTemplate = new WeakMap<readonly string[], Statement>()
const byText = new Map<string, Statement>()

/** Texts that are planned once a connection. Whoever composes more different ones than that has them planned each time. */
const mostNamed = 2000

/** A template that was given no pieces has one text: it is found by the template itself, others by the text they make. */
function preparedOf({ strings, values }: Fragment): { statement: Statement; values: unknown[] } {
  if (values.some(isPiece)) {
    const collected: unknown[] = []
    const text = textOf({ strings, values }, collected)
    return { statement: named(text), values: collected }
  }
  const statement = byTemplate.get(strings) ?? named(textOf({ strings, values }, []))
  byTemplate.set(strings, statement)
  return { statement, values: [...values] }
}

/** The name of a statement is a digest of its text, so that every process and connection calls it the same. */
function named(text: string): Statement {
  const known = byText.get(text)
  if (known) return known
  if (byText.size >= mostNamed) return { text }
  const statement = { name: createHash('sha256').update(text).digest('base64url').slice(0, 24), text }
  byText.set(text, statement)
  return statement
}

const isPiece = (value: unknown): boolean => value instanceof Fragment

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const columns = new Map<string, string>()

/** The column of a field. Column names are written into statements as they are, so nothing else than a name may be one. */
function columnOf(field: string): string {
  const known = columns.get(field)
  if (known) return known
  if (!/^[a-z][A-Za-z0-9]*$/.test(field)) throw new Error(`${JSON.stringify(field)} cannot be the name of a column`)
  const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columns.set(field, column)
  return column
}
