// Computes a borrower's statement of account and the totals of a financial year from ledger entries; pure.

import { maxPaise, minPaise, type Paise } from '@lendloom/lending/money'
import type { ChartAccount } from '#partner/books/ledger/chart.ts'
import type { LedgerEntry } from '#partner/books/ledger/entry.ts'
import { isPayoutReturned } from '#partner/servicing/loan/return-payout.ts'
import { settlementEntryIn } from '#partner/servicing/loan/settlement/settlement.ts'
import { receivables } from '#partner/servicing/loan/write-off-entries.ts'

/** One line of a statement. Accrued interest has no line until it is due. */
export interface AccountLine {
  on: string
  kind: LedgerEntry['kind'] | 'FEE_DEDUCTED'
  /** The number of the schedule row; null if the entry concerns no row or several rows. */
  installment: number | null
  added: Paise
  deducted: Paise
  balance: Paise
}

/** Accounts that make up the balance; overpayments reduce the balance. */
const owedAccounts: readonly ChartAccount[] = ['PRINCIPAL', 'INTEREST', 'PENALTY', 'CHARGES', 'UNAPPLIED']
const rowDues: readonly ChartAccount[] = ['INTEREST', 'CHARGES']
/** Accounts that payments come from: the bank, or earlier overpayments. */
const paymentAccounts: readonly ChartAccount[] = ['BANK', 'UNAPPLIED']

/**
 * Returns the lines in the order of their business days. Omits entries that do not change the balance, such as a change
 * of the schedule.
 */
export function statementOf(entries: LedgerEntry[]): AccountLine[] {
  let balance = 0n
  const sorted = entries.toSorted((a, b) => (a.businessOn < b.businessOn ? -1 : a.businessOn > b.businessOn ? 1 : 0))
  return withClosingInterest(sorted).flatMap(({ change, ...line }) => {
    if (change === 0n) return []
    balance += change
    return [{ ...line, added: change > 0n ? change : 0n, deducted: change < 0n ? -change : 0n, balance }]
  })
}

type LineChange = Omit<AccountLine, 'added' | 'deducted' | 'balance'> & { change: Paise }

function lineChanges(entry: LedgerEntry): LineChange[] {
  const { businessOn: on, kind, postings } = entry
  const rows = new Set(postings.map(({ installment }) => installment))
  const [row = 0] = rows
  const installment = rows.size === 1 && row > 0 ? row : null
  if (kind !== 'DISBURSEMENT') return [{ on, kind, installment, change: changeOf(postings) }]
  // The deducted fee has its own line, because the borrower received only the remainder.
  const bankPostings = postings.filter(({ credit }) => credit === 'BANK')
  const feePostings = postings.filter(({ credit }) => credit !== 'BANK')
  return [
    { on, kind, installment: null, change: changeOf(bankPostings) },
    { on, kind: 'FEE_DEDUCTED', installment: null, change: changeOf(feePostings) },
  ]
}

/** Lists interest that was paid or given up before its due date at the closing, so that the balance ends at zero. */
function withClosingInterest(sorted: LedgerEntry[]): LineChange[] {
  const closing = settlementEntryIn(sorted) ?? repaymentOfLastPrincipal(sorted)
  if (!closing) return sorted.flatMap(lineChanges)
  const until = sorted.indexOf(closing) + 1
  const before = sorted.slice(0, until)
  const after = sorted.slice(until)
  const rowsOf = (entries: LedgerEntry[]) =>
    new Set(entries.flatMap(({ postings }) => postings.map(({ installment }) => installment)))
  const dueRows = rowsOf(before.filter(({ kind }) => kind === 'DUE'))
  const closedRows = [...rowsOf(before)].filter((row) => row > 0 && !dueRows.has(row))
  const due = closedRows.map((installment): LineChange => {
    const ofRow = before.flatMap(({ postings }) => postings.filter((each) => each.installment === installment))
    return { on: closing.businessOn, kind: 'DUE', installment, change: -changeOf(ofRow, rowDues) }
  })
  const later = after.flatMap(lineChanges).map((line) => {
    const listed = line.kind === 'DUE' ? due.find(({ installment }) => installment === line.installment) : undefined
    return listed ? { ...line, change: line.change - listed.change } : line
  })
  return [...before.slice(0, -1).flatMap(lineChanges), ...due, ...lineChanges(closing), ...later]
}

