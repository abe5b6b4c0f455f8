// How a journey ends: the money is paid out, or the lender says no.

import type { EndReason } from '#contract/reason/reason.ts'
import type { Tx } from '#kit/db/sql.ts'
import { isTerminal } from '#kit/runtime/machine.ts'
import type { TxContext } from '#platform/context.ts'
import { advance } from '#platform/journey/advance.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lifecycle } from '#platform/journey/lifecycle.ts'
import { updateJourney } from '#platform/journey/store.ts'
import type { Installment } from '#platform/journey/terms.ts'
import { findSelected, setInstallments } from '#platform/offer/store.ts'
import { moveStep } from './move.ts'
import { findStep } from './store.ts'

/** The lender has sanctioned the loan: the decision is made, the money is on its way. */
export async function sanctioned(tx: Tx, journey: Journey, at: Date): Promise<void> {
  const step = await findStep(tx, journey, 'disbursal')
  if (step.status === 'SUCCESS') return
  await moveStep(tx, journey, { name: 'disbursal', move: 'begun', change: {}, at })
  await updateJourney(tx, journey, { decision: 'APPROVED' }, at)
}

/** The lender says that the money was paid out (D1 DISBURSED). Saying it twice changes nothing. */
export async function disbursed(ctx: TxContext, journey: Journey): Promise<Journey> {
  const { tx, at } = ctx
  if (journey.status === 'DISBURSED') return journey
  const step = await findStep(tx, journey, 'disbursal')
  if (step.status !== 'SUCCESS')
    await moveStep(tx, journey, { name: 'disbursal', move: 'succeeded', change: { diagnostics: null }, at })
  await updateJourney(tx, journey, { decision: 'APPROVED' }, at)
  return advance(ctx, { ...journey, decision: 'APPROVED' }, 'disbursed')
}

/** The lender ends it (D1 REJECTED), with the reason that the borrower is told. A journey that has ended stays as it is. */
export async function lenderRejected(ctx: TxContext, journey: Journey, reason: EndReason): Promise<Journey> {
  const { tx, at } = ctx
  if (isTerminal(lifecycle, journey.status)) return journey
  await updateJourney(tx, journey, { endReason: reason }, at)
  return advance(ctx, { ...journey, endReason: reason }, 'rejected')
}

/** The repayment schedule as the lender has it now. */
export async function keepInstallments(tx: Tx, journey: Journey, installments: Installment[], at: Date): Promise<void> {
  const offer = await findSelected(tx, journey)
  if (offer && installments.length > 0) await setInstallments(tx, offer, installments, at)
}
