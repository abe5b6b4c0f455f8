// The lender's reviews: an approval with terms, a rejection with a reason, or a KYC review (D3 §1.1 rule 3, §2.4).

import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { base62, randomOctets, uuidv4, uuidv7 } from '@lendloom/seal/id'
import type { KycReviewDecision } from '@lendloom/wire/exchange/event/kyc'
import type { Context, TxContext } from '#partner/context.ts'
import { enqueueCaseEvent } from '#partner/exchange/enqueue-events.ts'
import { requireLimit } from '#partner/origination/case/exposure/require-limit.ts'
import { type Case, isBeingChecked } from '#partner/origination/case/lifecycle.ts'
import { moveCase } from '#partner/origination/case/move-case.ts'
import { recheckAfterReport } from '#partner/origination/case/recheck-case.ts'
import { checksOf, storeCheck } from '#partner/origination/case/stored-checks.ts'
import { finalTerms, type ProposedTerms } from '#partner/origination/terms/terms.ts'
import { type Offer, wireOffer } from './offer.ts'
import { kfsDigest, kfsUrl, termsUrl } from './offer-address.ts'
import { currentOffer, insertOffer, insertReview } from './store.ts'

/** The reviewer: an officer at the desk, or the autopilot. */
interface Reviewer {
  reviewerReference: string
  at: Date
}

export interface Approval extends Reviewer {
  terms: ProposedTerms
  /** The end of the offer's validity; by default PARTNER_OFFER_DAYS after the approval. */
  validUntil?: Date
}

/**
 * Offers these terms. Until the borrower decides, a later approval replaces the offer by an offer with a new id. Throws
 * `wrong-state` until all announced files are stored, and after the borrower's decision.
 */
export async function approveCase(tx: Tx, ctx: Context, loanCase: Case, approval: Approval): Promise<Offer> {
  const { at } = approval
  const previous = await currentOffer(tx, loanCase.caseRef)
  const offer: Offer = {
    caseRef: loanCase.caseRef,
    offerId: uuidv4(),
    version: (previous?.version ?? 0) + 1,
    terms: finalTerms(approval.terms, ctx.config.PARTNER_ROUNDING),
    validUntil: approval.validUntil ?? daysAfter(at, ctx.config.PARTNER_OFFER_DAYS),
    decision: 'PENDING',
    sourceEventId: null,
    decidedAt: null,
    recordedAt: null,
    createdAt: at,
  }
  if (offer.validUntil <= at)
    throw new Refusal('invalid', 'the offer must expire in the future', { field: 'validUntil' })
  await requireLimit(
    { tx, at, config: ctx.config },
    { caseRef: loanCase.caseRef, stage: 'offer', paise: offer.terms.amountPaise },
  )
  await moveCase(tx, loanCase, 'offered', at)
  const token = base62(randomOctets(32))
  await insertOffer(tx, offer, kfsDigest(ctx.seal, token))
  const pages = { kfs: kfsUrl(ctx.config, token), terms: termsUrl(ctx.config, token) }
  const data = {
    decision: 'APPROVED' as const,
    reason_code: null,
    reason_message: null,
    reviewed_at: at.toISOString(),
    offer: wireOffer(offer, pages),
  }
  const eventId = await enqueueCaseEvent({ ...ctx, tx, at }, loanCase, { type: 'MANUAL_REVIEW_DECIDED', data })
  await insertReview(tx, {
    caseRef: loanCase.caseRef,
    reviewId: uuidv7(at.getTime()),
    kind: 'APPLICATION',
    decision: 'APPROVED',
    reviewerReference: approval.reviewerReference,
    reasonCode: null,
    reasonMessage: null,
    offerId: offer.offerId,
    eventId,
    reviewedAt: at,
  })
  return offer
}

export interface Rejection extends Reviewer {
  reasonCode: string
  reasonMessage: string
}

/** Rejects the application. Throws `wrong-state` unless it is under review. */
export async function rejectCase(tx: Tx, ctx: Context, loanCase: Case, { at, ...rejection }: Rejection): Promise<void> {
  if (loanCase.status !== 'UNDER_REVIEW')
    throw new Refusal('wrong-state', `the case is ${loanCase.status}: it is not under review`, {
      status: loanCase.status,
    })
  await moveCase(tx, loanCase, 'rejected', at)
  const data = {
    decision: 'REJECTED' as const,
    reason_code: rejection.reasonCode,
    reason_message: rejection.reasonMessage,
    reviewed_at: at.toISOString(),
    offer: null,
  }
  const eventId = await enqueueCaseEvent({ ...ctx, tx, at }, loanCase, { type: 'MANUAL_REVIEW_DECIDED', data })
  await insertReview(tx, {
    caseRef: loanCase.caseRef,
    reviewId: uuidv7(at.getTime()),
    kind: 'APPLICATION',
    decision: 'REJECTED',
    ...rejection,
    offerId: null,
    eventId,
    reviewedAt: at,
  })
}

/** The lender's review of a KYC. It does not replace the provider's report (D3 §6 rule 2). */
export interface KycReview {
  decision: KycReviewDecision
  reviewerReference: string
  reasonCode: string
  reasonMessage: string | null
}

/**
 * Records and reports the lender's KYC decision. The case stays KYC_PENDING until the provider and the lender approve.
 * Throws `wrong-state` before the provider's result, if no review is required, and after the lender's approval.
 */
export async function decideKyc(ctx: TxContext, loanCase: Case, review: KycReview): Promise<Case> {
  const { tx, at } = ctx
  const { kyc, lenderKycReview } = await checksOf(tx, ctx.seal, loanCase.caseRef)
  if (!isBeingChecked(loanCase.status))
    throw new Refusal('wrong-state', `the case is ${loanCase.status}: its KYC cannot be reviewed now`)
  if (!kyc.facts || !['REVIEW_READY', 'APPROVED'].includes(kyc.status))
    throw new Refusal('wrong-state', `KYC is ${kyc.status}: there is nothing to review yet`)
  if (lenderKycReview.status === 'NOT_REQUIRED')
    throw new Refusal('wrong-state', 'this KYC needs no review by the lender')
  if (lenderKycReview.status === 'APPROVED') throw new Refusal('wrong-state', 'this KYC is already approved')
  const { provider, providerReferenceId } = kyc.facts
  const { decision, reviewerReference, reasonCode, reasonMessage } = review
  const facts = { provider, providerReferenceId, reviewerReference, reasonCode }
  await storeCheck(tx, ctx.seal, loanCase, {
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
  const eventId = await enqueueCaseEvent(ctx, loanCase, { type: 'KYC_REVIEW_DECIDED', data })
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
  return recheckAfterReport(ctx, loanCase)
}
