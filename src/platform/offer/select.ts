// The borrower chooses one offer, an amount and a term: the journey is locked to that lender (D1 OFFER_SELECTED, D2 §3).

import { isDeepStrictEqual } from 'node:util'
import { pledgesFor } from '#contract/hosted/pledge.ts'
import type { Language } from '#contract/language.ts'
import type { Pledge } from '#contract/network/v230/pledge.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import type { ConsentPlace } from '#platform/borrower/borrower.ts'
import type { TxContext } from '#platform/context.ts'
import { advance } from '#platform/journey/advance.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { everyChannel } from '#platform/lender-channels.ts'
import { productOf } from '#platform/product/products.ts'
import { boundaryOf, isExpired, type Offer } from './offer.ts'
import { chosenPledges } from './pledge.ts'
import { findOffer, findSelected, setSelected, stopWaiting } from './store.ts'

/**
 * Locks the journey to an offer and asks its lender for final terms. Refused: `absent` no such offer · `locked` another
 * offer is chosen · `wrong-state` not offered, expired, chosen otherwise, or too late · `invalid` outside the limits, a
 * missing branch of a lender that accepts gold at branches, or units that this lender has not requested. The amount
 * stays as requested: the lender's final terms state what the chosen units secure.
 */
export async function selectOffer(
  ctx: TxContext,
  journey: Journey,
  offerId: string,
  { amount, months, branchId = null, pledges: chosen, place, language = 'en' }: OfferChoice,
): Promise<Journey> {
  const { tx, at } = ctx
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  const held = await findSelected(tx, journey)
  if (held?.offerId === offer.offerId) {
    checkUnchanged(journey, offer, { amount, months, branchId, pledges: chosen })
    return journey
  }
  if (held) throw lockedElsewhere(offerId, held)
  if (!journey.active) throw new Refusal('wrong-state', 'this application has ended', { status: journey.status })
  if (journey.status !== 'OFFERED')
    throw new Refusal('wrong-state', `the journey is ${journey.status}: no offer can be chosen now`, {
      status: journey.status,
    })
  if (offer.rejectedAt) throw new Refusal('wrong-state', 'this offer was turned down', { offerStatus: offer.status })
  if (offer.status !== 'OFFER_RECEIVED')
    throw new Refusal('wrong-state', 'this lender has not offered', { offerStatus: offer.status })
  checkStands(offer, at)
  checkLimits(offer, amount, months)
  checkBranch(offer, branchId)

  const pledges = chosen
    ? chosenPledges(journey, offer, chosen)
    : pledgesFor(offer.schemes, amount, BigInt(offer.limits.mostAmount))
  await setSelected(tx, journey, { offerId, lockSource: place.channel, branchId, pledges }, at)
  await stopWaiting(tx, journey, 'OTHER_OFFER_CHOSEN', at)
  // A branch is always outside the app (FIS12 §13.1).
  const lenderMode = productOf(journey).visitsBranch || offer.ownPage ? ('OFFLINE' as const) : ('ONLINE' as const)
  const change = { preferredAmountPaise: amount, preferredTenureMonths: months, lenderMode, lastBorrowerActAt: at }
  await updateJourney(tx, journey, change, at)
  const answers = { requestAmount: (amount / 100n).toString(), requestTerm: String(months) }
  const selection = { offer, answers, branchId, pledges, place, language }
  for (const channel of everyChannel) await channel.select(ctx, journey, selection)
  return advance(ctx, { ...journey, ...change }, 'selected')
}

/** The borrower's choice of an offer, and its channel. */
export interface OfferChoice {
  amount: Paise
  months: number
  /** The branch for the gold. */
  branchId?: string | null
  /** Against mutual funds: units per scheme; by default the proportion of each that the amount needs. */
  pledges?: Pledge[]
  place: ConsentPlace
  /** The language in which the borrower read what choosing means; English by default. */
  language?: Language
}

/** The journey is locked to another offer (D2 §3); the refusal uses the document's terms. */
export const lockedElsewhere = (offerId: string, held: Offer): Refusal =>
  new Refusal('locked', 'another offer was chosen already', { proceedBoundaryState: boundaryOf(offerId, held) })

interface ChosenTerms {
  amount?: Paise | undefined
  months?: number | undefined
  branchId?: string | null | undefined
  pledges?: Pledge[] | undefined
}

/** The choice was sent to the lender. Refused as `wrong-state` when other terms are given now; an absent field is as it was. */
export function checkUnchanged(journey: Journey, offer: Offer, terms: ChosenTerms): void {
  const { preferredAmountPaise, preferredTenureMonths } = journey
  const differs = (one: unknown, other: unknown) => one !== undefined && one !== null && one !== other
  const field = differs(terms.amount, preferredAmountPaise)
    ? 'amount'
    : differs(terms.months, preferredTenureMonths)
      ? 'tenureMonths'
      : differs(terms.branchId, offer.branchId)
        ? 'branchID'
        : terms.pledges && !isDeepStrictEqual(chosenPledges(journey, offer, terms.pledges), offer.pledges)
          ? 'pledges'
          : null
  if (field)
    throw new Refusal('wrong-state', 'this offer was chosen already: the choice cannot be changed any more', {
      field,
      proceedBoundaryState: 'LOCKED',
    })
}

/** Refused as `wrong-state` once the offer has expired. */
export function checkStands(offer: Offer, at: Date): void {
  if (isExpired(offer, at))
    throw new Refusal('wrong-state', 'this offer has expired', { validUntil: offer.validUntil?.toISOString() })
}

/** Refused as `invalid` at `amount` when it is outside the offer's limits. */
export function checkAmount({ limits }: Offer, amount: Paise): void {
  const [least, most] = [BigInt(limits.leastAmount), BigInt(limits.mostAmount)]
  if (amount < least || amount > most)
    throw invalid({ path: 'amount', message: `must be from ${rupees(least)} to ${rupees(most)}` })
}

function checkBranch({ branches }: Offer, branchId: string | null): void {
  if (branches.length === 0 && branchId === null) return
  if (!branches.some((branch) => branch.id === branchId))
    throw invalid({ path: 'branchID', message: 'must be one of the branches of this offer' })
}

function checkLimits(offer: Offer, amount: Paise, months: number): void {
  checkAmount(offer, amount)
  const { limits } = offer
  if (months < limits.leastMonths || months > limits.mostMonths)
    throw invalid({ path: 'tenureMonths', message: `must be from ${limits.leastMonths} to ${limits.mostMonths}` })
}
