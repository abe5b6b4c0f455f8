// Limits the total time that a request waits for the database: for connections, statements, commits and retries.
import { AsyncLocalStorage } from 'node:async_hooks'

/** The request has used up its time. Its transaction is rolled back; a single statement may have taken effect. */
export class OutOfPatience extends Error {
  constructor() {
    super('the request has waited too long for the database')
  }
}

/** The time limit of a request unless the program sets another one. */
export const defaultPatienceMs = 5000

interface Patience {
  totalMs: number
  /** The remaining time. Other work of the request, such as an upload or a provider call, does not reduce it. */
  leftMs: number
  /** The callback of each pending wait, called when the time is used up. */
  waits: Set<() => void>
  /** When the first pending wait began, by `performance.now`. */
  waitingSince: number
  timer?: NodeJS.Timeout
  /** Whether the request is answered: its background work has no time limit. */
  isAnswered: boolean
}

const storage = new AsyncLocalStorage<Patience | undefined>()

const current = (): Patience | undefined => {
  const patience = storage.getStore()
  return patience?.isAnswered ? undefined : patience
}

/** The time that a request may wait for the database, over several asynchronous contexts. */
export interface RequestPatience {
  /** Runs a part of the request, and limits its waits. */
  run<T>(work: () => T): T
  /** Ends the limit, when the request is answered. */
  end(): void
}

/** Starts the time limit of a request whose parts run in several contexts; `withPatience` suits a single function. */
export function startPatience(ms: number): RequestPatience {
  const patience: Patience = { totalMs: ms, leftMs: ms, waits: new Set(), waitingSince: 0, isAnswered: false }
  return {
    run: (work) => storage.run(patience, work),
    end() {
      patience.isAnswered = true
      clearTimeout(patience.timer)
    },
  }
}

/** Runs a request, and limits its waits for the database until the promise of `work` settles. */
export function withPatience<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const patience = startPatience(ms)
  return patience.run(() => work().finally(patience.end))
}

/**
 * Runs work of several requests with its own time limit, because the request that started it may be answered by now.
 * Work that no request started is not limited.
 */
export function withSharedPatience<T>(work: () => Promise<T>): Promise<T> {
  const patience = storage.getStore()
  return patience ? withPatience(Math.max(patience.totalMs, defaultPatienceMs), work) : work()
}

/** Returns a function that runs work within the time of the current request, even if another request calls it. */
export function bindPatience(): <T>(work: () => T) => T {
  const patience = storage.getStore()
  return (work) => storage.run(patience, work)
}

/** Whether the request has used up its time for the database; false outside a request. */
export const isPatienceOver = (): boolean => (current()?.leftMs ?? 1) <= 0

/** Starts a wait that the returned function ends. Calls `giveUp` when the time of the request is used up. */
export function startWait(giveUp: () => void): () => void {
  const patience = current()
  if (!patience) return () => {}
  if (patience.leftMs <= 0) {
    giveUp()
    return () => {}
  }
  const { waits } = patience
  if (waits.size === 0) {
    patience.waitingSince = performance.now()
    patience.timer = setTimeout(expire, patience.leftMs, patience)
  }
  waits.add(giveUp)
  return () => {
    if (!waits.delete(giveUp) || waits.size > 0) return
    clearTimeout(patience.timer)
    patience.leftMs -= performance.now() - patience.waitingSince
  }
}

function expire(patience: Patience): void {
  patience.leftMs = 0
  const waits = [...patience.waits]
  patience.waits.clear()
  for (const giveUp of waits) giveUp()
}

/** Settles as `promise` does; if the request's time is used up first, calls `giveUp` and rejects with `OutOfPatience`. */
export function waitWithinPatience<T>(promise: Promise<T>, giveUp: () => void = () => {}): Promise<T> {
  if (!current()) return promise
  return new Promise((resolve, reject) => {
    const endWait = startWait(() => {
      giveUp()
      reject(new OutOfPatience())
    })
    promise.then(resolve, reject).finally(endWait)
  })
}
