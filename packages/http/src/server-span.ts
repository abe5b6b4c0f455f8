// The span of a request to the server.

import { isTraceparent, startSpan } from '@lendloom/foundation/trace'
import type { FastifyRequest } from 'fastify'
import type { Arrival } from './route.ts'

/** Monitoring polls these paths every few seconds, so they have neither log lines nor spans. */
export const monitoringPaths = new Set(['/healthz', '/readyz', '/metrics'])

export function startServerSpan({ arrival, headers, method, routeOptions }: FastifyRequest): void {
  const caller =
    typeof headers.traceparent === 'string' && isTraceparent(headers.traceparent) ? headers.traceparent : undefined
  const route = routeOptions.url ?? 'unknown'
  const attributes = { 'http.request.method': method, 'http.route': route, 'lendloom.request_id': arrival.requestId }
  const span = monitoringPaths.has(route)
    ? null
    : startSpan({ name: `${method} ${route}`, kind: 'server', attributes }, caller)
  if (span) arrival.span = span
  const traceparent = span?.traceparent ?? caller
  if (traceparent !== undefined) arrival.traceparent = traceparent
}

export function endServerSpan({ span }: Arrival, status: number): void {
  span?.set({ 'http.response.status_code': status })
  if (status >= 500) span?.fail(String(status))
  span?.end()
}
