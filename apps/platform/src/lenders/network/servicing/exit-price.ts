// The price of a cooling-off exit at lenders that cancel loans in messages (FIS12 §25).

import { Refusal } from '@lendloom/foundation/refusal'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import type { NetworkOrder } from '@lendloom/wire/network/v203/read-order'
import type { TxContext } from '#platform/context.ts'
import {
  type Cancellation,
  type Conversation,
  hasAgreedTo,
  isExitConfirmed,
  isExitPriced,
} from '#platform/lenders/network/conversation.ts'
import { askToCancel, canSendRequest } from '#platform/lenders/network/lender-requests.ts'
import { changeConversation, readConversation } from '#platform/lenders/network/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { coolingOffExitOf } from '#platform/lending/offer/cooling-off-exit.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { isOpen } from '#platform/lending/servicing/operation.ts'
import { findLoanOffer } from '#platform/lending/servicing/request-servicing.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'
import { componentsOf } from './payment-components.ts'

export const conversationOfLoan = (tx: Tx, { tenantId, journeyId, conversationId }: Offer) =>
  readConversation(tx, tenantId, journeyId, conversationId)

/** Asks the lender what leaving costs today, unless the price is known or the lender owes another answer. */
export async function askExitPrice(ctx: TxContext, journey: Journey, paidOutAt: Date | null): Promise<void> {
  const { tx, at, config } = ctx
  const offer = await findLoanOffer(tx, journey)
  const conversation = await conversationOfLoan(tx, offer)
  const exit = coolingOffExitOf(offer, paidOutAt, at)
  if (!exit || !conversation || !statesExitPrice(config, journey, conversation))
    throw new Refusal('wrong-state', 'this lender does not state the price of leaving now')
  const isClosing = (await listServicing(tx, journey)).some((each) => each.kind === 'FORECLOSURE' && isOpen(each))
  const { extras } = conversation
  if (isClosing || isExitConfirmed(extras)) throw new Refusal('wrong-state', 'the loan is being closed')
  if (canSendRequest(conversation) && !isExitPriced(extras, at)) await askToCancel(ctx, conversation, 'SOFT_CANCEL')
}

/**
 * Throws `wrong-state` unless the borrower decides at the price that the lender states today: `shown` is the price that
 * the page showed, null if it showed none.
 */
export async function requireShownExitPrice({ tx, at }: Write, journey: Journey, shown: Paise | null): Promise<void> {
  const conversation = await conversationOfLoan(tx, await findLoanOffer(tx, journey))
  const { cancellation } = conversation?.extras ?? {}
  const isStated = conversation !== undefined && isExitPriced(conversation.extras, at)
  const stated = isStated && cancellation?.price ? BigInt(cancellation.price.amount) : null
  if (shown !== stated)
    throw new Refusal('wrong-state', 'the price of leaving has changed: show it before the borrower decides', {
      exitPrice: stated === null ? null : rupees(stated),
    })
}

export const statesExitPrice = (
  config: TxContext['config'],
  journey: Pick<Journey, 'type'>,
  { bppId, extras }: Pick<Conversation, 'bppId' | 'extras'>,
): boolean =>
  hasAgreedTo(config, bppId, 'cancel') &&
  !productOf(journey).isRepaidAtLender &&
  extras.cancellation?.status !== 'REFUSED'

/** Keeps the price or the account of the lender's answer to `cancel`. Returns the conversation. */
export async function recordExitPrice(
  { tx, at }: Write,
  conversation: Conversation,
  { servicing, outstanding, returnAccount }: Pick<NetworkOrder, 'servicing' | 'outstanding' | 'returnAccount'>,
): Promise<Conversation> {
  const { cancellation } = conversation.extras
  const payment = servicing.find(({ label, status }) => label === 'FORECLOSURE' && status !== 'PAID')
  if (!cancellation || (!payment && cancellation.status !== 'ASKED')) return conversation
  if (!payment) return changeCancellation({ tx, at }, conversation, { ...cancellation, status: 'REFUSED' })
  const parts = { kind: 'FORECLOSURE', requestedPaise: null } as const
  const { interestPaise, chargesPaise } = componentsOf(parts, payment.amount, { outstanding, installments: [] })
  const isFirstAnswer = cancellation.status === 'ASKED'
  const knownAccount = isFirstAnswer ? null : (cancellation.price?.account ?? null)
  return changeCancellation({ tx, at }, conversation, {
    ...cancellation,
    status: isFirstAnswer ? 'QUOTED' : cancellation.status,
    at: at.toISOString(),
    price: {
      amount: payment.amount.toString(),
      interest: interestPaise?.toString() ?? null,
      charges: chargesPaise?.toString() ?? null,
      account: returnAccount ?? knownAccount,
    },
  })
}

export function recordExitRefused(ctx: Write, conversation: Conversation): Promise<Conversation> {
  const { confirmedAt } = conversation.extras.cancellation ?? {}
  const refused = { status: 'REFUSED', at: ctx.at.toISOString() } as const
  return changeCancellation(ctx, conversation, { ...refused, ...(confirmedAt && { confirmedAt }) })
}

const changeCancellation = (
  { tx, at }: Write,
  conversation: Conversation,
  cancellation: Cancellation,
): Promise<Conversation> =>
  changeConversation(tx, conversation, { extras: { ...conversation.extras, cancellation } }, at)
