// Rules for outages of webhook endpoints: when one begins by the tenant's thresholds, and when it ends.
import { secondsAfter } from '#kit/runtime/clock.ts'

export interface AlertSettings {
  isOn: boolean
  /** Failed attempts since the last success. */
  failures: number
  /** Minutes that an attempted update may stay pending. */
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

/** What the check reads about an endpoint. */
export interface EndpointFigures {
  isDisabled: boolean
  /** Failed attempts since the last success. */
  failures: number
  /** Creation time of the oldest attempted update that is pending; null without one. */
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

/** Returns why the endpoint counts as failing; null when it does not. */
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

/** An outage is over when no threshold is exceeded and a delivery has succeeded since it began. */
export const isOver = (
  { beganAt }: Pick<OutageRow, 'beganAt'>,
  why: AlertCause | null,
  { lastSuccessAt }: EndpointFigures,
): boolean => why === null && lastSuccessAt !== null && lastSuccessAt > beganAt
