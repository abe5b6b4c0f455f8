// The borrower leaves within the cooling-off period: where nothing is left to pay, the platform and the bank hear of it at once (D3 §1).

import type { Write } from '#kit/db/write.ts'
import type { Case } from '#partner/case/case.ts'
import { askToLeave, type Leaving } from '#partner/loan/ask-to-leave.ts'
import type { LoanStatus } from '#partner/loan/lifecycle.ts'
import { enqueueCancellation } from './cancel-mandate.ts'
import { type ReportContext, reportLoan } from './send-payment-event.ts'

/** Under the lock of the case. Refused as `askToLeave`. */
export async function leave(ctx: ReportContext & Write, loanCase: Case, leaving: Leaving): Promise<void> {
  const { tx, at } = ctx
  const { hasLeft, loanStatus } = await askToLeave(tx, loanCase.caseRef, leaving, at)
  if (hasLeft) await reportLeft(ctx, loanCase, loanStatus)
}

/** The platform and the bank hear that the borrower has left. */
export async function reportLeft(ctx: ReportContext & Write, loanCase: Case, loanStatus: LoanStatus): Promise<void> {
  await reportLoan(ctx, loanCase, { loanStatus, reasonCode: 'COOLING_OFF_EXIT' })
  await enqueueCancellation(ctx.tx, loanCase, ctx.at)
}
