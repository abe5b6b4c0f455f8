// Which request a line of work belongs to: carried through awaits, logs, jobs and outgoing calls.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Trace {
  correlationId: string
  /** W3C Trace Context of the caller, passed on unchanged. */
  traceparent?: string
}

const storage = new AsyncLocalStorage<Trace>()

export const trace = (): Trace | undefined => storage.getStore()

export const runInTrace = <T>(as: Trace | undefined, work: () => T): T => (as ? storage.run(as, work) : work())

/** Runs work for the request that enqueued it. */
export const runCorrelated = <T>(correlationId: string | null, work: () => T): T =>
  correlationId === null ? work() : storage.run({ correlationId }, work)

/** Runs later work in the current trace: for work that another request starts. */
export const bindTrace = (): (<T>(work: () => T) => T) => AsyncLocalStorage.snapshot()

const visibleAscii = /^[\x21-\x7e]{1,128}$/
export const isCorrelationId = (text: string): boolean => visibleAscii.test(text)

/** Version ff and ids of nothing but zeros are not valid. */
const traceparentFormat = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
export const isTraceparent = (text: string): boolean => traceparentFormat.test(text)
