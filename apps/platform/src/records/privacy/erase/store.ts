// The personal data of a journey and of a borrower, table by table, and its deletion. A test compares the list with the schema.

import { byteas } from '@lendloom/postgres/binary-array'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'
import { bucketOf } from '@lendloom/seal/id'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import { eraseArchive } from '#platform/records/archive/store.ts'

export interface BorrowerKey {
  tenantId: string
  borrowerId: string
}

const rowsOf = ({ tenantId, journeyId }: JourneyKey): Fragment =>
  sql`bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`

/** What replaces values that the schema requires. */
export interface ErasedJourney {
  profileSealed: Buffer
  /** A new id, so that later messages of the network find no journey. */
  networkTransactionId: string
  erasedAt: Date
}

/** Replaces the links in the terms of an offer. */
const noLinks = JSON.stringify({ tncLink: null, kfsLink: null })

/** Deletes the personal data of a journey. What remains are its states, times, products, amounts and terms. */
export async function eraseJourneyRows(tx: Tx, key: JourneyKey, erased: ErasedJourney): Promise<void> {
  const own = rowsOf(key)
  // First, as the archiver locks the key before the rows.
  await eraseArchive(tx, key, erased.erasedAt)
  await eraseCases(tx, key)
  await eraseRequests(tx, key)
  await eraseAnswersOf(tx, key)
  await tx`delete from network_message where ${own}`
  await tx`delete from network_report where ${own}`
  await tx`delete from inbound_message where ${own}`
  await tx`delete from lifecycle_event where ${own}`
  await tx`delete from grievance where ${own}`
  await tx`delete from staff_note where ${own}`
  await tx`delete from journey_note where ${own}`
  await tx`delete from hybrid_prefill where ${own}`
  await eraseReasons(tx, key.tenantId, [key.journeyId])
  await tx`delete from portfolio where ${own}`
  await tx`delete from aa_redirect where ${own}`
  await tx`delete from aa_session where ${own}`
  await tx`delete from fund_statement where ${own}`
  await tx`delete from journey_link_code where ${own}`
  await tx`delete from journey_link_device where ${own}`
  await tx`delete from journey_link where ${own}`
  await tx`update consent set ip_sealed = null where ${own}`
  await tx`update consent_withdrawal set ip_sealed = null where ${own}`
  await tx`
    update step set bank_sealed = null, resource_url = null, resource_url_sealed = null, diagnostics = null, heading = null
    where ${own}`
  // An open operation would take the form of a borrower who reports a payment.
  await tx`
    update servicing set url = null, url_sealed = null, transaction_id = null, payment_id = null,
      status = case when status in ('REQUESTED', 'LINK_READY') then 'EXPIRED' else status end
    where ${own}`
  await tx`
    update drawdown set account_ending = null, paid_account_ending = null, payout_reference = null,
      status = case when status in ('REQUESTED', 'TERMS_READY', 'AGREED') then 'CANCELLED' else status end
    where ${own}`
  // A link in the terms may open the lender's page about this borrower without sign-in.
  await tx`
    update offer set documents_sealed = null, payout_reference = null, visit_at = null, agent = null, rejected_stage = null,
      rejected_because = null, branches = '[]', schemes = '[]', pledges = '[]',
      terms = terms || ${noLinks}::jsonb, first_terms = first_terms || ${noLinks}::jsonb
    where ${own}`
  await tx`
    update conversation set form_url = null, form_url_sealed = null, profile_form_url = null, profile_form_url_sealed = null, submission_id = null, profile_submission_id = null,
      order_id = null, payment_id = null, ended_because = null, answered_submissions = '{}', extras = '{}',
      form_heading = null, lender_terms = null, categories = null,
      transaction_id = case when transaction_id is null then null else ${erased.networkTransactionId}::uuid end where ${own}`
  await tx`delete from watched_loan where ${own}`
  await eraseDeliveries(tx, key)
  await tx`
    update profile set profile_sealed = ${erased.profileSealed}, pan_digest = null, email_digest = null, official_email_digest = null
    where ${own}`
  await tx`
    update journey set callback_url_sealed = null, return_url_sealed = null, page_id = null, erased_at = ${erased.erasedAt},
      network_transaction_id = ${erased.networkTransactionId}
    where ${own}`
}

async function eraseDeliveries(tx: Tx, { tenantId, journeyId }: JourneyKey): Promise<void> {
  const own = rowsOf({ tenantId, journeyId })
  await tx`
    delete from webhook_try t using webhook_delivery d
    where d.bucket = ${bucketOf(journeyId)} and d.tenant_id = ${tenantId} and d.journey_id = ${journeyId} and t.bucket = d.bucket
      and t.tenant_id = d.tenant_id and t.application_id = d.application_id and t.delivery_id = d.delivery_id`
  await tx`delete from webhook_delivery where ${own}`
  await tx`delete from webhook_replay_journey where ${own}`
  await tx`
    delete from job where tenant_id = ${tenantId} and coalesce(payload->>'journeyId', payload->>'caseRef') = ${journeyId}::text`
}

