// POST …/journey/offers/{offerID}/hosted: selects an offer and returns the URL of the hosted page that continues.

import { Refusal } from '@lendloom/foundation/refusal'
import { checkedPaise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { HybridHandOff, HybridHandOffRequest, HybridOfferParams, hybridProducts } from '@lendloom/wire/hosted/hybrid'
import { embedUrlOf } from '#platform/api/hosted/create-session.ts'
import { runOncePerKey } from '#platform/api/hosted/once-per-key.ts'
import { route } from '#platform/context.ts'
import { apiKey } from '#platform/integrators/access/api-key.ts'
import { issueEmbedToken } from '#platform/integrators/access/embed-session.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { isSelected } from '#platform/lending/offer/offer.ts'
import { requireSameChoice, selectOffer } from '#platform/lending/offer/select-offer.ts'
import { findOffer } from '#platform/lending/offer/store.ts'
import { hybridAnswer, replaySeconds } from './envelope.ts'
import { newestJourney } from './store.ts'

export const handOff = route({
  method: 'POST',
  path: '/api/v1/hybrid/{product}/borrowers/{borrowerProviderID}/journey/offers/{offerID}/hosted',
  section: 'D1 §4',
  operationId: 'continueHosted',
  summary: 'Choose an offer and get the URL of the hosted page that continues with it, new on every call',
  auth: apiKey('sessions'),
  params: HybridOfferParams,
  body: HybridHandOffRequest,
  reply: { 200: HybridHandOff },
  handle: (call, ctx) => {
    const act = async (tx: Tx) => {
      const { who, params, body, ip, at } = call
      const { borrowerProviderID } = params
      const journeyType = hybridProducts[params.product]
      const newest = await newestJourney(tx, who, borrowerProviderID, journeyType)
      const journey = newest && (await lockJourney(tx, newest.tenantId, newest.journeyId))
      const offer = journey && (await findOffer(tx, journey, params.offerID.toLowerCase()))
      if (!offer) throw new Refusal('absent', 'this borrower has no such offer')
      const branchId = body.branchID
      const months = body.tenureMonths
      const amount = body.amount === undefined ? undefined : checkedPaise(body.amount)
      const pledges = body.pledges?.map(({ scheme_code, units }) => ({ schemeCode: scheme_code, units }))
      if (isSelected(offer)) requireSameChoice(journey, offer, { amount, months, branchId, pledges })
      else {
        const [firstBranch, ...otherBranches] = offer.branches
        const choice = {
          amount: amount ?? BigInt(offer.limits.mostAmount),
          months: months ?? offer.terms?.termMonths ?? offer.limits.mostMonths,
          branchId: branchId ?? (firstBranch && otherBranches.length === 0 ? firstBranch.id : null),
          origin: { channel: 'hybrid', ip } as const,
          ...(pledges && { pledges }),
        }
        await selectOffer({ ...ctx, tx, at }, journey, offer.offerId, choice)
      }
      const token = await issueEmbedToken({ ...ctx, tx, at }, journey)
      const opening = { token, hasApplied: true }
      return hybridAnswer(200, call, {
        journey_id: journey.journeyId,
        offer_id: offer.offerId,
        hosted_url: embedUrlOf(ctx, who, { externalId: borrowerProviderID, type: journeyType }, opening),
      })
    }
    return runOncePerKey(ctx, { operation: 'POST hybrid hosted', replaySeconds }, call, act)
  },
})
