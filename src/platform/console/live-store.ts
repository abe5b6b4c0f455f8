// How far the timelines of some journeys have come: a digest of what each source holds, which changes when anything is new.

import { bucketOf } from '#kit/crypto/id.ts'
import { type Run, sql } from '#kit/db/sql.ts'
import type { Place } from './timeline-store.ts'

const own = sql`s.bucket = j.bucket and s.tenant_id = j.tenant_id and s.journey_id = j.journey_id`
const ofCase = sql`s.bucket = j.bucket and s.tenant_id = j.tenant_id and s.case_ref = any(k.case_refs)`
const ofReference = sql`s.tenant_id = j.tenant_id and s.case_ref = any(k.refs)`

export interface JourneyPosition extends Place {
  position: string
}

/** Each source by its own index; what a lease alone changes does not count. */
export const readPositions = (db: Run, places: Place[]): Promise<JourneyPosition[]> => db<JourneyPosition>`
  select j.tenant_id, j.journey_id, md5(concat_ws('/', j.version,
    (select count(*) from lifecycle_event s where ${own}),
    (select concat_ws('.', count(*), sum(tries), count(*) filter (where state = 'PENDING')) from webhook_delivery s where ${own}),
    (select concat_ws('.', count(*), count(outcome), sum(tries)) from network_message s where ${own}),
    (select concat_ws('.', count(*), count(applied_at), sum(attempt)) from happening s where ${own}),
    (select concat_ws('.', count(*), max(updated_at)) from aa_session s where ${own}),
    (select concat_ws('.', count(*), max(updated_at)) from offer s where ${own}),
    (select concat_ws('.', count(*), max(updated_at)) from servicing s where ${own}),
    (select concat_ws('.', count(*), max(updated_at)) from grievance s where ${own}),
    (select count(*) from api_request s where s.tenant_id = j.tenant_id and s.journey_id = j.journey_id),
    (select count(*) from consent s where ${own}),
    (select count(*) from consent_withdrawal s where ${own}),
    (select count(*) from audit_entry s where s.tenant_id = j.tenant_id and s.subject = j.journey_id::text),
    (select concat_ws('.', count(*), sum(attempt)) from job s where s.tenant_id = j.tenant_id
      and coalesce(s.payload->>'journeyId', s.payload->>'caseRef') = any(j.journey_id::text || k.refs)),
    (select concat_ws('.', count(*), sum(attempt), count(*) filter (where state = 'PENDING')) from outbox s where ${ofReference}),
    (select count(*) from inbox_outcome s where ${ofReference}),
    (select concat_ws('.', count(*), count(stuck_since)) from inbox_waiting s where s.case_ref = any(k.refs)),
    (select concat_ws('.', count(*), max(updated_at)) from partner_check s where ${ofCase}),
    (select count(*) from provider_report s where ${ofCase}),
    (select concat_ws('.', count(*), count(stored_at)) from partner_document s where ${ofCase}))) as position
  from unnest(${places.map((of) => bucketOf(of.journeyId))}::smallint[], ${places.map((of) => of.tenantId)}::uuid[], ${places.map((of) => of.journeyId)}::uuid[]) as watched (bucket, tenant_id, journey_id)
  join journey j on j.bucket = watched.bucket and j.tenant_id = watched.tenant_id and j.journey_id = watched.journey_id
  cross join lateral (
    select array_agg(case_ref) as case_refs, coalesce(array_agg(case_ref::text), '{}') as refs from partner_case
    where bucket = j.bucket and tenant_id = j.tenant_id and journey_id = j.journey_id) as k`
