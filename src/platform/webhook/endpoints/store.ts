// Table webhook_endpoint as integrators manage it: added, listed, removed, its secret replaced.
import { oneRow, type Run, type Tx } from '#kit/db/sql.ts'
import type { Endpoint } from '#platform/webhook/endpoint.ts'
import type { Owner } from '#platform/webhook/store.ts'

export type NewEndpointRow = Omit<Endpoint, 'disabledAt' | 'disabledBecause'> & { secretSealed: Buffer }

export async function insertEndpoint(tx: Run, row: NewEndpointRow): Promise<void> {
  await tx`insert into webhook_endpoint ${tx({ ...row })}`
}

/** Oldest first. */
export const listEndpoints = (db: Run, { tenantId, applicationId }: Owner, after: string | null, limit: number) =>
  db<Endpoint>`
    select tenant_id, application_id, endpoint_id, url, statuses, created_at, disabled_at, disabled_because
    from webhook_endpoint
    where tenant_id = ${tenantId} and application_id = ${applicationId}
      and (${after}::uuid is null or endpoint_id > ${after}::uuid)
    order by endpoint_id limit ${limit}`

export async function deleteEndpoint(
  tx: Run,
  { tenantId, applicationId }: Owner,
  endpointId: string,
): Promise<boolean> {
  const rows = await tx`
    delete from webhook_endpoint
    where tenant_id = ${tenantId} and application_id = ${applicationId} and endpoint_id = ${endpointId} returning 1`
  return rows.length > 0
}

interface NextSecret {
  endpointId: string
  secretSealed: Buffer
  oldSecretUntil: Date
}

/** The secret in use becomes the old one. */
export async function replaceSecret(
  tx: Run,
  { tenantId, applicationId }: Owner,
  { endpointId, secretSealed, oldSecretUntil }: NextSecret,
): Promise<boolean> {
  const rows = await tx`
    update webhook_endpoint
    set secret_sealed = ${secretSealed}, old_secret_sealed = secret_sealed, old_secret_until = ${oldSecretUntil}
    where tenant_id = ${tenantId} and application_id = ${applicationId} and endpoint_id = ${endpointId} returning 1`
  return rows.length > 0
}

/** Whoever adds endpoints to an application takes turns: what is counted is still so when another one is added. */
export async function countEndpointsLocked(tx: Tx, { tenantId, applicationId }: Owner): Promise<number> {
  await tx`
    select 1 from application where tenant_id = ${tenantId} and application_id = ${applicationId} for no key update`
  const counted = await tx<{ count: number }>`
    select count(*)::integer as count from webhook_endpoint
    where tenant_id = ${tenantId} and application_id = ${applicationId}`
  return oneRow(counted).count
}