/** Deletes the reasons of audited acts; the audit log keeps their digests. */
async function eraseReasons(tx: Tx, tenantId: string, subjects: string[]): Promise<void> {
  await tx`delete from audit_reason where tenant_id = ${tenantId} and subject = any(${subjects}::uuid[])`
}

/**
 * Empties the logged requests: of the journey, and those that began it, which share a correlation id with its events. That
 * id is a header of the client and may name the borrower, so it goes too; a repetition finds the rows by their journey.
 */
async function eraseRequests(tx: Tx, { tenantId, journeyId }: JourneyKey): Promise<void> {
  const events = await tx<{ correlationId: string }>`
    select correlation_id from lifecycle_event where ${rowsOf({ tenantId, journeyId })} and correlation_id is not null`
  const correlationIds = events.map(({ correlationId }) => correlationId)
  await tx`
    update api_request set bodies_sealed = null, path = route, correlation_id = request_id::text
    where tenant_id = ${tenantId} and (journey_id = ${journeyId} or (journey_id is null and correlation_id = any(${correlationIds}::text[])))`
}

/** The cases of the journey at lending partners, with everything exchanged about them (D3 §6). */
async function eraseCases(tx: Tx, { tenantId, journeyId }: JourneyKey): Promise<void> {
  const cases = await tx<{ caseRef: string }>`
    select case_ref from partner_case where ${rowsOf({ tenantId, journeyId })} for update`
  for (const { caseRef } of cases) {
    const own = sql`bucket = ${bucketOf(caseRef)} and tenant_id = ${tenantId} and case_ref = ${caseRef}`
    await eraseProviderReferences(tx, own)
    await tx`delete from partner_document where ${own}`
    await tx`delete from partner_statement where ${own}`
    await tx`delete from partner_check where ${own}`
    await tx`delete from provider_report where ${own}`
    await tx`
      update partner_case set dedupe_sealed = null, evidence_sealed = null, snapshot_sealed = null, lead_id = null, loan_id = null,
        bank_reference = null, ended_because = null where ${own}`
    await eraseMessages(tx, tenantId, caseRef)
  }
}

/** The keys of inbox and outbox name the case as text. Their versions stay, so that an event is never applied again. */
async function eraseMessages(tx: Tx, tenantId: string, caseRef: string): Promise<void> {
  await tx`
    delete from inbox i using inbox_outcome o
    where o.tenant_id = ${tenantId} and o.case_ref = ${caseRef}::text and i.sender = o.sender and i.event_id = o.event_id`
  await tx`
    delete from inbox i using inbox_waiting w where w.case_ref = ${caseRef}::text and i.sender = w.sender and i.event_id = w.event_id`
  await tx`delete from inbox_waiting where case_ref = ${caseRef}::text`
  await tx`update inbox_outcome set reason = null where tenant_id = ${tenantId} and case_ref = ${caseRef}::text`
  await tx`delete from outbox where tenant_id = ${tenantId} and case_ref = ${caseRef}::text`
  await tx`
    delete from job where tenant_id = ${tenantId} and coalesce(payload->>'journeyId', payload->>'caseRef') = ${caseRef}::text`
}

/** Finds the references by the sessions, because the table has no index by case. */
async function eraseProviderReferences(tx: Tx, own: Fragment): Promise<void> {
  const sessions = await tx<{ kind: string; adapter: string; providerReference: string; caseRef: string }>`
    select kind, adapter, provider_reference, case_ref from partner_check where ${own}
    union all select 'bank-statement', adapter, provider_reference, case_ref from partner_statement
      where ${own} and provider_reference is not null`
  for (const { kind, adapter, providerReference, caseRef } of sessions)
    await tx`
      delete from provider_reference
      where kind = ${kind} and adapter = ${adapter} and provider_reference = ${providerReference} and case_ref = ${caseRef}`
}

/** The identifier of an erased borrower, so that the integrator's identifier finds a new one. */
export const erasedExternalId = (borrowerId: string): string => `erased:${borrowerId}`

/**
 * Deletes what identifies a borrower. The integrator's identifier becomes the row's own id, so that its next session starts
 * a new borrower.
 */
