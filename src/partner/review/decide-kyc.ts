// The lender's own review of a KYC: it stands beside the provider's word and never replaces it (D3 §6 rule 2).
import type { KycReviewDecision } from '#contract/exchange/event/kyc-updated.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Case } from '#partner/case/case.ts'
import { checkAgain } from '#partner/case/check-again.ts'
import { checksOf, keepCheck } from '#partner/case/checks.ts'
import { isBeingChecked } from '#partner/case/lifecycle.ts'
import { noteChange } from '#partner/case/note-change.ts'
import type { TxContext } from '#partner/context.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import { insertReview } from './store.ts'

export interface KycReview {
  decision: KycReviewDecision
  reviewerReference: string
  reasonCode: string
  reasonMessage: string | null
}

/**
 * Records and tells the lender's decision. When it disagrees with the provider the case stays with its KYC pending.
 * Refused as `wrong-state` before the provider has anything to review, when no review is required, or after an approval.
 */
export async function decideKyc(ctx: TxContext, loanCase: Case, review: KycReview): Promise<Case> {
  const { tx, at } = ctx
  const { kyc, lenderKycReview } = await checksOf(tx, ctx.seal, loanCase.caseRef)
  if (!isBeingChecked(loanCase.status))
    throw new Refusal('wrong-state', `the case is ${loanCase.status}: its KYC cannot be reviewed now`)
  if (!kyc.facts || !['REVIEW_READY', 'APPROVED'].includes(kyc.status))
    throw new Refusal('wrong-state', `KYC is ${kyc.status}: its provider has nothing to review yet`)
  if (lenderKycReview.status === 'NOT_REQUIRED')
    throw new Refusal('wrong-state', 'this KYC needs no review by the lender')
  if (lenderKycReview.status === 'APPROVED') throw new Refusal('wrong-state', 'this KYC was approved already')
  const { provider, providerReferenceId } = kyc.facts
  const { decision, reviewerReference, reasonCode, reasonMessage } = review
  const facts = { provider, providerReferenceId, reviewerReference, reasonCode }
  await keepCheck(tx, ctx.seal, loanCase, {
    name: 'lender_kyc_review',
    report: { status: decision, verified: false, facts, happenedAt: at },
    at,
  })
  const data = {
    provider,
    provider_reference_id: providerReferenceId,
    decision,
    reviewed_at: at.toISOString(),
    reviewer_reference: reviewerReference,
    reason_code: reasonCode,
    reason_message: reasonMessage,
  }
  const eventId = await sendEvent(ctx, loanCase, { type: 'KYC_REVIEW_DECIDED', data })
  const reviewId = uuidv7(at.getTime())
  await insertReview(tx, {
    caseRef: loanCase.caseRef,
    reviewId,
    kind: 'KYC',
    ...review,
    offerId: null,
    eventId,
    reviewedAt: at,
  })
  await noteChange(tx, loanCase.caseRef, at)
  return checkAgain(ctx, loanCase)
}
