// What was refunded in excess, because the bank took a refunded receipt back, becomes a due of the borrower; pure rules.

import { plusDays } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import { posting } from '#partner/ledger/store.ts'
import { restartPenalties } from './end-of-day.ts'
import type { LoanState } from './repay.ts'
import { futureRows } from './replan.ts'
import { type InstallmentRow, newRow } from './row.ts'

/**
 * Adds the claim to the row that fell due last, so that it bears no interest. If the schedule has ended, the claim gets a
 * row of its own, due on the day `on`. Before the first due date no row bears no interest: the claim stays a negative
 * unapplied balance, which the next returned receipt moves to a row.
 */
export function claimRefund(state: LoanState, paise: Paise, { on, at }: { on: string; at: Date }): LoanState {
  const rows = withRowForClaim(state.rows, on, at)
  const future = futureRows(rows, on)
  const dueRow = rows[rows.length - future.length - 1]
  if (!dueRow) return state
  const { penalty } = state.loan.terms
  const withClaim = {
    ...dueRow,
    due: { ...dueRow.due, principal: dueRow.due.principal + paise },
    claimed: dueRow.claimed + paise,
    updatedAt: at,
  }
  return {
    ...state,
    rows: rows.map((row) => (row === dueRow ? restartPenalties(row, withClaim, penalty, on) : row)),
    conversions: [...state.conversions, ...posting('PRINCIPAL', 'UNAPPLIED', paise, dueRow.number)],
    isReplanned: true,
  }
}

/** Adds a row if the last one is older than a week, because a claim must not be due before it arose. */
function withRowForClaim(rows: InstallmentRow[], on: string, at: Date): InstallmentRow[] {
  const last = rows.at(-1)
  return last && last.dueOn <= plusDays(on, -7) ? [...rows, newRow(last.number + 1, on, at)] : rows
}
