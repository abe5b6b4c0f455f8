// Tenants and applications for the console.

import { invalid } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'

/** Lists one tenant, or all tenants by name if `tenantId` is null. */
export const listTenantNames = (db: Run, tenantId: string | null) => db<{ tenantId: string; name: string }>`
  select tenant_id, name from tenant where ${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid order by name, tenant_id`

/** Lists a tenant's applications, oldest first. */
export const applicationsOf = (db: Run, tenantId: string) =>
  db<{
    applicationId: string
    name: string
    origins: string[]
  }>`select application_id, name, origins from application where tenant_id = ${tenantId} order by created_at, application_id`

/** Throws `invalid` at `applicationId` if the tenant has no such application. */
export async function requireApplication(db: Run, tenantId: string, applicationId: string): Promise<void> {
  const applications = await applicationsOf(db, tenantId)
  if (!applications.some((each) => each.applicationId === applicationId))
    throw invalid({ path: 'applicationId', message: 'is not an application of this tenant' })
}

export const listAllApplications = (db: Run) =>
  db<{ tenantId: string; applicationId: string }>`select tenant_id, application_id from application`
