// The end of every act on an account: changed rows, ledger entries and the loan's new state, written together.
import type { Tx } from '#kit/db/sql.ts'
import { type LedgerEntry, recoveriesOf, suspendedPenalties } from '#partner/ledger/store.ts'
import { heldBack, holdsIncome } from './class/suspense.ts'
import { noteClosed } from './closed.ts'
import { postInBooks } from './end-of-day.ts'
import { type LoanStatus, statusAfter } from './loan.ts'
import type { Repaid } from './repay.ts'
import { statusOf } from './row.ts'
import { deleteRows, insertRows, keepHistory, type LoanAccount, saveStands, updateRows } from './store.ts'
import { recoveryId, withRecoveries } from './write-off.ts'

/** An account before and after an act. Both have all rows, or all that were not settled before the act. */
export interface AccountChange {
  before: LoanAccount
  after: LoanAccount['rows']
  entries: LedgerEntry[]
}

/** A settled account with the loan's state. */
interface SettledAccount extends AccountChange {
  status: LoanStatus
}

/** Writes the effect of an act on a locked account. Returns its status. */
export async function settle(tx: Tx, settling: AccountChange, at: Date): Promise<LoanStatus> {
  const { status } = settledBy(settling)
  await settleAll(tx, [settling], at)
  return status
}

/** The cause of a changed schedule, with its business day. */
interface Reason {
  reason: string
  on: string
}

/**
 * As above after money arrived or was returned: when rows were planned again, the schedule gets a new version and the
 * old one stays.
 */
export async function settleRepaid(
  tx: Tx,
  { before, after, entries }: Omit<AccountChange, 'after'> & { after: Repaid },
  { reason, on }: Reason,
  at: Date,
): Promise<LoanStatus> {
  if (!after.isReplanned) return settle(tx, { before, after: after.rows, entries }, at)
  const { caseRef, scheduleVersion } = before.loan
  const amendment: LedgerEntry = {
    caseRef,
    entryId: `amendment-${scheduleVersion + 1}`,
    kind: 'AMENDMENT',
    businessOn: on,
    reverses: null,
    postings: after.moved,
  }
  await keepHistory(tx, before, { reason, installmentPaise: after.loan.installmentPaise }, at)
  return settle(tx, { before, after: after.rows, entries: [amendment, ...entries] }, at)
}

const settledBy = (settling: AccountChange): SettledAccount => ({
  ...settling,
  status: statusAfter(settling.before.loan.status, statusOf(settling.after)),
})

/** Including the suspense of a non-performing loan. */
const withSuspense = (settling: AccountChange): AccountChange => {
  const { before, after, entries } = settling
  return { ...settling, entries: [...entries, ...heldBack(holdsIncome(before.loan), entries, before.rows, after)] }
}

/**
 * Adds the companion entries of written-off loans, which keep their claims out of the books; two statements if there
 * are any.
 */
async function withTheirRecoveries(tx: Tx, settlings: AccountChange[]): Promise<LedgerEntry[]> {
  const lost = settlings.filter(({ before }) => before.loan.writtenOffOn !== null)
  if (lost.length === 0) return settlings.flatMap(({ entries }) => entries)
  const caseRefs = lost.map(({ before }) => before.loan.caseRef)
  const [found, penalties] = await Promise.all([recoveriesOf(tx, caseRefs), suspendedPenalties(tx, caseRefs)])
  return settlings.flatMap(({ before: { loan }, entries }) => {
    if (loan.writtenOffOn === null) return entries
    const own = found.flatMap(({ caseRef, entryId, isMoney }) =>
      caseRef === loan.caseRef ? [{ entryId: entryId.slice(recoveryId('').length), isMoney }] : [],
    )
    return withRecoveries(entries, {
      entryIds: new Set(own.map(({ entryId }) => entryId)),
      money: new Set(own.flatMap(({ entryId, isMoney }) => (isMoney ? [entryId] : []))),
      suspendedPenalties: new Map(
        penalties.flatMap(({ caseRef, installment, paise }) =>
          caseRef === loan.caseRef ? [[installment, paise] as const] : [],
        ),
      ),
    })
  })
}

/** As above for many accounts, in the same order. */
async function settleAll(tx: Tx, settlings: AccountChange[], at: Date): Promise<SettledAccount[]> {
  const settled = settlings.map(settledBy)
  const changed = settlings.flatMap(({ before: { loan, rows }, after }) =>
    after
      .filter((row) => !rows.includes(row))
      .map((row) => ({ caseRef: loan.caseRef, row, isNew: rows.every(({ number }) => number !== row.number) })),
  )
  const gone = settlings.flatMap(({ before: { loan, rows }, after }) => {
    const kept = new Set(after.map(({ number }) => number))
    return rows.filter(({ number }) => !kept.has(number)).map(({ number }) => ({ caseRef: loan.caseRef, number }))
  })
  const stands = settled.map(({ before: { loan }, after, status }) => ({ caseRef: loan.caseRef, status, rows: after }))
  const closed = settled.filter(({ before: { loan }, status }) => status === 'CLOSED' && loan.status !== 'CLOSED')
  const entries = await withTheirRecoveries(tx, settlings.map(withSuspense))
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
    deleteRows(tx, gone),
    saveStands(tx, stands, at),
    noteClosed(
      tx,
      closed.map(({ before }) => before.loan.caseRef),
      at,
    ),
  ])
  return settled
}
