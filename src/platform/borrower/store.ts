// Tables of borrower: borrower, one row per integrator's identifier, the mobile number only as a digest; consents and their withdrawals.
import { byteas, instants, texts, uuids } from '#kit/db/binary-array.ts'
import { type Fragment, type Run, sql, type Tx } from '#kit/db/sql.ts'

export interface NewBorrower {
  tenantId: string
  borrowerId: string
  externalId: string
  mobileDigest: Buffer
  createdAt: Date
}

/** Yields the borrower_id when the identifier is new, and nothing when it is known. */
export const newBorrower = ({
  tenantId,
  borrowerId,
  externalId,
  mobileDigest,
  createdAt,
}: NewBorrower): Fragment => sql`
  insert into borrower (tenant_id, borrower_id, external_id, mobile_digest, created_at)
  values (${tenantId}, ${borrowerId}, ${externalId}, ${mobileDigest}, ${createdAt})
  on conflict (tenant_id, external_id) do nothing returning borrower_id`

/** Several of one tenant: yields the borrower_id of each whose identifier is new. */
export const newBorrowers = (tenantId: string, rows: NewBorrower[]): Fragment => sql`
  insert into borrower (tenant_id, borrower_id, external_id, mobile_digest, created_at)
  select ${tenantId}::uuid, row.borrower_id, row.external_id, row.mobile_digest, row.created_at
  from unnest(${uuids(rows.map((row) => row.borrowerId))}::uuid[], ${texts(rows.map((row) => row.externalId))}::text[],
    ${byteas(rows.map((row) => row.mobileDigest))}::bytea[], ${instants(rows.map((row) => row.createdAt))}::timestamptz[]
  ) as row (borrower_id, external_id, mobile_digest, created_at)
  on conflict (tenant_id, external_id) do nothing returning borrower_id`

export interface BorrowerRow {
  borrowerId: string
  mobileDigest: Buffer
}

/** The borrower of an integrator's identifier, locked until the transaction ends. */
export async function lockBorrower(tx: Tx, tenantId: string, externalId: string): Promise<BorrowerRow | undefined> {
  const [row] = await tx<BorrowerRow>`
    select borrower_id, mobile_digest from borrower where tenant_id = ${tenantId} and external_id = ${externalId} for update`
  return row
}

/** The borrower of a session, locked until the transaction ends. */
export async function lockById(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
): Promise<{ externalId: string; prefillSealed: Buffer | null } | undefined> {
  const [row] = await tx<{ externalId: string; prefillSealed: Buffer | null }>`
    select external_id, prefill_sealed from borrower where tenant_id = ${tenantId} and borrower_id = ${borrowerId} for update`
  return row
}

export async function setPrefill(tx: Tx, tenantId: string, borrowerId: string, prefillSealed: Buffer): Promise<void> {
  await tx`update borrower set prefill_sealed = ${prefillSealed} where tenant_id = ${tenantId} and borrower_id = ${borrowerId}`
}

export interface NewConsent {
  tenantId: string
  journeyId: string
  consentId: string
  purpose: string
  textVersion: string
  language: string
  channel: string
  ipSealed: Buffer | null
  givenAt: Date
}

export async function insertConsent(tx: Tx, row: NewConsent): Promise<void> {
  await tx`insert into consent ${tx({ ...row })}`
}

export interface NewWithdrawal {
  tenantId: string
  journeyId: string
  channel: string
  ipSealed: Buffer | null
  withdrawnAt: Date
}

/** One row for each consent of the journey that is not withdrawn yet. */
export async function insertWithdrawals(tx: Tx, row: NewWithdrawal): Promise<void> {
  await tx`
    insert into consent_withdrawal (tenant_id, journey_id, consent_id, channel, ip_sealed, withdrawn_at)
    select tenant_id, journey_id, consent_id, ${row.channel}, ${row.ipSealed}::bytea, ${row.withdrawnAt}::timestamptz from consent
    where tenant_id = ${row.tenantId} and journey_id = ${row.journeyId}
    on conflict (tenant_id, journey_id, consent_id) do nothing`
}

/** When the consents of a journey were withdrawn; null when they were not. */
export async function findWithdrawal(
  db: Run,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
): Promise<Date | null> {
  const [row] = await db<{ withdrawnAt: Date | null }>`
    select max(withdrawn_at) as withdrawn_at from consent_withdrawal where tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return row?.withdrawnAt ?? null
}
