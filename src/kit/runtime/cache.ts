// Caches of a process: limited in time and bytes, per owner such as a database, or while work is running.
import { LRUCache } from 'lru-cache'

export interface CacheOptions<Value> {
  /** Names it in the metric `cache_bytes`. */
  name: string
  /** Beyond this the entries that were not used for longest go. */
  maxBytes: number
  /** How long an entry counts, in milliseconds. */
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

/** Places of an entry in the lists of the cache, roughly. */
const entryBytes = 150

const totals = new Map<string, number>()

/** Bytes kept in all caches of this process, by name. */
export const cacheBytes = (): ReadonlyMap<string, number> => totals

interface TimedCache<Value extends NonNullable<unknown>> {
  kept: LRUCache<string, Value>
  /** Sets the current time. Unused entries expire, and a clock that is set back extends none. */
  tell(at: number): void
}

/** lru-cache asks its clock at each call, takes a time of 0 for none, and an entry of exactly its age for a good one. */
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

/** Bytes that a plain value takes, roughly: two for each character, those of a Buffer with its own memory, and its fields. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  if (ArrayBuffer.isView(value)) return 200 + value.byteLength
  if (value instanceof Date) return 40
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return 40 + inner.reduce((sum: number, each) => sum + 8 + bytesOf(each), 0)
}

/** A copy with its own memory. A small Buffer shares a 64 KiB chunk, which would be kept as long as it is. */
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
/** About 20,000 callers in five seconds; beyond that the oldest are looked up again. */
const mostLookupBytes = 16 << 20

/**
 * Caches rows of one kind for a few seconds, per database, so that a revoked row stops working within that time in
 * every process. Missing rows are not cached.
 */
export function lookupCache<Row extends object>(name: string) {
  const rowsOf = memoizePerHolder(
    (db: object) => db,
    () => ({ rows: cache<Row>({ name, maxBytes: mostLookupBytes, forMs: lookupMs }), timesForgotten: 0 }),
  )
  return {
    async find(db: object, key: string, at: Date, look: () => Promise<Row | undefined>): Promise<Row | undefined> {
      const kept = rowsOf(db)
      const { rows, timesForgotten } = kept
      const known = rows.get(key, at.getTime())
      if (known) return known
      const row = await look()
      // A row that was read before `forget` may be outdated.
      if (row && kept.timesForgotten === timesForgotten) rows.set(key, withOwnBytes(row), at.getTime())
      else rows.delete(key)
      return row
    },
    /** Forgets the rows that `isIt` recognizes: in this process the change is felt at once. */
    forget(db: object, isIt: (row: Row) => boolean): void {
      const kept = rowsOf(db)
      const { rows } = kept
      kept.timesForgotten++
      for (const [key, row] of rows.entries()) if (isIt(row)) rows.delete(key)
    },
  }
}

/** Shares running work by key: callers during the work get its result, or its failure. */
export function shareRunning<Value>(): (key: string, work: () => Promise<Value>) => Promise<Value> {
  const all = new Map<string, Promise<Value>>()
  return (key, work) => {
    const known = all.get(key)
    if (known) return known
    const begun = work().finally(() => all.delete(key))
    all.set(key, begun)
    return begun
  }
}
