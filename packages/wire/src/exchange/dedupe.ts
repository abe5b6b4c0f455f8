// The check of existing records before an offer: D3 §4.1.
import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import { faults, fits, OneOf, orNull, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { BusinessDate, brokenRules, Code, Id, Instant, LoanId, sensitiveFaults, Text } from './fields.ts'
import { Mobile, PersonPan } from './lead.ts'

export const DedupeRequest = Type.Object({
  request_id: Uuid,
  external_reference_id: Id,
  product: Type.Literal('BUSINESS_LOAN'),
  applicant: Type.Object({ pan: PersonPan, mobile: Mobile, date_of_birth: BusinessDate, name: Text() }),
})
export type DedupeRequest = Static<typeof DedupeRequest>

const matchStatuses = ['NO_MATCH', 'MATCH', 'AMBIGUOUS'] as const
export type MatchStatus = (typeof matchStatuses)[number]
const dedupeDecisions = ['PROCEED', 'DECLINE', 'REVIEW_REQUIRED'] as const
export type DedupeDecision = (typeof dedupeDecisions)[number]

export const DedupeReply = Type.Object({
  request_id: Uuid,
  external_reference_id: Id,
  dedupe_reference_id: Id,
  match_status: OneOf(matchStatuses),
  decision: OneOf(dedupeDecisions),
  reason_code: Code,
  reason_message: Text(1000),
  existing_celestium_lead_id: orNull(Id),
  existing_celestium_loan_id: orNull(LoanId),
  checked_at: Instant,
})
export type DedupeReply = Static<typeof DedupeReply>

/** Returns the valid request. Throws `invalid` with every faulty field. */
export function readDedupeRequest(json: unknown): DedupeRequest {
  requireDedupeRequest(json)
  return json
}

function requireDedupeRequest(json: unknown): asserts json is DedupeRequest {
  const [first, ...otherFaults] = [...faults(DedupeRequest, json), ...sensitiveFaults(json)]
  if (first) throw invalid(first, ...otherFaults)
}

/** AMBIGUOUS requires a review; NO_MATCH must not name a record. */
const checkDedupeReply = (reply: DedupeReply): FieldError[] => {
  const { match_status, decision, existing_celestium_lead_id, existing_celestium_loan_id } = reply
  const isNoMatch = match_status === 'NO_MATCH'
  return brokenRules(
    '',
    [
      match_status === 'AMBIGUOUS' && decision !== 'REVIEW_REQUIRED',
      'decision',
      'must be REVIEW_REQUIRED when match_status is AMBIGUOUS',
    ],
    [
      isNoMatch && existing_celestium_lead_id !== null,
      'existing_celestium_lead_id',
      'must be null when match_status is NO_MATCH',
    ],
    [
      isNoMatch && existing_celestium_loan_id !== null,
      'existing_celestium_loan_id',
      'must be null when match_status is NO_MATCH',
    ],
  )
}

/** Faults of a reply, including IDs that differ from the request's. A case never continues with a faulty reply. */
export function dedupeReplyFaults(json: unknown, request: Pick<DedupeRequest, 'request_id' | 'external_reference_id'>) {
  if (!fits(DedupeReply, json)) return faults(DedupeReply, json)
  const mismatches = (['request_id', 'external_reference_id'] as const).filter((key) => json[key] !== request[key])
  return [
    ...mismatches.map((path) => ({ path, message: 'must equal the value in the request' })),
    ...checkDedupeReply(json),
  ]
}