function repaymentOfLastPrincipal(sorted: LedgerEntry[]): LedgerEntry | undefined {
  const principal = ({ postings }: LedgerEntry) => changeOf(postings, ['PRINCIPAL'])
  const outstanding = sorted.reduce((sum, each) => sum + principal(each), 0n)
  return outstanding === 0n ? sorted.findLast((each) => principal(each) !== 0n) : undefined
}

const changeOf = (postings: LedgerEntry['postings'], of = owedAccounts): Paise =>
  postings.reduce(
    (sum, { debit, credit, paise }) => sum + (of.includes(debit) ? paise : 0n) - (of.includes(credit) ? paise : 0n),
    0n,
  )

/**
 * Returns the day on which a closed loan was closed: the business day of the last entry that changed the dues. Entries
 * for due dates and accruals, overpayments and refunds of overpayments do not count.
 */
export const closingDay = (entries: LedgerEntry[]): string =>
  entries.filter(changesDues).reduce((latest, { businessOn }) => (businessOn > latest ? businessOn : latest), '')

const changesDues = ({ kind, postings }: LedgerEntry): boolean =>
  kind !== 'DUE' &&
  kind !== 'ACCRUAL' &&
  postings.some(({ debit, credit }) => receivables.some((each) => each === debit || each === credit))

export interface YearTotals {
  /** The calendar year in which the financial year begins. */
  year: number
  from: string
  until: string
  /** Due and undue interest of the year, minus interest refunded because the bank reported a payment late. */
  interestCharged: Paise
  /** Excludes interest payments that were later credited to principal. */
  interestPaid: Paise
  principalPaid: Paise
  penaltyPaid: Paise
}

/** Accounts that interest is charged to. Suspended income and losses do not change the borrower's charges. */
const chargedAccounts: readonly ChartAccount[] = ['INTEREST', 'ACCRUED_INTEREST', 'PRINCIPAL']

/**
 * Returns the charges and payments of a financial year. A reversal counts in the year of its own business day. After
 * the return of the payout nothing counts in any year: without a loan there is no interest and no principal, and the
 * payments are refundable.
 */
export function yearTotals(entries: LedgerEntry[], year: number): YearTotals {
  const from = `${year}-04-01`
  const until = `${year + 1}-03-31`
  const counted = isPayoutReturned(entries) ? [] : entries
  const inYear = counted.filter(
    ({ kind, businessOn }) => kind !== 'DISBURSEMENT' && businessOn >= from && businessOn <= until,
  )
  const postings = inYear.flatMap((entry) => entry.postings)
  /** Returns the sum of postings from `sources` to `to`, minus the postings in the reverse direction. */
  const netMovement = (to: ChartAccount, sources: readonly ChartAccount[]): Paise =>
    postings.reduce((sum, { debit, credit, paise }) => {
      if (credit === to && sources.includes(debit)) return sum + paise
      return debit === to && sources.includes(credit) ? sum - paise : sum
    }, 0n)
  const refundedInterest = netMovement('PRINCIPAL', ['INTEREST_INCOME'])
  // Money beyond the agreed sum of a settlement belongs to the borrower again.
  let excess = netMovement('UNAPPLIED', ['SETTLEMENT_LOSS'])
  const withoutExcess = (paid: Paise): Paise => {
    const part = minPaise(maxPaise(0n, paid), excess)
    excess -= part
    return paid - part
  }
  const principalPaid = withoutExcess(netMovement('PRINCIPAL', [...paymentAccounts, 'INTEREST']) + refundedInterest)
  const interestPaid = withoutExcess(netMovement('INTEREST', [...paymentAccounts, 'PRINCIPAL']) - refundedInterest)
  const penaltyPaid = withoutExcess(netMovement('PENALTY', paymentAccounts))
  return {
    year,
    from,
    until,
    interestCharged: netMovement('INTEREST_INCOME', chargedAccounts),
    interestPaid,
    principalPaid: principalPaid - excess,
    penaltyPaid,
  }
}
