// A final offer: complete terms under an id, and the borrower's single decision on them (D3 §2.4, §3).

import type { Config } from '@lendloom/foundation/config'
import { Refusal } from '@lendloom/foundation/refusal'
import { fits } from '@lendloom/foundation/schema'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { OfferDecision } from '@lendloom/wire/exchange/event/decision'
import { FinalOffer } from '@lendloom/wire/exchange/final-offer'
import { type PenaltyPolicy, penaltyFrom, type penaltySettings } from '#partner/origination/terms/penalty.ts'
import type { LoanTerms, ProposedTerms } from '#partner/origination/terms/terms.ts'
import type { productSettings } from './settings.ts'

export interface Offer {
  caseRef: string
  offerId: string
  /** The highest version of a case is the current offer. */
  version: number
  terms: LoanTerms
  validUntil: Date
  decision: 'PENDING' | OfferDecision
  sourceEventId: string | null
  decidedAt: Date | null
  recordedAt: Date | null
  createdAt: Date
}

/** Returns the offer in the format of MANUAL_REVIEW_DECIDED. `pages` has the URLs of this offer's pages. */
export function wireOffer(offer: Offer, pages: { kfs: string; terms: string }): FinalOffer {
  const { terms } = offer
  const wire = {
    offer_id: offer.offerId,
    currency: 'INR',
    loan_amount: rupees(terms.amountPaise),
    tenure_weeks: terms.tenureWeeks,
    installment_frequency: 'WEEKLY',
    number_of_installments: terms.numberOfInstallments,
    installment_amount: rupees(terms.installmentPaise),
    annual_interest_rate_percent: terms.annualRatePercent,
    apr_percent: terms.aprPercent,
    interest_rate_type: 'FIXED',
    processing_fee_amount: rupees(terms.feePaise),
    tax_amount: rupees(terms.taxPaise),
    other_upfront_charges: rupees(terms.otherChargesPaise),
    net_disbursed_amount: rupees(terms.netPaise),
    total_interest_amount: rupees(terms.totalInterestPaise),
    total_payable_amount: rupees(terms.totalPayablePaise),
    valid_until: offer.validUntil.toISOString(),
    kfs_url: pages.kfs,
    terms_url: pages.terms,
  }
  if (!fits(FinalOffer, wire)) throw new Error(`offer ${offer.offerId} violates the contract`)
  return wire
}

export interface OfferDecisionRequest {
  offerId: string
  decision: OfferDecision
  /** When the borrower decided. */
  decidedAt: Date
}

export interface DecisionResult {
  /** Whether the decision repeats the recorded decision. */
  isRepeated: boolean
  offer: Offer
}

/**
 * Checks whether a decision can be recorded. Throws `locked` with the code STALE_OFFER for an unknown, superseded or
 * expired offer, and `wrong-state` if another decision is recorded. An acceptance before the expiry is valid, no matter
 * when its event arrives.
 */
export function checkDecision(current: Offer | undefined, request: OfferDecisionRequest): DecisionResult {
  if (!current || current.offerId !== request.offerId)
    throw staleOffer('this is not the current offer of the case', { offerId: request.offerId })
  if (current.decision === request.decision) return { isRepeated: true, offer: current }
  if (current.decision === 'EXPIRE')
    throw staleOffer('the offer has expired', { validUntil: current.validUntil.toISOString() })
  if (current.decision !== 'PENDING')
    throw new Refusal('wrong-state', `the offer is already decided: ${current.decision}`, {
      decision: current.decision,
    })
  if (request.decision === 'ACCEPT' && request.decidedAt > current.validUntil)
    throw staleOffer('the offer had expired when it was accepted', { validUntil: current.validUntil.toISOString() })
  return { isRepeated: false, offer: current }
}

const staleOffer = (message: string, details: Record<string, unknown>) =>
  new Refusal('locked', message, { ...details, code: 'STALE_OFFER' })

/** Returns the product's terms for an amount and a term; a reviewer may change them. */
export function productTerms(
  config: Config<typeof productSettings> & Config<typeof penaltySettings>,
  amountPaise: Paise,
  tenureWeeks: number,
): ProposedTerms {
  const penalty: PenaltyPolicy = penaltyFrom(config)
  return {
    amountPaise,
    tenureWeeks,
    annualRatePercent: config.PARTNER_RATE_PERCENT,
    feePercent: config.PARTNER_FEE_PERCENT,
    taxPercent: config.PARTNER_TAX_PERCENT,
    otherChargesPaise: 0n,
    penalty,
    coolOffDays: config.PARTNER_COOL_OFF_DAYS,
  }
}
