// Rechecks a case after a fact changed. All facts together determine the case's status, not the last event (D3 §1.1).

import { businessDate } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import type { Context, TxContext } from '#partner/context.ts'
import { type CaseFacts, nextMove } from './disbursement-blockers.ts'
import { type Case, caseLifecycle, isBeingChecked } from './lifecycle.ts'
import { mayAct, moveCase, queueCaseCheck } from './move-case.ts'
import { readFiles, readOfferFact } from './store.ts'
import { checksOf } from './stored-checks.ts'

/** Returns the current facts on which a disbursement depends. */
export async function factsOf(db: Run, { seal }: Pick<Context, 'seal'>, loanCase: Case, at: Date): Promise<CaseFacts> {
  const [offer, checks, { stored, pending }] = await Promise.all([
    readOfferFact(db, loanCase.caseRef),
    checksOf(db, seal, loanCase.caseRef),
    readFiles(db, loanCase.caseRef),
  ])
  return { offer, checks, mandateRequired: loanCase.mandateRequired, stored, pending, on: businessDate(at) }
}

/** Moves a locked case to the status that its files and checks determine. A status that depends on neither stays. */
export async function recheckCase(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
): Promise<Case> {
  const { tx, at } = ctx
  if (loanCase.status === 'DOCUMENTS_PENDING') {
    const { pending } = await readFiles(tx, loanCase.caseRef)
    return pending.length === 0 ? moveCase(tx, loanCase, 'documentsStored', at) : loanCase
  }
  if (!isBeingChecked(loanCase.status)) return loanCase
  const move = nextMove(await factsOf(tx, ctx, loanCase, at))
  return caseLifecycle[loanCase.status][move] === loanCase.status ? loanCase : moveCase(tx, loanCase, move, at)
}

/** Rechecks a case after a report, and queues the autopilot's job: a move queues it itself. */
export async function recheckAfterReport(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
): Promise<Case> {
  const after = await recheckCase(ctx, loanCase)
  if (after === loanCase && mayAct(loanCase.status)) await queueCaseCheck(ctx.tx, loanCase.caseRef, ctx.at)
  return after
}
