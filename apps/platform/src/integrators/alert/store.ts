// Tables webhook_alert_setting and webhook_outage, and queries for the figures by which the check detects outages.
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { EndpointFigures, OutageRow } from './outage.ts'

export interface SettingsRow {
  tenantId: string
  isOn: boolean
  failures: number
  waitingMinutes: number
  emailsSealed: Buffer | null
  endpointIds: string[]
}

export async function findSettings(db: Run, tenantId: string): Promise<SettingsRow | undefined> {
  const [row] = await db<SettingsRow>`
    select tenant_id, enabled as is_on, failures, waiting_minutes, emails_sealed, endpoint_ids
    from webhook_alert_setting where tenant_id = ${tenantId}`
  return row
}

export async function saveAlertSettings(tx: Tx, row: SettingsRow, at: Date): Promise<void> {
  await tx`
    insert into webhook_alert_setting ${tx({
      tenantId: row.tenantId,
      enabled: row.isOn,
      failures: row.failures,
      waitingMinutes: row.waitingMinutes,
      emailsSealed: row.emailsSealed,
      endpointIds: row.endpointIds,
      updatedAt: at,
    })}
    on conflict (tenant_id) do update set enabled = excluded.enabled, failures = excluded.failures,
      waiting_minutes = excluded.waiting_minutes, emails_sealed = excluded.emails_sealed,
      endpoint_ids = excluded.endpoint_ids, updated_at = excluded.updated_at`
}

export interface Suspect {
  tenantId: string
  applicationId: string
  endpointId: string
  url: string
  isDisabled: boolean
  disabledBecause: string | null
  outageId: string | null
  beganAt: Date | null
}

/** Selects pending deliveries from both ends of the queue: new deliveries are due first, and failed deliveries last. */
const pendingDeliveries = (tenantId: string, endpointId: string) => sql`
  (select attempt, created_at, last_attempt_at, last_answer from webhook_delivery
    where tenant_id = ${tenantId} and destination_id = ${endpointId} and due_at is not null order by due_at limit 200)
  union all
  (select attempt, created_at, last_attempt_at, last_answer from webhook_delivery
    where tenant_id = ${tenantId} and destination_id = ${endpointId} and due_at is not null order by due_at desc limit 200)`

/** Lists endpoints that are disabled, have an open outage or a failed delivery; omits paused endpoints and listeners. */
export async function listSuspects(db: Run, givenUpSince: Date): Promise<Suspect[]> {
  // A separate statement, because deliveries may be distributed over several servers.
  const failing = await db<{ destinationId: string }>`
    select distinct destination_id from webhook_delivery
    where (due_at is not null and attempt > 0) or (state = 'EXHAUSTED' and last_attempt_at > ${givenUpSince})`
  return db<Suspect>`
    select e.tenant_id, e.application_id, e.endpoint_id, e.url, e.disabled_at is not null as is_disabled,
      e.disabled_because, o.outage_id, o.began_at
    from webhook_endpoint e
    left join webhook_outage o on o.tenant_id = e.tenant_id and o.endpoint_id = e.endpoint_id and o.ended_at is null
    where e.paused_at is null and e.listens_until is null and (e.disabled_at is not null or o.outage_id is not null
      or e.endpoint_id = any(${failing.map(({ destinationId }) => destinationId)}::uuid[]))
    order by e.tenant_id, e.endpoint_id`
}

/** The number of an application's newest deliveries that are searched for the last success. */
const maxSearchedDeliveries = 5000
const maxGivenUp = 200

export async function figuresOf(
  db: Run,
  { tenantId, applicationId, endpointId, isDisabled }: Suspect,
): Promise<EndpointFigures> {
  const [row] = await db<Omit<EndpointFigures, 'isDisabled'>>`
    with success as materialized (
      select max(last_attempt_at) filter (where destination_id = ${endpointId} and state = 'DELIVERED') as at,
        min(created_at) as searched_from
      from (
        select destination_id, state, last_attempt_at, created_at from webhook_delivery
        where tenant_id = ${tenantId} and application_id = ${applicationId}
        order by delivery_id desc limit ${maxSearchedDeliveries}) as lately),
    failed as (
      select distinct w.attempt, w.created_at, w.last_attempt_at, w.last_answer
      from (${pendingDeliveries(tenantId, endpointId)}) as w where attempt > 0),
    given_up as (
      select attempt, created_at, last_attempt_at from webhook_delivery
      where tenant_id = ${tenantId} and destination_id = ${endpointId} and state in ('EXHAUSTED', 'STOPPED')
        and created_at >= (select searched_from from success)
      order by delivery_id desc limit ${maxGivenUp}),
    since_success as (
      select attempt, created_at
      from (select attempt, created_at, last_attempt_at from failed union all select attempt, created_at, last_attempt_at from given_up) as every
      where last_attempt_at > coalesce((select at from success), '-infinity'::timestamptz))
    select (select at from success) as last_success_at,
      (select coalesce(sum(attempt), 0)::integer from since_success) as failures,
      (select greatest(min(created_at), (select at from success)) from since_success having count(*) > 0) as failing_since,
      min(created_at) as waiting_since, (array_agg(last_answer order by last_attempt_at desc))[1] as last_answer
    from failed`
  return {
    failures: 0,
    failingSince: null,
    waitingSince: null,
    lastSuccessAt: null,
    lastAnswer: null,
    ...row,
    isDisabled,
  }
}

