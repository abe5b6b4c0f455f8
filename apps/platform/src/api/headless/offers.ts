// A journey's offers: list, detail, and the borrower's decisions (D2 §4).

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { pageOfAll, pageRequest } from '@lendloom/http/pagination'
import { checkedPaise, rupees } from '@lendloom/lending/money'
import { borrowerWords } from '@lendloom/lending/reason/reason'
import type { Db } from '@lendloom/postgres/sql'
import {
  LoanAmountRequest,
  LoanAmountResult,
  OfferDetail,
  OfferList,
  ProceedRequest,
  ProceedResult,
  RejectRequest,
  RejectResult,
} from '@lendloom/wire/headless/offer'
import { PageQuery } from '@lendloom/wire/headless/paging'
import { JourneyParams, OfferParams } from '@lendloom/wire/headless/path-parameters'
import { refuseAadhaar } from '@lendloom/wire/hosted/refused-text'
import type { BorrowerOfApplication } from '#platform/integrators/access/headless/authentication.ts'
import { listAaSessions } from '#platform/lenders/network/consent/store.ts'
import { proceedWithOffer, rejectOffer, requestAmount } from '#platform/lending/offer/decide-on-offer.ts'
import { isSelected } from '#platform/lending/offer/offer.ts'
import { findOffer, findSelected, listWithLenders } from '#platform/lending/offer/store.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { isSigned } from '#platform/lending/step/step.ts'
import { listSteps } from '#platform/lending/step/store.ts'
import { actRoute, lockActiveJourney, lockOwnJourney, readJourney, readRoute } from './headless-route.ts'
import { offerCards, offerDetail, selectionLockOf } from './offer-card.ts'

const offersPath = '/journeys/{journeyID}/offers'
const section = 'D2 §4'

/** Reads a journey and its offers from one snapshot, because the selection may change between two queries. */
const readOffers = (db: Db, who: BorrowerOfApplication, journeyId: string) =>
  db.snapshot(async (run) => {
    const journey = await readJourney(run, who, journeyId)
    const [offers, aa] = await Promise.all([listWithLenders(run, journey), listAaSessions(run, journey)])
    return { journey, offers, aa }
  })

const listRoute = readRoute({
  path: offersPath,
  section,
  operationId: 'listOffers',
  summary: 'List every lender that was asked, with its offer or the reason why it made none',
  params: JourneyParams,
  query: PageQuery,
  data: OfferList,
  async read({ who, params, query, at }, { db }) {
    const { offers, aa } = await readOffers(db, who, params.journeyID)
    return pageOfAll(offerCards(offers, aa, at), pageRequest(query), ({ offerID }) => offerID)
  },
})

const detailRoute = readRoute({
  path: `${offersPath}/{offerID}`,
  section,
  operationId: 'getOffer',
  summary: 'Get one offer in full: price, schedule, and whether the journey is locked to it',
  params: OfferParams,
  data: OfferDetail,
  async read({ who, params, at }, ctx) {
    const { db } = ctx
    const { journey, offers, aa } = await readOffers(db, who, params.journeyID)
    const offer = offers.find(({ offerId }) => offerId === params.offerID.toLowerCase())
    if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
    const address = offer.branches.length > 0 ? (await readProfile(db, ctx, journey)).person.address : {}
    return offerDetail(journey, offer, {
      lockedOffer: offers.find(isSelected),
      aa,
      pincode: address.pincode,
      at,
    })
  },
})

const proceedRoute = actRoute({
  method: 'POST',
  path: `${offersPath}/{offerID}/proceed`,
  section: 'D2 §3',
  operationId: 'selectOffer',
  summary: 'Proceed with an offer and lock the journey to it; the borrower must have seen its Key Facts Statement',
  params: OfferParams,
  body: ProceedRequest,
  data: ProceedResult,
  async act(tx, { who, params, body, ip, at }, ctx) {
    const journey = await lockOwnJourney(tx, who, params.journeyID)
    const origin = { channel: 'headless', ip, branchId: body.branchID ?? null } as const
    const offer = await proceedWithOffer({ ...ctx, tx, at }, journey, params.offerID, origin)
    return {
      journeyID: journey.journeyId,
      offerID: offer.offerId,
      status: 'PROCEEDED',
      proceeded: true,
      proceedBoundaryState: 'LOCKED',
      offerSelectionLock: selectionLockOf(offer),
    }
  },
})

const rejectRoute = actRoute({
  method: 'POST',
  path: `${offersPath}/{offerID}/reject`,
  section,
  operationId: 'rejectOffer',
  summary: 'Reject an offer; rejecting the chosen or the last one ends the journey',
  params: OfferParams,
  body: RejectRequest,
  data: RejectResult,
  async act(tx, { who, params, body, at }, ctx) {
    refuseAadhaar(body)
    const journey = await lockOwnJourney(tx, who, params.journeyID)
    const selected = await findSelected(tx, journey)
    if (selected?.offerId === params.offerID.toLowerCase() && isSigned(await listSteps(tx, journey)))
      throw new Refusal('wrong-state', 'the offer cannot be rejected after the loan agreement is signed', {
        status: journey.status,
      })
    const rejection = { stage: body.rejectedStage, because: body.rejectionReason }
    await rejectOffer({ ...ctx, tx, at }, journey, params.offerID, rejection)
    const { offerId, rejectedStage, rejectedBecause, rejectedAt } = required(
      await findOffer(tx, journey, params.offerID),
      'the offer that was just rejected',
    )
    return {
      journeyID: journey.journeyId,
      offerID: offerId,
      status: 'REJECTED',
      rejectedStage: rejectedStage ?? '',
      rejectionReason: rejectedBecause ?? borrowerWords.DECLINED,
      rejectedAt: required(rejectedAt, 'the time of a rejection').toISOString(),
    }
  },
})

const loanAmountRoute = actRoute({
  method: 'POST',
  path: `${offersPath}/{offerID}/loan-amount`,
  section,
  operationId: 'setLoanAmount',
  summary: 'Set the amount that the borrower wants, before proceeding',
  params: OfferParams,
  body: LoanAmountRequest,
  data: LoanAmountResult,
  async act(tx, { who, params, body, at }) {
    const journey = await lockActiveJourney(tx, who, params.journeyID)
    const offer = await requestAmount({ tx, at }, journey, params.offerID, checkedPaise(body.amount))
    return {
      journeyID: journey.journeyId,
      offerID: offer.offerId,
      amount: rupees(required(offer.requestedAmountPaise, 'the requested amount')),
      updatedAt: at.toISOString(),
    }
  },
})

export const offerRoutes = [listRoute, detailRoute, proceedRoute, rejectRoute, loanAmountRoute]
