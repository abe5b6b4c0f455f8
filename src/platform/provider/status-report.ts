// A provider's report on a borrower in the exchange's terms, and the rule for accepting it as news (D3 §2.3, §6 event
// rules 1 and 2).
import { leadsTo, type Table } from '#kit/runtime/machine.ts'
import { isKeyOf } from '#kit/runtime/record.ts'

/** A file that the provider keeps for us, of a type that the partner asks for (D3 §4.3). */
export interface ProviderDocument<Type extends string = string> {
  fileId: string
  type: Type
  contentType: string
  sizeBytes: number
  sha256: string
}

/** What every report has. `verified` is true only for the provider's own confirmation; a redirect never sets it. */
export interface StatusReport<Status extends string> {
  /** The provider's name, as the exchange tells it. */
  provider: string
  /** The provider's name of the request. */
  reference: string
  status: Status
  verified: boolean
  /** Null where the provider tells no time that puts its answers in order. */
  providerUpdatedAt: Date | null
  /** The provider's own code, never invented; null for success and while pending. */
  reasonCode: string | null
}

/** A report with its time: by the provider's clock, or ours when the provider gives none. */
export type DatedReport<Report> = Report & { providerUpdatedAt: Date }

/** The content of a signed callback; polling gives the same report without an event id. */
export interface SignedReport<S> {
  /** The provider's name of the event; null where it gives events none. */
  providerEventId: string | null
  report: S
}

type StoredStatus = { status: string; providerUpdatedAt: Date }
type ReportedStatus<Status> = { status: Status; providerUpdatedAt: Date | null }

/**
 * Whether a report replaces the current one. Callbacks come late, twice and out of order: a report must be later, and
 * the table must lead to it, so that an old one never overwrites an ending. The same status with a later
 * `providerUpdatedAt` is news, because files may have come with it. For a provider without times only the table
 * decides.
 */
export function isNews<Status extends string>(
  machine: Table<Status, Status>,
  held: StoredStatus | null,
  report: ReportedStatus<Status>,
): boolean {
  if (held === null) return true
  const leads = isKeyOf(machine, held.status) && leadsTo(machine, held.status, report.status)
  if (report.providerUpdatedAt === null) return leads
  if (report.providerUpdatedAt.getTime() <= held.providerUpdatedAt.getTime()) return false
  return report.status === held.status || leads
}
