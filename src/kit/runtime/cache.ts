// What a process remembers for a while: bounded in bytes and in time, so that no cache grows with its callers.

export interface CacheOptions<Value> {
  /** Names it in the metric `cache_bytes`. */
  name: string
  /** Beyond this the oldest entries go. */
  mostBytes: number
  /** How long an entry counts, in milliseconds. */
  forMs: number
  /** Bytes of a value; the cache counts the key and the entry itself. */
  weigh?(value: Value): number
}

/** `at` is in milliseconds of one clock; where none is given it is the monotonic clock of the process. */
export interface Cache<Value> {
  get(key: string, at?: number): Value | undefined
  set(key: string, value: Value, at?: number): void
  delete(key: string): void
  entries(): Iterable<[key: string, value: Value]>
  readonly size: number
  readonly bytes: number
}

interface Entry<Value> {
  value: Value
  since: number
  bytes: number
}

/** A Map entry, its object and the headers of key and value, roughly. */
const entryBytes = 150

const totals = new Map<string, number>()

/** Bytes kept in all caches of this process, by name. */
export const cacheBytes = (): ReadonlyMap<string, number> => totals

/** Entries in the order in which they were set, the oldest first, and the bytes of all of them. */
interface Entries<Value> {
  byKey: Map<string, Entry<Value>>
  bytes: number
  add(key: string, entry: Entry<Value>): void
  remove(key: string): void
}

/** Counts the bytes of its entries, and into the total of `name`. */
function counted<Value>(name: string): Entries<Value> {
  const count = (change: number): void => {
    entries.bytes += change
    totals.set(name, (totals.get(name) ?? 0) + change)
  }
  const entries: Entries<Value> = {
    byKey: new Map(),
    bytes: 0,
    add(key, entry) {
      entries.byKey.set(key, entry)
      count(entry.bytes)
    },
    remove(key) {
      const entry = entries.byKey.get(key)
      if (entry && entries.byKey.delete(key)) count(-entry.bytes)
    },
  }
  return entries
}

export function cache<Value>({ name, mostBytes, forMs, weigh = bytesOf }: CacheOptions<Value>): Cache<Value> {
  const kept = counted<Value>(name)
  const isExpired = ({ since }: Entry<Value>, at: number): boolean => isOver(since, at, forMs)

  function expire(at: number): void {
    for (const [key, entry] of kept.byKey) {
      if (!isExpired(entry, at)) return
      kept.remove(key)
    }
  }

  return {
    get(key, at = performance.now()) {
      expire(at)
      const entry = kept.byKey.get(key)
      return entry && !isExpired(entry, at) ? entry.value : undefined
    },
    set(key, value, at = performance.now()) {
      expire(at)
      kept.remove(key)
      const entry = { value, since: at, bytes: entryBytes + 2 * key.length + weigh(value) }
      if (entry.bytes > mostBytes) return
      kept.add(key, entry)
      for (const oldest of kept.byKey.keys()) {
        if (kept.bytes <= mostBytes) return
        kept.remove(oldest)
      }
    },
    delete: kept.remove,
    *entries() {
      for (const [key, { value }] of kept.byKey) yield [key, value]
    },
    get size() {
      return kept.byKey.size
    },
    get bytes() {
      return kept.bytes
    },
  }
}

/** A clock that was set back must not prolong an entry. */
const isOver = (since: number, at: number, forMs: number): boolean => Math.abs(at - since) >= forMs

/** Bytes that a plain value takes, roughly: two for each character, those of a Buffer with its own memory, and its fields. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  if (ArrayBuffer.isView(value)) return 200 + value.byteLength
  if (value instanceof Date) return 40
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return 40 + inner.reduce((sum: number, each) => sum + 8 + bytesOf(each), 0)
}

/**
 * Bytes in memory of their own. A small Buffer shares a chunk of 64 KiB with others, and as long as it is kept so is the
 * whole chunk.
 */
export function ownBytes(bytes: Uint8Array): Buffer {
  const own = Buffer.alloc(bytes.length)
  own.set(bytes)
  return own
}

/** The same row, each of its Buffers replaced by a copy that may be kept. */
export function withOwnBytes<Row extends object>(row: Row): Row {
  for (const [name, value] of Object.entries(row))
    if (value instanceof Uint8Array) Object.assign(row, { [name]: ownBytes(value) })
  return row
}
