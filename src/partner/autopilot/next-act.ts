// What the rules do next with a case, read off where it stands; null when it waits for somebody else.
import type { Case } from '#partner/case/case.ts'
import type { Checks } from '#partner/case/check.ts'
import { type CaseStatus, isBeingChecked } from '#partner/case/lifecycle.ts'
import type { FaultScenario } from '#partner/case/sandbox-rules.ts'
import type { BankReview } from '#partner/review/bank/judge.ts'

export type Act =
  /** `because` of a rule for bank data; null for the policy. */
  | { kind: 'reject'; because: string | null }
  | { kind: 'approve'; shareOfTen: bigint; validSeconds: number | null }
  | { kind: 'review-kyc'; decision: 'APPROVED' | 'REJECTED' }
  | { kind: 'disburse' }

export interface CaseProgress {
  status: CaseStatus
  /** Since when it stands there. */
  updatedAt: Case['updatedAt']
  checks: Checks
  /** A transfer of this loan failed before: people look at it. */
  hasFailedTransfer: boolean
  scenario: FaultScenario | null
  /** What the bank data come to; null for a case that came before they were looked at. */
  bank: Pick<BankReview, 'decision' | 'reasonCode'> | null
}

const shortSeconds = 20
const slowSeconds = 30

/** `waitSeconds` says that there is something to do, and that it is not its time yet. */
export function nextAct(report: CaseProgress, at: Date): Act | { waitSeconds: number } | null {
  const { status, checks, scenario, bank } = report
  if (status === 'UNDER_REVIEW') {
    const left = slowSeconds - (at.getTime() - report.updatedAt.getTime()) / 1000
    if (scenario === 'slow-review' && left > 0) return { waitSeconds: Math.ceil(left) }
    if (scenario === 'review-rejected') return { kind: 'reject', because: null }
    if (bank?.decision === 'DECLINE') return { kind: 'reject', because: bank.reasonCode }
    if (bank?.decision === 'REVIEW') return null
    const validSeconds = scenario === 'short-offer' ? shortSeconds : null
    return { kind: 'approve', shareOfTen: scenario === 'lower-offer' ? 8n : 10n, validSeconds }
  }
  if (status === 'READY_TO_DISBURSE') return report.hasFailedTransfer ? null : { kind: 'disburse' }
  if (isBeingChecked(status) && awaitsReview(checks))
    return { kind: 'review-kyc', decision: scenario === 'kyc-review-rejected' ? 'REJECTED' : 'APPROVED' }
  return null
}

const awaitsReview = ({ kyc, lenderKycReview }: Checks): boolean =>
  lenderKycReview.status === 'NOT_STARTED' && (kyc.status === 'REVIEW_READY' || kyc.status === 'APPROVED')
