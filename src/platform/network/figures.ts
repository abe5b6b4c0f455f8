// Metrics of the network module: requests, forms and callbacks by outcome, and the oldest message to apply.
import { counter, gauge } from '#kit/runtime/metrics.ts'

export const calls = counter('network_calls_total', 'Requests sent to the network, by outcome', ['action', 'outcome'])
export const forms = counter('network_forms_total', "Lenders' forms submitted, by outcome", ['purpose', 'outcome'])
export const callbacks = counter('network_callbacks_total', 'Callbacks received, by outcome', ['action', 'outcome'])
export const oldestInbound = gauge(
  'network_oldest_happening_seconds',
  'Age of the oldest inbound message that is not applied yet',
)
