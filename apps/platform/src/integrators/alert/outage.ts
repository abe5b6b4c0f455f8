// Decides when an outage of a webhook endpoint begins, by the tenant's thresholds, and when the outage ends.
import { secondsAfter } from '@lendloom/foundation/clock'

export interface AlertSettings {
  isOn: boolean
  /** Number of failed attempts since the last success at which an outage begins. */
  failures: number
  /** Minutes for which a failed update may stay pending before an outage begins. */
  waitingMinutes: number
  /** Recipients of alert mails; null for the admins and developers of the tenant. */
  emails: string[] | null
  /** Endpoints that receive a signed event; an endpoint is not notified of its own outage. */
  endpointIds: string[]
}

export const defaultAlertSettings: AlertSettings = {
  isOn: true,
  failures: 10,
  waitingMinutes: 15,
  emails: null,
  endpointIds: [],
}

export type AlertCause = 'FAILURES' | 'WAITING' | 'DISABLED'

/** Figures of an endpoint's deliveries, by which the check detects outages. */
export interface EndpointFigures {
  isDisabled: boolean
  /** Failed attempts since the last success. */
  failures: number
  /** Creation time of the oldest update that failed after the last success, or that success if later; null without one. */
  failingSince: Date | null
  /** Creation time of the oldest attempted update that is pending; null if there is none. */
  waitingSince: Date | null
  lastSuccessAt: Date | null
  lastAnswer: string | null
}

export interface OutageRow {
  outageId: string
  tenantId: string
  endpointId: string
  why: AlertCause
  failures: number
  waitingSince: Date | null
  lastAnswer: string | null
  beganAt: Date
  endedAt: Date | null
}

/** Returns why the endpoint is failing; null if it is not failing. */
export function whyFailing(
  { failures, waitingMinutes }: AlertSettings,
  endpoint: EndpointFigures,
  at: Date,
): AlertCause | null {
  if (endpoint.isDisabled) return 'DISABLED'
  if (endpoint.failures >= failures) return 'FAILURES'
  if (endpoint.waitingSince !== null && endpoint.waitingSince <= secondsAfter(at, -60 * waitingMinutes))
    return 'WAITING'
  return null
}

/** Whether the outage is over: no threshold is reached, and a delivery has succeeded since the outage began. */
export const isOutageOver = (
  { beganAt }: Pick<OutageRow, 'beganAt'>,
  why: AlertCause | null,
  { lastSuccessAt }: EndpointFigures,
): boolean => why === null && lastSuccessAt !== null && lastSuccessAt > beganAt
