// What a lender decided or did about the loan, as the journey has it: sanction, disbursal, rejection and instalments.

import { isTerminal } from '@lendloom/foundation/machine'
import type { EndReason } from '@lendloom/lending/reason/reason'
import type { Tx } from '@lendloom/postgres/sql'
import type { TxContext } from '#platform/context.ts'
import { lookAtLoan } from '#platform/integrators/webhook/loan-watch.ts'
import { advance, resumeForPayout } from '#platform/lending/journey/advance.ts'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lifecycle } from '#platform/lending/journey/lifecycle.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { findSelected, setInstallments } from '#platform/lending/offer/store.ts'
import { moveStep } from './move-step.ts'
import { findStep } from './store.ts'

/** Records the sanction: the loan is approved, and the disbursal is pending. */
export async function recordSanction(tx: Tx, journey: Journey, at: Date): Promise<void> {
  const step = await findStep(tx, journey, 'disbursal')
  if (step.status === 'SUCCESS') return
  await moveStep(tx, journey, { step, move: 'begun', change: {}, at }, { decision: 'APPROVED' })
}

/** Records the disbursal (D1 DISBURSED), also of a journey that has expired. Idempotent. */
export async function recordDisbursal(ctx: TxContext, before: Journey): Promise<Journey> {
  const { tx, at } = ctx
  if (before.status === 'DISBURSED') return before
  const journey = await resumeForPayout(ctx, before)
  const step = await findStep(tx, journey, 'disbursal')
  const decision = 'APPROVED'
  if (step.status === 'SUCCESS') await updateJourney(tx, journey, { decision }, at)
  else await moveStep(tx, journey, { step, move: 'succeeded', change: { diagnostics: null }, at }, { decision })
  const disbursed = await advance(ctx, { ...journey, decision }, 'disbursed')
  await lookAtLoan(tx, journey, at)
  return disbursed
}

/** Ends the journey as REJECTED, with the reason for the borrower. An ended journey stays unchanged. */
export async function endAsRejected(ctx: TxContext, journey: Journey, reason: EndReason): Promise<Journey> {
  const { tx, at } = ctx
  if (isTerminal(lifecycle, journey.status)) return journey
  await updateJourney(tx, journey, { endReason: reason }, at)
  return advance(ctx, { ...journey, endReason: reason }, 'rejected')
}

/** Stores the lender's current repayment schedule. */
export async function storeInstallments(
  tx: Tx,
  journey: Journey,
  installments: Installment[],
  at: Date,
): Promise<void> {
  const offer = await findSelected(tx, journey)
  if (offer && installments.length > 0) await setInstallments(tx, offer, installments, at)
}
