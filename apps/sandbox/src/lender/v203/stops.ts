// The progress that a lender with one page after its offer tells by stops, and its order after the payout (FIS12 §26).

import { required } from '@lendloom/foundation/required'
import { base62 } from '@lendloom/seal/id'
import type { NewStop, ProgressDraft } from '@lendloom/wire/network/v203/stops'
import type { FulfillmentState, OrderDraft } from '@lendloom/wire/network/v203/write-order'
import type { FormResult } from '@lendloom/wire/network/v203/xinput'
import type { Conversation, LoanStatus } from '#sandbox/lender/core/conversation.ts'
import type { Loan } from '#sandbox/lender/core/lending-decision.ts'
import { type LoanFile, settlementTerms } from '#sandbox/lender/core/message-parts.ts'
import type { Policy203, StopsShape, Way } from './product.ts'

/** The stops of each way, each with how it is done. */
const stopsOfWay: Record<Way, readonly [type: string, name: string][]> = {
  ONLINE: [
    ['PERSONAL_INFORMATION', 'Personal Information'],
    ['LOAN_OFFER', 'Loan Offer'],
    ['SINGLE_REDIRECTION', 'Single Redirection'],
    ['KYC', 'DIGILOCKER'],
    ['BANK_ACCOUNT_VERIFICATION', 'PENNY DROP'],
    ['REPAYMENT', 'E-MANDATE'],
    ['LOAN_AGREEMENT', 'E-SIGN'],
  ],
  SEMI_ONLINE: [
    ['PERSONAL_INFORMATION', 'Personal Information'],
    ['LOAN_OFFER', 'Loan Offer'],
    ['JOURNEY_OFFLINE', 'Journey Offline'],
    ['KYC', 'OFFLINE'],
    ['BANK_ACCOUNT_VERIFICATION', 'OFFLINE'],
    ['REPAYMENT', 'OFFLINE'],
    ['LOAN_AGREEMENT', 'OFFLINE'],
  ],
}

/** The states of the seven stops, in their order. */
const statesAt = {
  listed: ['PENDING', 'PENDING', 'PENDING', 'PENDING', 'PENDING', 'PENDING', 'PENDING'],
  offered: ['SUCCESSFUL', 'FINALIZED', 'PENDING', 'PENDING', 'PENDING', 'PENDING', 'PENDING'],
  begun: ['SUCCESSFUL', 'SELECTED', 'IN_PROGRESS', 'INITIATED', 'PENDING', 'PENDING', 'PENDING'],
  identified: ['SUCCESSFUL', 'SELECTED', 'IN_PROGRESS', 'SUCCESSFUL', 'INITIATED', 'PENDING', 'PENDING'],
  signed: ['SUCCESSFUL', 'SELECTED', 'IN_PROGRESS', 'SUCCESSFUL', 'SUCCESSFUL', 'SUCCESSFUL', 'IN_PROGRESS'],
  paidOut: ['SUCCESSFUL', 'SELECTED', 'SUCCESSFUL', 'SUCCESSFUL', 'SUCCESSFUL', 'SUCCESSFUL', 'SUCCESSFUL'],
} as const
type Reached = keyof typeof statesAt

const fulfillmentIds: Record<Way, string> = { ONLINE: 'FULFILLMENT-ONLINE', SEMI_ONLINE: 'FULFILLMENT-OFFLINE' }

function progressAt(way: Way, reached: Reached): ProgressDraft {
  const stops = stopsOfWay[way].map(
    ([type, name], i): NewStop => ({ type, name, state: required(statesAt[reached][i], `state of the stop ${type}`) }),
  )
  return { id: fulfillmentIds[way], type: way, stops }
}

/** The progress that a catalogue lists. */
export const listedProgress = (way: Way): ProgressDraft => progressAt(way, 'listed')

const reachedBy: Partial<Record<LoanStatus, Reached>> = {
  BOOKED: 'begun',
  IDENTIFIED: 'identified',
  VISITED: 'signed',
  SIGNED: 'signed',
  DISBURSED: 'paidOut',
}

/** `result` is that of the page, which the borrower has begun. */
export function stopsParts(
  file: LoanFile<Policy203>,
  { stops, loan, result }: { stops: StopsShape; loan: Loan; result: FormResult | undefined },
): Partial<OrderDraft> {
  const { deps, policy, conversation } = file
  const { status, orderId, disbursedAt, buyerTerms, conversationId } = conversation
  const isBegun = result !== undefined || (status !== 'OFFERED' && status !== 'QUOTED')
  const progress = progressAt(stops.wayOf(conversation), reachedBy[status] ?? (isBegun ? 'begun' : 'offered'))
  const told = { progress, ...(isBegun && { state: stateOf(conversation) }) }
  if (orderId === null || disbursedAt === null || buyerTerms === null) return told
  const { staticTerms, offlineContract } = settlementTerms(deps, policy)
  const reference = deps.seal.digest(conversationId, 'payout reference').subarray(0, 8)
  return {
    ...told,
    contract: { buyer: buyerTerms, lender: { staticTerms, offlineContract } },
    payout: {
      id: `PAYOUT-${conversationId}`,
      amount: loan.netDisbursed,
      transactionId: `UTR${base62(reference)}`,
      paidAt: disbursedAt,
    },
  }
}

function stateOf({ status }: Pick<Conversation, 'status'>): FulfillmentState {
  if (status === 'DISBURSED') return 'DISBURSED'
  return status === 'REJECTED' ? 'REJECTED' : 'INITIATED'
}
