// A ledger entry with its postings, each from one account to another.

import type { Paise } from '@lendloom/lending/money'
import { type Balances, type ChartAccount, noBalances } from './chart.ts'

export type EntryKind =
  | 'DISBURSEMENT'
  | 'ACCRUAL'
  | 'DUE'
  | 'PENALTY'
  | 'RECEIPT'
  | 'RECEIPT_ARRIVED'
  | 'RECEIPT_POSTED'
  | 'RECEIPT_RETURN'
  | 'RECEIPT_RETURNED'
  | 'RECEIPT_KEPT'
  | 'RECEIPT_TAKEN_BACK'
  | 'REVERSAL'
  | 'AMENDMENT'
  | 'SET_OFF'
  | 'FEE_RETURN'
  | 'REFUND'
  | 'REFUND_PAID'
  | 'PAYOUT_RETURN'
  | 'WAIVER'
  | 'WRITE_OFF'
  | 'SETTLEMENT'
  | 'ROUND_OFF'
  | 'RECOVERY'
  | 'SUSPENSE'
  | 'PROVISION'

/** A positive amount that is debited to one account and credited to another. */
export interface Posting {
  debit: ChartAccount
  credit: ChartAccount
  /** The number of the schedule row; 0 for amounts without a row. */
  installment: number
  paise: Paise
}

export interface LedgerEntry {
  caseRef: string
  /** Unique within the case. The id is derived from the cause, so that a cause cannot be posted twice. */
  entryId: string
  kind: EntryKind
  /** The value date. */
  businessOn: string
  /** The id of the entry that this entry reverses. */
  reverses: string | null
  /** Null for entries other than receipts. */
  choice?: PaymentChoice | null
  /** The later of the value date and the day of posting; undefined before posting. */
  knownOn?: string
  postings: Posting[]
}

/** The borrower's choice about the effect of a payment. */
export interface PaymentChoice {
  /** Whether the payment prepays principal at once, instead of paying an instalment early. */
  isPartPayment: boolean
  /** What the payment leaves unchanged: the instalment amount or the term. */
  keeps: 'INSTALLMENT' | 'TERM'
}

export const withCase = (caseRef: string, entries: Omit<LedgerEntry, 'caseRef'>[]): LedgerEntry[] =>
  entries.map((entry) => ({ caseRef, ...entry }))

/** Returns one posting, or none for zero. A negative amount swaps debit and credit. */
export function posting(debit: ChartAccount, credit: ChartAccount, paise: Paise, installment = 0): Posting[] {
  if (paise === 0n) return []
  return paise > 0n
    ? [{ debit, credit, installment, paise }]
    : [{ debit: credit, credit: debit, installment, paise: -paise }]
}

/** Returns the reversal of an entry, whose postings have debit and credit swapped (D3 §2.5). */
export const reversalOf = (entry: LedgerEntry, entryId: string, businessOn: string): LedgerEntry => ({
  caseRef: entry.caseRef,
  entryId,
  kind: 'REVERSAL',
  businessOn,
  reverses: entry.entryId,
  postings: entry.postings.map(({ debit, credit, ...rest }) => ({ debit: credit, credit: debit, ...rest })),
})

/**
 * Returns the reversal of an entry that falls because the bank gave a transfer back. It is no payment of the borrower.
 */
export const returnOf = (entry: LedgerEntry, businessOn: string): LedgerEntry =>
  reversalOf(entry, returnIdOf(entry.entryId), businessOn)

const returnIdOf = (entryId: string): string => `return-of-${entryId}`

/** Whether the entry was made by `returnOf`. */
export const isReturn = ({ entryId, reverses }: Pick<LedgerEntry, 'entryId' | 'reverses'>): boolean =>
  reverses !== null && entryId === returnIdOf(reverses)

/** Sums postings by account. The total of all balances is always zero. */
export function balancesFrom(postings: Iterable<Posting>): Balances {
  const balances = noBalances()
  for (const { debit, credit, paise } of postings) {
    balances[debit] += paise
    balances[credit] -= paise
  }
  return balances
}

/** Returns the entries of a kind that were not reversed. */
export function unreversedOf(entries: LedgerEntry[], wanted: LedgerEntry['kind']): LedgerEntry[] {
  const reversed = new Set(entries.map(({ reverses }) => reverses))
  return entries.filter(({ kind, entryId }) => kind === wanted && !reversed.has(entryId))
}

export const receiptsOf = (entries: LedgerEntry[]): LedgerEntry[] => unreversedOf(entries, 'RECEIPT')
