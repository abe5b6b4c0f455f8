// Rules of approval: who may act alone, and who may approve or refuse a request, up to which amount.

import type { Paise } from '#kit/money/money.ts'
import { isMaker, type ProposalLine } from '#partner/desk/staff/one-person.ts'
import type { DeskIdentity, Role } from '#partner/desk-person.ts'

/** Acts that a second person approves, always or above a limit. */
export const checkedNames = ['OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'LOSS', 'REVERSAL', 'ACCOUNT'] as const
export type CheckedName = (typeof checkedNames)[number]

/** Every act but an offer always needs two people. */
export const isAlwaysChecked = (act: CheckedName): boolean => act !== 'OFFER'

type RequestState = 'WAITING' | 'APPROVED' | 'REFUSED' | 'WITHDRAWN' | 'EXPIRED'

export interface ApprovalRequest extends ProposalLine {
  caseRef: string
  requestId: string
  act: CheckedName
  payloadSealed: Buffer
  amountPaise: Paise
  state: RequestState
}

export const payloadContext = (requestId: string): string => `approval_request ${requestId}`

/** A role's limits for an act. */
export interface ApprovalLimit {
  role: Role
  act: CheckedName
  /** The amount up to which the role acts without a second person. */
  alonePaise: Paise
  /** The amount up to which the role approves other people's requests. */
  approvePaise: Paise
}

interface Person extends DeskIdentity {
  roles: readonly Role[]
}

const maxLimit = (
  limits: ApprovalLimit[],
  { roles }: Person,
  act: CheckedName,
  column: 'alonePaise' | 'approvePaise',
): Paise =>
  limits.reduce(
    (max, limit) => (limit.act === act && roles.includes(limit.role) && limit[column] > max ? limit[column] : max),
    0n,
  )

/** The amount up to which a person acts alone. */
export const soleLimit = (limits: ApprovalLimit[], who: Person, act: CheckedName): Paise =>
  isAlwaysChecked(act) ? 0n : maxLimit(limits, who, act, 'alonePaise')

export const mayActAlone = (
  limits: ApprovalLimit[],
  who: Person,
  { act, paise }: { act: CheckedName; paise: Paise },
): boolean => !isAlwaysChecked(act) && paise <= soleLimit(limits, who, act)

/** The amount up to which a person approves other people's requests. */
export const approvalLimit = (limits: ApprovalLimit[], who: Person, act: CheckedName): Paise =>
  maxLimit(limits, who, act, 'approvePaise')

type RequestFacts = Pick<ApprovalRequest, 'act' | 'amountPaise' | 'madeBy' | 'makerKnownTo'>

/**
 * Returns why a person may not refuse a request, or null. `ONE_PERSON`: another account that counts as the maker's.
 * An approver of the act may refuse requests of any amount, also above their own limit.
 */
export function refusalBar(
  limits: ApprovalLimit[],
  who: Person,
  request: RequestFacts,
): 'OWN' | 'ONE_PERSON' | 'NOT_THEIRS' | null {
  if (request.madeBy === who.staffId) return 'OWN'
  if (isMaker(who, request)) return 'ONE_PERSON'
  return approvalLimit(limits, who, request.act) > 0n ? null : 'NOT_THEIRS'
}

/** Returns why a person may not approve a request, or null. */
export const approvalBar = (
  limits: ApprovalLimit[],
  who: Person,
  request: RequestFacts,
): 'OWN' | 'ONE_PERSON' | 'NOT_THEIRS' | 'ABOVE_LIMIT' | null =>
  refusalBar(limits, who, request) ??
  (request.amountPaise <= approvalLimit(limits, who, request.act) ? null : 'ABOVE_LIMIT')
