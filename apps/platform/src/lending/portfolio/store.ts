// Store of the table portfolio: a borrower's mutual funds and the requested loan against them (D1 §4).

import type { Run, Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import { type Portfolio, readPortfolio } from '@lendloom/wire/hosted/read-portfolio'
import type { Context, TxContext } from '#platform/context.ts'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import type { LoanPreferences } from './loan-preferences.ts'

/** Changes of a portfolio. An absent field keeps the stored value, and null removes it. */
interface PortfolioChange {
  mfcSealed?: Buffer | null | undefined
  preferences?: LoanPreferences | null | undefined
}

async function upsertPortfolio(
  tx: Tx,
  { tenantId, journeyId }: JourneyKey,
  change: PortfolioChange,
  at: Date,
): Promise<void> {
  const { mfcSealed, preferences } = change
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

async function findMfc(db: Run, { tenantId, journeyId }: JourneyKey): Promise<Buffer | null> {
  const [row] = await db<{ mfcSealed: Buffer | null }>`
    select mfc_sealed from portfolio where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return row?.mfcSealed ?? null
}

/** Reads the sealed statement of an active journey. Lenders may not read the statement after the journey has ended. */
export async function findMfcOfActiveJourney(db: Run, { tenantId, journeyId }: JourneyKey): Promise<Buffer | null> {
  const [row] = await db<{ mfcSealed: Buffer | null }>`
    select p.mfc_sealed from portfolio p join journey j on j.bucket = p.bucket and j.tenant_id = p.tenant_id and j.journey_id = p.journey_id
    where p.bucket = ${bucketOf(journeyId)} and p.tenant_id = ${tenantId} and p.journey_id = ${journeyId} and j.active`
  return row?.mfcSealed ?? null
}

export async function loanPreferencesOf(db: Run, { tenantId, journeyId }: JourneyKey): Promise<LoanPreferences> {
  type PreferencesRow = {
    productType: LoanPreferences['productType'] | null
    facilityType: LoanPreferences['facilitytype'] | null
  }
  const [row] = await db<PreferencesRow>`
    select product_type, facility_type from portfolio where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
  const { productType, facilityType } = row ?? {}
  return { ...(productType && { productType }), ...(facilityType && { facilitytype: facilityType }) }
}

/** The context to which a sealed statement is bound. */
export const mfcContext = ({ tenantId, journeyId }: JourneyKey): string => `portfolio:${tenantId}:${journeyId}`

/** Parses the statement of a journey; null without a statement. The portfolio may have no usable holdings. */
export async function portfolioOf(
  db: Run,
  { seal }: Pick<Context, 'seal'>,
  journey: JourneyKey,
): Promise<Portfolio | null> {
  const sealed = await findMfc(db, journey)
  return sealed ? readPortfolio(seal.openJson(sealed, mfcContext(journey))) : null
}

/** An integrator's data on mutual funds and the requested loan; null removes a value (D1 §4). */
export interface PortfolioInput {
  /** Free-form data, which is stored unchanged and parsed when it is read. */
  mfc?: Record<string, unknown> | null | undefined
  loanPreferences?: LoanPreferences | null | undefined
}

/** Stores what an integrator or the registrar sent; an absent part keeps its stored value. */
export async function storePortfolio(
  { tx, at, seal }: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  journey: JourneyKey,
  { mfc, loanPreferences }: PortfolioInput,
): Promise<void> {
  if (mfc === undefined && loanPreferences === undefined) return
  const mfcSealed = mfc ? seal.json(mfc, mfcContext(journey)) : mfc
  await upsertPortfolio(tx, journey, { mfcSealed, preferences: loanPreferences }, at)
}
