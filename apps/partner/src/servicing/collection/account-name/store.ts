// Table name_review: pairs of borrower's and account holder's names that an officer compares.
import type { Run, Tx } from '@lendloom/postgres/sql'

export interface NameReview {
  caseRef: string
  namesDigest: Buffer
  namesSealed: Buffer
  createdAt: Date
  decision: 'SAME' | 'DIFFERENT' | null
}

/** Returns the newest names of a case that wait for an officer's decision. */
export async function waitingNames(db: Run, caseRef: string): Promise<NameReview | undefined> {
  const [row] = await db<NameReview>`
    select case_ref, names_digest, names_sealed, created_at, decision from name_review
    where case_ref = ${caseRef} and decision is null order by created_at desc limit 1`
  return row
}

/** Returns the decision on two names. Queues names without a decision once, and returns null. */
export async function queueNameReview(tx: Tx, row: Omit<NameReview, 'decision'>): Promise<NameReview['decision']> {
  await tx`insert into name_review ${tx({ ...row })} on conflict (case_ref, names_digest) do nothing`
  const [review] = await tx<Pick<NameReview, 'decision'>>`
    select decision from name_review where case_ref = ${row.caseRef} and names_digest = ${row.namesDigest}`
  return review?.decision ?? null
}

/** Whether a transfer or a refund of this case failed for this reason. */
export async function wasRefusedFor(db: Run, caseRef: string, reasonCode: string): Promise<boolean> {
  const [found] = await db<{ isRefused: boolean }>`
    select exists (select from disbursement d where d.case_ref = ${caseRef} and d.reason_code = ${reasonCode})
      or exists (select from refund f where f.case_ref = ${caseRef} and f.reason_code = ${reasonCode}) as is_refused`
  return found?.isRefused ?? false
}

export interface NameDecision {
  caseRef: string
  /** The names that the officer compared. */
  namesDigest: Buffer
  decision: 'SAME' | 'DIFFERENT'
  reason: string
  decidedBy: string
  decidedAt: Date
}

/** Records a decision. Returns false if these names do not wait for one. */
export async function decideNames(tx: Tx, { caseRef, namesDigest, ...nameDecision }: NameDecision): Promise<boolean> {
  const { decision, reason, decidedBy, decidedAt } = nameDecision
  const updated = await tx`
    update name_review set decision = ${decision}, reason = ${reason}, decided_by = ${decidedBy}, decided_at = ${decidedAt}
    where case_ref = ${caseRef} and names_digest = ${namesDigest} and decision is null returning 1`
  return updated.length > 0
}
