// The manual review: complete terms under a new offer id, or a rejection with its reason (D3 §1.1 rule 3, §2.4).

import { base62, uuidv4, uuidv7 } from '#kit/crypto/id.ts'
import { randomOctets } from '#kit/crypto/random.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Case } from '#partner/case/case.ts'
import { requireLimit } from '#partner/case/exposure/require-limit.ts'
import { moveCase } from '#partner/case/move.ts'
import type { Context } from '#partner/context.ts'
import { sendEvent } from '#partner/exchange/send.ts'
import { finalTerms, type ProposedTerms } from '#partner/loan/terms.ts'
import { kfsDigest, kfsUrl, termsUrl } from './kfs-address.ts'
import { type Offer, wireOffer } from './offer.ts'
import { currentOffer, insertOffer, insertReview } from './store.ts'

/** Who decides: a person at the desk, or the rules. */
interface Reviewer {
  reviewerReference: string
  at: Date
}

export interface Approval extends Reviewer {
  terms: ProposedTerms
  /** How long it may be accepted; by default as many days as the lender's policy says. */
  validUntil?: Date
}

/**
 * Offers these terms. While the borrower has not decided, other terms may be offered: under a new id, and the old offer is
 * stale then. Refused as `wrong-state` before all files are there and after a decision.
 */
export async function approve(tx: Tx, ctx: Context, loanCase: Case, approval: Approval): Promise<Offer> {
  const { at } = approval
  const before = await currentOffer(tx, loanCase.caseRef)
  const offer: Offer = {
    caseRef: loanCase.caseRef,
    offerId: uuidv4(),
    version: (before?.version ?? 0) + 1,
    terms: finalTerms(approval.terms, ctx.config.PARTNER_ROUNDING),
    validUntil: approval.validUntil ?? daysAfter(at, ctx.config.PARTNER_OFFER_DAYS),
    decision: 'PENDING',
    sourceEventId: null,
    decidedAt: null,
    recordedAt: null,
    createdAt: at,
  }
  if (offer.validUntil <= at) throw new Refusal('invalid', 'an offer is valid for some time', { field: 'validUntil' })
  await requireLimit(
    { tx, at, config: ctx.config },
    { ...{ caseRef: loanCase.caseRef, at: 'offer' }, paise: offer.terms.amountPaise },
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
  const eventId = await sendEvent({ ...ctx, tx, at }, loanCase, { type: 'MANUAL_REVIEW_DECIDED', data })
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

/** Rejects the application. Refused as `wrong-state` unless it is under review. */
export async function reject(tx: Tx, ctx: Context, loanCase: Case, { at, ...rejection }: Rejection): Promise<void> {
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
  const eventId = await sendEvent({ ...ctx, tx, at }, loanCase, { type: 'MANUAL_REVIEW_DECIDED', data })
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
