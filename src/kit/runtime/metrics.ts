// Prometheus figures of one program; labels are routes, queues and outcomes, never identifiers.
import { setTimeout as sleep } from 'node:timers/promises'
import type * as prom from 'prom-client'
import { cacheBytes } from './cache.ts'
import { load } from './load.ts'

// Its index also loads OpenTelemetry, which is more than all of this, for the figures of the process alone.
const Registry: typeof prom.Registry = load('prom-client/lib/registry')
const Counter: typeof prom.Counter = load('prom-client/lib/counter')
const Gauge: typeof prom.Gauge = load('prom-client/lib/gauge')
const Histogram: typeof prom.Histogram = load('prom-client/lib/histogram')

const registry = new Registry()

/**
 * A counter. One with labels has no figure before it is counted, and what Prometheus has never seen does not increase: an
 * alert's outcome is counted by 0 where the counter is made.
 */
export const counter = (name: string, help: string, labelNames: string[] = []): prom.Counter =>
  new Counter({ name, help, labelNames, registers: [registry] })

export const gauge = (name: string, help: string, labelNames: string[] = []): prom.Gauge =>
  new Gauge({ name, help, labelNames, registers: [registry] })

export const histogram = (name: string, help: string, labelNames: string[], buckets: number[]): prom.Histogram =>
  new Histogram({ name, help, labelNames, buckets, registers: [registry] })

new Gauge({
  name: 'cache_bytes',
  help: 'Bytes that this process keeps in its caches',
  labelNames: ['cache'],
  registers: [registry],
  collect() {
    for (const [cache, bytes] of cacheBytes()) this.set({ cache }, bytes)
  },
})

const lagMs = 10
let ofProcess: Promise<void> | undefined

/** Metrics of the process itself, collected from the first request for metrics on. */
async function addFiguresOfProcess(): Promise<void> {
  const { collectDefaultMetrics } = await import('prom-client')
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagMs })
  // Until its first measurement, the event-loop lag reads as centuries.
  await sleep(3 * lagMs)
}

/** The exposition text and its content type. */
export async function exposition(): Promise<{ contentType: string; text: string }> {
  ofProcess ??= addFiguresOfProcess()
  await ofProcess
  return { contentType: registry.contentType, text: await registry.metrics() }
}
