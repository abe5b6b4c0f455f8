// The step of the progress bar that a view belongs to. Pure.

import { contractOf } from '@lendloom/lending/product/products'
import type { EmbedView, Screen } from '@lendloom/wire/hosted/embed-view'
import { isAccountEarly, type JourneyShape } from '../product/product.ts'
import { productDetours } from '../product/product-detours.ts'
import { productForms } from '../product/product-forms.ts'
import type { ScreenStep } from './progress-steps.ts'

/** Whether the borrower completes all steps on one page of the lender. */
export const isOnOnePage = (view: JourneyShape): boolean => productDetours[view.journeyType].isOnOnePage(view)

/** Whether the lender continues outside the app, including the signature. */
export const isOffline = (view: Omit<JourneyShape, 'selected'>): boolean =>
  productDetours[view.journeyType].isOffline(view)

/** The progress steps of a loan; null for the usual ones. */
export const screenStepsOf = (view: JourneyShape): ScreenStep[] | null =>
  productForms[view.journeyType].screenSteps(view)

const screenStepOfScreen: Partial<Record<Screen, ScreenStep>> = {
  PROFILE: 'details',
  SEARCHING: 'offers',
  OFFERS: 'offers',
  FINALISING: 'offers',
  FINAL_OFFER: 'offers',
  KYC: 'kyc',
  VISIT: 'visit',
  BANK: 'bank',
  STATEMENT: 'bank',
  LIEN: 'pledge',
  E_MANDATE: 'mandate',
  LOAN_AGREEMENT: 'sign',
  DISBURSAL: 'money',
}
const screenSteps = [
  ['kyc', 'kyc'],
  ['bankMandate', 'bank'],
  ['eMandate', 'mandate'],
  ['loanAgreement', 'sign'],
] as const

export const isDone = (status: string): boolean => status === 'SUCCESS' || status === 'NOT_REQUIRED'

/** The step of a view; null once the journey has ended, with or without a loan. */
export function screenStepOf(view: JourneyShape & Pick<EmbedView, 'screen'>): ScreenStep | null {
  const { screen } = view
  const areTermsDue = screen === 'FINALISING' || screen === 'FINAL_OFFER'
  const screenStep =
    screen === 'LENDER_WORKING'
      ? stepWhileLenderWorks(view)
      : areTermsDue && isAccountEarly(view) && view.steps.bankMandate.status !== 'READY'
        ? 'bank'
        : (screenStepOfScreen[screen] ?? null)
  const steps = screenStepsOf(view)
  return screenStep === null || !steps || steps.includes(screenStep) ? screenStep : (steps.at(-2) ?? screenStep)
}

function stepWhileLenderWorks({ steps, journeyType }: JourneyShape): ScreenStep {
  const { isAccountFirst, pledgesFunds } = contractOf(journeyType)
  if (isAccountFirst && !isDone(steps.bankMandate.status)) return 'bank'
  const unfinished = screenSteps.find(([step]) => !isDone(steps[step].status))
  // The mandate is pending until the units are pledged.
  if (pledgesFunds && unfinished?.[0] === 'eMandate' && steps.eMandate.status === 'PENDING') return 'pledge'
  return unfinished?.[1] ?? 'money'
}

type FurthestStep = (
  view: JourneyShape & Pick<EmbedView, 'screen' | 'journeyId'>,
  steps: readonly ScreenStep[],
) => ScreenStep | null

/**
 * Returns the furthest step that a journey has reached. A lender that repeats a request or changes its terms leads back
 * to an earlier screen, but not to an earlier step.
 */
export function furthestStep(): FurthestStep {
  const reached = new Map<string, number>()
  return (view, steps) => {
    const current = screenStepOf(view)
    if (current === null) return null
    const index = Math.max(steps.indexOf(current), Math.min(reached.get(view.journeyId) ?? 0, steps.length - 1))
    reached.set(view.journeyId, index)
    return steps[index] ?? current
  }
}
