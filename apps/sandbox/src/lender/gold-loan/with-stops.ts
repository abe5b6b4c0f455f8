// The gold loan of a lender with stops: an offer with all branches, the visit to one of them, where the lender pays out,
// and one repayment at the end (FIS12 §26.4).

import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { answersWithStops } from '#sandbox/lender/v203/common-answers.ts'
import { applicationStep, type ProductIn203, payoutPage } from '#sandbox/lender/v203/product.ts'
import { goldLoan } from './gold-loan.ts'
import { goldLendingOf } from './lenders.ts'

const steps: readonly LenderStep[] = [
  { ...applicationStep, formId: 'FORM-GOLD-PROFILE' },
  {
    ...payoutPage,
    heading: 'JOURNEY_OFFLINE',
    formId: 'FORM-BRANCH',
    headings: ['JOURNEY_OFFLINE'],
    needsBranch: true,
    completionMove: 'visit',
  },
]

const answers = answersWithStops('GOLD_LOAN', 'GL')
// The network publishes no payments before the end, and the loan has no instalments.
const { update: _update, cancel: _cancel, ...handlers } = answers.handlers

export const goldLoanWithStops: ProductIn203 = {
  ...goldLoan,
  ...answers,
  handlers,
  steps: () => steps,
  lending(lender) {
    const lending = goldLendingOf(lender)
    return lending && { ...lending, repaysAtEnd: true }
  },
  disbursesOnConfirm: false,
  stops: {
    ways: ['SEMI_ONLINE'],
    wayOf: () => 'SEMI_ONLINE',
    checksBorrower: false,
    confirmedBy: 'SUCCESS',
  },
}
