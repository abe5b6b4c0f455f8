// Queries for the sealed document of a timeline entry, and for the values that its decryption needs.

import type { Run } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { CheckKind } from '#platform/lenders/partner/partner-check.ts'
import type { TimelineKey } from './timeline-store.ts'

const firstRow = async <Row>(rows: Promise<Row[]>): Promise<Row | undefined> => (await rows)[0]

/** A lifecycle update as it was recorded. */
export const readUpdate = (db: Run, { tenantId, journeyId }: TimelineKey, eventId: string) =>
  firstRow(db<{ status: string; payloadSealed: Buffer | null }>`
    select status, payload_sealed from lifecycle_event
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and event_id = ${eventId}`)

/** The body of an update as it is sent to an endpoint. */
export const readDeliveryBody = (db: Run, { tenantId, journeyId }: TimelineKey, deliveryId: string) =>
  firstRow(db<{
    sequence: number
    bodySealed: Buffer | null
    eventId: string
    state: string
    dueAt: Date | null
    tries: number
  }>`
    select sequence, body_sealed, event_id, state, due_at, tries from webhook_delivery
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and delivery_id = ${deliveryId}`)

/** What the receiver answered to an attempt; of a delivery's last attempt also if the attempt itself is not stored. */
export const readAttemptAnswer = (db: Run, { tenantId, journeyId }: TimelineKey, deliveryId: string, number: number) =>
  firstRow(db<{ answer: string | null; tookMs: number | null; answerSealed: Buffer | null }>`
    select coalesce(t.answer, d.last_answer) as answer, coalesce(t.took_ms, d.took_ms) as took_ms, t.answer_sealed
    from webhook_delivery d left join webhook_try t on t.bucket = d.bucket and t.tenant_id = d.tenant_id and t.application_id = d.application_id
      and t.delivery_id = d.delivery_id and t.number = ${number}
    where d.bucket = ${bucketOf(journeyId)} and d.tenant_id = ${tenantId} and d.journey_id = ${journeyId} and d.delivery_id = ${deliveryId}`)

export const readObservation = (db: Run, { tenantId, journeyId }: TimelineKey, inboundMessageId: string) =>
  firstRow(db<{ detailSealed: Buffer | null }>`
    select detail_sealed from inbound_message
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and inbound_message_id = ${inboundMessageId}`)

/** An event sent to the partner, by a case of the journey. */
export const readSent = (db: Run, { tenantId, journeyId }: TimelineKey, eventId: string) =>
  firstRow(db<{ bodySealed: Buffer | null; reference: string }>`
    select o.body_sealed, o.case_ref as reference from partner_case k
    join outbox o on o.tenant_id = k.tenant_id and o.case_ref = k.case_ref::text
    where k.bucket = ${bucketOf(journeyId)} and k.tenant_id = ${tenantId} and k.journey_id = ${journeyId} and o.event_id = ${eventId}`)

/** An event received from the partner, by a case of the journey. */
export const readReceived = (db: Run, { tenantId, journeyId }: TimelineKey, eventId: string) =>
  firstRow(db<{ bodySealed: Buffer | null; sender: string }>`
    with cases as materialized (
      select tenant_id, case_ref::text as reference from partner_case
      where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}),
    senders as (
      select s.sender from cases join inbox_outcome s on s.tenant_id = cases.tenant_id and s.case_ref = cases.reference
      where s.event_id = ${eventId}
      union select w.sender from cases join inbox_waiting w on w.case_ref = cases.reference where w.event_id = ${eventId})
    select i.body_sealed, i.sender from senders join inbox i on i.sender = senders.sender and i.event_id = ${eventId}`)

export const readCheckResult = (db: Run, { tenantId, journeyId }: TimelineKey, kind: CheckKind, attempt: number) =>
  firstRow(db<{ caseRef: string; resultSealed: Buffer | null }>`
    select c.case_ref, c.result_sealed from partner_case k
    join partner_check c on c.bucket = k.bucket and c.tenant_id = k.tenant_id and c.case_ref = k.case_ref and c.kind = ${kind} and c.attempt = ${attempt}
    where k.bucket = ${bucketOf(journeyId)} and k.tenant_id = ${tenantId} and k.journey_id = ${journeyId}`)

export const readJobPayload = (db: Run, tenantId: string, jobId: string) =>
  firstRow(db<{ payload: unknown }>`select payload from job where tenant_id = ${tenantId} and job_id = ${jobId}`)
