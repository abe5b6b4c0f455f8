// Page rules of a loan product: form fields and progress steps.
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import type { ScreenStep } from '../page/progress-steps.ts'
import type { Field } from '../profile/profile-fields.ts'

/** The part of a journey that determines its steps. */
export type JourneyShape = Pick<EmbedView, 'journeyType' | 'steps' | 'selected'>

export interface ProductForm {
  /** The purposes, in order of display. */
  uses: readonly string[]
  /** All fields of all parts, without the purpose. */
  fields(): Field[]
  /** Names the second part in text keys if it is not about work and home. */
  secondPart?: 'gold'
  /** The progress steps; null for the usual ones. */
  screenSteps(shape: JourneyShape): ScreenStep[] | null
}

/** How the lender's steps differ from the usual ones. */
export interface ProductDetour {
  /** Whether the borrower completes all steps on one page of the lender. */
  isOnOnePage(shape: JourneyShape): boolean
  /** Whether the lender continues outside the app, without a signature here. */
  isOffline(shape: Pick<JourneyShape, 'steps'>): boolean
}

export const never = (): boolean => false

/** Whether no agreement is signed in the app. */
export const isUnsigned = ({ steps }: Pick<JourneyShape, 'steps'>): boolean =>
  steps.loanAgreement.status === 'NOT_REQUIRED'

/**
 * Whether the borrower enters the account before identification, as a lending partner requires for its final offer
 * (D3 §2.3).
 */
export const isAccountEarly = ({ steps: { kyc, bankMandate } }: Pick<JourneyShape, 'steps'>): boolean =>
  kyc.status !== 'SUCCESS' && bankMandate.status !== 'PENDING' && bankMandate.status !== 'NOT_REQUIRED'
