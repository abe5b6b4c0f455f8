// What was refunded in excess, because the bank took a refunded receipt back, becomes a due of the borrower.

import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { maxPaise, type Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId } from '@lendloom/queue/queue'
import { type LedgerEntry, posting, withCase } from '#partner/books/ledger/entry.ts'
import { entriesOfUnapplied } from '#partner/books/ledger/store.ts'
import { accrue } from './accrue.ts'
import { type InstallmentRow, newRow } from './installment-row.ts'
import type { LoanStatus } from './loan.ts'
import type { LoanState } from './repay.ts'
import { futureRows } from './replan.ts'
import { unappliedBalanceFrom, unappliedIn } from './set-off.ts'
import { type LoanAccount, lockAccount } from './store.ts'
import { storeChangeWithSchedule } from './store-account-change.ts'

/** Returns what was refunded beyond the borrower's money, and is in no row; zero if the balance covers all refunds. */
export const unclaimedRefund = (entries: LedgerEntry[], conversions: LoanState['conversions'] = []): Paise =>
  maxPaise(0n, -(unappliedBalanceFrom(entries).paise + unappliedIn(conversions)))

/**
 * Adds the claim to the row that fell due last, so that it bears no interest; it bears no penal charges either. If the
 * schedule has ended, the claim gets a row of its own, due today, or on the later day `on`. Before the first due date
 * every row bears interest: the claim stays a negative unapplied balance until `claimWaitingRefund`.
 */
export function claimRefund(state: LoanState, paise: Paise, { on, at }: { on: string; at: Date }): LoanState {
  const today = businessDate(at)
  const since = today > on ? today : on
  const rows = withRowForClaim(state.rows, since, at)
  const future = futureRows(rows, since)
  const dueRow = rows[rows.length - future.length - 1]
  if (!dueRow) return state
  const withClaim = {
    ...dueRow,
    due: { ...dueRow.due, principal: dueRow.due.principal + paise },
    claimed: dueRow.claimed + paise,
    updatedAt: at,
  }
  return {
    ...state,
    rows: rows.map((row) => (row === dueRow ? withClaim : row)),
    conversions: [...state.conversions, ...posting('PRINCIPAL', 'UNAPPLIED', paise, dueRow.number)],
    isReplanned: true,
  }
}

/** Adds a row if the last one is older than a week, because a claim must not be due before it arose. */
function withRowForClaim(rows: InstallmentRow[], on: string, at: Date): InstallmentRow[] {
  const last = rows.at(-1)
  return last && last.dueOn <= plusDays(on, -7) ? [...rows, newRow(last.number + 1, on, at)] : rows
}

export const refundClaimQueue = 'claim-refund'

export interface RefundClaimJob {
  caseRef: string
}

/** Queues a claim that arose before the first due date, so that it is due with the first row. */
export async function queueRefundClaim(tx: Tx, { loan: { caseRef }, rows }: LoanAccount, at: Date): Promise<void> {
  const [first] = rows
  if (!first) return
  const firstDue = startOf(first.dueOn)
  const payload: RefundClaimJob = { caseRef }
  // Without a key, because a job of the same case may be running.
  await enqueue(tx, { tenantId: noTenantId, kind: refundClaimQueue, payload, dueAt: firstDue > at ? firstDue : at })
}

/**
 * Adds a claim that waited for the first due date to the first row, under the lock of the case. Returns the new status
 * of the loan; null if nothing is claimed, because the borrower has paid meanwhile or the loan is cancelled.
 */
export async function claimWaitingRefund(
  tx: Tx,
  { caseRef, on }: { caseRef: string; on: string },
  at: Date,
): Promise<LoanStatus | null> {
  const [account, unapplied] = await Promise.all([lockAccount(tx, caseRef), entriesOfUnapplied(tx, caseRef)])
  if (!account || account.loan.status === 'CANCELLED') return null
  const { loan } = account
  const earned = accrue(account.rows, loan.terms, on, at)
  const state = { loan, rows: earned.rows, conversions: [], isReplanned: false }
  const claim = unclaimedRefund(unapplied)
  const after = claim > 0n ? claimRefund(state, claim, { on, at }) : state
  if (!after.isReplanned) return null
  const change = { before: account, after, entries: withCase(caseRef, earned.entries) }
  return storeChangeWithSchedule(tx, change, { reason: 'RECEIPT_REVERSED', on }, at)
}
