// Tables of desk: staff, staff_session, staff_device, staff_sign_in_failure; and what its pages list, joined from every module.

import { ascending, descending, type Keyed, type Keyset, turned, type Window } from '#kit/db/keyset.ts'
import { type Run, sql, type Tx } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { CaseStatus } from '#partner/case/lifecycle.ts'
import type { AssetClass } from '#partner/loan/class/asset-class.ts'
import type { LoanStatus } from '#partner/loan/lifecycle.ts'
import type { Need } from './needs.ts'
import { needing, waitsSince } from './queue/store.ts'
import type { Role } from './roles.ts'

// Staff

export interface StaffRow {
  staffId: string
  email: string
  name: string
  roles: Role[]
  passwordHash: string
  /** Who else may know the password. */
  knownTo: string[]
}

/** Whoever works here under that address. */
export async function findStaff(db: Run, email: string): Promise<StaffRow | undefined> {
  const [row] = await db<StaffRow>`
    select staff_id, email, name, roles, password_hash, known_to from staff where email = ${email} and removed_at is null`
  return row
}

/** Whether anybody ever worked here under that address. */
export async function isKnownStaff(db: Run, email: string): Promise<boolean> {
  return (await db`select 1 from staff where email = ${email}`).length > 0
}

export const listStaff = (db: Run) => db<Omit<StaffRow, 'passwordHash'> & { createdAt: Date; lastAt: Date | null }>`
  select staff_id, email, name, roles, known_to, created_at, (select max(at) from staff_act a where a.staff_id = s.staff_id) as last_at
  from staff s where removed_at is null order by email`

/** Adds a person, or restores one who left, and gives their id, which stays the same; undefined when they work here already. */
export async function insertStaff(tx: Tx, row: Omit<StaffRow, 'knownTo'>, at: Date): Promise<string | undefined> {
  const [kept] = await tx<{ staffId: string }>`
    insert into staff ${tx({ ...row, createdAt: at })}
    on conflict (email) do update set name = excluded.name, roles = excluded.roles,
      password_hash = excluded.password_hash, removed_at = null
      where staff.removed_at is not null returning staff_id`
  return kept?.staffId
}

/** Another password, and nobody who knew the old one stays signed in but for `except`. */
export async function writePassword(tx: Tx, staffId: string, hash: string, except: Buffer | null): Promise<void> {
  await tx`update staff set password_hash = ${hash} where staff_id = ${staffId}`
  await tx`delete from staff_session where staff_id = ${staffId} and session_digest is distinct from ${except}`
}

/**
 * Holds somebody whose password was checked, until the transaction ends; false when the password was changed meanwhile, or they
 * were removed. What follows in the transaction is seen by whoever changes the password next.
 */
export async function holdProven(
  tx: Tx,
  { staffId, passwordHash }: Pick<StaffRow, 'staffId' | 'passwordHash'>,
): Promise<boolean> {
  const held = await tx`
    select 1 from staff where staff_id = ${staffId} and password_hash = ${passwordHash} and removed_at is null for update`
  return held.length > 0
}

export async function writeRoles(tx: Tx, staffId: string, roles: readonly Role[]): Promise<void> {
  await tx`update staff set roles = ${[...roles]}::text[] where staff_id = ${staffId}`
}

/** Whoever could still let others in without this one. All of them are held until the transaction ends. */
export const otherAdmins = (tx: Tx, staffId: string) => tx`
  select staff_id from staff where 'admin' = any(roles) and removed_at is null and staff_id <> ${staffId}
  order by staff_id for update`

export async function removeStaff(tx: Tx, staffId: string, at: Date): Promise<void> {
  await tx`update staff set removed_at = ${at} where staff_id = ${staffId}`
  await tx`delete from staff_device where staff_id = ${staffId}`
  await tx`delete from staff_session where staff_id = ${staffId}`
}

