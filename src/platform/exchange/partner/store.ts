// Table of lending partners. Few rows, read whole.
import type { Run, Tx } from '#kit/db/sql.ts'
import type { Partner } from '#platform/exchange/partner.ts'
import { platformTenant } from '#platform/staff/person.ts'

export interface PartnerRow extends Omit<Partner, 'credentials'> {
  credentialsSealed: Buffer
}

/** In the order in which they came. */
export const listPartners = (db: Run) => db<PartnerRow>`
  select partner_id, sender, name, url, products, rules, contact, credentials_sealed, created_at, updated_at
  from lending_partner where tenant_id = ${platformTenant} order by created_at, partner_id`

/** The same, while nobody else may add or change one until the transaction ends. */
export async function lockPartners(tx: Tx): Promise<PartnerRow[]> {
  await tx`lock table lending_partner in share row exclusive mode`
  return listPartners(tx)
}

export async function insertPartner(tx: Tx, row: PartnerRow): Promise<void> {
  const rules = JSON.stringify(row.rules)
  const contact = JSON.stringify(row.contact)
  await tx`insert into lending_partner ${tx({ ...row, rules, contact, tenantId: platformTenant })}`
}

/** Writes all that may change: the sender stays. */
export async function updatePartner(tx: Tx, row: PartnerRow): Promise<void> {
  await tx`
    update lending_partner set name = ${row.name}, url = ${row.url}, products = ${row.products}, rules = ${JSON.stringify(row.rules)},
      contact = ${JSON.stringify(row.contact)}, credentials_sealed = ${row.credentialsSealed}, updated_at = ${row.updatedAt}
    where tenant_id = ${platformTenant} and partner_id = ${row.partnerId}`
}

/** How the exchange with a partner stands. */
export interface Traffic {
  partnerId: string
  /** Events for it that wait, and those that were given up. */
  waitingEvents: number
  deadEvents: number
  /** When it sent something last; null where that is not known, or before `since`. */
  lastEventAt: Date | null
}

/** Of each partner. Only what waits or was given up is read, and what came since an instant. */
export const listTraffic = (db: Run, since: Date) => db<Traffic>`
  with open as (
    select tenant_id, case_ref, false as is_dead from outbox where due_at is not null
    union all select tenant_id, case_ref, true from outbox where dead_at is not null),
  counted as (
    select k.partner_id, open.is_dead, count(*)::integer as events from open
    join partner_case k on k.tenant_id = open.tenant_id and k.case_ref = open.case_ref::uuid group by 1, 2),
  came as (select sender, max(received_at) as at from inbox where received_at >= ${since} group by 1)
  select p.partner_id,
    coalesce((select events from counted c where c.partner_id = p.partner_id and not is_dead), 0) as waiting_events,
    coalesce((select events from counted c where c.partner_id = p.partner_id and is_dead), 0) as dead_events,
    (select at from came where came.sender = p.sender) as last_event_at
  from lending_partner p where p.tenant_id = ${platformTenant}`

/** With which partner each of these cases is; a case that does not exist is left out. */
export const partnersOf = (db: Run, caseRefs: string[]) => db<{ caseRef: string; sender: string }>`
  select k.case_ref::text as case_ref, p.sender from partner_case k
    join lending_partner p on p.tenant_id = ${platformTenant} and p.partner_id = k.partner_id
  where k.case_ref::text = any(${caseRefs}::text[])`
