// Performs a dedupe check once per request id. A repeated request gets the stored result (D3 §4.1).

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { businessDate, yearsBetween } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import type { LeadSubmitted } from '@lendloom/wire/exchange/event/lead'
import type { Context, TxContext } from '#partner/context.ts'
import { digestsOf } from './applicant-digests.ts'
import { isAutopilotOn } from './autopilot-switch.ts'
import { dedupeDecisionOn, type KnownCase } from './dedupe-decision.ts'
import {
  decisionsOn,
  type IdentityDecision,
  type IdentityFacts,
  queueReview,
  reviewContext,
} from './dedupe-review/store.ts'
import { dedupeMessages } from './dedupe-text-en.ts'
import { countedSince } from './exposure/exposure.ts'
import { limitsOf } from './exposure/require-limit.ts'
import { leadContext } from './lifecycle.ts'
import { scenarioFor } from './sandbox-rules.ts'
import { type DedupeRow, findDedupe, findSimilarCases, insertDedupe, readLead, type SimilarCase } from './store.ts'

export interface DedupeInput {
  sender: string
  requestId: string
  caseRef: string
  applicant: IdentityFacts
  /** Detects a request id that is used again with other content. */
  contentDigest: Buffer
  /** The reference by which a lead names the result. */
  dedupeReferenceId: string
}

/**
 * Returns the result, and whether it was stored before. Throws `reused-key` if the request id was used with other
 * content.
 */
export async function checkDuplicate(
  { tx, at, seal, config }: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  { applicant, ...request }: DedupeInput,
): Promise<{ decision: DedupeRow; isReplayed: boolean }> {
  const existingResult = await findDedupe(tx, request.sender, request.requestId)
  if (existingResult) return { decision: requireSameContent(existingResult, request.contentDigest), isReplayed: true }
  const digests = digestsOf(seal, applicant)
  const [similarCases, isAutopilot, reviewDecisions] = await Promise.all([
    findSimilarCases(tx, digests, countedSince(at)),
    isAutopilotOn(tx, config),
    decisionsOn(tx, digests),
  ])
  const decisionByCase = new Map(reviewDecisions.map((review) => [review.existingCaseRef, review.decision]))
  const others = similarCases.filter(({ caseRef }) => caseRef !== request.caseRef)
  const knownCases = await toKnownCases({ tx, seal }, others, applicant, decisionByCase)
  const policy = { ...limitsOf(config), minAge: config.PARTNER_LEAST_AGE }
  const simulated = isAutopilot ? scenarioFor(applicant.pan) : null
  // An officer may also decide a simulated AMBIGUOUS result, which has no similar borrower.
  const scenario = simulated === 'dedupe-ambiguous' && decisionByCase.has(null) ? null : simulated
  const { existing, ...decision } = dedupeDecisionOn(
    knownCases,
    yearsBetween(applicant.bornOn, businessDate(at)),
    policy,
    scenario,
  )
  // The reply names a lead and a loan only if they belong to this client.
  const visible = existing?.sender === request.sender ? existing : null
  const row: DedupeRow = {
    ...request,
    ...digests,
    ...decision,
    reasonMessage: dedupeMessages[decision.reasonCode](policy),
    existingLeadId: visible?.leadId ?? null,
    existingLoanId: visible?.loanId ?? null,
    checkedAt: at,
  }
  if (await insertDedupe(tx, row)) {
    if (row.decision === 'REVIEW_REQUIRED')
      await queueForReview({ tx, seal }, row, applicant, existing?.caseRef ?? null)
    return { decision: row, isReplayed: false }
  }
  // A concurrent request with this id stored its result first.
  const first = await findDedupe(tx, request.sender, request.requestId)
  return { decision: requireSameContent(required(first, 'the first result'), request.contentDigest), isReplayed: true }
}

interface SealContext {
  tx: Tx
  seal: Context['seal']
}

/** Queues a review by an officer, who decides whether the applicant is the borrower of the existing case. */
async function queueForReview(
  { tx, seal }: SealContext,
  row: DedupeRow,
  applicant: IdentityFacts,
  existingCaseRef: string | null,
) {
  const { dedupeReferenceId: reviewId, sender, caseRef, panDigest, personDigest, checkedAt: createdAt } = row
  const applicantSealed = seal.json(applicant, reviewContext(reviewId))
  const digests = { panDigest, personDigest }
  await queueReview(tx, { reviewId, sender, caseRef, ...digests, applicantSealed, existingCaseRef, createdAt })
}

/** Adds to each similar case whether the birthday is the applicant's, and an officer's decision. */
async function toKnownCases(
  { tx, seal }: SealContext,
  similarCases: SimilarCase[],
  { bornOn }: IdentityFacts,
  decisionByCase: Map<string | null, IdentityDecision>,
): Promise<KnownCase[]> {
  const all: KnownCase[] = []
  for (const similar of similarCases) {
    // The mobile or the birthday differs; only the sealed lead tells which.
    const lead =
      similar.hasSamePan && !similar.hasSameMobileAndBirthday ? await readLead(tx, similar.caseRef) : undefined
    const birthday = lead && seal.openJson<LeadSubmitted>(lead, leadContext(similar.caseRef)).borrower.date_of_birth
    const hasSameBirthday = birthday ? birthday === bornOn : similar.hasSameMobileAndBirthday
    all.push({ ...similar, hasSameBirthday, identityDecision: decisionByCase.get(similar.caseRef) ?? null })
  }
  return all
}

function requireSameContent(row: DedupeRow, contentDigest: Buffer): DedupeRow {
  if (!row.contentDigest.equals(contentDigest))
    throw new Refusal('reused-key', 'this request_id was used with other content', { field: 'request_id' })
  return row
}
