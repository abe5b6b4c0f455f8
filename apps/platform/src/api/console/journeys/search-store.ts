// Finds journeys by an identifier. One statement searches each kind of identifier that the text could be, by its index.

import { bucketIn } from '@lendloom/postgres/digest-key'
import { type Fragment, join, type Run, sql } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { SearchKind } from '@lendloom/wire/console/journey-lists'
import type { SearchItem } from '@lendloom/wire/console/journeys'
import { borrowerBucketIn } from '#platform/lending/borrower/store.ts'

/** A kind of identifier, with the stored form of the searched value. */
export type SearchKey =
  | { kind: 'mobile' | 'pan' | 'email'; digest: Buffer }
  | { kind: Exclude<SearchKind, 'mobile' | 'pan' | 'email'>; value: string }

/** How many journeys a search lists of each kind of identifier, and of all kinds. */
const maxPerKind = 20
const maxResults = 50

/** The delivery ids of an event begin with the first 24 characters of the event's id. */
const smallestDeliveryId = (eventId: string): string => `${eventId.slice(0, 24)}000000000000`
const largestDeliveryId = (eventId: string): string => `${eventId.slice(0, 24)}ffffffffffff`

/** The sender names of the lending partners. */
type Senders = string[]

// Each of the following queries returns `bucket`, `tenant_id` and `journey_id`, the identifier that `matched` if it may differ
// from the searched text, and the `entry_id` of the timeline entry that has it. `searched_tenant` is in `searchStatement`.

const journeysOfBorrower = (condition: Fragment): Fragment => sql`
  select j.bucket, j.tenant_id, j.journey_id, null::text as matched, null::text as entry_id
  from searched_tenant w join borrower b on b.tenant_id = w.tenant_id and ${condition}
  join journey j on j.bucket = b.bucket and j.tenant_id = b.tenant_id and j.borrower_id = b.borrower_id
  order by j.journey_id desc limit ${maxPerKind}`

const journeysOfProfile = (condition: Fragment): Fragment => sql`
  select p.bucket, p.tenant_id, p.journey_id, null::text as matched, null::text as entry_id
  from searched_tenant w join profile p on p.tenant_id = w.tenant_id and ${condition}
  order by p.journey_id desc limit ${maxPerKind}`

const journeysOfCase = (condition: Fragment, matched: Fragment): Fragment => sql`
  select k.bucket, k.tenant_id, k.journey_id, ${matched} as matched, null::text as entry_id
  from searched_tenant w join partner_case k on k.tenant_id = w.tenant_id and ${condition} limit ${maxPerKind}`

/** `events` is a query for exchange events that returns case_ref, matched and entry_id. */
const journeysOfEvents = (events: Fragment): Fragment => sql`
  select k.bucket, k.tenant_id, k.journey_id, found.matched, found.entry_id
  from (${events}) as found join partner_case k on k.case_ref = found.case_ref
  join searched_tenant w on w.tenant_id = k.tenant_id limit ${maxPerKind}`

/** The inbox and outbox tables store `case_ref` as text. On the platform every `case_ref` is a UUID. */
const sentEvents = (condition: Fragment, matched: string): Fragment =>
  sql`select o.case_ref::uuid as case_ref, ${matched}::text as matched, 'sent.' || o.event_id as entry_id from outbox o where ${condition}`
const receivedEvents = (condition: Fragment, matched: string): Fragment =>
  sql`select i.case_ref::uuid as case_ref, ${matched}::text as matched, 'received.' || i.event_id as entry_id from inbox i where ${condition}`

const byEvent = (eventId: string, senders: Senders): Fragment => sql`
  (select d.bucket, d.tenant_id, d.journey_id, ${eventId}::text as matched, 'update.' || d.event_id as entry_id
   from searched_tenant w join application a on a.tenant_id = w.tenant_id
   join webhook_delivery d on d.bucket = ${bucketOf(eventId)} and d.tenant_id = a.tenant_id and d.application_id = a.application_id
     and d.delivery_id between ${smallestDeliveryId(eventId)}::uuid and ${largestDeliveryId(eventId)}::uuid and d.event_id = ${eventId}::uuid
   limit 1)
  union all (${journeysOfEvents(sentEvents(sql`o.event_id = ${eventId}::uuid`, eventId))})
  union all (${journeysOfEvents(receivedEvents(sql`i.sender = any(${senders}::text[]) and i.event_id = ${eventId}::uuid`, eventId))})`

const byCorrelation = (id: string): Fragment => sql`
  (select e.bucket, e.tenant_id, e.journey_id, ${id}::text as matched, 'update.' || e.event_id as entry_id
   from searched_tenant w join lifecycle_event e on e.tenant_id = w.tenant_id and e.correlation_id = ${id}
   order by e.event_id desc limit ${maxPerKind})
  union all (${journeysOfEvents(sql`
    select o.case_ref::uuid as case_ref, ${id}::text as matched, 'sent.' || o.event_id as entry_id
    from searched_tenant w join outbox o on o.tenant_id = w.tenant_id and o.correlation_id = ${id}`)})
  union all (${journeysOfEvents(receivedEvents(sql`i.correlation_id = ${id}`, id))})`

const byLoan = (id: string): Fragment => sql`
  (${journeysOfCase(sql`k.loan_id = ${id}`, sql`k.loan_id`)})
  union all (select c.bucket, c.tenant_id, c.journey_id, c.order_id as matched, null::text as entry_id
    from searched_tenant w join conversation c on c.tenant_id = w.tenant_id and c.order_id = ${id} limit ${maxPerKind})`

