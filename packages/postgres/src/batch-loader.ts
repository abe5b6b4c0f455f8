// Batches concurrent look-ups: many readers share one statement.
import { type CacheOptions, cache } from '@lendloom/foundation/cache'
import { waitWithinPatience, withSharedPatience } from './wait-limit.ts'

export interface LoaderOptions<Key> {
  /** Maximum number of running statements; 2 by default. */
  concurrency?: number
  /** Maximum number of keys of one statement; 128 by default. */
  maxItems?: number
  /** The weight of a key. `maxWeight` limits the weight of a statement; a heavier key gets a separate statement. */
  weigh?(key: Key): number
  maxWeight?: number
  /** Milliseconds that a key waits for further keys. The default 0 groups the keys of one event-loop turn. */
  gatherMs?: number
}

interface WaitingKey<Key, Value> {
  key: Key
  resolve: (value: Value | undefined) => void
  reject: (error: unknown) => void
}

interface LoaderQueue<Key, Value> {
  waiting: WaitingKey<Key, Value>[]
  runningCount: number
  /** Whether the start of statements is scheduled. */
  isScheduled: boolean
}

/**
 * Batches look-ups by key. Keys that arrive while `concurrency` statements run wait for the next statement, which takes
 * up to `maxItems` keys. `load` returns values in the order of its keys, undefined for a missing row. A failed statement
 * fails only the keys that it contains.
 */
export function loader<Key, Value>(
  load: (keys: Key[]) => Promise<(Value | undefined)[]>,
  { concurrency = 2, maxItems = 128, weigh = () => 0, maxWeight = 0, gatherMs = 0 }: LoaderOptions<Key> = {},
): (key: Key) => Promise<Value | undefined> {
  const queue: LoaderQueue<Key, Value> = { waiting: [], runningCount: 0, isScheduled: false }

  async function run(batch: WaitingKey<Key, Value>[]): Promise<void> {
    queue.runningCount++
    const settleKeys = await runLoad(load, batch)
    queue.runningCount--
    const isAwaited = queue.waiting.length > 0
    if (gatherMs > 0) scheduleStart()
    else startStatements()
    // Sends the next statement before the callers of this one continue, so that the database works meanwhile.
    if (isAwaited) await new Promise(setImmediate)
    settleKeys()
  }

  function startStatements(): void {
    queue.isScheduled = false
    while (queue.waiting.length > 0 && queue.runningCount < concurrency) {
      const count = batchSize(queue.waiting, { maxItems, weigh, maxWeight })
      const batch = queue.waiting.slice(0, count)
      queue.waiting = queue.waiting.slice(count)
      void run(batch)
    }
  }

  function scheduleStart(): void {
    if (queue.isScheduled || queue.waiting.length === 0 || queue.runningCount >= concurrency) return
    queue.isScheduled = true
    if (gatherMs > 0) setTimeout(startStatements, gatherMs)
    else setImmediate(startStatements)
  }

  return (key) => {
    const { promise, ...settle } = Promise.withResolvers<Value | undefined>()
    const entry = { key, ...settle }
    queue.waiting.push(entry)
    scheduleStart()
    return waitWithinPatience(promise, () => {
      queue.waiting = queue.waiting.filter((each) => each !== entry)
    })
  }
}

/** Loads a batch; the returned function settles the promises of its keys. */
async function runLoad<Key, Value>(
  load: (keys: Key[]) => Promise<(Value | undefined)[]>,
  batch: WaitingKey<Key, Value>[],
): Promise<() => void> {
  try {
    const values = await withSharedPatience(() => load(batch.map(({ key }) => key)))
    return () => batch.forEach(({ resolve }, i) => void resolve(values[i]))
  } catch (error) {
    return () => batch.forEach(({ reject }) => void reject(error))
  }
}

/** Returns the number of keys for the next statement, at least one. */
function batchSize<Key>(
  waiting: { key: Key }[],
  { maxItems, weigh, maxWeight }: Required<Pick<LoaderOptions<Key>, 'maxItems' | 'weigh' | 'maxWeight'>>,
): number {
  let weight = 0
  let count = 0
  for (const { key } of waiting) {
    if (count > 0 && count >= maxItems) break
    weight += weigh(key)
    if (count > 0 && weight > maxWeight) break
    count++
  }
  return count
}

/** Caches the found values of a look-up for rows that never change. Missing values are looked up again. */
export function cachedLookup<Value extends NonNullable<unknown>>(
  find: (key: string) => Promise<Value | undefined>,
  options: Pick<CacheOptions<Value>, 'name'> & Partial<CacheOptions<Value>>,
): (key: string) => Promise<Value | undefined> {
  const values = cache<Value>({ maxBytes: 8 << 20, lifetimeMs: 3_600_000, ...options })
  return async (key) => {
    const cached = values.get(key)
    if (cached !== undefined) return cached
    const found = await find(key)
    if (found !== undefined) values.set(key, found)
    return found
  }
}
