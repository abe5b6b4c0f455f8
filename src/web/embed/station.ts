// The place of a view on the way from the details to the money. Pure.
import type { EmbedView, Screen } from '#contract/hosted/embed.ts'
import type { Station } from './progress.tsx'

/** At the branch the borrower is known, the gold is weighed and everything is signed. */
const onGold: Station[] = ['details', 'offers', 'visit', 'money']
/** The account is told before the lender asks who the borrower is. */
const onFunds: Station[] = ['details', 'offers', 'bank', 'kyc', 'mandate', 'sign', 'money']
const onOnePage: Station[] = ['details', 'offers', 'bank', 'sign', 'money']
/** The lender goes on outside the app: with all of it, or with all but the agreement. */
const offline: Station[] = ['details', 'offers', 'sign', 'money']
const offlineThenSigned: Station[] = ['details', 'offers', 'kyc', 'sign', 'money']
type Way = Pick<EmbedView, 'journeyType' | 'steps' | 'selected'>

/** A lender against mutual funds that has the borrower do everything on one page: its offer says so, or else the page itself. */
export const isOnOnePage = ({ journeyType, steps, selected }: Way): boolean =>
  journeyType === 'LAMF_LOAN' && (selected?.terms.ownPage || steps.loanAgreement.status === 'NOT_REQUIRED')

/** A lender that sees to a personal loan outside the app: its page takes everything over, and nothing is signed here. */
export const isOffline = ({ journeyType, steps }: Omit<Way, 'selected'>): boolean =>
  journeyType === 'PERSONAL_LOAN' && steps.loanAgreement.status === 'NOT_REQUIRED'

/** The whole way of a loan, where it is not the usual one. */
export function stationsOf(view: Way): Station[] | null {
  if (view.journeyType === 'GOLD_LOAN') return onGold
  if (view.journeyType === 'LAMF_LOAN') return isOnOnePage(view) ? onOnePage : onFunds
  if (isOffline(view)) return offline
  const { bankMandate, eMandate } = view.steps
  return bankMandate.status === 'NOT_REQUIRED' && eMandate.status === 'NOT_REQUIRED' ? offlineThenSigned : null
}

const stationOfScreen: Partial<Record<Screen, Station>> = {
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
const stationOfStep = { kyc: 'kyc', bankMandate: 'bank', eMandate: 'mandate', loanAgreement: 'sign' } as const

export const isDone = (status: string): boolean => status === 'SUCCESS' || status === 'NOT_REQUIRED'

/** The station of a view; null once the journey has ended without a loan. */
export function stationOf(view: Way & Pick<EmbedView, 'screen'>): Station | null {
  const { screen } = view
  const station = screen === 'LENDER_WORKING' ? stationWaited(view) : (stationOfScreen[screen] ?? null)
  const way = stationsOf(view)
  return station === null || !way || way.includes(station) ? station : way.at(-2)!
}

function stationWaited({ steps, journeyType }: Way): Station {
  if (journeyType === 'LAMF_LOAN' && !isDone(steps.bankMandate.status)) return 'bank'
  for (const [step, station] of Object.entries(stationOfStep))
    if (!isDone(steps[step as keyof typeof stationOfStep].status)) return station
  return 'money'
}
