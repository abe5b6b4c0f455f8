// Tables of cases: case_file with its lead, checks, moves and end; also dedupe_check, failure_notice and
// autopilot_switch.

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { isUuid } from '@lendloom/foundation/uuid'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { ApplicantDigests } from './applicant-digests.ts'
import type { CheckName, EsignStatus, KycStatus, MandateStatus, ReviewStatus } from './checks.ts'
import type { DedupeResult, KnownCase, StoredDedupeDecision } from './dedupe-decision.ts'
import type { CaseFacts, StoredFile } from './disbursement-blockers.ts'
import type { Case, CaseMove, CaseStatus } from './lifecycle.ts'

const caseColumns = sql`case_ref, sender, lead_id, loan_id, status, product, mandate_required, snapshot_version, source_event_id, created_at, updated_at`

/** Finds a case for its sender. Cases of other senders are not found. */
export async function findCase(db: Run, sender: string, caseRef: string): Promise<Case | undefined> {
  const [row] = await db<Case>`select ${caseColumns} from case_file where case_ref = ${caseRef} and sender = ${sender}`
  return row
}

/** Returns the senders of cases. Omits unknown cases. */
export const ownersOf = (db: Run, caseRefs: string[]) =>
  db<Pick<Case, 'caseRef' | 'sender'>>`select case_ref, sender from case_file where case_ref = any(${caseRefs}::text[])`

/** Finds a case of any sender; for the lender's staff and workers. */
export async function readCase(db: Run, caseRef: string): Promise<Case | undefined> {
  const [row] = await db<Case>`select ${caseColumns} from case_file where case_ref = ${caseRef}`
  return row
}

/**
 * Locks a case. Every act that changes a case starts with this lock, so the lock also increments the snapshot version
 * (D3 §4.4). Throws `absent` for an unknown case.
 */
export async function lockCase(tx: Tx, caseRef: string): Promise<Case> {
  const [row] = await tx<Case>`
    update case_file set snapshot_version = snapshot_version + 1 where case_ref = ${caseRef} returning ${caseColumns}`
  if (!row) throw new Refusal('absent', 'this case does not exist')
  return row
}

/**
 * Locks many cases and increments their versions, as `lockCase` does for one case. Two such calls may deadlock;
 * PostgreSQL then aborts one transaction, which is retried.
 */
export async function lockCases(tx: Tx, caseRefs: string[]): Promise<Case[]> {
  return tx<Case>`
    update case_file set snapshot_version = snapshot_version + 1
    where case_ref = any(${caseRefs}::text[]) returning ${caseColumns}`
}

/**
 * Locks many cases for acts that do not change their snapshots, so the versions stay. Omits unknown cases. This is an
 * update, because `for update` locks rows on one database server only.
 */
export async function lockCasesUnversioned(tx: Tx, caseRefs: string[]): Promise<void> {
  await tx`update case_file set snapshot_version = snapshot_version where case_ref = any(${caseRefs}::text[])`
}

/** Whether the sender's lead for this case was received. The case exists only after the lead is applied. */
export async function isLeadReceived(db: Run, sender: string, caseRef: string): Promise<boolean> {
  const [row] = await db`
    with settled as materialized (
      select event_id from inbox_outcome where sender = ${sender} and case_ref = ${caseRef})
    select 1 from (
      select event_id from inbox_waiting where sender = ${sender} and case_ref = ${caseRef}
      union all select event_id from settled) as known
    join inbox i on i.sender = ${sender} and i.event_id = known.event_id
    where i.event_type = 'LEAD_SUBMITTED' limit 1`
  return row !== undefined
}

export interface NewCase {
  caseRef: string
  sender: string
  leadId: string
  loanId: string
  product: string
  mandateRequired: boolean
  panDigest: Buffer
  personDigest: Buffer
  sourceEventId: string
  /** The recommended amount, which counts as exposure until there is an offer. */
  requestedPaise: bigint
  leadSealed: Buffer
}

/** Inserts a case. Returns false if any sender already has a case with this reference. */
export async function insertCase(tx: Tx, { leadSealed, ...row }: NewCase, at: Date): Promise<boolean> {
  const inserted = await tx`
    insert into case_file ${tx({ ...row, status: 'RECEIVED', createdAt: at, updatedAt: at })}
    on conflict (case_ref) do nothing returning 1`
  if (inserted.length === 0) return false
  await tx`insert into case_lead ${tx({ caseRef: row.caseRef, leadSealed, receivedAt: at })}`
  return true
}

interface CaseChange {
  move: CaseMove
  status: CaseStatus
  at: Date
}

