// The PostgreSQL client of a program: its pool, statements and transactions, and the wakes of its queues. A wake is a
// hint that saves a worker its next poll: it leaves this process only when no worker listens here.
import { EventEmitter } from 'node:events'
import { choice } from '@lendloom/foundation/config'
import { Pool } from 'pg'
import { type Connections, connectionsOf, singleStatements } from './connection.ts'
import { otherProcessNotifier, pollIntervalMs, queueWatcher, type WatchedQueue } from './queue-polling.ts'
import { type Readiness, readinessOf } from './readiness.ts'
import { columnsAndValues, execute, Fragment, type Queryable } from './statement.ts'
import { type TransactionMode, transaction } from './transaction.ts'

export { isCommitUnknown, isDiskFull } from './connection.ts'
export { assignments, columnOf, Fragment, join, oneRow, sql, textOf } from './statement.ts'
export { isLockTimeout, isStatementCancelled, isTransient, violatesUnique } from './transaction.ts'

/** As a template tag, runs one statement; called with a row, returns the row's columns and values as a fragment. */
export interface Run {
  <Row = Record<string, never>>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
  (row: Record<string, unknown>): Fragment
}

/** One open transaction. The queues that it wakes are woken after the commit, never before. */
export interface Tx extends Run {
  /** Whether tables are distributed over several servers. */
  readonly isDistributed: boolean
  wake(queue: string): void
  /** Reserves a slot of the queue's worker in this process until the transaction ends. Returns null if none is free. */
  reserve(queue: string, dueAt: Date): Slot | null
}

/**
 * A free place in a worker of this process. The transaction that adds an item may reserve one and write the item as
 * claimed until `leaseEnd`; then the worker begins at the commit, without reading the item from its table first.
 */
export interface Slot {
  readonly leaseEnd: Date
  hand(item: unknown): void
  /** Works on the item, if one was handed and committed. Returns whether it does. */
  end(isCommitted: boolean): boolean
}

/** Asks the worker of a queue for a slot for an item that is due at `dueAt`; null if the worker has no free place. */
export type Taker = (dueAt: Date) => Slot | null

export interface Db extends Run {
  /**
   * Runs `work` in one transaction, and retries it after a deadlock, a serialization failure or a connection lost before
   * the commit, but not after a lost answer to the commit. A failed statement fails the transaction, even if caught.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` in a read-only transaction whose statements all see one state of the database; retried as by `tx`. */
  snapshot<T>(work: (db: Run) => Promise<T>): Promise<T>
  wake(queue: string): void
  /** Wakes a queue when an item falls due in `ms`, if the watch might report that item later. */
  wakeAfter(queue: string, ms: number): void
  /** Wakes every queue of this process, after the clock was moved. */
  wakeAll(): void
  /** Sends statements beside the work of requests; they count as `queueStatements`. */
  readonly background: Run
  /**
   * Queries once a second when the next item of a queue is due, and wakes the queue at that time, until the returned
   * function is called. Also receives the wakes of other processes.
   */
  watch(watched: WatchedQueue): () => void
  /** Calls `listener` when the queue is woken, or with true when a worker took an item, until the returned function is called. */
  onWake(queue: string, listener: (isTaken?: boolean) => void): () => void
  /** The workers of this process that take items at the commit, by their queue. */
  readonly takers: Map<string, Taker>
  /**
   * Whether the database accepts writes: false on a standby, and for a while after a write failed because the disk was
   * full. Rejects when the database does not answer. Uses a separate connection.
   */
  isWritable(): Promise<boolean>
  /** Number of statements sent so far, without `queueStatements`; tests and benchmarks count round trips by it. */
  readonly statements: number
  /** Number of statements that polled queues, woke other processes or were sent in the background. */
  readonly queueStatements: number
  /**
   * Whether tables are distributed over several servers; set at the start of a program. Then each borrower's writes have
   * their own commit, and each row its own statement, so that a write concerns one server.
   */
  isDistributed: boolean
  readonly pool: Pool
  close(): Promise<void>
}

/**
 * What sits between this process and the database: nothing, or a pooler that assigns a server connection per
 * transaction.
 */
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

/** A process that hangs within a transaction loses its locks after this time. */
const maxIdleMs = 60_000

/** How often the server checks during a long statement that its client is still connected. */
const clientCheckMs = 1000

function poolFor(url: string, { connections: max = 10, pooler, onError = () => {} }: DbOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    // Statements that the code does not await one by one are sent without waiting for earlier answers.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(pooler !== 'transaction' && { idle_in_transaction_session_timeout: maxIdleMs }),
  })
  pool.on('error', onError)
  // A checked-out client emits `error` when its server dies; without a listener this would end the process.
  pool.on('connect', (client) => {
    client.on('error', onError)
    // When a request closes its connection, the server cancels the statement, even one that waits for a lock.
    if (pooler !== 'transaction')
      client.query(`set client_connection_check_interval = ${clientCheckMs}`).catch(() => {})
  })
  return pool
}

