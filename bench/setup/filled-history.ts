// Generates several days of journeys in PostgreSQL, with their updates, offers, deliveries, messages and events.

import { productIds } from '@lendloom/lending/product/products'
import { firstPartnerId } from '@lendloom/platform/src/lenders/partner/directory/lending-partner.ts'
import { bucketIn } from '@lendloom/postgres/digest-key'
import { type Db, type Fragment, sql } from '@lendloom/postgres/sql'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'

export interface Filling {
  tenantId: string
  applicationIds: string[]
  journeys: number
  /** End of the generated period, which lasts `days`. */
  until: Date
  days: number
}

const lenders = ['Kaveri Bank', 'Tulsi Credit', 'Narmada Finance', 'Sahyadri Bank', 'Meru Capital', 'Godavari Finserv']

/** A pseudorandom number from 0 to 1. The same `row` and number of a draw give the same result. */
const random = (row: Fragment, draw: number): Fragment =>
  sql`((hashint8((${row})::bigint * 1000 + ${draw}::bigint)::bigint & 2147483647) / 2147483648.0)`
const minutes = (min: number, max: number, draw: number): Fragment =>
  sql`make_interval(secs => 60 * (${min}::float8 + (${max}::float8 - ${min}::float8) * ${random(sql`n`, draw)}))`
/** A UUIDv7 of the time `at`. `number` makes it unique, and borrower `n` selects the bucket. */
const idAt = (at: Fragment, number: Fragment, n: Fragment): Fragment => sql`(
  with hex as (select lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') as time, md5((${number})::text) as rest)
  select (left(time, 8) || '-' || right(time, 4) || '-7' || left(md5((${n})::text), 3) || '-8' || substr(rest, 4, 3) || '-' || substr(rest, 7, 12))::uuid from hex)`

/** Most borrowers arrive in the afternoon, and fewer on Sundays. On one day an endpoint fails for 150 minutes. */
export async function fillHistory(db: Db, filling: Filling): Promise<void> {
  const { tenantId, applicationIds, journeys, until, days } = filling
  await db.tx(async (tx) => {
    await tx`
      create temporary table begun_journey on commit drop as
      select n, at, ${idAt(sql`at`, sql`n`, sql`n`)} as journey_id, (${applicationIds}::uuid[])[1 + (${random(sql`n`, 1)} * ${random(sql`n`, 2)} * cardinality(${applicationIds}::uuid[]))::int % cardinality(${applicationIds}::uuid[])] as application_id,
        (${[...productIds]}::text[])[1 + floor(${random(sql`n`, 3)} ^ 2 * 3)::int] as product,
        1 + (${random(sql`n`, 4)} < 0.84)::int + (${random(sql`n`, 4)} < 0.66)::int + (${random(sql`n`, 4)} < 0.4)::int
          + (${random(sql`n`, 4)} < 0.33)::int + (${random(sql`n`, 4)} < 0.3)::int + (${random(sql`n`, 4)} < 0.21)::int as depth
      from (select n, ${until}::timestamptz - make_interval(secs => 86400 * (floor(${random(sql`n`, 5)} * ${days}::float8)
          + 1 - (${random(sql`n`, 6)} + ${random(sql`n`, 7)} + ${random(sql`n`, 8)}) / 3)) as at
        from generate_series(1, ${journeys}::bigint) as n) as arrival
      where at <= ${until} and (extract(isodow from at) < 7 or n % 5 < 3)`
    await tx`
      insert into journey (bucket, tenant_id, journey_id, application_id, borrower_id, type, status, active, network_transaction_id, last_borrower_act_at, created_at, updated_at)
      select ${bucketIn(sql`journey_id`)}, ${tenantId}, journey_id, application_id, journey_id, product, 'STARTED', true, journey_id, at, at, at from begun_journey`
    await tx`
      create temporary table step_of on commit drop as
      select n, journey_id, application_id, place, begun_journey.at as began, (${['STARTED', 'PROFILED', 'OFFERED', 'OFFER_SELECTED', 'OFFER_ACCEPTED', 'LENDER_REDIRECTED', 'DISBURSED']}::text[])[place] as status,
        begun_journey.at + case when place > 1 then ${minutes(2, 14, 11)} else '0'::interval end + case when place > 2 then ${minutes(0.2, 2, 12)} else '0'::interval end
          + case when place > 3 then ${minutes(2, 50, 13)} else '0'::interval end + case when place > 4 then ${minutes(2, 30, 14)} else '0'::interval end
          + case when place > 5 then ${minutes(1, 4, 15)} else '0'::interval end
          + case when place > 6 then make_interval(secs => 1200 + 40000 * (${random(sql`n`, 16)} ^ 3)) else '0'::interval end as at
      from begun_journey cross join lateral generate_series(1, depth) as place
      union all
      select n, journey_id, application_id, depth + 1, begun_journey.at, case depth when 2 then 'NOT_OFFERED' else 'REJECTED' end, begun_journey.at + ${minutes(20, 90, 17)}
      from begun_journey where depth between 2 and 5 and (depth = 2 or ${random(sql`n`, 18)} < 0.3)`
    await tx`delete from step_of where at > ${until}`
    const known = [...statuses]
    await tx`
      insert into lifecycle_event (bucket, tenant_id, journey_id, status, sequence, event_id, payload_sealed, at)
      select ${bucketIn(sql`journey_id`)}, ${tenantId}, journey_id, status, place, ${idAt(sql`at`, sql`n * 10 + place`, sql`n`)}, decode(repeat('5a', 900), 'hex'), at
      from step_of where status = any(${known}::text[]) order by at`
    await fillOffers(tx, filling)
    await fillDeliveries(tx, filling)
    await fillMessages(tx, filling)
    await fillEvents(tx, filling)
  })
  await db`analyze`
}

