// Table staff: the people of the lender with their roles and passwords. Also lists failed sign-ins.

import { noTenant } from '@lendloom/identity/person'
import type { FailureRow } from '@lendloom/identity/session/store'
import type { SessionState } from '@lendloom/identity/sign-in-program'
import { descending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { Role } from './person.ts'

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

const staffColumns = sql`s.staff_id, s.email, s.name, s.roles, s.password_hash, s.known_to, f.totp_sealed, f.totp_pending_sealed, f.decides_at,
  array(
    select b.email from staff b where b.staff_id = s.staff_id or b.staff_id = any(s.known_to)) as possible_user_emails`

const staffWithTotp = sql`${staffColumns} from staff s left join person_totp f on f.person_id = s.staff_id`

/** Finds a current user by email address. */
export async function findStaff(db: Run, email: string): Promise<StaffRow | undefined> {
  const [row] = await db<StaffRow>`select ${staffWithTotp} where s.email = ${email} and s.removed_at is null`
  return row
}

/** Finds a current user. */
export async function findStaffById(db: Run, staffId: string): Promise<StaffRow | undefined> {
  const [row] = await db<StaffRow>`select ${staffWithTotp} where s.staff_id = ${staffId} and s.removed_at is null`
  return row
}

/** Finds the user of a session, even if the session has expired. */
export async function findBySession(
  db: Run,
  tenantId: string,
  sessionId: string,
): Promise<(StaffRow & SessionState) | undefined> {
  const [row] = await db<StaffRow & SessionState>`
    select ${staffColumns}, o.digest, o.proof, o.created_at, o.used_at, o.expires_at
    from person_session o join staff s on s.staff_id = o.person_id left join person_totp f on f.person_id = s.staff_id
    where o.tenant_id = ${tenantId} and o.session_id = ${sessionId} and s.removed_at is null`
  return row
}

/** Whether a current or removed user has the email address. */
export async function isKnownStaff(db: Run, email: string): Promise<boolean> {
  return (await db`select 1 from staff where email = ${email}`).length > 0
}

export interface StaffListRow extends StaffLine {
  hasTotp: boolean
  /** Whether an account of the OpenID provider signs in as this user. */
  isLinked: boolean
  createdAt: Date
  lastAt: Date | null
}

/** Returns all current users, by email address. */
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

/** Replaces the roles of a user. */
export async function writeRoles(tx: Tx, staffId: string, roles: readonly Role[]): Promise<void> {
  await tx`update staff set roles = ${[...roles]}::text[] where staff_id = ${staffId}`
}

/** Locks all admins except one user until the transaction ends, and returns them. */
export const lockOtherAdmins = (tx: Tx, staffId: string) => tx`
  select staff_id from staff where 'admin' = any(roles) and removed_at is null and staff_id <> ${staffId}
  order by staff_id for update`

/** Removes a user. The row stays, because acts and reviews name it. */
export async function removeStaff(tx: Tx, staffId: string, at: Date): Promise<void> {
  await tx`update staff set removed_at = ${at} where staff_id = ${staffId}`
}

/** Returns the name of a current or removed user, or the id of an unknown user. */
export async function staffNameOf(db: Run, staffId: string): Promise<string> {
  const [row] = await db<{ name: string }>`select name from staff where staff_id::text = ${staffId}`
  return row?.name ?? staffId
}

/** The order of failed sign-ins: newest first. */
export const failuresInOrder = descending([sql`f.at`, 'instant'], [sql`f.failure_id`, 'uuid'])

/** Returns a page of the failed sign-ins. */
export const listFailures = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(failuresInOrder, window)
  return db<FailureRow & KeyedRow & { name: string | null }>`
    select f.tenant_id, f.failure_id, f.person_id, f.detail_sealed, f.outcome, f.at, s.name, ${key}
    from sign_in_failure f left join staff s on s.staff_id = f.person_id where ${beyond} ${order}`
}

/** Records which other people may know the password of a user. */
export async function writeKnownTo(tx: Tx, staffId: string, knownTo: readonly string[]): Promise<void> {
  await tx`update staff set known_to = ${[...knownTo]}::uuid[] where staff_id = ${staffId}`
}
