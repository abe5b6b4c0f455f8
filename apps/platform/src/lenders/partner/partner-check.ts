// A check of the borrower at a provider: KYC, the mandate or the signature (D3 §1.1, §6).

/** Kinds of checks, each of which is a session at a provider (D3 §1.1, §6). */
export const checkKinds = ['kyc', 'mandate', 'esign'] as const
export type CheckKind = (typeof checkKinds)[number]

export interface PartnerCheck {
  tenantId: string
  caseRef: string
  kind: CheckKind
  attempt: number
  /** The adapter that started the session and must finish it. */
  adapter: string
  /** The provider's name, as sent to the partner. */
  provider: string
  providerReference: string
  urlSealed: Buffer
  /** The status of D3 §6, as last sent to the partner. */
  status: string
  /** Set only when the provider reports success, never because the browser returns. */
  verified: boolean
  /** The result last sent to the partner. */
  resultSealed: Buffer | null
  /** The lender's own KYC review, if any. */
  lenderReview: 'APPROVED' | 'REJECTED' | null
  /** The lender's time of its review, or of the snapshot that had it. */
  lenderReviewedAt: Date | null
  providerUpdatedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The binding context of a session's sealed values. */
export const checkContext = (
  what: 'url' | 'result',
  { tenantId, caseRef, kind, attempt }: Pick<PartnerCheck, 'tenantId' | 'caseRef' | 'kind' | 'attempt'>,
): string => `partner_check.${what}:${tenantId}:${caseRef}:${kind}:${attempt}`
