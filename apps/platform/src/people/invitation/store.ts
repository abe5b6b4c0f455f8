// The table of invitations: person_invitation.

import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Role } from '@lendloom/wire/console/staff'

export interface InvitationRow {
  tenantId: string
  invitationId: string
  digest: Buffer
  emailDigest: Buffer
  identitySealed: Buffer
  role: Role
  invitedBy: string | null
  createdAt: Date
  expiresAt: Date
}

/** Inserts an invitation, and withdraws an open one to the same address. */
export async function insertInvitation(tx: Tx, row: InvitationRow): Promise<void> {
  await tx`
    update person_invitation set withdrawn_at = ${row.createdAt}
    where tenant_id = ${row.tenantId} and email_digest = ${row.emailDigest} and accepted_at is null and withdrawn_at is null`
  await tx`insert into person_invitation ${tx({ ...row })}`
}

/** Lists open invitations after the cursor. */
export const listInvitations = (
  db: Run,
  tenantId: string,
  { after, limit, at }: { after: string | null; limit: number; at: Date },
) => db<InvitationRow>`
  select tenant_id, invitation_id, digest, email_digest, identity_sealed, role, invited_by, created_at, expires_at
  from person_invitation
  where tenant_id = ${tenantId} and accepted_at is null and withdrawn_at is null and expires_at > ${at}
    and (${after}::uuid is null or invitation_id > ${after}::uuid)
  order by invitation_id limit ${limit}`

/** Finds invitations, including those that were accepted or withdrawn or have expired. */
export const findInvitations = (db: Run, tenantId: string, invitationIds: string[]) =>
  db<Pick<InvitationRow, 'tenantId' | 'invitationId' | 'identitySealed'>>`
    select tenant_id, invitation_id, identity_sealed from person_invitation
    where tenant_id = ${tenantId} and invitation_id = any(${invitationIds}::uuid[])`

export async function findInvitation(
  db: Run,
  tenantId: string,
  invitationId: string,
  at: Date,
): Promise<InvitationRow | undefined> {
  const [row] = await db<InvitationRow>`
    select tenant_id, invitation_id, digest, email_digest, identity_sealed, role, invited_by, created_at, expires_at
    from person_invitation
    where tenant_id = ${tenantId} and invitation_id = ${invitationId} and accepted_at is null and withdrawn_at is null
      and expires_at > ${at}`
  return row
}

/**
 * Marks an open invitation accepted or withdrawn; returns false when it is not open. Only one of concurrent calls
 * succeeds.
 */
export async function endInvitation(
  tx: Tx,
  { tenantId, invitationId }: Pick<InvitationRow, 'tenantId' | 'invitationId'>,
  outcome: 'accepted' | 'withdrawn',
  at: Date,
): Promise<boolean> {
  const acceptedAt = outcome === 'accepted' ? at : null
  const withdrawnAt = outcome === 'withdrawn' ? at : null
  const rows = await tx`
    update person_invitation set accepted_at = ${acceptedAt}, withdrawn_at = ${withdrawnAt}
    where tenant_id = ${tenantId} and invitation_id = ${invitationId} and accepted_at is null and withdrawn_at is null
      and expires_at > ${at} returning 1`
  return rows.length > 0
}
