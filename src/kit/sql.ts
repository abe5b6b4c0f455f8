// PostgreSQL through one tagged template: named statements, snake_case columns as camelCase fields, one transaction a write.
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { Pool, type PoolClient, types } from 'pg'

types.setTypeParser(types.builtins.INT8, BigInt)

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
function columnsAndValues(row: Record<string, unknown>): Fragment {
  const names = Object.keys(row)
  const strings = [`(${names.map(snake).join(', ')}) values (`, ...Array(names.length - 1).fill(', '), ')']
  return new Fragment(strings, Object.values(row))
}

type Rows<Row> = Promise<Row[]>

/** Runs a template as one statement; called with a row it gives that row's columns and values as a piece. */
export interface Run {
  <Row = Record<string, never>>(strings: TemplateStringsArray, ...values: unknown[]): Rows<Row>
  (row: Record<string, unknown>): Fragment
}

/** One open transaction. What it wakes is woken after the commit, never before. */
export interface Tx extends Run {
  wake(queue: string): void
}

export interface Db extends Run {
  /** Runs `work` in one transaction. A deadlock, a serialization failure or a lost connection before the commit is tried again. */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  wake(queue: string): void
  onWake(queue: string, listener: () => void): void
  /** Statements sent so far: round trips are counted, in tests and in the benchmarks. */
  readonly statements: number
  readonly pool: Pool
  close(): Promise<void>
}

export interface DbOptions {
  connections?: number
  onError?: (error: Error) => void
}

export function connect(url: string, { connections = 10, onError = () => {} }: DbOptions = {}): Db {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
  })
  pool.on('error', onError)
  // A client that is checked out when its server dies emits the error on itself; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  const wakes = new EventEmitter().setMaxListeners(0)
  const counter = { statements: 0 }
  const run = runner(pool, counter)
  const db = Object.assign(run, {
    tx: <T>(work: (tx: Tx) => Promise<T>) => transaction(pool, counter, wakes, work),
    wake: (queue: string) => void wakes.emit(queue),
    onWake: (queue: string, listener: () => void) => void wakes.on(queue, listener),
    pool,
    close: () => pool.end(),
  })
  return Object.defineProperty(db, 'statements', { get: () => counter.statements }) as Db
}

type Counter = { statements: number }

function runner(on: Queryable, counter: Counter): Run {
  const call = (first: TemplateStringsArray | Record<string, unknown>, ...values: unknown[]) => {
    if (!('raw' in first)) return columnsAndValues(first)
    counter.statements++
    return execute(on, new Fragment(first as TemplateStringsArray, values))
  }
  return call as Run
}

async function execute(on: Queryable, fragment: Fragment): Promise<unknown[]> {
  const values: unknown[] = []
  const statement = prepared(textOf(fragment, values))
  const { rows, fields } = await on.query<unknown[]>({
    name: statement.name,
    text: statement.text,
    values,
    rowMode: 'array',
  })
  statement.fields ??= fields.map((field) => camel(field.name))
  const names = statement.fields
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])))
}

interface Statement {
  name: string
  text: string
  fields?: string[]
}
const statements = new Map<string, Statement>()

/** A statement is planned once a connection: its name is a digest of its text. */
function prepared(text: string): Statement {
  let statement = statements.get(text)
  if (!statement) {
    statement = { name: createHash('sha256').update(text).digest('base64url').slice(0, 24), text }
    statements.set(text, statement)
  }
  return statement
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

const tries = 6

async function transaction<T>(
  pool: Pool,
  counter: Counter,
  wakes: EventEmitter,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(pool, counter, wakes, work)
    } catch (error) {
      if (attempt === tries || !isPassing(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 50 * 3 ** (attempt - 1)))
    }
  }
}

async function once<T>(pool: Pool, counter: Counter, wakes: EventEmitter, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const woken = new Set<string>()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const tx = Object.assign(runner(inTurn(client), counter), { wake: (queue: string) => void woken.add(queue) }) as Tx
    const result = await work(tx)
    await commit(client)
    for (const queue of woken) wakes.emit(queue)
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

type Queryable = Pick<Pool, 'query'>

/** One connection answers one statement at a time: those that are begun together follow each other in order. */
function inTurn(client: PoolClient): Queryable {
  let last: Promise<unknown> = Promise.resolve()
  const query = (statement: never) => {
    const mine = last.then(() => client.query(statement))
    last = mine.catch(() => {})
    return mine
  }
  return { query } as unknown as Queryable
}

/** A commit whose answer is lost may have happened: that is never tried again blindly. */
async function commit(client: PoolClient): Promise<void> {
  try {
    await client.query('commit')
  } catch (error) {
    throw new CommitUnknown('the commit was sent, its answer is unknown', { cause: error })
  }
}
class CommitUnknown extends Error {}

const passingCodes = /^(40001|40P01|57P0[123]|08\d{3}|ECONNREFUSED|ECONNRESET|EPIPE)$/

/** Whether an error passes by itself: a deadlock, a restart of the database, a lost connection. */
export function isPassing(error: unknown): boolean {
  if (error instanceof CommitUnknown || !(error instanceof Error)) return false
  const code = (error as { code?: string }).code
  return (
    (code !== undefined && passingCodes.test(code)) ||
    /Connection terminated|timeout exceeded when trying to connect/.test(error.message)
  )
}

/** Whether an insert broke the named unique constraint. */
export function broke(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as { code?: string; constraint?: string }
  return code === '23505' && name === constraint
}

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
