// Tables person and person_email.

import { noTenant } from '@lendloom/identity/person'
import { sessionState } from '@lendloom/identity/session/store'
import type { PersonKey, SessionState } from '@lendloom/identity/sign-in-program'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { Role } from '@lendloom/wire/console/staff'

export interface PersonRow {
  tenantId: string
  personId: string
  identitySealed: Buffer
  role: Role
  passwordHash: string
  totpSealed: Buffer | null
  totpPendingSealed: Buffer | null
}

const columns = sql`p.tenant_id, p.person_id, p.identity_sealed, p.role, p.password_hash, f.totp_sealed, f.totp_pending_sealed`
const joinTotp = sql`left join person_totp f on f.tenant_id = p.tenant_id and f.person_id = p.person_id`

/** Finds the person with this address in any tenant. */
export async function findByEmail(db: Run, emailDigest: Buffer): Promise<PersonRow | undefined> {
  const [row] = await db<PersonRow>`
    select ${columns} from person_email e join person p on p.tenant_id = e.of_tenant_id and p.person_id = e.person_id ${joinTotp}
    where e.tenant_id = ${noTenant} and e.email_digest = ${emailDigest} and p.removed_at is null`
  return row
}

export async function findPerson(db: Run, tenantId: string, personId: string): Promise<PersonRow | undefined> {
  const [row] = await db<PersonRow>`
    select ${columns} from person p ${joinTotp}
    where p.tenant_id = ${tenantId} and p.person_id = ${personId} and p.removed_at is null`
  return row
}

/** Finds the person of a session, even if the session has expired. */
export async function findBySession(
  db: Run,
  tenantId: string,
  sessionId: string,
): Promise<(PersonRow & SessionState) | undefined> {
  const [row] = await db<PersonRow & SessionState>`
    select ${columns}, ${sessionState}
    from person_session s join person p on p.tenant_id = s.tenant_id and p.person_id = s.person_id ${joinTotp}
    where s.tenant_id = ${tenantId} and s.session_id = ${sessionId} and p.removed_at is null`
  return row
}

/** Returns which of these people are stored; removed people are, too. */
export const findExistingPeople = (db: Run, people: { tenantId: string; personId: string }[]) =>
  db<{ personId: string }>`
    select p.person_id from person p
    join unnest(${people.map((person) => person.tenantId)}::uuid[], ${people.map((person) => person.personId)}::uuid[])
      as requested (tenant_id, person_id) on p.tenant_id = requested.tenant_id and p.person_id = requested.person_id`

export interface NewPersonRow {
  tenantId: string
  personId: string
  emailDigest: Buffer
  identitySealed: Buffer
  role: Role
  passwordHash: string
  createdAt: Date
}

/** Inserts a person; returns false, without any change, when the address is in use. */
export async function insertPerson(tx: Tx, row: NewPersonRow): Promise<boolean> {
  const { tenantId: ofTenantId, personId, emailDigest } = row
  const claimed = await tx`
    insert into person_email ${tx({ tenantId: noTenant, emailDigest, ofTenantId, personId })}
    on conflict do nothing returning 1`
  if (claimed.length > 0) await tx`insert into person ${tx({ ...row })}`
  return claimed.length > 0
}

export interface PersonListRow {
  tenantId: string
  personId: string
  identitySealed: Buffer
  role: Role
  hasTotp: boolean
  passkeyCount: number
  createdAt: Date
  lastUsedAt: Date | null
}

/** Lists people in order of creation, after the cursor. */
export const listPeople = (db: Run, tenantId: string, { after, limit }: { after: string | null; limit: number }) =>
  db<PersonListRow>`
    select p.tenant_id, p.person_id, p.identity_sealed, p.role, f.totp_sealed is not null as has_totp, p.created_at,
      (select count(*)::int from person_passkey k where k.tenant_id = p.tenant_id and k.person_id = p.person_id) as passkey_count,
      (select max(seen_at) from person_device d where d.tenant_id = p.tenant_id and d.person_id = p.person_id) as last_used_at
    from person p ${joinTotp} where p.tenant_id = ${tenantId} and p.removed_at is null and (${after}::uuid is null or p.person_id > ${after}::uuid)
    order by p.person_id limit ${limit}`

/** Locks a person until the transaction ends, and returns the role. */
export async function lockPerson(tx: Tx, { tenantId, personId }: PersonKey): Promise<Role | undefined> {
  const [row] = await tx<{ role: Role }>`
    select role from person where tenant_id = ${tenantId} and person_id = ${personId} and removed_at is null for update`
  return row?.role
}

/** Locks all admins of a tenant until the transaction ends, and returns their ids. */
export async function lockAdmins(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx<{ personId: string }>`
    select person_id from person where tenant_id = ${tenantId} and role = 'admin' and removed_at is null
    order by person_id for update`
  return rows.map(({ personId }) => personId)
}

export async function writeRole(tx: Tx, { tenantId, personId }: PersonKey, role: Role): Promise<void> {
  await tx`update person set role = ${role} where tenant_id = ${tenantId} and person_id = ${personId}`
}

/** Writes a new password hash; the caller ends the sessions. */
export async function writeHash(tx: Tx, { tenantId, personId }: PersonKey, hash: string): Promise<void> {
  await tx`update person set password_hash = ${hash} where tenant_id = ${tenantId} and person_id = ${personId}`
}

/**
 * Locks a person whose password was just checked; returns false if the password has changed or the person was removed
 * since. A later password change sees everything that this transaction writes.
 */
export async function lockIfPasswordUnchanged(
  tx: Tx,
  { tenantId, personId, passwordHash }: Pick<PersonRow, 'tenantId' | 'personId' | 'passwordHash'>,
): Promise<boolean> {
  const locked = await tx`
    select 1 from person where tenant_id = ${tenantId} and person_id = ${personId} and password_hash = ${passwordHash}
      and removed_at is null for update`
  return locked.length > 0
}

/** Removes the person and frees the email address. */
export async function markRemoved(tx: Tx, { tenantId, personId }: PersonKey, at: Date): Promise<void> {
  await tx`update person set removed_at = ${at} where tenant_id = ${tenantId} and person_id = ${personId}`
  await tx`
    delete from person_email
    where tenant_id = ${noTenant} and of_tenant_id = ${tenantId} and person_id = ${personId}`
}

/** When the newest of these accounts of the platform was created; null without an account. */
export async function newestAccountAt(db: Run, personIds: string[]): Promise<Date | null> {
  const [row] = await db<{ newestAt: Date | null }>`
    select max(created_at) as newest_at from person
    where tenant_id = ${noTenant} and person_id = any(${personIds}::uuid[])`
  return row?.newestAt ?? null
}