export async function eraseBorrowerRows(
  tx: Tx,
  { tenantId, borrowerId }: BorrowerKey,
  requestsDigests: Buffer[],
): Promise<void> {
  const own = sql`bucket = ${bucketOf(borrowerId)} and tenant_id = ${tenantId} and borrower_id = ${borrowerId}`
  await tx`
    update borrower set external_id = ${erasedExternalId(borrowerId)}, mobile_digest = '', prefill_sealed = null where ${own}`
  await tx`
    update api_request set bodies_sealed = null, path = route, correlation_id = request_id::text, borrower_digest = null
    where tenant_id = ${tenantId} and borrower_digest = any(${byteas(requestsDigests)}::bytea[])`
  await tx`delete from nominee where ${own}`
  await eraseReasons(tx, tenantId, [borrowerId])
  await tx`delete from headless_session where ${own}`
  const principals = await principalsOf(tx, { tenantId, borrowerId })
  await tx`delete from idempotency where tenant_id = ${tenantId} and principal = any(${principals}::text[])`
}

/** The borrower in each application of the tenant, as stored answers name them. */
async function principalsOf(tx: Tx, { tenantId, borrowerId }: BorrowerKey): Promise<string[]> {
  const applications = await tx<{ applicationId: string }>`
    select application_id from application where tenant_id = ${tenantId}`
  return applications.map(({ applicationId }) => `borrower:${borrowerId}:${applicationId}`)
}

/** Deletes the answers to the borrower's requests until the end of the journey. An answer does not name its journey. */
async function eraseAnswersOf(tx: Tx, key: JourneyKey): Promise<void> {
  const { tenantId } = key
  const [journey] = await tx<{ borrowerId: string; updatedAt: Date }>`
    select borrower_id, updated_at from journey where ${rowsOf(key)}`
  if (!journey) return
  const principals = await principalsOf(tx, { tenantId, borrowerId: journey.borrowerId })
  await tx`
    delete from idempotency where tenant_id = ${tenantId} and principal = any(${principals}::text[])
      and recorded_at <= ${journey.updatedAt}`
}

/**
 * Deletes stored answers to integrators, and to the exchange of tokens, from before `before`; returns their number, at most
 * `max`. They may contain an integrator's identifier of a borrower. Answers to a borrower's session go with the borrower.
 */
export async function eraseAnswers(db: Run, before: Date, max: number): Promise<number> {
  const rows = await db`
    delete from idempotency where (tenant_id, principal, operation, key) in (
      select tenant_id, principal, operation, key from idempotency
      where principal not like 'borrower:%' and recorded_at < ${before} order by recorded_at limit ${max}) returning 1`
  return rows.length
}

/**
 * Deletes complaints that were closed before `before`, with threads and mails; returns their number, at most `max`. Keeps
 * those of a borrower on legal hold, and a merged one as long as the other one, which shares its files.
 */
export async function eraseComplaints(tx: Tx, before: Date, max: number): Promise<number> {
  const ended = await tx<{ tenantId: string; complaintId: string }>`
    select tenant_id, complaint_id from complaint c
    where closed_at < ${before}
      and not exists (select from legal_hold h where h.tenant_id = c.tenant_id and h.borrower_id = c.borrower_id and h.released_at is null)
      and not exists (select from complaint o where o.tenant_id = c.tenant_id and o.complaint_id = c.merged_into)
    order by closed_at limit ${max} for update of c`
  for (const { tenantId, complaintId } of ended) {
    await tx`delete from mail_out where tenant_id = ${tenantId} and kind = 'complaint' and subject_id = ${complaintId}`
    await tx`delete from complaint_entry where tenant_id = ${tenantId} and complaint_id = ${complaintId}`
    await tx`delete from complaint where tenant_id = ${tenantId} and complaint_id = ${complaintId}`
    await eraseReasons(tx, tenantId, [complaintId])
  }
  return ended.length
}

/**
 * Deletes ended mails from before `before`, and files from before `filesBefore`; returns the number of mails. Files do not
 * name their complaint, so a file stays while its tenant has a complaint that was received before it.
 */
export async function eraseMails(tx: Tx, before: Date, filesBefore: Date, max: number): Promise<number> {
  const sent = await tx`
    delete from mail_out where (tenant_id, mail_id) in (
      select tenant_id, mail_id from mail_out where settled_at < ${before} and kind <> 'complaint' order by settled_at limit ${max}) returning 1`
  const received = await tx<{ mailId: string }>`
    delete from mail_in where (tenant_id, mail_id) in (
      select tenant_id, mail_id from mail_in where settled_at < ${before} order by settled_at limit ${max}) returning mail_id`
  await eraseReasons(
    tx,
    noTenantId,
    received.map(({ mailId }) => mailId),
  )
  const files = await tx`
    delete from mail_file where (tenant_id, file_id) in (
      select tenant_id, file_id from mail_file f where created_at < ${filesBefore}
        and not exists (select from complaint c where c.tenant_id = f.tenant_id and c.received_at <= f.created_at) limit ${max}) returning 1`
  return Math.max(sent.length, received.length, files.length)
}
