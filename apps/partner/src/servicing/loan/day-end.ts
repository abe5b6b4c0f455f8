// The day-end of all loans, in short transactions of some hundred cases. After an interruption, the next run continues.

import type { Clock } from '@lendloom/foundation/clock'
import type { Log } from '@lendloom/foundation/log'
import { gauge } from '@lendloom/foundation/metrics'
import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { loop, type Worker } from '@lendloom/queue/queue'
import { type LedgerEntry, withCase } from '#partner/books/ledger/entry.ts'
import { issueTaxDocuments, type TaxIssueContext } from '#partner/books/tax/issue-tax-documents.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCases } from '#partner/origination/case/store.ts'
import { readDebitDays } from '#partner/servicing/loan/day/debit-days.ts'
import { classifyLoans, type DuesTolerance, provisionBook } from './class/classify.ts'
import { hasIncomeSuspense, suspenseEntriesFor } from './class/income-suspense.ts'
import { lastBusinessDay } from './class/store.ts'
import {
  type DayEndLoan,
  type LoanAfterDayEnd,
  readForDayEnd,
  updateLoansAtDayEnd,
  updateRowsAtDayEnd,
} from './day/store.ts'
import { conditionOf, type InstallmentRow, nextAccrualOn, nextWorkOn } from './installment-row.ts'
import { type LoanStatus, statusAfter } from './loan.ts'
import { recordMonths } from './month/record-months.ts'
import { postAtDayEnd } from './post-in-books.ts'
import { type DayEnds, endDays } from './row-day-end.ts'
import { type DayEndPosition, listLoansDueForDayEnd } from './store.ts'
import { noEntriesSinceWriteOff, withRecoveries } from './write-off-entries.ts'

interface DayEndContext extends TaxIssueContext {
  config: TaxIssueContext['config'] & DuesTolerance
  clock: Clock
  log: Log
}

/** The new status of a loan; its case is locked. */
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
  /** The number of loans in each class after the last day. */
  classes: Record<string, number>
  provisionPaise: Paise
  provisionChangePaise: Paise
}

/**
 * Closes every open business day up to `through`, in order. At each day-end, rows fall due, interest accrues, and
 * unpaid rows become overdue and incur penal charges. Then loans are classified by borrower and provisions are posted.
 */
export async function dayEnd(
  ctx: DayEndContext,
  through: string,
  report: ReportStatusChanges,
  batch = 250,
): Promise<DayEndResult> {
  const last = await lastBusinessDay(ctx.db)
  // The loans are already classified for a later day.
  if (last && last.endedOn > through) return { ...noClassification, ...(await endLoans(ctx, through, report, batch)) }
  if (last) await completeDay(ctx, last.endedOn)
  let on = last && last.endedOn < through ? plusDays(last.endedOn, 1) : through
  let total = await endDay(ctx, on, report, batch)
  while (on < through) {
    on = plusDays(on, 1)
    const next = await endDay(ctx, on, report, batch)
    total = {
      ...next,
      loans: total.loans + next.loans,
      entries: total.entries + next.entries,
      // The next day-end has retried the loans that failed before.
      failed: next.failed,
      classified: total.classified + next.classified,
      provisionChangePaise: total.provisionChangePaise + next.provisionChangePaise,
    }
  }
  return total
}

const noClassification = { classified: 0, classes: {}, provisionPaise: 0n, provisionChangePaise: 0n }

/** Closes one business day: ends the loans' day, classifies them, and posts the provisions. */
async function endDay(
  ctx: DayEndContext,
  on: string,
  report: ReportStatusChanges,
  batch: number,
): Promise<DayEndResult> {
  const beganAt = ctx.clock()
  const { failed, ...counted } = await endLoans(ctx, on, report, batch)
  const classified = await classifyLoans(ctx, on, batch)
  const entries = counted.entries + classified.entries
  const closedDay = {
    endedOn: on,
    loans: counted.loans,
    entries,
    failed: failed.length,
    classified: classified.loans,
    beganAt,
  }
  const { counts, ...provision } = await provisionBook(ctx.db, closedDay, ctx.clock())
  await completeDay(ctx, on)
  return { ...counted, entries, failed, classified: classified.loans, classes: counts, ...provision }
}

