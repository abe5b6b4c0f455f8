// The list of journeys as CSV, with the same masked personal data as on the page.

import { type CsvColumn, csvPages } from '@lendloom/documents/csv'
import type { ListedJourney } from '@lendloom/wire/console/journeys'

/** The file, page by page; `readAfter` gets the last journey of the page before, or null. */
export const journeysCsv = (
  readAfter: (last: ListedJourney | null) => Promise<ListedJourney[]>,
  tenantNames: Map<string, string>,
): AsyncGenerator<string> => csvPages(columnsFor(tenantNames), readAfter)

const columnsFor = (tenantNames: Map<string, string>): CsvColumn<ListedJourney>[] => [
  { head: 'journey_id', of: (journey) => journey.journeyId },
  { head: 'tenant', of: ({ tenantId }) => tenantNames.get(tenantId) ?? tenantId },
  { head: 'application_id', of: (journey) => journey.applicationId },
  { head: 'product', of: (journey) => journey.product },
  { head: 'status', of: (journey) => journey.status },
  { head: 'active', of: (journey) => journey.active },
  { head: 'borrower_id', of: (journey) => borrowerIn(journey)?.providerId },
  { head: 'name', of: (journey) => borrowerIn(journey)?.name },
  { head: 'mobile', of: (journey) => borrowerIn(journey)?.mobile },
  { head: 'lender', of: (journey) => journey.lender?.name },
  { head: 'amount', of: (journey) => journey.amount },
  { head: 'waits_for', of: (journey) => journey.waitsFor?.what },
  { head: 'waits_for_party', of: (journey) => journey.waitsFor?.whose },
  { head: 'waits_since', of: (journey) => journey.waitsFor?.since },
  { head: 'waits_until', of: (journey) => journey.waitsFor?.until },
  { head: 'expired_at', of: (journey) => journey.expired?.at },
  { head: 'expired_because', of: (journey) => journey.expired?.because },
  { head: 'created_at', of: (journey) => journey.createdAt },
  { head: 'updated_at', of: (journey) => journey.updatedAt },
]

/** Null after the erasure of the borrower. */
const borrowerIn = ({ erasedAt, borrower }: ListedJourney): ListedJourney['borrower'] | null =>
  erasedAt ? null : borrower
