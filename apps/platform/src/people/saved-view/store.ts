// Table staff_view: saved list filters.

import type { PersonKey } from '@lendloom/identity/sign-in-program'
import type { Run, Tx } from '@lendloom/postgres/sql'

export interface ViewRow extends PersonKey {
  viewId: string
  list: string
  name: string
  /** Canonical JSON. */
  filters: string
  isShared: boolean
  version: number
  changedAt: Date
}

/** Lists a person's own views and those that others share, of one list or of all. */
export const listViews = (db: Run, { tenantId, personId }: PersonKey, list: string | null) => db<ViewRow>`
  select tenant_id, view_id, person_id, list, name, filters, is_shared, version, changed_at from staff_view
  where tenant_id = ${tenantId} and (is_shared or person_id = ${personId})
    and (${list}::text is null or list = ${list}::text)
  order by list, lower(name), view_id`

/** Locks a view; undefined when it does not exist or is another person's private view. */
export async function lockView(
  tx: Tx,
  { tenantId, personId }: PersonKey,
  viewId: string,
): Promise<ViewRow | undefined> {
  const [row] = await tx<ViewRow>`
    select tenant_id, view_id, person_id, list, name, filters, is_shared, version, changed_at from staff_view
    where tenant_id = ${tenantId} and view_id = ${viewId} and (is_shared or person_id = ${personId}) for update`
  return row
}

/** Lower-case names of a person's other views of a list. */
export async function listOtherNames(
  tx: Tx,
  { tenantId, personId }: PersonKey,
  list: string,
  exceptViewId: string,
): Promise<string[]> {
  const rows = await tx<{ name: string }>`
    select lower(name) as name from staff_view
    where tenant_id = ${tenantId} and person_id = ${personId} and list = ${list} and view_id <> ${exceptViewId}`
  return rows.map(({ name }) => name)
}

export async function insertView(tx: Tx, row: ViewRow): Promise<void> {
  await tx`insert into staff_view ${tx({ ...row })}`
}

export async function writeView(tx: Tx, row: ViewRow): Promise<void> {
  const { tenantId, viewId, name, filters, isShared, version, changedAt } = row
  await tx`
    update staff_view
    set name = ${name}, filters = ${filters}, is_shared = ${isShared}, version = ${version}, changed_at = ${changedAt}
    where tenant_id = ${tenantId} and view_id = ${viewId}`
}

export async function deleteView(tx: Tx, { tenantId, viewId }: Pick<ViewRow, 'tenantId' | 'viewId'>): Promise<void> {
  await tx`delete from staff_view where tenant_id = ${tenantId} and view_id = ${viewId}`
}

/** Deletes a person's private views; shared ones stay for the colleagues. */
export async function deleteOwnViews(tx: Tx, { tenantId, personId }: PersonKey): Promise<void> {
  await tx`delete from staff_view where tenant_id = ${tenantId} and person_id = ${personId} and not is_shared`
}
