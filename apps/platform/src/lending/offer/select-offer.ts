// Choice of an offer, an amount and a term, which locks the journey to that lender (D1 OFFER_SELECTED, D2 §3).

import { isDeepStrictEqual } from 'node:util'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { Language } from '@lendloom/lending/language'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Pledge } from '@lendloom/lending/pledge'
import { pledgesFor } from '@lendloom/wire/hosted/units-to-pledge'
import type { TxContext } from '#platform/context.ts'
import type { ConsentOrigin } from '#platform/lending/borrower/consent.ts'
import { advance } from '#platform/lending/journey/advance.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { boundaryOf, isExpired, type Offer } from './offer.ts'
import { chosenPledges } from './pledge.ts'
import { endWaiting, findOffer, findSelected, setSelected } from './store.ts'

/**
 * Locks the journey to an offer and requests the lender's final terms. Throws `absent` for an unknown offer, `locked`
 * when another offer is selected, `wrong-state` when the journey has ended or the offer is not made, expired, rejected,
 * or already selected with other values, and `invalid` for an amount or term outside the limits, a missing branch, or
 * units that the lender does not require. The requested amount does not depend on the chosen units. The lender's final
 * terms state the amount that the units secure.
 */
export async function selectOffer(
  ctx: TxContext,
  journey: Journey,
  offerId: string,
  { amount, months, branchId = null, pledges: choice, origin, language = 'en' }: OfferChoice,
): Promise<Journey> {
  const { tx, at } = ctx
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  const selected = await findSelected(tx, journey)
  if (selected?.offerId === offer.offerId) {
    requireSameChoice(journey, offer, { amount, months, branchId, pledges: choice })
    return journey
  }
  if (selected) throw lockedToOtherOffer(offerId, selected)
  if (!journey.active) throw new Refusal('wrong-state', 'this application has ended', { status: journey.status })
  if (journey.status !== 'OFFERED')
    throw new Refusal('wrong-state', `the journey is ${journey.status}: no offer can be chosen now`, {
      status: journey.status,
    })
  if (offer.rejectedAt) throw new Refusal('wrong-state', 'this offer was rejected', { offerStatus: offer.status })
  if (offer.status !== 'OFFER_RECEIVED')
    throw new Refusal('wrong-state', 'this lender has made no offer', { offerStatus: offer.status })
  requireNotExpired(offer, at)
  checkLimits(offer, amount, months)
  checkBranch(offer, branchId)

  const pledges = choice
    ? chosenPledges(journey, offer, choice)
    : pledgesFor(offer.schemes, amount, BigInt(offer.limits.mostAmount))
  await setSelected(tx, journey, { offerId, lockSource: origin.channel, branchId, pledges }, at)
  await endWaiting(tx, journey, 'OTHER_OFFER_CHOSEN', at)
  // A branch visit is always outside the app (FIS12 §13.1).
  const lenderMode = productOf(journey).visitsBranch || offer.ownPage ? ('OFFLINE' as const) : ('ONLINE' as const)
  const change = { preferredAmountPaise: amount, preferredTenureMonths: months, lenderMode, lastBorrowerActAt: at }
  await updateJourney(tx, journey, change, at)
  const changed = { ...journey, ...change }
  const selection = { offer, branchId, pledges, origin, language }
  for (const channel of Object.values(ctx.channels)) await channel.select(ctx, changed, selection)
  return advance(ctx, changed, 'selected')
}

/** The borrower's choice, with the channel and IP address of the request. */
export interface OfferChoice {
  amount: Paise
  months: number
  /** Branch where the borrower brings the gold. */
  branchId?: string | null
  /** For loans against mutual funds: units per scheme. By default they are in proportion to the amount. */
  pledges?: Pledge[]
  origin: ConsentOrigin
  /** Language of the text that explained the choice to the borrower; English by default. */
  language?: Language
}

/** The refusal of an offer when the journey is locked to another offer (D2 §3). */
export const lockedToOtherOffer = (offerId: string, selected: Offer): Refusal =>
  new Refusal('locked', 'another offer is already selected', { proceedBoundaryState: boundaryOf(offerId, selected) })

interface ChosenTerms {
  amount?: Paise | undefined
  months?: number | undefined
  branchId?: string | null | undefined
  pledges?: Pledge[] | undefined
}

/** Throws `wrong-state` when these terms differ from the borrower's choice. Absent fields are not compared. */
export function requireSameChoice(journey: Journey, offer: Offer, terms: ChosenTerms): void {
  const field = fieldThatDiffers(journey, offer, terms)
  if (field)
    throw new Refusal('wrong-state', 'this offer is already selected: the choice cannot be changed any more', {
      field,
      proceedBoundaryState: 'LOCKED',
    })
}

function fieldThatDiffers(journey: Journey, offer: Offer, { amount, months, branchId, pledges }: ChosenTerms) {
  const differs = (value: unknown, chosen: unknown) => value !== undefined && value !== null && value !== chosen
  if (differs(amount, journey.preferredAmountPaise)) return 'amount'
  if (differs(months, journey.preferredTenureMonths)) return 'tenureMonths'
  if (differs(branchId, offer.branchId)) return 'branchID'
  if (pledges && !isDeepStrictEqual(chosenPledges(journey, offer, pledges), offer.pledges)) return 'pledges'
  return null
}

/** Throws `wrong-state` once the offer has expired. */
export function requireNotExpired(offer: Offer, at: Date): void {
  if (isExpired(offer, at))
    throw new Refusal('wrong-state', 'this offer has expired', { validUntil: offer.validUntil?.toISOString() })
}

/** Throws `invalid` with the path `amount` when the amount is outside the offer's limits. */
export function checkAmount({ limits }: Offer, amount: Paise): void {
  const min = BigInt(limits.leastAmount)
  const max = BigInt(limits.mostAmount)
  if (amount < min || amount > max)
    throw invalid({ path: 'amount', message: `must be from ${rupees(min)} to ${rupees(max)}` })
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
