// Metrics of the network module.
import { counter, gauge } from '@lendloom/foundation/metrics'

export const requestCounter = counter('network_calls_total', 'Requests sent to the network, by outcome', [
  'action',
  'outcome',
])
export const formCounter = counter('network_forms_total', "Lenders' forms submitted, by outcome", [
  'purpose',
  'outcome',
])
export const oldestInboundSeconds = gauge(
  'network_oldest_inbound_seconds',
  'Age of the oldest inbound message that waits to be applied',
)
