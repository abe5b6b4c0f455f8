// Tables of staff: person, person_email, person_recovery_code; sessions, invitations and the audit log have stores of their own.
import type { Role } from '#contract/console/staff.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { platformTenant } from './person.ts'

// People

export interface PersonRow {
  tenantId: string
  personId: string
  identitySealed: Buffer
  role: Role
  passwordHash: string
  totpSealed: Buffer | null
  totpPendingSealed: Buffer | null
  totpStep: number
}

/** Whoever signs in with that address, of whatever tenant. */
export async function findByEmail(db: Run, emailDigest: Buffer): Promise<PersonRow | undefined> {
  const [row] = await db<PersonRow>`
    select p.tenant_id, p.person_id, p.identity_sealed, p.role, p.password_hash, p.totp_sealed, p.totp_pending_sealed,
      p.totp_step
    from person_email e join person p on p.tenant_id = e.of_tenant_id and p.person_id = e.person_id
    where e.tenant_id = ${platformTenant} and e.email_digest = ${emailDigest} and p.removed_at is null`
  return row
}

export async function findPerson(db: Run, tenantId: string, personId: string): Promise<PersonRow | undefined> {
  const [row] = await db<PersonRow>`
    select tenant_id, person_id, identity_sealed, role, password_hash, totp_sealed, totp_pending_sealed, totp_step
    from person where tenant_id = ${tenantId} and person_id = ${personId} and removed_at is null`
  return row
}

/** Of these people those who ever were there, each named by the tenant that they are kept under. */
export const knownPeople = (db: Run, people: { tenantId: string; personId: string }[]) =>
  db<{ personId: string }>`
    select p.person_id from person p
    join unnest(${people.map((one) => one.tenantId)}::uuid[], ${people.map((one) => one.personId)}::uuid[])
      as named (tenant_id, person_id) on p.tenant_id = named.tenant_id and p.person_id = named.person_id`

export interface NewPersonRow {
  tenantId: string
  personId: string
  emailDigest: Buffer
  identitySealed: Buffer
  role: Role
  passwordHash: string
  createdAt: Date
}

/** Adds somebody; false, with nothing written, when the address is somebody's already. */
export async function insertPerson(tx: Tx, row: NewPersonRow): Promise<boolean> {
  const { tenantId: ofTenantId, personId, emailDigest } = row
  const claimed = await tx`
    insert into person_email ${tx({ tenantId: platformTenant, emailDigest, ofTenantId, personId })}
    on conflict do nothing returning 1`
  if (claimed.length > 0) await tx`insert into person ${tx({ ...row })}`
  return claimed.length > 0
}

