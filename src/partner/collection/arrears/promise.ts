// A borrower's promise to pay: one at a time, for a day to come; what came in decides whether it was kept.
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { loop, type Worker } from '#kit/messaging/queue.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Context } from '#partner/context.ts'
import { decidePromises, insertPromise, promisesOf } from './store.ts'

/** A promise for a later day is none. */
const longestDays = 60

interface NewPromise {
  caseRef: string
  amountPaise: Paise
  promisedOn: string
  madeBy: string
}

/** Writes a promise down, under the lock of its case. Refused: `invalid` nothing, or no day of the next sixty · `wrong-state` one is open. */
export async function makePromise(tx: Tx, promise: NewPromise, at: Date): Promise<void> {
  const { caseRef, amountPaise, promisedOn } = promise
  const today = businessDate(at)
  if (amountPaise <= 0n) throw new Refusal('invalid', 'a promise is of an amount', { field: 'amount' })
  if (promisedOn < today || promisedOn > plusDays(today, longestDays))
    throw new Refusal('invalid', 'a promise is for one of the next sixty days', { field: 'promisedOn' })
  const known = await promisesOf(tx, caseRef)
  if (known.some(({ state }) => state === 'OPEN'))
    throw new Refusal('wrong-state', 'a promise of this borrower is open')
  await insertPromise(tx, { ...promise, promiseId: uuidv7(at.getTime()), madeAt: at })
}

/** Decides those of yesterday and before. Gives how many were kept and broken. */
export async function decideDue({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<{ kept: number; broken: number }> {
  const at = clock()
  return db.tx((tx) => decidePromises(tx, plusDays(businessDate(at), -1), at))
}

export const decidingPromises = (ctx: Context): Worker =>
  loop<{ kept: number; broken: number }>({
    queue: 'promises',
    db: ctx.db,
    log: ctx.log,
    pollMs: 60_000,
    concurrency: 1,
    async claim() {
      const decided = await decideDue(ctx)
      return decided.kept + decided.broken > 0 ? [decided] : []
    },
    handle: async (decided) => ctx.log.info(decided, 'promises to pay were decided'),
  })
