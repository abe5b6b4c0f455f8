// Dedupe: one stored result per request id, returned again for a repeated request (D3 §4.1).

import type { LeadSubmitted } from '#contract/exchange/event/lead.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { businessDate, yearsBetween } from '#kit/money/calendar.ts'
import { required } from '#kit/runtime/record.ts'
import type { Context, TxContext } from '#partner/context.ts'
import { digestsOf } from './applicant.ts'
import { isAutopilotOn } from './autopilot-switch.ts'
import { decisionOn, type KnownCase } from './dedupe.ts'
import { limitsOf } from './exposure/require-limit.ts'
import { countedSince } from './exposure/store.ts'
import {
  decisionsOn,
  type IdentityDecision,
  type IdentityFacts,
  identityContext,
  queueReview,
} from './identity/store.ts'
import { leadContext } from './lifecycle.ts'
import { scenarioFor } from './sandbox-rules.ts'
import { type DedupeRow, findDedupe, insertDedupe, knownBorrower, readLead, type SimilarCase } from './store.ts'
import { dedupeMessages } from './text-en.ts'

export interface DedupeInput {
  sender: string
  requestId: string
  caseRef: string
  applicant: IdentityFacts
  /** Digest of the request's content. */
  contentDigest: Buffer
  /** The reference by which a lead names the result. */
  dedupeReferenceId: string
}

/**
 * Returns the result, and whether it is a replay. Throws `reused-key` if the request id was used with other content.
 */
export async function checkDuplicate(
  { tx, at, seal, config }: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  { applicant, ...request }: DedupeInput,
): Promise<{ decision: DedupeRow; isReplayed: boolean }> {
  const existingResult = await findDedupe(tx, request.sender, request.requestId)
  if (existingResult) return { decision: requireSameContent(existingResult, request.contentDigest), isReplayed: true }
  const digests = digestsOf(seal, applicant)
  const [all, isAutopilot, reviewDecisions] = await Promise.all([
    knownBorrower(tx, digests, countedSince(at)),
    isAutopilotOn(tx, config),
    decisionsOn(tx, digests),
  ])
  const decisionByCase = new Map(reviewDecisions.map(({ existingCaseRef, decision }) => [existingCaseRef, decision]))
  const others = all.filter(({ caseRef }) => caseRef !== request.caseRef)
  const knownCases = await compareBirthdays({ tx, seal }, others, applicant, decisionByCase)
  const policy = { ...limitsOf(config), minAge: config.PARTNER_LEAST_AGE }
  const simulated = isAutopilot ? scenarioFor(applicant.pan) : null
  // An officer may also decide a simulated AMBIGUOUS result, which has no similar borrower.
  const scenario = simulated === 'dedupe-ambiguous' && decisionByCase.has(null) ? null : simulated
  const { existing, ...decision } = decisionOn(
    knownCases,
    yearsBetween(applicant.bornOn, businessDate(at)),
    policy,
    scenario,
  )
  // The reply contains only references that this client may access.
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
  // A concurrent request with the same content was first.
  const first = await findDedupe(tx, request.sender, request.requestId)
  return { decision: requireSameContent(required(first, 'the first result'), request.contentDigest), isReplayed: true }
}

interface SealContext {
  tx: Tx
  seal: Context['seal']
}

/** Queues the applicant and the similar borrower for a review. */
async function queueForReview(
  { tx, seal }: SealContext,
  row: DedupeRow,
  applicant: IdentityFacts,
  existingCaseRef: string | null,
) {
  const { dedupeReferenceId: reviewId, sender, caseRef, panDigest, personDigest, checkedAt: createdAt } = row
  const applicantSealed = seal.json(applicant, identityContext(reviewId))
  const digests = { panDigest, personDigest }
  await queueReview(tx, { reviewId, sender, caseRef, ...digests, applicantSealed, existingCaseRef, createdAt })
}

/** Compares birthdays. With the same PAN but another person digest, the birthday must be read from the case's lead. */
async function compareBirthdays(
  { tx, seal }: SealContext,
  known: SimilarCase[],
  { bornOn }: IdentityFacts,
  judged: Map<string | null, IdentityDecision>,
): Promise<KnownCase[]> {
  const all: KnownCase[] = []
  for (const similar of known) {
    const lead = similar.samePan && !similar.sameApplicant ? await readLead(tx, similar.caseRef) : undefined
    const birthday = lead && seal.openJson<LeadSubmitted>(lead, leadContext(similar.caseRef)).borrower.date_of_birth
    const sameBirthday = birthday ? birthday === bornOn : similar.sameApplicant
    all.push({ ...similar, sameBirthday, judged: judged.get(similar.caseRef) ?? null })
  }
  return all
}

function requireSameContent(row: DedupeRow, contentDigest: Buffer): DedupeRow {
  if (!row.contentDigest.equals(contentDigest))
    throw new Refusal('reused-key', 'this request_id was used with other content', { field: 'request_id' })
  return row
}
