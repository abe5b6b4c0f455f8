// Requests the exit from a loan in its cooling-off period, and reports the exit once it is paid.

import type { Write } from '@lendloom/postgres/write'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { acceptExitRequest, type ExitRequest } from '#partner/servicing/loan/accept-exit-request.ts'
import type { LoanStatus } from '#partner/servicing/loan/loan.ts'
import { enqueueCancellation } from './cancel-mandate.ts'
import { postHeldPayments } from './held-payment.ts'
import { type ReportContext, reportLoan } from './report-to-platform.ts'

/** Records an exit request of a locked case, then posts held payments. Throws the errors of `acceptExitRequest`. */
export async function requestExit(ctx: ReportContext & Write, loanCase: Case, request: ExitRequest): Promise<void> {
  const { tx, at } = ctx
  const { hasExited, loanStatus } = await acceptExitRequest(tx, loanCase.caseRef, request, at)
  if (hasExited) await reportExit(ctx, loanCase, loanStatus)
  await postHeldPayments(ctx, loanCase)
}

/** Reports a cooling-off exit to the platform, and queues the cancellation of the mandate. */
export async function reportExit(ctx: ReportContext & Write, loanCase: Case, loanStatus: LoanStatus): Promise<void> {
  await reportLoan(ctx, loanCase, { loanStatus, reasonCode: 'COOLING_OFF_EXIT' })
  await enqueueCancellation(ctx.tx, loanCase, ctx.at)
}
