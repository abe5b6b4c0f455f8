// Reads and writes the exchange tables partner_case, partner_check, provider_report, provider_reference,
// partner_statement and partner_document. Also reads the borrower's profile for messages to the partner.

import { required } from '@lendloom/foundation/required'
import { assignments, type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import { journeyColumns } from '#platform/lending/journey/store.ts'
import type { CaseChange, PartnerCase } from './loan-case.ts'
import type { CheckKind, PartnerCheck } from './partner-check.ts'
import type { PartnerDocument } from './partner-document.ts'
import type { PartnerStatement } from './partner-statement.ts'

type CaseKey = Pick<PartnerCase, 'tenantId' | 'caseRef'>
/** The ids of a case, its journey and its partner; they never change. */
export type CaseKeys = Pick<PartnerCase, 'tenantId' | 'caseRef' | 'journeyId' | 'partnerId'>

const columns = sql`tenant_id, case_ref, journey_id, partner_id, lender_id, stage, dedupe_request_id, dedupe_sealed, dedupe_checked_at, evidence_sealed,
  lead_event_id, lead_id, loan_id, offer_id, decision, decision_event_id, confirmed_at, snapshot_version, snapshot_at, snapshot_sealed,
  bank_reference, ended_because, created_at, updated_at`

export type NewCase = Pick<PartnerCase, 'tenantId' | 'caseRef' | 'journeyId' | 'partnerId' | 'dedupeRequestId'>

/** Inserts a case; returns false if the journey already has a case at this partner. */
export async function insertCase(tx: Tx, row: NewCase, at: Date): Promise<boolean> {
  const inserted = await tx`
    insert into partner_case ${tx({ bucket: bucketOf(row.journeyId), ...row, stage: 'CHECKING', createdAt: at, updatedAt: at })}
    on conflict (bucket, tenant_id, journey_id, partner_id) do nothing returning 1`
  return inserted.length > 0
}

/** Reads a case. A caller that changes the case afterwards must hold the lock of its journey. */
export async function findCase(db: Run, { tenantId, caseRef }: CaseKey): Promise<PartnerCase | undefined> {
  const [row] =
    await db<PartnerCase>`select ${columns} from partner_case where bucket = ${bucketOf(caseRef)} and tenant_id = ${tenantId} and case_ref = ${caseRef}`
  return row
}

/** Locks the journey of a case until the transaction ends. */
export async function lockJourneyOfCase(tx: Tx, { tenantId, caseRef }: CaseKey): Promise<Journey | undefined> {
  const bucket = bucketOf(caseRef)
  const [row] = await tx<Journey>`
    select ${journeyColumns} from journey j where j.bucket = ${bucket} and j.tenant_id = ${tenantId} and j.journey_id = (
      select k.journey_id from partner_case k where k.bucket = ${bucket} and k.tenant_id = ${tenantId} and k.case_ref = ${caseRef})
    for update`
  return row
}

/** Lists the cases of a journey, one per partner, oldest first. */
export const listCases = (db: Run, { tenantId, journeyId }: JourneyKey) => db<PartnerCase>`
  select ${columns} from partner_case where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} order by case_ref`

/** Selects a journey's main case: open before ended, then with a sent lead before without, then the oldest. */
export const mainCaseOrder: Fragment = sql`order by stage = 'ENDED', lead_event_id is null, case_ref limit 1`

/** Finds the case that stands for the journey, by `mainCaseOrder`. */
export async function findMainCase(db: Run, { tenantId, journeyId }: JourneyKey): Promise<PartnerCase | undefined> {
  const [row] = await db<PartnerCase>`
    select ${columns} from partner_case where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} ${mainCaseOrder}`
  return row
}

/** SQL that selects the lenders that have checked the borrower's data for duplicates. */
export const informedLenders = ({ tenantId, journeyId }: JourneyKey): Fragment => sql`
  select k.lender_id from partner_case k
  where k.bucket = ${bucketOf(journeyId)} and k.tenant_id = ${tenantId} and k.journey_id = ${journeyId} and k.dedupe_checked_at is not null`

/** Whether a partner has no offer yet, because its case has not started. */
export async function hasUnlistedLender(db: Run, { tenantId, journeyId }: JourneyKey): Promise<boolean> {
  const unlisted = await db`
    select 1 from partner_case where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
      and stage = 'CHECKING' and lender_id is null`
  return unlisted.length > 0
}

/** Lists the ids of cases by `case_ref`, the only id of a case that a partner's event contains. */
export const keysOfCases = (db: Run, caseRefs: string[]): Promise<CaseKeys[]> =>
  db<CaseKeys>`
    select tenant_id, case_ref, journey_id, partner_id from partner_case
    where bucket = any(${caseRefs.map(bucketOf)}::smallint[]) and case_ref = any(${caseRefs}::uuid[])`

/** Whether the personal data of the case's journey is erased. */
export async function isCaseErased(db: Run, { tenantId, caseRef }: CaseKey): Promise<boolean> {
  const rows = await db`
    select 1 from partner_case k join journey j on j.bucket = k.bucket and j.tenant_id = k.tenant_id and j.journey_id = k.journey_id
    where k.bucket = ${bucketOf(caseRef)} and k.tenant_id = ${tenantId} and k.case_ref = ${caseRef} and j.erased_at is not null`
  return rows.length > 0
}

/** Changes columns of a case and returns the changed case. The caller holds the lock of the journey. */
export async function changeCase(tx: Tx, before: PartnerCase, change: CaseChange, at: Date): Promise<PartnerCase> {
  const changed = { ...change, updatedAt: at }
  await tx`
    update partner_case set ${assignments(changed)}
    where bucket = ${bucketOf(before.caseRef)} and tenant_id = ${before.tenantId} and case_ref = ${before.caseRef}`
  return { ...before, ...changed }
}

/** Reads the borrower's sealed details, and the newest consent for each purpose. */
export async function readApplicant(
  db: Run,
  { tenantId, journeyId }: JourneyKey,
): Promise<{ profileSealed: Buffer; consents: { purpose: string; givenAt: Date }[] }> {
  const [[row], consents] = await Promise.all([
    db<{ profileSealed: Buffer }>`
      select profile_sealed from profile where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`,
    db<{ purpose: string; givenAt: Date }>`
      select purpose, max(given_at) as given_at from consent where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} group by purpose`,
  ])
  return { profileSealed: required(row, 'the profile of a journey').profileSealed, consents }
}

const checkColumns = sql`tenant_id, case_ref, kind, attempt, adapter, provider, provider_reference, url_sealed, status, verified, result_sealed,
  lender_review, lender_reviewed_at, provider_updated_at, created_at, updated_at`

/** Inserts or updates a check, which is one session at a provider. */
export async function storeCheck(tx: Tx, check: PartnerCheck): Promise<void> {
  const { status, verified, resultSealed, lenderReview, lenderReviewedAt, providerUpdatedAt, updatedAt } = check
  await tx`
    insert into partner_check ${tx({ bucket: bucketOf(check.caseRef), ...check })}
    on conflict (bucket, tenant_id, case_ref, kind, attempt) do update set status = ${status}, verified = ${verified},
      result_sealed = ${resultSealed}, lender_review = ${lenderReview}, lender_reviewed_at = ${lenderReviewedAt}, provider_updated_at = ${providerUpdatedAt}, updated_at = ${updatedAt}`
}

/** Lists the checks of a case by kind, oldest first. */
export const listChecks = (db: Run, { tenantId, caseRef }: CaseKey): Promise<PartnerCheck[]> =>
  db<PartnerCheck>`
    select ${checkColumns} from partner_check where bucket = ${bucketOf(caseRef)} and tenant_id = ${tenantId} and case_ref = ${caseRef} order by kind, attempt`

/** Finds the last attempt at a check, the one that counts. */
export const newestCheck = async (db: Run, key: CaseKey, kind: CheckKind): Promise<PartnerCheck | undefined> =>
  (await listChecks(db, key)).findLast((check) => check.kind === kind)

/** A provider's reference for a session. Different providers may use the same text. */
export interface ProviderReference {
  kind: CheckKind | 'bank-statement'
  adapter: string
  providerReference: string
}

/** Records which case a provider's reference belongs to. A reused reference belongs to the newer case. */
export async function storeReference(
  tx: Tx,
  { kind, adapter, providerReference, tenantId, caseRef }: ProviderReference & CaseKey,
): Promise<void> {
  await tx`
    insert into provider_reference ${tx({ kind, adapter, providerReference, tenantId, caseRef })}
    on conflict (kind, adapter, provider_reference) do update set tenant_id = ${tenantId}, case_ref = ${caseRef}`
}

/** Finds the case of a provider's reference, the only identifier in a provider's callback. */
export async function findCaseByReference(
  db: Run,
  { kind, adapter, providerReference }: ProviderReference,
): Promise<CaseKey | undefined> {
  const [row] = await db<CaseKey>`
    select tenant_id, case_ref from provider_reference
    where kind = ${kind} and adapter = ${adapter} and provider_reference = ${providerReference}`
  return row
}

export interface ProviderReport extends Pick<PartnerCheck, 'tenantId' | 'caseRef' | 'kind' | 'attempt' | 'status'> {
  /** Null if we polled the report, so no event delivered it. */
  providerEventId: string | null
  /** False if the stored state was newer than the report. */
  isApplied: boolean
  at: Date
}

/** A provider that reports without end must not fill the table. */
const maxReportsPerSession = 50

/** Stores a report with the next number of its session, up to a maximum. The caller holds the journey's lock. */
export async function storeReport(tx: Tx, report: ProviderReport): Promise<void> {
  const { tenantId, caseRef, kind, attempt, status, providerEventId, isApplied, at } = report
  await tx`
    insert into provider_report (bucket, tenant_id, case_ref, kind, attempt, number, status, provider_event_id, taken, at)
    select
      ${bucketOf(caseRef)}::smallint as bucket,
      ${tenantId}::uuid as tenant_id,
      ${caseRef}::uuid as case_ref,
      ${kind}::text as kind,
      ${attempt}::smallint as attempt,
      coalesce(max(number), 0) + 1 as number,
      ${status}::text as status,
      ${providerEventId}::text as provider_event_id,
      ${isApplied}::boolean as taken,
      ${at}::timestamptz as at
    from provider_report
    where bucket = ${bucketOf(caseRef)} and tenant_id = ${tenantId} and case_ref = ${caseRef} and kind = ${kind} and attempt = ${attempt}
    having coalesce(max(number), 0) < ${maxReportsPerSession}`
}

const statementColumns = sql`tenant_id, case_ref, attempt, source, status, adapter, provider_reference, url_sealed, reason, report_sealed,
  page_ends_at, created_at, updated_at`

/** Inserts or updates an attempt to get a bank statement. */
export async function storeStatement(tx: Tx, statement: PartnerStatement): Promise<void> {
  const { status, reason, reportSealed, updatedAt } = statement
  await tx`
    insert into partner_statement ${tx({ bucket: bucketOf(statement.caseRef), ...statement })}
    on conflict (bucket, tenant_id, case_ref, attempt) do update set status = ${status}, reason = ${reason}, report_sealed = ${reportSealed},
      updated_at = ${updatedAt}`
}

/** Returns the newest attempt of a case; older attempts have no effect. */
export async function newestStatement(db: Run, { tenantId, caseRef }: CaseKey): Promise<PartnerStatement | undefined> {
  const [row] = await db<PartnerStatement>`
    select ${statementColumns} from partner_statement where bucket = ${bucketOf(caseRef)} and tenant_id = ${tenantId} and case_ref = ${caseRef}
    order by attempt desc limit 1`
  return row
}

const listedColumns = sql`tenant_id, case_ref, document_reference_id, request_id, document_type, file_name, content_type,
  provider_reference, source_sealed, state, document_id, refused_because, created_at, stored_at`
const documentColumns = sql`${listedColumns}, bytes_sealed`

export type ListedDocument = Omit<PartnerDocument, 'bytesSealed'>

/** Inserts a document; does nothing if the case has it. */
export async function insertDocument(tx: Tx, row: PartnerDocument): Promise<void> {
  await tx`insert into partner_document ${tx({ bucket: bucketOf(row.caseRef), ...row })} on conflict do nothing`
}

/** Lists the documents of a case without their bytes. */
export const listDocuments = (db: Run, { tenantId, caseRef }: CaseKey): Promise<ListedDocument[]> =>
  db<ListedDocument>`
    select ${listedColumns} from partner_document where bucket = ${bucketOf(caseRef)} and tenant_id = ${tenantId} and case_ref = ${caseRef} order by document_reference_id`

export async function findDocument(
  db: Run,
  { tenantId, caseRef }: CaseKey,
  documentReferenceId: string,
): Promise<PartnerDocument | undefined> {
  const [row] = await db<PartnerDocument>`
    select ${documentColumns} from partner_document
    where bucket = ${bucketOf(caseRef)} and tenant_id = ${tenantId} and case_ref = ${caseRef} and document_reference_id = ${documentReferenceId}`
  return row
}

export type SignedAgreement = Pick<PartnerDocument, 'tenantId' | 'caseRef' | 'documentReferenceId' | 'fileName'>

/** Finds the newest signed agreement of a journey. */
export async function findSignedAgreement(
  db: Run,
  { tenantId, journeyId }: JourneyKey,
): Promise<SignedAgreement | undefined> {
  const [row] = await db<SignedAgreement>`
    select d.tenant_id, d.case_ref, d.document_reference_id, d.file_name from partner_case k
    join partner_document d on d.bucket = k.bucket and d.tenant_id = k.tenant_id and d.case_ref = k.case_ref
    where k.bucket = ${bucketOf(journeyId)} and k.tenant_id = ${tenantId} and k.journey_id = ${journeyId}
      and d.document_type = 'SIGNED_LOAN_AGREEMENT'
    order by d.document_reference_id desc limit 1`
  return row
}

/** Records the result of an upload. Deletes our copy of the file once the partner has stored it. */
export async function recordUploadResult(
  tx: Tx,
  { tenantId, caseRef, documentReferenceId }: PartnerDocument,
  { state, documentId, refusedBecause, storedAt }: UploadResult,
): Promise<void> {
  await tx`
    update partner_document set state = ${state}, document_id = ${documentId}, refused_because = ${refusedBecause},
      stored_at = ${storedAt}, bytes_sealed = case when ${state} = 'STORED' then null else bytes_sealed end
    where bucket = ${bucketOf(caseRef)} and tenant_id = ${tenantId} and case_ref = ${caseRef} and document_reference_id = ${documentReferenceId}`
}

type UploadResult = Pick<PartnerDocument, 'state' | 'documentId' | 'refusedBecause' | 'storedAt'>

/** Lists at most 200 files that the partner has not stored, oldest first; of all cases, of one case, or one file. */
export const listUnstoredDocuments = (
  db: Run,
  { caseRef = null, documentReferenceId: id = null }: { caseRef?: string | null; documentReferenceId?: string | null },
): Promise<PartnerDocument[]> => {
  const caseFilter = caseRef === null ? sql`` : sql` and bucket = ${bucketOf(caseRef)} and case_ref = ${caseRef}`
  const documentFilter = id === null ? sql`` : sql` and bucket = ${bucketOf(id)} and document_reference_id = ${id}`
  return db<PartnerDocument>`
    select ${documentColumns} from partner_document where state <> 'STORED'${caseFilter}${documentFilter}
    order by created_at limit 200`
}

/** Resets a refused file to WAITING, so that it is uploaded again with the same request id. */
export async function resetRefusedDocument(
  tx: Tx,
  { tenantId, caseRef, documentReferenceId }: PartnerDocument,
): Promise<void> {
  await tx`
    update partner_document set state = 'WAITING', refused_because = null
    where bucket = ${bucketOf(caseRef)} and tenant_id = ${tenantId} and case_ref = ${caseRef} and document_reference_id = ${documentReferenceId} and state = 'REFUSED'`
}

/** Empties the plain digests of borrowers' files, which a process of version 0.1.0 may store during an upgrade. */
export async function clearPlainDigests(db: Run): Promise<void> {
  await db`update partner_document set sha256 = null where sha256 is not null`
}
