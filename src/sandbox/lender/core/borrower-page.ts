// A page that a borrower completes with the lender: what it shows, and what it takes (FIS12 §7.7).
import type { UnitShare } from '#contract/hosted/portfolio.ts'
import type { Html } from '#kit/http/markup.ts'
import type { BorrowerAccount, Conversation } from './conversation.ts'
import type { Loan, LoanApplicant } from './decide.ts'
import type { LenderPolicy } from './policy.ts'
import type { StepHeading } from './step.ts'

/** Of a loan against mutual funds, by stage: the units that are asked for, and those that were chosen. */
export type PledgedUnits = Record<'offer' | 'final', UnitShare[] | null>

export interface View {
  policy: LenderPolicy
  conversation: Conversation
  applicant: LoanApplicant
  account: BorrowerAccount | null
  loan: Loan
  /** Whether it is a credit line. */
  isLine: boolean
  /** Units of mutual funds; of any other loan none. */
  pledged: UnitShare[]
  /** How often the page was tried before. */
  attempt: number
  keyFactsUrl: string
  agreementUrl: string
}

export interface BorrowerPage {
  heading: StepHeading
  title: string
  body(view: View): Html
  /** Fields beside the two buttons. */
  fields?: Html
  approve: string
  decline: string
  /** Shown after success, and when it must be repeated. */
  done: string
  again: string
  /** What is wrong with the posted fields; null when nothing is. */
  fault?(posted: Record<string, string>): string | null
}
