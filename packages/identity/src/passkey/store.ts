// Tables of passkeys: person_passkey, passkey_challenge_used.
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { PersonKey } from '#identity/sign-in-program.ts'

export interface PasskeyRow {
  tenantId: string
  personId: string
  passkeyId: string
  credentialId: string
  publicKey: Buffer
  counter: bigint
  name: string
  createdAt: Date
  usedAt: Date | null
}

export const listPasskeys = (db: Run, { tenantId, personId }: PersonKey) => db<PasskeyRow>`
  select tenant_id, person_id, passkey_id, credential_id, public_key, counter, name, created_at, used_at
  from person_passkey where tenant_id = ${tenantId} and person_id = ${personId} order by passkey_id`

/** Returns false when the credential is already stored. */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
  return (await tx`insert into person_passkey ${tx({ ...row })} on conflict do nothing returning 1`).length > 0
}

/** Returns false when the person has no such passkey. */
export async function deletePasskey(tx: Tx, { tenantId, personId }: PersonKey, passkeyId: string): Promise<boolean> {
  const rows = await tx`
    delete from person_passkey
    where tenant_id = ${tenantId} and person_id = ${personId} and passkey_id = ${passkeyId} returning 1`
  return rows.length > 0
}

/** Deletes the passkeys of a person except `exceptIds`, and returns their number. */
export async function deletePasskeys(
  tx: Tx,
  { tenantId, personId }: PersonKey,
  exceptIds: string[] = [],
): Promise<number> {
  const rows = await tx`
    delete from person_passkey
    where tenant_id = ${tenantId} and person_id = ${personId} and passkey_id <> all(${exceptIds}::uuid[]) returning 1`
  return rows.length
}

/**
 * Records a use of the passkey; returns false when the passkey was removed meanwhile, or a concurrent use has counted as
 * far. Devices that do not count always answer 0.
 */
export async function touchPasskey(tx: Tx, row: PasskeyRow, counter: number, at: Date): Promise<boolean> {
  const { tenantId, personId, passkeyId } = row
  const rows = await tx`
    update person_passkey set counter = ${counter}, used_at = ${at}
    where tenant_id = ${tenantId} and person_id = ${personId} and passkey_id = ${passkeyId}
      and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning 1`
  return rows.length > 0
}

/** Marks a challenge used and deletes expired ones; returns false when it was used before. */
export async function useChallenge(
  tx: Tx,
  { tenantId, challengeDigest, expiresAt }: { tenantId: string; challengeDigest: Buffer; expiresAt: Date },
  at: Date,
): Promise<boolean> {
  const rows = await tx`
    with expired as (delete from passkey_challenge_used where tenant_id = ${tenantId} and expires_at < ${at})
    insert into passkey_challenge_used ${tx({ tenantId, challengeDigest, expiresAt })} on conflict do nothing returning 1`
  return rows.length > 0
}
