// Table headless_session: the token pairs of borrowers. A family consists of a pair and all pairs that replaced it;
// only the newest pair is valid, until the API key that opened the family is revoked.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import { bucketOfToken } from '@lendloom/seal/token'

export interface SessionRow {
  tenantId: string
  sessionId: string
  sessionDigest: Buffer
  refreshId: string
  refreshDigest: Buffer
  familyId: string
  applicationId: string
  /** The API key that opened the family; null for sessions of version 0.1.0. */
  keyId: string | null
  borrowerId: string
  apiVersion: string
  createdAt: Date
  sessionExpiresAt: Date
  refreshExpiresAt: Date
  rotatedAt: Date | null
  /** When the family or its API key was revoked. */
  revokedAt: Date | null
  products: string[]
}

const columns = sql`
  s.tenant_id, s.session_id, s.session_digest, s.refresh_id, s.refresh_digest, s.family_id, s.application_id, s.key_id,
    s.borrower_id, s.api_version, s.created_at, s.session_expires_at, s.refresh_expires_at, s.rotated_at,
    coalesce(s.revoked_at, k.revoked_at) as revoked_at, a.products`
const withApplication = sql`
  headless_session s join application a on a.tenant_id = s.tenant_id and a.application_id = s.application_id
    left join api_key k on k.tenant_id = s.tenant_id and k.key_id = s.key_id`

export async function insertSession(
  tx: Tx,
  row: Omit<SessionRow, 'rotatedAt' | 'revokedAt' | 'products'>,
): Promise<void> {
  await tx`insert into headless_session ${tx({ bucket: bucketOf(row.borrowerId), ...row })}`
}

export async function findSession(db: Run, tenantId: string, sessionId: string): Promise<SessionRow | undefined> {
  const [row] = await db<SessionRow>`
    select ${columns} from ${withApplication}
    where s.bucket = ${bucketOfToken(sessionId)} and s.tenant_id = ${tenantId} and s.session_id = ${sessionId}`
  return row
}

export async function findByRefresh(db: Run, tenantId: string, refreshId: string): Promise<SessionRow | undefined> {
  const [row] = await db<SessionRow>`
    select ${columns} from ${withApplication}
    where s.bucket = ${bucketOfToken(refreshId)} and s.tenant_id = ${tenantId} and s.refresh_id = ${refreshId}`
  return row
}

/** Marks a pair as rotated; only one of several concurrent calls returns true. */
export async function markRotated(
  tx: Tx,
  { tenantId, sessionId, borrowerId }: Pick<SessionRow, 'tenantId' | 'sessionId' | 'borrowerId'>,
  at: Date,
): Promise<boolean> {
  const rows = await tx`
    update headless_session set rotated_at = ${at}
    where bucket = ${bucketOf(borrowerId)} and tenant_id = ${tenantId} and session_id = ${sessionId} and rotated_at is null and revoked_at is null returning 1`
  return rows.length > 0
}

export async function revokeFamily(db: Run, tenantId: string, familyId: string, at: Date): Promise<void> {
  await db`
    update headless_session set revoked_at = ${at}
    where bucket = ${bucketOf(familyId)} and tenant_id = ${tenantId} and family_id = ${familyId} and revoked_at is null`
}
