// The next automatic act on a case, derived from its state, and the check of cases that changed while people decided.

import { type Worker, work } from '#kit/messaging/queue.ts'
import { isAutopilotOn, remindCases, remindKind } from '#partner/case/autopilot-switch.ts'
import type { Checks } from '#partner/case/check.ts'
import { type Case, type CaseStatus, isBeingChecked } from '#partner/case/lifecycle.ts'
import { noteChange } from '#partner/case/move.ts'
import type { FaultScenario } from '#partner/case/sandbox-rules.ts'
import { casesIn } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import type { BankReview } from '#partner/review/bank/judge.ts'

export type AutopilotAct =
  /** `because` of a rule for bank data; null for the policy. */
  | { kind: 'reject'; because: string | null }
  | { kind: 'approve'; shareOfTen: bigint; validSeconds: number | null }
  | { kind: 'review-kyc'; decision: 'APPROVED' | 'REJECTED' }
  | { kind: 'disburse' }

export interface CaseProgress {
  status: CaseStatus
  /** Start of the current state. */
  updatedAt: Case['updatedAt']
  checks: Checks
  /** A transfer of this loan failed before: people look at it. */
  hasFailedTransfer: boolean
  scenario: FaultScenario | null
  /** The bank review; null for a case from before it existed. */
  bank: Pick<BankReview, 'decision' | 'reasonCode'> | null
}

const shortSeconds = 20
const slowSeconds = 30

/** `waitSeconds`: an act is due later. */
export function nextAct(report: CaseProgress, at: Date): AutopilotAct | { waitSeconds: number } | null {
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

const batch = 500

/** At the start of the program, because its setting may have changed. */
export async function beginReminding({ db, clock, config }: Context): Promise<void> {
  if (await isAutopilotOn(db, config)) await db.tx((tx) => remindCases(tx, clock()))
}

/** Cases that changed while people decided are checked when the rules are switched on. */
export const reminding = (ctx: Context): Worker =>
  work<Record<string, never>>({
    kind: remindKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: () => remindAll(ctx),
  })

async function remindAll({ db, clock }: Context): Promise<void> {
  for (let after = ''; ; ) {
    const waiting = await casesIn(db, ['UNDER_REVIEW', 'KYC_PENDING', 'READY_TO_DISBURSE'], after, batch)
    const at = clock()
    await db.tx((tx) => Promise.all(waiting.map(({ caseRef }) => noteChange(tx, caseRef, at))))
    const last = waiting.at(-1)
    if (!last || waiting.length < batch) return
    after = last.caseRef
  }
}
