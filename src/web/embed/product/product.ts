// A loan product's page rules besides its contract: form fields, and screens up to the payout.
import type { EmbedView } from '#contract/hosted/embed.ts'
import type { ScreenStep } from '../page/usual-steps.ts'
import type { Field } from '../profile/profile.ts'

/** The part of a journey that determines its steps. */
export type JourneyShape = Pick<EmbedView, 'journeyType' | 'steps' | 'selected'>

export interface ProductForm {
  /** The purposes, in order of display. */
  uses: readonly string[]
  /** All fields of all parts, without the purpose. */
  fields(): Field[]
  /** The name of the second part in the keys of texts, where that part is about something else than work and home. */
  secondPart?: 'gold'
  /** The whole way, where it is not the usual one. */
  screenSteps(shape: JourneyShape): ScreenStep[] | null
}

/** Where the lender's way differs from the usual one. */
export interface ProductDetour {
  /** Whether everything happens on one page of the lender. */
  isOnOnePage(shape: JourneyShape): boolean
  /** Whether the lender continues outside the app, without a signature here. */
  isOffline(shape: Pick<JourneyShape, 'steps'>): boolean
}

export const never = (): boolean => false

/** No agreement is signed in the app. */
export const isUnsigned = ({ steps }: Pick<JourneyShape, 'steps'>): boolean =>
  steps.loanAgreement.status === 'NOT_REQUIRED'

/**
 * Whether the account is given before the lender identifies the borrower, as a lending partner requires for its final
 * offer (D3 §2.3).
 */
export const isAccountEarly = ({ steps: { kyc, bankMandate } }: Pick<JourneyShape, 'steps'>): boolean =>
  kyc.status !== 'SUCCESS' && bankMandate.status !== 'PENDING' && bankMandate.status !== 'NOT_REQUIRED'
