// How long a request waits for the database in all: for connections, statements, commits and further tries together.
import { AsyncLocalStorage } from 'node:async_hooks'

/** The request has waited as long as it may. A transaction was rolled back; a single statement may have taken effect. */
export class OutOfPatience extends Error {
  constructor() {
    super('the request has waited for the database as long as it may')
  }
}

/** How long a request waits unless the program sets another time. */
export const defaultPatienceMs = 5000

interface Patience {
  allMs: number
  /** Time in which a request does not wait for the database, such as an upload or a call of a provider, does not count. */
  leftMs: number
  /** Called when the time is used up, for each pending wait. */
  waits: Set<() => void>
  /** When the first of them began to wait. */
  since: number
  timer?: NodeJS.Timeout
  /** Background work of an answered request has no limit. */
  isAnswered: boolean
}

const storage = new AsyncLocalStorage<Patience>()

const current = (): Patience | undefined => {
  const patience = storage.getStore()
  return patience?.isAnswered ? undefined : patience
}

/** Runs a request: what it waits for the database is limited until its promise is settled. */
export function withPatience<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const patience: Patience = { allMs: ms, leftMs: ms, waits: new Set(), since: 0, isAnswered: false }
  return storage.run(patience, () =>
    work().finally(() => {
      patience.isAnswered = true
      clearTimeout(patience.timer)
    }),
  )
}

/**
 * Runs work for several requests, whose patience has begun at different times: the one that began it may be answered by now.
 * Work that no request began is not limited.
 */
export function withSharedPatience<T>(work: () => Promise<T>): Promise<T> {
  const patience = storage.getStore()
  return patience ? withPatience(Math.max(patience.allMs, defaultPatienceMs), work) : work()
}

/** Whether the request may not wait any longer. */
export const isPatienceOver = (): boolean => (current()?.leftMs ?? 1) <= 0

/** Counts as waiting until the returned function is called. Calls `giveUp` when the patience of the request is used up. */
export function startWait(giveUp: () => void): () => void {
  const patience = current()
  if (!patience) return () => {}
  if (patience.leftMs <= 0) {
    giveUp()
    return () => {}
  }
  const { waits } = patience
  if (waits.size === 0) {
    patience.since = performance.now()
    patience.timer = setTimeout(useUp, patience.leftMs, patience)
  }
  waits.add(giveUp)
  return () => {
    if (!waits.delete(giveUp) || waits.size > 0) return
    clearTimeout(patience.timer)
    patience.leftMs -= performance.now() - patience.since
  }
}

function useUp(patience: Patience): void {
  patience.leftMs = 0
  const waits = [...patience.waits]
  patience.waits.clear()
  for (const giveUp of waits) giveUp()
}

/** Resolves as the promise; rejects with `OutOfPatience` when the request's time is used up, and calls `giveUp`. */
export function waitWithinPatience<T>(promise: Promise<T>, giveUp: () => void = () => {}): Promise<T> {
  if (!current()) return promise
  return new Promise((resolve, reject) => {
    const done = startWait(() => {
      giveUp()
      reject(new OutOfPatience())
    })
    promise.then(resolve, reject).finally(done)
  })
}
