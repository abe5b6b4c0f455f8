// The table staff, and queries for the desk's lists.

import { noTenant } from '@lendloom/identity/person'
import type { SessionState } from '@lendloom/identity/program'
import type { FailureRow } from '@lendloom/identity/session/store'
import type { Paise } from '@lendloom/lending/money'
import {
  ascending,
  descending,
  type KeyedRow,
  type Keyset,
  type PageWindow,
  pageClauses,
} from '@lendloom/postgres/keyset'
import { oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { Role } from '#partner/desk-person.ts'
import type { CaseStatus } from '#partner/origination/case/lifecycle.ts'
import { isUnposted } from '#partner/servicing/collection/store.ts'
import type { AssetClass } from '#partner/servicing/loan/class/asset-class.ts'
import type { LoanStatus } from '#partner/servicing/loan/loan.ts'
import type { CaseQueue } from './approval/needs.ts'
import { isHeldRow, queueConditions, waitStarts } from './queue/store.ts'

// Staff

export interface StaffRow {
  staffId: string
  email: string
  name: string
  roles: Role[]
  passwordHash: string
  /** Staff ids of other people who may know the password. */
  knownTo: string[]
  /** The user's email address, and the addresses of the staff in `knownTo`. */
  possibleUserEmails: string[]
  totpSealed: Buffer | null
  totpPendingSealed: Buffer | null
  /** From when the user may approve with the second factor; null without a second factor. */
  decidesAt: Date | null
}

type StaffLine = Pick<StaffRow, 'staffId' | 'email' | 'name' | 'roles' | 'knownTo'>

const columns = sql`s.staff_id, s.email, s.name, s.roles, s.password_hash, s.known_to, f.totp_sealed, f.totp_pending_sealed, f.decides_at,
  array(
    select b.email from staff b where b.staff_id = s.staff_id or b.staff_id = any(s.known_to)) as possible_user_emails`
const account = sql`${columns} from staff s left join person_totp f on f.person_id = s.staff_id`

/** Finds a current user by email address. */
export async function findStaff(db: Run, email: string): Promise<StaffRow | undefined> {
  const [row] = await db<StaffRow>`select ${account} where s.email = ${email} and s.removed_at is null`
  return row
}

export async function findStaffById(db: Run, staffId: string): Promise<StaffRow | undefined> {
  const [row] = await db<StaffRow>`select ${account} where s.staff_id = ${staffId} and s.removed_at is null`
  return row
}

/** Finds the user of a session, even if the session has expired. */
export async function findBySession(
  db: Run,
  tenantId: string,
  sessionId: string,
): Promise<(StaffRow & SessionState) | undefined> {
  const [row] = await db<StaffRow & SessionState>`
    select ${columns}, o.digest, o.proof, o.created_at, o.used_at, o.expires_at
    from person_session o join staff s on s.staff_id = o.person_id left join person_totp f on f.person_id = s.staff_id
    where o.tenant_id = ${tenantId} and o.session_id = ${sessionId} and s.removed_at is null`
  return row
}

/** Whether a current or removed user has the email address. */
export async function isKnownStaff(db: Run, email: string): Promise<boolean> {
  return (await db`select 1 from staff where email = ${email}`).length > 0
}

interface StaffListRow extends StaffLine {
  hasTotp: boolean
  /** Whether an account of the OpenID provider signs in as this user. */
  isLinked: boolean
  createdAt: Date
  lastAt: Date | null
}

export const listStaff = (db: Run) => db<StaffListRow>`
  select staff_id, email, name, roles, known_to, created_at,
    exists (select 1 from person_totp f where f.person_id = s.staff_id and f.totp_sealed is not null) as has_totp,
    exists (select 1 from person_open_id o where o.person_id = s.staff_id) as is_linked,
    (select at from audit_entry a where a.tenant_id = ${noTenant} and a.person_id = s.staff_id order by sequence desc limit 1) as last_at
  from staff s where removed_at is null order by email`

/** Adds or restores a user. Returns the staff id; undefined if a current user has the email address. */
export async function insertStaff(
  tx: Tx,
  row: Omit<StaffLine, 'knownTo'> & Pick<StaffRow, 'passwordHash'>,
  at: Date,
): Promise<string | undefined> {
  const [inserted] = await tx<{ staffId: string }>`
    insert into staff ${tx({ ...row, createdAt: at })}
    on conflict (email) do update set name = excluded.name, roles = excluded.roles,
      password_hash = excluded.password_hash, removed_at = null
      where staff.removed_at is not null returning staff_id`
  return inserted?.staffId
}

/** Stores a new password hash. The caller must end the user's sessions. */
export async function writeHash(tx: Tx, { personId }: { personId: string }, hash: string): Promise<void> {
  await tx`update staff set password_hash = ${hash} where staff_id = ${personId}`
}

/**
 * Locks a user until the transaction ends. Returns false if the password has changed since it was checked, or the user
 * was removed. A concurrent password change waits, and then also ends the sessions that this transaction starts.
 */
export async function lockIfPasswordUnchanged(
  tx: Tx,
  { personId, passwordHash }: { personId: string; passwordHash: string },
): Promise<boolean> {
  const locked = await tx`
    select 1 from staff where staff_id = ${personId} and password_hash = ${passwordHash} and removed_at is null for update`
  return locked.length > 0
}

export async function writeRoles(tx: Tx, staffId: string, roles: readonly Role[]): Promise<void> {
  await tx`update staff set roles = ${[...roles]}::text[] where staff_id = ${staffId}`
}

/** Locks all admins except one user until the transaction ends, and returns them. */
export const lockOtherAdmins = (tx: Tx, staffId: string) => tx`
  select staff_id from staff where 'admin' = any(roles) and removed_at is null and staff_id <> ${staffId}
  order by staff_id for update`

export async function removeStaff(tx: Tx, staffId: string, at: Date): Promise<void> {
  await tx`update staff set removed_at = ${at} where staff_id = ${staffId}`
}

/** Newest first. */
export const failuresInOrder = descending([sql`f.at`, 'instant'], [sql`f.failure_id`, 'uuid'])

export const listFailures = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(failuresInOrder, window)
  return db<FailureRow & KeyedRow & { name: string | null }>`
    select f.tenant_id, f.failure_id, f.person_id, f.detail_sealed, f.outcome, f.at, s.name, ${key}
    from sign_in_failure f left join staff s on s.staff_id = f.person_id where ${beyond} ${order}`
}

