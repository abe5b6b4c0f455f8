// A case: one application with a lending partner, and how far it has come on our side; pure (D3 §1, §3).
import type { DedupeReply } from '#contract/exchange/dedupe.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { next, type Table } from '#kit/runtime/machine.ts'

/**
 * CHECKING the partner is asked whether it knows the borrower · WEIGHING the evidence for a recommendation is fetched ·
 * RECOMMENDED an indicative offer stands · CHOSEN the borrower took it, the lead is being put together · SUBMITTED ·
 * REGISTERED the partner has a case · OFFERED its final terms are here · DECIDED the borrower accepted them · ACCEPTED the
 * partner has recorded that · DISBURSED · CLOSED · ENDED nothing more is said about it.
 */
export const stageNames = [
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
export type Stage = (typeof stageNames)[number]

export type Move =
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
  | 'end'

export const stages: Table<Stage, Move> = {
  CHECKING: { permitted: 'WEIGHING', end: 'ENDED' },
  WEIGHING: { recommended: 'RECOMMENDED', end: 'ENDED' },
  RECOMMENDED: { chosen: 'CHOSEN', end: 'ENDED' },
  CHOSEN: { submitted: 'SUBMITTED', end: 'ENDED' },
  // A lead that the partner could not apply, and would in another form, is put together afresh (D3 §6 rule 6).
  SUBMITTED: { registered: 'REGISTERED', corrected: 'CHOSEN', end: 'ENDED' },
  REGISTERED: { offered: 'OFFERED', end: 'ENDED' },
  // Changed terms come under a new id, and the borrower decides afresh (D3 §2.4).
  OFFERED: { offered: 'OFFERED', decided: 'DECIDED', end: 'ENDED' },
  DECIDED: { confirmed: 'ACCEPTED', end: 'ENDED' },
  ACCEPTED: { disbursed: 'DISBURSED', end: 'ENDED' },
  DISBURSED: { closed: 'CLOSED' },
  // A reversal reopens a closed account through a newer state of the lender (D3 §3).
  CLOSED: { reopened: 'DISBURSED' },
  ENDED: {},
}

export interface PartnerCase {
  tenantId: string
  /** `external_reference_id`, and in our modules the conversation that an offer comes from. */
  caseRef: string
  journeyId: string
  /** With whom it is. */
  partnerId: string
  /** The partner as a lender among others; null until its first step is done. */
  lenderId: string | null
  stage: Stage
  dedupeRequestId: string
  dedupeSealed: Buffer | null
  dedupeCheckedAt: Date | null
  evidenceSealed: Buffer | null
  leadEventId: string | null
  /** `celestium_lead_id` and `celestium_loan_id`. */
  leadId: string | null
  loanId: string | null
  /** The final offer that holds, by its id at the partner. */
  offerId: string | null
  decision: 'ACCEPT' | 'REJECT' | 'EXPIRE' | null
  decisionEventId: string | null
  confirmedAt: Date | null
  snapshotVersion: number | null
  snapshotAt: Date | null
  snapshotSealed: Buffer | null
  /** The bank's reference of the transfer to the borrower, as the newest snapshot says. */
  bankReference: string | null
  endedBecause: string | null
  createdAt: Date
  updatedAt: Date
}

/** What may change about a case. */
export type CaseChange = Partial<
  Omit<PartnerCase, 'tenantId' | 'caseRef' | 'journeyId' | 'partnerId' | 'createdAt' | 'updatedAt'>
>

/** Where a move leads; refused as `wrong-state` when the case is not there. */
export function stageAfter({ stage }: Pick<PartnerCase, 'stage'>, move: Move): Stage {
  const to = next(stages, stage, move)
  if (!to) throw new Refusal('wrong-state', `${move} is not possible while the case is ${stage}`, { stage })
  return to
}

export const canMove = ({ stage }: Pick<PartnerCase, 'stage'>, move: Move): boolean =>
  next(stages, stage, move) !== undefined

/** A case that the partner has been told of by a lead: whatever the borrower decides, it receives. */
export const isWithPartner = ({ stage }: Pick<PartnerCase, 'stage'>): boolean =>
  stageNames.indexOf(stage) >= stageNames.indexOf('SUBMITTED') && stage !== 'ENDED'

type Place = Pick<PartnerCase, 'tenantId' | 'caseRef'>

/** Where what is sealed of a case belongs to. */
export const caseContext = ({ tenantId, caseRef }: Place, what: 'dedupe' | 'evidence' | 'snapshot'): string =>
  `partner_case.${what}:${tenantId}:${caseRef}`

/** Only PROCEED permits going on (D3 §4.1). Gives why not, in words for the log; null when it does. */
export const stopsBecause = ({ decision, match_status, reason_code }: DedupeReply): string | null =>
  decision === 'PROCEED' ? null : `${decision} after ${match_status}: ${reason_code}`
