// Batches concurrent look-ups: many readers share one statement.
import { type CacheOptions, cache } from '#kit/runtime/cache.ts'
import { waitWithinPatience, withSharedPatience } from './patience.ts'

export interface LoaderOptions<Key> {
  /** Maximum number of running statements. */
  concurrency?: number
  /** Maximum number of keys of one statement. */
  maxItems?: number
  /** The weight of a key, and the limit of one statement; a heavier key goes alone. */
  weigh?(key: Key): number
  maxWeight?: number
  /**
   * How long a key waits for further keys, in milliseconds; by default 0, which groups the keys of one turn of the
   * event loop.
   */
  gatherMs?: number
}

interface WaitingKey<Key, Value> {
  key: Key
  resolve: (value: Value | undefined) => void
  reject: (error: unknown) => void
}

/** The waiting keys, and the number of running statements. */
interface LoaderQueue<Key, Value> {
  waiting: WaitingKey<Key, Value>[]
  underWay: number
  /** Whether a start is planned for the end of this turn of the event loop. */
  isPlanned: boolean
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
  const gathered: LoaderQueue<Key, Value> = { waiting: [], underWay: 0, isPlanned: false }

  async function run(batch: WaitingKey<Key, Value>[]): Promise<void> {
    gathered.underWay++
    const answers = await settled(load, batch)
    gathered.underWay--
    const isAwaited = gathered.waiting.length > 0
    if (gatherMs > 0) plan()
    else go()
    // Sends the next statement before the callers of this one continue, so that the database works meanwhile.
    if (isAwaited) await new Promise(setImmediate)
    answers()
  }

  function go(): void {
    gathered.isPlanned = false
    while (gathered.waiting.length > 0 && gathered.underWay < concurrency) {
      const count = batchSize(gathered.waiting, { maxItems, weigh, maxWeight })
      const batch = gathered.waiting.slice(0, count)
      gathered.waiting = gathered.waiting.slice(count)
      void run(batch)
    }
  }

  function plan(): void {
    if (gathered.isPlanned || gathered.waiting.length === 0 || gathered.underWay >= concurrency) return
    gathered.isPlanned = true
    if (gatherMs > 0) setTimeout(go, gatherMs)
    else setImmediate(go)
  }

  return (key) => {
    const { promise, ...settle } = Promise.withResolvers<Value | undefined>()
    const own = { key, ...settle }
    gathered.waiting.push(own)
    plan()
    return waitWithinPatience(promise, () => {
      gathered.waiting = gathered.waiting.filter((each) => each !== own)
    })
  }
}

/** Distributes the answers to the waiting keys. */
async function settled<Key, Value>(
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

/** How many waiting keys the next statement takes: at least one. */
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

/**
 * The same look-up for rows that never change: found values are cached within the cache's limits, missing ones are
 * looked up again.
 */
export function cachedLookup<Value extends NonNullable<unknown>>(
  find: (key: string) => Promise<Value | undefined>,
  options: Pick<CacheOptions<Value>, 'name'> & Partial<CacheOptions<Value>>,
): (key: string) => Promise<Value | undefined> {
  const known = cache<Value>({ maxBytes: 8 << 20, lifetimeMs: 3_600_000, ...options })
  return async (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const found = await find(key)
    if (found !== undefined) known.set(key, found)
    return found
  }
}
