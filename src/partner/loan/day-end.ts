// Day-end for all loans, in short transactions of a few hundred cases; resumes after an interruption.

import type { Db, Tx } from '#kit/db/sql.ts'
import { loop, type Worker } from '#kit/messaging/queue.ts'
import { businessDate, plusDays, startOf } from '#kit/money/calendar.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import { gauge } from '#kit/runtime/metrics.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { lockCases } from '#partner/case/store.ts'
import { type LedgerEntry, withCase } from '#partner/ledger/store.ts'
import { classifyLoans, provisionBook } from './class/classify.ts'
import { lastBusinessDay } from './class/store.ts'
import { hasIncomeSuspense, suspenseEntriesFor } from './class/suspense.ts'
import {
  type DayEndLoan,
  type LoanAfterDayEnd,
  readForDayEnd,
  updateLoansAtDayEnd,
  updateRowsAtDayEnd,
} from './day/store.ts'
import { endDays, postAtDayEnd } from './end-of-day.ts'
import { type LoanStatus, statusAfter } from './loan.ts'
import { recordMonths } from './month/keep-month.ts'
import { type InstallmentRow, nextAccrualOn, nextWorkOn, statusOf } from './row.ts'
import { type DayEndPosition, listLoansDueForDayEnd } from './store.ts'
import { noEntriesSince, withRecoveries } from './write-off.ts'

interface DayEndContext {
  db: Db
  clock: Clock
  log: Log
}

/** A loan whose status the day-end changed; its case is locked. */
interface StatusChange {
  loanCase: Case
  loanStatus: LoanStatus
}

/** Reports status changes in the transaction of the day-end. */
export type ReportStatusChanges = (tx: Tx, changed: StatusChange[], at: Date) => Promise<void>

export interface DayEndResult {
  loans: number
  entries: number
  /** Cases whose day-end failed; the error is logged, and the next run retries them. */
  failed: string[]
  /** Loans whose class changed. */
  classified: number
  /** Loans by class, and their provision, after the last day. */
  classes: Record<string, number>
  provisionPaise: Paise
  provisionChangePaise: Paise
}

/**
 * Closes every open business day up to `through`, in order. Rows fall due, interest accrues, unpaid rows become overdue
 * and incur penal charges; then loans are classified by borrower, and the book is provisioned.
 */
export async function dayEnd(
  ctx: DayEndContext,
  through: string,
  announce: ReportStatusChanges,
  batch = 250,
): Promise<DayEndResult> {
  const last = await lastBusinessDay(ctx.db)
  // A day before the last closed one must not classify the book.
  if (last && last.endedOn > through) return { ...noClassification, ...(await endLoans(ctx, through, announce, batch)) }
  if (last) await recordMonths(ctx.db, last.endedOn)
  let on = last && last.endedOn < through ? plusDays(last.endedOn, 1) : through
  let ended = await endDay(ctx, on, announce, batch)
  while (on < through) {
    on = plusDays(on, 1)
    const next = await endDay(ctx, on, announce, batch)
    ended = {
      ...next,
      loans: ended.loans + next.loans,
      entries: ended.entries + next.entries,
      // The next day's run retries the failures of this one.
      failed: next.failed,
      classified: ended.classified + next.classified,
      provisionChangePaise: ended.provisionChangePaise + next.provisionChangePaise,
    }
  }
  return ended
}

const noClassification = { classified: 0, classes: {}, provisionPaise: 0n, provisionChangePaise: 0n }

async function endDay(
  ctx: DayEndContext,
  on: string,
  announce: ReportStatusChanges,
  batch: number,
): Promise<DayEndResult> {
  const beganAt = ctx.clock()
  const { failed, ...ended } = await endLoans(ctx, on, announce, batch)
  const classified = await classifyLoans(ctx, on, batch)
  const entries = ended.entries + classified.entries
  const closedDay = {
    endedOn: on,
    loans: ended.loans,
    entries,
    failed: failed.length,
    classified: classified.loans,
    beganAt,
  }
  const { counts, ...provision } = await provisionBook(ctx.db, closedDay, ctx.clock())
  await recordMonths(ctx.db, on)
  return { ...ended, entries, failed, classified: classified.loans, classes: counts, ...provision }
}

type LoansResult = Pick<DayEndResult, 'loans' | 'entries' | 'failed'>

/**
 * Runs the day-ends of every loan. A loan stores its next day with work, and advances it in the transaction of that
 * work, so repeated runs, crashes and concurrent workers are safe. A transaction locks the cases of one batch in order;
 * no other code locks several cases in one transaction.
 */
async function endLoans(
  ctx: DayEndContext,
  through: string,
  announce: ReportStatusChanges,
  batch: number,
): Promise<LoansResult> {
  const ended: LoansResult = { loans: 0, entries: 0, failed: [] }
  let after: DayEndPosition = { nextWorkOn: '0001-01-01', caseRef: '' }
  let lastQuery: Promise<unknown> = Promise.resolve()
  const next = (): Promise<DayEndPosition[]> => {
    const query = lastQuery.then(async () => {
      const positions = await listLoansDueForDayEnd(ctx.db, through, after, batch)
      after = positions.at(-1) ?? after
      return positions
    })
    lastQuery = query
    return query
  }
  const slot = async (): Promise<void> => {
    for (let positions = await next(); positions.length > 0; positions = await next())
      await endBatchOrEach(ctx, positions, { through, announce, ended })
  }
  await Promise.all(Array.from({ length: concurrency }, slot))
  return ended
}

/** Two batches, so that this process computes one while the database works on the other. */
const concurrency = 2

