// A borrower's statement of account from the ledger, and the totals of a financial year; pure.

import type { Paise } from '#kit/money/money.ts'
import type { ChartAccount } from '#partner/ledger/chart.ts'
import type { LedgerEntry } from '#partner/ledger/store.ts'
import { receivables } from '#partner/loan/write-off.ts'

/** One line of a statement. Accrued interest has no line until it is due. */
export interface AccountLine {
  on: string
  kind: LedgerEntry['kind'] | 'FEE_DEDUCTED'
  /** The number of the schedule row; null if the entry concerns none or several. */
  installment: number | null
  added: Paise
  deducted: Paise
  balance: Paise
}

/** Accounts that make up the balance; overpayments reduce it. */
const owedAccounts: readonly ChartAccount[] = ['PRINCIPAL', 'INTEREST', 'PENALTY', 'CHARGES', 'UNAPPLIED']
/** Accounts that payments come from: the bank, or earlier overpayments. */
const paymentAccounts: readonly ChartAccount[] = ['BANK', 'UNAPPLIED']

/**
 * Returns the lines in the order of their business days. Omits entries that do not change the balance, such as a change
 * of the schedule.
 */
export function statementOf(entries: LedgerEntry[]): AccountLine[] {
  let balance = 0n
  const inOrder = entries.toSorted((a, b) => (a.businessOn < b.businessOn ? -1 : a.businessOn > b.businessOn ? 1 : 0))
  return inOrder.flatMap(lineEffects).flatMap(({ effect, ...line }) => {
    if (effect === 0n) return []
    balance += effect
    return [{ ...line, added: effect > 0n ? effect : 0n, deducted: effect < 0n ? -effect : 0n, balance }]
  })
}

type LineEffect = Omit<AccountLine, 'added' | 'deducted' | 'balance'> & { effect: Paise }

function lineEffects(entry: LedgerEntry): LineEffect[] {
  const { businessOn: on, kind, postings } = entry
  const rows = new Set(postings.map(({ installment }) => installment))
  const [row = 0] = rows
  const installment = rows.size === 1 && row > 0 ? row : null
  if (kind !== 'DISBURSEMENT') return [{ on, kind, installment, effect: effectOf(postings) }]
  // The deducted fee has its own line, because the borrower received only the rest.
  const bankPostings = postings.filter(({ credit }) => credit === 'BANK')
  const feePostings = postings.filter(({ credit }) => credit !== 'BANK')
  return [
    { on, kind, installment: null, effect: effectOf(bankPostings) },
    { on, kind: 'FEE_DEDUCTED', installment: null, effect: effectOf(feePostings) },
  ]
}

const effectOf = (postings: LedgerEntry['postings']): Paise =>
  postings.reduce(
    (sum, { debit, credit, paise }) =>
      sum + (owedAccounts.includes(debit) ? paise : 0n) - (owedAccounts.includes(credit) ? paise : 0n),
    0n,
  )

/**
 * Returns the business day on which a closed loan was closed: that of the last entry that changed the dues. Due dates,
 * overpayments and their refunds do not count.
 */
export const closingDay = (entries: LedgerEntry[]): string =>
  entries.filter(changesDues).reduce((latest, { businessOn }) => (businessOn > latest ? businessOn : latest), '')

const changesDues = ({ kind, postings }: LedgerEntry): boolean =>
  kind !== 'DUE' &&
  kind !== 'ACCRUAL' &&
  postings.some(({ debit, credit }) => receivables.some((each) => each === debit || each === credit))

/** Returns the Indian financial year (April to March) of a day, as the year in which it begins. */
export const financialYearOf = (on: string): number => Number(on.slice(0, 4)) - (on.slice(5, 7) < '04' ? 1 : 0)

export interface YearTotals {
  /** The year in which it begins. */
  year: number
  from: string
  until: string
  /** Interest of the year, due or not, less interest refunded because the bank reported a payment late. */
  interestCharged: Paise
  /** Without interest that was later credited to principal. */
  interestPaid: Paise
  principalPaid: Paise
  penaltyPaid: Paise
}

/**
 * Accounts that interest is charged to. Suspended income and losses in the books do not change what a borrower is
 * charged.
 */
const interestOwed: readonly ChartAccount[] = ['INTEREST', 'ACCRUED_INTEREST', 'PRINCIPAL']

/** Returns the charges and payments of a financial year. A reversal counts in the year in which it happened. */
export function yearTotals(entries: LedgerEntry[], year: number): YearTotals {
  const [from, until] = [`${year}-04-01`, `${year + 1}-03-31`]
  const inYear = entries.filter(
    ({ kind, businessOn }) => kind !== 'DISBURSEMENT' && businessOn >= from && businessOn <= until,
  )
  const postings = inYear.flatMap((entry) => entry.postings)
  /** Returns the sum of postings from the other accounts to this one, less those in the other direction. */
  const netMovement = (to: ChartAccount, others: readonly ChartAccount[]): Paise =>
    postings.reduce((sum, { debit, credit, paise }) => {
      if (credit === to && others.includes(debit)) return sum + paise
      return debit === to && others.includes(credit) ? sum - paise : sum
    }, 0n)
  const refundedInterest = netMovement('PRINCIPAL', ['INTEREST_INCOME'])
  return {
    ...{ year, from, until },
    interestCharged: netMovement('INTEREST_INCOME', interestOwed),
    interestPaid: netMovement('INTEREST', [...paymentAccounts, 'PRINCIPAL']) - refundedInterest,
    principalPaid: netMovement('PRINCIPAL', [...paymentAccounts, 'INTEREST']) + refundedInterest,
    penaltyPaid: netMovement('PENALTY', paymentAccounts),
  }
}
