// The end of a business day for all loans: in short transactions of a few hundred cases, resumed wherever it stopped.

import type { Db, Tx } from '#kit/db/sql.ts'
import { loop, type Worker } from '#kit/messaging/queue.ts'
import { businessDate, plusDays, startOf } from '#kit/money/calendar.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import { gauge } from '#kit/runtime/metrics.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { lockCases } from '#partner/case/store.ts'
import { type LedgerEntry, ofCase } from '#partner/ledger/store.ts'
import { classifyLoans, provide } from './class/classify.ts'
import { lastBusinessDay } from './class/store.ts'
import { heldBack, holdsIncome } from './class/suspense.ts'
import { type EndedLoan, type LoanToEnd, readToEnd, updateEndedLoans, updateEndedRows } from './day/store.ts'
import { endDays, postAtDayEnd } from './end-of-day.ts'
import { type LoanStatus, statusAfter } from './loan.ts'
import { keepMonths } from './month/keep-month.ts'
import { type InstallmentRow, nextAccrualOn, nextWorkOn, statusOf } from './row.ts'
import { type DayEndPosition, loansToEnd } from './store.ts'
import { nothingSince, withRecoveries } from './write-off.ts'

interface DayEndContext {
  db: Db
  clock: Clock
  log: Log
}

/** A loan whose status the end of the day changed; its case is held. */
interface StatusChange {
  loanCase: Case
  loanStatus: LoanStatus
}

/** Reports loans whose status changed at the end of a day, in that transaction. */
export type Announce = (tx: Tx, changed: StatusChange[], at: Date) => Promise<void>

export interface DayEndResult {
  loans: number
  entries: number
  /** Cases that could not be ended, and why is logged: they are tried again the next time. */
  failed: string[]
  /** Loans whose class changed. */
  classified: number
  /** Running loans by class, and what is provided for them, after the last day. */
  classes: Record<string, number>
  provisionPaise: Paise
  provisionChangePaise: Paise
}

/**
 * Ends every business day up to `through` that has not been ended, in their order: rows fall due, interest is earned, what is
 * unpaid is overdue and charged; then loans are classified by borrower, and the book is provided for.
 */
export async function dayEnd(
  ctx: DayEndContext,
  through: string,
  announce: Announce,
  batch = 250,
): Promise<DayEndResult> {
  const last = await lastBusinessDay(ctx.db)
  // The book is not classified by an earlier day than the last.
  if (last && last.endedOn > through) return { ...noBook, ...(await endLoans(ctx, through, announce, batch)) }
  if (last) await keepMonths(ctx.db, last.endedOn)
  let on = last && last.endedOn < through ? plusDays(last.endedOn, 1) : through
  let ended = await endDay(ctx, on, announce, batch)
  while (on < through) {
    on = plusDays(on, 1)
    const next = await endDay(ctx, on, announce, batch)
    ended = {
      ...next,
      loans: ended.loans + next.loans,
      entries: ended.entries + next.entries,
      // Failures of one day are retried with the next.
      failed: next.failed,
      classified: ended.classified + next.classified,
      provisionChangePaise: ended.provisionChangePaise + next.provisionChangePaise,
    }
  }
  return ended
}

const noBook = { classified: 0, classes: {}, provisionPaise: 0n, provisionChangePaise: 0n }

async function endDay(ctx: DayEndContext, on: string, announce: Announce, batch: number): Promise<DayEndResult> {
  const beganAt = ctx.clock()
  const { failed, ...ended } = await endLoans(ctx, on, announce, batch)
  const classified = await classifyLoans(ctx, on, batch)
  const entries = ended.entries + classified.entries
  const done = {
    endedOn: on,
    loans: ended.loans,
    entries,
    failed: failed.length,
    classified: classified.loans,
    beganAt,
  }
  const { counts, ...provided } = await provide(ctx.db, done, ctx.clock())
  await keepMonths(ctx.db, on)
  return { ...ended, entries, failed, classified: classified.loans, classes: counts, ...provided }
}

type LoansResult = Pick<DayEndResult, 'loans' | 'entries' | 'failed'>

/**
 * Ends the days of every loan. A loan keeps the next day that means something to it and moves it on in the transaction
 * of the effect: so the same day again finds nothing, a crash loses nothing, and of two who do it one finds the work done.
 * A transaction holds cases of one batch, locked in their order; it is the one place where several cases share one.
 */
async function endLoans(ctx: DayEndContext, through: string, announce: Announce, batch: number): Promise<LoansResult> {
  const ended: LoansResult = { loans: 0, entries: 0, failed: [] }
  let after: DayEndPosition = { nextWorkOn: '0001-01-01', caseRef: '' }
  let looking: Promise<unknown> = Promise.resolve()
  const next = (): Promise<DayEndPosition[]> => {
    const found = looking.then(async () => {
      const places = await loansToEnd(ctx.db, through, after, batch)
      after = places.at(-1) ?? after
      return places
    })
    looking = found
    return found
  }
  const slot = async (): Promise<void> => {
    for (let places = await next(); places.length > 0; places = await next())
      await endSome(ctx, places, { through, announce, ended })
  }
  await Promise.all(Array.from({ length: concurrency }, slot))
  return ended
}

/** While the database works on one batch, this process works on the other. */
const concurrency = 2

interface DayRun {
  through: string
  announce: Announce
  ended: LoansResult
}