/** Updates the status of a locked case, and records the move. */
export async function setStatus(tx: Tx, loanCase: Case, { move, status, at }: CaseChange): Promise<void> {
  await Promise.all([
    tx`update case_file set status = ${status}, updated_at = ${at} where case_ref = ${loanCase.caseRef}`,
    tx`insert into case_move (case_ref, number, move, status, at)
      select ${loanCase.caseRef}::text, count(*) + 1, ${move}::text, ${status}::text, ${at}::timestamptz from case_move where case_ref = ${loanCase.caseRef}`,
  ])
}

/** Returns the encrypted lead of a case; undefined before the case exists. */
export async function readLead(db: Run, caseRef: string): Promise<Buffer | undefined> {
  const [row] = await db<{ leadSealed: Buffer }>`select lead_sealed from case_lead where case_ref = ${caseRef}`
  return row?.leadSealed
}

/** Returns the encrypted lead of a case that exists. */
export const leadOfCase = async (db: Run, caseRef: string): Promise<Buffer> =>
  required(await readLead(db, caseRef), `the lead of case ${caseRef}`)

export interface CheckRow {
  caseRef: string
  name: CheckName
  status: string
  verified: boolean
  factsSealed: Buffer
  happenedAt: Date
  recordedAt: Date
}

/** A stored check whose name determines the type of its status. */
export interface StoredCheck<Name extends CheckName, Status extends string> extends CheckRow {
  name: Name
  status: Status
}

/** Returns what was last reported of each check of a case. */
export const readChecks = (db: Run, caseRef: string) =>
  db<
    | StoredCheck<'kyc', KycStatus>
    | StoredCheck<'lender_kyc_review', ReviewStatus>
    | StoredCheck<'mandate', MandateStatus>
    | StoredCheck<'esign', EsignStatus>
  >`
    select case_ref, name, status, verified, facts_sealed, happened_at, recorded_at from case_check
    where case_ref = ${caseRef} order by name`

/** Stores a check in place of the one of the same name. */
export async function putCheck(tx: Tx, row: CheckRow & { rail: string | null }): Promise<void> {
  await tx`
    insert into case_check ${tx({ ...row })}
    on conflict (case_ref, name) do update set status = excluded.status, verified = excluded.verified,
      facts_sealed = excluded.facts_sealed, rail = excluded.rail, happened_at = excluded.happened_at, recorded_at = excluded.recorded_at`
}

/** Returns cases with these statuses, ordered by reference, starting after the reference `after`. */
export const casesIn = (db: Run, statuses: CaseStatus[], after: string, limit: number) =>
  db<{ caseRef: string }>`
    select case_ref from case_file where status = any(${statuses}::text[]) and case_ref > ${after}
    order by case_ref limit ${limit}`

/** The end of an application between offer and disbursement. */
export interface Stop {
  caseRef: string
  /** BANK: the bank gave the payout back. */
  cause: 'LENDER' | 'BORROWER' | 'KYC' | 'TIME' | 'BANK'
  reasonCode: string
  reasonMessage: string | null
  /** A staff member, `autopilot`, `rules` or `time`. */
  stoppedBy: string
  stoppedAt: Date
}

/** Records the end of an application. */
export async function insertStop(tx: Tx, row: Stop): Promise<void> {
  await tx`insert into case_stop ${tx({ ...row })}`
}

/** Returns the end of an application; undefined if it was not ended. */
export async function readStop(db: Run, caseRef: string): Promise<Stop | undefined> {
  const [row] = await db<Stop>`
    select case_ref, cause, reason_code, reason_message, stopped_by, stopped_at from case_stop where case_ref = ${caseRef}`
  return row
}

export interface DedupeRow extends ApplicantDigests {
  sender: string
  requestId: string
  caseRef: string
  contentDigest: Buffer
  dedupeReferenceId: string
  matchStatus: DedupeResult['matchStatus']
  decision: DedupeResult['decision']
  reasonCode: string
  reasonMessage: string
  existingLeadId: string | null
  existingLoanId: string | null
  checkedAt: Date
}

/** Returns the stored result of a request, so that a repeated request has the same answer. */
export async function findDedupe(db: Run, sender: string, requestId: string): Promise<DedupeRow | undefined> {
  const [row] = await db<DedupeRow>`
    select sender, request_id, case_ref, content_digest, dedupe_reference_id, pan_digest, person_digest, match_status,
      decision, reason_code, reason_message, existing_lead_id, existing_loan_id, checked_at
    from dedupe_check where sender = ${sender} and request_id = ${requestId}`
  return row
}

/** Stores a result. Returns false if a concurrent request stored a result first. */
export async function insertDedupe(tx: Tx, row: DedupeRow): Promise<boolean> {
  const inserted = await tx`
    insert into dedupe_check ${tx({ ...row })} on conflict (sender, request_id) do nothing returning 1`
  return inserted.length > 0
}

/** A case that has the applicant's PAN, or the applicant's mobile and date of birth. */
export type SimilarCase = Omit<KnownCase, 'hasSameBirthday' | 'identityDecision'>
/**
 * Returns the newest cases of the applicant, with the state of each loan. `since`: applications without an offer that
 * are older no longer count as open.
 */
