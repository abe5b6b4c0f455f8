// A step of a loan: the form or page that the borrower completes, and the request that follows it (FIS12 §8.1, §9.1).
import type { Callback, Request } from '@lendloom/wire/network/sequence'
import type { Heading } from '@lendloom/wire/network/v203/variant'
import type { PageKind } from '@lendloom/wire/network/v203/xinput'
import type { LoanMove, LoanStatus } from './conversation.ts'
import type { LinkPurpose } from './link-token.ts'

/** The headings of 2.0.3, and the one that the sandbox uses from 2.3.0. */
export type StepHeading = Heading | 'LIEN_MARKING'

/**
 * A form or page that the borrower completes, the request in which the buyer app then names its submission, and the
 * effect of that request. The callback carries the form of the next step.
 */
export interface LenderStep {
  heading: StepHeading
  formId: string
  mimeType: PageKind
  headings: readonly StepHeading[]
  /** The title of its page, if it differs from the default. */
  title?: string
  /** The path and link purpose of its page, if they differ from those of its heading. */
  pageLink?: { path: string; purpose: LinkPurpose }
  completionMove: LoanMove
  /** The network's word for its success. */
  success: 'SUCCESS' | 'APPROVED' | 'COMPLETED'
  /** Set when the lender first reports PENDING and the result later (FIS12 §19.3). */
  startsPending?: true
  /**
   * Set when the lender pays out while the borrower is on the page, before the loan is confirmed; the page then tells the
   * buyer app that it is done (FIS12 §26.2).
   */
  endsWithPayout?: true
  /** Set when the page tells the buyer app that it is done although nothing is paid out on it (FIS12 §27.2). */
  tellsApp?: true
  /** Moves on the page before its completion, each of which the lender reports. */
  reportedMoves?: readonly LoanMove[]
  /** Set when the page opens only after the choice of a branch (FIS12 §26.4). */
  needsBranch?: true
  request: Request
  callback: Callback
  move: LoanMove
  /** The status after `move`. A request repeated in this status gets the same answer. */
  statusAfter: LoanStatus
}
