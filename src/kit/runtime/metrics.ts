// Prometheus figures of one program; labels are routes, queues and outcomes, never identifiers.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { cacheBytes } from './cache.ts'

const registry = new Registry()
collectDefaultMetrics({ register: registry })

/**
 * A counter. One with labels has no figure before it is counted, and what Prometheus has never seen does not increase: an
 * alert's outcome is counted by 0 where the counter is made.
 */
export const counter = (name: string, help: string, labelNames: string[] = []): Counter =>
  new Counter({ name, help, labelNames, registers: [registry] })

export const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
  new Gauge({ name, help, labelNames, registers: [registry] })

export const histogram = (name: string, help: string, labelNames: string[], buckets: number[]): Histogram =>
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

/** The exposition text and its content type. */
export const exposition = async (): Promise<{ contentType: string; text: string }> => ({
  contentType: registry.contentType,
  text: await registry.metrics(),
})
