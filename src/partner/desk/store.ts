// Tables of desk: staff, staff_session; and the list of cases, joined from every room.
import type { Run, Tx } from '#kit/sql.ts'
import type { CaseStatus } from '#partner/case/lifecycle.ts'
import type { LoanStatus } from '#partner/loan/lifecycle.ts'

export interface StaffRow {
  staffId: string
  email: string
  name: string
  passwordHash: string
}

export async function findStaff(db: Run, email: string): Promise<StaffRow | undefined> {
  const [row] = await db<StaffRow>`select staff_id, email, name, password_hash from staff where email = ${email}`
  return row
}

/** Adds somebody, or gives a known one another name and password and ends their sessions. */
export async function putStaff(tx: Tx, row: StaffRow, at: Date): Promise<void> {
  const [kept] = await tx<{ staffId: string }>`
    insert into staff ${tx({ ...row, createdAt: at })}
    on conflict (email) do update set name = excluded.name, password_hash = excluded.password_hash returning staff_id`
  await tx`delete from staff_session where staff_id = ${kept!.staffId}`
}

export async function insertSession(tx: Tx, digest: Buffer, staffId: string, expiresAt: Date, at: Date): Promise<void> {
  await tx`delete from staff_session where expires_at <= ${at}`
  await tx`insert into staff_session ${tx({ sessionDigest: digest, staffId, expiresAt })}`
}

export async function findSession(
  db: Run,
  digest: Buffer,
  at: Date,
): Promise<Omit<StaffRow, 'passwordHash'> | undefined> {
  const [row] = await db<Omit<StaffRow, 'passwordHash'>>`
    select s.staff_id, s.email, s.name from staff_session o join staff s on s.staff_id = o.staff_id
    where o.session_digest = ${digest} and o.expires_at > ${at}`
  return row
}

export async function deleteSession(db: Run, digest: Buffer): Promise<void> {
  await db`delete from staff_session where session_digest = ${digest}`
}

export interface CaseLine {
  caseRef: string
  leadId: string
  loanId: string
  status: CaseStatus
  loanStatus: LoanStatus | null
  nextDueOn: string | null
  updatedAt: Date
}

/** Cases by their state or by any of their numbers, the newest change first. */
export const listCases = (
  db: Run,
  { status, number }: { status: string | null; number: string | null },
  limit: number,
) =>
  db<CaseLine>`
    select c.case_ref, c.lead_id, c.loan_id, c.status, l.status as loan_status, l.next_due_on, c.updated_at
    from case_file c left join loan l on l.case_ref = c.case_ref
    where (${status}::text is null or c.status = ${status}::text or l.status = ${status}::text)
      and (${number}::text is null or ${number}::text in (c.case_ref, c.lead_id, c.loan_id, l.loan_account_id))
    order by c.updated_at desc limit ${limit}`

/** How many cases stand where. */
export const countCases = (db: Run) => db<{ status: CaseStatus; count: number }>`
  select status, count(*)::int as count from case_file group by status`

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
