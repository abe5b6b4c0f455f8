// Derives the figures of the reports and the portfolio once more, from the entries and terms of each loan alone. `rederive`
// compares them with those that the reports show (`shown-figures`), so nothing here may use what the reports use.

import { keysOf } from '@lendloom/foundation/record'
import { plusDays } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import type { JournalLine } from '#partner/books/ledger/store.ts'
import { termsFromJson } from '#partner/origination/terms/terms.ts'
import { monthEndOf } from '#partner/servicing/loan/month/month-end.ts'
import { bureauDifferences, type DerivedFigure } from './bureau-differences.ts'
import {
  beginning,
  classKnownOn,
  creditsOf,
  type DerivedLoan,
  debitsLessCredits,
  debitsOf,
  duesChanges,
  endOfTime,
  isNpa,
  isOpen,
  isRefundClaim,
  isReversed,
  type JournalLines,
  latestDay,
  payoutReturnedOn,
} from './derived-loan.ts'
import { type LoanLine, loansAfter, readHistories } from './store.ts'
import { addTally, type Tallies, tallyNames } from './tally.ts'

/** The business days and month ends for which the reports show figures. */
export interface ShownDays {
  closedDays: string[]
  monthEnds: string[]
}

/** How much an entry of each counted kind moved. */
const amountsOfKinds: Partial<Record<JournalLine['kind'], (lines: JournalLines) => Paise>> = {
  DISBURSEMENT: (lines) => debitsOf(lines, 'PRINCIPAL'),
  RECEIPT: (lines) => debitsOf(lines, 'BANK'),
  PENALTY: (lines) => debitsOf(lines, 'PENALTY'),
  FEE_RETURN: (lines) => debitsOf(lines, 'FEE_INCOME', 'TAX_PAYABLE'),
  WAIVER: (lines) => creditsOf(lines, 'PENALTY', 'CHARGES', 'INTEREST'),
  REFUND: (lines) => debitsOf(lines, 'UNAPPLIED'),
  WRITE_OFF: (lines) => creditsOf(lines, 'WRITTEN_OFF'),
  SETTLEMENT: (lines) => debitsOf(lines, 'SETTLEMENT_LOSS', 'INCOME_SUSPENSE'),
}

/** What a loan is at the end of a day, as far as was known on that day. */
interface LoanOnDay {
  isLent: boolean
  isOpen: boolean
  principal: Paise
  /** The asset class, or WRITTEN_OFF. */
  assetClass: string
}

function stateOn({ lines, classes }: DerivedLoan, day: string): LoanOnDay {
  const posted = lines.filter(({ postedOn }) => postedOn <= day)
  const isWrittenOff = lines.some(({ kind, businessOn }) => kind === 'WRITE_OFF' && businessOn <= day)
  return {
    isLent: posted.some(({ kind }) => kind === 'DISBURSEMENT'),
    isOpen: isOpen(posted),
    principal: debitsLessCredits(posted, 'PRINCIPAL'),
    assetClass: isWrittenOff ? 'WRITTEN_OFF' : classKnownOn(classes, day),
  }
}

/** Whether the line reverses a payment of the borrower, and not a payout or refund that the bank gave back. */
const isReturnedReceipt = ({ kind, reverses }: JournalLine): boolean =>
  kind === 'REVERSAL' && reverses !== 'disbursement' && !reverses?.startsWith('refund-paid-')

/** Counts the entries of each month, and sums what was lent and received. */
function tallyEntries(tallies: Tallies, { lines }: DerivedLoan): void {
  for (const [month, posted] of Map.groupBy(lines, ({ postedOn }) => monthEndOf(postedOn))) {
    const valid = posted.filter((line) => !isReversed(line, lines, month))
    for (const kind of keysOf(amountsOfKinds)) {
      const ofKind = valid.filter((line) => line.kind === kind)
      if (ofKind.length > 0) addTally(tallies, tallyNames.figure(month, kind), 1, amountsOfKinds[kind]?.(ofKind) ?? 0n)
    }
    if (posted.some(({ debit, credit }) => [debit, credit].includes('RECOVERY_INCOME')))
      addTally(tallies, tallyNames.figure(month, 'RECOVERED'), 1, -debitsLessCredits(posted, 'RECOVERY_INCOME'))
  }
  for (const [month, dated] of Map.groupBy(lines, ({ businessOn }) => monthEndOf(businessOn))) {
    const receipts = dated.filter((line) => line.kind === 'RECEIPT' || isReturnedReceipt(line))
    addTally(tallies, tallyNames.received(month), 0, debitsLessCredits(receipts, 'BANK'))
    const lent = payoutReturnedOn(lines) === null ? dated.filter(({ kind }) => kind === 'DISBURSEMENT') : []
    if (lent.length > 0) addTally(tallies, tallyNames.lent(month), 1, debitsOf(lent, 'PRINCIPAL'))
  }
}

/** Sums the book of each business day by asset class. The state is derived again only on days with a change. */
function tallyDays(tallies: Tallies, loan: DerivedLoan, closedDays: string[]): void {
  const { lines, classes } = loan
  const dates = classes.flatMap(({ recordedOn, correctedOn }) => [recordedOn, correctedOn ?? recordedOn])
  const changes = [
    ...new Set([...lines.flatMap(({ postedOn, businessOn }) => [postedOn, businessOn]), ...dates]),
  ].sort()
  let state: LoanOnDay | null = null
  let nextChange = 0
  for (const day of closedDays) {
    const isChanged = (changes[nextChange] ?? endOfTime) <= day
    while ((changes[nextChange] ?? endOfTime) <= day) nextChange++
    if (isChanged) state = stateOn(loan, day)
    if (state?.isLent && state.assetClass !== 'WRITTEN_OFF' && (state.isOpen || state.principal > 0n))
      addTally(tallies, tallyNames.book(day, state.assetClass), 1, state.principal)
  }
}

