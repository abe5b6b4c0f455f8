// What a provider says of a borrower, in the words of the exchange, and when news is news (D3 §2.3, §6 event rules 1 and 2).
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

/** A report of which it is known when it was so: by the provider's clock, or by ours where the provider tells no time. */
export type DatedReport<Report> = Report & { providerUpdatedAt: Date }

/** What a signed callback told; polling gives the same report without an event of its own. */
export interface SignedReport<S> {
  /** The provider's name of the event; null where it gives events none. */
  providerEventId: string | null
  report: S
}

type StoredStatus = { status: string; providerUpdatedAt: Date }
type ReportedStatus<Status> = { status: Status; providerUpdatedAt: Date | null }

/**
 * Whether a report replaces the one that is held. Callbacks come late, twice and out of order: only a later word counts, and
 * only one that the table leads to, so that nothing older overwrites an ending. The same status told later is news when
 * `providerUpdatedAt` has grown: files may have come with it. Of a provider that tells no times only the table decides.
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
