// A waiver of dues: penal charges, other charges and interest, partly or fully; the borrower no longer owes them.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { least, type Paise, rupees } from '#kit/money/money.ts'
import { type LedgerEntry, type Posting, posting, readEntries } from '#partner/ledger/store.ts'
import { accountOfPart } from './allocate.ts'
import { holdsIncome, unreceived } from './class/suspense.ts'
import type { LoanStatus } from './loan.ts'
import { leftUnpaid } from './receive.ts'
import type { AmountPart, InstallmentRow } from './row.ts'
import { settleRepaid } from './settle.ts'
import { lockAccount } from './store.ts'

/** Amounts that may be waived; principal is written off, never waived. */
const waivable = ['penalty', 'charges', 'interest'] as const
export type Waivable = Record<(typeof waivable)[number], Paise>

/** A penal charge is owed with its row at once, charges and interest once it has fallen due. */
const openOf = (row: InstallmentRow, part: AmountPart): Paise =>
  part === 'penalty' || row.fellDue ? row.due[part] - row.paid[part] : 0n

/** The most that can be given up now. */
export const mostWaivable = (rows: InstallmentRow[]): Waivable => {
  const of = (part: AmountPart): Paise => rows.reduce((sum, row) => sum + openOf(row, part), 0n)
  return { penalty: of('penalty'), charges: of('charges'), interest: of('interest') }
}

function mustBeDue(rows: InstallmentRow[], amounts: Waivable): void {
  const most = mostWaivable(rows)
  if (waivable.every((part) => amounts[part] === 0n))
    throw new Refusal('invalid', 'at least one amount is above zero', { field: 'penalty' })
  for (const part of waivable)
    if (amounts[part] < 0n || amounts[part] > most[part])
      throw new Refusal('invalid', `of ${part} ${rupees(most[part])} is due, and not ${rupees(amounts[part])}`, {
        field: part,
      })
}

interface WaiverContext {
  /** The income of the loan is held back: what is in suspense was never income, and giving it up costs nothing. */
  isHeld: boolean
  at: Date
}

/** The rows once amounts were given up, those of the oldest row first. Refused as `invalid`: nothing, or more than is due. */
export function waived(
  rows: InstallmentRow[],
  amounts: Waivable,
  { isHeld, at }: WaiverContext,
): { rows: InstallmentRow[]; postings: Posting[] } {
  mustBeDue(rows, amounts)
  const left = { ...amounts }
  const postings: Posting[] = []
  const after = rows.map((row) => {
    const due = { ...row.due }
    for (const part of waivable) {
      const open = openOf(row, part)
      const given = least(open, left[part])
      const suspended = isHeld ? least(given, unreceived(row, part)) : 0n
      due[part] -= given
      left[part] -= given
      postings.push(...posting('INCOME_SUSPENSE', accountOfPart[part], suspended, row.number))
      postings.push(...posting('WAIVED', accountOfPart[part], given - suspended, row.number))
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

export interface WaiverMade {
  loanStatus: LoanStatus
  /** The borrower had asked to leave, and nothing else was owed: the fee was refunded with the waiver. */
  hasLeft: boolean
}

/**
 * Waives amounts under the lock of the case. Refused: `absent` no account · `wrong-state` it was cancelled · as
 * `waived`.
 */
export async function waiveDue(tx: Tx, waiver: Waiver, at: Date): Promise<WaiverMade> {
  const { caseRef, waiverId, on } = waiver
  const before = await lockAccount(tx, caseRef)
  if (!before) throw new Refusal('absent', 'this case has no loan account')
  const { loan } = before
  if (loan.status === 'CANCELLED') throw new Refusal('wrong-state', 'this loan account was cancelled')
  const { rows, postings } = waived(before.rows, waiver, { isHeld: holdsIncome(loan), at })
  const entry: LedgerEntry = {
    caseRef,
    entryId: `waived-${waiverId}`,
    kind: 'WAIVER',
    businessOn: on,
    reverses: null,
    postings,
  }
  // A penal charge is not part of its row's amount: without it the schedule is unchanged.
  const isReplanned = waiver.charges > 0n || waiver.interest > 0n
  const posted = loan.exitUntil === null ? [] : await readEntries(tx, caseRef)
  const left = leftUnpaid(loan, rows, { posted, on, today: on, at })
  const after = left ? { ...left, isReplanned: true } : { loan, rows, moved: [], isReplanned }
  const entries = [entry, ...(left?.entries ?? [])]
  const because = { reason: left ? 'COOLING_OFF_EXIT' : 'WAIVER', on }
  return { loanStatus: await settleRepaid(tx, { before, after, entries }, because, at), hasLeft: left !== null }
}
