// Tables borrower (one row per integrator's identifier), consent and consent_withdrawal.

import { required } from '@lendloom/foundation/required'
import type { Language } from '@lendloom/lending/language'
import { bytea, insertInto, text, timestamptz, uuid } from '@lendloom/postgres/insert'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { bucketOf, bucketOfNames, buckets } from '@lendloom/seal/id'
import type { ConsentPurpose } from '@lendloom/wire/hosted/consent-text'

/** The bucket of a borrower, from the integrator's identifier, so that a look-up by it reads one bucket. */
export const borrowerBucket = (tenantId: string, externalId: string): number => bucketOfNames(tenantId, externalId)

export interface NewBorrower {
  tenantId: string
  borrowerId: string
  externalId: string
  mobileDigest: Buffer
  createdAt: Date
}

/** Inserts borrowers whose identifier is new, and returns their borrower_id. */
export const newBorrowers = insertInto<NewBorrower>({
  insert: 'insert into borrower',
  bucketOf: ({ borrowerId }) => bucketOf(borrowerId),
  columns: {
    tenantId: uuid,
    borrowerId: uuid,
    externalId: text,
    mobileDigest: bytea,
    createdAt: timestamptz,
  },
  key: 'borrowerId',
  ending: 'on conflict (bucket, tenant_id, external_id) do nothing returning borrower_id',
})

export interface BorrowerRow {
  borrowerId: string
  mobileDigest: Buffer
  prefillSealed: Buffer | null
}

/** Locks and returns the borrower of an integrator's identifier. */
async function lockBorrower(tx: Tx, tenantId: string, externalId: string): Promise<BorrowerRow | undefined> {
  const [row] = await tx<BorrowerRow>`
    select borrower_id, mobile_digest, prefill_sealed from borrower
    where bucket = ${borrowerBucket(tenantId, externalId)} and tenant_id = ${tenantId} and external_id = ${externalId} for update`
  return row
}

/** `borrowerBucket` as SQL, for a tenant id from a column. */
export function borrowerBucketIn(tenantId: Fragment, externalId: string): Fragment {
  const digest = sql`sha256(convert_to('["' || ${tenantId} || '",' || ${JSON.stringify(externalId)} || ']', 'UTF8'))`
  return sql`((get_byte(${digest}, 0) << 8 | get_byte(${digest}, 1)) & ${buckets - 1}::integer)::smallint`
}

/** Creates the borrower unless the row exists, and locks the row. An existing row keeps its values. */
export async function upsertBorrower(tx: Tx, row: NewBorrower): Promise<BorrowerRow> {
  // An erasure for which the lock waits takes the identifier from the existing row, so that a new row is needed.
  const borrower = (await insertAndLock(tx, row)) ?? (await insertAndLock(tx, row))
  return required(borrower, 'the existing or new borrower')
}

async function insertAndLock(tx: Tx, row: NewBorrower): Promise<BorrowerRow | undefined> {
  const { tenantId, externalId } = row
  const [, borrower] = await Promise.all([tx`${newBorrowers([row], null)}`, lockBorrower(tx, tenantId, externalId)])
  return borrower
}

export async function lockBorrowerById(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
): Promise<{ externalId: string; prefillSealed: Buffer | null } | undefined> {
  const [row] = await tx<{ externalId: string; prefillSealed: Buffer | null }>`
    select external_id, prefill_sealed from borrower
    where bucket = ${bucketOf(borrowerId)} and tenant_id = ${tenantId} and borrower_id = ${borrowerId} for update`
  return row
}

/** Stores the details with which the borrower's next journey begins. */
export async function setPrefill(tx: Tx, tenantId: string, borrowerId: string, prefillSealed: Buffer): Promise<void> {
  await tx`update borrower set prefill_sealed = ${prefillSealed}
    where bucket = ${bucketOf(borrowerId)} and tenant_id = ${tenantId} and borrower_id = ${borrowerId}`
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
  /** The quote that the borrower accepted, and the SHA-256 digest of its terms; null for consents to no terms. */
  quoteId: string | null
  termsDigest: Buffer | null
  givenAt: Date
}

export async function insertConsent(tx: Tx, row: NewConsent): Promise<void> {
  await tx`insert into consent ${tx({ bucket: bucketOf(row.journeyId), ...row })}`
}

export interface StoredConsent
  extends Pick<NewConsent, 'consentId' | 'textVersion' | 'givenAt' | 'quoteId' | 'termsDigest'> {
  purpose: ConsentPurpose
  language: Language
  withdrawnAt: Date | null
}

/** Lists the consents of a journey, newest first. */
export const listConsents = (db: Run, { tenantId, journeyId }: Pick<NewConsent, 'tenantId' | 'journeyId'>) =>
  db<StoredConsent>`
    select c.consent_id, c.purpose, c.text_version, c.language, c.quote_id, c.terms_digest, c.given_at, w.withdrawn_at
    from consent c left join consent_withdrawal w
      on w.bucket = c.bucket and w.tenant_id = c.tenant_id and w.journey_id = c.journey_id and w.consent_id = c.consent_id
    where c.bucket = ${bucketOf(journeyId)} and c.tenant_id = ${tenantId} and c.journey_id = ${journeyId}
    order by c.given_at desc, c.consent_id desc`

export interface NewWithdrawal {
  tenantId: string
  journeyId: string
  channel: string
  ipSealed: Buffer | null
  withdrawnAt: Date
}

/** Inserts a row for each consent of the journey that is not withdrawn yet. */
export async function insertWithdrawals(tx: Tx, row: NewWithdrawal): Promise<void> {
  await tx`
    insert into consent_withdrawal (bucket, tenant_id, journey_id, consent_id, channel, ip_sealed, withdrawn_at)
    select bucket, tenant_id, journey_id, consent_id, ${row.channel}, ${row.ipSealed}::bytea, ${row.withdrawnAt}::timestamptz from consent
    where bucket = ${bucketOf(row.journeyId)} and tenant_id = ${row.tenantId} and journey_id = ${row.journeyId}
    on conflict (bucket, tenant_id, journey_id, consent_id) do nothing`
}

/** Returns the time at which the consents of a journey were withdrawn; null if they are still valid. */
export async function findWithdrawal(
  db: Run,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
): Promise<Date | null> {
  const [row] = await db<{ withdrawnAt: Date | null }>`
    select max(withdrawn_at) as withdrawn_at from consent_withdrawal where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return row?.withdrawnAt ?? null
}
