// Tables tenant and application.

import type { Run, Tx } from '@lendloom/postgres/sql'

export async function insertTenant(tx: Tx, tenantId: string, name: string, at: Date): Promise<void> {
  await tx`insert into tenant ${tx({ tenantId, name, createdAt: at })}`
}

export interface ApplicationRow {
  tenantId: string
  applicationId: string
  name: string
  origins: string[]
  products: string[]
}

/** Inserts an application; the column default enables all products. */
export async function insertApplication(tx: Tx, row: Omit<ApplicationRow, 'products'>, at: Date): Promise<void> {
  await tx`insert into application ${tx({ ...row, createdAt: at })}`
}

export async function setOrigins(
  db: Run,
  tenantId: string,
  applicationId: string,
  origins: string[],
): Promise<boolean> {
  const rows = await db`
    update application set origins = ${origins} where tenant_id = ${tenantId} and application_id = ${applicationId} returning 1`
  return rows.length > 0
}

export async function setProducts(
  db: Run,
  tenantId: string,
  applicationId: string,
  products: string[],
): Promise<boolean> {
  const rows = await db`
    update application set products = ${products} where tenant_id = ${tenantId} and application_id = ${applicationId} returning 1`
  return rows.length > 0
}

export async function findApplication(
  db: Run,
  tenantId: string,
  applicationId: string,
): Promise<ApplicationRow | undefined> {
  const [row] = await db<ApplicationRow>`
    select tenant_id, application_id, name, origins, products from application
    where tenant_id = ${tenantId} and application_id = ${applicationId}`
  return row
}

export const listTenants = (db: Run) => db<{
  tenantId: string
  name: string
  createdAt: Date
  applications: { applicationId: string; name: string; origins: string[] }[]
}>`
  select t.tenant_id, t.name, t.created_at, coalesce(json_agg(json_build_object('applicationId', a.application_id, 'name', a.name, 'origins', a.origins) order by a.created_at) filter (where a.application_id is not null), '[]') as applications
  from tenant t left join application a using (tenant_id) group by t.tenant_id, t.name, t.created_at order by t.created_at`
