// Whether an applicant may be offered a loan, judging by existing records (D3 §4.1).
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
  /** `OPEN`: offered or accepted, and neither paid out nor ended. */
  loan: 'NONE' | 'OPEN' | 'LIVE' | 'OVERDUE' | 'CLOSED'
  /** Its contribution to the borrower's exposure. */
  paise: Exposure['paise']
  /** A person's decision on the applicant and this borrower. */
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
  /** The record that was matched. */
  existing: KnownCase | null
}

export interface DedupePolicy extends ExposureLimits {
  /** In whole years, on the day of the check. */
  leastAge: number
}

/** The result on an applicant of this age. A lone `NO_MATCH` permits nothing: the policy does. */
export function decisionOn(
  known: KnownCase[],
  age: number,
  policy: DedupePolicy,
  scenario: FaultScenario | null,
): DedupeResult {
  const own = known.filter(({ samePan, judged }) => samePan || judged === 'SAME')
  const existing = own.find(({ loan }) => loan === 'OVERDUE' || loan === 'LIVE') ?? own[0] ?? null
  const matchStatus = existing ? 'MATCH' : 'NO_MATCH'
  const decline = (reasonCode: DedupeReason): DedupeResult => ({
    matchStatus,
    decision: 'DECLINE',
    reasonCode,
    existing,
  })

  // A PAN belongs to one person, and a person has one: who differs in either may be another.
  const impostor = own.find(({ sameBirthday, judged }) => !sameBirthday && judged === null)
  const other =
    impostor ??
    known.find(
      ({ samePan, sameApplicant, loan, judged }) => !samePan && sameApplicant && loan !== 'NONE' && judged === null,
    )
  if (other || scenario === 'dedupe-ambiguous')
    return {
      matchStatus: 'AMBIGUOUS',
      decision: 'REVIEW_REQUIRED',
      reasonCode: 'IDENTITY_UNCLEAR',
      existing: other ?? null,
    }
  if (scenario === 'dedupe-declined') return decline('LENDER_POLICY')
  // A person has found that this is not whose PAN it is.
  if (own.some(({ samePan, judged }) => samePan && judged === 'DIFFERENT')) return decline('IDENTITY_OF_ANOTHER')
  if (age < policy.leastAge) return decline('UNDER_AGE')
  if (own.some(({ loan }) => loan === 'OVERDUE')) return decline('LOAN_OVERDUE')
  const running = own.filter(({ loan }) => loan === 'LIVE' || loan === 'OPEN')
  const fault = exposureFault(
    running.map(({ loan, paise }) => ({ isPaid: loan === 'LIVE', paise })),
    leastPaise,
    policy,
  )
  if (fault) return decline(fault)
  return { matchStatus, decision: 'PROCEED', reasonCode: existing ? 'KNOWN_BORROWER' : 'NO_RECORD', existing }
}

/** The smallest further loan: the requested amount is not known yet. */
const leastPaise = 1n

export interface Permission {
  sender: string
  caseRef: string
  panDigest: Buffer
  personDigest: Buffer
  decision: string
  checkedAt: Date
}

/**
 * Why a lead is refused by its dedupe decision; null when it is accepted. The decision must be a PROCEED for the same
 * case and applicant, not older than `hours` (D3 §1.1 rule 1, §4.1).
 */
export function dedupeFault(
  permission: Permission | undefined,
  lead: Pick<Permission, 'sender' | 'caseRef' | 'panDigest' | 'personDigest'>,
  hours: number,
  at: Date,
): string | null {
  if (!permission || permission.sender !== lead.sender || permission.caseRef !== lead.caseRef)
    return 'names no dedupe decision of this case'
  const { panDigest, personDigest, decision, checkedAt } = permission
  if (!isDeepStrictEqual([panDigest, personDigest], [lead.panDigest, lead.personDigest]))
    return 'is the dedupe decision for another applicant'
  if (decision !== 'PROCEED') return `is a dedupe decision of ${decision}`
  if (at.getTime() - checkedAt.getTime() > hours * 3_600_000) return `is a dedupe decision older than ${hours} hours`
  return null
}
