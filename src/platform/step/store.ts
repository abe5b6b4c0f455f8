// Table of step.
import { bucketOf } from '#kit/crypto/id.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { type Step, type StepName, untouched } from './step.ts'

type Of = Pick<Journey, 'tenantId' | 'journeyId'>

export const listSteps = (db: Run, { tenantId, journeyId }: Of) => db<Step>`
  select name, status, attempts, resource_url, form_id, heading, diagnostics, bank_sealed, updated_at from step where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
  order by name`

export async function findStep(db: Run, journey: Of, name: StepName): Promise<Step> {
  const steps = await listSteps(db, journey)
  return steps.find((step) => step.name === name) ?? untouched(name)
}

export async function keepStep(tx: Tx, { tenantId, journeyId }: Of, step: Step, at: Date): Promise<void> {
  const diagnostics = step.diagnostics && JSON.stringify(step.diagnostics)
  await tx`
    insert into step ${tx({ bucket: bucketOf(journeyId), tenantId, journeyId, ...step, diagnostics, updatedAt: at })}
    on conflict (bucket, tenant_id, journey_id, name) do update set status = excluded.status, attempts = excluded.attempts, resource_url = excluded.resource_url,
      form_id = excluded.form_id, heading = excluded.heading, diagnostics = excluded.diagnostics, bank_sealed = excluded.bank_sealed, updated_at = excluded.updated_at`
}
