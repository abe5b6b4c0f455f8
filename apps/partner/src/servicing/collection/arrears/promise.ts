// Promises to pay: records them, and decides after the promised day whether they were kept.

import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { loop, type Worker } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import type { Context } from '#partner/context.ts'
import { loanStatusIn } from '#partner/servicing/loan/store.ts'
import { decidePromises, insertPromise, promisesOf } from './store.ts'

/** The maximum number of days between a promise and its payment. */
export const maxPromiseDays = 60

interface NewPromise {
  caseRef: string
  amountPaise: Paise
  promisedOn: string
  madeBy: string
}

/**
 * Records a promise, under the lock of the case. Throws `invalid` for a zero amount, or a day outside the next sixty
 * days. Throws `wrong-state` if the loan is not overdue, or the borrower has an open promise.
 */
export async function recordPromise(tx: Tx, promise: NewPromise, at: Date): Promise<void> {
  const { caseRef, amountPaise, promisedOn } = promise
  const today = businessDate(at)
  if (amountPaise <= 0n) throw new Refusal('invalid', 'the promised amount must be above zero', { field: 'amount' })
  if (promisedOn < today || promisedOn > plusDays(today, maxPromiseDays))
    throw new Refusal('invalid', 'the promised day must be within the next sixty days', { field: 'promisedOn' })
  if ((await loanStatusIn(tx, caseRef)) !== 'OVERDUE')
    throw new Refusal('wrong-state', 'the loan is not overdue, so there is nothing to promise')
  const promises = await promisesOf(tx, caseRef)
  if (promises.some(({ state }) => state === 'OPEN'))
    throw new Refusal('wrong-state', 'this borrower has an open promise')
  await insertPromise(tx, { ...promise, promiseId: uuidv7(at.getTime()), madeAt: at })
}

/** Decides promises up to yesterday. Returns the numbers of kept and broken promises. */
export async function decideDuePromises({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<{ kept: number; broken: number }> {
  const at = clock()
  return db.tx((tx) => decidePromises(tx, plusDays(businessDate(at), -1), at))
}

/** Starts the worker that decides due promises, soon after each midnight in India. */
export const promiseWorker = (ctx: Context): Worker =>
  loop<{ kept: number; broken: number }>({
    queue: 'promises',
    db: ctx.db,
    log: ctx.log,
    pollMs: 60_000,
    concurrency: 1,
    async claim() {
      const decided = await decideDuePromises(ctx)
      return decided.kept + decided.broken > 0 ? [decided] : []
    },
    handle: async (decided) => ctx.log.info(decided, 'decided promises to pay'),
  })
