// Dedupe decision: whether existing records allow an offer to an applicant (D3 §4.1).
import { isDeepStrictEqual } from 'node:util'
import type { DedupeDecision, MatchStatus } from '#contract/exchange/dedupe.ts'
import { type Exposure, type ExposureLimits, exposureFault } from './exposure/store.ts'
import type { IdentityDecision } from './identity/store.ts'
import type { FaultScenario } from './sandbox-rules.ts'

/** An earlier or current case whose borrower may be the applicant. Names are never compared. */
export interface KnownCase {
  caseRef: string
  sender: string
  leadId: string
  loanId: string
  samePan: boolean
  /** Equal mobile and date of birth. */
  sameApplicant: boolean
  sameBirthday: boolean
  /** `OPEN`: an application that is neither disbursed nor ended. */
  loan: 'NONE' | 'OPEN' | 'LIVE' | 'OVERDUE' | 'CLOSED'
  /** The case's contribution to the borrower's exposure. */
  paise: Exposure['paise']
  /** An officer's decision whether the applicant is this borrower. */
  judged: IdentityDecision | null
}

export type DedupeReason =
  | 'IDENTITY_UNCLEAR'
  | 'LENDER_POLICY'
  | 'UNDER_AGE'
  | 'IDENTITY_OF_ANOTHER'
  | 'LOAN_OVERDUE'
  | 'TOO_MANY_LOANS'
  | 'TOO_MUCH_OWED'
  | 'KNOWN_BORROWER'
  | 'NO_RECORD'

export interface DedupeResult {
  matchStatus: MatchStatus
  decision: DedupeDecision
  reasonCode: DedupeReason
  /** The matched record. */
  existing: KnownCase | null
}

export interface DedupePolicy extends ExposureLimits {
  /** Minimum age in whole years, on the day of the check. */
  minAge: number
}

/** Returns the dedupe result. `NO_MATCH` alone permits nothing; the policy decides. */
export function decisionOn(
  knownCases: KnownCase[],
  age: number,
  policy: DedupePolicy,
  scenario: FaultScenario | null,
): DedupeResult {
  const ofPerson = knownCases.filter(({ samePan, judged }) => samePan || judged === 'SAME')
  const existing = ofPerson.find(({ loan }) => loan === 'OVERDUE' || loan === 'LIVE') ?? ofPerson[0] ?? null
  const matchStatus = existing ? 'MATCH' : 'NO_MATCH'
  const decline = (reasonCode: DedupeReason): DedupeResult => ({
    matchStatus,
    decision: 'DECLINE',
    reasonCode,
    existing,
  })

  // A PAN belongs to one person, and a person has one PAN: a difference in either may mean another person.
  const otherBirthday = ofPerson.find(({ sameBirthday, judged }) => !sameBirthday && judged === null)
  const unclear =
    otherBirthday ??
    knownCases.find(
      ({ samePan, sameApplicant, loan, judged }) => !samePan && sameApplicant && loan !== 'NONE' && judged === null,
    )
  if (unclear || scenario === 'dedupe-ambiguous')
    return {
      matchStatus: 'AMBIGUOUS',
      decision: 'REVIEW_REQUIRED',
      reasonCode: 'IDENTITY_UNCLEAR',
      existing: unclear ?? null,
    }
  if (scenario === 'dedupe-declined') return decline('LENDER_POLICY')
  // An officer decided that the PAN belongs to another person.
  if (ofPerson.some(({ samePan, judged }) => samePan && judged === 'DIFFERENT')) return decline('IDENTITY_OF_ANOTHER')
  if (age < policy.minAge) return decline('UNDER_AGE')
  if (ofPerson.some(({ loan }) => loan === 'OVERDUE')) return decline('LOAN_OVERDUE')
  const running = ofPerson.filter(({ loan }) => loan === 'LIVE' || loan === 'OPEN')
  const fault = exposureFault(
    running.map(({ loan, paise }) => ({ isPaid: loan === 'LIVE', paise })),
    minPaise,
    policy,
  )
  if (fault) return decline(fault)
  return { matchStatus, decision: 'PROCEED', reasonCode: existing ? 'KNOWN_BORROWER' : 'NO_RECORD', existing }
}

/** The minimum further loan, because the requested amount is not known yet. */
const minPaise = 1n

export interface DedupeDecisionRecord {
  sender: string
  caseRef: string
  panDigest: Buffer
  personDigest: Buffer
  decision: string
  checkedAt: Date
}

/**
 * Returns why a lead's dedupe decision is not acceptable; null if it is. The decision must be a PROCEED for the same
 * case and applicant, not older than `hours` (D3 §1.1 rule 1, §4.1).
 */
export function dedupeFault(
  record: DedupeDecisionRecord | undefined,
  lead: Pick<DedupeDecisionRecord, 'sender' | 'caseRef' | 'panDigest' | 'personDigest'>,
  hours: number,
  at: Date,
): string | null {
  if (!record || record.sender !== lead.sender || record.caseRef !== lead.caseRef)
    return 'names no dedupe decision of this case'
  const { panDigest, personDigest, decision, checkedAt } = record
  if (!isDeepStrictEqual([panDigest, personDigest], [lead.panDigest, lead.personDigest]))
    return 'is the dedupe decision for another applicant'
  if (decision !== 'PROCEED') return `is a dedupe decision of ${decision}`
  if (at.getTime() - checkedAt.getTime() > hours * 3_600_000) return `is a dedupe decision older than ${hours} hours`
  return null
}
