// Decides the autopilot's next act on a case from its progress; in the sandbox also from the fault scenario of its PAN.

import type { Checks } from '#partner/origination/case/checks.ts'
import { type Case, type CaseStatus, isBeingChecked } from '#partner/origination/case/lifecycle.ts'
import type { FaultScenario } from '#partner/origination/case/sandbox-rules.ts'
import type { BankReview } from '#partner/origination/review/bank/review-bank-data.ts'

export type AutopilotAct =
  /** `reasonCode`: the bank data rule that failed; null for the credit policy. */
  | { kind: 'reject'; reasonCode: string | null }
  /** `tenths`: the offered share of the recommended amount. `validSeconds`: null for the usual validity. */
  | { kind: 'approve'; tenths: bigint; validSeconds: number | null }
  | { kind: 'review-kyc'; decision: 'APPROVED' | 'REJECTED' }
  | { kind: 'disburse' }

export interface CaseProgress {
  status: CaseStatus
  /** When the case entered its status. */
  updatedAt: Case['updatedAt']
  checks: Checks
  /** A transfer of this loan failed, so an officer decides. */
  hasFailedTransfer: boolean
  scenario: FaultScenario | null
  bank: Pick<BankReview, 'decision' | 'reasonCode'>
}

/** How long the offer of the scenario `short-offer` is valid, so that it expires while one watches. */
const shortOfferSeconds = 20

/** How long the review of the scenario `slow-review` takes. */
const slowReviewSeconds = 30

/** Returns the next act, or `waitSeconds` until the next act is due. Null: the case needs no act of the autopilot. */
export function nextAct(progress: CaseProgress, at: Date): AutopilotAct | { waitSeconds: number } | null {
  const { status, checks, scenario, bank } = progress
  if (status === 'UNDER_REVIEW') {
    const secondsLeft = slowReviewSeconds - (at.getTime() - progress.updatedAt.getTime()) / 1000
    if (scenario === 'slow-review' && secondsLeft > 0) return { waitSeconds: Math.ceil(secondsLeft) }
    if (scenario === 'review-rejected') return { kind: 'reject', reasonCode: null }
    if (bank.decision === 'DECLINE') return { kind: 'reject', reasonCode: bank.reasonCode }
    if (bank.decision === 'REVIEW') return null
    const validSeconds = scenario === 'short-offer' ? shortOfferSeconds : null
    return { kind: 'approve', tenths: scenario === 'lower-offer' ? 8n : 10n, validSeconds }
  }
  if (status === 'READY_TO_DISBURSE') return progress.hasFailedTransfer ? null : { kind: 'disburse' }
  if (isBeingChecked(status) && awaitsReview(checks))
    return { kind: 'review-kyc', decision: scenario === 'kyc-review-rejected' ? 'REJECTED' : 'APPROVED' }
  return null
}

/** Whether the case waits for the borrower or a provider. */
export const awaitsOthers = (status: CaseStatus, checks: Checks): boolean =>
  status !== 'READY_TO_DISBURSE' && isBeingChecked(status) && !awaitsReview(checks)

/** Whether the KYC is complete, and waits for the lender's review. */
const awaitsReview = ({ kyc, lenderKycReview }: Checks): boolean =>
  lenderKycReview.status === 'NOT_STARTED' && (kyc.status === 'REVIEW_READY' || kyc.status === 'APPROVED')
