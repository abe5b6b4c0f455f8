// A loan on gold: brought to a branch, appraised and paid out there (FIS12 §9.1).
import { pledgeOf, requirePledge } from '#sandbox/lender/core/conversation.ts'
import { ltvText } from '#sandbox/lender/core/order.ts'
import { answeredIn203 } from '#sandbox/lender/v203/answered.ts'
import type { ProductIn203 } from '#sandbox/lender/v203/product.ts'
import { branchesFor } from './branches.ts'
import { decideOnGold } from './decide.ts'
import { goldLendingOf } from './lending.ts'
import { goldPart, overview } from './pages.ts'
import { profileForm } from './profile-form.ts'
import { goldSecurity } from './security.ts'
import { steps } from './steps.ts'
import { worthOf } from './valuation.ts'

export const goldLoan: ProductIn203 = {
  ...answeredIn203('GOLD_LOAN', 'GL'),
  id: 'GOLD_LOAN',
  itemName: 'Gold loan',
  steps,
  lending: goldLendingOf,
  decide: (policy, conversation, applicant, on) => decideOnGold(policy, applicant, requirePledge(conversation), on),
  branches: (lender) => goldLendingOf(lender)?.branches ?? null,
  branchesFor,
  ltvRatio(conversation, { principal }) {
    const pledge = pledgeOf(conversation)
    return pledge && ltvText(principal, worthOf(pledge))
  },
  paysOutOnConfirm: true,
  isOffline: () => false,
  profileForm,
  // All but the visit is settled at the branch.
  pages: {},
  security: (_policy, conversation, stage) => goldSecurity(conversation, stage),
  needsAccount: false,
  publicPart: goldPart,
  overview,
}
