// Table `step`: the stored steps of a journey, and the final terms with the account of one step.

import type { Run, Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import { type FinalTerms, finalTermsFrom } from '#platform/lending/offer/final-terms.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
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

export const bankContext = (tenantId: string, journeyId: string): string => `step.bank:${tenantId}:${journeyId}`

/** The agreed terms of the journey's lender, for `init` and `confirm`. */
export async function finalTermsOf(tx: Tx, ctx: Context, journey: Journey): Promise<FinalTerms> {
  const offer = await findSelected(tx, journey)
  if (!offer) throw new Error(`journey ${journey.journeyId} has no selected offer`)
  return finalTermsFrom(
    offer,
    productOf(journey).network.orderContainsAccount ? await accountOf(tx, ctx, journey) : null,
  )
}

async function accountOf(tx: Tx, ctx: Context, journey: Journey): Promise<BankAccount | null> {
  const { bankSealed } = await findStep(tx, journey, 'bankMandate')
  return bankSealed && ctx.seal.openJson<BankAccount>(bankSealed, bankContext(journey.tenantId, journey.journeyId))
}
