// What people of the lender give up, told to the platform where the borrower's account changes by it (D3 §6 rule 5).

import { uuidv7 } from '#kit/crypto/id.ts'
import { businessDate } from '#kit/money/calendar.ts'
import type { Case } from '#partner/case/case.ts'
import type { TxContext } from '#partner/context.ts'
import { type Waivable, waiveDue } from '#partner/loan/waiver.ts'
import { writeOff } from '#partner/loan/write-off-loan.ts'
import { enqueueCancellation } from './cancel-mandate.ts'
import { reportLoan } from './send-payment-event.ts'

type GivingUp = Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>

/** Waives amounts that are due, under the lock of the case. Refused as `waiveDue`. */
export async function giveUp(ctx: GivingUp, loanCase: Case, amounts: Waivable): Promise<void> {
  const { tx, at } = ctx
  const waiver = { ...amounts, caseRef: loanCase.caseRef, waiverId: uuidv7(at.getTime()), on: businessDate(at) }
  const { loanStatus, hasLeft } = await waiveDue(tx, waiver, at)
  await reportLoan(ctx, loanCase, { loanStatus, reasonCode: hasLeft ? 'COOLING_OFF_EXIT' : 'WAIVED' })
  if (hasLeft) await enqueueCancellation(tx, loanCase, at)
}

/** Writes the loan off, under the lock of the case: nothing that the platform is told of changes. Refused as `writeOff`. */
export async function takeLoss({ tx, at }: Pick<GivingUp, 'tx' | 'at'>, { caseRef }: Case): Promise<void> {
  await writeOff(tx, caseRef, businessDate(at), at)
}
