// The steps of a gold loan: all but the application and the choice is done at a branch (FIS12 §9.1).
import type { StepsOf } from '#sandbox/lender/core/product.ts'
import type { Step } from '#sandbox/lender/core/step.ts'
import { applying, choosingAmount, customer, init } from '#sandbox/lender/v203/steps.ts'

const appraising = ['SET_LOAN_AMOUNT', 'JOURNEY_OFFLINE'] as const

const application: Step = { ...applying, formId: 'FORM-GOLD-PROFILE' }

/** At the branch the gold is appraised, the borrower identified and the agreement signed, so one page is enough. */
const gold: readonly Step[] = [
  application,
  { ...choosingAmount, formId: 'FORM-GOLD-AMOUNT', headings: appraising },
  {
    heading: 'JOURNEY_OFFLINE',
    formId: 'FORM-BRANCH',
    mimeType: 'application/html',
    headings: appraising,
    filled: 'visit',
    success: 'COMPLETED',
    ...init,
    move: 'sanction',
    after: 'SANCTIONED',
  },
]

/** The form has the id of the first one (FIS12 §19.2). */
const goldTwoOffers: readonly Step[] = gold.map((step) =>
  step.heading === 'SET_LOAN_AMOUNT' ? { ...step, ...customer, formId: application.formId } : step,
)

export const steps = ({ scenario }: StepsOf): readonly Step[] => (scenario === 'two-offers' ? goldTwoOffers : gold)
