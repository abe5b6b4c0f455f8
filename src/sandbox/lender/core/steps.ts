// The position of a step in its loan, and the effect of completing it (FIS12 §8.1, §9.1).

import type { FormStatus } from '#contract/network/forms.ts'
import { required } from '#kit/runtime/record.ts'
import type { LoanStatus } from './conversation.ts'
import type { LendingProduct, StepsOf } from './product.ts'
import type { LenderStep, StepHeading } from './step.ts'

type ProductSteps = StepsOf
type SteppedProduct = Pick<LendingProduct, 'steps' | 'begins'>

export const stepOf = (product: SteppedProduct, of: ProductSteps, heading: StepHeading): LenderStep =>
  required(
    product.steps(of).find((step) => step.heading === heading),
    `step ${heading} of this loan`,
  )

/** `heading` decides between two steps with one form; it alone decides for an unknown form. */
export function stepOfForm(
  product: SteppedProduct,
  of: ProductSteps,
  formId: string,
  heading?: StepHeading,
): LenderStep | undefined {
  const named = product.steps(of).filter((step) => step.formId === formId)
  const candidates = named.length > 0 ? named : product.steps(of).filter((step) => step.heading === heading)
  return candidates.find((step) => step.heading === heading) ?? candidates[0]
}

/** The step that follows, if there is one. */
export const stepAfter = (product: SteppedProduct, of: ProductSteps, step: LenderStep): LenderStep | undefined =>
  product.steps(of)[product.steps(of).indexOf(step) + 1]

/** The status in which the form of a step waits to be filled. */
export const opensAt = (product: SteppedProduct, of: ProductSteps, step: LenderStep): LoanStatus =>
  product.steps(of)[product.steps(of).indexOf(step) - 1]?.after ?? product.begins

/** What the borrower decided on a page. */
export type PageDecision = 'approve' | 'decline'

/** The outcome for the buyer app: on_status has no term for an offer that lapsed on the page (FIS12 §12.1, §12.3). */
export const wireOutcome = (outcome: FormStatus): FormStatus => (outcome === 'EXPIRED' ? 'REJECTED' : outcome)
