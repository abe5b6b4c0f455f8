// Schemas of the console API: the monthly complaint report.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Count, Instant, Month, Text } from '#wire/basic-schemas.ts'
import { complaintCategories } from './complaint-lists.ts'
import { OfTenant } from './staff.ts'

const Category = OneOf(complaintCategories)

export const ReportQuery = Closed({
  ...OfTenant.properties,
  month: Type.Optional(Month),
})
const ReportLine = Closed({
  category: orNull(Category),
  /** Carried over: pending when the month began. */
  brought: Count,
  received: Count,
  resolved: Count,
  /** How many of the resolved complaints were upheld. */
  upheld: Count,
  /** How many were resolved within thirty days. */
  inTime: Count,
  reopened: Count,
  escalated: Count,
  /** At the end of the month, or now: the total, then the counts by `ageBands`. */
  pending: Count,
  ages: Type.Array(Count),
  /** From arrival to resolution. */
  averageDays: orNull(Type.Number()),
})
export type ReportLine = Static<typeof ReportLine>
export const ComplaintReport = Closed({
  month: Text,
  until: Instant,
  isComplete: Type.Boolean(),
  lines: Type.Array(ReportLine),
  total: ReportLine,
})
export type ComplaintReport = Static<typeof ComplaintReport>
