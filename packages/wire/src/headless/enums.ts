// The enums of D2 §2.2: kinds and statuses of journeys, offers, steps and consents, and who acts next.

import { OneOf } from '@lendloom/foundation/schema'
import { type ProductsThat, productsThat } from '@lendloom/lending/product/products'

/** D2 §2.2 JourneyType. */
export const JourneyType = OneOf(productsThat('isHeadless'), {
  'x-says': `must be ${productsThat('isHeadless').join(' or ')}`,
})
export type JourneyType = ProductsThat<'isHeadless'>

/** D2 §2.2 JourneyLifecycleStatus. */
export const journeyStatuses = [
  'STARTED',
  'PROFILE_REQUIRED',
  'PROFILE_SUBMITTED',
  'OFFERS_PENDING',
  'OFFERS_AVAILABLE',
  'OFFER_SELECTED',
  'AA_REQUIRED',
  'KYC_PENDING',
  'BANK_MANDATE_PENDING',
  'E_MANDATE_PENDING',
  'LOAN_AGREEMENT_PENDING',
  'LENDER_PROCESSING',
  'DISBURSED',
  'REJECTED',
  'EXPIRED',
  'CLOSED',
] as const
export type JourneyStatus = (typeof journeyStatuses)[number]
export const JourneyStatus = OneOf([...journeyStatuses])

export const offerCardStatuses = ['OFFER_RECEIVED', 'OFFER_AWAITED', 'NO_OFFER_AVAILABLE'] as const

/** The status of a step, also on the hosted page. */
export const stepStatuses = ['PENDING', 'READY', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'NOT_REQUIRED'] as const
export type StepStatus = (typeof stepStatuses)[number]
export const StepStatus = OneOf([...stepStatuses])

const actionsRequired = ['NONE', 'REDIRECT', 'SUBMIT_FORM', 'AWAIT_CALLBACK', 'RECONCILE', 'WAIT'] as const
export type RequiredAction = (typeof actionsRequired)[number]
export const RequiredAction = OneOf([...actionsRequired])

export const aaSessionStates = [
  'REQUIRED',
  'REDIRECT_READY',
  'IN_PROGRESS',
  'USER_RETURNED',
  'APPROVAL_DISPATCHED',
  'RECONCILING',
  'CONFIRMED',
  'NOT_REQUIRED',
  'FAILED',
  'EXPIRED',
] as const
export type AaSessionState = (typeof aaSessionStates)[number]
export const AaSessionState = OneOf([...aaSessionStates])

/** The borrower's next action; null when another party must act, or the journey has ended. */
export const nextActions = ['FILL_PROFILE', 'WAIT_FOR_OFFERS', 'VIEW_OFFERS', 'COMPLETE_AA', 'COMPLETE_STEP'] as const
export type NextAction = (typeof nextActions)[number]

export const pendingOperations = ['PROFILE_SUBMISSION', 'SELECT_DISPATCH'] as const
export type PendingOperation = (typeof pendingOperations)[number]
