// Metrics of the reports to the network's collector.
import { counter, gauge } from '@lendloom/foundation/metrics'

export const reportCounter = counter(
  'network_reports_total',
  "Attempts to report messages to the network's collector",
  ['outcome'],
)
export const reportGauge = gauge(
  'network_reports',
  'Messages in the journal of today and yesterday by the state of their reports',
  ['state'],
)
export const oldestReportSeconds = gauge(
  'network_report_oldest_seconds',
  'Age of the oldest message that waits to be reported',
)
export const unauthorizedReports = gauge(
  'network_reports_unauthorized',
  "Whether the network's collector refuses our token: 1 or 0",
)