export interface PersonSeen {
  tenantId: string
  personId: string
  identitySealed: Buffer
  role: Role
  hasTotp: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

/** In the order of their ids, which is that of their coming, behind the one given. */
export const listPeople = (db: Run, tenantId: string, { after, limit }: { after: string | null; limit: number }) =>
  db<PersonSeen>`
    select p.tenant_id, p.person_id, p.identity_sealed, p.role, p.totp_sealed is not null as has_totp, p.created_at,
      (select max(seen_at) from person_device d where d.tenant_id = p.tenant_id and d.person_id = p.person_id) as last_used_at
    from person p where p.tenant_id = ${tenantId} and p.removed_at is null and (${after}::uuid is null or p.person_id > ${after}::uuid)
    order by p.person_id limit ${limit}`

/** Holds all admins of a tenant until the transaction ends, and gives their ids. */
export async function lockAdmins(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx<{ personId: string }>`
    select person_id from person where tenant_id = ${tenantId} and role = 'admin' and removed_at is null
    order by person_id for update`
  return rows.map(({ personId }) => personId)
}

export async function writeRole(tx: Tx, { tenantId, personId }: PersonKey, role: Role): Promise<void> {
  await tx`update person set role = ${role} where tenant_id = ${tenantId} and person_id = ${personId}`
}

/** What somebody is kept under. */
export interface PersonKey {
  tenantId: string
  personId: string
}

/** Another password, and nobody who knew the old one stays signed in but in the session `except`. */
export async function writePassword(tx: Tx, key: PersonKey, hash: string, except: string | null): Promise<void> {
  const { tenantId, personId } = key
  await tx`update person set password_hash = ${hash} where tenant_id = ${tenantId} and person_id = ${personId}`
  await tx`
    delete from person_session
    where tenant_id = ${tenantId} and person_id = ${personId} and session_id is distinct from ${except}::uuid`
}

/**
 * Holds somebody whose password was checked, until the transaction ends; false when the password was changed meanwhile, or they
 * were removed. What follows in the transaction is seen by whoever changes the password next.
 */
export async function holdProven(
  tx: Tx,
  { tenantId, personId, passwordHash }: Pick<PersonRow, 'tenantId' | 'personId' | 'passwordHash'>,
): Promise<boolean> {
  const held = await tx`
    select 1 from person where tenant_id = ${tenantId} and person_id = ${personId} and password_hash = ${passwordHash}
      and removed_at is null for update`
  return held.length > 0
}

/** Nobody signs in as them any more; their address may be another one's. */
export async function writeRemoved(tx: Tx, { tenantId, personId }: PersonKey, at: Date): Promise<void> {
  await tx`update person set removed_at = ${at} where tenant_id = ${tenantId} and person_id = ${personId}`
  await tx`
    delete from person_email
    where tenant_id = ${platformTenant} and of_tenant_id = ${tenantId} and person_id = ${personId}`
  await tx`delete from person_device where tenant_id = ${tenantId} and person_id = ${personId}`
  await tx`delete from person_session where tenant_id = ${tenantId} and person_id = ${personId}`
}

// The second factor

export async function writePendingTotp(tx: Tx, { tenantId, personId }: PersonKey, sealed: Buffer): Promise<void> {
  await tx`update person set totp_pending_sealed = ${sealed} where tenant_id = ${tenantId} and person_id = ${personId}`
}

/** Puts the pending secret in force; false when there is none, or one is in force already. */
export async function confirmTotp(tx: Tx, { tenantId, personId }: PersonKey, step: number): Promise<boolean> {
  const rows = await tx`
    update person set totp_sealed = totp_pending_sealed, totp_pending_sealed = null, totp_step = ${step}
    where tenant_id = ${tenantId} and person_id = ${personId} and totp_sealed is null and totp_pending_sealed is not null
    returning 1`
  return rows.length > 0
}

/** Takes the code of a time step; false when one of that step, or of a later one, was used before. */
export async function useTotpStep(db: Run, { tenantId, personId }: PersonKey, step: number): Promise<boolean> {
  const rows = await db`
    update person set totp_step = ${step}
    where tenant_id = ${tenantId} and person_id = ${personId} and totp_step < ${step} returning 1`
  return rows.length > 0
}

export async function removeTotp(tx: Tx, { tenantId, personId }: PersonKey): Promise<void> {
  await tx`
    update person set totp_sealed = null, totp_pending_sealed = null
    where tenant_id = ${tenantId} and person_id = ${personId}`
  await tx`delete from person_recovery_code where tenant_id = ${tenantId} and person_id = ${personId}`
}

/** In the place of those from before. */
export async function writeRecoveryCodes(tx: Tx, { tenantId, personId }: PersonKey, digests: Buffer[]): Promise<void> {
  await tx`delete from person_recovery_code where tenant_id = ${tenantId} and person_id = ${personId}`
  await tx`
    insert into person_recovery_code (tenant_id, person_id, code_digest)
    select ${tenantId}::uuid, ${personId}::uuid, code_digest from unnest(${digests}::bytea[]) as given (code_digest)`
}

/** Takes a recovery code; false when there is none like it, or it was used before. */
export async function useRecoveryCode(
  db: Run,
  { tenantId, personId }: PersonKey,
  digest: Buffer,
  at: Date,
): Promise<boolean> {
  const rows = await db`
    update person_recovery_code set used_at = ${at}
    where tenant_id = ${tenantId} and person_id = ${personId} and code_digest = ${digest} and used_at is null returning 1`
  return rows.length > 0
}
