// The order of a drawdown as its lender's messages have it (FIS12 §27.5).

import { required } from '@lendloom/foundation/required'
import { interestOn, monthlyRate } from '@lendloom/lending/annuity'
import type { Tx } from '@lendloom/postgres/sql'
import { categoryIdsOf } from '@lendloom/wire/network/v230/categories'
import { type DrawdownDraft, type DrawdownTerms, writeDrawdown } from '@lendloom/wire/network/v230/drawdown'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import { bankReference, bpsText, type LoanFile, lenderOf } from '#sandbox/lender/core/message-parts.ts'
import { accountOf, lockConversation } from '#sandbox/lender/core/store.ts'
import { lamfItem } from './message-parts.ts'
import { loanToValueText } from './stops.ts'

/** Locks the line of a drawdown: what is drawn and free is decided by one drawdown after the other. */
export const lockLine = (tx: Tx, { conversationId, lineId }: Conversation): Promise<Conversation> =>
  lockConversation(tx, required(lineId, `line of drawdown ${conversationId}`))

export function drawdownItem(policy: LenderPolicy): DrawdownDraft['item'] {
  const line = lamfItem(policy)
  const slug = policy.slug.toUpperCase()
  return {
    id: `DRAWDOWN-${slug}-LAMF`,
    parentId: line.id,
    name: 'Drawdown from the credit line',
    categoryIds: categoryIdsOf(line),
    fulfillmentId: `FUL-${slug}-DRAWDOWN`,
  }
}

/** What the borrower owes after a month, when the interest of the drawn amount is debited. */
function termsOf({ principal: amount, annualBps, offerTtl, conversationId }: Conversation): DrawdownTerms {
  const principal = required(amount, `amount of drawdown ${conversationId}`)
  const rate = required(annualBps, `rate of drawdown ${conversationId}`)
  const interest = interestOn(principal, monthlyRate(rate), 100n)
  const total = principal + interest
  return { principal, interest, charges: 0n, total, interestRate: bpsText(rate), quoteTtl: offerTtl }
}

/** The message: the terms, and after the agreement the order. */
export async function drawdownOrder(tx: Tx, { deps, policy, conversation }: LoanFile, line: Conversation) {
  const { conversationId, orderId, sanctionedAt, disbursedAt } = conversation
  const terms = termsOf(conversation)
  const account = await accountOf(tx, deps.seal, line.conversationId)
  const stop = orderId === null ? 'PENDING' : 'APPROVED'
  return writeDrawdown({
    lender: lenderOf(deps, policy),
    lineOrderId: required(line.orderId, `order of line ${line.conversationId}`),
    item: drawdownItem(policy),
    terms,
    quoteId: `QUOTE-${conversationId}`,
    approval: stop,
    consent: stop,
    state: disbursedAt ? 'DISBURSED' : 'INITIATED',
    payout: {
      id: `PAYOUT-${conversationId}`,
      amount: terms.principal,
      account: account && `XXXX${account.number.slice(-4)}`,
      paid: disbursedAt && { transactionId: bankReference(deps, conversationId) },
      hasFailed: false,
    },
    loanToValue: loanToValueText(policy),
    ...(orderId !== null &&
      sanctionedAt && {
        placed: {
          orderId,
          status: disbursedAt ? ('COMPLETED' as const) : ('ACTIVE' as const),
          createdAt: sanctionedAt,
          updatedAt: disbursedAt ?? sanctionedAt,
        },
      }),
  })
}
