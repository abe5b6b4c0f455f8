// The place of a view on the way from the details to the money. Pure.
import type { EmbedView, Screen } from '#contract/hosted/embed.ts'
import type { Station } from './progress.tsx'

const stationOfScreen: Partial<Record<Screen, Station>> = {
  PROFILE: 'details',
  SEARCHING: 'offers',
  OFFERS: 'offers',
  FINALISING: 'offers',
  FINAL_OFFER: 'offers',
  KYC: 'kyc',
  VISIT: 'kyc',
  BANK: 'bank',
  E_MANDATE: 'mandate',
  LOAN_AGREEMENT: 'sign',
  DISBURSAL: 'money',
  DISBURSED: 'money',
  CLOSED: 'money',
}
const stationOfStep = { kyc: 'kyc', bankMandate: 'bank', eMandate: 'mandate', loanAgreement: 'sign' } as const

export const isDone = (status: string): boolean => status === 'SUCCESS' || status === 'NOT_REQUIRED'

/** The station of a view; null once the journey has ended without a loan. */
export function stationOf({ screen, steps }: Pick<EmbedView, 'screen' | 'steps'>): Station | null {
  if (screen !== 'LENDER_WORKING') return stationOfScreen[screen] ?? null
  for (const [step, station] of Object.entries(stationOfStep))
    if (!isDone(steps[step as keyof typeof stationOfStep].status)) return station
  return 'money'
}
