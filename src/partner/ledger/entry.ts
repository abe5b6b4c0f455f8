// An entry of the ledger: postings from one account to another, and the entry that takes one back.
import type { Paise } from '#kit/money/money.ts'
import { type Account, type Balances, noBalances } from './chart.ts'

type Kind =
  | 'DISBURSEMENT'
  | 'ACCRUAL'
  | 'DUE'
  | 'PENALTY'
  | 'RECEIPT'
  | 'REVERSAL'
  | 'AMENDMENT'
  | 'SET_OFF'
  | 'FEE_RETURN'
  | 'REFUND'
  | 'REFUND_PAID'
  | 'WAIVER'
  | 'WRITE_OFF'
  | 'RECOVERY'
  | 'SUSPENSE'
  | 'PROVISION'

/** An amount above zero that is debited here and credited there. `installment` is 0 when it is about no row. */
export interface Posting {
  debit: Account
  credit: Account
  installment: number
  paise: Paise
}

export interface Entry {
  caseRef: string
  /** Unique in its case, and made from what it is about: the same thing cannot be entered twice. */
  entryId: string
  kind: Kind
  /** The business day from which it counts: its value date. */
  businessOn: string
  /** The entry it takes back. */
  reverses: string | null
  /** Of a receipt; null with other entries. */
  choice?: PaymentChoice | null
  /** The business day on which the lender knew of it; absent until it is posted. */
  knownOn?: string
  postings: Posting[]
}

/** What the borrower wanted with the money of a receipt. */
export interface PaymentChoice {
  /** Principal repaid at once, and no instalment paid early. */
  isPartPayment: boolean
  /** Of the instalment and the number of instalments, the one that stays. */
  keeps: 'INSTALLMENT' | 'TERM'
}

/** Entries of one case. */
export const ofCase = (caseRef: string, entries: Omit<Entry, 'caseRef'>[]): Entry[] =>
  entries.map((entry) => ({ caseRef, ...entry }))

/** A posting, or none for nothing. A negative amount goes the other way round. */
export function posting(debit: Account, credit: Account, paise: Paise, installment = 0): Posting[] {
  if (paise === 0n) return []
  return paise > 0n
    ? [{ debit, credit, installment, paise }]
    : [{ debit: credit, credit: debit, installment, paise: -paise }]
}

/** The entry that takes another back: every posting the other way round, linked to the original (D3 §2.5). */
export const reversalOf = (entry: Entry, entryId: string, businessOn: string): Entry => ({
  caseRef: entry.caseRef,
  entryId,
  kind: 'REVERSAL',
  businessOn,
  reverses: entry.entryId,
  postings: entry.postings.map(({ debit, credit, ...rest }) => ({ debit: credit, credit: debit, ...rest })),
})

/** The sum of postings by account. All balances together are always zero. */
export function balancesFrom(postings: Iterable<Posting>): Balances {
  const balances = noBalances()
  for (const { debit, credit, paise } of postings) {
    balances[debit] += paise
    balances[credit] -= paise
  }
  return balances
}
