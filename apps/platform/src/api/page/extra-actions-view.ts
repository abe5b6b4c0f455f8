// What the page shows of the extra actions: the price of leaving, the page to follow the payout, the rating (FIS12 §25).

import { rupees } from '@lendloom/lending/money'
import type { EmbedLender } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import type { Context } from '#platform/context.ts'
import {
  type Conversation,
  type ExitPrice,
  hasAgreedTo,
  isExitConfirmed,
  isExitPriced,
} from '#platform/lenders/network/conversation.ts'
import { statesExitPrice } from '#platform/lenders/network/servicing/exit-price.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { keptFees, paymentParts } from './payment-view.ts'

/** A lender that did not answer within this time is treated like one that states no price. */
const priceWaitMs = 90_000

const unstated = { amount: null, parts: [], account: null, keptFees: null }

function exitPriceView(
  { config }: Pick<Context, 'config'>,
  { journey, chosen }: ExtraFacts,
  conversation: Conversation,
  at: Date,
): EmbedView['exitPrice'] {
  const { extras } = conversation
  const { cancellation } = extras
  const isConfirmed = isExitConfirmed(extras)
  if (!isConfirmed && !statesExitPrice(config, journey, conversation)) return null
  if (isPriceAwaited(extras, at)) return { state: 'ASKED', ...unstated }
  if (isConfirmed || isExitPriced(extras, at))
    return cancellation?.price ? { state: 'STATED', ...statedPrice(cancellation.price, chosen) } : null
  return cancellation?.status === 'ASKED' ? null : { state: 'ASKABLE', ...unstated }
}

export const isPriceAwaited = ({ cancellation }: Conversation['extras'], at: Date): boolean =>
  cancellation?.status === 'ASKED' && at.getTime() - Date.parse(cancellation.at) < priceWaitMs

function statedPrice({ amount, interest, charges, account }: ExitPrice, chosen: ExtraFacts['chosen']) {
  const paise = (text: string | null) => (text === null ? null : BigInt(text))
  const parts = { amountPaise: BigInt(amount), interestPaise: paise(interest), chargesPaise: paise(charges) }
  const payment = { kind: 'FORECLOSURE', ...parts } as const
  return {
    amount: rupees(parts.amountPaise),
    account,
    parts: paymentParts(payment),
    keptFees: keptFees(payment, chosen?.terms ?? null),
  }
}

interface ExtraFacts {
  journey: Pick<Journey, 'type' | 'status'>
  chosen: Pick<Offer, 'terms'> | undefined
  conversation: Conversation | undefined
}

export function extraFields(
  ctx: Pick<Context, 'config'>,
  facts: ExtraFacts,
  at: Date,
): Pick<EmbedView, 'exitPrice' | 'tracking' | 'rating'> {
  const { conversation, journey } = facts
  const isPaidOut = journey.status === 'DISBURSED'
  return {
    exitPrice: conversation && isPaidOut ? exitPriceView(ctx, facts, conversation, at) : null,
    tracking: (journey.status === 'LENDER_REDIRECTED' && conversation?.extras.trackingUrl) || null,
    rating:
      conversation && isPaidOut && hasAgreedTo(ctx.config, conversation.bppId, 'rating')
        ? { given: conversation.extras.rating ?? null }
        : null,
  }
}

export const withContact =
  (conversation: Conversation | undefined) =>
  (lender: EmbedLender): EmbedLender => {
    const { support } = conversation?.extras ?? {}
    if (!support || conversation?.lenderId !== lender.id) return lender
    const { phone, email, url } = support
    const { support: known } = lender
    return {
      ...lender,
      support: { phone: phone ?? known.phone, email: email ?? known.email, link: url ?? known.link },
    }
  }
