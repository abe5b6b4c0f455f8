// The borrower's account read off the ledger: what was added and taken off, day by day, with what was owed after each;
// pure rules.

import type { Paise } from '#kit/money/money.ts'
import type { ChartAccount } from '#partner/ledger/chart.ts'
import type { LedgerEntry } from '#partner/ledger/store.ts'
import { receivables } from '#partner/loan/write-off.ts'

/** One line of a statement. Accrued interest that is not due yet has no line. */
export interface AccountLine {
  on: string
  kind: LedgerEntry['kind'] | 'FEE_KEPT'
  /** The row of the schedule that it is about; null where it is about none or many. */
  installment: number | null
  added: Paise
  takenOff: Paise
  balance: Paise
}

/** The borrower's dues; money beyond the schedule is deducted. */
const owed: readonly ChartAccount[] = ['PRINCIPAL', 'INTEREST', 'PENALTY', 'CHARGES', 'UNAPPLIED']
/** The origin of money: outside, or earlier overpayments. */
const moneyOf: readonly ChartAccount[] = ['BANK', 'UNAPPLIED']

/**
 * In the order of their business days; what adds nothing and takes nothing off, as a change of the schedule, is left
 * out.
 */
export function statementOf(entries: LedgerEntry[]): AccountLine[] {
  let balance = 0n
  const inOrder = entries.toSorted((a, b) => (a.businessOn < b.businessOn ? -1 : a.businessOn > b.businessOn ? 1 : 0))
  return inOrder.flatMap(linesOf).flatMap(({ effect, ...line }) => {
    if (effect === 0n) return []
    balance += effect
    return [{ ...line, added: effect > 0n ? effect : 0n, takenOff: effect < 0n ? -effect : 0n, balance }]
  })
}

type LineEffect = Omit<AccountLine, 'added' | 'takenOff' | 'balance'> & { effect: Paise }

function linesOf(entry: LedgerEntry): LineEffect[] {
  const { businessOn: on, kind, postings } = entry
  const rows = new Set(postings.map(({ installment }) => installment))
  const [only = 0] = rows
  const installment = rows.size === 1 && only > 0 ? only : null
  if (kind !== 'DISBURSEMENT') return [{ on, kind, installment, effect: effectOf(postings) }]
  // The deducted fee has its own line: the borrower only saw the rest arrive.
  const paidOut = postings.filter(({ credit }) => credit === 'BANK')
  const kept = postings.filter(({ credit }) => credit !== 'BANK')
  return [
    { on, kind, installment: null, effect: effectOf(paidOut) },
    { on, kind: 'FEE_KEPT', installment: null, effect: effectOf(kept) },
  ]
}

const effectOf = (postings: LedgerEntry['postings']): Paise =>
  postings.reduce(
    (sum, { debit, credit, paise }) => sum + (owed.includes(debit) ? paise : 0n) - (owed.includes(credit) ? paise : 0n),
    0n,
  )

/**
 * The business day on which a closed loan was closed: that of the last entry about what is owed. No due date closes a loan, and
 * neither does money beyond the schedule, or its return.
 */
export const closedOnOf = (entries: LedgerEntry[]): string =>
  entries.filter(isAboutClaim).reduce((latest, { businessOn }) => (businessOn > latest ? businessOn : latest), '')

const isAboutClaim = ({ kind, postings }: LedgerEntry): boolean =>
  kind !== 'DUE' &&
  kind !== 'ACCRUAL' &&
  postings.some(({ debit, credit }) => receivables.some((each) => each === debit || each === credit))

/** The financial year of India that a day is in, by the year in which it begins: April to March. */
export const financialYearOf = (on: string): number => Number(on.slice(0, 4)) - (on.slice(5, 7) < '04' ? 1 : 0)

export interface YearPaid {
  /** The year in which it begins. */
  year: number
  from: string
  until: string
  /** Interest earned by the lender in the year, due or not, less refunds for money that the bank reported late. */
  interestCharged: Paise
  /** Without amounts that became principal: refunded interest, and interest prepaid for days that were cancelled. */
  interestPaid: Paise
  principalPaid: Paise
  penaltyPaid: Paise
}

/**
 * The accounts that interest is booked against, reduced by refunds. Income in suspense, or a loss in the books, does
 * not concern the borrower.
 */
const interestOwed: readonly ChartAccount[] = ['INTEREST', 'ACCRUED_INTEREST', 'PRINCIPAL']

/** Charges and payments of a financial year, without reversed receipts. */
export function yearOf(entries: LedgerEntry[], year: number): YearPaid {
  const [from, until] = [`${year}-04-01`, `${year + 1}-03-31`]
  const within = entries.filter(
    ({ kind, businessOn }) => kind !== 'DISBURSEMENT' && businessOn >= from && businessOn <= until,
  )
  const postings = within.flatMap((entry) => entry.postings)
  /** Movements to an account, less movements back. */
  const moved = (to: ChartAccount, others: readonly ChartAccount[]): Paise =>
    postings.reduce((sum, { debit, credit, paise }) => {
      if (credit === to && others.includes(debit)) return sum + paise
      return debit === to && others.includes(credit) ? sum - paise : sum
    }, 0n)
  const givenBack = moved('PRINCIPAL', ['INTEREST_INCOME'])
  return {
    ...{ year, from, until },
    interestCharged: moved('INTEREST_INCOME', interestOwed),
    interestPaid: moved('INTEREST', [...moneyOf, 'PRINCIPAL']) - givenBack,
    principalPaid: moved('PRINCIPAL', [...moneyOf, 'INTEREST']) + givenBack,
    penaltyPaid: moved('PENALTY', moneyOf),
  }
}
