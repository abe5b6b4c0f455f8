// Caches of a process: limited in time and bytes, per owner such as a database, or while work is running.
import { LRUCache } from 'lru-cache'

export interface CacheOptions<Value> {
  /** Names it in the metric `cache_bytes`. */
  name: string
  /** Beyond this the least recently used entries are evicted. */
  maxBytes: number
  /** Lifetime of an entry, in milliseconds. */
  forMs: number
  /** Bytes of a value; the cache counts the key and the entry itself. */
  weigh?(value: Value): number
}

/** `at` is in milliseconds of one clock; by default the monotonic clock of the process. */
export interface Cache<Value> {
  get(key: string, at?: number): Value | undefined
  set(key: string, value: Value, at?: number): void
  delete(key: string): void
  entries(): Iterable<[key: string, value: Value]>
  readonly size: number
  readonly bytes: number
}

/** Approximate overhead of an entry in the lists of the cache. */
const entryBytes = 150

const totals = new Map<string, number>()

/** Bytes in all caches of this process, by name. */
export const cacheBytes = (): ReadonlyMap<string, number> => totals

interface TimedCache<Value extends NonNullable<unknown>> {
  kept: LRUCache<string, Value>
  /** Sets the current time. Unused entries expire, and a clock that is set back extends none. */
  tell(at: number): void
}

/** Adapts lru-cache, which treats a time of 0 as absent, and an entry of exactly its lifetime as valid. */
function timed<Value extends NonNullable<unknown>>(options: CacheOptions<Value>): TimedCache<Value> {
  const { maxBytes, forMs, weigh = bytesOf } = options
  let now = 1
  let cleaned = 1
  const kept = new LRUCache<string, Value>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => entryBytes + 2 * key.length + weigh(value),
    ...(Number.isFinite(forMs) && { ttl: Math.max(1, forMs - 1), ttlResolution: 0, perf: { now: () => now } }),
  })
  function tell(at: number): void {
    if (now - (at + 1) >= forMs) kept.clear()
    now = at + 1
    if (Math.abs(now - cleaned) < forMs) return
    cleaned = now
    kept.purgeStale()
  }
  return { kept, tell }
}

export function cache<Value extends NonNullable<unknown>>(options: CacheOptions<Value>): Cache<Value> {
  const { name } = options
  const { kept, tell } = timed(options)

  function counted<T>(act: () => T): T {
    const before = kept.calculatedSize
    const result = act()
    totals.set(name, (totals.get(name) ?? 0) + kept.calculatedSize - before)
    return result
  }

  return {
    get: (key, at = performance.now()) =>
      counted(() => {
        tell(at)
        return kept.get(key)
      }),
    set: (key, value, at = performance.now()) =>
      counted(() => {
        tell(at)
        kept.set(key, value)
      }),
    delete: (key) => counted(() => void kept.delete(key)),
    entries: () =>
      counted(() => {
        kept.purgeStale()
        return [...kept.entries()]
      }),
    get size() {
      return kept.size
    },
    get bytes() {
      return kept.calculatedSize
    },
  }
}

/** Estimates the bytes of a plain value: two per character, the bytes of a Buffer, and its fields. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  if (ArrayBuffer.isView(value)) return 200 + value.byteLength
  if (value instanceof Date) return 40
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return 40 + inner.reduce((sum: number, each) => sum + 8 + bytesOf(each), 0)
}

/** Copies into memory of its own. A small Buffer would keep its shared 64 KiB chunk alive. */
export function ownBytes(bytes: Uint8Array): Buffer {
  const own = Buffer.alloc(bytes.length)
  own.set(bytes)
  return own
}

/** The row with its Buffers copied, for caching. */
export function withOwnBytes<Row extends object>(row: Row): Row {
  for (const [name, value] of Object.entries(row))
    if (value instanceof Uint8Array) Object.assign(row, { [name]: ownBytes(value) })
  return row
}

/** Returns the cached result of `make` for an owner; collected with it. */
export function memoizePerHolder<Means, T>(
  holderOf: (means: Means) => object,
  make: (means: Means) => T,
): (means: Means) => T {
  const kept = new WeakMap<object, { value: T }>()
  return (means) => {
    const holder = holderOf(means)
    const entry = kept.get(holder) ?? { value: make(means) }
    kept.set(holder, entry)
    return entry.value
  }
}

/** As above, per database. */
export const perDatabase = <Means extends { db: object }, T>(make: (means: Means) => T): ((means: Means) => T) =>
  memoizePerHolder(({ db }) => db, make)

const lookupMs = 5000
/** Room for about 20,000 callers; beyond that the oldest are looked up again. */
const maxLookupBytes = 16 << 20

/**
 * Caches rows of one kind for a few seconds, per database, so that a revoked row stops working within that time in
 * every process. Missing rows are not cached.
 */
export function lookupCache<Row extends object>(name: string) {
  const rowsOf = memoizePerHolder(
    (db: object) => db,
    () => ({ rows: cache<Row>({ name, maxBytes: maxLookupBytes, forMs: lookupMs }), timesForgotten: 0 }),
  )
  return {
    async find(db: object, key: string, at: Date, look: () => Promise<Row | undefined>): Promise<Row | undefined> {
      const state = rowsOf(db)
      const { rows, timesForgotten } = state
      const known = rows.get(key, at.getTime())
      if (known) return known
      const row = await look()
      // A row that was read before `forget` may be outdated.
      if (row && state.timesForgotten === timesForgotten) rows.set(key, withOwnBytes(row), at.getTime())
      else rows.delete(key)
      return row
    },
    /** Deletes the matching rows, so that a change takes effect at once in this process. */
    forget(db: object, matches: (row: Row) => boolean): void {
      const state = rowsOf(db)
      const { rows } = state
      state.timesForgotten++
      for (const [key, row] of rows.entries()) if (matches(row)) rows.delete(key)
    },
  }
}

/** Shares running work by key: callers during the work get its result, or its failure. */
export function shareRunning<Value>(): (key: string, work: () => Promise<Value>) => Promise<Value> {
  const all = new Map<string, Promise<Value>>()
  return (key, work) => {
    const known = all.get(key)
    if (known) return known
    const running = work().finally(() => all.delete(key))
    all.set(key, running)
    return running
  }
}
