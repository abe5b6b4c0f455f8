// Closes a month: one person proposes the closing with the trial balance, and another person confirms it.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { Period } from '#partner/books/ledger/store.ts'
import { balancesText, isBalanced, trialBalance } from '#partner/books/ledger/trial-balance.ts'
import type { Context } from '#partner/context.ts'
import {
  closeIfRefused,
  type FourEyesDecision,
  newProposalColumns,
  type ProposalKind,
} from '#partner/desk/approval/four-eyes.ts'
import { monthText } from '#partner/desk/parts/format.ts'
import { reasonIn } from '#partner/desk/parts/read-fields.ts'
import { lockSignedIn, type SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { type Act, noteAct } from '#partner/desk/staff/staff-acts.ts'
import {
  expireClosings,
  insertClosing,
  isMonthClosed,
  lockClosing,
  type MonthClose,
  type MonthCloseLine,
  writeClosingDecision,
} from '#partner/records/report/month-closing-store.ts'
import { monthEndBefore } from '#partner/servicing/loan/month/month-end.ts'
import { type Month, openStepsOf, readMonth } from './steps.ts'
import { monthEndTexts as texts } from './text-en.ts'

export const periodOfMonth = (monthEnd: string): Period => ({ from: `${monthEnd.slice(0, 8)}01`, to: monthEnd })

/** Whether the books have entries before the month. */
export const hasEarlierEntries = ({ balance }: Pick<Month, 'balance'>): boolean =>
  balance.rows.some(({ opening }) => opening !== 0n)

export const isWithoutEntries = (month: Month): boolean => month.balance.total.debit === 0n && !hasEarlierEntries(month)

/** Why the month cannot be closed; null if it can. Steps other than its days and its books may be open. */
export async function whyNotClosable(db: Run, month: Month, { from }: Period): Promise<ClosingObstacle | null> {
  if (isWithoutEntries(month)) return { text: texts.empty(monthText(from)) }
  if (!month.closing || month.closing.failed > 0) return { text: texts.openDays }
  if (!isBalanced(month.balance)) return { text: texts.notBalanced }
  const before = monthEndBefore(from)
  if (!hasEarlierEntries(month) || (await isMonthClosed(db, before))) return null
  return { text: texts.closeFirst(monthText(before)), closeFirst: before }
}

interface ClosingObstacle {
  text: string
  closeFirst?: string
}

interface ClosingProposal {
  monthEnd: string
  form: URLSearchParams
  at: Date
}

/**
 * Proposes to close a month. Refused: `invalid` without a reason · `wrong-state` while the month cannot be closed, is
 * closed, or has a waiting proposal.
 */
export const proposeClosing = (ctx: Context, who: SignedIn, { monthEnd, form, at }: ClosingProposal): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await lockSignedIn(tx, who)
    const reason = reasonIn(form, 'reason', 'a second person decides this: ')
    const period = periodOfMonth(monthEnd)
    const month = await readMonth(tx, period)
    const obstacle = await whyNotClosable(tx, month, period)
    if (obstacle !== null) throw new Refusal('wrong-state', obstacle.text)
    await expireClosings(tx, at)
    const openSteps = openStepsOf(month, period)
    const closing: MonthClose = {
      closingId: uuidv7(at.getTime()),
      monthEnd,
      balances: balancesText(month.balance.rows),
      openSteps,
      reason,
      ...newProposalColumns(who, at),
    }
    if (!(await insertClosing(tx, closing)))
      throw new Refusal('wrong-state', texts.alreadyProposed(monthText(monthEnd)))
    await noteClosing(tx, who, { act: 'CLOSING_PROPOSED', monthEnd, at })
  })

const noteClosing = (tx: Tx, { staffId }: SignedIn, note: { act: Act; monthEnd: string; at: Date }): Promise<void> =>
  noteAct(tx, { staffId, act: note.act, about: { detail: { month: note.monthEnd.slice(0, 7) } }, at: note.at })

const decisionActs = { DONE: 'MONTH_CLOSED', REFUSED: 'CLOSING_REFUSED', WITHDRAWN: 'CLOSING_WITHDRAWN' } as const

interface ClosingDecision extends FourEyesDecision {
  closingId: string
}

/** The four-eyes operations on a closing. A confirmation refuses it if the books of the month have changed since. */
export const closingProposal = (who: SignedIn, { closingId, at }: ClosingDecision): ProposalKind<MonthCloseLine> => ({
  label: 'closing',
  async lockSubject() {},
  lockProposal: (tx) => lockClosing(tx, closingId),
  requireMayDecide() {},
  async execute(tx, closing) {
    await closeIfRefused(async () => {
      const { rows } = await trialBalance(tx, periodOfMonth(closing.monthEnd))
      if (balancesText(rows) !== closing.balances) throw new Refusal('wrong-state', texts.booksChanged)
    })
    return closing
  },
  async record(tx, { monthEnd }, outcome, { reason }) {
    const state = outcome === 'DONE' ? 'CONFIRMED' : outcome
    await writeClosingDecision(tx, closingId, { state, decidedBy: who.staffId, decidedAt: at, decisionReason: reason })
    await noteClosing(tx, who, { act: decisionActs[outcome], monthEnd, at })
  },
})
