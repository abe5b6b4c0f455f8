// Computes a digest of each journey's timeline sources, which changes with every new entry or state.

import { type Run, sql } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { TimelineKey } from './timeline-store.ts'

const ofJourney = sql`s.bucket = j.bucket and s.tenant_id = j.tenant_id and s.journey_id = j.journey_id`
const caseOfJourney = sql`k.bucket = j.bucket and k.tenant_id = j.tenant_id and k.journey_id = j.journey_id`
const ofCase = sql`partner_case k on ${caseOfJourney} and s.bucket = k.bucket and s.tenant_id = k.tenant_id and s.case_ref = k.case_ref`
const ofCaseReference = sql`s.tenant_id = j.tenant_id and s.case_ref = any(j.refs)`

export interface JourneyDigest extends TimelineKey {
  digest: string
}

/** The lease of a delivery or an event does not change the digest. The inner query reads only tables with a bucket. */
export const readDigests = (db: Run, keys: TimelineKey[]): Promise<JourneyDigest[]> => db<JourneyDigest>`
  with own as materialized (
    select j.tenant_id, j.journey_id, concat_ws('/', j.version,
      (select count(*) from lifecycle_event s where ${ofJourney}),
      (select concat_ws('.', count(*), sum(tries), count(*) filter (where state = 'PENDING')) from webhook_delivery s where ${ofJourney}),
      (select concat_ws('.', count(*), count(outcome), sum(tries)) from network_message s where ${ofJourney}),
      (select concat_ws('.', count(*), count(applied_at), sum(attempt)) from inbound_message s where ${ofJourney}),
      (select concat_ws('.', count(*), max(updated_at)) from aa_session s where ${ofJourney}),
      (select concat_ws('.', count(*), max(updated_at)) from offer s where ${ofJourney}),
      (select concat_ws('.', count(*), max(updated_at)) from servicing s where ${ofJourney}),
      (select concat_ws('.', count(*), max(updated_at)) from grievance s where ${ofJourney}),
      (select count(*) from consent s where ${ofJourney}),
      (select concat_ws('.', count(*), count(revoked_at)) from journey_link s where ${ofJourney}),
      (select count(*) from journey_link_device s where ${ofJourney}),
      (select count(*) from consent_withdrawal s where ${ofJourney}),
      (select concat_ws('.', count(*), max(s.updated_at)) from partner_check s join ${ofCase}),
      (select count(*) from provider_report s join ${ofCase}),
      (select concat_ws('.', count(*), count(s.stored_at)) from partner_document s join ${ofCase})) as digest,
      (select coalesce(array_agg(k.case_ref::text), '{}') from partner_case k where ${caseOfJourney}) as refs
    from journey j where j.bucket = any(${[...new Set(keys.map((key) => bucketOf(key.journeyId)))]}::smallint[])
      and j.tenant_id = any(${[...new Set(keys.map((key) => key.tenantId))]}::uuid[])
      and j.journey_id = any(${keys.map((key) => key.journeyId)}::uuid[]))
  select j.tenant_id, j.journey_id, md5(concat_ws('/', j.digest,
    (select count(*) from api_request s where s.tenant_id = j.tenant_id and s.journey_id = j.journey_id),
    (select count(*) from audit_entry s where s.tenant_id = j.tenant_id and s.subject = j.journey_id::text),
    (select concat_ws('.', count(*), sum(attempt)) from job s where s.tenant_id = j.tenant_id
      and coalesce(s.payload->>'journeyId', s.payload->>'caseRef') = any(j.journey_id::text || j.refs)),
    (select concat_ws('.', count(*), sum(attempt), count(*) filter (where state = 'PENDING')) from outbox s where ${ofCaseReference}),
    (select count(*) from inbox_outcome s where ${ofCaseReference}),
    (select concat_ws('.', count(*), count(stuck_since)) from inbox_waiting s where s.case_ref = any(j.refs)))) as digest
  from own j`
