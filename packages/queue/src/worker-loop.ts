// The worker loop of every queue: claims due items, handles them concurrently, and sleeps until a wake or a poll.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { secondsAfter } from '@lendloom/foundation/clock'
import type { Log } from '@lendloom/foundation/log'
import type { Db, Fragment, Slot } from '@lendloom/postgres/sql'

export interface Worker {
  /** Resolves when the work in progress has finished. */
  stop(): Promise<void>
}

/** Runs a measurement every ten seconds, and logs a failure with `failure`. */
export function measureRegularly(log: Log, failure: string, measure: () => Promise<void>): Worker {
  let isStopped = false
  const timer = setInterval(() => {
    measure().catch((error) => {
      if (!isStopped) log.warn({ err: error }, failure)
    })
  }, 10_000)
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
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
  /** If set, the worker takes new items of this process, leased for `seconds`. */
  lease?: { clock: () => Date; seconds: number }
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
 * Claims items when woken, after work, when an item falls due and on each poll. Handles at most `concurrency` items at
 * once, 16 by default. Correctness depends only on the lease of a claim: a lost
 * wake only delays work until the next poll.
 */
export function loop<Item>(options: LoopOptions<Item>): Worker {
  const { queue, due, concurrency = 16 } = options
  const pollMs = options.pollMs ?? (due ? watchedPollMs : 500)
  let isStopped = false
  let isWoken = true
  const sleeper = interruptibleSleep()
  const slots = slotsOf(concurrency, sleeper.end)
  const stopListening = options.db.onWake(queue, (isTaken) => {
    if (isTaken) return
    isWoken = true
    sleeper.end()
  })
  const stopTaking = takeNewItems(options, slots)
  const unwatch = due && options.pollMs === undefined ? options.db.watch({ queue, ...due }) : undefined

  async function run(): Promise<void> {
    while (!isStopped) {
      isWoken = false
      const free = slots.free()
      slots.reserve(free)
      const items = free > 0 ? await claimItems(options, free, () => isStopped) : []
      slots.use(
        free,
        items.map((item) => () => handleItem(options, item)),
      )
      if (isStopped || isWoken) continue
      const mayBeMore = items.length > 0 && !(options.claimsAll && items.length < free)
      if (mayBeMore && slots.free() > 0) continue
      await sleeper.wait(pollMs)
    }
    await slots.end()
  }

  const ended = run()
  return {
    async stop() {
      isStopped = true
      stopListening()
      stopTaking()
      unwatch?.()
      sleeper.end()
      await ended
    },
  }
}

type Work = () => Promise<void>

interface Slots {
  free(): number
  reserve(count: number): void
  /** Ends the reservation of `count` slots, and starts works in them; starts none after `end`. */
  use(count: number, works: Work[]): void
  end(): Promise<unknown>
}

/** Claims in flight and new items reserve their slots, so that no more items than `count` ever run. */
function slotsOf(count: number, onFree: () => void): Slots {
  const running = new Set<Promise<void>>()
  let reserved = 0
  let isEnding = false
  const free = (): number => Math.max(0, count - running.size - reserved)
  function start(work: Work): void {
    const run = work()
    running.add(run)
    run.finally(() => {
      running.delete(run)
      if (free() === 1) onFree()
    })
  }
  return {
    free,
    reserve(slots) {
      reserved += slots
    },
    use(slots, works) {
      reserved -= slots
      if (!isEnding) works.forEach(start)
      if (works.length === 0 && free() === 1) onFree()
    },
    end() {
      isEnding = true
      return Promise.all(running)
    },
  }
}

/** Takes new items while a slot is free, until the returned function is called. */
function takeNewItems<Item>(options: LoopOptions<Item>, slots: Slots): () => void {
  const { queue, db, lease } = options
  if (!lease) return () => {}
  const { clock, seconds } = lease
  // Not in the context of the request that added an item: its patience ends.
  const inOwnContext = AsyncLocalStorage.snapshot()
  function taker(dueAt: Date): Slot | null {
    const at = clock()
    if (dueAt > at || slots.free() === 0) return null
    slots.reserve(1)
    const leaseEnd = secondsAfter(at, seconds)
    const works: Work[] = []
    return {
      leaseEnd,
      hand(item: Item) {
        // Otherwise the lease could end before it is renewed; a later claim finds the item.
        const isInTime = () => secondsAfter(clock(), seconds / 2) < leaseEnd
        works.push(() => inOwnContext(async () => void (isInTime() && (await handleItem(options, item)))))
      },
      end(isCommitted) {
        slots.use(1, isCommitted ? works : [])
        return isCommitted && works.length > 0
      },
    }
  }
  db.takers.set(queue, taker)
  return () => {
    if (db.takers.get(queue) === taker) db.takers.delete(queue)
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
