// The place of a view on the way from the details to the money. Pure.
import type { EmbedView, Screen } from '#contract/hosted/embed.ts'
import type { ScreenStep } from './usual-steps.ts'

/** At the branch the borrower is known, the gold is weighed and everything is signed. */
const onGold: ScreenStep[] = ['details', 'offers', 'visit', 'money']
/** The account is told before the lender asks who the borrower is. */
const onFunds: ScreenStep[] = ['details', 'offers', 'bank', 'kyc', 'mandate', 'sign', 'money']
const onOnePage: ScreenStep[] = ['details', 'offers', 'bank', 'sign', 'money']
/** The lender goes on outside the app: with all of it, or with all but the agreement. */
const offline: ScreenStep[] = ['details', 'offers', 'sign', 'money']
const offlineThenSigned: ScreenStep[] = ['details', 'offers', 'kyc', 'sign', 'money']
type JourneyShape = Pick<EmbedView, 'journeyType' | 'steps' | 'selected'>

/** A lender against mutual funds that has the borrower do everything on one page: its offer says so, or else the page itself. */
export const isOnOnePage = ({ journeyType, steps, selected }: JourneyShape): boolean =>
  journeyType === 'LAMF_LOAN' && (selected?.terms.ownPage || steps.loanAgreement.status === 'NOT_REQUIRED')

/** A lender that sees to a personal loan outside the app: its page takes everything over, and nothing is signed here. */
export const isOffline = ({ journeyType, steps }: Omit<JourneyShape, 'selected'>): boolean =>
  journeyType === 'PERSONAL_LOAN' && steps.loanAgreement.status === 'NOT_REQUIRED'

/** The whole way of a loan, where it is not the usual one. */
export function screenStepsOf(view: JourneyShape): ScreenStep[] | null {
  if (view.journeyType === 'GOLD_LOAN') return onGold
  if (view.journeyType === 'LAMF_LOAN') return isOnOnePage(view) ? onOnePage : onFunds
  if (isOffline(view)) return offline
  const { bankMandate, eMandate } = view.steps
  return bankMandate.status === 'NOT_REQUIRED' && eMandate.status === 'NOT_REQUIRED' ? offlineThenSigned : null
}

const screenStepOfScreen: Partial<Record<Screen, ScreenStep>> = {
  PROFILE: 'details',
  SEARCHING: 'offers',
  OFFERS: 'offers',
  FINALISING: 'offers',
  FINAL_OFFER: 'offers',
  KYC: 'kyc',
  VISIT: 'visit',
  BANK: 'bank',
  LIEN: 'mandate',
  E_MANDATE: 'mandate',
  LOAN_AGREEMENT: 'sign',
  DISBURSAL: 'money',
  LINE_OPEN: 'money',
  DISBURSED: 'money',
  CLOSED: 'money',
}
const screenStepOfStep = { kyc: 'kyc', bankMandate: 'bank', eMandate: 'mandate', loanAgreement: 'sign' } as const

export const isDone = (status: string): boolean => status === 'SUCCESS' || status === 'NOT_REQUIRED'

/** The step of a view; null once the journey has ended without a loan. */
export function screenStepOf(view: JourneyShape & Pick<EmbedView, 'screen'>): ScreenStep | null {
  const { screen } = view
  const screenStep = screen === 'LENDER_WORKING' ? screenStepWaited(view) : (screenStepOfScreen[screen] ?? null)
  const way = screenStepsOf(view)
  return screenStep === null || !way || way.includes(screenStep) ? screenStep : way.at(-2)!
}

function screenStepWaited({ steps, journeyType }: JourneyShape): ScreenStep {
  if (journeyType === 'LAMF_LOAN' && !isDone(steps.bankMandate.status)) return 'bank'
  for (const [step, screenStep] of Object.entries(screenStepOfStep))
    if (!isDone(steps[step as keyof typeof screenStepOfStep].status)) return screenStep
  return 'money'
}
