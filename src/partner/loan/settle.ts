// What every act on an account ends with: changed rows, ledger entries and where the loan stands now, written together.
import type { Tx } from '#kit/db/sql.ts'
import type { Entry } from '#partner/ledger/entry.ts'
import { post } from '#partner/ledger/post.ts'
import { type LoanStatus, statusAfter } from './lifecycle.ts'
import { statusOf } from './row.ts'
import { type Account, insertRows, saveStands, updateRows } from './store.ts'

/** An account before and after an act. Both have all rows, or all that were not settled before the act. */
export interface Settling {
  before: Account
  after: Account['rows']
  entries: Entry[]
}

/** Writes what acts did to accounts that the transaction holds. Gives the status of each, in the same order. */
export async function settle(tx: Tx, settlings: Settling[], at: Date): Promise<LoanStatus[]> {
  const statuses = settlings.map(({ before, after }) => statusAfter(before.loan.status, statusOf(after)))
  const changed = settlings.flatMap(({ before: { loan, rows }, after }) =>
    after
      .filter((row) => !rows.includes(row))
      .map((row) => ({ caseRef: loan.caseRef, row, isNew: rows.every(({ number }) => number !== row.number) })),
  )
  const stands = settlings.map(({ before: { loan }, after }, i) => ({
    caseRef: loan.caseRef,
    status: statuses[i]!,
    rows: after,
  }))
  await Promise.all([
    post(
      tx,
      settlings.flatMap(({ entries }) => entries),
      at,
    ),
    insertRows(
      tx,
      changed.filter(({ isNew }) => isNew),
    ),
    updateRows(
      tx,
      changed.filter(({ isNew }) => !isNew),
    ),
    saveStands(tx, stands, at),
  ])
  return statuses
}