/** Counts the moves between classes from one month end to the next, and the vintages. */
function tallyMonths(tallies: Tallies, loan: DerivedLoan, monthEnds: string[]): void {
  const amount = debitsOf(
    loan.lines.filter(({ kind }) => kind === 'DISBURSEMENT'),
    'PRINCIPAL',
  )
  let before: LoanOnDay | null = null
  for (const monthEnd of monthEnds) {
    const after = stateOn(loan, monthEnd)
    const owing = after.isLent && after.principal > 0n ? after : null
    const roll = tallyNames.roll(monthEnd, before?.assetClass ?? 'NEW', owing?.assetClass ?? 'CLOSED')
    if (before ?? owing) addTally(tallies, roll, 1, (before ?? after).principal)
    if (after.isLent) {
      const month = monthEndOf(loan.line.disbursedOn)
      addTally(tallies, tallyNames.vintage(monthEnd, month), 1, amount)
      if (owing && !['STANDARD', 'SMA_0'].includes(owing.assetClass))
        addTally(tallies, tallyNames.late(monthEnd, month), 0, owing.principal)
      tallyDemand(tallies, loan, monthEnd)
    }
    before = owing
  }
}

/** Sums what fell due in a month and what of it was collected. */
function tallyDemand(tallies: Tallies, { rows, lines }: DerivedLoan, monthEnd: string): void {
  // The books of later months know no demand of a loan whose payout came back.
  if ((payoutReturnedOn(lines) ?? endOfTime) <= monthEnd) return
  const givenUp = lines
    .filter(({ kind }) => kind === 'SETTLEMENT' || kind === 'ROUND_OFF')
    .map(({ entryId }) => entryId)
  for (const { number, principalPaise } of rows.filter(({ dueOn }) => monthEndOf(dueOn) === monthEnd)) {
    const ofRow = lines.filter(({ installment }) => installment === number)
    const claimedLater = ofRow.filter((line) => isRefundClaim(line) && line.postedOn > monthEnd)
    const posted = ofRow.filter((line) => line.postedOn <= monthEnd && !isRefundClaim(line))
    const ofKind = (name: JournalLine['kind']) => posted.filter(({ kind }) => kind === name)
    const charged = debitsLessCredits([...ofKind('DUE'), ...ofKind('WAIVER')], 'INTEREST', 'CHARGES')
    const payments = posted.filter(
      ({ kind, reverses, debit, credit }) =>
        !['DUE', 'WAIVER', 'SETTLEMENT', 'ROUND_OFF'].includes(kind) &&
        !givenUp.some((each) => each === reverses) &&
        ![debit, credit].includes('INTEREST_INCOME'),
    )
    addTally(tallies, tallyNames.due(monthEnd), 0, principalPaise + charged - debitsOf(claimedLater, 'PRINCIPAL'))
    addTally(
      tallies,
      tallyNames.collected(monthEnd),
      0,
      -debitsLessCredits(payments, 'PRINCIPAL', 'INTEREST', 'CHARGES'),
    )
  }
}

/** Counts a loan that was closed, and whether it was before its term. */
function tallyEnding(tallies: Tallies, { lines, line, terms }: DerivedLoan): void {
  if (isOpen(lines) || payoutReturnedOn(lines) !== null) return
  const changes = duesChanges(lines)
  const termOn = plusDays(line.disbursedOn, 7 * terms.tenureWeeks)
  const month = monthEndOf(latestDay(changes.map(({ postedOn }) => postedOn)) ?? line.disbursedOn)
  addTally(tallies, tallyNames.figure(month, 'CLOSED'), 1, 0n)
  if (changes.every(({ businessOn }) => businessOn < termOn))
    addTally(tallies, tallyNames.figure(month, 'CLOSED_EARLY'), 1, 0n)
}

const loansPerPage = 500

/**
 * Derives the figures of all loans, page by page, and compares each loan with its line in the report to the bureaus.
 */
export async function deriveLoanFigures(db: Run, { closedDays, monthEnds }: ShownDays) {
  const tallies: Tallies = new Map()
  const borrowers: Map<string, boolean> = new Map()
  const differences: DerivedFigure[] = []
  let loans = 0
  for (let after: string | null = ''; after !== null; ) {
    const page: LoanLine[] = await loansAfter(db, { closedSince: beginning, after, limit: loansPerPage, tolerance: 0n })
    const histories = await readHistories(
      db,
      page.map(({ caseRef }) => caseRef),
    )
    for (const line of page) {
      const history = histories.get(line.caseRef)
      if (!history) throw new Error(`case ${line.caseRef} has no history`)
      const loan = { ...history, line, terms: termsFromJson(line.terms) }
      tallyEntries(tallies, loan)
      tallyEnding(tallies, loan)
      tallyDays(tallies, loan, closedDays)
      tallyMonths(tallies, loan, monthEnds)
      differences.push(...bureauDifferences(loan, closedDays.at(-1) ?? ''))
      const isNonPerforming = isNpa(classKnownOn(loan.classes, endOfTime)) || borrowers.get(loan.borrower) === true
      if (isOpen(loan.lines)) borrowers.set(loan.borrower, isNonPerforming)
    }
    loans += page.length
    after = page.length < loansPerPage ? null : (page.at(-1)?.caseRef ?? null)
  }
  addTally(tallies, tallyNames.owingBorrowers, borrowers.size, 0n)
  addTally(tallies, tallyNames.nonPerformingBorrowers, [...borrowers.values()].filter(Boolean).length, 0n)
  return { tallies, differences, loans }
}
