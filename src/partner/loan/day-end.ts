// The end of a business day for all loans: in short transactions of a few hundred cases, resumed wherever it stopped.

import type { Db, Tx } from '#kit/db/sql.ts'
import { loop, type Worker } from '#kit/messaging/queue.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import type { Case } from '#partner/case/case.ts'
import { lockCases } from '#partner/case/store.ts'
import { ofCase } from '#partner/ledger/entry.ts'
import { endDays } from './end-of-day.ts'
import type { LoanStatus } from './lifecycle.ts'
import { nextWorkOn } from './row.ts'
import { type Settling, settleAll } from './settle.ts'
import { loansToEnd, type Place, readUnsettled } from './store.ts'

interface DayEndContext {
  db: Db
  clock: Clock
  log: Log
}

/** Tells of a loan whose status the end of the day changed, in the transaction that changed it; its case is held. */
export type Announce = (tx: Tx, loanCase: Case, loanStatus: LoanStatus, at: Date) => Promise<void>

export interface DayEnded {
  loans: number
  entries: number
  /** Cases that could not be ended, and why is logged: they are tried again the next time. */
  failed: string[]
}

/**
 * Ends every business day up to `through` that has not been ended, for every loan: rows fall due, interest is earned, what is
 * unpaid is overdue and charged. A loan keeps the next day that means something to it and moves it on in the transaction
 * of the effect: so the same day again finds nothing, a crash loses nothing, and of two who do it one finds the work done.
 * A transaction holds cases of one batch, locked in their order; it is the one place where several cases share one.
 */
export async function dayEnd(ctx: DayEndContext, through: string, announce: Announce, batch = 250): Promise<DayEnded> {
  const ended: DayEnded = { loans: 0, entries: 0, failed: [] }
  let after: Place = { nextWorkOn: '0001-01-01', caseRef: '' }
  let looking: Promise<unknown> = Promise.resolve()
  const next = (): Promise<string[]> => {
    const found = looking.then(async () => {
      const places = await loansToEnd(ctx.db, through, after, batch)
      after = places.at(-1) ?? after
      return places.map(({ caseRef }) => caseRef)
    })
    looking = found
    return found
  }
  const slot = async (): Promise<void> => {
    for (let caseRefs = await next(); caseRefs.length > 0; caseRefs = await next())
      await endSome(ctx, caseRefs, { through, announce, ended })
  }
  await Promise.all(Array.from({ length: concurrency }, slot))
  return ended
}

/** While the database works on one batch, this process works on the other. */
const concurrency = 2

interface DayRun {
  through: string
  announce: Announce
  ended: DayEnded
}

async function endSome(ctx: DayEndContext, caseRefs: string[], { through, announce, ended }: DayRun) {
  try {
    count(ended, await endBatch(ctx, caseRefs, through, announce))
  } catch (error) {
    ctx.log.warn({ err: error, cases: caseRefs.length }, 'the day of a batch could not be ended; trying one by one')
    for (const caseRef of caseRefs) await endOne(ctx, caseRef, { through, announce, ended })
  }
}

type Counted = Pick<DayEnded, 'loans' | 'entries'>

function count(ended: DayEnded, { loans, entries }: Counted): void {
  ended.loans += loans
  ended.entries += entries
}

/** One loan that cannot be ended stops nobody else. */
async function endOne(ctx: DayEndContext, caseRef: string, { through, announce, ended }: DayRun) {
  try {
    count(ended, await endBatch(ctx, [caseRef], through, announce))
  } catch (error) {
    ctx.log.error({ err: error, caseRef, through }, 'the day of a loan could not be ended')
    ended.failed.push(caseRef)
  }
}

function endBatch(
  { db, clock }: DayEndContext,
  caseRefs: string[],
  through: string,
  announce: Announce,
): Promise<Counted> {
  return db.tx(async (tx) => {
    const at = clock()
    const cases = await lockCases(tx, caseRefs)
    const accounts = await readUnsettled(tx, caseRefs)
    const settlings: Settling[] = []
    for (const before of accounts) {
      const first = nextWorkOn(before.rows)
      // Somebody else has ended it since it was looked up.
      if (first === null || first > through) continue
      const { rows, entries } = endDays(before.rows, before.loan.terms, through, at)
      const { caseRef } = before.loan
      settlings.push({ before, after: rows, entries: ofCase(caseRef, entries) })
    }
    if (settlings.length === 0) return { loans: 0, entries: 0 }
    const settled = await settleAll(tx, settlings, at)
    const changed = new Map(
      settled.flatMap(({ before: { loan }, status }) => (status === loan.status ? [] : [[loan.caseRef, status]])),
    )
    await Promise.all(
      cases.map((loanCase) => {
        const status = changed.get(loanCase.caseRef)
        return status && announce(tx, loanCase, status, at)
      }),
    )
    return { loans: settlings.length, entries: settlings.reduce((sum, { entries }) => sum + entries.length, 0) }
  })
}

/** Ends yesterday, and what was missed before it, as soon as a new day has begun in India. */
export function endingDays(ctx: DayEndContext, announce: Announce, pollMs = 60_000): Worker {
  const { db, clock, log } = ctx
  // What failed is looked at again with the next poll, not at once.
  let notBefore = 0
  return loop<string>({
    queue: 'day-end',
    db,
    log,
    pollMs,
    concurrency: 1,
    async claim() {
      if (clock().getTime() < notBefore) return []
      const yesterday = plusDays(businessDate(clock()), -1)
      const waiting = await loansToEnd(db, yesterday, { nextWorkOn: '0001-01-01', caseRef: '' }, 1)
      return waiting.length > 0 ? [yesterday] : []
    },
    async handle(through) {
      const began = performance.now()
      const { loans, entries, failed } = await dayEnd(ctx, through, announce)
      const seconds = Math.round((performance.now() - began) / 1000)
      log.info({ through, loans, entries, failed: failed.length, seconds }, 'the business day is ended')
      if (failed.length > 0) notBefore = clock().getTime() + pollMs
    },
  })
}
