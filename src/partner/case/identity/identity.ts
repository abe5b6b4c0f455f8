// An applicant of whom nobody can say yet whether they are a known borrower, and what a person decided about it (D3 §4.1).

/** `SAME`: one person with the known borrower, whose loans count. `DIFFERENT`: somebody else. */
export type IdentityDecision = 'SAME' | 'DIFFERENT'

export interface Compared {
  name: string
  pan: string
  mobile: string
  /** `YYYY-MM-DD`. */
  bornOn: string
}

export interface DedupeReview {
  reviewId: string
  sender: string
  caseRef: string
  panDigest: Buffer
  personDigest: Buffer
  applicantSealed: Buffer
  existingCaseRef: string | null
  createdAt: Date
  decision: IdentityDecision | null
  reason: string | null
  decidedBy: string | null
  decidedAt: Date | null
}

export const identityContext = (reviewId: string): string => `dedupe_review ${reviewId}`
