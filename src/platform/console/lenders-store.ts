// What the console reads of lenders: who they are, what they answered within the hour, their newest conversations.
import type { Lender } from '#contract/network/v203/lender.ts'
import type { Run } from '#kit/db/sql.ts'
import type { LenderName } from '#platform/lender/switch/store.ts'

export interface NamedLender extends LenderName {
  /** One of them for each tenant. */
  lenderIds: string[]
  /** As it introduced itself last. */
  identity: Lender
  seenAt: Date
}

/** By their names on the network; of one tenant, or of all where null is given. */
export const listLenders = (
  db: Run,
  tenantId: string | null,
  { after, limit, only = null }: { after: [string, string] | null; limit: number; only?: LenderName | null },
) =>
  db<NamedLender>`
    select bpp_id, provider_id, array_agg(lender_id::text order by updated_at desc) as lender_ids,
      (array_agg(identity order by updated_at desc))[1] as identity, max(updated_at) as seen_at
    from lender
    where (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)
      and (${after?.[0] ?? null}::text is null or (bpp_id, provider_id) > (${after?.[0] ?? null}::text, ${after?.[1] ?? null}::text))
      and (${only?.bppId ?? null}::text is null
        or (bpp_id = ${only?.bppId ?? null}::text and provider_id = ${only?.providerId ?? null}::text))
    group by bpp_id, provider_id order by bpp_id, provider_id limit ${limit}`

/** Whose id this is, in whichever tenant; of one tenant alone where one is given. */
export async function lenderNamed(db: Run, lenderId: string, tenantId: string | null): Promise<LenderName | undefined> {
  const [row] = await db<LenderName>`
    select bpp_id, provider_id from lender
    where lender_id = ${lenderId} and (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)`
  return row
}

export interface RecentRow {
  bppId: string
  action: string
  outcome: string
  count: number
  medianMs: number | null
  lastAt: Date
}

/** What became of the newest requests to each lender since an instant, by action; found by time, so that older ones cost nothing. */
export const recentAnswers = (
  db: Run,
  tenantId: string | null,
  { bppIds, since, at, most }: { bppIds: string[]; since: Date; at: Date; most: number },
) =>
  db<RecentRow>`
    with sent as materialized (
      select m.bucket, m.tenant_id, m.journey_id, m.message_id, m.action, m.party, m.outcome, m.at, m.expires_at
      from unnest(${bppIds}::text[]) as wanted (party) cross join lateral (
        select bucket, tenant_id, journey_id, message_id, action, party, outcome, at, expires_at from network_message x
        where x.at >= ${since} and x.party = wanted.party and x.direction = 'sent' and x.expires_at is not null
          and coalesce(x.outcome, '') <> 'WITHDRAWN' and (${tenantId}::uuid is null or x.tenant_id = ${tenantId}::uuid)
        order by x.at desc limit ${most}) as m),
    answered as (
      select s.party, s.action, a.at as answered_at, s.at,
        case when a.at <= s.expires_at then 'ANSWERED' when a.at is not null then 'LATE' when s.outcome like 'NACK%' then 'REFUSED'
          when s.expires_at > ${at} then 'WAITING' when s.outcome = 'ACK' then 'SILENT' else 'UNREACHED' end as outcome
      from sent s left join lateral (
        select min(r.at) as at from network_message r
        where r.bucket = s.bucket and r.tenant_id = s.tenant_id and r.journey_id = s.journey_id and r.message_id = s.message_id
          and r.direction = 'received' and r.action = 'on_' || s.action and r.outcome not like 'NACK%') as a on true)
    select party as bpp_id, action, outcome, count(*)::float8 as count,
      percentile_cont(0.5) within group (order by extract(epoch from answered_at - at)::float8 * 1000) as median_ms,
      max(greatest(at, answered_at)) as last_at
    from answered group by party, action, outcome`

export interface ConversationRow extends LenderName {
  tenantId: string
  journeyId: string
  conversationId: string
  product: string
  stage: string
  awaitedAction: string | null
  awaitedUntil: Date | null
  endedBecause: string | null
  lastMessageAt: Date | null
  createdAt: Date
}

/** The newest few of each of these ids. */
export const newestConversations = (db: Run, lenderIds: string[], { each, limit }: { each: number; limit: number }) =>
  db<ConversationRow>`
    select c.tenant_id, c.journey_id, c.conversation_id, c.bpp_id, c.provider_id, j.type as product, c.stage, c.awaited_action,
      c.awaited_until, c.ended_because, c.last_said_at as last_message_at, c.created_at
    from lender l cross join lateral (
      select bucket, tenant_id, journey_id, conversation_id, bpp_id, provider_id, stage, awaited_action, awaited_until, ended_because,
        last_said_at, created_at
      from conversation x where x.tenant_id = l.tenant_id and x.lender_id = l.lender_id
      order by x.conversation_id desc limit ${each}) as c
    join journey j on j.bucket = c.bucket and j.tenant_id = c.tenant_id and j.journey_id = c.journey_id
    where l.lender_id = any(${lenderIds}::uuid[]) order by c.conversation_id desc limit ${limit}`

/** What was asked of each lender, by product, as the figures have it; whichever of its ids they name. */
export const productsOf = (db: Run, tenantId: string | null, since: Date) =>
  db<{ lenderId: string; product: string }>`
    select distinct f.subject as lender_id, f.product from tenant t cross join lateral (
      select subject, product from figure x
      where x.tenant_id = t.tenant_id and x.name = 'offer' and x.grain = 'DAY' and x.begins_at >= ${since} offset 0) as f
    where ${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid`

/** The lenders' names on the network, each once. */
export const subscribersOf = (db: Run, tenantId: string | null, limit: number) =>
  db<{ bppId: string }>`
    select distinct bpp_id from lender where ${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid
    order by bpp_id limit ${limit}`
