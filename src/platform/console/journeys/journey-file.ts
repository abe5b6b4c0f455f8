// The list of journeys as CSV, with the same masked personal data as on the page.
import type { ListedJourney } from '#contract/console/journeys.ts'
import { csvPages } from '#kit/files/csv.ts'

const columnNames = [
  'journey_id',
  'tenant',
  'application_id',
  'product',
  'status',
  'active',
  'borrower_id',
  'name',
  'mobile',

  'lender',
  'waits_for',
  'waits_for_party',
  'waits_until',
  'expired_at',
  'expired_because',
  'created_at',
  'updated_at',
]

/** The file, page by page; `readAfter` gets the last journey of the page before, or null. */
export const journeysCsv = (
  readAfter: (last: ListedJourney | null) => Promise<ListedJourney[]>,
  tenantNames: Map<string, string>,
): AsyncGenerator<string> => csvPages(columnNames, (journey) => cellsOf(journey, tenantNames), readAfter)

const cellsOf = (
  { borrower, waitsFor, expired, erasedAt, ...journey }: ListedJourney,
  tenantNames: Map<string, string>,
): unknown[] => [
  journey.journeyId,
  tenantNames.get(journey.tenantId) ?? journey.tenantId,
  journey.applicationId,
  journey.product,
  journey.status,
  journey.active,
  ...(erasedAt ? ['', '', ''] : [borrower.providerId, borrower.name, borrower.mobile]),
  journey.lender?.name,
  waitsFor?.what,
  waitsFor?.whose,
  waitsFor?.until,
  expired?.at,
  expired?.because,
  journey.createdAt,
  journey.updatedAt,
]
