// One step of a loan: the form or page that the borrower completes, and the request that then names it (FIS12 §8.1, §9.1).
import type { Callback, Request } from '#contract/network/sequence.ts'
import type { Heading, PageKind } from '#contract/network/v203/page.ts'
import type { LoanMove, LoanStatus } from './conversation.ts'
import type { Purpose } from './link.ts'

/** The headings that 2.3.0 adds to 2.0.3, as far as a borrower fills them in here. */
export type StepHeading = Heading | 'LIEN_MARKING'

/**
 * A step: a form or page that the borrower completes, the request in which the buyer app then names it, and what that
 * request does. The next step's form travels in the callback. A step that comes in between is a row added here.
 */
export interface LenderStep {
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
  filled: LoanMove
  success: 'SUCCESS' | 'APPROVED' | 'COMPLETED'
  /** The lender processes it first and reports the result later (FIS12 §19.3). */
  pendsFirst?: true
  request: Request
  callback: Callback
  /** The move that the request makes, and where it leads: a request repeated from there is answered again. */
  move: LoanMove
  after: LoanStatus
}