/** Begins an outage; returns false if one is already open. */
export async function beginOutage(tx: Tx, outage: OutageRow): Promise<boolean> {
  const rows = await tx`
    insert into webhook_outage ${tx({ ...outage })}
    on conflict (tenant_id, endpoint_id) where ended_at is null do nothing returning 1`
  return rows.length > 0
}

/** Ends an outage and returns it; undefined if the outage had already ended. */
export async function endOutage(tx: Tx, tenantId: string, outageId: string, at: Date): Promise<OutageRow | undefined> {
  const [row] = await tx<OutageRow>`
    update webhook_outage set ended_at = ${at} where tenant_id = ${tenantId} and outage_id = ${outageId} and ended_at is null
    returning outage_id, tenant_id, endpoint_id, why, failures, waiting_since, last_answer, began_at, ended_at`
  return row
}

export async function endOutagesOfRemovedEndpoints(db: Run, at: Date): Promise<void> {
  await db`
    update webhook_outage o set ended_at = ${at}
    where ended_at is null and not exists (
      select 1 from webhook_endpoint e where e.tenant_id = o.tenant_id and e.endpoint_id = o.endpoint_id)`
}

/** Lists a tenant's outages, newest first. */
export const listOutages = (
  db: Run,
  tenantId: string,
  limit: number,
): Promise<(OutageRow & { url: string | null })[]> =>
  db<OutageRow & { url: string | null }>`
    select o.outage_id, o.tenant_id, o.endpoint_id, o.why, o.failures, o.waiting_since, o.last_answer, o.began_at,
      o.ended_at, e.url
    from webhook_outage o
    left join webhook_endpoint e on e.tenant_id = o.tenant_id and e.endpoint_id = o.endpoint_id
    where o.tenant_id = ${tenantId} order by o.outage_id desc limit ${limit}`

export const listAlertRecipients = (db: Run, tenantId: string) =>
  db<{ tenantId: string; personId: string; identitySealed: Buffer }>`
    select tenant_id, person_id, identity_sealed from person
    where tenant_id = ${tenantId} and role in ('admin', 'developer') and removed_at is null order by person_id limit 50`

export interface FailingEndpoint {
  tenantId: string
  endpointId: string
  url: string
  since: Date | null
  lastAnswer: string | null
}

/** Lists failing and disabled endpoints; omits those without a try since they were enabled or got another URL. */
export const listFailingEndpoints = (db: Run, tenantId: string | null): Promise<FailingEndpoint[]> =>
  db<FailingEndpoint>`
  with restarted as materialized (
    select min(e.restarted_at) as at from webhook_outage o
    join webhook_endpoint e on e.tenant_id = o.tenant_id and e.endpoint_id = o.endpoint_id where o.ended_at is null),
  failing as materialized (
    select destination_id, min(created_at) filter (where due_at is not null) as since, max(last_attempt_at) as tried_at,
      (array_agg(last_answer order by last_attempt_at desc) filter (where due_at is not null))[1] as last_answer
    from webhook_delivery
    where (due_at is not null and attempt > 0) or (state = 'EXHAUSTED' and last_attempt_at > (select at from restarted))
    group by destination_id)
  select e.tenant_id, e.endpoint_id, e.url, least(o.began_at, e.disabled_at, f.since) as since,
    case when e.disabled_at is null then coalesce(f.last_answer, o.last_answer) end as last_answer
  from tenant t join webhook_endpoint e on e.tenant_id = t.tenant_id
  left join webhook_outage o on o.tenant_id = e.tenant_id and o.endpoint_id = e.endpoint_id and o.ended_at is null
  left join failing f on f.destination_id = e.endpoint_id
  where (${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid) and e.paused_at is null and e.listens_until is null
    and (e.disabled_at is not null or ((o.outage_id is not null or f.since is not null)
      and (e.restarted_at is null or f.tried_at > e.restarted_at)))
  order by since, e.endpoint_id`
