// Prometheus metrics of one program; labels are routes, queues and outcomes, never identifiers.
import { setTimeout as sleep } from 'node:timers/promises'
import type * as prom from 'prom-client'
import { cacheBytes } from './cache.ts'
import { load } from './load-package.ts'
import { isTracing, trace } from './trace.ts'

// The index of prom-client also loads OpenTelemetry, which is large and needed only for metrics of the process.
const Registry: typeof prom.Registry = load('prom-client/lib/registry')
const Counter: typeof prom.Counter = load('prom-client/lib/counter')
const Gauge: typeof prom.Gauge = load('prom-client/lib/gauge')
const Histogram: typeof prom.Histogram = load('prom-client/lib/histogram')

/** Exemplars need OpenMetrics. The tracer is installed before the modules of a program load. */
const hasExemplars = isTracing()
const registry = new Registry<prom.RegistryContentType>()
if (hasExemplars) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)

/**
 * Prometheus does not see the first increment of a counter with labels as an increase. Callers therefore increment by 0
 * at the start for outcomes that alerts use.
 */
export const counter = (name: string, help: string, labelNames: string[] = []): prom.Counter =>
  new Counter({ name, help, labelNames, registers: [registry] })

/** A value that goes up and down, such as an age or a count of what waits. */
export const gauge = (name: string, help: string, labelNames: string[] = []): prom.Gauge =>
  new Gauge({ name, help, labelNames, registers: [registry] })

export interface LatencyHistogram {
  /** Adds a sampled trace as an exemplar: that of the current work, or of `traceparent`. */
  observe(labels: Record<string, string | number>, value: number, traceparent?: string): void
}

/** Counts durations by buckets; `buckets` are upper bounds in the unit that the name states. */
export function histogram(name: string, help: string, labelNames: string[], buckets: number[]): LatencyHistogram {
  const enableExemplars = hasExemplars
  const latency = new Histogram({ name, help, labelNames, buckets, enableExemplars, registers: [registry] })
  return {
    observe(labels, value, traceparent = trace()?.traceparent) {
      if (!hasExemplars) return latency.observe(labels, value)
      const [, trace_id = '', , flags] = traceparent?.split('-') ?? []
      latency.observe({ labels, value, exemplarLabels: flags === '01' ? { trace_id } : {} })
    },
  }
}

new Gauge({
  name: 'cache_bytes',
  help: 'Bytes that this process keeps in its caches',
  labelNames: ['cache'],
  registers: [registry],
  collect() {
    for (const [cache, bytes] of cacheBytes()) this.set({ cache }, bytes)
  },
})

/** The resolution at which the delay of the event loop is measured. */
const lagResolutionMs = 10
let processMetrics: Promise<void> | undefined

/** Adds the metrics of the process; called at the first request for metrics. */
async function addProcessMetrics(): Promise<void> {
  const { collectDefaultMetrics } = await import('prom-client')
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagResolutionMs })
  // Before the first measurement, the reported event-loop lag is centuries.
  await sleep(3 * lagResolutionMs)
}

/** All metrics as Prometheus reads them. */
export async function exposition(): Promise<{ contentType: string; text: string }> {
  processMetrics ??= addProcessMetrics()
  await processMetrics
  return { contentType: registry.contentType, text: await registry.metrics() }
}
