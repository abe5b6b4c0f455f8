// Tenant column and links of lists across all tenants.
import { to, toOf } from '../router.ts'
import { me, tenantId } from '../session.ts'
import type { Column } from './list.tsx'

interface TenantRow {
  tenantId: string
}

/** Adds the tenant column to a list of all tenants, after the column with the link. */
export const withTenant = <T extends TenantRow>(columns: Column<T>[]): Column<T>[] =>
  tenantId.value === ''
    ? columns.toSpliced(1, 0, {
        head: 'Tenant',
        isMinor: true,
        isSelfEvident: true,
        cell: (row) => <span class="tenant-name">{tenantName(row)}</span>,
      })
    : columns

export const tenantName = ({ tenantId: id }: TenantRow): string =>
  me.value?.tenants.find((each) => each.tenantId === id)?.name ?? id

/** A row's link, which selects its tenant. */
export const toRow = ({ tenantId: id }: TenantRow, ...parts: string[]): string =>
  tenantId.value === '' ? toOf(id, ...parts) : to(...parts)
