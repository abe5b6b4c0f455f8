// Store of lending_partner: addresses, rules and credentials of both directions.

import { recordOf } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import type { Lender, LenderContact } from '@lendloom/lending/lender'
import type { ProductId } from '@lendloom/lending/product/products'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { digestOf, sameDigest } from '@lendloom/seal/token'
import type { PartnerContact, PartnerRules } from '@lendloom/wire/console/lending-partners'
import { contactNames } from '@lendloom/wire/console/lists'
import type { LenderKey } from '#platform/lending/lender/switch/store.ts'
import { platformTenant } from '#platform/people/person.ts'

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

/** A bearer token, and the event signing secret with its `X-Key-Id`. */
export interface PartnerCredential {
  bearer: string
  keyId: string
  secret: string
}

/** Our credential at the partner, used from `from` on, so that the partner can install the credential before. */
export interface OutgoingCredential extends PartnerCredential {
  from: string
}

/** The partner's credential at the platform; `until` is null until a rotation replaces the credential. */
export interface IncomingCredential extends PartnerCredential {
  until: string | null
}

/** At least one credential in each direction, newest last. No credential is used in both directions. */
export interface Credentials {
  /** The platform's sender name in events to this partner. */
  ourSender: string
  outgoing: OutgoingCredential[]
  incoming: IncomingCredential[]
}

export interface Partner {
  partnerId: string
  /** The sender name in the partner's events, unique among partners. */
  sender: string
  name: string
  url: string
  products: ProductId[]
  rules: PartnerRules
  contact: PartnerContact
  credentials: Credentials
  createdAt: Date
  updatedAt: Date
}

/** The id of the first partner that is created from settings. */
export const firstPartnerId = '00000000-0000-4000-8000-000000000001'

/** The binding context of a partner's sealed values. */
export const partnerContext = ({ tenantId, partnerId }: { tenantId: string; partnerId: string }): string =>
  `lending_partner:${tenantId}:${partnerId}`

/** Returns the newest outgoing credential that is in use at an instant. */
export const outgoingAt = ({ credentials: { outgoing } }: Pick<Partner, 'credentials'>, at: Date): OutgoingCredential =>
  required(outgoing.findLast(({ from }) => new Date(from) <= at) ?? outgoing[0], 'our credential to a partner')

/** Returns the partner's valid incoming credentials at an instant. */
export const incomingAt = ({ credentials: { incoming } }: Pick<Partner, 'credentials'>, at: Date) =>
  incoming.filter(({ until }) => until === null || new Date(until) > at)

/**
 * Returns the partner with this bearer; undefined if no valid credential has the bearer. Compares every credential in
 * constant time, so that timing does not reveal how close a guess was.
 */
export function holderOf(partners: Partner[], bearer: string, at: Date): Partner | undefined {
  const digest = digestOf(bearer)
  return partners.filter((partner) =>
    incomingAt(partner, at).reduce((found, each) => sameDigest(digestOf(each.bearer), digest) || found, false),
  )[0]
}

/** Returns the ids that identify the partner among all lenders. */
export const lenderKeyOf = ({ sender }: Pick<Partner, 'sender'>): LenderKey => ({
  bppId: sender,
  providerId: partnerProvider,
})
export const partnerProvider = 'partner'

export async function isPartner(db: Run, { bppId, providerId }: LenderKey): Promise<boolean> {
  if (providerId !== partnerProvider) return false
  const found = await db`select 1 from lending_partner where sender = ${bppId}`
  return found.length > 0
}

/** Returns the partner's contact; empty values become null, as for every lender. */
export const contactOf = ({ contact }: Pick<Partner, 'contact'>): LenderContact =>
  recordOf(contactNames, (name) => contact[name].trim() || null)

/** Returns the partner as a lender that borrowers see (D1 §2.4 lenders). */
export const identityOf = (partner: Pick<Partner, 'name' | 'contact'>): Lender => ({
  providerId: partnerProvider,
  name: partner.name,
  shortDescription: null,
  longDescription: null,
  logoUrl: null,
  contact: contactOf(partner),
  serviceProvider: { name: null, email: null, contactNumber: null, address: null },
})
