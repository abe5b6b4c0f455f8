// A request for approval: its author, its approvers and their limits; pure rules.

import type { Paise } from '#kit/money/money.ts'
import { isMaker, type ProposalLine } from '#partner/desk/staff/one-person.ts'
import type { DeskIdentity, Role } from '#partner/desk-person.ts'

/** Acts that a second person approves, always or above a limit. */
export const checkedNames = ['OFFER', 'PAYOUT', 'REFUND', 'WAIVER', 'WRITE_OFF', 'LOSS', 'REVERSAL', 'ACCOUNT'] as const
export type CheckedName = (typeof checkedNames)[number]

/** Payouts, refunds, waivers, write-offs and their accounts always need two people. */
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

/** A role's permission for an act. */
export interface ApprovalLimit {
  role: Role
  act: CheckedName
  /** Up to this amount without a second person. */
  alonePaise: Paise
  /** Up to this amount for others. */
  approvePaise: Paise
}

interface Person extends DeskIdentity {
  roles: readonly Role[]
}

const mostOf = (
  limits: ApprovalLimit[],
  { roles }: Person,
  act: CheckedName,
  of: 'alonePaise' | 'approvePaise',
): Paise =>
  limits.reduce(
    (most, limit) => (limit.act === act && roles.includes(limit.role) && limit[of] > most ? limit[of] : most),
    0n,
  )

/** The amount up to which a person acts alone. */
export const aloneUpTo = (limits: ApprovalLimit[], who: Person, act: CheckedName): Paise =>
  isAlwaysChecked(act) ? 0n : mostOf(limits, who, act, 'alonePaise')

export const isAlone = (
  limits: ApprovalLimit[],
  who: Person,
  { act, paise }: { act: CheckedName; paise: Paise },
): boolean => !isAlwaysChecked(act) && paise <= aloneUpTo(limits, who, act)

/** The amount up to which a person approves for others. */
export const approveUpTo = (limits: ApprovalLimit[], who: Person, act: CheckedName): Paise =>
  mostOf(limits, who, act, 'approvePaise')

type RequestFacts = Pick<ApprovalRequest, 'act' | 'amountPaise' | 'madeBy' | 'makerKnownTo'>

/**
 * Why a person may not refuse a request; null when they may: an approver of such acts, up to any amount, may refuse all
 * of them.
 */
export function whyNotRefuse(
  limits: ApprovalLimit[],
  who: Person,
  request: RequestFacts,
): 'OWN' | 'ONE_PERSON' | 'NOT_THEIRS' | null {
  if (request.madeBy === who.staffId) return 'OWN'
  if (isMaker(who, request)) return 'ONE_PERSON'
  return approveUpTo(limits, who, request.act) > 0n ? null : 'NOT_THEIRS'
}

/** Why a person may not approve a request; null when they may. */
export const whyNotApprove = (
  limits: ApprovalLimit[],
  who: Person,
  request: RequestFacts,
): 'OWN' | 'ONE_PERSON' | 'NOT_THEIRS' | 'ABOVE_LIMIT' | null =>
  whyNotRefuse(limits, who, request) ??
  (request.amountPaise <= approveUpTo(limits, who, request.act) ? null : 'ABOVE_LIMIT')
