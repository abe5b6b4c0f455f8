// The loop of every queue: claims due items, works on a few concurrently, sleeps until a wake or the next poll.
import { setTimeout as sleep } from 'node:timers/promises'
import { everyMs } from '#kit/db/lookout.ts'
import type { Db, Fragment } from '#kit/db/sql.ts'
import type { Log } from '#kit/runtime/log.ts'

/** A background activity; `stop` resolves when its current work is finished. */
export interface Worker {
  stop(): Promise<void>
}

export interface LoopOptions<Item> {
  queue: string
  db: Db
  log: Log
  /** Claims up to `free` items that no other worker holds. */
  claim(free: number): Promise<Item[]>
  handle(item: Item): Promise<void>
  /** When the next item is due, as a one-value select with its clock; the queue then needs no polling of its own. */
  due?: { next: Fragment; clock: () => Date }
  /** Polling interval without `due`. */
  pollMs?: number
  concurrency?: number
}

/** A watched queue polls this rarely, as a safety net for a lost wake: the watch reports due items. */
const safetyMs = 300_000

/** How long after a claim that failed the next one is tried. */
const awayMs = 500

/** Wakes a queue for an item whose delay is at most the pause between two polls of its watch. */
export function wakeSoon(db: Pick<Db, 'wake'>, queue: string, ms: number): void {
  if (ms <= everyMs) setTimeout(() => db.wake(queue), ms + 1).unref()
}

/** A sleep that ends after its time, or when `end` is called. */
interface InterruptibleSleep {
  take(ms: number): Promise<void>
  end(): void
}

function resting(): InterruptibleSleep {
  let end = (): void => {}
  return {
    take: (ms) =>
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
 * The loop of every queue: claims when woken, after work, when an item is due and on each poll; at most `concurrency`
 * at once. Correctness depends on the claim's lease alone: a lost wake only delays work until the next poll.
 */
export function loop<Item>(options: LoopOptions<Item>): Worker {
  const { queue, due, concurrency = 16 } = options
  const pollMs = options.pollMs ?? (due ? safetyMs : 500)
  let [stopped, woken] = [false, true]
  const rest = resting()
  const running = new Set<Promise<void>>()
  const deaf = options.db.onWake(queue, () => {
    woken = true
    rest.end()
  })
  const unwatch = due && options.pollMs === undefined ? options.db.watch({ queue, ...due }) : undefined

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false
      const items = running.size < concurrency ? await claimed(options, concurrency - running.size, () => stopped) : []
      for (const item of items) track(handled(options, item))
      if (stopped || woken) continue
      if (items.length > 0 && running.size < concurrency) continue
      await rest.take(pollMs)
    }
    await Promise.all(running)
  }

  function track(work: Promise<void>): void {
    running.add(work)
    work.finally(() => {
      running.delete(work)
      if (running.size === concurrency - 1) rest.end()
    })
  }

  const ended = run()
  return {
    async stop() {
      stopped = true
      deaf()
      unwatch?.()
      rest.end()
      await ended
    },
  }
}

/** Keeps claims this distance apart, so that under load each takes several; the first one after a rest does not wait. */
export function spaceClaims<Item>(
  ms: number,
  claim: (free: number) => Promise<Item[]>,
): (free: number) => Promise<Item[]> {
  let claimedAt = 0
  return async (free) => {
    const early = claimedAt + ms - performance.now()
    if (early > 0) await sleep(early)
    claimedAt = performance.now()
    return claim(free)
  }
}

/** Never rejects: a database that is away is asked again after a while. */
async function claimed<Item>({ claim, log, queue }: LoopOptions<Item>, free: number, isStopped: () => boolean) {
  try {
    return await claim(free)
  } catch (error) {
    if (!isStopped()) log.warn({ err: error, queue }, 'could not claim; the database may be away')
    await sleep(awayMs)
    return []
  }
}

/** Never rejects: unfinished work is due again after its lease. */
async function handled<Item>({ handle, log, queue }: LoopOptions<Item>, item: Item): Promise<void> {
  try {
    await handle(item)
  } catch (error) {
    log.error({ err: error, queue }, 'a handler failed')
  }
}
