// PostgreSQL through one tagged template: named statements, snake_case columns as camelCase fields, one transaction a write.
import { EventEmitter } from 'node:events'
import { Pool } from 'pg'
import { choice } from '#kit/runtime/config.ts'
import { type Connections, connectionsOf, singly } from './connection.ts'
import { columnsAndValues, execute, Fragment, type Queryable } from './statement.ts'
import { type Begin, transaction } from './transaction.ts'

export { isCommitUnknown, isDiskFull } from './connection.ts'
export { Fragment, join, sql, textOf } from './statement.ts'
export { broke, isLockTimeout, isPassing } from './transaction.ts'

/** Runs a template as one statement; called with a row it gives that row's columns and values as a piece. */
export interface Run {
  <Row = Record<string, never>>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
  (row: Record<string, unknown>): Fragment
}

/** One open transaction. What it wakes is woken after the commit, never before. */
export interface Tx extends Run {
  wake(queue: string): void
}

export interface Db extends Run {
  /**
   * Runs `work` in one transaction. A deadlock, a serialization failure or a lost connection before the commit is tried
   * again; a commit whose answer was lost is not. The error of a statement ends the transaction, caught or not.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` so that all its statements see one state of the database, and may change nothing. Tried again as `tx` is. */
  snapshot<T>(work: (db: Run) => Promise<T>): Promise<T>
  wake(queue: string): void
  /** Wakes every queue of this process: time has jumped. */
  wakeAll(): void
  /** Calls `listener` whenever the queue is woken in this process, until the returned function is called. */
  onWake(queue: string, listener: () => void): () => void
  /**
   * Whether the database takes writes: false on a standby, where transactions are read-only, and for a while after a write
   * failed because the disk was full. Rejects when the database does not answer.
   */
  isWritable(): Promise<boolean>
  /** Statements sent so far: round trips are counted, in tests and in the benchmarks. */
  readonly statements: number
  readonly pool: Pool
  close(): Promise<void>
}

/** What stands between this process and the database: nothing, or what gives a server's connection to one transaction at a time. */
export type Pooler = 'none' | 'transaction'

/** The setting of a program that may be behind a pooler. */
export const poolerSetting = choice(
  'Whether the database is behind a pooler, such as PgBouncer in transaction mode',
  ['none', 'transaction'],
  'none',
)

export interface DbOptions {
  connections?: number
  pooler?: Pooler
  onError?: (error: Error) => void
}

/** A process that hangs in the middle of a transaction does not hold its locks for ever. */
const mostIdleMs = 60_000

export function connect(
  url: string,
  { connections: max = 10, pooler = 'none', onError = () => {} }: DbOptions = {},
): Db {
  // Behind a pooler the next transaction may be on another connection: nothing may be left on one, nor be asked of it at its start.
  const isPooled = pooler === 'transaction'

  const pool = new Pool({
    connectionString: url,
    max,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    // Statements of one transaction do not wait for each other's answers where the code does not either.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(!isPooled && { idle_in_transaction_session_timeout: mostIdleMs }),
  })
  pool.on('error', onError)
  // A client that is checked out when its server dies emits the error on itself; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  const wakes = new EventEmitter().setMaxListeners(0)
  const counter = { statements: 0, isNamed: !isPooled }
  const connections = connectionsOf(pool)
  const run = runner(singly(connections), counter)
  const db = Object.assign(run, {
    tx: <T>(work: (tx: Tx) => Promise<T>) =>
      wakingTransaction(connections, counter, wakes, work, beginning(writing, isPooled)),
    snapshot: <T>(work: (db: Run) => Promise<T>) =>
      transaction(connections, (on) => work(runner(on, counter)), beginning(snapshot, isPooled)),
    async isWritable() {
      const [row] = await run<{ isReadOnly: boolean }>`
        select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only`
      if (row!.isReadOnly) connections.renew()
      return !row!.isReadOnly && !connections.isFull()
    },
    wake: (queue: string) => void wakes.emit(queue),
    wakeAll() {
      for (const queue of wakes.eventNames()) wakes.emit(queue)
    },
    onWake(queue: string, listener: () => void) {
      wakes.on(queue, listener)
      return () => void wakes.off(queue, listener)
    },
    pool,
    close: () => pool.end(),
  })
  return Object.defineProperty(db, 'statements', { get: () => counter.statements }) as Db
}

const writing: Begin = { text: 'begin', mayWrite: true }
const snapshot: Begin = { text: 'begin isolation level repeatable read read only', mayWrite: false }

const beginning = (begin: Begin, isPooled: boolean): Begin =>
  isPooled ? { ...begin, text: `${begin.text}; set local idle_in_transaction_session_timeout = ${mostIdleMs}` } : begin

type Counter = { statements: number; isNamed: boolean }

function runner(on: Queryable, counter: Counter): Run {
  const call = (first: TemplateStringsArray | Record<string, unknown>, ...values: unknown[]) => {
    if (!('raw' in first)) return columnsAndValues(first)
    counter.statements++
    return execute(on, new Fragment(first as TemplateStringsArray, values), counter.isNamed)
  }
  return call as Run
}

/** Each try collects its own wakes: those of a try that came to nothing are forgotten with it. */
async function wakingTransaction<T>(
  connections: Connections,
  counter: Counter,
  wakes: EventEmitter,
  work: (tx: Tx) => Promise<T>,
  begin: Begin,
): Promise<T> {
  let woken = new Set<string>()
  const result = await transaction(
    connections,
    (on) => {
      woken = new Set()
      return work(Object.assign(runner(on, counter), { wake: (queue: string) => void woken.add(queue) }))
    },
    begin,
  )
  for (const queue of woken) wakes.emit(queue)
  return result
}
