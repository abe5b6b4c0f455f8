// Plans and prepares today's debit of a case, under the lock of the case. Another job presents the debit (D3 §6.7).

import { businessDate } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import { railOf } from '#partner/bank/rail/rails.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { nextCollectionId } from '#partner/servicing/collection/order-id.ts'
import { canStillSucceed, newPayment } from '#partner/servicing/collection/payment.ts'
import { insertPayment, readPayments } from '#partner/servicing/collection/payment-store.ts'
import { enqueuePresentation } from './enqueue-presentation.ts'
import type { Plan } from './plan-debit.ts'
import { planNextDebit } from './plan-next-debit.ts'
import { enquireCollection } from './present-debit.ts'
import { recordDayCheck } from './store.ts'

/**
 * Prepares today's debit of a case, or returns why there is none. First enquires about earlier debits, so that a late
 * success is posted instead of debited twice. `recordOverride`: an officer overrides collection days and retry limits,
 * and this callback records the override in the transaction of the debit.
 */
export async function prepareDebit(
  ctx: Context,
  caseRef: string,
  at: Date,
  recordOverride?: (tx: Tx) => Promise<void>,
): Promise<Plan> {
  const undecided = (await readPayments(ctx.db, caseRef)).filter(canStillSucceed)
  for (const payment of undecided.slice(-maxEnquiries)) await enquireCollection(ctx, payment)
  const plan = await ctx.db.tx(async (tx) => {
    const prepared = await writeDebit({ ...ctx, tx, at }, { caseRef, isOverride: recordOverride !== undefined })
    await recordOverride?.(tx)
    return prepared
  })
  if ('blocked' in plan && plan.blocked === 'TOO_MANY_ATTEMPTS')
    ctx.alert('all debit attempts for an instalment failed', { caseRef })
  return plan
}

/** Whether the case must be checked again on the same day, because the bank accepts its debit later. */
export const mayPassToday = (plan: Plan): boolean =>
  'blocked' in plan && (plan.blocked === 'OUTSIDE_HOURS' || plan.blocked === 'ANNOUNCED_TOO_LATE')

/** Maximum number of earlier debits to enquire about. The bank's list reports the results of older debits. */
const maxEnquiries = 3

async function writeDebit(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  { caseRef, isOverride }: { caseRef: string; isOverride: boolean },
): Promise<Plan> {
  const { tx, at } = ctx
  await lockCase(tx, caseRef)
  const on = businessDate(at)
  const plan = await planNextDebit(ctx, { caseRef, isOverride })
  if (mayPassToday(plan)) return plan
  await recordDayCheck(tx, { caseRef, collectionOn: on, outcome: 'blocked' in plan ? plan.blocked : 'PREPARED', at })
  if ('blocked' in plan) return plan
  const { amountPaise, installmentIds, umrn, mandateReference, attemptNumber } = plan
  const paymentId = uuidv7(at.getTime())
  const collectionId = await nextCollectionId(tx, caseRef)
  const debit = { amountPaise, installmentIds, umrn, mandateReference, attemptNumber, collectionId, collectionOn: on }
  const payment = newPayment({ caseRef, paymentId, status: 'PREPARED', method: railOf(umrn).method, ...debit }, at)
  await insertPayment(tx, payment)
  await enqueuePresentation(tx, payment, at)
  return plan
}
