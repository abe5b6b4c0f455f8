// Determines a case's dues of today and prepares the debit: planned under the case's lock, presented afterwards (D3
// §6.7).

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { enqueuePresent } from './enqueue-present.ts'
import { isWithinHours } from './hours.ts'
import { isUndecided, newPayment } from './payment.ts'
import type { Plan } from './plan.ts'
import { planFor } from './plan-for.ts'
import { enquireCollection } from './present.ts'
import { insertPayment, noteDay, readPayments } from './store.ts'

/**
 * Prepares the debit that a case owes today, or says why there is none. The bank is asked first about an earlier debit
 * without a result, so that a late success is posted and never debited twice. `byPerson`: a person wants it presented
 * now, regardless of day and earlier returns; recorded in the transaction that decides.
 */
export async function collect(
  ctx: Context,
  caseRef: string,
  at: Date,
  byPerson?: (tx: Tx) => Promise<void>,
): Promise<Plan> {
  if (!isWithinHours(ctx, at)) return { blocked: 'OUTSIDE_HOURS' }
  const earlier = (await readPayments(ctx.db, caseRef)).filter(isUndecided)
  for (const payment of earlier.slice(-mostEnquired)) await enquireCollection(ctx, payment)
  const plan = await ctx.db.tx(async (tx) => {
    const prepared = await prepare({ ...ctx, tx, at }, { caseRef, isOverride: byPerson !== undefined })
    await byPerson?.(tx)
    return prepared
  })
  const isOver = 'blocked' in plan && plan.blocked === 'TOO_MANY_ATTEMPTS'
  if (isOver) ctx.alert('a loan has instalments that no debit brings', { caseRef })
  return plan
}

/** Debits of before that are enquired each time; what is older has had its result in the bank's list. */
const mostEnquired = 3

async function prepare(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  { caseRef, isOverride }: { caseRef: string; isOverride: boolean },
): Promise<Plan> {
  const { tx, at } = ctx
  await lockCase(tx, caseRef)
  const on = businessDate(at)
  const plan = await planFor(ctx, { caseRef, isOverride })
  await noteDay(tx, { caseRef, collectionOn: on, outcome: 'blocked' in plan ? plan.blocked : 'PREPARED', at })
  if ('blocked' in plan) return plan
  const { amountPaise, installmentIds, umrn, mandateReference, attemptNumber } = plan
  const [paymentId, collectionId] = [uuidv7(at.getTime()), uuidv7(at.getTime())]
  const debit = { amountPaise, installmentIds, umrn, mandateReference, attemptNumber, collectionId, collectionOn: on }
  const payment = newPayment({ caseRef, paymentId, status: 'PREPARED', method: 'ENACH', ...debit }, at)
  await insertPayment(tx, payment)
  await enqueuePresent(tx, payment, at)
  return plan
}
