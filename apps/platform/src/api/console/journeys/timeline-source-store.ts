// The sources of a journey's timeline: queries for the data of each module by tenant and journey.

import { type Fragment, sql } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { TimelineKind } from '@lendloom/wire/console/journey-lists'
import { behindSequence, joinEndpoint } from '#platform/api/console/webhooks/webhooks-store.ts'

export interface TimelineKey {
  tenantId: string
  journeyId: string
}

export interface EntryRow {
  id: string
  at: Date
  kind: TimelineKind
  code: string
  params: Record<string, unknown>
  state: string | null
  correlationId: string | null
}

/** A query whose columns are id, at, code, params, state and correlation_id. */
export type Source = [kind: TimelineKind, rows: (key: TimelineKey) => Fragment]

/** The journey's cases; event tables store `reference`. `offset 0` makes the database select the cases before it joins. */
const casesOf = ({ tenantId, journeyId }: TimelineKey): Fragment => sql`
  (select k.bucket, k.tenant_id, k.case_ref, k.case_ref::text as reference from partner_case k
   where k.bucket = ${bucketOf(journeyId)} and k.tenant_id = ${tenantId} and k.journey_id = ${journeyId} offset 0) as of_case`

const updates: Source = [
  'update',
  ({ tenantId, journeyId }) => sql`
    select 'update.' || event_id as id, at, 'update' as code, jsonb_build_object('status', status, 'sequence', sequence) as params,
      null::text as state, correlation_id
    from lifecycle_event where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`,
]

/** The creation time that a version 7 UUID contains. */
const idInstant = (id: Fragment): Fragment =>
  sql`to_timestamp(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`

/** Requests that name the journey, and other requests with the correlation id of one of its updates. */
const requests: Source = [
  'request',
  ({ tenantId, journeyId }) => sql`
    select 'request.' || r.request_id, ${idInstant(sql`r.request_id`)}, 'request', jsonb_build_object('method', r.method,
      'route', r.route, 'status', r.status, 'ms', r.took_ms, 'error', r.error, 'keyId', r.key_id), null::text, r.correlation_id
    from (select request_id, method, route, status, took_ms, error, key_id, correlation_id from api_request
      where tenant_id = ${tenantId} and journey_id = ${journeyId}
      union all
      select request_id, method, route, status, took_ms, error, key_id, correlation_id from api_request
      where tenant_id = ${tenantId} and journey_id is null and correlation_id in (select u.correlation_id
        from lifecycle_event u where u.bucket = ${bucketOf(journeyId)} and u.tenant_id = ${tenantId} and u.journey_id = ${journeyId})) as r`,
]

/** The delivery's current state, returned with each attempt so that a page can group the attempts. */
const currentDelivery = sql`jsonb_build_object('deliveryId', d.delivery_id, 'status', d.status, 'sequence', d.sequence,
  'endpointId', case when d.callback_url_sealed is null then d.destination_id end, 'url', e.url, 'isPaused', e.paused_at is not null,
  'state', d.state, 'tries', d.tries, 'attempts', d.attempt, 'nextAt', d.due_at, 'deliveredAt', d.delivered_at,
  'behindSequence', case when d.state = 'PENDING' then ${behindSequence} end)`
const deliveries: Source = [
  'delivery',
  ({ tenantId, journeyId }) => sql`
    select 'delivery.' || d.delivery_id, d.created_at, 'delivery',
      ${currentDelivery} || jsonb_build_object('answer', d.last_answer, 'ms', d.took_ms), d.state, d.correlation_id
    from webhook_delivery d ${joinEndpoint}
    where d.bucket = ${bucketOf(journeyId)} and d.tenant_id = ${tenantId} and d.journey_id = ${journeyId}`,
]

const isSameDelivery = sql`k.bucket = d.bucket and k.tenant_id = d.tenant_id and k.application_id = d.application_id and k.delivery_id = d.delivery_id`

/** `webhook_try` stores the attempts, except a newest attempt that only the delivery's row stores. */
const attempts: Source = [
  'delivery',
  ({ tenantId, journeyId }) => {
    const isOfJourney = sql`d.bucket = ${bucketOf(journeyId)} and d.tenant_id = ${tenantId} and d.journey_id = ${journeyId}`
    return sql`
    select 'try.' || d.delivery_id || '.' || k.number, k.at, 'delivery-try',
      ${currentDelivery} || jsonb_build_object('number', k.number, 'answer', k.answer, 'ms', k.took_ms), k.state, d.correlation_id
    from webhook_delivery d join webhook_try k on ${isSameDelivery} ${joinEndpoint} where ${isOfJourney}
    union all
    select 'try.' || d.delivery_id || '.' || d.tries, d.last_attempt_at, 'delivery-try',
      ${currentDelivery} || jsonb_build_object('number', d.tries, 'answer', d.last_answer, 'ms', d.took_ms), d.state, d.correlation_id
    from webhook_delivery d ${joinEndpoint}
    where ${isOfJourney} and d.tries > 0 and d.last_attempt_at is not null
      and not exists (select from webhook_try k where ${isSameDelivery} and k.number = d.tries)`
  },
]