type Tx = Parameters<Parameters<Db['tx']>[0]>[0]

async function fillOffers(tx: Tx, { tenantId }: Filling): Promise<void> {
  for (const [i, name] of lenders.entries()) {
    const id = `0000000${i}-0000-7000-8000-${tenantId.slice(-12)}`
    await tx`
      insert into lender (tenant_id, lender_id, bpp_id, provider_id, identity, updated_at)
      values (${tenantId}, ${id}, ${`lender-${i}.example`}, ${`p-${i}`}, ${JSON.stringify({ name })}, now())
      on conflict do nothing`
    const answerRate = 0.96 - i * 0.05
    const offerRate = answerRate * 0.6
    await tx`
      insert into offer (bucket, tenant_id, journey_id, offer_id, conversation_id, lender_id, status, reason, first_terms, limits, selected_at, created_at, updated_at)
      select ${bucketIn(sql`p.journey_id`)}, ${tenantId}, p.journey_id, ${idAt(sql`p.at`, sql`p.n * 100 + ${i}`, sql`p.n`)}, ${idAt(sql`p.at`, sql`p.n * 100 + ${i}`, sql`p.n`)}, ${id},
        case when luck < ${offerRate} then 'OFFER_RECEIVED' else 'NO_OFFER_AVAILABLE' end,
        case when luck < ${offerRate} then null when luck < ${answerRate} then 'INCOME_TOO_LOW' else 'LENDER_SILENT' end,
        case when luck < ${offerRate} then '{}'::jsonb end, '{}', case when s.at is not null and s.n % 6 = ${i} and luck < ${offerRate} then s.at end, p.at, coalesce(s.at, p.at)
      from (select n, journey_id, at, ${random(sql`n`, 30 + i)} as luck from step_of where status = 'PROFILED') as p
      left join step_of s on s.journey_id = p.journey_id and s.status = 'OFFER_SELECTED' order by p.at`
  }
}

async function fillDeliveries(tx: Tx, { tenantId, until, days }: Filling): Promise<void> {
  const outage = new Date(until.getTime() - Math.min(days, 3) * 86_400_000 + 50_000_000)
  const isInOutage = sql`(s.at >= ${outage} and s.at < ${outage}::timestamptz + interval '150 minutes')`
  const state = sql`case when s.at > ${until}::timestamptz - interval '90 seconds' then 'PENDING'
    when ${isInOutage} and luck < 0.12 then 'EXHAUSTED' when luck > 0.9996 then 'STOPPED' else 'DELIVERED' end`
  const took = sql`make_interval(secs => case when ${isInOutage} then 900 + luck * 5400 when luck > 0.985 then 6 + luck * 40
    else 0.03 + 0.3 * ${random(sql`n`, 51)} ^ 3 end)`
  await tx`
    insert into webhook_delivery (bucket, tenant_id, application_id, delivery_id, destination_id, journey_id, sequence, status, event_id, body_sealed,
      state, due_at, attempt, tries, delivered_at, last_attempt_at, created_at)
    select ${bucketIn(sql`journey_id`)}, ${tenantId}, application_id, id, ${tenantId}::uuid, journey_id, place, status, id, decode(repeat('5a', 900), 'hex'), state,
      case when state = 'PENDING' then at end, tries, tries, case when state = 'DELIVERED' then at + took end, at + took, at
    from (select s.application_id, s.journey_id, s.place, s.status, s.at, ${idAt(sql`s.at`, sql`s.n * 10 + s.place`, sql`s.n`)} as id, ${state} as state,
        case when ${isInOutage} then 5 when luck > 0.985 then 2 else 1 end as tries, ${took} as took
      from (select n, application_id, journey_id, place, status, at, ${random(sql`n * 10 + place`, 50)} as luck from step_of) as s) as delivery
    order by at`
}

