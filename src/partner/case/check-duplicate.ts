// The dedupe act: one result for each request id, kept, and given again to the same request (D3 §4.1).

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
  /** Digest of the whole content of the request. */
  contentDigest: Buffer
  /** The reference under which a lead may name the result. */
  dedupeReferenceId: string
}

/**
 * Returns the result, and whether it is a repetition. Refused as `reused-key` when the request id had other content.
 */
export async function checkDuplicate(
  { tx, at, seal, config }: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  { applicant, ...request }: DedupeInput,
): Promise<{ decision: DedupeRow; replayed: boolean }> {
  const before = await findDedupe(tx, request.sender, request.requestId)
  if (before) return { decision: same(before, request.contentDigest), replayed: true }
  const digests = digestsOf(seal, applicant)
  const [all, byRule, decided] = await Promise.all([
    knownBorrower(tx, digests, countedSince(at)),
    isAutopilotOn(tx, config),
    decisionsOn(tx, digests),
  ])
  const judged = new Map(decided.map(({ existingCaseRef, decision }) => [existingCaseRef, decision]))
  const others = all.filter(({ caseRef }) => caseRef !== request.caseRef)
  const known = await compared({ tx, seal }, others, applicant, judged)
  const policy = { ...limitsOf(config), leastAge: config.PARTNER_LEAST_AGE }
  const asRuled = byRule ? scenarioFor(applicant.pan) : null
  // A person may also decide a simulated doubt, which has no similar borrower.
  const scenario = asRuled === 'dedupe-ambiguous' && judged.has(null) ? null : asRuled
  const { existing, ...decision } = decisionOn(
    known,
    yearsBetween(applicant.bornOn, businessDate(at)),
    policy,
    scenario,
  )
  // Only references that this client may access are given to it.
  const shown = existing?.sender === request.sender ? existing : null
  const row: DedupeRow = {
    ...request,
    ...digests,
    ...decision,
    reasonMessage: dedupeMessages[decision.reasonCode](policy),
    existingLeadId: shown?.leadId ?? null,
    existingLoanId: shown?.loanId ?? null,
    checkedAt: at,
  }
  if (await insertDedupe(tx, row)) {
    if (row.decision === 'REVIEW_REQUIRED') await queue({ tx, seal }, row, applicant, existing?.caseRef ?? null)
    return { decision: row, replayed: false }
  }
  // A concurrent request with the same content was first.
  const first = await findDedupe(tx, request.sender, request.requestId)
  return { decision: same(required(first, 'the result that was first'), request.contentDigest), replayed: true }
}

interface SealContext {
  tx: Tx
  seal: Context['seal']
}

/** Queues the applicant and the similar borrower for a person. */
async function queue(
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

/** A case with the same PAN and another digest of mobile and birthday has one of them only in its lead. */
async function compared(
  { tx, seal }: SealContext,
  known: SimilarCase[],
  { bornOn }: IdentityFacts,
  judged: Map<string | null, IdentityDecision>,
): Promise<KnownCase[]> {
  const all: KnownCase[] = []
  for (const one of known) {
    const lead = one.samePan && !one.sameApplicant ? await readLead(tx, one.caseRef) : undefined
    const kept = lead && seal.openJson<LeadSubmitted>(lead, leadContext(one.caseRef)).borrower.date_of_birth
    const sameBirthday = kept ? kept === bornOn : one.sameApplicant
    all.push({ ...one, sameBirthday, judged: judged.get(one.caseRef) ?? null })
  }
  return all
}

function same(row: DedupeRow, contentDigest: Buffer): DedupeRow {
  if (!row.contentDigest.equals(contentDigest))
    throw new Refusal('reused-key', 'this request_id was used with other content', { field: 'request_id' })
  return row
}
