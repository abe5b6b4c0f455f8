// Dedupe decision: whether existing cases allow an offer to an applicant (D3 §4.1).
import { isDeepStrictEqual } from 'node:util'
import type { DedupeDecision, MatchStatus } from '@lendloom/wire/exchange/dedupe'
import type { IdentityDecision } from './dedupe-review/store.ts'
import { type Exposure, type ExposureLimits, exposureFault } from './exposure/exposure.ts'
import type { FaultScenario } from './sandbox-rules.ts'

/** An earlier or current case whose borrower may be the applicant. */
export interface KnownCase {
  caseRef: string
  sender: string
  leadId: string
  loanId: string
  hasSamePan: boolean
  hasSameMobileAndBirthday: boolean
  hasSameBirthday: boolean
  /** `OPEN`: an application that is neither disbursed nor ended. */
  loan: 'NONE' | 'OPEN' | 'LIVE' | 'OVERDUE' | 'CLOSED'
  /** The case's contribution to the borrower's exposure. */
  paise: Exposure['paise']
  /** An officer's decision whether the applicant is this borrower; null without one. */
  identityDecision: IdentityDecision | null
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
  existing: KnownCase | null
}

export interface DedupePolicy extends ExposureLimits {
  /** Minimum age in whole years, on the day of the check. */
  minAge: number
}

/** Returns the dedupe result. The policy applies even if no case matches. */
export function dedupeDecisionOn(
  knownCases: KnownCase[],
  age: number,
  policy: DedupePolicy,
  scenario: FaultScenario | null,
): DedupeResult {
  const casesOfPerson = knownCases.filter(
    ({ hasSamePan, identityDecision }) => hasSamePan || identityDecision === 'SAME',
  )
  const existing = casesOfPerson.find(({ loan }) => loan === 'OVERDUE' || loan === 'LIVE') ?? casesOfPerson[0] ?? null
  const matchStatus = existing ? 'MATCH' : 'NO_MATCH'
  const decline = (reasonCode: DedupeReason): DedupeResult => ({
    matchStatus,
    decision: 'DECLINE',
    reasonCode,
    existing,
  })

  // A person has one PAN and one birthday, so the identity is unclear if only one of them is equal.
  const caseWithOtherBirthday = casesOfPerson.find(
    ({ hasSameBirthday, identityDecision }) => !hasSameBirthday && identityDecision === null,
  )
  const unclearCase =
    caseWithOtherBirthday ??
    knownCases.find(
      ({ hasSamePan, hasSameMobileAndBirthday, loan, identityDecision }) =>
        !hasSamePan && hasSameMobileAndBirthday && loan !== 'NONE' && identityDecision === null,
    )
  if (unclearCase || scenario === 'dedupe-ambiguous')
    return {
      matchStatus: 'AMBIGUOUS',
      decision: 'REVIEW_REQUIRED',
      reasonCode: 'IDENTITY_UNCLEAR',
      existing: unclearCase ?? null,
    }
  if (scenario === 'dedupe-declined') return decline('LENDER_POLICY')
  if (casesOfPerson.some(({ hasSamePan, identityDecision }) => hasSamePan && identityDecision === 'DIFFERENT'))
    return decline('IDENTITY_OF_ANOTHER')
  if (age < policy.minAge) return decline('UNDER_AGE')
  if (casesOfPerson.some(({ loan }) => loan === 'OVERDUE')) return decline('LOAN_OVERDUE')
  const running = casesOfPerson.filter(({ loan }) => loan === 'LIVE' || loan === 'OPEN')
  const fault = exposureFault(
    running.map(({ loan, paise }) => ({ isDisbursed: loan === 'LIVE', paise })),
    minLoanPaise,
    policy,
  )
  if (fault) return decline(fault)
  return { matchStatus, decision: 'PROCEED', reasonCode: existing ? 'KNOWN_BORROWER' : 'NO_RECORD', existing }
}

/** The smallest possible loan. The requested amount is not known yet. */
const minLoanPaise = 1n

export interface StoredDedupeDecision {
  sender: string
  caseRef: string
  panDigest: Buffer
  personDigest: Buffer
  decision: string
  checkedAt: Date
}

/**
 * Returns why the dedupe decision that a lead names is not acceptable; null if it is acceptable. It must be a PROCEED
 * for the same case and applicant, at most `hours` old (D3 §1.1 rule 1, §4.1).
 */
export function dedupeFault(
  stored: StoredDedupeDecision | undefined,
  lead: Pick<StoredDedupeDecision, 'sender' | 'caseRef' | 'panDigest' | 'personDigest'>,
  hours: number,
  at: Date,
): string | null {
  if (!stored || stored.sender !== lead.sender || stored.caseRef !== lead.caseRef)
    return 'names no dedupe decision of this case'
  const { panDigest, personDigest, decision, checkedAt } = stored
  if (!isDeepStrictEqual([panDigest, personDigest], [lead.panDigest, lead.personDigest]))
    return 'is the dedupe decision for another applicant'
  if (decision !== 'PROCEED') return `is a dedupe decision of ${decision}`
  if (at.getTime() - checkedAt.getTime() > hours * 3_600_000) return `is a dedupe decision older than ${hours} hours`
  return null
}
