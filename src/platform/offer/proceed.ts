// The borrower goes ahead with an offer as it was shown: the choice of a client that has no page of ours (D2 §3).

import { currentConsentVersion } from '#contract/hosted/consent-text.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Paise } from '#kit/money/money.ts'
import { type ConsentPlace, recordConsents } from '#platform/borrower/consent.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { rulesOf } from '#platform/lender/rules.ts'
import { isSelected, type Offer } from './offer.ts'
import { checkAmount, checkStands, checkUnchanged, lockedElsewhere, selectOffer } from './select.ts'
import { findOffer, findSelected, setRequestedAmount } from './store.ts'

const keyFacts = [{ purpose: 'key_facts', textVersion: currentConsentVersion, language: 'en' }] as const

/**
 * Locks the journey to an offer, for the amount that was asked for or else all of it, over the term that was offered.
 * A lender that takes gold in at one branch alone needs no branch named. Whoever calls this has shown the borrower the
 * Key Facts Statement of the offer: the acknowledgement is recorded with the choice, once. Doing it again for the same
 * offer changes nothing; refusals are those of `selectOffer`.
 */
export async function proceedWithOffer(
  ctx: TxContext,
  journey: Journey,
  offerId: string,
  { branchId = null, ...place }: ConsentPlace & { branchId?: string | null },
): Promise<Offer> {
  const { tx } = ctx
  const offer = await knownOffer(tx, journey, offerId)
  if (isSelected(offer)) {
    checkUnchanged(journey, offer, { branchId })
    return offer
  }
  const [only, ...others] = offer.branches
  const amount = offer.requestedAmountPaise ?? BigInt(offer.limits.mostAmount)
  const months = offer.terms?.termMonths ?? offer.limits.mostMonths
  await selectOffer(ctx, journey, offerId, {
    amount,
    months,
    branchId: branchId ?? (others.length === 0 && only ? only.id : null),
    place,
  })
  // Where choosing only submits, the Key Facts Statement comes with the final terms, and is acknowledged then.
  if (!rulesOf(offer).choiceSubmits)
    await recordConsents(ctx, journey, { given: [...keyFacts], needed: ['key_facts'], place })
  return knownOffer(tx, journey, offerId)
}

/**
 * Keeps how much of an offer the borrower wants, in paise, until it is chosen. Refused: `absent` · `locked` another offer
 * is the chosen one · `wrong-state` not offered, expired, or chosen already, when the lender has been told an amount ·
 * `invalid` outside what was offered.
 */
export async function askAmount({ tx, at }: Write, journey: Journey, offerId: string, amount: Paise): Promise<Offer> {
  const offer = await knownOffer(tx, journey, offerId)
  const held = await findSelected(tx, journey)
  if (held && held.offerId !== offer.offerId) throw lockedElsewhere(offerId, held)
  if (held)
    throw new Refusal('wrong-state', 'this offer was chosen already: its amount cannot be changed any more', {
      proceedBoundaryState: 'LOCKED',
    })
  if (!journey.active || offer.status !== 'OFFER_RECEIVED')
    throw new Refusal('wrong-state', 'there is no offer of this lender to choose from', {
      status: journey.status,
      offerStatus: offer.status,
    })
  checkStands(offer, at)
  checkAmount(offer, amount)
  await setRequestedAmount(tx, offer, amount, at)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return { ...offer, requestedAmountPaise: amount }
}

async function knownOffer(tx: Tx, journey: Journey, offerId: string): Promise<Offer> {
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  return offer
}
