// A loan case, which is one application at a lending partner, and the transitions between its stages (D3 §1, §3).

import { next, type Table } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import type { DedupeReply } from '@lendloom/wire/exchange/dedupe'

/**
 * CHECKING: the duplicate check is pending. WEIGHING: evidence for a recommendation is collected. RECOMMENDED: the
 * borrower sees an indicative offer. CHOSEN: the borrower chose the offer; the lead is built. SUBMITTED: the lead is
 * sent. REGISTERED: the partner opened its case. OFFERED: the partner's final terms arrived. DECIDED: the borrower
 * accepted the terms. ACCEPTED: the partner recorded the acceptance. DISBURSED: the loan is paid out. CLOSED: the loan
 * account is closed. ENDED: the case ended without a loan, or the bank gave the payout back.
 */
export const caseStageNames = [
  'CHECKING',
  'WEIGHING',
  'RECOMMENDED',
  'CHOSEN',
  'SUBMITTED',
  'REGISTERED',
  'OFFERED',
  'DECIDED',
  'ACCEPTED',
  'DISBURSED',
  'CLOSED',
  'ENDED',
] as const
export type CaseStage = (typeof caseStageNames)[number]

export type StageTransition =
  | 'permitted'
  | 'recommended'
  | 'chosen'
  | 'submitted'
  | 'corrected'
  | 'registered'
  | 'offered'
  | 'decided'
  | 'confirmed'
  | 'disbursed'
  | 'closed'
  | 'reopened'
  | 'payoutReturned'
  | 'end'

export const caseStages: Table<CaseStage, StageTransition> = {
  CHECKING: { permitted: 'WEIGHING', end: 'ENDED' },
  WEIGHING: { recommended: 'RECOMMENDED', end: 'ENDED' },
  RECOMMENDED: { chosen: 'CHOSEN', end: 'ENDED' },
  CHOSEN: { submitted: 'SUBMITTED', end: 'ENDED' },
  // A lead is built again after a retryable failure at the partner (D3 §6 rule 6).
  SUBMITTED: { registered: 'REGISTERED', corrected: 'CHOSEN', end: 'ENDED' },
  REGISTERED: { offered: 'OFFERED', end: 'ENDED' },
  // Changed terms have a new offer id and need a new decision (D3 §2.4).
  OFFERED: { offered: 'OFFERED', decided: 'DECIDED', end: 'ENDED' },
  DECIDED: { confirmed: 'ACCEPTED', end: 'ENDED' },
  ACCEPTED: { disbursed: 'DISBURSED', end: 'ENDED' },
  // The bank can give the payout back on any day: the loan is then as if it had never been paid out.
  DISBURSED: { closed: 'CLOSED', payoutReturned: 'ENDED' },
  // A reversal reopens a closed account (D3 §3).
  CLOSED: { reopened: 'DISBURSED', payoutReturned: 'ENDED' },
  ENDED: {},
}

export interface PartnerCase {
  tenantId: string
  /** `external_reference_id`; equals the `conversationId` of its offers. */
  caseRef: string
  journeyId: string
  partnerId: string
  /** The lender that represents the partner in the journey; null until the case has started. */
  lenderId: string | null
  stage: CaseStage
  dedupeRequestId: string
  dedupeSealed: Buffer | null
  dedupeCheckedAt: Date | null
  evidenceSealed: Buffer | null
  leadEventId: string | null
  /** `celestium_lead_id` and `celestium_loan_id`. */
  leadId: string | null
  loanId: string | null
  /** The partner's id of the valid final offer. */
  offerId: string | null
  decision: 'ACCEPT' | 'REJECT' | 'EXPIRE' | null
  decisionEventId: string | null
  confirmedAt: Date | null
  snapshotVersion: number | null
  snapshotAt: Date | null
  snapshotSealed: Buffer | null
  /** The bank's reference for the disbursal, from the newest snapshot. */
  bankReference: string | null
  endedBecause: string | null
  createdAt: Date
  updatedAt: Date
}

export type CaseChange = Partial<
  Omit<PartnerCase, 'tenantId' | 'caseRef' | 'journeyId' | 'partnerId' | 'createdAt' | 'updatedAt'>
>

/** Returns the stage after a transition. Throws `wrong-state` when the transition is not possible. */
export function stageAfter({ stage }: Pick<PartnerCase, 'stage'>, transition: StageTransition): CaseStage {
  const to = next(caseStages, stage, transition)
  if (!to) throw new Refusal('wrong-state', `${transition} is not possible while the case is ${stage}`, { stage })
  return to
}

export const canTransition = ({ stage }: Pick<PartnerCase, 'stage'>, transition: StageTransition): boolean =>
  next(caseStages, stage, transition) !== undefined

/** Whether the partner has the lead of an open case. If so, it must receive the borrower's later decisions. */
export const isWithPartner = ({ stage }: Pick<PartnerCase, 'stage'>): boolean =>
  caseStageNames.indexOf(stage) >= caseStageNames.indexOf('SUBMITTED') && stage !== 'ENDED'

/** The binding context of a case's sealed values. */
export const caseContext = (
  { tenantId, caseRef }: Pick<PartnerCase, 'tenantId' | 'caseRef'>,
  what: 'dedupe' | 'evidence' | 'snapshot',
): string => `partner_case.${what}:${tenantId}:${caseRef}`

/** Returns the internal reason why a duplicate check ends the case; null for PROCEED (D3 §4.1). */
export const stopReasonOf = ({ decision, match_status, reason_code }: DedupeReply): string | null =>
  decision === 'PROCEED' ? null : `${decision} after ${match_status}: ${reason_code}`