interface NewSession {
  digest: Buffer
  staffId: string
  expiresAt: Date
  at: Date
}

export async function insertSession(tx: Tx, { digest, staffId, expiresAt, at }: NewSession): Promise<void> {
  await tx`delete from staff_session where expires_at <= ${at}`
  await tx`insert into staff_session ${tx({ sessionDigest: digest, staffId, expiresAt })}`
}

export async function findSession(
  db: Run,
  digest: Buffer,
  at: Date,
): Promise<(Omit<StaffRow, 'passwordHash'> & { emailsBehind: string[] }) | undefined> {
  const [row] = await db<Omit<StaffRow, 'passwordHash'> & { emailsBehind: string[] }>`
    select s.staff_id, s.email, s.name, s.roles, s.known_to,
      array(select b.email from staff b where b.staff_id = s.staff_id or b.staff_id = any(s.known_to)) as emails_behind
    from staff_session o join staff s on s.staff_id = o.staff_id
    where o.session_digest = ${digest} and o.expires_at > ${at} and s.removed_at is null`
  return row
}

export async function deleteSession(db: Run, digest: Buffer): Promise<void> {
  await db`delete from staff_session where session_digest = ${digest}`
}

/** Whether whoever works here under that address has signed in from this device. */
export async function findDevice(db: Run, digest: Buffer, email: string): Promise<boolean> {
  const found = await db`
    select 1 from staff_device d join staff s on s.staff_id = d.staff_id
    where d.device_digest = ${digest} and s.email = ${email} and s.removed_at is null`
  return found.length > 0
}

/** As long as the cookie that names it. */
const devicesKeptDays = 366

export async function keepDevice(tx: Tx, digest: Buffer, staffId: string, at: Date): Promise<void> {
  await tx`
    with forgotten as (delete from staff_device where seen_at < ${daysAfter(at, -devicesKeptDays)})
    insert into staff_device ${tx({ deviceDigest: digest, staffId, seenAt: at })}
    on conflict (device_digest) do update set seen_at = excluded.seen_at`
}

export interface SignInFailure {
  failureId: string
  email: string
  address: string
  outcome: 'WRONG' | 'LIMITED'
  at: Date
}

export async function insertFailure(db: Run, { failureId, email, address, outcome, at }: SignInFailure): Promise<void> {
  await db`
    insert into staff_sign_in_failure (failure_id, email, staff_id, address, outcome, at)
    select ${failureId}::uuid, ${email}::text, s.staff_id, ${address}::text, ${outcome}::text, ${at}::timestamptz
    from (select 1) as one left join staff s on s.email = ${email} and s.removed_at is null`
}

/** The newest first. */
export const failuresInOrder = descending([sql`f.at`, 'instant'], [sql`f.failure_id`, 'uuid'])

export const listFailures = (db: Run, window: Window) => {
  const { key, beyond, order } = turned(failuresInOrder, window)
  return db<SignInFailure & Keyed & { name: string | null }>`
    select f.failure_id, f.email, f.address, f.outcome, f.at, s.name, ${key}
    from staff_sign_in_failure f left join staff s on s.staff_id = f.staff_id where ${beyond} ${order}`
}

/** Who switched the rules last: their name where they are of our staff. */
export async function nameOf(db: Run, staffId: string): Promise<string> {
  const [row] = await db<{ name: string }>`select name from staff where staff_id::text = ${staffId}`
  return row?.name ?? staffId
}

export interface CaseLine {
  caseRef: string
  loanId: string
  status: CaseStatus
  loanStatus: LoanStatus | null
  assetClass: AssetClass | null
  nextDueOn: string | null
  updatedAt: Date
  leadSealed: Buffer
}

/** With a need: since when it waits for somebody. */
interface QueuedLine extends CaseLine {
  since: Date | null
}

export interface CaseFilter {
  status?: string | null
  need?: Need | null
  assetClass?: AssetClass | null
}

