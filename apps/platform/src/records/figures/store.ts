// The tables figure, figure_turn and figure_progress: stores counts, and how far each history is counted.

import { bigint, rowsAs, text, timestamptz, uuid } from '@lendloom/postgres/rows'
import { type Fragment, oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'
import type { FigureName, FigureRow, History } from './figure.ts'
import type { Window } from './half-hours.ts'

/** Returns the next number for a count of a history. The numbers increase, so a worker notices a later count. */
export async function nextCountNumber(db: Run, history: History): Promise<number> {
  const rows = await db<{ turn: number }>`
    insert into figure_turn (tenant_id, history, turn) values (${noTenantId}, ${history}, 1)
    on conflict (tenant_id, history) do update set turn = figure_turn.turn + 1 returning turn::float8 as turn`
  return oneRow(rows).turn
}

/** Locks a tenant's figures for the transaction. Returns false if a count with a higher number has written them. */
export async function lockIfLatest(tx: Tx, tenantId: string, history: History, countNumber: number): Promise<boolean> {
  const locked = await tx`
    insert into figure_turn (tenant_id, history, turn) values (${tenantId}, ${history}, ${countNumber})
    on conflict (tenant_id, history) do update set turn = excluded.turn where figure_turn.turn <= excluded.turn returning 1`
  return locked.length > 0
}

const columns = sql`name, grain, begins_at, application_id, product, subject, action, outcome`
const isSameFigure = sql`(f.name, f.grain, f.begins_at, f.application_id, f.product, f.subject, f.action, f.outcome)
  = (n.name, n.grain, n.begins_at, n.application_id, n.product, n.subject, n.action, n.outcome)`

/** Replaces a tenant's figures in a window with the rows of the query `newRows`; writes only the differences. */
const replaceFigures = (
  tenantId: string,
  { names, grain, from, until }: Window & { names: FigureName[]; grain: string },
  newRows: Fragment,
): Fragment => sql`
  with n as materialized (${newRows}),
  deleted as (
    delete from figure f where f.tenant_id = ${tenantId} and f.name = any(${names}::text[]) and f.grain = ${grain}
      and f.begins_at >= ${from} and f.begins_at < ${until} and not exists (select from n where ${isSameFigure}))
  insert into figure (tenant_id, ${columns}, count)
  select ${tenantId}::uuid, ${columns}, count from n
  on conflict (tenant_id, ${columns}) do update set count = excluded.count where figure.count <> excluded.count`

/** Replaces a tenant's half hours in a window by newly counted rows. */
export async function storeHalfHours(
  tx: Tx,
  tenantId: string,
  window: Window & { names: FigureName[] },
  rows: FigureRow[],
): Promise<void> {
  const newRows = sql`
    select name, 'HALF_HOUR' as grain, begins_at, application_id, product, subject, action, outcome, count
    from ${rowsAs(sql`input`, rows, {
      name: text((row) => row.name),
      beginsAt: timestamptz((row) => row.beginsAt),
      applicationId: uuid((row) => row.applicationId),
      product: text((row) => row.product),
      subject: text((row) => row.subject),
      action: text((row) => row.action),
      outcome: text((row) => row.outcome),
      count: bigint((row) => row.count),
    })}`
  await tx`${replaceFigures(tenantId, { ...window, grain: 'HALF_HOUR' }, newRows)}`
}

/** Recomputes a day as the sum of its half hours. */
export async function sumDay(tx: Tx, tenantId: string, day: Window & { names: FigureName[] }): Promise<void> {
  const newRows = sql`
    select name, 'DAY' as grain, ${day.from}::timestamptz as begins_at, application_id, product, subject, action, outcome,
      sum(count)::bigint as count
    from figure where tenant_id = ${tenantId} and name = any(${day.names}::text[]) and grain = 'HALF_HOUR'
      and begins_at >= ${day.from} and begins_at < ${day.until}
    group by name, application_id, product, subject, action, outcome`
  await tx`${replaceFigures(tenantId, { ...day, grain: 'DAY' }, newRows)}`
}

/** Lists the half hours before an instant in which some rows had no final outcome when they were counted. */
export async function listPendingHalfHours(db: Run, names: FigureName[], before: Date): Promise<Date[]> {
  const rows = await db<{ beginsAt: Date }>`
    select distinct begins_at from figure
    where name = any(${names}::text[]) and grain = 'HALF_HOUR' and outcome = 'WAITING' and begins_at < ${before}`
  return rows.map(({ beginsAt }) => beginsAt)
}

export const listTenantIds = async (db: Run): Promise<string[]> =>
  (await db<{ tenantId: string }>`select tenant_id from tenant order by tenant_id`).map(({ tenantId }) => tenantId)

export interface CountProgress {
  history: History
  /** The time of the last pass. */
  seenUntil: Date
  /** The end of the final period that was recounted. */
  checkedUntil: Date
}

export const readProgress = (db: Run): Promise<CountProgress[]> => db<CountProgress>`
  select history, seen_until, checked_until from figure_progress where tenant_id = ${noTenantId} order by history`

export async function findProgress(db: Run, history: History): Promise<CountProgress | undefined> {
  const [row] = await db<CountProgress>`
    select history, seen_until, checked_until from figure_progress where tenant_id = ${noTenantId} and history = ${history}`
  return row
}

/** Stores the progress of a new history; does nothing if it is already stored. */
export async function insertProgress(db: Run, { history, seenUntil, checkedUntil }: CountProgress): Promise<void> {
  await db`
    insert into figure_progress (tenant_id, history, seen_until, checked_until)
    values (${noTenantId}, ${history}, ${seenUntil}, ${checkedUntil}) on conflict do nothing`
}

/** Advances `seenUntil`; never moves it back. */
export async function advanceSeenUntil(db: Run, history: History, until: Date): Promise<void> {
  await db`
    update figure_progress set seen_until = greatest(seen_until, ${until})
    where tenant_id = ${noTenantId} and history = ${history}`
}

/** Advances `checkedUntil` only if it equals `from`, so that a concurrent reset is not lost. */
export async function advanceCheckedUntil(db: Run, history: History, { from, until }: Window): Promise<void> {
  await db`
    update figure_progress set checked_until = ${until}
    where tenant_id = ${noTenantId} and history = ${history} and checked_until = ${from}`
}

/** Schedules a recount of all data since an instant. */
export async function scheduleRecount(db: Run, from: Date): Promise<void> {
  await db`update figure_progress set checked_until = ${from} where tenant_id = ${noTenantId} and checked_until > ${from}`
}
