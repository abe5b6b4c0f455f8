// A proposal, which one person makes and another one decides: its fields, and how every table of proposals stores its end.

import { type Fragment, sql } from '@lendloom/postgres/sql'
import type { DeskIdentity } from '#partner/people/person.ts'
import { isOnePerson } from './one-person.ts'

/** A proposal of one account, which another account must decide. */
export interface ProposalLine {
  reason: string
  state: string
  madeBy: string
  /** The accounts whose users may have known the maker's password when the proposal was made. */
  makerKnownTo: string[]
  madeAt: Date
  expiresAt: Date
  decidedBy: string | null
  decidedAt: Date | null
  decisionReason: string | null
}

/** Whether the proposal is undecided and not expired. */
export const isWaiting = ({ state, expiresAt }: Pick<ProposalLine, 'state' | 'expiresAt'>, now: Date): boolean =>
  state === 'WAITING' && expiresAt > now

/** Whether this account counts as the maker: its user may have known the maker's password at the proposal. */
export const isMaker = (
  who: DeskIdentity,
  { madeBy, makerKnownTo }: Pick<ProposalLine, 'madeBy' | 'makerKnownTo'>,
): boolean => isOnePerson(who, { staffId: madeBy, knownTo: makerKnownTo })

export type ProposalDecision<P extends ProposalLine> = Pick<P, 'state' | 'decidedBy' | 'decidedAt' | 'decisionReason'>

/** The assignments that record a decision on a proposal, in whatever table it is. */
export const decisionColumns = ({
  state,
  decidedBy,
  decidedAt,
  decisionReason,
}: ProposalDecision<ProposalLine>): Fragment => sql`
  state = ${state}, decided_by = ${decidedBy}, decided_at = ${decidedAt}, decision_reason = ${decisionReason}`

/** The assignments and the condition that end the proposals of a table that nobody decided in time. */
export const expiryOfWaiting = (at: Date): Fragment => sql`
  state = 'EXPIRED', decided_at = expires_at where state = 'WAITING' and expires_at <= ${at}`
