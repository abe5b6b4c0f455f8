// The progress on a lender's page that has all steps after its offer, as the borrower sees it (FIS12 §26).

import { ownValue } from '@lendloom/foundation/record'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import type { Conversation } from '#platform/lenders/network/conversation.ts'

type LenderPage = NonNullable<NonNullable<EmbedView['selected']>['lenderPage']>
type StopView = LenderPage['stops'][number]

/** The stops that a borrower knows as steps. The others are the offer and the page itself. */
const stepOfStop: Record<string, StopView['step']> = {
  KYC: 'kyc',
  BANK_ACCOUNT_VERIFICATION: 'bankMandate',
  REPAYMENT: 'eMandate',
  LOAN_AGREEMENT: 'loanAgreement',
}

const stateOfCode: Record<string, StopView['state']> = {
  SUCCESSFUL: 'done',
  COMPLETED: 'done',
  IN_PROGRESS: 'now',
  INITIATED: 'now',
}

/** Null for a lender with a page per step. */
export function lenderPageView(conversation: Conversation | undefined): LenderPage | null {
  const stops = conversation?.extras.progress?.stops
  if (!stops) return null
  return {
    isOnline: stops.every(({ type }) => type !== 'JOURNEY_OFFLINE'),
    stops: stops.flatMap(({ type, state }) => {
      const step = ownValue(stepOfStop, type)
      return step ? [{ step, state: ownValue(stateOfCode, state) ?? 'next' }] : []
    }),
  }
}