/** Returns the name of a current or removed user, or the id of an unknown user. */
export async function staffNameOf(db: Run, staffId: string): Promise<string> {
  const [row] = await db<{ name: string }>`select name from staff where staff_id::text = ${staffId}`
  return row?.name ?? staffId
}

/** The state of loan `l`: a loan closed by a cooling-off cancellation is shown as cancelled. */
export const loanState = sql`case when l.status = 'CLOSED' and l.exit_until is not null and exists (
    select from ledger_entry e where e.case_ref = l.case_ref and e.kind = 'FEE_RETURN' and not exists (
      select from ledger_entry r where r.case_ref = e.case_ref and r.reverses = e.entry_id))
  then 'CANCELLED' else l.status end`

export interface CaseLine {
  caseRef: string
  loanId: string
  status: CaseStatus
  loanStatus: LoanStatus | null
  assetClass: AssetClass | null
  nextDueOn: string | null
  loanPaise: Paise | null
  exitUntil: string | null
  updatedAt: Date
  leadSealed: Buffer
}

export interface QueuedLine extends CaseLine {
  /** Since when the case waits in the queue of the filter; null without a queue. */
  since: Date | null
  /** The sum and the last value date of the held payments; null without held payments. */
  heldPaise: Paise | null
  heldOn: string | null
  disbursedOn: string | null
  coolOffDays: number | null
}

export interface CaseFilter {
  status?: string | null
  need?: CaseQueue | null
  assetClass?: AssetClass | null
}

/** A queue starts with the case that has waited longest; without a queue, the last changed case is first. */
export const casesInOrder = (need: CaseQueue | null): Keyset =>
  need
    ? ascending([waitStarts[need], 'instant'], [sql`c.case_ref`, 'text'])
    : descending([sql`c.updated_at`, 'instant'], [sql`c.case_ref`, 'text'])

export const listCases = (
  db: Run,
  { status = null, need = null, assetClass = null }: CaseFilter,
  window: PageWindow,
) => {
  const { key, beyond, order } = pageClauses(casesInOrder(need), window)
  return db<QueuedLine & KeyedRow>`
    select c.case_ref, c.loan_id, c.status, ${loanState} as loan_status, l.asset_class, l.next_due_on, (l.terms->>'amountPaise')::bigint as loan_paise,
      c.updated_at, l.exit_until, d.lead_sealed, l.disbursed_on, (l.terms->>'coolOffDays')::int as cool_off_days,
      (select sum(p.amount_paise)::bigint from payment p where p.case_ref = c.case_ref and ${isHeldRow}) as held_paise,
      (select max(p.value_on) from payment p where p.case_ref = c.case_ref and ${isHeldRow}) as held_on,
      ${need ? waitStarts[need] : sql`null::timestamptz`} as since, ${key}
    from case_file c join case_lead d on d.case_ref = c.case_ref left join loan l on l.case_ref = c.case_ref
    where (${status}::text is null or c.status = ${status}::text or ${loanState} = ${status}::text)
      and (${assetClass}::text is null or l.asset_class = ${assetClass}::text and l.status in ('ACTIVE', 'OVERDUE'))
      and (${need ? queueConditions[need] : sql`true`}) and ${beyond}
    ${order}`
}

