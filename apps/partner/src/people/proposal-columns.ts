// The columns that every table of proposals has, when a proposal is decided or expires.

import { type Fragment, sql } from '@lendloom/postgres/sql'
import type { ProposalLine } from '#partner/people/one-person.ts'

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
export const expiry = (at: Date): Fragment => sql`
  state = 'EXPIRED', decided_at = expires_at where state = 'WAITING' and expires_at <= ${at}`
