// Tables of sessions: person_session, person_device, sign_in_failure.

import { daysAfter } from '@lendloom/foundation/clock'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { FailureOutcome } from '#identity/sign-in-failures.ts'
import type { PersonKey, SessionState } from '#identity/sign-in-program.ts'

export interface StaffSessionRow extends SessionState {
  tenantId: string
  sessionId: string
  personId: string
  clientSealed: Buffer
  /** Of a command line: the session that allowed it, after those that allowed that one. It ends with any of them. */
  allowedBy: string[]
}

/** Inserts a session, and deletes expired ones of the same person. */
export async function insertSession(tx: Tx, row: StaffSessionRow, unusedSince: Date): Promise<void> {
  await tx`
    delete from person_session where tenant_id = ${row.tenantId} and person_id = ${row.personId}
      and (expires_at <= ${row.createdAt} or used_at <= ${unusedSince})`
  await tx`insert into person_session ${tx({ ...row })}`
}

const columns = sql`tenant_id, session_id, person_id, digest, client_sealed, proof, created_at, used_at, expires_at, allowed_by`

/** The columns of `SessionState`. */
export const sessionState = sql`s.digest, s.proof, s.created_at, s.used_at, s.expires_at`

type LockedSession = Pick<StaffSessionRow, 'proof' | 'createdAt' | 'usedAt' | 'expiresAt' | 'allowedBy'>

/** Locks a session until the transaction ends; returns undefined when it was deleted, for example by a reset. */
export async function lockSession(
  tx: Tx,
  { tenantId, personId }: PersonKey,
  sessionId: string,
): Promise<LockedSession | undefined> {
  const [session] = await tx<LockedSession>`
    select proof, created_at, used_at, expires_at, allowed_by from person_session
    where tenant_id = ${tenantId} and person_id = ${personId} and session_id = ${sessionId} for share`
  return session
}

export async function touchSession(db: Run, tenantId: string, sessionId: string, at: Date): Promise<void> {
  await db`
    update person_session set used_at = ${at}
    where tenant_id = ${tenantId} and session_id = ${sessionId} and used_at < ${at}`
}

/** Lists the open sessions of a person, newest first. */
export const listSessions = (
  db: Run,
  { tenantId, personId }: PersonKey,
  at: Date,
  unusedSince: Date,
) => db<StaffSessionRow>`
  select ${columns} from person_session
  where tenant_id = ${tenantId} and person_id = ${personId} and expires_at > ${at} and used_at > ${unusedSince}
  order by created_at desc, session_id desc limit 200`

/**
 * Deletes a session with the command lines that depend on it. Returns false when nothing was deleted. First
 * locks the session, so that a command line that it allows at this moment is deleted too, or begins no session.
 */
export async function deleteSession(tx: Tx, { tenantId, personId }: PersonKey, sessionId: string): Promise<boolean> {
  await tx`
    select 1 from person_session
    where tenant_id = ${tenantId} and person_id = ${personId} and session_id = ${sessionId} for update`
  const deleted = await tx`
    delete from person_session
    where tenant_id = ${tenantId} and person_id = ${personId}
      and (session_id = ${sessionId} or ${sessionId}::uuid = any(allowed_by)) returning 1`
  return deleted.length > 0
}

/** Ends the sessions of a person except `exceptSessionId`. */
export async function deleteOtherSessions(
  tx: Tx,
  { tenantId, personId }: PersonKey,
  exceptSessionId: string | null,
): Promise<void> {
  await tx`
    delete from person_session
    where tenant_id = ${tenantId} and person_id = ${personId} and session_id is distinct from ${exceptSessionId}::uuid`
}

type Factor = 'CODE' | 'PASSKEY'

/** Records that the person proved a second factor in this session. */
export async function writeProof(
  tx: Tx,
  { tenantId, personId }: PersonKey,
  sessionId: string,
  proof: Factor,
): Promise<void> {
  await tx`
    update person_session set proof = ${proof}
    where tenant_id = ${tenantId} and person_id = ${personId} and session_id = ${sessionId}`
}

/** Resets the proof of sessions that was made with a removed second factor. */
export async function withdrawProof(tx: Tx, { tenantId, personId }: PersonKey, proof: Factor): Promise<void> {
  await tx`
    update person_session set proof = 'PASSWORD'
    where tenant_id = ${tenantId} and person_id = ${personId} and proof = ${proof}`
}

/** Deletes all sessions of a person and returns their number, including expired ones. */
export async function deleteSessions(tx: Tx, { tenantId, personId }: PersonKey): Promise<number> {
  const rows =
    await tx`delete from person_session where tenant_id = ${tenantId} and person_id = ${personId} returning 1`
  return rows.length
}

export async function findDevice(db: Run, { tenantId, personId }: PersonKey, digest: Buffer): Promise<boolean> {
  const rows = await db`
    select 1 from person_device
    where tenant_id = ${tenantId} and person_id = ${personId} and device_digest = ${digest}`
  return rows.length > 0
}

/** Deletes the known browsers of a person except one. */
export async function deleteDevices(
  tx: Tx,
  { tenantId, personId }: PersonKey,
  exceptDevice: Buffer | null = null,
): Promise<void> {
  await tx`
    delete from person_device
    where tenant_id = ${tenantId} and person_id = ${personId} and device_digest is distinct from ${exceptDevice}::bytea`
}

/** A day longer than the lifetime of the device cookie. */
const deviceDays = 366

export async function storeDevice(tx: Tx, { tenantId, personId }: PersonKey, digest: Buffer, at: Date): Promise<void> {
  await tx`
    with stale as (delete from person_device where tenant_id = ${tenantId} and person_id = ${personId}
      and seen_at < ${daysAfter(at, -deviceDays)})
    insert into person_device ${tx({ tenantId, personId, deviceDigest: digest, seenAt: at })}
    on conflict (tenant_id, person_id, device_digest) do update set seen_at = excluded.seen_at`
}

export interface FailureRow {
  tenantId: string
  failureId: string
  personId: string | null
  detailSealed: Buffer
  outcome: FailureOutcome
  at: Date
}

export async function insertFailure(db: Run, row: FailureRow): Promise<void> {
  await db`insert into sign_in_failure ${db({ ...row })}`
}

interface FailurePage {
  after: string | null
  limit: number
  outcome?: FailureOutcome | null
}

/** Lists failures older than the id `after`, newest first. */
export const listFailures = (db: Run, tenantId: string, { after, limit, outcome = null }: FailurePage) =>
  db<FailureRow>`
    select tenant_id, failure_id, person_id, detail_sealed, outcome, at from sign_in_failure
    where tenant_id = ${tenantId} and (${after}::uuid is null or failure_id < ${after}::uuid)
      and (${outcome}::text is null or outcome = ${outcome}::text)
    order by failure_id desc limit ${limit}`

/** Deletes sessions that expired before `expiredBefore`, and failures that occurred before `failedBefore`. */
export async function deleteStaleSignIns(db: Run, expiredBefore: Date, failedBefore: Date): Promise<void> {
  await db`delete from person_session where expires_at < ${expiredBefore}`
  await db`delete from sign_in_failure where at < ${failedBefore}`
}