const messages: Source = [
  'network',
  ({ tenantId, journeyId }) => sql`
    select 'network.' || m.message_key, m.at, 'network-' || m.direction, jsonb_build_object('action', m.action, 'party', m.party,
      'lender', l.identity->>'name', 'messageId', m.message_id, 'outcome', m.outcome, 'tries', m.tries, 'late', h.late, 'note', h.note),
      case when m.outcome is null then 'WAITING' when m.outcome = 'ACK' then coalesce(h.state, m.outcome) else m.outcome end, null::text
    from network_message m
    left join conversation c on c.bucket = m.bucket and c.tenant_id = m.tenant_id and c.journey_id = m.journey_id and c.conversation_id = m.conversation_id
    left join lender l on l.tenant_id = c.tenant_id and l.lender_id = c.lender_id
    left join inbound_message h on h.bucket = m.bucket and h.tenant_id = m.tenant_id and h.journey_id = m.journey_id and h.message_key = m.message_key
    where m.bucket = ${bucketOf(journeyId)} and m.tenant_id = ${tenantId} and m.journey_id = ${journeyId}`,
]

/** Events that the platform observed itself, such as a timeout or an accepted form. */
const observations: Source = [
  'network',
  ({ tenantId, journeyId }) => sql`
    select 'noted.' || h.inbound_message_id, h.at, 'network-noted', jsonb_build_object('type', h.type, 'lender', l.identity->>'name', 'note', h.note),
      h.state, null::text
    from inbound_message h
    left join conversation c on c.bucket = h.bucket and c.tenant_id = h.tenant_id and c.journey_id = h.journey_id and c.conversation_id = h.conversation_id
    left join lender l on l.tenant_id = c.tenant_id and l.lender_id = c.lender_id
    where h.bucket = ${bucketOf(journeyId)} and h.tenant_id = ${tenantId} and h.journey_id = ${journeyId} and h.message_key is null`,
]

const sentEvents: Source = [
  'partner-event',
  (key) => sql`
    select 'sent.' || o.event_id, o.created_at, 'event-sent', jsonb_build_object('type', o.event_type, 'caseRef', o.case_ref, 'entity', o.entity_type, 'entityId', o.entity_id,
      'version', o.entity_version, 'tries', o.attempt, 'answer', o.last_answer, 'nextAt', o.due_at), o.state, o.correlation_id
    from ${casesOf(key)} join outbox o on o.tenant_id = of_case.tenant_id and o.case_ref = of_case.reference`,
]

const receivedEvent = (outcome: Fragment, reason: Fragment): Fragment => sql`
  select 'received.' || i.event_id, i.received_at, 'event-received', jsonb_build_object('type', i.event_type, 'caseRef', i.case_ref, 'sender', i.sender, 'entity', i.entity_type, 'entityId', i.entity_id,
    'version', i.entity_version, 'reason', ${reason}), ${outcome}, i.correlation_id`

/** Events with the outcome of their application, and waiting events. */
const receivedEvents: Source = [
  'partner-event',
  (key) => sql`
    ${receivedEvent(sql`s.outcome`, sql`s.reason`)}
    from ${casesOf(key)} join inbox_outcome s on s.tenant_id = of_case.tenant_id and s.case_ref = of_case.reference
    join inbox i on i.sender = s.sender and i.event_id = s.event_id
    union all
    ${receivedEvent(sql`'WAITING'`, sql`w.stuck_because`)}
    from ${casesOf(key)} join inbox_waiting w on w.case_ref = of_case.reference
    join inbox i on i.sender = w.sender and i.event_id = w.event_id
    where not exists (select from inbox_outcome s
      where s.tenant_id = of_case.tenant_id and s.case_ref = w.case_ref and s.sender = w.sender and s.event_id = w.event_id)`,
]

const checks: Source = [
  'provider',
  (key) => sql`
    select 'check.' || c.kind || '.' || c.attempt, c.created_at, 'check-begun', jsonb_build_object('kind', c.kind, 'attempt', c.attempt,
      'adapter', c.adapter, 'verified', c.verified), c.status, null::text
    from ${casesOf(key)} join partner_check c on c.bucket = of_case.bucket and c.tenant_id = of_case.tenant_id and c.case_ref = of_case.case_ref`,
]

