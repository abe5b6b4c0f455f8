// The trace of the current request, which logs, jobs, events and outgoing calls include; and its spans, if a tracer runs.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Trace {
  correlationId?: string
  /** W3C Trace Context of the current span; without a tracer, of the caller. */
  traceparent?: string
}

/** The trace of a cause as jobs and events store it. */
export interface StoredTrace {
  correlationId: string | null
  traceparent: string | null
}

export type SpanAttributes = Record<string, string | number | boolean | undefined>

export interface SpanFacts {
  name: string
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal'
  attributes?: SpanAttributes
  isExpected?(error: unknown): boolean
}

export interface OpenSpan {
  traceparent: string
  set(attributes: SpanAttributes): void
  /** Does not record the message of an error, which may quote personal data. */
  fail(error: unknown): void
  end(): void
}

export interface Tracer {
  start(facts: SpanFacts, parent: string | undefined): OpenSpan
  flush(): Promise<void>
}

const storage = new AsyncLocalStorage<Trace | undefined>()
let tracer: Tracer | null = null

/** Sets the tracer of this process; without one, spans are not recorded. */
export const installTracer = (installed: Tracer): void => {
  tracer = installed
}

export const isTracing = (): boolean => tracer !== null

export const flushSpans = async (): Promise<void> => tracer?.flush()

/** The trace of the current request; undefined outside one. */
export const trace = (): Trace | undefined => storage.getStore()

export const storedTrace = (): StoredTrace => {
  const { correlationId = null, traceparent = null } = trace() ?? {}
  return { correlationId, traceparent }
}

export const runInTrace = <T>(current: Trace | undefined, work: () => T): T =>
  current ? storage.run(current, work) : work()

/** Runs work, such as a job, in a new span of the trace of the request that caused it. */
export const continueTrace = <T>(
  { correlationId, traceparent }: StoredTrace,
  facts: SpanFacts,
  work: () => Promise<T>,
): Promise<T> =>
  storage.run({ ...(correlationId !== null && { correlationId }), ...(traceparent !== null && { traceparent }) }, () =>
    inSpan(facts, work),
  )

export const startSpan = (facts: SpanFacts, parent = trace()?.traceparent): OpenSpan | null =>
  tracer?.start(facts, parent) ?? null

export async function inSpan<T>(facts: SpanFacts, work: (span: OpenSpan | null) => Promise<T>): Promise<T> {
  const span = startSpan(facts)
  if (span === null) return work(null)
  try {
    return await storage.run({ ...trace(), traceparent: span.traceparent }, () => work(span))
  } catch (error) {
    if (!facts.isExpected?.(error)) span.fail(error)
    throw error
  } finally {
    span.end()
  }
}

/** Whether spans of the current trace are recorded, by the flag at the end of its `traceparent`. */
export const isSampled = (): boolean => tracer !== null && trace()?.traceparent?.endsWith('1') === true

/** Returns a function that runs work in the current trace, even if another request calls it. */
export function bindTrace(): <T>(work: () => T) => T {
  const current = trace()
  return (work) => storage.run(current, work)
}

const visibleAscii = /^[\x21-\x7e]{1,128}$/
export const isCorrelationId = (text: string): boolean => visibleAscii.test(text)

/** Version ff and all-zero ids are invalid. */
const traceparentFormat = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
export const isTraceparent = (text: string): boolean => traceparentFormat.test(text)