/** The newest change first; what needs somebody by how long it waits. */
export const casesInOrder = (need: Need | null): Keyset =>
  need
    ? ascending([waitsSince[need], 'instant'], [sql`c.case_ref`, 'text'])
    : descending([sql`c.updated_at`, 'instant'], [sql`c.case_ref`, 'text'])

export const listCases = (db: Run, { status = null, need = null, assetClass = null }: CaseFilter, window: Window) => {
  const { key, beyond, order } = turned(casesInOrder(need), window)
  return db<QueuedLine & Keyed>`
    select c.case_ref, c.loan_id, c.status, l.status as loan_status, l.asset_class, l.next_due_on, c.updated_at, d.lead_sealed,
      ${need ? waitsSince[need] : sql`null::timestamptz`} as since, ${key}
    from case_file c join case_lead d on d.case_ref = c.case_ref left join loan l on l.case_ref = c.case_ref
    where (${status}::text is null or c.status = ${status}::text or l.status = ${status}::text)
      and (${assetClass}::text is null or l.asset_class = ${assetClass}::text and l.status in ('ACTIVE', 'OVERDUE'))
      and (${need ? needing[need] : sql`true`}) and ${beyond}
    ${order}`
}

/** How many cases stand where. */
export const countCases = (db: Run) => db<{ status: CaseStatus; count: number }>`
  select status, count(*)::int as count from case_file group by status`

export const countLoans = (db: Run) => db<{ status: LoanStatus; count: number }>`
  select status, count(*)::int as count from loan group by status order by status`

export interface Move {
  number: number
  move: string
  status: string
  at: Date
}

export const listMoves = (db: Run, caseRef: string) => db<Move>`
  select number, move, status, at from case_move where case_ref = ${caseRef} order by number`

export interface Reviewed {
  kind: 'APPLICATION' | 'KYC'
  decision: string
  reviewer: string
  reasonCode: string | null
  reasonMessage: string | null
  reviewedAt: Date
}

/** What was decided about a case, and by whom: their name where they are of our staff. */
export const listReviews = (db: Run, caseRef: string) => db<Reviewed>`
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

/** The longest held first. */
export const holdsInOrder = ascending([sql`h.since_at`, 'instant'], [sql`h.case_ref`, 'text'])

export const listHolds = (db: Run, window: Window) => {
  const { key, beyond, order } = turned(holdsInOrder, window)
  return db<HoldLine & Keyed>`
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

/** What borrowers say to have paid, and the bank has not shown yet; the longest waiting first. */
export const claimsInOrder = ascending([sql`p.created_at`, 'instant'], [sql`p.payment_id`, 'uuid'])

export const listClaims = (db: Run, window: Window) => {
  const { key, beyond, order } = turned(claimsInOrder, window)
  return db<PaymentLine & Keyed>`
    select ${paymentLine}, ${key} from payment p join case_file c on c.case_ref = p.case_ref
    where p.status = 'PENDING_VERIFICATION' and ${beyond} ${order}`
}

/** Debits of which nobody knows yet what became; what has not changed for longest first. */
export const debitsInOrder = ascending([sql`p.updated_at`, 'instant'], [sql`p.payment_id`, 'uuid'])

export const listDebits = (db: Run, window: Window) => {
  const { key, beyond, order } = turned(debitsInOrder, window)
  return db<PaymentLine & Keyed>`
    select ${paymentLine}, ${key} from payment p join case_file c on c.case_ref = p.case_ref
    where p.status in ('PREPARED', 'UNKNOWN', 'SUBMITTED') and ${beyond} ${order}`
}

/** When a case was last looked at for a debit, and what came of it. */
export async function readDay(db: Run, caseRef: string): Promise<{ outcome: string; lookedAt: Date } | undefined> {
  const [row] = await db<{ outcome: string; lookedAt: Date }>`
    select outcome, looked_at from collection_day where case_ref = ${caseRef}`
  return row
}
