// Replaces time and chance of this process by the simulation's: clocks, timers, random bytes, identifiers.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { currentOwner, type Entry, type Scheduler, startsAt } from './scheduler.ts'

const load = createRequire(import.meta.url)
const real = { Date, setTimeout, clearTimeout, clearInterval, setImmediate, clearImmediate }

/** The scheduler of the current run. */
let scheduler: Scheduler
export const enterScheduler = (next: Scheduler): void => {
  scheduler = next
}

let random: () => number = Math.random
let randomOctet: () => number = Math.random
/**
 * The numbers decide pauses; the octets are for ids and keys, which decide nothing. They are separate, because memory
 * that runs share keeps unused octets.
 */
export function seedChance(numbers: () => number, octets: () => number): void {
  random = numbers
  randomOctet = octets
}

let isTimeless = false
/** Runs work whose timers must not fire: those of the database count real time. */
export function withoutTimers<T>(work: () => T): T {
  isTimeless = true
  try {
    return work()
  } finally {
    isTimeless = false
  }
}

class Timer {
  entry: Entry
  readonly #restart: () => Entry
  constructor(start: () => Entry) {
    this.#restart = start
    this.entry = start()
  }
  ref = (): this => this
  unref = (): this => this
  hasRef = (): boolean => true
  refresh(): this {
    this.close()
    this.entry = this.#restart()
    return this
  }
  close(): this {
    this.entry.isCancelled = true
    return this
  }
  [Symbol.dispose](): void {
    this.close()
  }
}

type Callback = (...args: unknown[]) => void

/** Timers of a dead process never fire. */
function startTimer(callback: Callback, ms: number | undefined, args: unknown[], isRepeated: boolean): Timer {
  const run = AsyncLocalStorage.snapshot()
  const owner = currentOwner()
  const delay = ms !== undefined && ms >= 1 && ms <= 2 ** 31 - 1 ? Math.floor(ms) : 1
  const timer: Timer = new Timer(() =>
    scheduler.schedule(delay, 'timer', () => {
      if (owner && !owner.isAlive) return
      if (isRepeated) timer.refresh()
      run(callback, ...args)
    }),
  )
  if (isTimeless) timer.close()
  return timer
}

const endTimer = (timer: unknown): void => {
  if (timer instanceof Timer) timer.close()
  else real.clearTimeout(timer as NodeJS.Timeout)
}

/** Pauses of a dead process end, so that what waits for them in memory that processes share here continues. */
const sleep = (ms?: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const aborted = () =>
      Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' })
    if (signal?.aborted) return reject(aborted())
    const run = AsyncLocalStorage.snapshot()
    const entry = scheduler.schedule(Math.max(1, ms ?? 1), 'timer', () => run(() => resolve(value)))
    signal?.addEventListener('abort', () => {
      entry.isCancelled = true
      reject(aborted())
    })
  })

/** Counts what really happens outside the queue until `promise` settles. */
export function busyUntil<T>(promise: Promise<T>): Promise<T> {
  const counting = scheduler
  counting.busy++
  const end = () => void counting.busy--
  promise.then(end, end)
  return promise
}

function immediate(callback: Callback, ...args: unknown[]): NodeJS.Immediate {
  const counting = scheduler
  counting.busy++
  return real.setImmediate(() => {
    counting.busy--
    callback(...args)
  })
}

function fill(bytes: Uint8Array): void {
  for (let i = 0; i < bytes.length; i++) bytes[i] = randomOctet() * 256
}

const randomBytes = (size: number): Buffer => {
  const bytes = Buffer.alloc(size)
  fill(bytes)
  return bytes
}

function randomUUID(): string {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const viewOf = (target: ArrayBufferView | ArrayBuffer): Uint8Array =>
  target instanceof ArrayBuffer
    ? new Uint8Array(target)
    : new Uint8Array(target.buffer, target.byteOffset, target.byteLength)

/** Replaces the functions; from then on they act on the scheduler of the current run. */
export function install(first: Scheduler): void {
  enterScheduler(first)
  installTime()
  installChance()
  syncBuiltinESMExports()
}

function installTime(): void {
  const virtualDate = new Proxy(real.Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [Math.floor(scheduler.clock())] : args, newTarget),
    apply: () => new real.Date(scheduler.clock()).toString(),
    get: (target, key) => (key === 'now' ? () => Math.floor(scheduler.clock()) : Reflect.get(target, key)),
  })
  const timers = {
    setTimeout: (callback: Callback, ms?: number, ...args: unknown[]) => startTimer(callback, ms, args, false),
    setInterval: (callback: Callback, ms?: number, ...args: unknown[]) => startTimer(callback, ms, args, true),
    clearTimeout: endTimer,
    clearInterval: endTimer,
    setImmediate: immediate,
  }
  Object.assign(globalThis, timers, { Date: virtualDate })
  Object.assign(load('node:timers'), timers)
  Object.assign(load('node:timers/promises'), { setTimeout: sleep })
  performance.now = () => scheduler.now - startsAt
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController()
    timers.setTimeout(
      () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      ms,
    )
    return controller.signal
  }
}

type KeyPairs = (type: string, options: object) => unknown

/** Every run makes the same keys, because making one takes a tenth of a second. */
function repeatedKeys(make: KeyPairs): KeyPairs {
  const known = new Map<string, unknown>()
  return (type, options) => {
    const kind = JSON.stringify([type, options])
    const used = scheduler.counts.get(kind) ?? 0
    scheduler.counts.set(kind, used + 1)
    const name = `${kind} ${used}`
    if (!known.has(name)) known.set(name, make(type, options))
    return known.get(name)
  }
}

function installChance(): void {
  Math.random = () => random()
  const crypto = load('node:crypto')
  const randomFillSync = <T extends ArrayBufferView>(target: T, offset = 0, size?: number): T => {
    const view = viewOf(target)
    fill(view.subarray(offset, size === undefined ? undefined : offset + size))
    return target
  }
  Object.assign(crypto, {
    generateKeyPairSync: repeatedKeys(crypto.generateKeyPairSync),
    randomUUID,
    randomFillSync,
    randomBytes(size: number, callback?: (error: null, bytes: Buffer) => void) {
      if (!callback) return randomBytes(size)
      queueMicrotask(() => callback(null, randomBytes(size)))
    },
    randomInt: (low: number, high?: number) =>
      high === undefined ? Math.floor(random() * low) : low + Math.floor(random() * (high - low)),
  })
  Object.assign(globalThis.crypto, { randomUUID, getRandomValues: randomFillSync })
  Object.defineProperty(process, 'pid', { value: 4711 })
}
