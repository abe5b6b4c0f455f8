// Waives, rounds off or writes off what a borrower owes, and reports the loan to the platform.

import { businessDate } from '@lendloom/lending/calendar'
import { uuidv7 } from '@lendloom/seal/id'
import type { TxContext } from '#partner/context.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { type DuesTolerance, duesTolerance } from '#partner/servicing/loan/class/classify.ts'
import { roundOff } from '#partner/servicing/loan/round-off.ts'
import { type Waivable, waiveDues } from '#partner/servicing/loan/waiver.ts'
import { writeOff } from '#partner/servicing/loan/write-off.ts'
import { enqueueCancellation } from './cancel-mandate.ts'
import { type ReportContext, reportLoan } from './report-to-platform.ts'

type WaiverContext = Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>

/** Waives dues of a locked case. This can complete a cooling-off exit. Throws the errors of `waiveDues`. */
export async function waiveAmounts(ctx: WaiverContext, loanCase: Case, amounts: Waivable): Promise<void> {
  const { tx, at } = ctx
  const waiver = { ...amounts, caseRef: loanCase.caseRef, waiverId: uuidv7(at.getTime()), on: businessDate(at) }
  const { loanStatus, hasExited: hasCompletedExit } = await waiveDues(tx, waiver, at)
  await reportLoan(ctx, loanCase, { loanStatus, reasonCode: hasCompletedExit ? 'COOLING_OFF_EXIT' : 'WAIVED' })
  if (hasCompletedExit) await enqueueCancellation(tx, loanCase, at)
}

type RoundOffContext = Pick<TxContext, 'tx' | 'at' | 'seal'> & ReportContext & { config: DuesTolerance }

/** Rounds off the rest of the loan of a locked case. Throws the errors of `roundOff`. */
export async function roundOffLoan(ctx: RoundOffContext, loanCase: Case): Promise<void> {
  const { tx, at, config } = ctx
  const { caseRef } = loanCase
  const loanStatus = await roundOff(tx, { caseRef, on: businessDate(at), tolerance: duesTolerance(config) }, at)
  await reportLoan(ctx, loanCase, { loanStatus, reasonCode: 'ROUNDED_OFF' })
}

/**
 * Writes off the loan of a locked case. Reports nothing to the platform, because the borrower still owes the same.
 * Throws the errors of `writeOff`.
 */
export async function writeOffLoan({ tx, at }: Pick<WaiverContext, 'tx' | 'at'>, { caseRef }: Case): Promise<void> {
  await writeOff(tx, caseRef, businessDate(at), at)
}
