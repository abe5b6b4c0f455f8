// A provider's report on a borrower in the exchange's terms, and the rule for replacing an earlier one (D3 §2.3, §6
// event rules 1 and 2).
import { leadsTo, type Table } from '#kit/runtime/machine.ts'
import { isKeyOf } from '#kit/runtime/record.ts'

/** A file at the provider, of a type that the partner needs (D3 §4.3). */
export interface ProviderDocument<Type extends string = string> {
  fileId: string
  type: Type
  contentType: string
  sizeBytes: number
  sha256: string
}

/** The fields of every report. Only the provider's own confirmation sets `verified`, never a redirect. */
export interface StatusReport<Status extends string> {
  /** The provider's name in the exchange. */
  provider: string
  /** The provider's reference of the request. */
  reference: string
  status: Status
  verified: boolean
  /** Null when the provider sends no times. */
  providerUpdatedAt: Date | null
  /** The provider's own code; null for success and while pending. */
  reasonCode: string | null
}

/** A report with its time: the provider's, or ours when the provider sends none. */
export type DatedReport<Report> = Report & { providerUpdatedAt: Date }

/** The content of a signed callback. Polling returns the same report without an event id. */
export interface SignedReport<S> {
  /** The provider's event id; null if it has none. */
  providerEventId: string | null
  report: S
}

type StoredStatus = { status: string; providerUpdatedAt: Date }
type ReportedStatus<Status> = { status: Status; providerUpdatedAt: Date | null }

/**
 * Whether a report replaces the current one. Callbacks may be late, duplicated or out of order, so a report must be
 * later and the table must permit its status, so that an old report never overwrites a final status. The same status with a later
 * `providerUpdatedAt` replaces it, because it may have new files. For a provider without times only the table decides.
 */
export function isNewReport<Status extends string>(
  machine: Table<Status, Status>,
  current: StoredStatus | null,
  report: ReportedStatus<Status>,
): boolean {
  if (current === null) return true
  const leads = isKeyOf(machine, current.status) && leadsTo(machine, current.status, report.status)
  if (report.providerUpdatedAt === null) return leads
  if (report.providerUpdatedAt.getTime() <= current.providerUpdatedAt.getTime()) return false
  return report.status === current.status || leads
}
