// The conditions for a disbursement (D3 §1.1, §4.3). Each depends only on the facts of the case.

import { keysOf } from '@lendloom/foundation/record'
import { type Paise, paiseFrom } from '@lendloom/lending/money'
import { railOf } from '#partner/bank/rail/rails.ts'
import type { Checks } from './checks.ts'
import type { CaseMove } from './lifecycle.ts'

export interface StoredFile {
  documentId: string
  documentType: string
}

/** The facts on which a disbursement depends. */
export interface CaseFacts {
  /** The newest offer; null before review. */
  offer: { decision: 'PENDING' | 'ACCEPT' | 'REJECT' | 'EXPIRE'; installmentPaise: Paise } | null
  checks: Checks
  mandateRequired: boolean
  /** References of the files that the lead announced and that are not stored yet. */
  pending: string[]
  stored: StoredFile[]
  on: string
}

export type Blocker =
  | 'OFFER_NOT_ACCEPTED'
  | 'KYC_NOT_VERIFIED'
  | 'LENDER_KYC_REVIEW_OUTSTANDING'
  | 'MANDATE_NOT_ACTIVE'
  | 'MANDATE_LIMIT_TOO_LOW'
  | 'MANDATE_NOT_VALID_NOW'
  | 'AGREEMENT_NOT_SIGNED'
  | 'SIGNED_AGREEMENT_MISSING'
  | 'KYC_DOCUMENT_MISSING'
  | 'DOCUMENTS_PENDING'

type AwaitMove = Extract<CaseMove, 'awaitKyc' | 'awaitMandate' | 'awaitEsign'>

/** In the order in which a case meets the conditions. `awaits`: the move if this is the case's first blocker. */
const rules: Record<Blocker, { awaits: AwaitMove; blocks(facts: CaseFacts): boolean }> = {
  OFFER_NOT_ACCEPTED: { awaits: 'awaitKyc', blocks: ({ offer }) => offer?.decision !== 'ACCEPT' },
  KYC_NOT_VERIFIED: {
    awaits: 'awaitKyc',
    blocks: ({ checks: { kyc } }) => !(kyc.status === 'APPROVED' && kyc.verified),
  },
  LENDER_KYC_REVIEW_OUTSTANDING: {
    awaits: 'awaitKyc',
    blocks: ({ checks: { lenderKycReview } }) => !['APPROVED', 'NOT_REQUIRED'].includes(lenderKycReview.status),
  },
  MANDATE_NOT_ACTIVE: {
    awaits: 'awaitMandate',
    blocks: (facts) => facts.mandateRequired && !isActive(facts),
  },
  MANDATE_LIMIT_TOO_LOW: {
    awaits: 'awaitMandate',
    blocks: (facts) => facts.mandateRequired && isActive(facts) && !coversInstallment(facts),
  },
  MANDATE_NOT_VALID_NOW: {
    awaits: 'awaitMandate',
    blocks: (facts) => facts.mandateRequired && isActive(facts) && isExpired(facts),
  },
  AGREEMENT_NOT_SIGNED: {
    awaits: 'awaitEsign',
    blocks: ({ checks: { esign } }) => !(esign.status === 'COMPLETED' && esign.verified),
  },
  SIGNED_AGREEMENT_MISSING: { awaits: 'awaitEsign', blocks: ({ stored }) => !hasType(stored, 'SIGNED_LOAN_AGREEMENT') },
  KYC_DOCUMENT_MISSING: {
    awaits: 'awaitEsign',
    blocks: (facts) => missingKycTypes(facts).length > 0 || hasMissingKycFiles(facts),
  },
  DOCUMENTS_PENDING: { awaits: 'awaitEsign', blocks: ({ pending }) => pending.length > 0 },
}

/** Returns the conditions that block disbursement now; empty if the loan may be disbursed. */
export const disbursementBlockers = (facts: CaseFacts): Blocker[] =>
  keysOf(rules).filter((name) => rules[name].blocks(facts))

/** Returns the move that the first blocker of an accepted case requires; `ready` without blockers. */
export function nextMove(facts: CaseFacts): AwaitMove | 'ready' {
  const [first] = disbursementBlockers(facts)
  return first ? rules[first].awaits : 'ready'
}

/** File types that prove an approved KYC. Which of them exist depends on the provider's workflow (D3 §4.3). */
const kycEvidence = ['KYC_REPORT', 'AADHAAR_VERIFICATION_PDF', 'PAN_VERIFICATION_PDF', 'VKYC_RECORDING']

/** Returns the file types that verified checks require before disbursement and that are missing. */
export function missingFileTypes(facts: CaseFacts): string[] {
  const { esign } = facts.checks
  const isAgreementMissing =
    esign.status === 'COMPLETED' && esign.verified && !hasType(facts.stored, 'SIGNED_LOAN_AGREEMENT')
  return [...missingKycTypes(facts), ...(isAgreementMissing ? ['SIGNED_LOAN_AGREEMENT'] : [])]
}

/** Returns the missing KYC evidence. A video KYC requires its recording, other KYC one file of any type. */
function missingKycTypes({ checks: { kyc }, stored }: CaseFacts): string[] {
  if (kyc.status !== 'APPROVED' || !kyc.facts) return []
  if (kyc.facts.mode === 'VIDEO_AND_MANUAL_REVIEW') return hasType(stored, 'VKYC_RECORDING') ? [] : ['VKYC_RECORDING']
  return kycEvidence.some((type) => hasType(stored, type)) ? [] : ['KYC_REPORT']
}

/** Whether the KYC approval names files that are not stored. */
const hasMissingKycFiles = ({ checks: { kyc }, stored }: CaseFacts): boolean =>
  (kyc.facts?.documentIds ?? []).some((id) => !stored.some(({ documentId }) => documentId === id))

const hasType = (stored: StoredFile[], type: string): boolean =>
  stored.some(({ documentType }) => documentType === type)

const isActive = ({ checks: { mandate } }: CaseFacts): boolean => mandate.status === 'ACTIVE' && mandate.verified

/** Whether the limits of mandate and rail cover the instalment; true without an offer. */
function coversInstallment({ offer, checks: { mandate } }: CaseFacts): boolean {
  if (offer === null) return true
  const limit = paiseFrom(mandate.facts?.maximumAmount ?? '')
  const { maxDebitPaise } = railOf(mandate.facts?.umrn ?? '')
  return limit !== null && limit >= offer.installmentPaise && maxDebitPaise >= offer.installmentPaise
}

function isExpired({ checks: { mandate }, on }: CaseFacts): boolean {
  const validUntil = mandate.facts?.validUntil
  return typeof validUntil !== 'string' || validUntil < on
}
