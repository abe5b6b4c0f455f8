// The gold loan: the branch appraises the gold and the lender disburses after the visit (FIS12 §9.1).

import { longDayText } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import { type Conversation, type Pledge, pledgeOf, requirePledge } from '#sandbox/lender/core/conversation.ts'
import type { Loan } from '#sandbox/lender/core/lending-decision.ts'
import { paidUpfrontAfter, type Security } from '#sandbox/lender/core/loan-security.ts'
import { ltvText } from '#sandbox/lender/core/message-parts.ts'
import type { StepContext } from '#sandbox/lender/core/product.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { answersIn203 } from '#sandbox/lender/v203/common-answers.ts'
import {
  applicationStep,
  byInit,
  choiceStep,
  customerPageLink,
  type ProductIn203,
} from '#sandbox/lender/v203/product.ts'
import { branchesFor, branchOf } from './branches.ts'
import { type GoldBranch, goldLendingOf } from './lenders.ts'
import { profileForm } from './profile-form.ts'
import { goldSection, overview } from './public-pages.ts'
import { decideOnGold, goldValue, gramsText, pricePerGram, publishedOn } from './valuation.ts'

const appraisalHeadings = ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE'] as const

const application: LenderStep = { ...applicationStep, formId: 'FORM-GOLD-PROFILE' }

/** The branch appraises the gold, identifies the borrower and has the agreement signed, so there is a single page. */
const goldSteps: readonly LenderStep[] = [
  application,
  { ...choiceStep, formId: 'FORM-GOLD-AMOUNT', headings: appraisalHeadings },
  {
    heading: 'JOURNEY_OFFLINE',
    formId: 'FORM-BRANCH',
    mimeType: 'application/html',
    headings: appraisalHeadings,
    completionMove: 'visit',
    success: 'COMPLETED',
    ...byInit,
    move: 'sanction',
    statusAfter: 'SANCTIONED',
  },
]

/** The customer form has the id of the application form (FIS12 §19.2). */
const twoOfferSteps: readonly LenderStep[] = goldSteps.map((step) =>
  step.heading === 'SET_LOAN_AMOUNT' ? { ...step, ...customerPageLink, formId: application.formId } : step,
)

/** The steps of a gold loan: application, choice, and the visit to a branch (FIS12 §9.1). */
const steps = ({ scenario }: StepContext): readonly LenderStep[] =>
  scenario === 'two-offers' ? twoOfferSteps : goldSteps

export const goldLoan: ProductIn203 = {
  ...answersIn203('GOLD_LOAN', 'GL'),
  id: 'GOLD_LOAN',
  itemName: 'Gold loan',
  steps,
  lending: goldLendingOf,
  decide: (policy, conversation, applicant, today) =>
    decideOnGold(policy, applicant, requirePledge(conversation), today),
  branches: (lender) => goldLendingOf(lender)?.branches ?? null,
  branchesFor,
  ltvRatio(conversation, { principal }) {
    const pledge = pledgeOf(conversation)
    return pledge && ltvText(principal, goldValue(pledge))
  },
  disbursesOnConfirm: true,
  isOffline: () => false,
  stops: null,
  profileForm,
  // The visit has its own page.
  pages: {},
  security: (_policy, conversation, stage) => goldSecurity(conversation, stage),
  agreementNeedsAccount: false,
  publicPageSection: goldSection,
  overview,
}

/** The security in the key facts statement; only the final statement names the branch. */
const goldSecurity = (conversation: Conversation, stage: 'offer' | 'final'): Security => {
  const pledge = requirePledge(conversation)
  const branch = stage === 'final' ? branchOf(conversation) : null
  return {
    kind: 'gold loan, secured by ornaments',
    disbursalSchedule: paidUpfrontAfter('the gold is appraised and the agreement signed at the branch'),
    title: 'The gold that you pledge',
    rows: (loan) => securityRows(pledge, branch, loan),
  }
}

const securityRows = (pledge: Pledge, branch: GoldBranch | null, loan: Loan): [label: string, value: string][] => [
  ['Net weight, without stones', `${gramsText(pledge.milligrams)} grams`],
  ['Purity', pledge.purity.toUpperCase()],
  [
    'Rate per gram',
    `${inr(pricePerGram(pledge.purity))}, as the bullion association published on ${longDayText(publishedOn)}`,
  ],
  ['Value', inr(goldValue(pledge))],
  ['Loan to value', ltvText(loan.principal, goldValue(pledge))],
  ['Branch', branch ? `${branch.name}, ${branch.address} ${branch.pincode}` : 'One of our branches, as you choose'],
  [
    'Return of the gold',
    'On the day of full repayment, or within 7 working days; ₹5,000 for each further day of delay',
  ],
]