export function connect(url: string, options: DbOptions = {}): Db {
  // Behind a pooler the next transaction may use another connection, so no connection may carry session state.
  const isPooled = options.pooler === 'transaction'
  const pool = poolFor(url, options)
  const wakes = new EventEmitter().setMaxListeners(0)
  const connections = connectionsOf(pool)
  const sendOptions: StatementOptions = { isNamed: !isPooled, count: () => void db.statements++ }
  const run = runner(singleStatements(connections), sendOptions)
  const { onError = () => {} } = options
  const queueRun = runner(singleStatements(connections), { ...sendOptions, count: () => void db.queueStatements++ })
  const listenAt = isPooled ? null : url
  const readiness = readinessOf(url, onError)
  const watcher = queueWatcher({ run: queueRun, onError, listenAt, wake: (queue) => void wakes.emit(queue) })
  const otherProcesses = otherProcessNotifier(queueRun)
  const wake = (queue: string) => void (wakes.emit(queue) || otherProcesses.notify(queue))
  const db = Object.assign(run, {
    statements: 0,
    queueStatements: 0,
    background: queueRun,
    isDistributed: false,
    takers: new Map<string, Taker>(),
    tx: <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      withEffects({ takers: db.takers, wake, wakes }, (begin) => {
        const txOn = (on: Queryable): Tx =>
          Object.assign(runner(on, sendOptions), { isDistributed: db.isDistributed, ...begin() })
        return transaction(connections, (on) => work(txOn(on)), beginOf(writing, isPooled))
      }),
    snapshot: <T>(work: (db: Run) => Promise<T>) =>
      transaction(connections, (on) => work(runner(on, sendOptions)), beginOf(snapshot, isPooled)),
    isWritable: () => isWritable(readiness, connections),
    wake,
    wakeAfter: (queue: string, ms: number) =>
      void (ms <= pollIntervalMs && setTimeout(wake, Math.max(0, ms) + 1, queue).unref()),
    wakeAll() {
      for (const queue of wakes.eventNames()) wakes.emit(queue)
    },
    watch: watcher.watch,
    onWake: (queue: string, listener: (isTaken?: boolean) => void) => listenTo(wakes, queue, listener),
    pool,
    async close() {
      await Promise.all([watcher.end(), otherProcesses.end(), readiness.end()])
      await pool.end()
    },
  })
  return db
}

function listenTo(wakes: EventEmitter, queue: string, listener: (isTaken?: boolean) => void): () => void {
  wakes.on(queue, listener)
  return () => void wakes.off(queue, listener)
}

interface EffectsOptions {
  takers: Map<string, Taker>
  wake(queue: string): void
  wakes: EventEmitter
}

/** Each attempt calls `begin` and collects its own wakes and slots; those of a failed attempt are dropped. */
async function withEffects<T>(
  { takers, wake, wakes }: EffectsOptions,
  run: (begin: () => Pick<Tx, 'wake' | 'reserve'>) => Promise<T>,
): Promise<T> {
  let effects = effectsOf(takers)
  function begin(): Pick<Tx, 'wake' | 'reserve'> {
    effects.end(false)
    effects = effectsOf(takers)
    return effects.calls
  }
  try {
    const result = await run(begin)
    for (const queue of effects.woken) wake(queue)
    for (const queue of effects.end(true)) wakes.emit(queue, true)
    return result
  } finally {
    effects.end(false)
  }
}

function effectsOf(takers: Map<string, Taker>) {
  const woken = new Set<string>()
  let slots: { queue: string; slot: Slot }[] | null = []
  const wake = (queue: string): void => void woken.add(queue)
  /** Work that still runs after its transaction ended gets no slot, because nothing would end it. */
  function reserve(queue: string, dueAt: Date): Slot | null {
    const slot = (slots && takers.get(queue)?.(dueAt)) ?? null
    if (slot) slots?.push({ queue, slot })
    return slot
  }
  function end(isCommitted: boolean): string[] {
    const ended = slots ?? []
    slots = null
    return ended.filter(({ slot }) => slot.end(isCommitted)).map(({ queue }) => queue)
  }
  return { woken, calls: { wake, reserve }, end }
}

async function isWritable(readiness: Readiness, connections: Connections): Promise<boolean> {
  const isReadOnly = await readiness.isReadOnly()
  if (isReadOnly) connections.renew()
  return !isReadOnly && !connections.isFull()
}

const writing: TransactionMode = { text: 'begin', mayWrite: true }
const snapshot: TransactionMode = { text: 'begin isolation level repeatable read read only', mayWrite: false }

const beginOf = (mode: TransactionMode, isPooled: boolean): TransactionMode =>
  isPooled ? { ...mode, text: `${mode.text}; set local idle_in_transaction_session_timeout = ${maxIdleMs}` } : mode

/** Whether statements are prepared under a name, and a function that is called for each statement. */
interface StatementOptions {
  isNamed: boolean
  count(): void
}

/** Sends the statements without waiting for each other's answers. */
export async function sendAll(on: Run, statements: Fragment[]): Promise<void> {
  await Promise.all(statements.map((statement) => on`${statement}`))
}

/** Whether a `Run` was called as a template tag, not with a row. */
export const isTemplate = (first: TemplateStringsArray | Record<string, unknown>): first is TemplateStringsArray =>
  'raw' in first

function runner(on: Queryable, { isNamed, count }: StatementOptions): Run {
  function run<Row>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
  function run(row: Record<string, unknown>): Fragment
  function run(first: TemplateStringsArray | Record<string, unknown>, ...values: unknown[]) {
    if (!isTemplate(first)) return columnsAndValues(first)
    count()
    return execute(on, new Fragment(first, values), isNamed)
  }
  return run
}
