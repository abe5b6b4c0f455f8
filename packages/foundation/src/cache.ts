// Caches of a process: values with limited age and size, one value per owner object, and results of running work.
import { LRUCache } from 'lru-cache'

export interface CacheOptions<Value> {
  /** Label in the metric `cache_bytes`. */
  name: string
  /** Above this size, the least recently used entries are evicted. */
  maxBytes: number
  /** Lifetime of an entry, in milliseconds. */
  lifetimeMs: number
  /** Returns the bytes of a value; the key and the overhead of the entry are added. */
  weigh?(value: Value): number
}

/** `at` is in milliseconds; all calls must use the same clock, by default the monotonic clock of the process. */
export interface Cache<Value> {
  get(key: string, at?: number): Value | undefined
  set(key: string, value: Value, at?: number): void
  delete(key: string): void
  entries(): Iterable<[key: string, value: Value]>
  readonly size: number
  readonly bytes: number
}

/** Approximate overhead of an entry, in bytes. */
const entryBytes = 150

const totals = new Map<string, number>()

/** Bytes in the caches of this process, by cache name. */
export const cacheBytes = (): ReadonlyMap<string, number> => totals

interface TimedCache<Value extends NonNullable<unknown>> {
  entries: LRUCache<string, Value>
  /** Sets the current time, and regularly removes expired entries. A clock that is set back extends no lifetime. */
  setTime(at: number): void
}

/** In lru-cache, time 0 means no time, and an entry is still valid at the end of its lifetime; both are corrected. */
function newTimedCache<Value extends NonNullable<unknown>>(options: CacheOptions<Value>): TimedCache<Value> {
  const { maxBytes, lifetimeMs, weigh = bytesOf } = options
  let now = 1
  let purgedAt = 1
  const entries = new LRUCache<string, Value>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => entryBytes + 2 * key.length + weigh(value),
    ...(Number.isFinite(lifetimeMs) && {
      ttl: Math.max(1, lifetimeMs - 1),
      ttlResolution: 0,
      perf: { now: () => now },
    }),
  })
  function setTime(at: number): void {
    if (now - (at + 1) >= lifetimeMs) entries.clear()
    now = at + 1
    if (Math.abs(now - purgedAt) < lifetimeMs) return
    purgedAt = now
    entries.purgeStale()
  }
  return { entries, setTime }
}

export function cache<Value extends NonNullable<unknown>>(options: CacheOptions<Value>): Cache<Value> {
  const { name } = options
  const { entries, setTime } = newTimedCache(options)

  function trackBytes<T>(operate: () => T): T {
    const before = entries.calculatedSize
    const result = operate()
    totals.set(name, (totals.get(name) ?? 0) + entries.calculatedSize - before)
    return result
  }

  return {
    get: (key, at = performance.now()) =>
      trackBytes(() => {
        setTime(at)
        return entries.get(key)
      }),
    set: (key, value, at = performance.now()) =>
      trackBytes(() => {
        setTime(at)
        entries.set(key, value)
      }),
    delete: (key) => trackBytes(() => void entries.delete(key)),
    entries: () =>
      trackBytes(() => {
        entries.purgeStale()
        return [...entries.entries()]
      }),
    get size() {
      return entries.size
    },
    get bytes() {
      return entries.calculatedSize
    },
  }
}

/** Estimates the memory of a value, including its fields. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  if (ArrayBuffer.isView(value)) return 200 + value.byteLength
  if (value instanceof Date) return 40
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return 40 + inner.reduce((sum: number, each) => sum + 8 + bytesOf(each), 0)
}

/** Copies bytes, because a small Buffer would keep a shared 64 KiB chunk in memory. */
export function copyBytes(bytes: Uint8Array): Buffer {
  const copy = Buffer.alloc(bytes.length)
  copy.set(bytes)
  return copy
}

/** Replaces the Buffers of a row by copies, and returns the same row. */
export function copyBuffers<Row extends object>(row: Row): Row {
  for (const [name, value] of Object.entries(row))
    if (value instanceof Uint8Array) Object.assign(row, { [name]: copyBytes(value) })
  return row
}

/** Memoizes `make` per owner object; a result is garbage-collected together with its owner. */
export function memoizePerOwner<Deps, T>(ownerOf: (deps: Deps) => object, make: (deps: Deps) => T): (deps: Deps) => T {
  const entries = new WeakMap<object, { value: T }>()
  return (deps) => {
    const owner = ownerOf(deps)
    const entry = entries.get(owner) ?? { value: make(deps) }
    entries.set(owner, entry)
    return entry.value
  }
}

export const perDatabase = <Deps extends { db: object }, T>(make: (deps: Deps) => T): ((deps: Deps) => T) =>
  memoizePerOwner(({ db }) => db, make)

const lookupMs = 5000
/** Enough for about 20,000 rows. */
const maxLookupBytes = 16 << 20

/**
 * Caches rows of one kind per database for five seconds, so that a revocation takes effect in every process within this
 * time. Missing rows are not cached.
 */
export function lookupCache<Row extends object>(name: string) {
  const rowsOf = memoizePerOwner(
    (db: object) => db,
    () => ({ rows: cache<Row>({ name, maxBytes: maxLookupBytes, lifetimeMs: lookupMs }), invalidations: 0 }),
  )
  return {
    async find(db: object, key: string, at: Date, read: () => Promise<Row | undefined>): Promise<Row | undefined> {
      const state = rowsOf(db)
      const { rows, invalidations } = state
      const known = rows.get(key, at.getTime())
      if (known) return known
      const row = await read()
      // If `forget` was called during the read, the row may be outdated.
      if (row && state.invalidations === invalidations) rows.set(key, copyBuffers(row), at.getTime())
      else rows.delete(key)
      return row
    },
    /** Removes the matching rows, so that a change takes effect at once in this process. */
    forget(db: object, matches: (row: Row) => boolean): void {
      const state = rowsOf(db)
      const { rows } = state
      state.invalidations++
      for (const [key, row] of rows.entries()) if (matches(row)) rows.delete(key)
    },
  }
}

/** Shares running work by key: calls during the work get the same result or failure. */
export function shareRunning<Value>(): (key: string, work: () => Promise<Value>) => Promise<Value> {
  const runs = new Map<string, Promise<Value>>()
  return (key, work) => {
    const known = runs.get(key)
    if (known) return known
    const running = work().finally(() => runs.delete(key))
    runs.set(key, running)
    return running
  }
}
