// Stores the result of an act on an account: changed rows, ledger entries and the loan's new status.
import type { Tx } from '@lendloom/postgres/sql'
import type { LedgerEntry } from '#partner/books/ledger/entry.ts'
import { recoveriesOf, suspendedPenalties } from '#partner/books/ledger/store.ts'
import { hasIncomeSuspense, suspenseEntriesFor } from './class/income-suspense.ts'
import { conditionOf } from './installment-row.ts'
import { type LoanStatus, statusAfter } from './loan.ts'
import { postInBooks } from './post-in-books.ts'
import { queueClosedLoans } from './queue-closed-loans.ts'
import type { LoanState } from './repay.ts'
import { deleteRows, insertRows, type LoanAccount, saveStates, storeVersion, updateRows } from './store.ts'
import { recoveryId, withRecoveries } from './write-off-entries.ts'

/** An account before and after an act. Both have all rows, or all rows that were unpaid before the act. */
export interface AccountChange {
  before: LoanAccount
  after: LoanAccount['rows']
  entries: LedgerEntry[]
}

interface AccountWithStatus extends AccountChange {
  status: LoanStatus
}

/** Stores the result of an act on a locked account. Returns the new status. */
export async function storeAccountChange(tx: Tx, change: AccountChange, at: Date): Promise<LoanStatus> {
  const { status } = withStatus(change)
  await storeAccountChanges(tx, [change], at)
  return status
}

/** The reason for a changed schedule, with its business day. */
interface Reason {
  reason: string
  on: string
}

/**
 * Like `storeAccountChange`, for an act that may replan the schedule. If it does, the schedule gets a new version, and the old
 * version is stored.
 */
export async function storeChangeWithSchedule(
  tx: Tx,
  { before, after, entries }: Omit<AccountChange, 'after'> & { after: LoanState },
  { reason, on }: Reason,
  at: Date,
): Promise<LoanStatus> {
  if (!after.isReplanned) return storeAccountChange(tx, { before, after: after.rows, entries }, at)
  const { caseRef, scheduleVersion } = before.loan
  const amendment: LedgerEntry = {
    caseRef,
    entryId: `amendment-${scheduleVersion + 1}`,
    kind: 'AMENDMENT',
    businessOn: on,
    reverses: null,
    postings: after.conversions,
  }
  await storeVersion(tx, before, { reason, installmentPaise: after.loan.installmentPaise }, at)
  return storeAccountChange(tx, { before, after: after.rows, entries: [amendment, ...entries] }, at)
}

const withStatus = (change: AccountChange): AccountWithStatus => ({
  ...change,
  status: statusAfter(change.before.loan.status, conditionOf(change.after)),
})

const addSuspense = (change: AccountChange): AccountChange => {
  const { before, after, entries } = change
  return {
    ...change,
    entries: [...entries, ...suspenseEntriesFor(hasIncomeSuspense(before.loan), entries, before.rows, after)],
  }
}

/**
 * Adds the companion entries of written-off loans, which keep their claims out of the books. Queries the database only
 * if there are such loans.
 */
async function addRecoveries(tx: Tx, changes: AccountChange[]): Promise<LedgerEntry[]> {
  const writtenOff = changes.filter(({ before }) => before.loan.writtenOffOn !== null)
  if (writtenOff.length === 0) return changes.flatMap(({ entries }) => entries)
  const caseRefs = writtenOff.map(({ before }) => before.loan.caseRef)
  const [recoveries, penalties] = await Promise.all([recoveriesOf(tx, caseRefs), suspendedPenalties(tx, caseRefs)])
  return changes.flatMap(({ before: { loan }, entries }) => {
    if (loan.writtenOffOn === null) return entries
    const loanRecoveries = recoveries.flatMap(({ caseRef, entryId, isRecovery }) =>
      caseRef === loan.caseRef ? [{ entryId: entryId.slice(recoveryId('').length), isRecovery }] : [],
    )
    return withRecoveries(entries, {
      entryIds: new Set(loanRecoveries.map(({ entryId }) => entryId)),
      moneyEntryIds: new Set(loanRecoveries.flatMap(({ entryId, isRecovery }) => (isRecovery ? [entryId] : []))),
      suspendedPenalties: new Map(
        penalties.flatMap(({ caseRef, installment, paise }) =>
          caseRef === loan.caseRef ? [[installment, paise] as const] : [],
        ),
      ),
    })
  })
}

/** Like `storeAccountChange`, for many accounts. Returns them in the same order. */
async function storeAccountChanges(tx: Tx, changes: AccountChange[], at: Date): Promise<AccountWithStatus[]> {
  const changedAccounts = changes.map(withStatus)
  const changed = changes.flatMap(({ before: { loan, rows }, after }) =>
    after
      .filter((row) => !rows.includes(row))
      .map((row) => ({ caseRef: loan.caseRef, row, isNew: rows.every(({ number }) => number !== row.number) })),
  )
  const removed = changes.flatMap(({ before: { loan, rows }, after }) => {
    const remaining = new Set(after.map(({ number }) => number))
    return rows.filter(({ number }) => !remaining.has(number)).map(({ number }) => ({ caseRef: loan.caseRef, number }))
  })
  const states = changedAccounts.map(({ before: { loan }, after, status }) => ({
    caseRef: loan.caseRef,
    status,
    rows: after,
  }))
  const closed = changedAccounts.filter(
    ({ before: { loan }, status }) => status === 'CLOSED' && loan.status !== 'CLOSED',
  )
  const entries = await addRecoveries(tx, changes.map(addSuspense))
  await Promise.all([
    postInBooks(tx, entries, at),
    insertRows(
      tx,
      changed.filter(({ isNew }) => isNew),
    ),
    updateRows(
      tx,
      changed.filter(({ isNew }) => !isNew),
    ),
    deleteRows(tx, removed),
    saveStates(tx, states, at),
    queueClosedLoans(
      tx,
      closed.map(({ before }) => before.loan.caseRef),
      at,
    ),
  ])
  return changedAccounts
}
