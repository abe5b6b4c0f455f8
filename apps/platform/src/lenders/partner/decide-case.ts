// Sends the borrower's decision on a case to the partner, and ends cases.

import { Refusal } from '@lendloom/foundation/refusal'
import { type BorrowerWord, borrowerWords } from '@lendloom/lending/reason/reason'
import type { Tx } from '@lendloom/postgres/sql'
import { sensitiveFaults } from '@lendloom/wire/exchange/fields'
import type { TxContext } from '#platform/context.ts'
import { toOneLine } from './applicant.ts'
import { sendEvent } from './deliver-events.ts'
import { canTransition, isWithPartner, type PartnerCase, stageAfter } from './loan-case.ts'
import { followUpPartner } from './status-snapshot.ts'
import { changeCase } from './store.ts'

/** Ends a case on our side only. If the partner has the lead, the caller must also send an event to the partner. */
export async function endCase(tx: Tx, loanCase: PartnerCase, because: string, at: Date): Promise<PartnerCase> {
  if (!canTransition(loanCase, 'end')) return loanCase
  return changeCase(tx, loanCase, { stage: stageAfter(loanCase, 'end'), endedBecause: because }, at)
}

/** The borrower's decision on the partner's final offer (D3 §6 OFFER_DECISION_RECORDED). */
export interface BorrowerDecision {
  decision: 'ACCEPT' | 'REJECT' | 'EXPIRE'
  /** The borrower's own words, or the act that implies the decision. */
  reason: { words: string } | { act: BorrowerWord } | null
}

/**
 * Sends the decision to the partner once. Before an offer, a rejection or expiry only ends the case on our side. Throws
 * `wrong-state` after an acceptance, and for an acceptance without an offer.
 */
export async function decideCase(
  ctx: TxContext,
  loanCase: PartnerCase,
  { decision, reason }: BorrowerDecision,
): Promise<PartnerCase> {
  const { tx, at } = ctx
  if (loanCase.decision === decision) return loanCase
  if (loanCase.decision === 'ACCEPT')
    throw new Refusal(
      'wrong-state',
      'the lender was notified of the acceptance: only the lender can end the loan now',
      {
        stage: loanCase.stage,
      },
    )
  if (loanCase.offerId === null || !isWithPartner(loanCase)) {
    if (decision === 'ACCEPT') throw new Refusal('wrong-state', 'the lender has not sent its final terms yet')
    return endCase(tx, loanCase, textOf(reason) ?? 'the borrower chose nothing in time', at)
  }
  const data = {
    offer_id: loanCase.offerId,
    decision,
    decided_at: at.toISOString(),
    reason: reasonForPartner(textOf(reason)),
  }
  const decisionEventId = await sendEvent(ctx, loanCase, { type: 'OFFER_DECISION_RECORDED', data })
  const stage = decision === 'ACCEPT' ? stageAfter(loanCase, 'decided') : stageAfter(loanCase, 'end')
  const endedBecause = decision === 'ACCEPT' ? null : `the borrower decided ${decision}`
  const decided = await changeCase(tx, loanCase, { stage, decision, decisionEventId, endedBecause }, at)
  if (decision === 'ACCEPT') await followUpPartner(ctx, decided)
  return decided
}

const textOf = (reason: BorrowerDecision['reason']): string | null =>
  reason && ('act' in reason ? borrowerWords[reason.act] : reason.words)

/** Returns at most 1000 characters without control characters; null if empty or if they contain an Aadhaar number. */
export function reasonForPartner(reason: string | null): string | null {
  const text = [...toOneLine(reason ?? '')].slice(0, 1000).join('')
  return text === '' || sensitiveFaults(text, 'reason').length > 0 ? null : text
}
