// The checks before disbursement: KYC, the lender's KYC review, the mandate and the signature (D3 §1.1).

import type { KycStatus as Kyc } from '@lendloom/wire/exchange/event/kyc'
import type { EsignStatus as Esign, MandateStatus as Mandate } from '@lendloom/wire/exchange/event/mandate'

const checkNames = ['kyc', 'lender_kyc_review', 'mandate', 'esign'] as const
export type CheckName = (typeof checkNames)[number]

/** A provider's latest report on the borrower's identity. */
export interface KycFacts {
  provider: string
  providerReferenceId: string
  mode: 'STANDARD' | 'VIDEO_AND_MANUAL_REVIEW'
  documentIds: string[]
  reasonCode: string | null
}

/** A provider's latest report on the mandate. A field is null until the provider reports a value. */
export interface MandateFacts {
  provider: string
  providerReferenceId: string
  umrn: string | null
  /** In rupees with two decimals, as on the wire. */
  maximumAmount: string | null
  frequency: string | null
  validFrom: string | null
  validUntil: string | null
  documentIds: string[]
  reasonCode: string | null
}

export interface EsignFacts {
  provider: string
  providerReferenceId: string
  documentIds: string[]
  reasonCode: string | null
}

interface ReviewFacts {
  provider: string
  providerReferenceId: string
  reviewerReference: string
  reasonCode: string
}

interface CheckState<Status extends string> {
  status: Status
  /** Whether the provider confirmed the final status. */
  verified: boolean
}

/** `NOT_STARTED` until the provider reports a status. */
export type KycStatus = 'NOT_STARTED' | Kyc
export type MandateStatus = 'NOT_STARTED' | Mandate
export type EsignStatus = 'NOT_STARTED' | Esign
export type ReviewStatus = 'NOT_STARTED' | 'NOT_REQUIRED' | 'APPROVED' | 'REJECTED'

export interface Checks {
  kyc: CheckState<KycStatus> & { facts: KycFacts | null }
  lenderKycReview: CheckState<ReviewStatus> & { facts: ReviewFacts | null }
  mandate: CheckState<MandateStatus> & { facts: MandateFacts | null }
  esign: CheckState<EsignStatus> & { facts: EsignFacts | null }
}