const reports: Source = [
  'provider',
  (key) => sql`
    select 'report.' || r.kind || '.' || r.attempt || '.' || r.number, r.at,
      case when r.provider_event_id is null then 'provider-asked' else 'provider-told' end,
      jsonb_build_object('kind', r.kind, 'attempt', r.attempt, 'eventId', r.provider_event_id, 'taken', r.taken), r.status, null::text
    from ${casesOf(key)} join provider_report r on r.bucket = of_case.bucket and r.tenant_id = of_case.tenant_id and r.case_ref = of_case.case_ref`,
]

const aggregators: Source = [
  'provider',
  ({ tenantId, journeyId }) => sql`
    select 'aggregator.' || s.aa_session_id, s.created_at, 'aggregator', jsonb_build_object('purpose', s.purpose, 'aggregator', s.aggregator_id,
      'redirects', s.redirects, 'returnedCode', s.returned_code, 'reason', s.reason, 'updatedAt', s.updated_at), s.state, null::text
    from aa_session s where s.bucket = ${bucketOf(journeyId)} and s.tenant_id = ${tenantId} and s.journey_id = ${journeyId}`,
]

const documents: Source = [
  'document',
  (key) => sql`
    select 'document.' || d.document_reference_id, d.created_at, 'document', jsonb_build_object('type', d.document_type,
      'contentType', d.content_type, 'because', d.refused_because, 'storedAt', d.stored_at), d.state, null::text
    from ${casesOf(key)} join partner_document d on d.bucket = of_case.bucket and d.tenant_id = of_case.tenant_id and d.case_ref = of_case.case_ref`,
]

const consents: Source = [
  'consent',
  ({ tenantId, journeyId }) => sql`
    select 'consent.' || c.consent_id, c.given_at, 'consent-given', jsonb_build_object('purpose', c.purpose, 'textVersion', c.text_version,
      'language', c.language, 'channel', c.channel), case when w.consent_id is null then 'GIVEN' else 'WITHDRAWN' end, null::text
    from consent c left join consent_withdrawal w
      on w.bucket = c.bucket and w.tenant_id = c.tenant_id and w.journey_id = c.journey_id and w.consent_id = c.consent_id
    where c.bucket = ${bucketOf(journeyId)} and c.tenant_id = ${tenantId} and c.journey_id = ${journeyId}`,
]

const withdrawals: Source = [
  'consent',
  ({ tenantId, journeyId }) => sql`
    select 'withdrawal.' || w.consent_id, w.withdrawn_at, 'consent-withdrawn', jsonb_build_object('channel', w.channel), 'WITHDRAWN', null::text
    from consent_withdrawal w where w.bucket = ${bucketOf(journeyId)} and w.tenant_id = ${tenantId} and w.journey_id = ${journeyId}`,
]

const offers: Source = [
  'offer',
  ({ tenantId, journeyId }) => sql`
    select 'offer.' || o.offer_id || '.' || act.what, act.at, 'offer-' || act.what, jsonb_build_object('lender', l.identity->>'name',
      'offerId', o.offer_id, 'where', o.lock_source, 'stage', o.rejected_stage), null::text, null::text
    from offer o join lender l on l.tenant_id = o.tenant_id and l.lender_id = o.lender_id
    cross join lateral (values ('chosen', o.selected_at), ('accepted', o.accepted_at), ('rejected', o.rejected_at)) as act (what, at)
    where o.bucket = ${bucketOf(journeyId)} and o.tenant_id = ${tenantId} and o.journey_id = ${journeyId} and act.at is not null`,
]

/** Whether the borrower has an open credit line, so that a closing ends the line. */
const hasLine = ({ tenantId, journeyId }: TimelineKey): Fragment => sql`
  exists (select from offer o where o.bucket = ${bucketOf(journeyId)} and o.tenant_id = ${tenantId} and o.journey_id = ${journeyId}
    and o.selected_at is not null and o.line_opened_at is not null)`

const servicing: Source = [
  'servicing',
  (key) => {
    const { tenantId, journeyId } = key
    return sql`
    select 'servicing.' || s.operation_id, s.requested_at, 'servicing', jsonb_build_object('kind', s.kind, 'amountPaise', s.amount_paise::text,
      'isOfLine', ${hasLine(key)},
      'reference', s.transaction_id, 'reason', s.reason, 'asks', s.asks, 'updatedAt', s.updated_at), s.status, null::text
    from servicing s where s.bucket = ${bucketOf(journeyId)} and s.tenant_id = ${tenantId} and s.journey_id = ${journeyId}`
  },
]

