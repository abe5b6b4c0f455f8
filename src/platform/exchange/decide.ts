// The borrower's word on the partner's final offer: accepted, rejected, or never said in time (D3 §6 OFFER_DECISION_RECORDED).
import { sensitiveFaults } from '#contract/exchange/sensitive.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import type { World } from '#platform/world.ts'
import { plain } from './applicant.ts'
import { isWithPartner, type PartnerCase, stageAfter } from './case.ts'
import { endCase } from './open-case.ts'
import { sendEvent } from './send.ts'
import { chasePartner } from './status.ts'
import { changeCase } from './store.ts'

export interface Decision {
  decision: 'ACCEPT' | 'REJECT' | 'EXPIRE'
  /** In the borrower's words. */
  reason: string | null
}

/**
 * Tells the partner once. Before the partner has offered there is nothing to decide, and the case merely ends. Refused as
 * `wrong-state` to take back what was accepted, or to accept what was never offered.
 */
export async function decideCase(
  tx: Tx,
  world: World,
  kase: PartnerCase,
  { decision, reason }: Decision,
  at: Date,
): Promise<PartnerCase> {
  if (kase.decision === decision) return kase
  if (kase.decision === 'ACCEPT')
    throw new Refusal('wrong-state', 'the lender was told that its offer is accepted: only the lender can end it now', {
      stage: kase.stage,
    })
  if (kase.offerId === null || !isWithPartner(kase)) {
    if (decision === 'ACCEPT') throw new Refusal('wrong-state', 'the lender has not given its final terms yet')
    return endCase(tx, kase, reason ?? 'nothing was chosen in time', at)
  }
  const data = { offer_id: kase.offerId, decision, decided_at: at.toISOString(), reason: fitReason(reason) }
  const decisionEventId = await sendEvent(tx, world, kase, { type: 'OFFER_DECISION_RECORDED', data }, at)
  const stage = decision === 'ACCEPT' ? stageAfter(kase, 'decided') : stageAfter(kase, 'end')
  const endedBecause = decision === 'ACCEPT' ? null : `the borrower's word was ${decision}`
  const decided = await changeCase(tx, kase, { stage, decision, decisionEventId, endedBecause }, at)
  if (decision === 'ACCEPT') await chasePartner(tx, world, decided, at)
  return decided
}

/** A borrower's own words as the exchange takes them: without control characters, and not at all with an Aadhaar number in them. */
export function fitReason(reason: string | null): string | null {
  const text = [...plain(reason ?? '')].slice(0, 1000).join('')
  return text === '' || sensitiveFaults(text, 'reason').length > 0 ? null : text
}
