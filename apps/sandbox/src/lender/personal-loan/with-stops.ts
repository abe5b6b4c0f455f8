// The personal loan of a lender with stops: after the offer one page with everything, and the payout (FIS12 §26.2).

import type { StepContext } from '#sandbox/lender/core/product.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { answersWithStops } from '#sandbox/lender/v203/common-answers.ts'
import { applicationStep, type ProductIn203, payoutPage } from '#sandbox/lender/v203/product.ts'
import { offlinePages } from './offline-pages.ts'
import { onePage } from './one-page.ts'
import { personalLoan } from './personal-loan.ts'

/** Its answer brings the offer together with the page. */
const application: LenderStep = { ...applicationStep, move: 'quote', statusAfter: 'QUOTED' }

const page = { ...payoutPage, completionMove: 'sign' } as const

const onlineSteps: readonly LenderStep[] = [
  application,
  {
    ...page,
    heading: 'SINGLE_REDIRECTION',
    formId: 'FORM-ONE-PAGE',
    headings: ['SINGLE_REDIRECTION'],
    reportedMoves: ['identify'],
  },
]

const offlineSteps: readonly LenderStep[] = [
  application,
  {
    ...page,
    heading: 'JOURNEY_OFFLINE',
    formId: 'FORM-OFFLINE',
    headings: ['JOURNEY_OFFLINE'],
    pageLink: { path: 'pages/offline', purpose: 'offline' },
    startsPending: true,
  },
]

const steps = (context: StepContext): readonly LenderStep[] => (isOffline(context) ? offlineSteps : onlineSteps)

const isOffline = ({ scenario }: Pick<StepContext, 'scenario'>): boolean => scenario === 'offline'

export const personalLoanWithStops: ProductIn203 = {
  ...personalLoan,
  ...answersWithStops('PERSONAL_LOAN', 'PL'),
  steps,
  isOffline: () => false,
  stops: {
    ways: ['ONLINE', 'SEMI_ONLINE'],
    wayOf: (conversation) => (isOffline(conversation) ? 'SEMI_ONLINE' : 'ONLINE'),
    checksBorrower: true,
    confirmedBy: null,
  },
  pages: { journey: onePage, offline: offlinePages.offline },
  // The agreement can be read before the account is given.
  agreementNeedsAccount: false,
}