async function fillMessages(tx: Tx, { tenantId }: Filling): Promise<void> {
  const actions = sql`(values (1, 'search', 'PROFILED'), (2, 'select', 'OFFERED'), (3, 'init', 'OFFER_ACCEPTED'), (4, 'confirm', 'LENDER_REDIRECTED')) as a (number, action, status)`
  await tx`
    create temporary table sent_message on commit drop as
    select s.n, s.journey_id, s.at, a.action, (s.n + a.number)::text || '-' || s.n as message_id, 'lender-' || (s.n + a.number * 7) % 6 || '.example' as party,
      ${random(sql`s.n * 10 + a.number`, 60)} * (1 - 0.02 * ((s.n + a.number * 7) % 6)) as luck, a.number
    from step_of s join ${actions} on a.status = s.status`
  await tx`
    insert into network_message (bucket, tenant_id, journey_id, message_key, direction, party, action, message_id, body_sealed, outcome, at, expires_at, sent_at, tries)
    select ${bucketIn(sql`journey_id`)}, ${tenantId}, journey_id, ${idAt(sql`at`, sql`n * 100 + number`, sql`n`)}, 'sent', party, action, message_id, decode(repeat('5a', 700), 'hex'),
      case when luck < 0.008 then 'NACK 30000' when luck < 0.012 then 'UNREACHED' else 'ACK' end, at, at + interval '30 seconds', at, 1
    from sent_message order by at`
  await tx`
    insert into network_message (bucket, tenant_id, journey_id, message_key, direction, party, action, message_id, body_sealed, outcome, at)
    select ${bucketIn(sql`journey_id`)}, ${tenantId}, journey_id, ${idAt(sql`at + took`, sql`n * 100 + 50 + number`, sql`n`)}, 'received', party, 'on_' || action, message_id, decode(repeat('5a', 700), 'hex'), 'ACK', at + took
    from (select n, number, journey_id, party, action, message_id, at, luck, case when luck > 0.985 then interval '50 seconds' else interval '3 seconds' end as took from sent_message) as s
    where luck >= 0.03 order by at`
}

async function fillEvents(tx: Tx, { tenantId }: Filling): Promise<void> {
  await tx`
    insert into partner_case (bucket, tenant_id, case_ref, journey_id, partner_id, stage, dedupe_request_id, created_at, updated_at)
    select ${bucketIn(sql`journey_id`)}, ${tenantId}, journey_id, journey_id, ${firstPartnerId}::uuid, 'X', journey_id, at, at from step_of where status = 'OFFER_SELECTED' and n % 3 = 0`
  await tx`
    create temporary table arrived_event on commit drop as
    select s.n, s.journey_id, v, ${idAt(sql`s.at`, sql`s.n * 1000 + v`, sql`s.n`)} as event_id,
      s.at + make_interval(secs => 40 * case when s.n % 60 = 0 and v = 2 then 5 else v end) as at
    from step_of s cross join generate_series(1, 4) as v where s.status = 'OFFER_SELECTED' and s.n % 3 = 0`
  await tx`
    insert into inbox (sender, event_id, event_type, case_ref, entity_type, entity_id, entity_version, body_mac, body_sealed, received_at)
    select 'PARTNER', event_id, (array['CASE_UPDATED', 'OFFER_MADE', 'KYC_REVIEW_DECIDED', 'LOAN_DISBURSED'])[v], journey_id::text, 'CASE', journey_id::text, v,
      '\\x00', decode(repeat('5a', 600), 'hex'), at from arrived_event order by at`
  await tx`
    insert into inbox_outcome (tenant_id, case_ref, sender, event_id, outcome, settled_at)
    select ${tenantId}, journey_id::text, 'PARTNER', event_id, case when ${random(sql`n * 10 + v`, 70)} < 0.01 then 'FAILED' else 'APPLIED' end,
      at + make_interval(secs => 0.02 + case when n % 60 = 0 and v > 2 then 120 else ${random(sql`n * 10 + v`, 71)} ^ 4 * 3 end) from arrived_event`
  await tx`
    insert into outbox (tenant_id, case_ref, event_id, event_type, entity_type, entity_id, entity_version, body_sealed, state, delivered_at, last_attempt_at, created_at)
    select ${tenantId}, journey_id::text, event_id, 'LEAD_SUBMITTED', 'LEAD', event_id::text, 1, decode(repeat('5a', 600), 'hex'), 'DELIVERED', at + interval '400 milliseconds', at, at
    from arrived_event where v <= 2 order by at`
}
