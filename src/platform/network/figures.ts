// Figures of the network module: what was called and received, and how long news waits to be applied.
import { counter, gauge } from '#kit/runtime/metrics.ts'

export const calls = counter('network_calls_total', 'Requests sent to the network by how they were taken', [
  'action',
  'outcome',
])
export const forms = counter('network_forms_total', "Lenders' forms handed in, by how they were taken", [
  'purpose',
  'outcome',
])
export const callbacks = counter('network_callbacks_total', 'Callbacks received, by how they were taken', [
  'action',
  'outcome',
])
export const oldestInbound = gauge(
  'network_oldest_happening_seconds',
  'Age of the oldest inbound message that is not applied yet',
)
