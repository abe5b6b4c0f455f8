// Tenants and applications for the console.
import type { Run } from '#kit/db/sql.ts'

/** By name; of one tenant, or of all when null. */
export const listTenantNames = (db: Run, tenantId: string | null) => db<{ tenantId: string; name: string }>`
  select tenant_id, name from tenant where ${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid order by name, tenant_id`

/** Oldest first. */
export const applicationsOf = (db: Run, tenantId: string) =>
  db<{
    applicationId: string
    name: string
    origins: string[]
  }>`select application_id, name, origins from application where tenant_id = ${tenantId} order by created_at, application_id`

/** In any tenant. */
export const everyApplication = (db: Run) =>
  db<{ tenantId: string; applicationId: string }>`select tenant_id, application_id from application`
