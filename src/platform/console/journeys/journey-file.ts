// The list of journeys as CSV, with the same masked personal data as on the page.
import type { ListedJourney } from '#contract/console/journeys.ts'
import { csvOf } from '#kit/files/csv.ts'

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

export const journeysCsv = (journeys: ListedJourney[], tenantNames: Map<string, string>): string =>
  csvOf(
    columnNames,
    journeys.map(({ borrower, waitsFor, expired, erasedAt, ...journey }) => [
      ...[journey.journeyId, tenantNames.get(journey.tenantId) ?? journey.tenantId, journey.applicationId],
      ...[journey.product, journey.status, journey.active],
      ...(erasedAt ? ['', '', ''] : [borrower.providerId, borrower.name, borrower.mobile]),
      ...[journey.lender?.name, waitsFor?.what, waitsFor?.whose, waitsFor?.until, expired?.at, expired?.because],
      ...[journey.createdAt, journey.updatedAt],
    ]),
  )