export const findSimilarCases = (
  db: Run,
  { panDigest, personDigest }: ApplicantDigests,
  since: Date,
) => db<SimilarCase>`
  select c.case_ref, c.sender, c.lead_id, c.loan_id, c.pan_digest = ${panDigest} as has_same_pan,
    c.person_digest = ${personDigest} as has_same_mobile_and_birthday,
    case when l.status = 'OVERDUE' then 'OVERDUE' when l.status in ('CLOSED', 'CANCELLED') then 'CLOSED'
      when l.status = 'ACTIVE' or c.status = 'DISBURSEMENT_PENDING' then 'LIVE'
      when c.status in ('OFFERED', 'OFFER_ACCEPTED', 'KYC_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING',
        'READY_TO_DISBURSE') or (c.status in ('RECEIVED', 'DOCUMENTS_PENDING', 'UNDER_REVIEW') and c.created_at >= ${since})
        then 'OPEN' else 'NONE' end as loan,
    case when l.case_ref is null then coalesce((o.terms->>'amountPaise')::bigint, c.requested_paise, 0)
      else l.owed_principal_paise
    end as paise
  from case_file c left join loan_of_case l on l.case_ref = c.case_ref
  left join lateral (select terms from case_offer f where f.case_ref = c.case_ref order by version desc limit 1) o on true
  where c.pan_digest = ${panDigest} or c.person_digest = ${personDigest} order by c.created_at desc limit 100`

/** Finds the decision to which a lead refers. An unknown or malformed reference is not found. */
export async function findDedupeDecision(
  db: Run,
  caseRef: string,
  dedupeReferenceId: string,
): Promise<StoredDedupeDecision | undefined> {
  if (!isUuid(dedupeReferenceId)) return undefined
  const [row] = await db<StoredDedupeDecision>`
    select sender, case_ref, pan_digest, person_digest, decision, checked_at from dedupe_check
    where case_ref = ${caseRef} and dedupe_reference_id = ${dedupeReferenceId}`
  return row
}

/** The platform's notice that it could not apply one of our events. */
export interface FailureNotice {
  caseRef: string
  eventId: string
  sourceEventId: string
  code: string
  message: string
  retryable: boolean
  failedAt: Date
  recordedAt: Date
}

/** Stores a notice once. */
export async function insertFailureNotice(tx: Tx, row: FailureNotice): Promise<void> {
  await tx`insert into failure_notice ${tx({ ...row })} on conflict do nothing`
}

/** Returns the fields of the newest offer on which a disbursement depends; null without an offer. */
export async function readOfferFact(db: Run, caseRef: string): Promise<CaseFacts['offer']> {
  const [row] = await db<NonNullable<CaseFacts['offer']>>`
    select decision, (terms->>'installmentPaise')::bigint as installment_paise from case_offer
    where case_ref = ${caseRef} order by version desc limit 1`
  return row ?? null
}

/** Returns the stored files of a case, and the references of the expected files that are missing. */
export async function readFiles(db: Run, caseRef: string): Promise<Pick<CaseFacts, 'stored' | 'pending'>> {
  const rows = await db<StoredFile & { pending: string | null }>`
    select document_id, document_type, null as pending from stored_document where case_ref = ${caseRef}
    union all
    select null, null, document_reference_id from expected_document e where case_ref = ${caseRef} and not exists (
      select from stored_document s where s.case_ref = e.case_ref and s.document_reference_id = e.document_reference_id)
    order by pending`
  return {
    stored: rows.filter(({ pending }) => pending === null),
    pending: rows.flatMap(({ pending }) => pending ?? []),
  }
}

export interface AutopilotSwitch {
  switchId: string
  isOn: boolean
  switchedBy: string
  switchedAt: Date
}

/** Returns the newest switch of the autopilot; undefined if it was never switched. */
export async function readSwitch(db: Run): Promise<AutopilotSwitch | undefined> {
  const [row] = await db<AutopilotSwitch>`
    select switch_id, is_on, switched_by, switched_at from autopilot_switch order by switched_at desc, switch_id desc limit 1`
  return row
}

/** Switches the autopilot on or off. */
export async function insertSwitch(tx: Tx, row: AutopilotSwitch): Promise<void> {
  await tx`insert into autopilot_switch ${tx({ ...row })}`
}

/** Returns the sender of a case. If the case does not exist, returns the sender of the event that is answered. */
export async function senderOfCase(
  db: Run,
  caseRef: string,
  answeredEventId: string | null,
): Promise<string | undefined> {
  const [row] = await db<{ sender: string }>`
    select sender from case_file where case_ref = ${caseRef}
    union all
    select sender from inbox_outcome where case_ref = ${caseRef} and event_id = ${answeredEventId}::uuid limit 1`
  return row?.sender
}
