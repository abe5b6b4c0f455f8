// The console's queries about lenders: identity, answers of the last hour, newest conversations.

import type { Lender } from '@lendloom/lending/lender'
import { join, type Run, sql } from '@lendloom/postgres/sql'
import type { LenderConversation } from '@lendloom/wire/console/lenders'
import type { LenderKey } from '#platform/lending/lender/switch/store.ts'

export interface LenderId {
  tenantId: string
  lenderId: string
}

export interface LenderListRow extends LenderKey {
  /** The lender's ids in each tenant, newest first. */
  ids: LenderId[]
  /** The latest identity that the lender sent. */
  identity: Lender
  seenAt: Date
}

/** Lists the lenders of one tenant, or of all tenants when null, in order of subscriber and provider id. */
export const listLenders = (
  db: Run,
  tenantId: string | null,
  { after, limit, onlyLender = null }: { after: [string, string] | null; limit: number; onlyLender?: LenderKey | null },
) =>
  db<LenderListRow>`
    select bpp_id, provider_id, json_agg(json_build_object('tenantId', tenant_id, 'lenderId', lender_id) order by updated_at desc) as ids,
      (array_agg(identity order by updated_at desc))[1] as identity, max(updated_at) as seen_at
    from lender
    where (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)
      and (${after?.[0] ?? null}::text is null or (bpp_id, provider_id) > (${after?.[0] ?? null}::text, ${after?.[1] ?? null}::text))
      and (${onlyLender?.bppId ?? null}::text is null
        or (bpp_id = ${onlyLender?.bppId ?? null}::text and provider_id = ${onlyLender?.providerId ?? null}::text))
    group by bpp_id, provider_id order by bpp_id, provider_id limit ${limit}`

/** Finds a lender's subscriber and provider id by the lender's id, in one tenant, or in all tenants when null. */
export async function findLenderKey(
  db: Run,
  lenderId: string,
  tenantId: string | null,
): Promise<LenderKey | undefined> {
  const [row] = await db<LenderKey>`
    select bpp_id, provider_id from lender
    where lender_id = ${lenderId} and (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)`
  return row
}

export interface RecentRow {
  bppId: string
  action: string
  outcome: string
  isLastHour: boolean
  count: number
  medianMs: number | null
  lastAt: Date
}

/** Counts the results of each lender's newest requests since an instant, by action, those since `hourFrom` apart. Reads no older requests. */
export const countRecentResults = (
  db: Run,
  tenantId: string | null,
  {
    bppIds,
    since,
    hourFrom,
    at,
    maxPerLender,
  }: { bppIds: string[]; since: Date; hourFrom: Date; at: Date; maxPerLender: number },
) =>
  db<RecentRow>`
    with sent as materialized (
      select bucket, tenant_id, journey_id, message_id, action, party, outcome, at, expires_at from (
        select bucket, tenant_id, journey_id, message_id, action, party, outcome, at, expires_at,
          row_number() over (partition by party order by at desc) as rank
        from network_message where at >= ${since} and party = any(${bppIds}::text[]) and direction = 'sent' and expires_at is not null
          and coalesce(outcome, '') <> 'WITHDRAWN' and (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)) as ranked
      where rank <= ${maxPerLender}),
    callback as materialized (
      select r.bucket, r.tenant_id, r.journey_id, r.message_id, r.action, min(r.at) as at
      from sent s join network_message r on r.bucket = s.bucket and r.tenant_id = s.tenant_id and r.journey_id = s.journey_id
        and r.message_id = s.message_id and r.action = 'on_' || s.action
      where r.direction = 'received' and r.outcome not like 'NACK%' and r.at >= ${since}
      group by r.bucket, r.tenant_id, r.journey_id, r.message_id, r.action),
    answered as (
      select s.party, s.action, a.at as answered_at, s.at,
        case when a.at <= s.expires_at then 'ANSWERED' when a.at is not null then 'LATE' when s.outcome like 'NACK%' then 'REFUSED'
          when s.expires_at > ${at} then 'WAITING' when s.outcome = 'ACK' then 'SILENT' else 'UNREACHED' end as outcome
      from sent s left join callback a on a.bucket = s.bucket and a.tenant_id = s.tenant_id and a.journey_id = s.journey_id
        and a.message_id = s.message_id and a.action = 'on_' || s.action)
    select party as bpp_id, action, outcome, at >= ${hourFrom} as is_last_hour, count(*)::float8 as count,
      percentile_cont(0.5) within group (order by extract(epoch from answered_at - at)::float8 * 1000) as median_ms,
      max(greatest(at, answered_at)) as last_at
    from answered group by 1, 2, 3, 4`

export interface ConversationRow extends LenderKey {
  tenantId: string
  journeyId: string
  conversationId: string
  product: string
  stage: string
  awaitedAction: string | null
  awaitedUntil: Date | null
  endedBecause: string | null
  offer: LenderConversation['offer']
  lastMessageAt: Date | null
  createdAt: Date
}

/** Lists a lender's newest conversations, across the lender's ids in all tenants, that with the last message first. */
export const listNewestConversations = (db: Run, ids: LenderId[], limit: number) =>
  db<ConversationRow>`
    select c.tenant_id, c.journey_id, c.conversation_id, c.bpp_id, c.provider_id, j.type as product, c.stage, c.awaited_action,
      c.awaited_until, c.ended_because, c.last_message_at, c.created_at,
      (select jsonb_build_object('status', o.status, 'reason', o.reason) from offer o
       where o.bucket = c.bucket and o.tenant_id = c.tenant_id and o.journey_id = c.journey_id
         and o.conversation_id = c.conversation_id limit 1) as offer
    from (${join(
      ids.map(
        ({ tenantId, lenderId }) => sql`
        (select bucket, tenant_id, journey_id, conversation_id, bpp_id, provider_id, stage, awaited_action, awaited_until,
           ended_because, last_message_at, created_at
         from conversation where tenant_id = ${tenantId} and lender_id = ${lenderId} order by conversation_id desc limit ${limit})`,
      ),
      ' union all ',
    )}) as c
    join journey j on j.bucket = c.bucket and j.tenant_id = c.tenant_id and j.journey_id = c.journey_id
    order by coalesce(c.last_message_at, c.created_at) desc, c.conversation_id desc limit ${limit}`

/** Lists the products for which each lender received requests, according to the daily figures. */
export const listRequestedProducts = (db: Run, tenantId: string | null, since: Date) =>
  db<{ lenderId: string; product: string }>`
    select distinct f.subject as lender_id, f.product from tenant t cross join lateral (
      select subject, product from figure x
      where x.tenant_id = t.tenant_id and x.name = 'offer' and x.grain = 'DAY' and x.begins_at >= ${since} offset 0) as f
    where ${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid`

/** The subscriber ids of the lenders, each once. */
export const listSubscribers = (db: Run, tenantId: string | null, limit: number) =>
  db<{ bppId: string }>`
    select distinct bpp_id from lender where ${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid
    order by bpp_id limit ${limit}`
