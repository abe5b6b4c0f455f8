// What the area for developers reads.
import type { Run } from '#kit/db/sql.ts'

export const listApplications = (db: Run, tenantId: string) =>
  db<{
    applicationId: string
    name: string
    origins: string[]
  }>`select application_id, name, origins from application where tenant_id = ${tenantId} order by created_at, application_id`