async function endSome(ctx: DayEndContext, places: DayEndPosition[], { through, announce, ended }: DayRun) {
  const caseRefs = places.map(({ caseRef }) => caseRef)
  const first = places.reduce((day, { nextWorkOn }) => (nextWorkOn < day ? nextWorkOn : day), through)
  try {
    count(ended, await endBatch(ctx, { caseRefs, isAccruing: hasMonthEnd(first, through) }, through, announce))
  } catch (error) {
    ctx.log.warn({ err: error, cases: caseRefs.length }, 'the day of a batch could not be ended; trying one by one')
    for (const caseRef of caseRefs) await endOne(ctx, caseRef, { through, announce, ended })
  }
}

/** Interest is booked before its row is due at the end of months only. */
const hasMonthEnd = (from: string, through: string): boolean => from.slice(0, 7) < plusDays(through, 1).slice(0, 7)

type BatchCount = Pick<DayEndResult, 'loans' | 'entries'>

function count(ended: LoansResult, { loans, entries }: BatchCount): void {
  ended.loans += loans
  ended.entries += entries
}

/** A loan that fails does not stop the others. */
async function endOne(ctx: DayEndContext, caseRef: string, { through, announce, ended }: DayRun) {
  try {
    count(ended, await endBatch(ctx, { caseRefs: [caseRef], isAccruing: true }, through, announce))
  } catch (error) {
    ctx.log.error({ err: error, caseRef, through }, 'the day of a loan could not be ended')
    ended.failed.push(caseRef)
  }
}

interface Batch {
  caseRefs: string[]
  isAccruing: boolean
}

function endBatch(
  { db, clock }: DayEndContext,
  { caseRefs, isAccruing }: Batch,
  through: string,
  announce: Announce,
): Promise<BatchCount> {
  return db.tx(async (tx) => {
    const at = clock()
    const cases = await lockCases(tx, caseRefs)
    const loans = await readToEnd(tx, caseRefs, { through, isAccruing })
    const ended = loans.flatMap((loan) => endedBy(loan, through, at))
    if (ended.length === 0) return { loans: 0, entries: 0 }
    const status = new Map(ended.flatMap((loan) => (loan.status === loan.was ? [] : [[loan.caseRef, loan.status]])))
    const changed = cases.flatMap((loanCase) => {
      const loanStatus = status.get(loanCase.caseRef)
      return loanStatus ? [{ loanCase, loanStatus }] : []
    })
    const entries = ended.flatMap((loan) => loan.entries).filter(({ postings }) => postings.length > 0)
    const rows = ended.flatMap(({ caseRef, changed: some }) => some.map((row) => ({ caseRef, row })))
    await Promise.all([
      postAtDayEnd(tx, entries, at),
      updateEndedRows(tx, rows, at),
      updateEndedLoans(tx, ended, at),
      changed.length > 0 ? announce(tx, changed, at) : undefined,
    ])
    return { loans: ended.length, entries: entries.length }
  })
}

interface LoanResult extends EndedLoan {
  was: LoanStatus
  changed: InstallmentRow[]
  entries: LedgerEntry[]
}

/**
 * Null when another process has ended the day since the look-up. Throws when interest accrues and the principal was not
 * summed.
 */
function endedBy(loan: LoanToEnd, through: string, at: Date): LoanResult[] {
  const { caseRef, status: was, terms, rows: before, laterPrincipal } = loan
  const first = nextWorkOn(before)
  if (first === null || first > through) return []
  const accrualOn = nextAccrualOn(before)
  if (laterPrincipal === null && accrualOn !== null && accrualOn <= through)
    throw new Error(`the interest of case ${caseRef} accrues until ${accrualOn}`)
  const { rows, entries } = endDays(before, { ...terms, laterPrincipal: laterPrincipal ?? 0n }, through, at)
  const known = new Set(before)
  const mine = ofCase(caseRef, entries)
  const held = heldBack(holdsIncome(loan), mine, before, rows)
  return [
    {
      caseRef,
      was,
      status: statusAfter(was, statusOf(rows)),
      rows,
      changed: rows.filter((row) => !known.has(row)),
      entries: loan.writtenOffOn === null ? [...mine, ...held] : withRecoveries(mine, nothingSince),
    },
  ]
}

const endedUntil = gauge(
  'day_end_until_timestamp_seconds',
  'Up to when business days are ended: the end of the last one, in seconds since 1970',
)

/** Ends yesterday, and what was missed before it, as soon as a new day has begun in India. */
export function endingDays(ctx: DayEndContext, announce: Announce, pollMs = 60_000): Worker {
  const { db, clock, log } = ctx
  // Failures are retried with the next poll, not at once.
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
      const [last, waiting] = await Promise.all([
        lastBusinessDay(db),
        loansToEnd(db, yesterday, { nextWorkOn: '0001-01-01', caseRef: '' }, 1),
      ])
      if (last) endedUntil.set(startOf(plusDays(last.endedOn, 1)).getTime() / 1000)
      return waiting.length > 0 || !last || last.endedOn < yesterday ? [yesterday] : []
    },
    async handle(through) {
      const began = performance.now()
      const { failed, provisionPaise, provisionChangePaise, ...ended } = await dayEnd(ctx, through, announce)
      const seconds = Math.round((performance.now() - began) / 1000)
      const provisions = { provision: rupees(provisionPaise), provisionChange: rupees(provisionChangePaise) }
      log.info({ through, ...ended, ...provisions, failed: failed.length, seconds }, 'the business day is ended')
      if (failed.length > 0) notBefore = clock().getTime() + pollMs
    },
  })
}
