// A person decides that the loans of a borrower are lost: the class that no end of a day gives.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { holdCases } from '#partner/case/store.ts'
import { isNonPerforming } from './asset-class.ts'
import { giveClasses, loansAgain, loansOfBorrower } from './store.ts'

export interface LossDecision {
  caseRef: string
  /** Whoever decided it. */
  decidedBy: string
  remark: string
  /** The business day from which it holds. */
  on: string
}

/**
 * All running loans of the borrower are lost from that day on, until all arrears are paid. Refused: `absent` no account ·
 * `wrong-state` the loan performs, or is lost already.
 */
export async function decideLoss(tx: Tx, { caseRef, decidedBy, remark, on }: LossDecision): Promise<void> {
  const caseRefs = await loansOfBorrower(tx, caseRef)
  await holdCases(tx, caseRefs)
  const loans = await loansAgain(tx, caseRefs, on)
  const loan = loans.find((each) => each.caseRef === caseRef)
  if (!loan) throw new Refusal('absent', 'this case has no loan account')
  if (!isNonPerforming(loan.assetClass)) throw new Refusal('wrong-state', 'this loan is not non-performing')
  if (loan.assetClass === 'LOSS') throw new Refusal('wrong-state', 'this loan was classified as a loss before')
  const classes = loans
    .filter(({ isRunning }) => isRunning)
    .map((each) => ({
      ...{ caseRef: each.caseRef, assetClass: 'LOSS' as const, npaOn: each.npaOn ?? on, daysPastDue: each.daysPastDue },
      ...{ reason: 'DECISION' as const, decidedBy, remark },
    }))
  await giveClasses(tx, classes, on)
}