interface DayRun {
  through: string
  announce: ReportStatusChanges
  ended: LoansResult
}

async function endBatchOrEach(ctx: DayEndContext, positions: DayEndPosition[], { through, announce, ended }: DayRun) {
  const caseRefs = positions.map(({ caseRef }) => caseRef)
  const first = positions.reduce((day, { nextWorkOn }) => (nextWorkOn < day ? nextWorkOn : day), through)
  try {
    addCounts(ended, await endBatch(ctx, { caseRefs, isAccruing: hasMonthEnd(first, through) }, through, announce))
  } catch (error) {
    ctx.log.warn({ err: error, cases: caseRefs.length }, 'the day-end of a batch failed; retrying each loan separately')
    for (const caseRef of caseRefs) await endOne(ctx, caseRef, { through, announce, ended })
  }
}

/** Whether interest may have to accrue before its row is due, which happens only at month-ends. */
const hasMonthEnd = (from: string, through: string): boolean => from.slice(0, 7) < plusDays(through, 1).slice(0, 7)

type BatchCount = Pick<DayEndResult, 'loans' | 'entries'>

function addCounts(ended: LoansResult, { loans, entries }: BatchCount): void {
  ended.loans += loans
  ended.entries += entries
}

/** Retries a single loan, so that its failure does not affect the others. */
async function endOne(ctx: DayEndContext, caseRef: string, { through, announce, ended }: DayRun) {
  try {
    addCounts(ended, await endBatch(ctx, { caseRefs: [caseRef], isAccruing: true }, through, announce))
  } catch (error) {
    ctx.log.error({ err: error, caseRef, through }, 'the day-end of a loan failed')
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
  announce: ReportStatusChanges,
): Promise<BatchCount> {
  return db.tx(async (tx) => {
    const at = clock()
    const cases = await lockCases(tx, caseRefs)
    const loans = await readForDayEnd(tx, caseRefs, { through, isAccruing })
    const ended = loans.flatMap((loan) => resultOf(loan, through, at))
    if (ended.length === 0) return { loans: 0, entries: 0 }
    const status = new Map(
      ended.flatMap((loan) => (loan.status === loan.previousStatus ? [] : [[loan.caseRef, loan.status]])),
    )
    const changed = cases.flatMap((loanCase) => {
      const loanStatus = status.get(loanCase.caseRef)
      return loanStatus ? [{ loanCase, loanStatus }] : []
    })
    const entries = ended.flatMap((loan) => loan.entries).filter(({ postings }) => postings.length > 0)
    const rows = ended.flatMap(({ caseRef, changed: some }) => some.map((row) => ({ caseRef, row })))
    await Promise.all([
      postAtDayEnd(tx, entries, at),
      updateRowsAtDayEnd(tx, rows, at),
      updateLoansAtDayEnd(tx, ended, at),
      changed.length > 0 ? announce(tx, changed, at) : undefined,
    ])
    return { loans: ended.length, entries: entries.length }
  })
}

interface LoanResult extends LoanAfterDayEnd {
  previousStatus: LoanStatus
  changed: InstallmentRow[]
  entries: LedgerEntry[]
}

/**
 * Empty when another process has done the day-end since the query. Throws when interest accrues but the principal was
 * not summed.
 */
function resultOf(loan: DayEndLoan, through: string, at: Date): LoanResult[] {
  const { caseRef, status: previousStatus, terms, rows: before, laterPrincipal } = loan
  const first = nextWorkOn(before)
  if (first === null || first > through) return []
  const accrualOn = nextAccrualOn(before)
  if (laterPrincipal === null && accrualOn !== null && accrualOn <= through)
    throw new Error(`the interest of case ${caseRef} accrues until ${accrualOn}`)
  const { rows, entries } = endDays(before, { ...terms, laterPrincipal: laterPrincipal ?? 0n }, through, at)
  const originalRows = new Set(before)
  const ownEntries = withCase(caseRef, entries)
  const suspenseEntries = suspenseEntriesFor(hasIncomeSuspense(loan), ownEntries, before, rows)
  return [
    {
      caseRef,
      previousStatus,
      status: statusAfter(previousStatus, statusOf(rows)),
      rows,
      changed: rows.filter((row) => !originalRows.has(row)),
      entries:
        loan.writtenOffOn === null ? [...ownEntries, ...suspenseEntries] : withRecoveries(ownEntries, noEntriesSince),
    },
  ]
}

const endedUntil = gauge(
  'day_end_until_timestamp_seconds',
  'End of the last closed business day, in seconds since 1970',
)

/** Closes yesterday, and missed days before it, as soon as a new day begins in India. */
export function dayEndWorker(ctx: DayEndContext, announce: ReportStatusChanges, pollMs = 60_000): Worker {
  const { db, clock, log } = ctx
  // Retries failures with the next poll, not at once.
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
        listLoansDueForDayEnd(db, yesterday, { nextWorkOn: '0001-01-01', caseRef: '' }, 1),
      ])
      if (last) endedUntil.set(startOf(plusDays(last.endedOn, 1)).getTime() / 1000)
      return waiting.length > 0 || !last || last.endedOn < yesterday ? [yesterday] : []
    },
    async handle(through) {
      const began = performance.now()
      const { failed, provisionPaise, provisionChangePaise, ...ended } = await dayEnd(ctx, through, announce)
      const seconds = Math.round((performance.now() - began) / 1000)
      const provisions = { provision: rupees(provisionPaise), provisionChange: rupees(provisionChangePaise) }
      log.info({ through, ...ended, ...provisions, failed: failed.length, seconds }, 'business day closed')
      if (failed.length > 0) notBefore = clock().getTime() + pollMs
    },
  })
}
