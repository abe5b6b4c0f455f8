// The borrower's word on the partner's final offer: accepted, rejected, or never said in time (D3 §6 OFFER_DECISION_RECORDED).

import { sensitiveFaults } from '#contract/exchange/sensitive.ts'
import { type BorrowerWord, borrowerWords } from '#contract/reason/reason.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { TxContext } from '#platform/context.ts'
import { plain } from './applicant.ts'
import { isWithPartner, type PartnerCase, stageAfter } from './case.ts'
import { sendEvent } from './deliver.ts'
import { endCase } from './open-case.ts'
import { followUpPartner } from './status.ts'
import { changeCase } from './store.ts'

export interface Decision {
  decision: 'ACCEPT' | 'REJECT' | 'EXPIRE'
  /** In the borrower's words, or what the borrower did without any. */
  reason: { words: string } | { did: BorrowerWord } | null
}

/**
 * Tells the partner once. Before the partner has offered there is nothing to decide, and the case merely ends. Refused as
 * `wrong-state` to take back what was accepted, or to accept what was never offered.
 */
export async function decideCase(
  ctx: TxContext,
  application: PartnerCase,
  { decision, reason }: Decision,
): Promise<PartnerCase> {
  const { tx, at } = ctx
  if (application.decision === decision) return application
  if (application.decision === 'ACCEPT')
    throw new Refusal('wrong-state', 'the lender was told that its offer is accepted: only the lender can end it now', {
      stage: application.stage,
    })
  if (application.offerId === null || !isWithPartner(application)) {
    if (decision === 'ACCEPT') throw new Refusal('wrong-state', 'the lender has not given its final terms yet')
    return endCase(tx, application, textOf(reason) ?? 'nothing was chosen in time', at)
  }
  const data = {
    offer_id: application.offerId,
    decision,
    decided_at: at.toISOString(),
    reason: fitReason(textOf(reason)),
  }
  const decisionEventId = await sendEvent(ctx, application, { type: 'OFFER_DECISION_RECORDED', data })
  const stage = decision === 'ACCEPT' ? stageAfter(application, 'decided') : stageAfter(application, 'end')
  const endedBecause = decision === 'ACCEPT' ? null : `the borrower's word was ${decision}`
  const decided = await changeCase(tx, application, { stage, decision, decisionEventId, endedBecause }, at)
  if (decision === 'ACCEPT') await followUpPartner(ctx, decided)
  return decided
}

const textOf = (reason: Decision['reason']): string | null =>
  reason && ('did' in reason ? borrowerWords[reason.did] : reason.words)

/** A borrower's own words as the exchange takes them: without control characters, and not at all with an Aadhaar number in them. */
export function fitReason(reason: string | null): string | null {
  const text = [...plain(reason ?? '')].slice(0, 1000).join('')
  return text === '' || sensitiveFaults(text, 'reason').length > 0 ? null : text
}
