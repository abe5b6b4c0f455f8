// Store of lender_switch. It also counts the journeys that a switch affects.
import { type Fragment, oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'

/** Identifies a lender for every tenant. A lending partner has its sender as `bppId`, and `partner` as `providerId`. */
export interface LenderKey {
  bppId: string
  providerId: string
}

export const lenderKeyText = ({ bppId, providerId }: LenderKey): string => JSON.stringify([bppId, providerId])

export interface LenderSwitch extends LenderKey {
  /** The nil UUID when the lender is off for all tenants. */
  tenantId: string
  reason: string
  /** Null if the lender was switched off from the command line. */
  personId: string | null
  offAt: Date
}

/** SQL condition: the lender is switched off for the tenant or for all tenants. */
const offCondition = (tenantId: Fragment, bppId: Fragment, providerId: Fragment): Fragment => sql`exists (
  select from lender_switch s where s.tenant_id in (${tenantId}, ${noTenantId}::uuid) and s.bpp_id = ${bppId} and s.provider_id = ${providerId})`

/** SQL condition for the lender of offer `o`. It uses a join, because Citus rejects nested subqueries here. */
export const lenderIsOff: Fragment = sql`exists (
  select from lender w join lender_switch s
    on s.tenant_id in (w.tenant_id, ${noTenantId}::uuid) and s.bpp_id = w.bpp_id and s.provider_id = w.provider_id
  where w.tenant_id = o.tenant_id and w.lender_id = o.lender_id)`

export async function isSwitchedOff(
  db: Run,
  { tenantId, bppId, providerId }: LenderKey & { tenantId: string },
): Promise<boolean> {
  const [row] = await db<{ isOff: boolean }>`
    select ${offCondition(sql`${tenantId}::uuid`, sql`${bppId}::text`, sql`${providerId}::text`)} as is_off`
  return row?.isOff === true
}

export interface NamedLender extends LenderKey {
  name: string
}

export const listLenderNames = (db: Run, tenantId: string, lenderIds: string[]) => db<NamedLender>`
  select bpp_id, provider_id, identity->>'name' as name from lender
  where tenant_id = ${tenantId} and lender_id = any(${lenderIds}::uuid[])`

/** Returns false if the switch already exists. */
export async function insertSwitch(tx: Tx, row: LenderSwitch): Promise<boolean> {
  const inserted = await tx`insert into lender_switch ${tx({ ...row })} on conflict do nothing returning 1`
  return inserted.length > 0
}

/** Returns false if the switch does not exist. */
export async function deleteSwitch(
  tx: Tx,
  { tenantId, bppId, providerId }: LenderKey & { tenantId: string },
): Promise<boolean> {
  const deleted = await tx`
    delete from lender_switch where tenant_id = ${tenantId} and bpp_id = ${bppId} and provider_id = ${providerId} returning 1`
  return deleted.length > 0
}

/** Lists the switches for a tenant and those for all tenants; lists every switch if `tenantId` is null. */
export const listSwitches = (db: Run, tenantId: string | null) => db<LenderSwitch>`
  select tenant_id, bpp_id, provider_id, reason, person_id, off_at from lender_switch
  where ${tenantId}::uuid is null or tenant_id in (${tenantId}::uuid, ${noTenantId}::uuid)
  order by tenant_id, bpp_id, provider_id`

/** Whether a journey of the tenant, or of any tenant if `tenantId` is null, has met the lender. */
export async function isKnownLender(
  db: Run,
  { bppId, providerId }: LenderKey,
  tenantId: string | null,
): Promise<boolean> {
  const found = await db`
    select 1 from lender where bpp_id = ${bppId} and provider_id = ${providerId}
      and (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid) limit 1`
  return found.length > 0
}

/** Numbers of a lender's active journeys by progress. */
export interface SwitchEffect {
  /** The lender's answer is awaited. */
  searching: number
  /** The borrower may still choose the lender's offer. */
  offered: number
  /** The borrower chose the lender's offer, and the loan is not disbursed yet. */
  chosen: number
  /** The lender's loan is disbursed or its credit line is open. */
  loans: number
}

/** Counts the affected journeys of one tenant, or of all tenants if `tenantId` is null. */
export async function countEffect(
  db: Run,
  { bppId, providerId }: LenderKey,
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
