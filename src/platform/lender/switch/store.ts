// Table of lender switches: the one rule for leaving a lender out, and the acts that stay allowed at one.
import { type Fragment, oneRow, type Run, sql, type Tx } from '#kit/db/sql.ts'
import { noTenantId } from '#kit/messaging/queue.ts'

/** A lender by its names on the network: the same one for every tenant. The partner is its sender and `partner`. */
export interface LenderName {
  bppId: string
  providerId: string
}

export interface Switch extends LenderName {
  /** The nil tenant where it is off for all. */
  tenantId: string
  reason: string
  /** Null for the command line. */
  personId: string | null
  offAt: Date
}

/** Whether a tenant, or all of them, have this lender switched off. */
const isOff = (tenantId: Fragment, bppId: Fragment, providerId: Fragment): Fragment => sql`exists (
  select from lender_switch s where s.tenant_id in (${tenantId}, ${noTenantId}::uuid) and s.bpp_id = ${bppId} and s.provider_id = ${providerId})`

/** As above for the lender of offer `o`. A join, because Citus rejects nested subqueries of this kind. */
export const isOffOfOffer: Fragment = sql`exists (
  select from lender w join lender_switch s
    on s.tenant_id in (w.tenant_id, ${noTenantId}::uuid) and s.bpp_id = w.bpp_id and s.provider_id = w.provider_id
  where w.tenant_id = o.tenant_id and w.lender_id = o.lender_id)`

/** Whether this lender is asked for nothing new by this tenant. */
export async function isSwitchedOff(
  db: Run,
  { tenantId, bppId, providerId }: LenderName & { tenantId: string },
): Promise<boolean> {
  const [row] = await db<{ isOff: boolean }>`
    select ${isOff(sql`${tenantId}::uuid`, sql`${bppId}::text`, sql`${providerId}::text`)} as is_off`
  return row?.isOff === true
}

export interface NamedLender extends LenderName {
  name: string
}

/** Names of lenders in a tenant. */
export const namedLenders = (db: Run, tenantId: string, lenderIds: string[]) => db<NamedLender>`
  select bpp_id, provider_id, identity->>'name' as name from lender
  where tenant_id = ${tenantId} and lender_id = any(${lenderIds}::uuid[])`

/** False when it is off already. */
export async function insertSwitch(tx: Tx, row: Switch): Promise<boolean> {
  const fresh = await tx`insert into lender_switch ${tx({ ...row })} on conflict do nothing returning 1`
  return fresh.length > 0
}

/** False when it was not off. */
export async function deleteSwitch(
  tx: Tx,
  { tenantId, bppId, providerId }: LenderName & { tenantId: string },
): Promise<boolean> {
  const gone = await tx`
    delete from lender_switch where tenant_id = ${tenantId} and bpp_id = ${bppId} and provider_id = ${providerId} returning 1`
  return gone.length > 0
}

/** Switches that apply to a tenant, its own and general ones; all when null. */
export const listSwitches = (db: Run, tenantId: string | null) => db<Switch>`
  select tenant_id, bpp_id, provider_id, reason, person_id, off_at from lender_switch
  where ${tenantId}::uuid is null or tenant_id in (${tenantId}::uuid, ${noTenantId}::uuid)
  order by tenant_id, bpp_id, provider_id`

/** A lending partner exists before its first request. */
export async function isLender(db: Run, { bppId, providerId }: LenderName, tenantId: string | null): Promise<boolean> {
  const found = await db`
    select 1 from lender where bpp_id = ${bppId} and provider_id = ${providerId}
      and (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)
    union all select 1 from lending_partner where sender = ${bppId} and ${providerId}::text = 'partner' limit 1`
  return found.length > 0
}

/** How many journeys are at a lender, by how far they are; each counts once in each. */
export interface SwitchEffect {
  /** Asked, and its answer is awaited. */
  searching: number
  /** It has offered, and the borrower may still choose that. */
  offered: number
  /** Its offer was chosen, and the money is not there yet. */
  chosen: number
  /** A loan that runs. */
  loans: number
}

/** In one tenant, or in all when null. Undecided lenders are found among the open journeys. */
export async function countEffect(
  db: Run,
  { bppId, providerId }: LenderName,
  tenantId: string | null,
  at: Date,
): Promise<SwitchEffect> {
  const rows = await db<SwitchEffect>`
    with named as materialized (
      select tenant_id, lender_id from lender where bpp_id = ${bppId} and provider_id = ${providerId}
        and (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)),
    open as (
      select j.journey_id, o.status from journey j
      join offer o on o.bucket = j.bucket and o.tenant_id = j.tenant_id and o.journey_id = j.journey_id
      join named n on n.tenant_id = o.tenant_id and n.lender_id = o.lender_id
      where j.active and j.status <> 'DISBURSED' and j.status in ('STARTED', 'PROFILED', 'OFFERED')
        and o.selected_at is null and (o.valid_until is null or o.valid_until > ${at})),
    taken as (
      select j.journey_id, j.status = 'DISBURSED' or o.line_opened_at is not null as is_loan
      from named n join offer o on o.tenant_id = n.tenant_id and o.lender_id = n.lender_id
        and o.selected_at is not null and o.rejected_at is null
      join journey j on j.bucket = o.bucket and j.tenant_id = o.tenant_id and j.journey_id = o.journey_id where j.active)
    select
      (select count(distinct journey_id)::float8 from open where status = 'OFFER_AWAITED') as searching,
      (select count(distinct journey_id)::float8 from open where status = 'OFFER_RECEIVED') as offered,
      (select count(distinct journey_id)::float8 from taken where not is_loan) as chosen,
      (select count(distinct journey_id)::float8 from taken where is_loan) as loans`
  return oneRow(rows)
}