const drawdowns: Source = [
  'servicing',
  ({ tenantId, journeyId }) => sql`
    select 'drawdown.' || d.drawdown_id, d.requested_at, 'drawdown', jsonb_build_object('amountPaise', d.requested_paise::text,
      'totalPaise', d.total_paise::text, 'paidPaise', d.paid_paise::text, 'reference', d.payout_reference, 'reason', d.reason,
      'updatedAt', d.updated_at), d.status, null::text
    from drawdown d where d.bucket = ${bucketOf(journeyId)} and d.tenant_id = ${tenantId} and d.journey_id = ${journeyId}`,
]

const grievances: Source = [
  'grievance',
  ({ tenantId, journeyId }) => sql`
    select 'grievance.' || g.grievance_id, g.created_at, 'grievance', jsonb_build_object('grievanceId', g.grievance_id, 'topic', g.topic,
      'category', g.category, 'subCategory', g.sub_category, 'type', g.issue_type, 'dueAt', g.resolution_due_at, 'updatedAt', g.updated_at),
      g.status, null::text
    from grievance g where g.bucket = ${bucketOf(journeyId)} and g.tenant_id = ${tenantId} and g.journey_id = ${journeyId}`,
]

const complaints: Source = [
  'grievance',
  ({ tenantId, journeyId }) => sql`
    select 'complaint.' || c.complaint_id, c.received_at, 'complaint', jsonb_build_object('complaintId', c.complaint_id,
      'number', c.number, 'topic', c.category, 'type', c.route, 'dueAt', c.resolution_due_at, 'updatedAt', c.updated_at),
      c.status, null::text
    from complaint c where c.tenant_id = ${tenantId} and c.journey_id = ${journeyId}`,
]

const staffActs: Source = [
  'staff',
  ({ tenantId, journeyId }) => sql`
    select 'staff.' || a.sequence, a.at, 'staff-act', jsonb_build_object('act', a.act, 'personId', a.person_id, 'detail', a.detail::jsonb),
      null::text, null::text
    from audit_entry a where a.tenant_id = ${tenantId} and a.subject = ${journeyId}::text`,
]

/** A link that was sent, how often it was opened on a new device, and its revocation. */
const links: Source = [
  'request',
  ({ tenantId, journeyId }) => {
    const ofJourney = sql`l.bucket = ${bucketOf(journeyId)} and l.tenant_id = ${tenantId} and l.journey_id = ${journeyId}`
    return sql`
    select 'link.' || l.link_id || '.' || act.what, act.at, 'link-' || act.what, jsonb_build_object('linkId', l.link_id,
      'expiresAt', l.expires_at), null::text, null::text
    from journey_link l cross join lateral (values ('made', l.created_at), ('revoked', l.revoked_at)) as act (what, at)
    where ${ofJourney} and act.at is not null
    union all
    select 'link.' || l.link_id || '.' || l.device_id, l.opened_at, 'link-opened', jsonb_build_object('linkId', l.link_id),
      null::text, null::text
    from journey_link_device l where ${ofJourney}`
  },
]

/** The lender with which a job deals: that of the offer of its conversation or its case; null without one. */
const lenderOfJob = ({ tenantId, journeyId }: TimelineKey): Fragment => sql`
  (select l.identity->>'name' from offer o join lender l on l.tenant_id = o.tenant_id and l.lender_id = o.lender_id
   where o.bucket = ${bucketOf(journeyId)} and o.tenant_id = ${tenantId} and o.journey_id = ${journeyId}
     and o.conversation_id::text = coalesce(j.payload->>'conversationId', j.payload->>'caseRef') limit 1)`

const jobs: Source = [
  'job',
  (key) => {
    const { tenantId, journeyId } = key
    return sql`
    select 'job.' || j.job_id, j.enqueued_at, 'job', jsonb_build_object('kind', j.kind, 'dueAt', j.due_at, 'attempt', j.attempt,
      'error', j.last_error, 'check', j.payload->>'check', 'isOfSearch', j.payload->>'conversationId' is null,
      'lender', ${lenderOfJob(key)}), 'WAITING', j.correlation_id
    from job j where j.tenant_id = ${tenantId} and coalesce(j.payload->>'journeyId', j.payload->>'caseRef') in (
      select ${journeyId}::text union all
      select k.case_ref::text from partner_case k where k.bucket = ${bucketOf(journeyId)} and k.tenant_id = ${tenantId} and k.journey_id = ${journeyId})`
  },
]

/** Sources by the prefix of their entry ids. */
export const sources: Record<string, Source> = {
  update: updates,
  request: requests,
  delivery: deliveries,
  try: attempts,
  network: messages,
  noted: observations,
  sent: sentEvents,
  received: receivedEvents,
  check: checks,
  report: reports,
  aggregator: aggregators,
  document: documents,
  consent: consents,
  withdrawal: withdrawals,
  offer: offers,
  servicing,
  drawdown: drawdowns,
  grievance: grievances,
  complaint: complaints,
  staff: staffActs,
  link: links,
  job: jobs,
}
