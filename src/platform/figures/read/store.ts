// Reads sums of figures by ranges of the key, so that the cost does not depend on the size of the table.
import type { ChartStep } from '#contract/console/lists.ts'
import { type Fragment, type Run, sql } from '#kit/db/sql.ts'
import type { FigureName } from '#platform/figures/figure.ts'
import type { Piece } from './window.ts'

/** The owner and kind of the figures. */
export interface Scope {
  /** Null for all tenants. */
  tenantId: string | null
  applicationId: string | null
  product: string | null
}

/**
 * The rows of some figures in pieces of time, as `f`: one range of the key for each. `offset 0` keeps PostgreSQL from
 * joining
 * the whole table, however few ranges it thinks there are.
 */
const rowsOf = (
  { tenantId, applicationId, product }: Scope,
  names: readonly FigureName[],
  pieces: Piece[],
): Fragment => sql`
  tenant t cross join unnest(${[...names]}::text[]) as wanted (name)
  cross join unnest(${pieces.map(({ grain }) => grain)}::text[], ${pieces.map(({ from }) => from)}::timestamptz[],
    ${pieces.map(({ until }) => until)}::timestamptz[]) as piece (grain, begins, ends)
  cross join lateral (
    select tenant_id, name, begins_at, application_id, product, subject, action, outcome, count from figure x
    where x.tenant_id = t.tenant_id and x.name = wanted.name and x.grain = piece.grain
      and x.begins_at >= piece.begins and x.begins_at < piece.ends
      and (${applicationId}::uuid is null or x.application_id = ${applicationId}::uuid)
      and (${product}::text is null or x.product = ${product}::text) offset 0) as f
  where (${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid)`

/** Indian hours and days start at UTC half hours. */
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

export const bySteps = (
  db: Run,
  scope: Scope,
  names: readonly FigureName[],
  { step, pieces }: { step: ChartStep; pieces: Piece[] },
) =>
  db<StepCount>`
    select f.name, ${stepOf[step]} as step_at, f.outcome, sum(f.count)::float8 as count
    from ${rowsOf(scope, names, pieces)} group by 1, 2, 3`

export const byOutcome = (db: Run, scope: Scope, names: readonly FigureName[], pieces: Piece[]) =>
  db<Omit<StepCount, 'stepAt'>>`
    select f.name, f.outcome, sum(f.count)::float8 as count from ${rowsOf(scope, names, pieces)} group by 1, 2`

export interface SubjectCount {
  tenantId: string
  subject: string
  action: string
  outcome: string
  count: number
}

export const bySubject = (db: Run, scope: Scope, name: FigureName, pieces: Piece[]) => db<SubjectCount>`
  select f.tenant_id, f.subject, f.action, f.outcome, sum(f.count)::float8 as count
  from ${rowsOf(scope, [name], pieces)} group by 1, 2, 3, 4`

export interface ExportRow extends Omit<SubjectCount, 'tenantId'> {
  stepAt: Date
  tenantId: string
  applicationId: string
  product: string
}

/** All distinguishing columns, for a CSV file. */
export const inFull = (
  db: Run,
  scope: Scope,
  name: FigureName,
  { step, pieces }: { step: ChartStep; pieces: Piece[] },
) =>
  db<ExportRow>`
    select ${stepOf[step]} as step_at, f.tenant_id, f.application_id, f.product, f.subject, f.action, f.outcome,
      sum(f.count)::float8 as count
    from ${rowsOf(scope, [name], pieces)} group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`

/** Lender names by id and network address; the newest when tenants differ. */
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
