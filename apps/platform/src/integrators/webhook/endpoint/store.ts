// Store of webhook_endpoint: URLs, subscribed statuses and sealed secrets, of endpoints and of listeners.

import { oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import type { LoanEventType } from '@lendloom/wire/hosted/loan-event'
import type { Owner } from '#platform/integrators/webhook/store.ts'
import type { SealedSecrets } from './endpoint-secret.ts'

export const endpointColumns = sql`tenant_id, application_id, endpoint_id, url, statuses, created_at, disabled_at, disabled_because,
  paused_at, listens_until, listener_person_id, listener_updates, feed_at, access_sealed, loan_events`

export type NewEndpointRow = Omit<EndpointRow, 'disabledAt' | 'disabledBecause' | 'pausedAt' | 'listenerUpdates'> & {
  secretSealed: Buffer
}

export async function insertEndpoint(tx: Run, row: NewEndpointRow): Promise<void> {
  await tx`insert into webhook_endpoint ${tx({ ...row })}`
}

/** Lists the application's endpoints without listeners, oldest first. */
export const listEndpoints = (db: Run, { tenantId, applicationId }: Owner, after: string | null, limit: number) =>
  db<EndpointRow>`
    select ${endpointColumns} from webhook_endpoint
    where tenant_id = ${tenantId} and application_id = ${applicationId} and listens_until is null
      and (${after}::uuid is null or endpoint_id > ${after}::uuid)
    order by endpoint_id limit ${limit}`

type DeletedEndpoint = Pick<EndpointRow, 'listenerPersonId' | 'listenerUpdates' | 'feedAt'> & { isListener: boolean }

/** Deletes an endpoint, or only a listener that has stopped by an instant; undefined if there is none. */
export async function deleteEndpoint(
  tx: Run,
  { tenantId, applicationId }: Owner,
  { endpointId, stoppedBy = null }: { endpointId: string; stoppedBy?: Date | null },
): Promise<DeletedEndpoint | undefined> {
  const [row] = await tx<DeletedEndpoint>`
    delete from webhook_endpoint
    where tenant_id = ${tenantId} and application_id = ${applicationId} and endpoint_id = ${endpointId}
      and (${stoppedBy}::timestamptz is null or listens_until <= ${stoppedBy}::timestamptz)
    returning listens_until is not null as is_listener, listener_person_id, listener_updates, feed_at`
  return row
}

interface DisabledEndpoint extends Pick<EndpointRow, 'tenantId' | 'endpointId'> {
  url: string | null
  why: string
  at: Date
}

/** Disables the endpoint unless its URL has changed since the call. */
export async function disableEndpoint(
  tx: Run,
  { tenantId, endpointId, url, why, at }: DisabledEndpoint,
): Promise<void> {
  await tx`
    update webhook_endpoint set disabled_at = ${at}, disabled_because = ${why}
    where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and url = ${url} and disabled_at is null`
}

interface NextSecret {
  endpointId: string
  secretSealed: Buffer
  oldSecretUntil: Date
}

/** Stores a new secret, and keeps the present one as the old one until an instant; false if there is no endpoint. */
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

/** Lists the secrets of all enabled endpoints of these applications, without listeners. They sign callbacks. */
export const secretsOfApplications = (db: Run, owners: Owner[]) => db<Owner & SealedSecrets>`
  select e.tenant_id, e.application_id, e.endpoint_id, e.secret_sealed, e.old_secret_sealed, e.old_secret_until
  from unnest(${owners.map((owner) => owner.tenantId)}::uuid[], ${owners.map((owner) => owner.applicationId)}::uuid[])
    as owner (tenant_id, application_id)
  join webhook_endpoint e on e.tenant_id = owner.tenant_id and e.application_id = owner.application_id
  where e.disabled_at is null and e.listens_until is null order by e.endpoint_id`

/** Locks an application against another change of its endpoints, until the transaction ends. */
export const lockApplication = (tx: Tx, { tenantId, applicationId }: Owner) => tx`
  select 1 from application where tenant_id = ${tenantId} and application_id = ${applicationId} for no key update`

/** Counts endpoints or listeners, and locks the application, so that the count is still valid at the insert. */
export async function countEndpointsLocked(
  tx: Tx,
  { tenantId, applicationId }: Owner,
  isListener: boolean,
): Promise<number> {
  await lockApplication(tx, { tenantId, applicationId })
  const rows = await tx<{ count: number }>`
    select count(*)::integer as count from webhook_endpoint
    where tenant_id = ${tenantId} and application_id = ${applicationId} and (listens_until is not null) = ${isListener}::boolean`
  return oneRow(rows).count
}

/** Finds an endpoint of any application of the tenant. */
export async function findEndpoint(db: Run, tenantId: string, endpointId: string): Promise<EndpointRow | undefined> {
  const [row] = await db<EndpointRow>`
    select ${endpointColumns}
    from webhook_endpoint where tenant_id = ${tenantId} and endpoint_id = ${endpointId}`
  return row
}

interface EndpointKey {
  tenantId: string
  endpointId: string
}

/** The sealed secrets; empty for an unknown endpoint. */
export const secretsOfEndpoint = (db: Run, { tenantId, endpointId }: EndpointKey): Promise<SealedSecrets[]> =>
  db<SealedSecrets>`
    select endpoint_id, secret_sealed, old_secret_sealed, old_secret_until from webhook_endpoint
    where tenant_id = ${tenantId} and endpoint_id = ${endpointId}`

/** Locks the endpoint until the transaction ends. */
export async function lockEndpoint(tx: Tx, { tenantId, endpointId }: EndpointKey): Promise<EndpointRow | undefined> {
  const [row] = await tx<EndpointRow>`
    select ${endpointColumns}
    from webhook_endpoint where tenant_id = ${tenantId} and endpoint_id = ${endpointId} for no key update`
  return row
}

/** Keeps a listener until an instant; false if it was removed. */
export async function prolongListener(db: Run, { tenantId, endpointId }: EndpointKey, until: Date): Promise<boolean> {
  const rows = await db`
    update webhook_endpoint set listens_until = ${until}
    where tenant_id = ${tenantId} and endpoint_id = ${endpointId} and listens_until is not null returning 1`
  return rows.length > 0
}

/** Counts updates that a listener pulled; false if it was removed. */
export async function countPulled(db: Run, { tenantId, endpointId }: EndpointKey, updates: number): Promise<boolean> {
  const rows = await db`
    update webhook_endpoint set listener_updates = listener_updates + ${updates}
    where tenant_id = ${tenantId} and endpoint_id = ${endpointId} returning 1`
  return rows.length > 0
}

/** Lists at most 200 listeners that have stopped, of one tenant or all. */
export const listStoppedListeners = (db: Run, tenantId: string | null, now: Date) => db<EndpointRow>`
  select ${endpointColumns} from webhook_endpoint
  where listens_until <= ${now} and (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)
  order by endpoint_id limit 200`

interface EndpointChange extends EndpointKey {
  url: string
  statuses: LifecycleStatus[] | null
  accessSealed: Buffer | null
  loanEvents: LoanEventType[] | null
}

/** Sets the URL, the statuses, the events of loans, and what its server demands. A new URL restarts the endpoint: what failed at the old one no longer counts. */
export async function updateEndpoint(
  tx: Tx,
  { tenantId, endpointId, url, statuses, accessSealed, loanEvents }: EndpointChange,
  at: Date,
): Promise<void> {
  await tx`
    update webhook_endpoint set url = ${url}, statuses = ${statuses}::text[], access_sealed = ${accessSealed},
      loan_events = ${loanEvents}::text[],
      restarted_at = case when url = ${url} then restarted_at else ${at}::timestamptz end
    where tenant_id = ${tenantId} and endpoint_id = ${endpointId}`
}

export const setPaused = (tx: Tx, { tenantId, endpointId }: EndpointKey, at: Date) => tx`
  update webhook_endpoint set paused_at = ${at} where tenant_id = ${tenantId} and endpoint_id = ${endpointId}`

/** Resumes a paused endpoint, or one that a 410 response disabled. */
export const setResumed = (tx: Tx, { tenantId, endpointId }: EndpointKey, at: Date) => tx`
  update webhook_endpoint set paused_at = null, disabled_at = null, disabled_because = null, restarted_at = ${at}
  where tenant_id = ${tenantId} and endpoint_id = ${endpointId}`

/** Maximum number of endpoints, and of listeners, per application, because each adds a delivery per update. */
export const maxEndpoints = 20

/** How long the old secret also signs after a rotation. */
export const oldSecretHours = 24

export interface EndpointRow {
  tenantId: string
  applicationId: string
  endpointId: string
  url: string
  /** Null for all statuses. */
  statuses: LifecycleStatus[] | null
  createdAt: Date
  disabledAt: Date | null
  disabledBecause: string | null
  /** Start of the pause; null while it is not paused. */
  pausedAt: Date | null
  /** In real time, if the endpoint is the listener of a command line; otherwise null. */
  listensUntil: Date | null
  /** The person of the listener; null for an endpoint that we call, and for the command line of the machine. */
  listenerPersonId: string | null
  /** Updates that the listener pulled, repeats included. */
  listenerUpdates: number
  /** When the application's feed last gave out updates; null for an endpoint that is none. */
  feedAt: Date | null
  /** What its server demands beside the signature; null for nothing. */
  accessSealed: Buffer | null
  /** The events of loans that it receives; null for none. */
  loanEvents: LoanEventType[] | null
}
