// Table command_line_sign_in: sign-ins of command lines that wait for a person's permission.
import type { Run, Tx } from '@lendloom/postgres/sql'

export interface SignInRow {
  userCode: string
  secretDigest: Buffer
  clientSealed: Buffer
  expiresAt: Date
}

/** The session of the person who allowed a sign-in. */
export interface AllowingSession {
  tenantId: string
  personId: string
  sessionId: string
}

export async function insertSignIn(db: Run, row: SignInRow): Promise<void> {
  await db`insert into command_line_sign_in ${db({ ...row })}`
}

export async function deleteExpiredSignIns(db: Run, at: Date): Promise<void> {
  await db`delete from command_line_sign_in where expires_at <= ${at}`
}

/** Finds a sign-in that has not expired and that no person has allowed. */
export async function findWaitingSignIn(db: Run, userCode: string, at: Date): Promise<SignInRow | undefined> {
  const [row] = await db<SignInRow>`
    select user_code, secret_digest, client_sealed, expires_at from command_line_sign_in
    where user_code = ${userCode} and expires_at > ${at} and by_person_id is null`
  return row
}

/** Returns false if the sign-in has expired, was refused, or a person has allowed it already. */
export async function allowSignIn(tx: Tx, userCode: string, by: AllowingSession, at: Date): Promise<boolean> {
  const rows = await tx`
    update command_line_sign_in set by_tenant_id = ${by.tenantId}, by_person_id = ${by.personId}, by_session_id = ${by.sessionId}
    where user_code = ${userCode} and expires_at > ${at} and by_person_id is null returning 1`
  return rows.length > 0
}

/** Returns false if no such sign-in waits. */
export async function refuseSignIn(tx: Tx, userCode: string, at: Date): Promise<boolean> {
  const rows = await tx`
    delete from command_line_sign_in where user_code = ${userCode} and expires_at > ${at} and by_person_id is null returning 1`
  return rows.length > 0
}

/** Locks a sign-in until the transaction ends. `by` is null while it waits. */
export async function lockSignIn(
  tx: Tx,
  userCode: string,
  at: Date,
): Promise<{ secretDigest: Buffer; by: AllowingSession | null } | undefined> {
  const [row] = await tx<{ secretDigest: Buffer } & { [Name in keyof AllowingSession]: string | null }>`
    select secret_digest, by_tenant_id as tenant_id, by_person_id as person_id, by_session_id as session_id
    from command_line_sign_in where user_code = ${userCode} and expires_at > ${at} for update`
  if (!row) return undefined
  const { secretDigest, tenantId, personId, sessionId } = row
  return { secretDigest, by: tenantId && personId && sessionId ? { tenantId, personId, sessionId } : null }
}

export async function deleteSignIn(tx: Tx, userCode: string): Promise<void> {
  await tx`delete from command_line_sign_in where user_code = ${userCode}`
}
