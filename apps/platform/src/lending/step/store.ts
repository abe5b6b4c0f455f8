// Table `step`: the stored steps of a journey.

import type { Run, Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { TxContext } from '#platform/context.ts'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import { initialStep, type JourneyStep, pageUrlOf, type StepName, sealedPage } from './step.ts'

export const listSteps = (db: Run, { tenantId, journeyId }: JourneyKey) => db<JourneyStep>`
  select name, status, attempts, resource_url, resource_url_sealed, form_id, heading, diagnostics, bank_sealed, updated_at from step where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
  order by name`

export async function findStep(db: Run, journey: JourneyKey, name: StepName): Promise<JourneyStep> {
  const steps = await listSteps(db, journey)
  return steps.find((step) => step.name === name) ?? initialStep(name)
}

export async function storeStep(
  tx: Tx,
  { tenantId, journeyId }: JourneyKey,
  step: JourneyStep,
  at: Date,
): Promise<void> {
  const diagnostics = step.diagnostics && JSON.stringify(step.diagnostics)
  await tx`
    insert into step ${tx({ bucket: bucketOf(journeyId), tenantId, journeyId, ...step, diagnostics, updatedAt: at })}
    on conflict (bucket, tenant_id, journey_id, name) do update set status = excluded.status, attempts = excluded.attempts, resource_url = excluded.resource_url,
      resource_url_sealed = excluded.resource_url_sealed, form_id = excluded.form_id, heading = excluded.heading, diagnostics = excluded.diagnostics, bank_sealed = excluded.bank_sealed, updated_at = excluded.updated_at`
}

/** Replaces the address of a page. The caller holds the journey's lock. */
export async function replaceStepPage(
  { tx, seal }: Pick<TxContext, 'tx' | 'seal'>,
  journey: JourneyKey,
  from: string,
  to: string,
): Promise<void> {
  const { tenantId, journeyId } = journey
  for (const step of await listSteps(tx, journey)) {
    if (pageUrlOf(seal, journey, step) !== from) continue
    const { resourceUrlSealed } = sealedPage(seal, journey, step.name, to)
    await tx`
      update step set resource_url = null, resource_url_sealed = ${resourceUrlSealed}
      where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and name = ${step.name}`
  }
}

/** The context that the sealed bank account of the step `bankMandate` is bound to. */
export const bankContext = (tenantId: string, journeyId: string): string => `step.bank:${tenantId}:${journeyId}`
