// A provider's report on the status of a request, and the rule whether it replaces an earlier report (D3 §2.3, §6
// event rules 1 and 2).
import { leadsTo, type Table } from '@lendloom/foundation/machine'
import { isKeyOf } from '@lendloom/foundation/record'

/** A file that the provider stores and the lending partner needs (D3 §4.3). */
export interface ProviderDocument<Type extends string = string> {
  fileId: string
  type: Type
  contentType: string
  sizeBytes: number
  sha256: string
}

export interface StatusReport<Status extends string> {
  /** The provider's name in the exchange. */
  provider: string
  /** The provider's reference of the request. */
  reference: string
  status: Status
  /** Whether the provider's server has confirmed the success. A redirect of the borrower confirms nothing. */
  verified: boolean
  /** When the status last changed at the provider; null when the provider reports no times. */
  providerUpdatedAt: Date | null
  /** The provider's code of a failure; null otherwise. */
  reasonCode: string | null
}

/** A report with a time: the provider's, or our time of receipt when the provider reports none. */
export type DatedReport<Report> = Report & { providerUpdatedAt: Date }

export interface SignedReport<Report> {
  /** The provider's id of the callback; null if callbacks have none. */
  providerEventId: string | null
  report: Report
}

type StoredStatus = { status: string; providerUpdatedAt: Date }
type ReportedStatus<Status> = { status: Status; providerUpdatedAt: Date | null }

/**
 * Whether a report replaces the current one. Callbacks may be late, duplicated or out of order. A report must therefore
 * have a later `providerUpdatedAt`, and the state machine must lead from the current status to the reported one. A later
 * report with the same status also replaces the current one, because it may list new files. If the provider reports no
 * times, only the state machine decides.
 */
export function isNewReport<Status extends string>(
  machine: Table<Status, Status>,
  current: StoredStatus | null,
  report: ReportedStatus<Status>,
): boolean {
  if (current === null) return true
  const isReachable = isKeyOf(machine, current.status) && leadsTo(machine, current.status, report.status)
  if (report.providerUpdatedAt === null) return isReachable
  if (report.providerUpdatedAt.getTime() <= current.providerUpdatedAt.getTime()) return false
  return report.status === current.status || isReachable
}
