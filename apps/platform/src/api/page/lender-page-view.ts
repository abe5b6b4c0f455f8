// The progress on a lender's page that has all steps after its offer, as the borrower sees it (FIS12 §26, §27).

import { ownValue } from '@lendloom/foundation/record'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { formOutcome } from '@lendloom/wire/network/form-status'
import type { Conversation } from '#platform/lenders/network/conversation.ts'

type LenderPage = NonNullable<NonNullable<EmbedView['selected']>['lenderPage']>
type StopView = LenderPage['stops'][number]

/** The stops that a borrower knows as steps. The others are the offer and the page itself. */
const stepOfStop: Record<string, StopView['step']> = {
  KYC: 'kyc',
  BANK_ACCOUNT_VERIFICATION: 'bankMandate',
  REPAYMENT: 'eMandate',
  EMANDATE: 'eMandate',
  LIEN_MARKING: 'pledge',
  LOAN_AGREEMENT: 'loanAgreement',
  ESIGN: 'loanAgreement',
}

const stateOfCode: Record<string, StopView['state']> = {
  SUCCESSFUL: 'done',
  COMPLETED: 'done',
  IN_PROGRESS: 'now',
  INITIATED: 'now',
}

/**
 * Null for a lender with a page per step. A lender may still work on a step that the borrower has done on a completed
 * page: to the borrower it is done.
 */
export function lenderPageView(conversation: Conversation | undefined): LenderPage | null {
  const { progress } = conversation?.extras ?? {}
  if (!progress) return null
  const { stops, answer, isPaidOut = false } = progress
  const isDone = isPaidOut || (answer !== undefined && formOutcome(answer.status) === 'success')
  const stateOf = (code: string): StopView['state'] => {
    const state = ownValue(stateOfCode, code) ?? 'next'
    return isDone && state === 'now' ? 'done' : state
  }
  return {
    isOnline: stops.every(({ type }) => type !== 'JOURNEY_OFFLINE'),
    isDone,
    stops: stops.flatMap(({ type, state }) => {
      const step = ownValue(stepOfStop, type)
      return step ? [{ step, state: stateOf(state) }] : []
    }),
  }
}