export const countCases = (db: Run) => db<{ status: CaseStatus; count: number }>`
  select status, count(*)::int as count from case_file group by status`

export const countLoans = (db: Run) => db<{ status: LoanStatus; count: number }>`
  select ${loanState} as status, count(*)::int as count from loan l group by 1 order by 1`

/** The payments and unposted receipts with the value date `on`, and the net amounts that wait for their payout. */
export const readMoneyOf = async (db: Run, on: string) =>
  oneRow(
    await db<Record<'postedPaise' | 'unpostedPaise' | 'toPayOutPaise', Paise>>`
    select (select coalesce(sum(amount_paise), 0)::bigint from payment where value_on = ${on}::date and status = 'POSTED') as posted_paise,
      (select coalesce(sum(amount_paise), 0)::bigint from (select amount_paise from bank_receipt where value_on = ${on}::date and ${isUnposted} union all
        select amount_paise from payment where value_on = ${on}::date and status = 'PENDING_VERIFICATION' and receipt_id is not null) as waiting) as unposted_paise,
      (select coalesce(sum((o.terms->>'netPaise')::bigint), 0)::bigint from case_file c join case_offer o on o.case_ref = c.case_ref
        where c.status = 'READY_TO_DISBURSE' and o.decision = 'ACCEPT') as to_pay_out_paise`,
  )

export interface CaseTransition {
  number: number
  move: string
  status: string
  at: Date
}

export const listTransitions = (db: Run, caseRef: string) => db<CaseTransition>`
  select number, move, status, at from case_move where case_ref = ${caseRef} order by number`

export interface ReviewRow {
  kind: 'APPLICATION' | 'KYC'
  decision: string
  reviewer: string
  reasonCode: string | null
  reasonMessage: string | null
  reviewedAt: Date
}

export const listReviews = (db: Run, caseRef: string) => db<ReviewRow>`
  select r.kind, r.decision, coalesce(s.name, r.reviewer_reference) as reviewer, r.reason_code, r.reason_message, r.reviewed_at
  from case_review r left join staff s on s.staff_id::text = r.reviewer_reference
  where r.case_ref = ${caseRef} order by r.reviewed_at`

export interface HoldLine {
  caseRef: string
  loanId: string
  policy: 'new-mandate' | 'stop' | 'review'
  reasonCode: string
  sinceAt: Date
}

/** Oldest hold first. */
export const holdsInOrder = ascending([sql`h.since_at`, 'instant'], [sql`h.case_ref`, 'text'])

export const listHolds = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(holdsInOrder, window)
  return db<HoldLine & KeyedRow>`
    select h.case_ref, c.loan_id, h.policy, h.reason_code, h.since_at, ${key}
    from collection_hold h join case_file c on c.case_ref = h.case_ref where ${beyond} ${order}`
}

export interface PaymentLine {
  caseRef: string
  loanId: string
  paymentId: string
  status: string
  method: string
  amountPaise: Paise
  claimedReference: string | null
  claimedOn: string | null
  collectionOn: string | null
  createdAt: Date
}

const paymentLine = sql`p.case_ref, c.loan_id, p.payment_id, p.status, p.method, p.amount_paise, p.claimed_reference,
  p.claimed_on, p.collection_on, p.created_at`

/** Claimed payments that the bank has not confirmed, oldest first. */
export const claimsInOrder = ascending([sql`p.created_at`, 'instant'], [sql`p.payment_id`, 'uuid'])

export const listClaims = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(claimsInOrder, window)
  return db<PaymentLine & KeyedRow>`
    select ${paymentLine}, ${key} from payment p join case_file c on c.case_ref = p.case_ref
    where p.status = 'PENDING_VERIFICATION' and p.receipt_id is null and ${beyond} ${order}`
}

/** Debits without a result; the debit whose last change is oldest is first. */
export const debitsInOrder = ascending([sql`p.updated_at`, 'instant'], [sql`p.payment_id`, 'uuid'])

export const listDebits = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(debitsInOrder, window)
  return db<PaymentLine & KeyedRow>`
    select ${paymentLine}, ${key} from payment p join case_file c on c.case_ref = p.case_ref
    where p.status in ('PREPARED', 'UNKNOWN', 'SUBMITTED') and ${beyond} ${order}`
}

export async function readDebitCheck(
  db: Run,
  caseRef: string,
): Promise<{ outcome: string; lookedAt: Date } | undefined> {
  const [row] = await db<{ outcome: string; lookedAt: Date }>`
    select outcome, looked_at from collection_day where case_ref = ${caseRef}`
  return row
}
