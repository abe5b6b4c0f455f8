// The rules of approval: which acts need a second person, up to which amount a person may act alone, and who may approve.

import type { Paise } from '@lendloom/lending/money'
import type { DeskIdentity, Role } from '#partner/people/person.ts'
import { isMaker, type ProposalLine } from '#partner/people/proposal.ts'

/** Acts that need the approval of a second person, either always or above a limit. */
export const checkedActNames = [
  'OFFER',
  'PAYOUT',
  'REFUND',
  'WAIVER',
  'WRITE_OFF',
  'SETTLEMENT',
  'LOSS',
  'POSTING',
  'REVERSAL',
  'TRANSFER_RETURN',
  'ACCOUNT',
  'CANCELLATION',
] as const
export type CheckedActName = (typeof checkedActNames)[number]

/** Whether the act needs approval at any amount. An offer and the posting of a receipt need it only above a limit. */
export const isAlwaysChecked = (act: CheckedActName): boolean => act !== 'OFFER' && act !== 'POSTING'

type RequestState = 'WAITING' | 'APPROVED' | 'REFUSED' | 'WITHDRAWN' | 'EXPIRED'

export interface ApprovalRequest extends ProposalLine {
  caseRef: string
  requestId: string
  act: CheckedActName
  payloadSealed: Buffer
  amountPaise: Paise
  state: RequestState
}

export const payloadContext = (requestId: string): string => `approval_request ${requestId}`

export interface ApprovalLimit {
  role: Role
  act: CheckedActName
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
  act: CheckedActName,
  column: 'alonePaise' | 'approvePaise',
): Paise =>
  limits.reduce(
    (max, limit) => (limit.act === act && roles.includes(limit.role) && limit[column] > max ? limit[column] : max),
    0n,
  )

/** The amount up to which a person acts alone. */
export const soleLimit = (limits: ApprovalLimit[], who: Person, act: CheckedActName): Paise =>
  isAlwaysChecked(act) ? 0n : maxLimit(limits, who, act, 'alonePaise')

export const mayActAlone = (
  limits: ApprovalLimit[],
  who: Person,
  { act, paise }: { act: CheckedActName; paise: Paise },
): boolean => !isAlwaysChecked(act) && paise <= soleLimit(limits, who, act)

/** The amount up to which a person approves other people's requests. */
export const approvalLimit = (limits: ApprovalLimit[], who: Person, act: CheckedActName): Paise =>
  maxLimit(limits, who, act, 'approvePaise')

export type RequestFacts = Pick<ApprovalRequest, 'act' | 'amountPaise' | 'madeBy' | 'makerKnownTo'>

/**
 * Returns why a person may not refuse a request; null if they may. `SAME_PERSON`: the account counts as the
 * person who made the request. An approver may also refuse requests above their own limit.
 */
export function whyMayNotRefuse(
  limits: ApprovalLimit[],
  who: Person,
  request: RequestFacts,
): 'OWN_REQUEST' | 'SAME_PERSON' | 'ROLE_NOT_ALLOWED' | null {
  if (request.madeBy === who.staffId) return 'OWN_REQUEST'
  if (isMaker(who, request)) return 'SAME_PERSON'
  return approvalLimit(limits, who, request.act) > 0n ? null : 'ROLE_NOT_ALLOWED'
}

/** Returns why a person may not approve a request; null if they may. */
export const whyMayNotApprove = (
  limits: ApprovalLimit[],
  who: Person,
  request: RequestFacts,
): 'OWN_REQUEST' | 'SAME_PERSON' | 'ROLE_NOT_ALLOWED' | 'ABOVE_LIMIT' | null =>
  whyMayNotRefuse(limits, who, request) ??
  (request.amountPaise <= approvalLimit(limits, who, request.act) ? null : 'ABOVE_LIMIT')
