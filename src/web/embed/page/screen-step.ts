// The place of a view on the way from the details to the money. Pure.
import type { EmbedView, Screen } from '#contract/hosted/embed.ts'
import { contractOf } from '#contract/product/products.ts'
import { productDetours } from '../product/detours.ts'
import { productForms } from '../product/forms.ts'
import { isAccountEarly, type JourneyShape } from '../product/product.ts'
import type { ScreenStep } from './usual-steps.ts'

/** Whether everything happens on one page of the lender. */
export const isOnOnePage = (view: JourneyShape): boolean => productDetours[view.journeyType].isOnOnePage(view)

/** Whether the lender continues outside the app: its page covers everything, including the signature. */
export const isOffline = (view: Omit<JourneyShape, 'selected'>): boolean =>
  productDetours[view.journeyType].isOffline(view)

/** The whole way of a loan, where it is not the usual one. */
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
  LINE_OPEN: 'money',
  DISBURSED: 'money',
  CLOSED: 'money',
}
const screenSteps = [
  ['kyc', 'kyc'],
  ['bankMandate', 'bank'],
  ['eMandate', 'mandate'],
  ['loanAgreement', 'sign'],
] as const

export const isDone = (status: string): boolean => status === 'SUCCESS' || status === 'NOT_REQUIRED'

/** The step of a view; null once the journey has ended without a loan. */
export function screenStepOf(view: JourneyShape & Pick<EmbedView, 'screen'>): ScreenStep | null {
  const { screen } = view
  const isTerms = screen === 'FINALISING' || screen === 'FINAL_OFFER'
  const screenStep =
    screen === 'LENDER_WORKING'
      ? screenStepWaited(view)
      : isTerms && isAccountEarly(view) && view.steps.bankMandate.status !== 'READY'
        ? 'bank'
        : (screenStepOfScreen[screen] ?? null)
  const way = screenStepsOf(view)
  return screenStep === null || !way || way.includes(screenStep) ? screenStep : (way.at(-2) ?? screenStep)
}

function screenStepWaited({ steps, journeyType }: JourneyShape): ScreenStep {
  const { isAccountFirst, pledgesFunds } = contractOf(journeyType)
  if (isAccountFirst && !isDone(steps.bankMandate.status)) return 'bank'
  const due = screenSteps.find(([step]) => !isDone(steps[step].status))
  // The mandate has begun once the units are pledged.
  if (pledgesFunds && due?.[0] === 'eMandate' && steps.eMandate.status === 'PENDING') return 'pledge'
  return due?.[1] ?? 'money'
}

type FurthestStep = (
  view: JourneyShape & Pick<EmbedView, 'screen' | 'journeyId'>,
  way: readonly ScreenStep[],
) => ScreenStep | null

/**
 * The furthest step of this journey: a lender that repeats a request, or changes its terms, leads back to an earlier
 * screen but not to an earlier step.
 */
export function furthestStep(): FurthestStep {
  const reached = new Map<string, number>()
  return (view, way) => {
    const now = screenStepOf(view)
    if (now === null) return null
    const at = Math.max(way.indexOf(now), Math.min(reached.get(view.journeyId) ?? 0, way.length - 1))
    reached.set(view.journeyId, at)
    return way[at] ?? now
  }
}
