// Tables of the second factor: person_totp, person_recovery_code.
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { PersonKey } from '#identity/sign-in-program.ts'

export async function writePendingTotp(db: Run, { tenantId, personId }: PersonKey, sealed: Buffer): Promise<void> {
  await db`
    insert into person_totp ${db({ tenantId, personId, totpPendingSealed: sealed })}
    on conflict (tenant_id, person_id) do update set totp_pending_sealed = excluded.totp_pending_sealed`
}

/** Activates the pending secret; returns false when it was replaced, or a secret is already active. */
export async function confirmTotp(
  tx: Tx,
  { tenantId, personId }: PersonKey,
  { step, sealed, decidesAt }: { step: number; sealed: Buffer; decidesAt: Date },
): Promise<boolean> {
  const rows = await tx`
    update person_totp set totp_sealed = totp_pending_sealed, totp_pending_sealed = null, totp_step = ${step},
      decides_at = ${decidesAt}
    where tenant_id = ${tenantId} and person_id = ${personId} and totp_sealed is null and totp_pending_sealed = ${sealed}
    returning 1`
  return rows.length > 0
}

/** Marks the code of a time step used; returns false when that step or a later one was used before. */
export async function useTotpStep(db: Run, { tenantId, personId }: PersonKey, step: number): Promise<boolean> {
  const rows = await db`
    update person_totp set totp_step = ${step}
    where tenant_id = ${tenantId} and person_id = ${personId} and totp_step < ${step} returning 1`
  return rows.length > 0
}

export async function removeTotp(tx: Tx, { tenantId, personId }: PersonKey): Promise<void> {
  await tx`
    update person_totp set totp_sealed = null, totp_pending_sealed = null, decides_at = null
    where tenant_id = ${tenantId} and person_id = ${personId}`
  await tx`delete from person_recovery_code where tenant_id = ${tenantId} and person_id = ${personId}`
}

export async function writeRecoveryCodes(tx: Tx, { tenantId, personId }: PersonKey, digests: Buffer[]): Promise<void> {
  await tx`delete from person_recovery_code where tenant_id = ${tenantId} and person_id = ${personId}`
  await tx`
    insert into person_recovery_code (tenant_id, person_id, code_digest)
    select ${tenantId}::uuid, ${personId}::uuid, code_digest from unnest(${digests}::bytea[]) as given (code_digest)`
}

/** Marks a recovery code used; returns false when it does not exist or was used before. */
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
