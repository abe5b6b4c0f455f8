// Table of portfolio.
import { bucketOf } from '#kit/crypto/id.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import type { LoanPreferences, Of } from './loan-preferences.ts'

/** What is absent stays as it was; null takes it back. */
export interface Kept {
  mfcSealed?: Buffer | null | undefined
  preferences?: LoanPreferences | null | undefined
}

export async function upsertPortfolio(tx: Tx, { tenantId, journeyId }: Of, kept: Kept, at: Date): Promise<void> {
  const { mfcSealed, preferences } = kept
  const productType = preferences?.productType ?? null
  const facilityType = preferences?.facilitytype ?? null
  const row = { tenantId, journeyId, mfcSealed: mfcSealed ?? null, productType, facilityType, updatedAt: at }
  await tx`
    insert into portfolio ${tx({ bucket: bucketOf(row.journeyId), ...row })} on conflict (bucket, tenant_id, journey_id) do update set
      mfc_sealed = case when ${mfcSealed !== undefined}::boolean then excluded.mfc_sealed else portfolio.mfc_sealed end,
      product_type = case when ${preferences !== undefined}::boolean then excluded.product_type else portfolio.product_type end,
      facility_type = case when ${preferences !== undefined}::boolean then excluded.facility_type else portfolio.facility_type end,
      updated_at = excluded.updated_at`
}

export async function findMfc(db: Run, { tenantId, journeyId }: Of): Promise<Buffer | null> {
  const [row] = await db<{ mfcSealed: Buffer | null }>`
    select mfc_sealed from portfolio where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return row?.mfcSealed ?? null
}

/** Only while the journey goes on: a lender has no business with it afterwards. */
export async function findMfcOfActive(db: Run, { tenantId, journeyId }: Of): Promise<Buffer | null> {
  const [row] = await db<{ mfcSealed: Buffer | null }>`
    select p.mfc_sealed from portfolio p join journey j on j.bucket = p.bucket and j.tenant_id = p.tenant_id and j.journey_id = p.journey_id
    where p.bucket = ${bucketOf(journeyId)} and p.tenant_id = ${tenantId} and p.journey_id = ${journeyId} and j.active`
  return row?.mfcSealed ?? null
}

export async function findPreferences(db: Run, { tenantId, journeyId }: Of): Promise<LoanPreferences> {
  type Row = {
    productType: LoanPreferences['productType'] | null
    facilityType: LoanPreferences['facilitytype'] | null
  }
  const [row] = await db<Row>`
    select product_type, facility_type from portfolio where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
  const { productType, facilityType } = row ?? {}
  return { ...(productType && { productType }), ...(facilityType && { facilitytype: facilityType }) }
}
