// A schedule is corrected by a new version of it: the old one is kept, and what changed is in the ledger (D3 §4.4).

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Paise } from '#kit/money/money.ts'
import { ofCase, type Posting, posting } from '#partner/ledger/entry.ts'
import { entriesOfUnapplied } from '#partner/ledger/store.ts'
import { accrued } from './accrue.ts'
import type { Reopening } from './allocate.ts'
import { openedAgain } from './end-of-day.ts'
import type { LoanStatus } from './lifecycle.ts'
import { newRow, type Part, parts, type Row } from './row.ts'
import { setOff, spareFrom } from './set-off.ts'
import { settleRepaid } from './settle.ts'
import { lockAccount } from './store.ts'

/** A row as it should be. */
export interface AmendedRow {
  number: number
  dueOn: string
  principal: Paise
  interest: Paise
  charges: Paise
}

export interface Amendment {
  caseRef: string
  /** Every row of the new version, in order; rows may be added at the end, never taken away. */
  rows: AmendedRow[]
  reason: string
  /** The business day of the correction. */
  amendedOn: string
}

/**
 * Replaces the schedule under the lock of the case; money beyond the old one pays what the new one asks for. Refused: `absent` no account · `wrong-state` the account was cancelled
 * · `invalid` what `amended` says.
 */
export async function amendSchedule(
  tx: Tx,
  { caseRef, rows: wanted, reason, amendedOn }: Amendment,
  at: Date,
): Promise<{ scheduleVersion: number; loanStatus: LoanStatus }> {
  const [before, unapplied] = await Promise.all([lockAccount(tx, caseRef), entriesOfUnapplied(tx, caseRef)])
  if (!before) throw new Refusal('absent', 'this case has no loan account')
  const { loan } = before
  if (loan.status === 'CANCELLED') throw new Refusal('wrong-state', 'this loan account was cancelled')
  const { penalty } = loan.terms
  const earned = accrued(before.rows, loan.terms, amendedOn, at)
  const { rows, postings } = amended(earned.rows, wanted, { penalty, on: amendedOn, at })
  const opened = { loan, rows, moved: postings, isReplanned: true }
  const { entries, ...after } = setOff(opened, spareFrom(unapplied), { caseRef, on: amendedOn, at })
  const loanStatus = await settleRepaid(
    tx,
    { before, after, entries: [...ofCase(caseRef, earned.entries), ...entries] },
    { reason, on: amendedOn },
    at,
  )
  return { scheduleVersion: loan.scheduleVersion + 1, loanStatus }
}

/**
 * The rows of the new version, and what the correction of earned charges moves. Refused as `invalid`: rows missing or out
 * of order · another principal in all · a row below what was paid of it · dates, principal or interest of a row that fell
 * due · a row moved to a day that has passed.
 */
export function amended(
  rows: Row[],
  wanted: AmendedRow[],
  { penalty, on, at }: Reopening,
): { rows: Row[]; postings: Posting[] } {
  if (wanted.length < rows.length || wanted.some(({ number }, i) => number !== i + 1))
    throw new Refusal('invalid', 'the new schedule must have every row, numbered from 1')
  if (wanted.some(({ dueOn }, i) => dueOn <= (wanted[i - 1]?.dueOn ?? '')))
    throw new Refusal('invalid', 'every row must be due after the one before')
  const total = (amounts: Paise[]) => amounts.reduce((sum, paise) => sum + paise, 0n)
  if (total(wanted.map(({ principal }) => principal)) !== total(rows.map(({ due }) => due.principal)))
    throw new Refusal('invalid', 'the principal of all rows together must stay the same')
  const postings: Posting[] = []
  const after = wanted.map((want) => {
    const row = rows[want.number - 1] ?? newRow(want.number, want.dueOn, at)
    const due = { penalty: row.due.penalty, charges: want.charges, interest: want.interest, principal: want.principal }
    const changed = (part: Part) => due[part] !== row.due[part]
    const moved = want.dueOn !== row.dueOn
    if (rows.includes(row) && !moved && !parts.some(changed)) return row
    if (row.fellDue && (moved || changed('principal') || changed('interest')))
      throw new Refusal('invalid', `row ${row.number} fell due: only its charges can change`)
    if (!row.fellDue && moved && want.dueOn < on)
      throw new Refusal('invalid', `row ${row.number} cannot be due in the past`)
    if (parts.some((part) => due[part] < 0n || due[part] < row.paid[part]))
      throw new Refusal('invalid', `row ${row.number} cannot ask for less than was paid of it`)
    if (row.fellDue) postings.push(...posting('CHARGES', 'CHARGES_INCOME', due.charges - row.due.charges, row.number))
    return openedAgain(row, { ...row, due, dueOn: want.dueOn, updatedAt: at }, penalty, on)
  })
  return { rows: after, postings }
}
