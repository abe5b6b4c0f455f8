// The borrower's acts about a drawdown: asking for the lender's terms, agreeing to them, and leaving it (FIS12 §27.5).

import { isDeepStrictEqual } from 'node:util'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { type Paise, rupees } from '@lendloom/lending/money'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { offerReplaced } from '@lendloom/wire/hosted/embed-requests'
import type { TxContext } from '#platform/context.ts'
import {
  type ConsentOrigin,
  type GivenConsent,
  recordConsents,
  type ShownQuote,
} from '#platform/lending/borrower/consent.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import type { Drawdowns } from '#platform/lending/lender/channel.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { type OpenLine, openLine } from '#platform/lending/offer/pledge.ts'
import { isOpen as isClosing } from '#platform/lending/servicing/operation.ts'
import { findLoanOffer } from '#platform/lending/servicing/request-servicing.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'
import { type Drawdown, isOpen, mayBeAgreedTo, quoteOf } from './drawdown.ts'
import { findDrawdown, insertDrawdown, listDrawdowns, moveDrawdown } from './store.ts'

/** The smallest drawdown: one rupee. */
export const leastDrawdown: Paise = 100n

/**
 * Asks the lender for the terms of a drawdown. One whose terms the borrower has not agreed to yet is left for it. Throws
 * `wrong-state` if the journey has no open credit line that is drawn here, `pending` while the lender pays out another
 * drawdown or still owes its terms, and `invalid` for an amount that the line does not have.
 */
export async function requestDrawdown(ctx: TxContext, journey: Journey, amount: Paise): Promise<Drawdown> {
  const { tx, at } = ctx
  const { offer, line, drawdowns } = await requireDrawable(ctx, journey)
  requireAvailable(line, amount)
  await requireNoClosing(ctx, journey)
  const open = (await listDrawdowns(tx, journey)).find(isOpen)
  if (open?.status === 'TERMS_READY') await leave(ctx, journey, { offer, drawdowns }, open)
  else if (open) throw new Refusal('pending', 'an earlier drawdown is not settled yet', { drawdownID: open.drawdownId })
  const drawdown = newDrawdown(journey, amount, at)
  await insertDrawdown(tx, drawdown)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  await drawdowns.request(ctx, offer, drawdown)
  return drawdown
}

export interface Agreement {
  drawdownId: string
  /** The terms that the borrower read. */
  quote: ShownQuote
  consents: GivenConsent[]
  origin: ConsentOrigin
}

/**
 * Agrees to the lender's terms, so that the lender pays out, and records the consent with these terms. A repetition changes
 * nothing. Throws `wrong-state` if the terms are not there, have expired or changed meanwhile, and `invalid` without the
 * consent.
 */
export async function agreeToDrawdown(
  ctx: TxContext,
  journey: Journey,
  { drawdownId, quote, consents, origin }: Agreement,
): Promise<Drawdown> {
  const { tx, at } = ctx
  const drawdown = await requireDrawdown(ctx, journey, drawdownId)
  if (drawdown.status === 'AGREED' || drawdown.status === 'PAID_OUT') return drawdown
  if (!mayBeAgreedTo(drawdown, at))
    throw new Refusal(
      'wrong-state',
      drawdown.status === 'TERMS_READY'
        ? 'the terms of this drawdown have expired; please ask for it again'
        : `the drawdown is ${drawdown.status}: there are no terms to agree to`,
      { status: drawdown.status },
    )
  if (!isDeepStrictEqual(quote, quoteOf(drawdown)))
    throw new Refusal('wrong-state', 'the lender has changed the terms of this drawdown meanwhile: show the new ones', {
      change: offerReplaced,
    })
  await requireNoClosing(ctx, journey)
  const { offer, drawdowns } = await requireDrawable(ctx, journey)
  await recordConsents(ctx, journey, { consents, requiredPurposes: ['drawdown'], origin, quote })
  const agreed = (await moveDrawdown(ctx, journey, drawdown, { move: 'agreed', agreedAt: at })) ?? drawdown
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  await drawdowns.agree(ctx, offer, agreed)
  return agreed
}

/** Leaves a drawdown to which the borrower has not agreed. A repetition changes nothing. Throws `wrong-state` after it. */
export async function cancelDrawdown(ctx: TxContext, journey: Journey, drawdownId: string): Promise<Drawdown> {
  const drawdown = await requireDrawdown(ctx, journey, drawdownId)
  if (drawdown.status === 'CANCELLED') return drawdown
  const { offer, drawdowns } = await requireDrawable(ctx, journey)
  return leave(ctx, journey, { offer, drawdowns }, drawdown)
}

async function leave(
  ctx: TxContext,
  journey: Journey,
  { offer, drawdowns }: { offer: Offer; drawdowns: Drawdowns<TxContext> },
  drawdown: Drawdown,
): Promise<Drawdown> {
  const { tx, at } = ctx
  const cancelled = await moveDrawdown(ctx, journey, drawdown, { move: 'cancelled' })
  if (!cancelled)
    throw new Refusal('wrong-state', `the drawdown is ${drawdown.status}: it cannot be cancelled any more`, {
      status: drawdown.status,
    })
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  await drawdowns.leave(ctx, offer, cancelled)
  return cancelled
}

async function requireNoClosing({ tx }: TxContext, journey: Journey): Promise<void> {
  if ((await listServicing(tx, journey)).some((each) => each.kind === 'FORECLOSURE' && isClosing(each)))
    throw new Refusal('pending', 'the credit line is being closed')
}

async function requireDrawdown({ tx }: TxContext, journey: Journey, drawdownId: string): Promise<Drawdown> {
  const drawdown = await findDrawdown(tx, journey, drawdownId)
  if (!drawdown) throw new Refusal('absent', 'the journey has no such drawdown')
  return drawdown
}

interface DrawableLine {
  offer: Offer
  line: OpenLine
  drawdowns: Drawdowns<TxContext>
}

async function requireDrawable(ctx: TxContext, journey: Journey): Promise<DrawableLine> {
  const offer = await findLoanOffer(ctx.tx, journey)
  const line = openLine(offer)
  if (!line) throw new Refusal('wrong-state', 'the loan is no credit line', { journeyType: journey.type })
  const { drawdowns } = ctx.channels[offer.channel]
  if (!drawdowns || !(await drawdowns.arePossible(ctx, offer)))
    throw new Refusal(
      'wrong-state',
      'a credit line of this lender is drawn at the lender itself; please contact the lender',
    )
  return { offer, line, drawdowns }
}

/** By the lender's last report on the line. The lender decides by its own books. */
function requireAvailable({ available }: OpenLine, amount: Paise): void {
  if (amount < leastDrawdown) throw invalid({ path: 'amount', message: `must be at least ${rupees(leastDrawdown)}` })
  if (amount > available)
    throw invalid({ path: 'amount', message: `must be at most ${rupees(available)}, which is left to draw` })
}

/** A drawdown that the borrower asks for. */
export const newDrawdown = ({ tenantId, journeyId }: Journey, requestedPaise: Paise, at: Date): Drawdown => ({
  tenantId,
  journeyId,
  drawdownId: uuidv7(at.getTime(), bucketOf(journeyId)),
  status: 'REQUESTED',
  requestedPaise,
  principalPaise: null,
  interestPaise: null,
  chargesPaise: null,
  totalPaise: null,
  interestRate: null,
  termsUntil: null,
  accountEnding: null,
  paidAccountEnding: null,
  paidPaise: null,
  payoutReference: null,
  reason: null,
  requestedAt: at,
  agreedAt: null,
  paidOutAt: null,
  updatedAt: at,
})
