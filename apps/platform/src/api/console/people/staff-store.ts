// The console's queries about people of several tenants.
import type { Run } from '@lendloom/postgres/sql'
import { platformTenant } from '#platform/people/person.ts'

export interface IdentityRow {
  tenantId: string
  personId: string
  identitySealed: Buffer
}

/** Finds people of the tenant and of the platform, because platform staff act for every tenant; includes removed people. */
export const listIdentities = (db: Run, tenantId: string, personIds: string[]) => db<IdentityRow>`
  select tenant_id, person_id, identity_sealed from person
  where tenant_id in (${tenantId}, ${platformTenant}) and person_id = any(${personIds}::uuid[])`
