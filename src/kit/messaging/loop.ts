// The worker loop of every queue: claims due items, handles them concurrently, and sleeps until a wake or a poll.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Fragment } from '#kit/db/sql.ts'
import type { Log } from '#kit/runtime/log.ts'

export interface Worker {
  /** Resolves when the work in progress has finished. */
  stop(): Promise<void>
}

/** Runs a measurement every ten seconds, and logs a failure with `failure`. */
export function measureRegularly(log: Log, failure: string, measure: () => Promise<void>): Worker {
  const timer = setInterval(() => measure().catch((error) => log.debug({ err: error }, failure)), 10_000)
  return { stop: async () => clearInterval(timer) }
}

export interface LoopOptions<Item> {
  queue: string
  db: Db
  log: Log
  /** Claims up to `free` items that no other worker holds. */
  claim(free: number): Promise<Item[]>
  handle(item: Item): Promise<void>
  /** If set, the database watches the queue. `next` selects the due time of the next item, in the time of `clock`. */
  due?: { next: Fragment; clock: () => Date }
  /** Polling interval. A queue with a polling interval is not watched. */
  pollMs?: number
  concurrency?: number
  /** Whether a claim of fewer items than requested leaves no due item. */
  claimsAll?: boolean
}

/** Polling interval of a watched queue. It is long, because polling only covers a lost wake. */
const watchedPollMs = 300_000

/** Pause after a failed claim. */
const failurePauseMs = 500

interface InterruptibleSleep {
  wait(ms: number): Promise<void>
  end(): void
}

function interruptibleSleep(): InterruptibleSleep {
  let end = (): void => {}
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    end: () => end(),
  }
}

/**
 * Handles at most `concurrency` items at once, 16 by default. Correctness depends only on the lease of a claim: a lost
 * wake only delays work until the next poll.
 */
export function loop<Item>(options: LoopOptions<Item>): Worker {
  const { queue, due, concurrency = 16 } = options
  const pollMs = options.pollMs ?? (due ? watchedPollMs : 500)
  let [isStopped, isWoken] = [false, true]
  const sleeper = interruptibleSleep()
  const running = new Set<Promise<void>>()
  const stopListening = options.db.onWake(queue, () => {
    isWoken = true
    sleeper.end()
  })
  const unwatch = due && options.pollMs === undefined ? options.db.watch({ queue, ...due }) : undefined

  async function run(): Promise<void> {
    while (!isStopped) {
      isWoken = false
      const free = concurrency - running.size
      const items = free > 0 ? await claimItems(options, free, () => isStopped) : []
      for (const item of items) track(handleItem(options, item))
      if (isStopped || isWoken) continue
      const mayBeMore = items.length > 0 && !(options.claimsAll && items.length < free)
      if (mayBeMore && running.size < concurrency) continue
      await sleeper.wait(pollMs)
    }
    await Promise.all(running)
  }

  function track(work: Promise<void>): void {
    running.add(work)
    work.finally(() => {
      running.delete(work)
      if (running.size === concurrency - 1) sleeper.end()
    })
  }

  const ended = run()
  return {
    async stop() {
      isStopped = true
      stopListening()
      unwatch?.()
      sleeper.end()
      await ended
    },
  }
}

/** Leaves at least `ms` between two claims, so that under load each claim gets several items. */
export function spaceClaims<Item>(
  ms: number,
  claim: (free: number) => Promise<Item[]>,
): (free: number) => Promise<Item[]> {
  let claimedAt = 0
  return async (free) => {
    const waitMs = claimedAt + ms - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    claimedAt = performance.now()
    return claim(free)
  }
}

/** Never rejects: after an error, such as an unavailable database, pauses and returns no items. */
async function claimItems<Item>({ claim, log, queue }: LoopOptions<Item>, free: number, isStopped: () => boolean) {
  try {
    return await claim(free)
  } catch (error) {
    if (!isStopped()) log.warn({ err: error, queue }, 'could not claim items; the database may be unavailable')
    await sleep(failurePauseMs)
    return []
  }
}

/** Never rejects: an item whose handler failed becomes due again when its lease ends. */
async function handleItem<Item>({ handle, log, queue }: LoopOptions<Item>, item: Item): Promise<void> {
  try {
    await handle(item)
  } catch (error) {
    log.error({ err: error, queue }, 'the handler of an item failed')
  }
}
