// The list of journeys as CSV, with the same masked personal data as on the page.
import type { ListedJourney } from '#contract/console/journeys.ts'
import { csvPage } from '#kit/files/csv.ts'

const columnNames = [
  ...['journey_id', 'tenant', 'application_id', 'product', 'status', 'active', 'borrower_id', 'name', 'mobile'],
  ...[
    'lender',
    'waits_for',
    'waits_for_party',
    'waits_until',
    'expired_at',
    'expired_because',
    'created_at',
    'updated_at',
  ],
]

/** Yields the file in pages, so that a file of any length needs the memory of one page. */
export async function* journeysCsv(
  readAfter: (journeyId: string | null) => Promise<ListedJourney[]>,
  tenantNames: Map<string, string>,
): AsyncGenerator<string> {
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const journeys: ListedJourney[] = await readAfter(after)
    const rows = journeys.map((journey) => cellsOf(journey, tenantNames))
    yield csvPage(columnNames, rows, after === null)
    after = journeys.at(-1)?.journeyId
  }
}

const cellsOf = (
  { borrower, waitsFor, expired, erasedAt, ...journey }: ListedJourney,
  tenantNames: Map<string, string>,
): unknown[] => [
  ...[journey.journeyId, tenantNames.get(journey.tenantId) ?? journey.tenantId, journey.applicationId],
  ...[journey.product, journey.status, journey.active],
  ...(erasedAt ? ['', '', ''] : [borrower.providerId, borrower.name, borrower.mobile]),
  ...[journey.lender?.name, waitsFor?.what, waitsFor?.whose, waitsFor?.until, expired?.at, expired?.because],
  ...[journey.createdAt, journey.updatedAt],
]
