// The state of some journeys' timelines: a digest of each source, which changes with anything new.

import { bucketOf } from '#kit/crypto/id.ts'
import { type Run, sql } from '#kit/db/sql.ts'
import type { TimelineKey } from './timeline-store.ts'

const own = sql`s.bucket = j.bucket and s.tenant_id = j.tenant_id and s.journey_id = j.journey_id`
const itsCase = sql`k.bucket = j.bucket and k.tenant_id = j.tenant_id and k.journey_id = j.journey_id`
const ofCase = sql`partner_case k on ${itsCase} and s.bucket = k.bucket and s.tenant_id = k.tenant_id and s.case_ref = k.case_ref`
const ofReference = sql`s.tenant_id = j.tenant_id and s.case_ref = any(j.refs)`

export interface JourneyPosition extends TimelineKey {
  position: string
}

/** Each source uses its own index; lease changes do not count. Bucketed tables come first. */
export const readPositions = (db: Run, places: TimelineKey[]): Promise<JourneyPosition[]> => db<JourneyPosition>`
  with own as materialized (
    select j.tenant_id, j.journey_id, concat_ws('/', j.version,
      (select count(*) from lifecycle_event s where ${own}),
      (select concat_ws('.', count(*), sum(tries), count(*) filter (where state = 'PENDING')) from webhook_delivery s where ${own}),
      (select concat_ws('.', count(*), count(outcome), sum(tries)) from network_message s where ${own}),
      (select concat_ws('.', count(*), count(applied_at), sum(attempt)) from inbound_message s where ${own}),
      (select concat_ws('.', count(*), max(updated_at)) from aa_session s where ${own}),
      (select concat_ws('.', count(*), max(updated_at)) from offer s where ${own}),
      (select concat_ws('.', count(*), max(updated_at)) from servicing s where ${own}),
      (select concat_ws('.', count(*), max(updated_at)) from grievance s where ${own}),
      (select count(*) from consent s where ${own}),
      (select count(*) from consent_withdrawal s where ${own}),
      (select concat_ws('.', count(*), max(s.updated_at)) from partner_check s join ${ofCase}),
      (select count(*) from provider_report s join ${ofCase}),
      (select concat_ws('.', count(*), count(s.stored_at)) from partner_document s join ${ofCase})) as position,
      (select coalesce(array_agg(k.case_ref::text), '{}') from partner_case k where ${itsCase}) as refs
    from journey j where j.bucket = any(${[...new Set(places.map((of) => bucketOf(of.journeyId)))]}::smallint[])
      and j.tenant_id = any(${[...new Set(places.map((of) => of.tenantId))]}::uuid[])
      and j.journey_id = any(${places.map((of) => of.journeyId)}::uuid[]))
  select j.tenant_id, j.journey_id, md5(concat_ws('/', j.position,
    (select count(*) from api_request s where s.tenant_id = j.tenant_id and s.journey_id = j.journey_id),
    (select count(*) from audit_entry s where s.tenant_id = j.tenant_id and s.subject = j.journey_id::text),
    (select concat_ws('.', count(*), sum(attempt)) from job s where s.tenant_id = j.tenant_id
      and coalesce(s.payload->>'journeyId', s.payload->>'caseRef') = any(j.journey_id::text || j.refs)),
    (select concat_ws('.', count(*), sum(attempt), count(*) filter (where state = 'PENDING')) from outbox s where ${ofReference}),
    (select count(*) from inbox_outcome s where ${ofReference}),
    (select concat_ws('.', count(*), count(stuck_since)) from inbox_waiting s where s.case_ref = any(j.refs)))) as position
  from own j`