type LoansResult = Pick<DayEndResult, 'loans' | 'entries' | 'failed'>

/**
 * Runs the day-ends of every loan. `next_work_on` of a loan advances in the transaction of its day-ends, so repeated
 * runs, crashes and concurrent workers are safe. Each transaction locks the cases of one batch; batches share no case.
 */
async function endLoans(
  ctx: DayEndContext,
  through: string,
  report: ReportStatusChanges,
  batch: number,
): Promise<LoansResult> {
  const totals: LoansResult = { loans: 0, entries: 0, failed: [] }
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
  const endBatches = async (): Promise<void> => {
    for (let positions = await next(); positions.length > 0; positions = await next())
      await endBatchOrEach(ctx, positions, { through, report, totals })
  }
  await Promise.all(Array.from({ length: concurrency }, endBatches))
  return totals
}

/** The number of concurrent batches: this process computes a batch while the database works on the other batch. */
const concurrency = 2

/** One run over all loans; each batch adds to the totals. */
interface DayRun {
  through: string
  report: ReportStatusChanges
  totals: LoansResult
}

/**
 * Ends the day of a batch. If the batch fails, retries each of its loans alone, so that one loan does not stop the
 * others.
 */
async function endBatchOrEach(ctx: DayEndContext, positions: DayEndPosition[], { through, report, totals }: DayRun) {
  const caseRefs = positions.map(({ caseRef }) => caseRef)
  const first = positions.reduce((day, { nextWorkOn }) => (nextWorkOn < day ? nextWorkOn : day), through)
  try {
    addCounts(totals, await endBatch(ctx, { caseRefs, isAccruing: hasMonthEnd(first, through) }, through, report))
  } catch (error) {
    ctx.log.warn({ err: error, cases: caseRefs.length }, 'the day-end of a batch failed; retrying each loan separately')
    for (const caseRef of caseRefs) await endOne(ctx, caseRef, { through, report, totals })
  }
}

/** Whether the days include a month-end: only then does interest accrue before the due date. */
const hasMonthEnd = (from: string, through: string): boolean => from.slice(0, 7) < plusDays(through, 1).slice(0, 7)

type BatchCount = Pick<DayEndResult, 'loans' | 'entries'>

function addCounts(totals: LoansResult, { loans, entries }: BatchCount): void {
  totals.loans += loans
  totals.entries += entries
}

/** Runs the day-ends of one loan. A failure is logged and added to the result. */
async function endOne(ctx: DayEndContext, caseRef: string, { through, report, totals }: DayRun) {
  try {
    addCounts(totals, await endBatch(ctx, { caseRefs: [caseRef], isAccruing: true }, through, report))
  } catch (error) {
    ctx.log.error({ err: error, caseRef, through }, 'the day-end of a loan failed')
    totals.failed.push(caseRef)
  }
}

interface Batch {
  caseRefs: string[]
  /** Whether interest may accrue on these days. Only then is the principal of later rows summed. */
  isAccruing: boolean
}

/**
 * Ends the days of the loans in one transaction: posts their entries, writes rows and loans, and reports new
 * statuses.
 */
