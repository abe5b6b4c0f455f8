// When a webhook endpoint counts as failing, by its tenant's thresholds, and when it works again.
import { secondsAfter } from '#kit/runtime/clock.ts'

export interface AlertSettings {
  isOn: boolean
  /** Tries that failed since the last success. */
  failures: number
  /** How long an update that was tried may wait, in minutes. */
  waitingMinutes: number
  /** Recipients of alert mails; null for the admins and developers of the tenant. */
  emails: string[] | null
  /** Endpoints that receive a signed event; an endpoint is not notified of its own outage. */
  endpointIds: string[]
}

export const usualSettings: AlertSettings = {
  isOn: true,
  failures: 10,
  waitingMinutes: 15,
  emails: null,
  endpointIds: [],
}

export type AlertCause = 'FAILURES' | 'WAITING' | 'DISABLED'

/** The check's data on an endpoint. */
export interface Figures {
  isDisabled: boolean
  /** Tries that failed since the last success. */
  failures: number
  /** Since when the oldest tried update waits; null without one. */
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

/** Why an endpoint counts as failing; null when it does not. */
export function whyFailing({ failures, waitingMinutes }: AlertSettings, seen: Figures, at: Date): AlertCause | null {
  if (seen.isDisabled) return 'DISABLED'
  if (seen.failures >= failures) return 'FAILURES'
  if (seen.waitingSince !== null && seen.waitingSince <= secondsAfter(at, -60 * waitingMinutes)) return 'WAITING'
  return null
}

/** An outage is over when nothing is wrong any more and something has arrived since it began. */
export const isOver = (
  { beganAt }: Pick<OutageRow, 'beganAt'>,
  why: AlertCause | null,
  { lastSuccessAt }: Figures,
): boolean => why === null && lastSuccessAt !== null && lastSuccessAt > beganAt
