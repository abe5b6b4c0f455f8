// Runs the modules of worker threads in this thread, so that the order of their answers is not chance.
import { EventEmitter } from 'node:events'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { busyUntil } from './install.ts'

const load = createRequire(import.meta.url)
let threadCount = 0
let lastLoad: Promise<unknown> = Promise.resolve()

/** Loads one module at a time, because all take the same `parentPort`. */
function loadModule(module: URL, port: EventEmitter): Promise<unknown> {
  lastLoad = lastLoad.then(() => {
    load('node:worker_threads').parentPort = port
    syncBuiltinESMExports()
    return import(`${module.href}?thread=${++threadCount}`)
  })
  return lastLoad
}

/** Takes the place of `Worker` for modules that take `parentPort` when they are loaded. */
class LocalWorker extends EventEmitter {
  readonly #port: EventEmitter & { postMessage(message: unknown): void }
  readonly #loaded: Promise<unknown>
  #isEnded = false

  constructor(module: URL) {
    super()
    this.#port = Object.assign(new EventEmitter(), {
      postMessage: (message: unknown) => this.#pass(this, message),
    })
    this.#loaded = busyUntil(loadModule(module, this.#port))
    this.#loaded.catch((error) => this.emit('error', error))
  }

  #pass(to: EventEmitter, message: unknown): void {
    setImmediate(() => {
      if (!this.#isEnded) to.emit('message', message)
    })
  }

  postMessage(message: unknown, transfer: ArrayBuffer[] = []): void {
    const copy: unknown = structuredClone(message, { transfer })
    busyUntil(this.#loaded.then(() => this.#pass(this.#port, copy)))
  }

  ref = (): this => this
  unref = (): this => this
  cpuUsage = async () => ({ user: 0, system: 0 })
  async terminate(): Promise<number> {
    this.#isEnded = true
    return 0
  }
}

export function installThreads(): void {
  load('node:worker_threads').Worker = LocalWorker
  syncBuiltinESMExports()
}
