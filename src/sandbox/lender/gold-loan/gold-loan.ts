// A loan on gold: brought to a branch, appraised and paid out there (FIS12 §9.1).

import { longDayText } from '#kit/money/calendar.ts'
import { inr } from '#kit/money/money.ts'
import { type Conversation, type Pledge, pledgeOf, requirePledge } from '#sandbox/lender/core/conversation.ts'
import type { Loan } from '#sandbox/lender/core/decide.ts'
import { ltvText } from '#sandbox/lender/core/order.ts'
import type { StepContext } from '#sandbox/lender/core/product.ts'
import { type Security, upfront } from '#sandbox/lender/core/security.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { answeredIn203 } from '#sandbox/lender/v203/answered.ts'
import { applying, choosingAmount, customer, init, type ProductIn203 } from '#sandbox/lender/v203/product.ts'
import { branchesFor, branchOf } from './branches.ts'
import { type GoldBranch, goldLendingOf } from './lending.ts'
import { goldPart, overview } from './pages.ts'
import { profileForm } from './profile.ts'
import { decideOnGold, gramsText, pricePerGram, publishedOn, worthOf } from './valuation.ts'

const appraising = ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE'] as const

const application: LenderStep = { ...applying, formId: 'FORM-GOLD-PROFILE' }

/** At the branch the gold is appraised, the borrower identified and the agreement signed, so one page is enough. */
const gold: readonly LenderStep[] = [
  application,
  { ...choosingAmount, formId: 'FORM-GOLD-AMOUNT', headings: appraising },
  {
    heading: 'JOURNEY_OFFLINE',
    formId: 'FORM-BRANCH',
    mimeType: 'application/html',
    headings: appraising,
    completionMove: 'visit',
    success: 'COMPLETED',
    ...init,
    move: 'sanction',
    statusAfter: 'SANCTIONED',
  },
]

/** The form has the id of the first one (FIS12 §19.2). */
const goldTwoOffers: readonly LenderStep[] = gold.map((step) =>
  step.heading === 'SET_LOAN_AMOUNT' ? { ...step, ...customer, formId: application.formId } : step,
)

/** The steps of a gold loan: all but the application and the choice is done at a branch (FIS12 §9.1). */
const steps = ({ scenario }: StepContext): readonly LenderStep[] => (scenario === 'two-offers' ? goldTwoOffers : gold)

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

/** With the branch once it was chosen for good. */
const goldSecurity = (conversation: Conversation, stage: 'offer' | 'final'): Security => {
  const pledge = requirePledge(conversation)
  const branch = stage === 'final' ? branchOf(conversation) : null
  return {
    kind: 'gold loan, secured by ornaments',
    paidOut: `${upfront} gold was appraised and the agreement signed at the branch`,
    title: 'The gold that you pledge',
    rows: (loan) => rowsOf(pledge, branch, loan),
  }
}

const rowsOf = (pledge: Pledge, branch: GoldBranch | null, loan: Loan): [label: string, value: string][] => [
  ['Net weight, without stones', `${gramsText(pledge.milligrams)} grams`],
  ['Purity', pledge.purity.toUpperCase()],
  [
    'Rate per gram',
    `${inr(pricePerGram(pledge.purity))}, as the bullion association published on ${longDayText(publishedOn)}`,
  ],
  ['Value', inr(worthOf(pledge))],
  ['Loan to value', ltvText(loan.principal, worthOf(pledge))],
  ['Branch', branch ? `${branch.name}, ${branch.address} ${branch.pincode}` : 'One of our branches, as you choose'],
  [
    'Return of the gold',
    'On the day on which the loan is repaid, or within 7 working days; later, ₹5,000 for each day of delay',
  ],
]
