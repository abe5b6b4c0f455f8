// A fee that was given back more than once is taken back, and the platform is asked to read Status again (D3 §6 rule 5).

import { businessDate } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import { lockCase } from '#partner/case/store.ts'
import type { TxContext } from '#partner/context.ts'
import { takeBackDoubleFeeReturns } from '#partner/loan/double-fee-return.ts'
import { type ReportContext, reportLoan } from './send-payment-event.ts'

/** Gives what was taken back; nothing where the fee was given back once at most. */
export async function correctFeeReturn(
  ctx: ReportContext & Pick<TxContext, 'tx' | 'at'>,
  caseRef: string,
): Promise<Paise> {
  const { tx, at } = ctx
  const loanCase = await lockCase(tx, caseRef)
  const taken = await takeBackDoubleFeeReturns(tx, caseRef, businessDate(at), at)
  if (!taken) return 0n
  const { loanStatus, paise } = taken
  await reportLoan(ctx, loanCase, { loanStatus, reasonCode: 'FEE_RETURN_REVERSED' })
  return paise
}
