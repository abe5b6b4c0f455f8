// Table name_review.
import type { Run, Tx } from '#kit/db/sql.ts'

export interface NameReview {
  caseRef: string
  namesDigest: Buffer
  namesSealed: Buffer
  createdAt: Date
  decision: 'SAME' | 'DIFFERENT' | null
}

/** Returns a case's names that await a decision. */
export async function waitingNames(db: Run, caseRef: string): Promise<NameReview | undefined> {
  const [row] = await db<NameReview>`
    select case_ref, names_digest, names_sealed, created_at, decision from name_review
    where case_ref = ${caseRef} and decision is null`
  return row
}

/** Queues two names unless they are queued or decided, and returns the decision. */
export async function queueNames(tx: Tx, row: Omit<NameReview, 'decision'>): Promise<NameReview['decision']> {
  await tx`insert into name_review ${tx({ ...row })} on conflict (case_ref, names_digest) do nothing`
  const [review] = await tx<Pick<NameReview, 'decision'>>`
    select decision from name_review where case_ref = ${row.caseRef} and names_digest = ${row.namesDigest}`
  return review?.decision ?? null
}

export interface NameDecision {
  caseRef: string
  decision: 'SAME' | 'DIFFERENT'
  reason: string
  decidedBy: string
  decidedAt: Date
}

/** Records a decision; false when none is awaited. */
export async function decideNames(tx: Tx, { caseRef, ...nameDecision }: NameDecision): Promise<boolean> {
  const { decision, reason, decidedBy, decidedAt } = nameDecision
  const updated = await tx`
    update name_review set decision = ${decision}, reason = ${reason}, decided_by = ${decidedBy}, decided_at = ${decidedAt}
    where case_ref = ${caseRef} and decision is null returning 1`
  return updated.length > 0
}
