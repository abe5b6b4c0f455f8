// Finds a step in the steps of a loan: by its heading or form, or the one after another (FIS12 §8.1, §9.1).

import { required } from '@lendloom/foundation/required'
import type { FormStatus } from '@lendloom/wire/network/form-status'
import type { LoanStatus } from './conversation.ts'
import type { LendingProduct, StepContext } from './product.ts'
import type { LenderStep, StepHeading } from './step.ts'

type SteppedProduct = Pick<LendingProduct, 'steps' | 'initialStatus'>

/** Returns the step with a heading. */
export const stepOf = (product: SteppedProduct, context: StepContext, heading: StepHeading): LenderStep =>
  required(
    product.steps(context).find((step) => step.heading === heading),
    `step ${heading} of this loan`,
  )

/** The step of a form. `heading` selects among steps with the same form, and alone selects for an unknown form. */
export function stepOfForm(
  product: SteppedProduct,
  context: StepContext,
  formId: string,
  heading?: StepHeading,
): LenderStep | undefined {
  const byForm = product.steps(context).filter((step) => step.formId === formId)
  const candidates = byForm.length > 0 ? byForm : product.steps(context).filter((step) => step.heading === heading)
  return candidates.find((step) => step.heading === heading) ?? candidates[0]
}

/** Returns the next step; undefined after the last. */
export const stepAfter = (product: SteppedProduct, context: StepContext, step: LenderStep): LenderStep | undefined =>
  product.steps(context)[product.steps(context).indexOf(step) + 1]

/** The status of a loan while the form of this step is open. */
export const statusOfOpenForm = (product: SteppedProduct, context: StepContext, step: LenderStep): LoanStatus =>
  product.steps(context)[product.steps(context).indexOf(step) - 1]?.statusAfter ?? product.initialStatus

export type PageDecision = 'approve' | 'decline'

/** The outcome on the wire: on_status has no status for a lapsed offer (FIS12 §12.1, §12.3). */
export const wireOutcome = (outcome: FormStatus): FormStatus => (outcome === 'EXPIRED' ? 'REJECTED' : outcome)
