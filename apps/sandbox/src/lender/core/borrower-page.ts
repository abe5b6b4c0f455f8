// The type of a page that a borrower completes with the lender (FIS12 §7.7).

import type { Html } from '@lendloom/http/markup'
import type { UnitShare } from '@lendloom/wire/hosted/portfolio'
import type { BorrowerAccount, Conversation } from './conversation.ts'
import type { LenderPolicy } from './lender-policies.ts'
import type { Loan, LoanApplicant } from './lending-decision.ts'
import type { StepHeading } from './step.ts'

/** Units of a loan against mutual funds, by stage: the units of the offer, and the borrower's choice. */
export type PledgedUnits = Record<'offer' | 'final', UnitShare[] | null>

export interface BorrowerPageView {
  policy: LenderPolicy
  conversation: Conversation
  applicant: LoanApplicant
  account: BorrowerAccount | null
  loan: Loan
  /** Whether the loan is a credit line. */
  isLine: boolean
  /** Pledged units of mutual funds; empty for other loans. */
  pledged: UnitShare[]
  /** Number of earlier attempts. */
  attempt: number
  keyFactsUrl: string
  agreementUrl: string
}

export interface BorrowerPage {
  heading: StepHeading
  title: string
  body(view: BorrowerPageView): Html
  /** Fields above the two buttons. */
  fields?(view: BorrowerPageView): Html
  /** Set when the borrower gives the account for the payout and the debits on this page. */
  asksAccount?: true
  approve: string
  decline: string
  done: string
  /** Shown when the borrower must retry. */
  again: string
  /** The fault of the posted fields; null without one. */
  fault?(posted: Record<string, string>): string | null
}
