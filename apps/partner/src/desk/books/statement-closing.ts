// Closes a bank statement: one person if all lines match; with differences, one proposes and another confirms.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { Context } from '#partner/context.ts'
import {
  closeIfRefused,
  type FourEyesDecision,
  newProposalColumns,
  type ProposalKind,
} from '#partner/desk/approval/four-eyes.ts'
import { reasonIn } from '#partner/desk/parts/read-fields.ts'
import { lockSignedIn, type SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { type Act, noteAct } from '#partner/desk/staff/staff-acts.ts'
import {
  acceptDifferences,
  closeMatched,
  readDifferences,
} from '#partner/servicing/collection/statement/match-by-hand.ts'
import {
  expireStatementClosings,
  hasWaitingClosing,
  insertStatementClosing,
  lockStatementClosing,
  type StatementClosing,
  type StatementClosingLine,
  writeStatementClosing,
} from './statement-closing-store.ts'

interface ClosingForm {
  statementId: string
  form: URLSearchParams
  at: Date
}

/**
 * Closes a statement whose lines all match; otherwise makes a proposal for a second person. Refused: `absent` ·
 * `wrong-state` if it is closed, if the person saw other differences, or if a proposal waits · `invalid` without a
 * reason for differences.
 */
export const closeOrPropose = (ctx: Context, who: SignedIn, { statementId, form, at }: ClosingForm): Promise<Act> =>
  ctx.db.tx(async (tx) => {
    const shown = form.get('shown') ?? ''
    const differences = await readDifferences(tx, ctx, statementId, shown)
    await lockSignedIn(tx, who)
    await expireStatementClosings(tx, at)
    if (await hasWaitingClosing(tx, statementId, at))
      throw new Refusal('wrong-state', 'a closing of this statement waits for a second person')
    if (differences.length === 0) {
      await closeMatched(tx, statementId, { closedBy: who.staffId, closedAt: at })
      await noteClosing(tx, who, { act: 'STATEMENT_CLOSED', statementId, at, detail: { differences: '0' } })
      return 'STATEMENT_CLOSED'
    }
    const closing: StatementClosing = {
      closingId: uuidv7(at.getTime()),
      statementId,
      differences: differences.length,
      shown,
      reason: reasonIn(form, 'reason', 'a second person decides this: '),
      ...newProposalColumns(who, at),
    }
    if (!(await insertStatementClosing(tx, closing))) throw new Refusal('wrong-state', 'this statement is closed')
    await noteClosing(tx, who, { act: 'STATEMENT_CLOSING_PROPOSED', statementId, at, detail: detailOf(closing) })
    return 'STATEMENT_CLOSING_PROPOSED'
  })

interface ClosingNote {
  act: Act
  statementId: string
  at: Date
  detail: Record<string, string>
}

const detailOf = ({ differences, reason }: Pick<StatementClosing, 'differences' | 'reason'>) => ({
  differences: String(differences),
  reason,
})

const noteClosing = (tx: Tx, { staffId }: SignedIn, { act, statementId, at, detail }: ClosingNote): Promise<void> =>
  noteAct(tx, { staffId, act, about: { subject: statementId, detail }, at })

const decisionActs = {
  DONE: 'STATEMENT_CLOSED',
  REFUSED: 'STATEMENT_CLOSING_REFUSED',
  WITHDRAWN: 'STATEMENT_CLOSING_WITHDRAWN',
} as const

interface ClosingDecision extends FourEyesDecision {
  statementId: string
  closingId: string
}

/** The four-eyes operations on a closing. A confirmation refuses it if the differences are no longer the proposed ones. */
export const statementClosingProposal = (
  ctx: Context,
  who: SignedIn,
  { statementId, closingId, at }: ClosingDecision,
): ProposalKind<StatementClosingLine> => ({
  label: 'closing',
  async lockSubject(tx) {
    await tx`select 1 from bank_statement where statement_id = ${statementId} for update`
  },
  lockProposal: (tx) => lockStatementClosing(tx, { statementId, closingId }),
  requireMayDecide() {},
  async execute(tx, closing) {
    const { shown, reason } = closing
    await closeIfRefused(() =>
      acceptDifferences(tx, ctx, statementId, {
        shownDigest: shown,
        closedBy: who.staffId,
        closedAt: at,
        closingReason: reason,
      }),
    )
    return closing
  },
  async record(tx, closing, outcome, { reason }) {
    const state = outcome === 'DONE' ? 'CONFIRMED' : outcome
    const decision = { state, decidedBy: who.staffId, decidedAt: at, decisionReason: reason } as const
    await writeStatementClosing(tx, closingId, decision)
    await noteClosing(tx, who, { act: decisionActs[outcome], statementId, at, detail: detailOf(closing) })
  },
})
