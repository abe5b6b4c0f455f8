// A step of a loan: the forms and pages of a loan, the requests that name them, and what those do (FIS12 §8.1, §9.1).
import type { FormStatus } from '#contract/network/forms.ts'
import type { Callback, Request } from '#contract/network/sequence.ts'
import type { Heading, PageKind } from '#contract/network/v203/page.ts'
import type { Move, Status } from './conversation.ts'
import type { Purpose } from './link.ts'
import type { LendingProduct, StepsOf } from './product.ts'

/** What 2.3.0 adds to the headings of 2.0.3, as far as a borrower fills it in here. */
export type StepHeading = Heading | 'LIEN_MARKING'

/**
 * A step: a form or page that the borrower completes, the request in which the buyer app then names it, and what that
 * request does. The next step's form travels in the callback. A step that comes in between is a row added here.
 */
export interface Step {
  heading: StepHeading
  formId: string
  mimeType: PageKind
  /** The headings of the stage it belongs to, as its form names them. */
  headings: readonly StepHeading[]
  /** How its page is named, when not after its step. */
  title?: string
  /** Where its page is, when that is not where pages of its heading are. */
  opens?: { path: string; purpose: Purpose }
  /** The move that completing the form makes, and how the network spells that success. */
  filled: Move
  success: 'SUCCESS' | 'APPROVED' | 'COMPLETED'
  /** The lender takes it over first, and how it ended is told later (FIS12 §19.3). */
  pendsFirst?: true
  request: Request
  callback: Callback
  /** The move that the request makes, and where it leads: a request repeated from there is answered again. */
  move: Move
  after: Status
}

type Of = StepsOf
type Stepped = Pick<LendingProduct, 'steps' | 'begins'>

export const stepOf = (product: Stepped, of: Of, heading: StepHeading): Step =>
  product.steps(of).find((step) => step.heading === heading)!

/** Of two steps with one form, `heading` says which was answered; it alone tells where a form is named that nobody knows. */
export function stepOfForm(product: Stepped, of: Of, formId: string, heading?: StepHeading): Step | undefined {
  const named = product.steps(of).filter((step) => step.formId === formId)
  const candidates = named.length > 0 ? named : product.steps(of).filter((step) => step.heading === heading)
  return candidates.find((step) => step.heading === heading) ?? candidates[0]
}

/** The step that follows, if there is one. */
export const stepAfter = (product: Stepped, of: Of, step: Step): Step | undefined =>
  product.steps(of)[product.steps(of).indexOf(step) + 1]

/** The status in which the form of a step waits to be filled. */
export const opensAt = (product: Stepped, of: Of, step: Step): Status =>
  product.steps(of)[product.steps(of).indexOf(step) - 1]?.after ?? product.begins

/** What the borrower decided on a page. */
export type Decision = 'approve' | 'decline'

/** What the buyer app is told: on_status has no word of its own for an offer that lapsed on the page (FIS12 §12.1, §12.3). */
export const toldAs = (outcome: FormStatus): FormStatus => (outcome === 'EXPIRED' ? 'REJECTED' : outcome)
