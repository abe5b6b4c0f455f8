// Table hybrid_prefill, and the look-up of a journey by the integrator's id for its borrower.

import type { ProductId } from '@lendloom/lending/product/products'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { Integrator } from '#platform/integrators/access/api-key.ts'
import { borrowerBucket } from '#platform/lending/borrower/store.ts'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import { journeyColumns } from '#platform/lending/journey/store.ts'

/** Returns the borrower's active journey in this application. If there is none, returns the newest journey. */
export async function newestJourney(
  db: Run,
  { tenantId, applicationId }: Pick<Integrator, 'tenantId' | 'applicationId'>,
  borrowerProviderId: string,
  type: ProductId,
): Promise<Journey | undefined> {
  const [row] = await db<Journey>`
    select ${journeyColumns} from borrower b join journey j on j.bucket = b.bucket and j.tenant_id = b.tenant_id and j.borrower_id = b.borrower_id
    where b.bucket = ${borrowerBucket(tenantId, borrowerProviderId)} and b.tenant_id = ${tenantId} and b.external_id = ${borrowerProviderId} and j.application_id = ${applicationId}
      and j.type = ${type}
    order by j.active desc, j.created_at desc limit 1`
  return row
}

/** Stores the prefill of a journey, and replaces an earlier prefill. */
export async function savePrefill(
  tx: Tx,
  { tenantId, journeyId }: JourneyKey,
  prefillSealed: Buffer,
  at: Date,
): Promise<void> {
  await tx`
    insert into hybrid_prefill ${tx({ bucket: bucketOf(journeyId), tenantId, journeyId, prefillSealed, updatedAt: at })}
    on conflict (bucket, tenant_id, journey_id) do update set prefill_sealed = excluded.prefill_sealed, updated_at = excluded.updated_at`
}

export async function findPrefill(db: Run, { tenantId, journeyId }: JourneyKey): Promise<Buffer | undefined> {
  const [row] = await db<{ prefillSealed: Buffer }>`
    select prefill_sealed from hybrid_prefill where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}`
  return row?.prefillSealed
}
