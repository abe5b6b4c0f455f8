// Store of lending_partner: addresses, rules and sealed credentials.

import type { Run, Tx } from '@lendloom/postgres/sql'
import type { LenderKey } from '#platform/lending/lender/switch/store.ts'
import { platformTenant } from '#platform/people/person.ts'
import { type Partner, partnerProvider } from './lending-partner.ts'

export interface PartnerRow extends Omit<Partner, 'credentials'> {
  credentialsSealed: Buffer
}

/** All partners in order of creation. */
export const listPartners = (db: Run) => db<PartnerRow>`
  select partner_id, sender, name, url, products, rules, contact, credentials_sealed, created_at, updated_at
  from lending_partner where tenant_id = ${platformTenant} order by created_at, partner_id`

/** Locks the table until the transaction ends, and lists all partners. */
export async function lockPartners(tx: Tx): Promise<PartnerRow[]> {
  await tx`lock table lending_partner in share row exclusive mode`
  return listPartners(tx)
}

export async function insertPartner(tx: Tx, row: PartnerRow): Promise<void> {
  const rules = JSON.stringify(row.rules)
  const contact = JSON.stringify(row.contact)
  await tx`insert into lending_partner ${tx({ ...row, rules, contact, tenantId: platformTenant })}`
}

/** Writes all mutable columns; the sender never changes. */
export async function updatePartner(tx: Tx, row: PartnerRow): Promise<void> {
  await tx`
    update lending_partner set name = ${row.name}, url = ${row.url}, products = ${row.products}, rules = ${JSON.stringify(row.rules)},
      contact = ${JSON.stringify(row.contact)}, credentials_sealed = ${row.credentialsSealed}, updated_at = ${row.updatedAt}
    where tenant_id = ${platformTenant} and partner_id = ${row.partnerId}`
}

export interface Traffic {
  partnerId: string
  /** Number of events to the partner that are not delivered yet. */
  waitingEvents: number
  /** Number of events to the partner whose delivery was given up. */
  deadEvents: number
  /** When the partner's last event arrived; null when none arrived since `since`. */
  lastEventAt: Date | null
}

/** Traffic per partner. Reads only waiting and dead events, and events received since `since`. */
export const listTraffic = (db: Run, since: Date) => db<Traffic>`
  with open as (
    select tenant_id, case_ref, false as is_dead from outbox where due_at is not null
    union all select tenant_id, case_ref, true from outbox where dead_at is not null),
  counted as (
    select k.partner_id, open.is_dead, count(*)::integer as events from open
    join partner_case k on k.tenant_id = open.tenant_id and k.case_ref = open.case_ref::uuid group by 1, 2),
  arrivals as (select sender, max(received_at) as at from inbox where received_at >= ${since} group by 1)
  select p.partner_id,
    coalesce((select events from counted c where c.partner_id = p.partner_id and not is_dead), 0) as waiting_events,
    coalesce((select events from counted c where c.partner_id = p.partner_id and is_dead), 0) as dead_events,
    (select at from arrivals where arrivals.sender = p.sender) as last_event_at
  from lending_partner p where p.tenant_id = ${platformTenant}`

/** Lists the sender name of each known case's partner. */
export const partnerSendersOf = (db: Run, caseRefs: string[]) => db<{ caseRef: string; sender: string }>`
  select k.case_ref::text as case_ref, p.sender from partner_case k
    join lending_partner p on p.tenant_id = ${platformTenant} and p.partner_id = k.partner_id
  where k.case_ref::text = any(${caseRefs}::text[])`

export async function isPartner(db: Run, { bppId, providerId }: LenderKey): Promise<boolean> {
  if (providerId !== partnerProvider) return false
  const found = await db`select 1 from lending_partner where sender = ${bppId}`
  return found.length > 0
}
