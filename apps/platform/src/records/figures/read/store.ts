// Reads sums of figures. The queries read key ranges, so that their cost does not grow with the table.

import { rowsAs, text, timestamptz } from '@lendloom/postgres/rows'
import { type Fragment, type Run, sql } from '@lendloom/postgres/sql'
import type { ChartStep } from '@lendloom/wire/console/lists'
import type { FigureName } from '#platform/records/figures/figure.ts'
import type { TimeSlice } from './window.ts'

/** Filters figures. A field that is null does not filter. */
export interface Scope {
  tenantId: string | null
  applicationId: string | null
  product: string | null
}

/**
 * Selects the figures of several time slices, as `f`. `offset 0` makes PostgreSQL read one key range per slice instead of
 * joining the whole table.
 */
const rowsOf = (
  { tenantId, applicationId, product }: Scope,
  names: readonly FigureName[],
  slices: TimeSlice[],
): Fragment => sql`
  tenant t cross join unnest(${[...names]}::text[]) as requested (name)
  cross join ${rowsAs(sql`slice`, slices, {
    grain: text(({ grain }) => grain),
    begins: timestamptz(({ from }) => from),
    ends: timestamptz(({ until }) => until),
  })}
  cross join lateral (
    select tenant_id, name, begins_at, application_id, product, subject, action, outcome, count from figure x
    where x.tenant_id = t.tenant_id and x.name = requested.name and x.grain = slice.grain
      and x.begins_at >= slice.begins and x.begins_at < slice.ends
      and (${applicationId}::uuid is null or x.application_id = ${applicationId}::uuid)
      and (${product}::text is null or x.product = ${product}::text) offset 0) as f
  where (${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid)`

/** The start of the Indian hour or day of a figure. Indian time is 5:30 hours ahead of UTC. */
const stepOf: Record<ChartStep, Fragment> = {
  hour: sql`date_bin('1 hour'::interval, f.begins_at, '2000-01-01T00:30:00Z'::timestamptz)`,
  day: sql`date_bin('1 day'::interval, f.begins_at, '2000-01-01T18:30:00Z'::timestamptz)`,
}

export interface StepCount {
  name: FigureName
  stepAt: Date
  outcome: string
  count: number
}

export const sumBySteps = (
  db: Run,
  scope: Scope,
  names: readonly FigureName[],
  { step, slices }: { step: ChartStep; slices: TimeSlice[] },
) =>
  db<StepCount>`
    select f.name, ${stepOf[step]} as step_at, f.outcome, sum(f.count)::float8 as count
    from ${rowsOf(scope, names, slices)} group by 1, 2, 3`

export const sumByOutcome = (db: Run, scope: Scope, names: readonly FigureName[], slices: TimeSlice[]) =>
  db<Omit<StepCount, 'stepAt'>>`
    select f.name, f.outcome, sum(f.count)::float8 as count from ${rowsOf(scope, names, slices)} group by 1, 2`

export interface SubjectCount {
  tenantId: string
  subject: string
  action: string
  outcome: string
  count: number
}

export const sumBySubject = (db: Run, scope: Scope, name: FigureName, slices: TimeSlice[]) => db<SubjectCount>`
  select f.tenant_id, f.subject, f.action, f.outcome, sum(f.count)::float8 as count
  from ${rowsOf(scope, [name], slices)} group by 1, 2, 3, 4`

export interface ExportRow extends Omit<SubjectCount, 'tenantId'> {
  stepAt: Date
  tenantId: string
  applicationId: string
  product: string
}

/** Sums by all columns of the key, for the rows of a CSV file. */
export const sumByAllColumns = (
  db: Run,
  scope: Scope,
  name: FigureName,
  { step, slices }: { step: ChartStep; slices: TimeSlice[] },
) =>
  db<ExportRow>`
    select ${stepOf[step]} as step_at, f.tenant_id, f.application_id, f.product, f.subject, f.action, f.outcome,
      sum(f.count)::float8 as count
    from ${rowsOf(scope, [name], slices)} group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`

/** Lists the names and ids of lenders, oldest first, so that a map built from the list contains the newest names. */
export const lenderNames = (db: Run, { tenantId }: Scope) => db<{ lenderId: string; bppId: string; name: string }>`
  select lender_id, bpp_id, identity->>'name' as name from lender
  where (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid) order by updated_at`

export const applicationsOf = (db: Run, { tenantId }: Scope) => db<{
  applicationId: string
  tenantId: string
  name: string
}>`
  select application_id, tenant_id, name from application
  where (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid) order by tenant_id, created_at, application_id`

export async function hasJourneys(db: Run, { tenantId }: Scope): Promise<boolean> {
  const found = await db`
    select 1 from journey where (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid) limit 1`
  return found.length > 0
}
