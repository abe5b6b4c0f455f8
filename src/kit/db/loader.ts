// Look-ups that are asked for at the same time go to the database together: many readers, one statement.
import { type CacheOptions, cache } from '#kit/runtime/cache.ts'

export interface Gathering<Key> {
  /** Statements under way at once. */
  concurrency?: number
  /** Keys of one statement. */
  most?: number
  /** What a key weighs, and how much one statement carries; a heavier one goes alone. */
  weigh?(key: Key): number
  mostWeight?: number
}

/**
 * Gives a look-up by key that gathers. What is asked for while `lanes` statements are under way waits and goes together
 * into the next one, `most` at a time; a single question on an idle connection goes at once. `load` answers in the order of
 * its keys, undefined for what there is not. A statement that fails fails those who waited for it, and nobody else.
 */
export function loader<Key, Value>(
  load: (keys: Key[]) => Promise<(Value | undefined)[]>,
  { concurrency = 2, most = 128, weigh = () => 0, mostWeight = 0 }: Gathering<Key> = {},
): (key: Key) => Promise<Value | undefined> {
  interface Waiting {
    key: Key
    resolve: (value: Value | undefined) => void
    reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  let underWay = 0
  let planned = false

  async function run(batch: Waiting[]): Promise<void> {
    underWay++
    const answers = await settled(batch)
    underWay--
    const isAwaited = waiting.length > 0
    go()
    // The next statement leaves before those who waited for this one go on: the database works while they do.
    if (isAwaited) await new Promise(setImmediate)
    answers()
  }

  /** Gives what hands the answers out. */
  async function settled(batch: Waiting[]): Promise<() => void> {
    try {
      const values = await load(batch.map(({ key }) => key))
      return () => batch.forEach(({ resolve }, i) => void resolve(values[i]))
    } catch (error) {
      return () => batch.forEach(({ reject }) => void reject(error))
    }
  }

  function go(): void {
    planned = false
    while (waiting.length > 0 && underWay < concurrency) {
      const count = next()
      const batch = waiting.slice(0, count)
      waiting = waiting.slice(count)
      void run(batch)
    }
  }

  /** How many of those who wait go into one statement: at least one. */
  function next(): number {
    let weight = weigh(waiting[0]!.key)
    let count = 1
    for (; count < waiting.length && count < most; count++) {
      weight += weigh(waiting[count]!.key)
      if (weight > mostWeight) break
    }
    return count
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (planned || underWay >= concurrency) return
      planned = true
      // Those who ask in the same turn of the event loop come along.
      setImmediate(go)
    })
}

/**
 * The same look-up for what never changes once it is there: what was found is remembered, as much as the cache keeps. What
 * is not there yet is asked for again.
 */
export function remembering<Value>(
  find: (key: string) => Promise<Value | undefined>,
  options: Pick<CacheOptions<Value>, 'name'> & Partial<CacheOptions<Value>>,
): (key: string) => Promise<Value | undefined> {
  const known = cache<Value>({ mostBytes: 8 << 20, forMs: 3_600_000, ...options })
  return async (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const found = await find(key)
    if (found !== undefined) known.set(key, found)
    return found
  }
}