function endBatch(
  { db, clock }: DayEndContext,
  { caseRefs, isAccruing }: Batch,
  through: string,
  report: ReportStatusChanges,
): Promise<BatchCount> {
  return db.tx(async (tx) => {
    const at = clock()
    const cases = await lockCases(tx, caseRefs)
    const [loans, debitDays] = await Promise.all([
      readForDayEnd(tx, caseRefs, { through, isAccruing }),
      readDebitDays(tx),
    ])
    const results = loans.flatMap((loan) => resultOf(loan, { through, debitDays, at }))
    if (results.length === 0) return { loans: 0, entries: 0 }
    const newStatuses = new Map(
      results.flatMap((loan) => (loan.status === loan.previousStatus ? [] : [[loan.caseRef, loan.status]])),
    )
    const changed = cases.flatMap((loanCase) => {
      const loanStatus = newStatuses.get(loanCase.caseRef)
      return loanStatus ? [{ loanCase, loanStatus }] : []
    })
    const entries = results.flatMap((loan) => loan.entries).filter(({ postings }) => postings.length > 0)
    const rows = results.flatMap(({ caseRef, changedRows }) => changedRows.map((row) => ({ caseRef, row })))
    await Promise.all([
      postAtDayEnd(tx, entries, at),
      updateRowsAtDayEnd(tx, rows, at),
      updateLoansAtDayEnd(tx, results, at),
      changed.length > 0 ? report(tx, changed, at) : undefined,
    ])
    return { loans: results.length, entries: entries.length }
  })
}

/** A loan after its day-ends, and what changed. */
interface LoanResult extends LoanAfterDayEnd {
  previousStatus: LoanStatus
  changedRows: InstallmentRow[]
  entries: LedgerEntry[]
}

/**
 * Returns the loan after its day-ends; empty if another process ran them since the query. Throws if interest accrues,
 * but the principal of later rows was not summed.
 */
function resultOf(loan: DayEndLoan, dayEnds: DayEnds): LoanResult[] {
  const { through } = dayEnds
  const { caseRef, status: previousStatus, terms, rows: before, laterPrincipal } = loan
  const first = nextWorkOn(before)
  if (first === null || first > through) return []
  const accrualOn = nextAccrualOn(before)
  if (laterPrincipal === null && accrualOn !== null && accrualOn <= through)
    throw new Error(`the interest of case ${caseRef} accrues until ${accrualOn}`)
  const { rows, entries } = endDays(before, { ...terms, laterPrincipal: laterPrincipal ?? 0n }, dayEnds)
  const originalRows = new Set(before)
  const ownEntries = withCase(caseRef, entries)
  const suspenseEntries = suspenseEntriesFor(hasIncomeSuspense(loan), ownEntries, before, rows)
  return [
    {
      caseRef,
      previousStatus,
      status: statusAfter(previousStatus, conditionOf(rows)),
      rows,
      changedRows: rows.filter((row) => !originalRows.has(row)),
      entries:
        loan.writtenOffOn === null
          ? [...ownEntries, ...suspenseEntries]
          : withRecoveries(ownEntries, noEntriesSinceWriteOff),
    },
  ]
}

const endedUntil = gauge(
  'day_end_until_timestamp_seconds',
  'End of the last closed business day, in seconds since 1970',
)

/** Starts a worker that closes yesterday and missed earlier days, as soon as a new day begins in India. */
export function dayEndWorker(ctx: DayEndContext, report: ReportStatusChanges, pollMs = 60_000): Worker {
  const { db, clock, log } = ctx
  // After a failure, the worker waits until the next poll.
  let notBefore = 0
  let completedDay = ''
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
      if (last && last.endedOn !== completedDay) await completeDay(ctx, last.endedOn)
      completedDay = last?.endedOn ?? ''
      if (last) endedUntil.set(startOf(plusDays(last.endedOn, 1)).getTime() / 1000)
      return waiting.length > 0 || !last || last.endedOn < yesterday ? [yesterday] : []
    },
    async handle(through) {
      const began = performance.now()
      const { failed, provisionPaise, provisionChangePaise, ...counts } = await dayEnd(ctx, through, report)
      const seconds = Math.round((performance.now() - began) / 1000)
      const provisions = { provision: rupees(provisionPaise), provisionChange: rupees(provisionChangePaise) }
      log.info({ through, ...counts, ...provisions, failed: failed.length, seconds }, 'business day closed')
      if (failed.length > 0) notBefore = clock().getTime() + pollMs
    },
  })
}

/** Records the months and issues the invoices of a closed day. Idempotent, because a process may end before this. */
export async function completeDay(ctx: TaxIssueContext, on: string): Promise<void> {
  await recordMonths(ctx.db, on)
  await issueTaxDocuments(ctx, on)
}