const byBankReference = (id: string): Fragment => sql`
  (${journeysOfCase(sql`k.bank_reference = ${id}`, sql`k.bank_reference`)})
  union all (select s.bucket, s.tenant_id, s.journey_id, s.transaction_id as matched, 'servicing.' || s.operation_id as entry_id
    from searched_tenant w join servicing s on s.tenant_id = w.tenant_id and s.transaction_id = ${id} limit ${maxPerKind})
  union all (select d.bucket, d.tenant_id, d.journey_id, d.payout_reference as matched, 'drawdown.' || d.drawdown_id as entry_id
    from searched_tenant w join drawdown d on d.tenant_id = w.tenant_id and d.payout_reference = ${id} limit ${maxPerKind})`

function queryFor(key: SearchKey, senders: Senders): Fragment {
  switch (key.kind) {
    case 'mobile':
      return journeysOfBorrower(sql`b.mobile_digest = ${key.digest}`)
    case 'pan':
      return journeysOfProfile(sql`p.pan_digest = ${key.digest}`)
    case 'email':
      return sql`(${journeysOfProfile(sql`p.email_digest = ${key.digest}`)})
        union (${journeysOfProfile(sql`p.official_email_digest = ${key.digest}`)})`
    case 'borrower':
      return journeysOfBorrower(
        sql`b.bucket = ${borrowerBucketIn(sql`w.tenant_id`, key.value)} and b.external_id = ${key.value}`,
      )
    case 'journey':
      return sql`select j.bucket, j.tenant_id, j.journey_id, ${key.value}::text as matched, null::text as entry_id
        from searched_tenant w join journey j on j.bucket = ${bucketOf(key.value)} and j.tenant_id = w.tenant_id and j.journey_id = ${key.value}::uuid`
    case 'network-transaction':
      return sql`select j.bucket, j.tenant_id, j.journey_id, ${key.value}::text as matched, null::text as entry_id
        from journey j join searched_tenant w on w.tenant_id = j.tenant_id where j.bucket = ${bucketOf(key.value)} and j.network_transaction_id = ${key.value}::uuid
        union all select c.bucket, c.tenant_id, c.journey_id, ${key.value}::text, 'drawdown.' || c.conversation_id
        from conversation c join searched_tenant w on w.tenant_id = c.tenant_id where c.bucket = ${bucketOf(key.value)} and c.transaction_id = ${key.value}::uuid`
    case 'delivery':
      return sql`select d.bucket, d.tenant_id, d.journey_id, ${key.value}::text as matched, 'delivery.' || d.delivery_id as entry_id
        from searched_tenant w join application a on a.tenant_id = w.tenant_id
        join webhook_delivery d on d.bucket = ${bucketOf(key.value)} and d.tenant_id = a.tenant_id and d.application_id = a.application_id
          and d.delivery_id = ${key.value}::uuid`
    case 'grievance':
      return sql`select g.bucket, g.tenant_id, g.journey_id, ${key.value}::text as matched, 'grievance.' || g.grievance_id as entry_id
        from searched_tenant w join grievance g on g.bucket = ${bucketOf(key.value)} and g.tenant_id = w.tenant_id and g.grievance_id = ${key.value}::uuid limit ${maxPerKind}`
    case 'complaint':
      return sql`select ${bucketIn(sql`c.journey_id`)} as bucket, c.tenant_id, c.journey_id, c.number as matched, 'complaint.' || c.complaint_id as entry_id
        from searched_tenant w join complaint c on c.tenant_id = w.tenant_id and c.number = ${key.value} and c.journey_id is not null limit ${maxPerKind}`
    case 'case':
      return sql`select k.bucket, k.tenant_id, k.journey_id, ${key.value}::text as matched, null::text as entry_id
        from partner_case k join searched_tenant w on w.tenant_id = k.tenant_id where k.bucket = ${bucketOf(key.value)} and k.case_ref = ${key.value}::uuid`
    case 'event':
      return byEvent(key.value, senders)
    case 'correlation':
      return byCorrelation(key.value)
    case 'loan':
      return byLoan(key.value)
    case 'bank-reference':
      return byBankReference(key.value)
  }
}

/** Where a search looks. */
export interface SearchScope {
  /** Null for all tenants. */
  tenantId: string | null
  senders: Senders
}

/** Selects the newest journeys first. A search of all tenants reads an index once per tenant. */
export const searchStatement = (keys: SearchKey[], { tenantId, senders }: SearchScope): Fragment => {
  const tenants = tenantId === null ? sql`select tenant_id from tenant` : sql`select ${tenantId}::uuid as tenant_id`
  const queries = keys.map(
    (key) =>
      sql`select ${key.kind}::text as kind, hit.bucket, hit.tenant_id, hit.journey_id, hit.matched, hit.entry_id from (${queryFor(key, senders)}) as hit`,
  )
  return sql`
    with searched_tenant as (${tenants})
    select found.kind, found.tenant_id, found.journey_id, found.matched, found.entry_id, j.type as product, j.status, j.active, j.closed_at,
      j.created_at, p.profile_sealed
    from (${join(queries, ' union all ')}) as found
    join journey j on j.bucket = found.bucket and j.tenant_id = found.tenant_id and j.journey_id = found.journey_id
    join profile p on p.bucket = j.bucket and p.tenant_id = j.tenant_id and p.journey_id = j.journey_id
    order by found.journey_id desc, found.kind, found.entry_id limit ${maxResults}`
}

export type FoundRow = Omit<SearchItem, 'createdAt' | 'name' | 'isExpired'> & {
  createdAt: Date
  closedAt: Date | null
  profileSealed: Buffer
}

/** Finds the journeys that have one of these identifiers, newest first. */
export const findJourneys = (db: Run, keys: SearchKey[], scope: SearchScope): Promise<FoundRow[]> =>
  db<FoundRow>`${searchStatement(keys, scope)}`
