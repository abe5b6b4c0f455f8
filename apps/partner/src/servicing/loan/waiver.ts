// Waives penal charges, other charges and interest, partly or fully.

import { Refusal } from '@lendloom/foundation/refusal'
import { inr, minPaise, type Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { type LedgerEntry, type Posting, posting } from '#partner/books/ledger/entry.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import { accountOfPart } from './allocate.ts'
import { hasIncomeSuspense, unreceivedIncome } from './class/income-suspense.ts'
import type { AmountPart, InstallmentRow } from './installment-row.ts'
import type { LoanStatus } from './loan.ts'
import { exitWithoutPayment } from './receipt-effect.ts'
import { lockAccount } from './store.ts'
import { storeChangeWithSchedule } from './store-account-change.ts'

/** Parts that may be waived. Principal can only be written off. */
const waivable = ['penalty', 'charges', 'interest'] as const
export type Waivable = Record<(typeof waivable)[number], Paise>
const partNames = { penalty: 'penal charges', charges: 'other charges', interest: 'interest' } as const

/**
 * Returns the unpaid dues of one part of a row. Penal charges are due at once, charges and interest when the row falls
 * due.
 */
const unpaidDue = (row: InstallmentRow, part: AmountPart): Paise =>
  part === 'penalty' || row.fellDue ? row.due[part] - row.paid[part] : 0n

/** Returns the maximum amounts that may be waived now. */
export const maxWaivable = (rows: InstallmentRow[]): Waivable => {
  const sumOf = (part: AmountPart): Paise => rows.reduce((sum, row) => sum + unpaidDue(row, part), 0n)
  return { penalty: sumOf('penalty'), charges: sumOf('charges'), interest: sumOf('interest') }
}

function requireDue(rows: InstallmentRow[], amounts: Waivable): void {
  const max = maxWaivable(rows)
  if (waivable.every((part) => amounts[part] === 0n))
    throw new Refusal('invalid', 'at least one amount must be above zero', { field: 'penalty' })
  for (const part of waivable)
    if (amounts[part] < 0n || amounts[part] > max[part])
      throw new Refusal('invalid', `${inr(max[part])} of ${partNames[part]} is due, not ${inr(amounts[part])}`, {
        field: part,
      })
}

interface WaiverContext {
  /** Whether the loan's unreceived income is in suspense. Waiving such income costs nothing. */
  hasSuspense: boolean
  at: Date
}

/** Waives amounts, oldest row first. Throws `invalid` for a zero amount, or more than is due. */
export function waiveRows(
  rows: InstallmentRow[],
  amounts: Waivable,
  { hasSuspense, at }: WaiverContext,
): { rows: InstallmentRow[]; postings: Posting[] } {
  requireDue(rows, amounts)
  const left = { ...amounts }
  const postings: Posting[] = []
  const after = rows.map((row) => {
    const due = { ...row.due }
    for (const part of waivable) {
      const waived = minPaise(unpaidDue(row, part), left[part])
      const suspended = hasSuspense ? minPaise(waived, unreceivedIncome(row, part)) : 0n
      due[part] -= waived
      left[part] -= waived
      postings.push(...posting('INCOME_SUSPENSE', accountOfPart[part], suspended, row.number))
      postings.push(...posting('WAIVED', accountOfPart[part], waived - suspended, row.number))
    }
    return waivable.some((part) => due[part] !== row.due[part]) ? { ...row, due, updatedAt: at } : row
  })
  return { rows: after, postings }
}

export interface Waiver extends Waivable {
  caseRef: string
  waiverId: string
  on: string
}

export interface WaiverResult {
  loanStatus: LoanStatus
  /** Whether the waiver completed a cooling-off exit, so that the fee was refunded. */
  hasExited: boolean
}

/**
 * Waives amounts under the lock of the case. Throws `absent` without an account, `wrong-state` for a cancelled account,
 * and the errors of `waiveRows`.
 */
export async function waiveDues(tx: Tx, waiver: Waiver, at: Date): Promise<WaiverResult> {
  const { caseRef, waiverId, on } = waiver
  const before = await lockAccount(tx, caseRef)
  if (!before) throw new Refusal('absent', 'this case has no loan account')
  const { loan } = before
  if (loan.status === 'CANCELLED') throw new Refusal('wrong-state', 'this loan account was cancelled')
  const { rows, postings } = waiveRows(before.rows, waiver, { hasSuspense: hasIncomeSuspense(loan), at })
  const entry: LedgerEntry = {
    caseRef,
    entryId: `waived-${waiverId}`,
    kind: 'WAIVER',
    businessOn: on,
    reverses: null,
    postings,
  }
  // Penal charges are not part of a row's amount, so waiving them does not change the schedule.
  const isReplanned = waiver.charges > 0n || waiver.interest > 0n
  const posted = loan.exitUntil === null ? [] : await readEntries(tx, caseRef)
  const exit = exitWithoutPayment(loan, rows, { posted, on, today: on, at })
  const after = exit ? { ...exit, isReplanned: true } : { loan, rows, conversions: [], isReplanned }
  const entries = [entry, ...(exit?.entries ?? [])]
  const reason = { reason: exit ? 'COOLING_OFF_EXIT' : 'WAIVER', on }
  return {
    loanStatus: await storeChangeWithSchedule(tx, { before, after, entries }, reason, at),
    hasExited: exit !== null,
  }
}
