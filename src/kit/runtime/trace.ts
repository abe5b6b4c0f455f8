// The trace of the current request. It survives awaits; logs, jobs and outgoing calls include it.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Trace {
  correlationId: string
  /** W3C Trace Context of the caller, passed on unchanged. */
  traceparent?: string
}

const storage = new AsyncLocalStorage<Trace>()

export const trace = (): Trace | undefined => storage.getStore()

export const runInTrace = <T>(current: Trace | undefined, work: () => T): T =>
  current ? storage.run(current, work) : work()

/** Runs work in the trace of the request that enqueued it; null when no request did. */
export const runCorrelated = <T>(correlationId: string | null, work: () => T): T =>
  correlationId === null ? work() : storage.run({ correlationId }, work)

/** Returns a function that runs work in the current trace, even if another request calls it. */
export const bindTrace = (): (<T>(work: () => T) => T) => AsyncLocalStorage.snapshot()

const visibleAscii = /^[\x21-\x7e]{1,128}$/
export const isCorrelationId = (text: string): boolean => visibleAscii.test(text)

/** Version ff and all-zero ids are invalid. */
const traceparentFormat = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
export const isTraceparent = (text: string): boolean => traceparentFormat.test(text)
