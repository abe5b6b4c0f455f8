// A session at a provider of KYC, mandates or signatures, as the platform keeps it; pure (D3 §1.1, §6).

export const checkKinds = ['kyc', 'mandate', 'esign'] as const
export type CheckKind = (typeof checkKinds)[number]

export interface PartnerCheck {
  tenantId: string
  caseRef: string
  kind: CheckKind
  attempt: number
  /** Which adapter of its kind it was begun with; the same one finishes it. */
  adapter: string
  /** The provider's name, as the partner is told. */
  provider: string
  providerReference: string
  urlSealed: Buffer
  /** In D3's words, as the partner was told last. */
  status: string
  /** Only by the provider's own word, never by the browser's return. */
  verified: boolean
  /** What the partner was told last about it. */
  resultSealed: Buffer | null
  /** The lender's own review of a KYC, where it made one. */
  lenderReview: 'APPROVED' | 'REJECTED' | null
  providerUpdatedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

type Place = Pick<PartnerCheck, 'tenantId' | 'caseRef' | 'kind' | 'attempt'>

/** Where what is sealed of a session belongs to. */
export const checkContext = (what: 'url' | 'result', { tenantId, caseRef, kind, attempt }: Place): string =>
  `partner_check.${what}:${tenantId}:${caseRef}:${kind}:${attempt}`
