// Table dedupe_review: reviews of applicants who may be known borrowers.
import { ascending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { ApplicantDigests } from '#partner/origination/case/applicant-digests.ts'

const reviewColumns = sql`review_id, sender, case_ref, pan_digest, person_digest, applicant_sealed, existing_case_ref, created_at,
  decision, reason, decided_by, decided_at`

type NewReview = Pick<
  DedupeReview,
  'reviewId' | 'sender' | 'caseRef' | 'panDigest' | 'personDigest' | 'applicantSealed' | 'existingCaseRef' | 'createdAt'
>

/** Queues a review, unless a review of the same applicant and case is already waiting. */
export async function queueReview(tx: Tx, row: NewReview): Promise<void> {
  const waiting = await tx`
    select 1 from dedupe_review where pan_digest = ${row.panDigest} and person_digest = ${row.personDigest}
      and existing_case_ref is not distinct from ${row.existingCaseRef} and decision is null`
  if (waiting.length === 0) await tx`insert into dedupe_review ${tx({ ...row })}`
}

/** Returns the decisions on an applicant, newest last, with the case that each compared. */
export const decisionsOn = (db: Run, { panDigest, personDigest }: ApplicantDigests) => db<{
  existingCaseRef: string | null
  decision: IdentityDecision
}>`
  select existing_case_ref, decision from dedupe_review
  where pan_digest = ${panDigest} and person_digest = ${personDigest} and decision is not null order by decided_at`

/** The order of waiting reviews: the oldest first. */
export const reviewsInOrder = ascending([sql`created_at`, 'instant'], [sql`review_id`, 'uuid'])

/** Returns one page of the waiting reviews. */
export const listReviews = (db: Run, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(reviewsInOrder, window)
  return db<DedupeReview & KeyedRow>`
    select ${reviewColumns}, ${key} from dedupe_review where decision is null and ${beyond} ${order}`
}

/** Returns a review, decided or not. */
export async function findReview(db: Run, reviewId: string): Promise<DedupeReview | undefined> {
  const [row] = await db<DedupeReview>`select ${reviewColumns} from dedupe_review where review_id = ${reviewId}`
  return row
}

export interface IdentityDecisionRow {
  reviewId: string
  decision: IdentityDecision
  reason: string
  decidedBy: string
  decidedAt: Date
}

/** Writes a decision. Returns false if the review is already decided. */
export async function writeDecision(tx: Tx, { reviewId, ...decisionFields }: IdentityDecisionRow): Promise<boolean> {
  const { decision, reason, decidedBy, decidedAt } = decisionFields
  const updated = await tx`
    update dedupe_review set decision = ${decision}, reason = ${reason}, decided_by = ${decidedBy}, decided_at = ${decidedAt}
    where review_id = ${reviewId} and decision is null returning 1`
  return updated.length > 0
}

/** `SAME`: the applicant is the borrower of the existing case. `DIFFERENT`: the applicant is another person. */
export type IdentityDecision = 'SAME' | 'DIFFERENT'

/** What identifies an applicant, for the comparison by an officer. */
export interface IdentityFacts {
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

/** The context that binds a sealed applicant to their review. */
export const reviewContext = (reviewId: string): string => `dedupe_review ${reviewId}`
