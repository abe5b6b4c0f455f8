// The offers of a journey: the list, one in full, and what a borrower decides about it (D2 §4).

import { JourneyParams, OfferParams, PageQuery } from '#contract/headless/fields.ts'
import {
  LoanAmountRequest,
  LoanAmountResult,
  OfferDetail,
  OfferList,
  ProceedRequest,
  ProceedResult,
  RejectRequest,
  RejectResult,
} from '#contract/headless/offer.ts'
import { refuseAadhaar } from '#contract/hosted/profile.ts'
import { borrowerWords } from '#contract/reason/reason.ts'
import type { Db } from '#kit/db/sql.ts'
import { pageOfAll, pageRequest } from '#kit/http/page.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { checkedPaise, rupees } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import { listAaSessions } from '#platform/aa/store.ts'
import type { BorrowerOfApplication } from '#platform/access/headless/caller.ts'
import { proceedWithOffer, rejectOffer, requestAmount } from '#platform/offer/decide.ts'
import { isSelected } from '#platform/offer/offer.ts'
import { findOffer, findSelected, listWithLenders } from '#platform/offer/store.ts'
import { readProfile } from '#platform/profile/edit.ts'
import { isSigned, listSteps } from '#platform/step/store.ts'
import { lockPart, offerCards, offerDetail } from './offer-card.ts'
import { acting, activeJourneyOf, journeyOf, journeySeen, reading } from './route.ts'

const offersPath = '/journeys/{journeyID}/offers'
const section = 'D2 §4'

/** From one snapshot: of two offers never both, or neither, are shown as the chosen one. */
const offersSeen = (db: Db, who: BorrowerOfApplication, journeyId: string) =>
  db.snapshot(async (run) => {
    const journey = await journeySeen(run, who, journeyId)
    const [offers, aa] = await Promise.all([listWithLenders(run, journey), listAaSessions(run, journey)])
    return { journey, offers, aa }
  })

const listOffers = reading({
  path: offersPath,
  section,
  summary: 'Every lender that was asked, with its offer, or why there is none',
  params: JourneyParams,
  query: PageQuery,
  data: OfferList,
  async read({ who, params, query, at }, { db }) {
    const { offers, aa } = await offersSeen(db, who, params.journeyID)
    return pageOfAll(offerCards(offers, aa, at), pageRequest(query), ({ offerID }) => offerID)
  },
})

const getOffer = reading({
  path: `${offersPath}/{offerID}`,
  section,
  summary: 'One offer in full: its price, its schedule, and how it stands to the choice',
  params: OfferParams,
  data: OfferDetail,
  async read({ who, params, at }, ctx) {
    const { db } = ctx
    const { journey, offers, aa } = await offersSeen(db, who, params.journeyID)
    const offer = offers.find(({ offerId }) => offerId === params.offerID.toLowerCase())
    if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
    const home = offer.branches.length > 0 ? (await readProfile(db, ctx, journey)).person.address : {}
    return offerDetail(journey, offer, {
      held: offers.find(isSelected),
      aa,
      pincode: home.pincode,
      at,
    })
  },
})

const proceed = acting({
  method: 'POST',
  path: `${offersPath}/{offerID}/proceed`,
  section: 'D2 §3',
  summary: 'Go ahead with an offer, whose Key Facts Statement the borrower has been shown: the journey is locked to it',
  params: OfferParams,
  body: ProceedRequest,
  data: ProceedResult,
  async act(tx, { who, params, body, ip, at }, ctx) {
    const journey = await journeyOf(tx, who, params.journeyID)
    const place = { channel: 'headless', ip, branchId: body.branchID ?? null } as const
    const offer = await proceedWithOffer({ ...ctx, tx, at }, journey, params.offerID, place)
    return {
      journeyID: journey.journeyId,
      offerID: offer.offerId,
      status: 'PROCEEDED',
      proceeded: true,
      proceedBoundaryState: 'LOCKED',
      offerSelectionLock: lockPart(offer),
    }
  },
})

const reject = acting({
  method: 'POST',
  path: `${offersPath}/{offerID}/reject`,
  section,
  summary: 'Turn an offer down; turning down the chosen one, or the last one, ends the journey',
  params: OfferParams,
  body: RejectRequest,
  data: RejectResult,
  async act(tx, { who, params, body, at }, ctx) {
    refuseAadhaar(body)
    const journey = await journeyOf(tx, who, params.journeyID)
    const held = await findSelected(tx, journey)
    if (held?.offerId === params.offerID.toLowerCase() && isSigned(await listSteps(tx, journey)))
      throw new Refusal('wrong-state', 'the loan agreement is signed: the offer cannot be turned down any more', {
        status: journey.status,
      })
    const saying = { stage: body.rejectedStage, because: body.rejectionReason }
    await rejectOffer({ ...ctx, tx, at }, journey, params.offerID, saying)
    const { offerId, rejectedStage, rejectedBecause, rejectedAt } = required(
      await findOffer(tx, journey, params.offerID),
      'an offer that was just rejected',
    )
    return {
      journeyID: journey.journeyId,
      offerID: offerId,
      status: 'REJECTED',
      rejectedStage: rejectedStage ?? '',
      rejectionReason: rejectedBecause ?? borrowerWords.DECLINED,
      rejectedAt: required(rejectedAt, 'when an offer was rejected').toISOString(),
    }
  },
})

const loanAmount = acting({
  method: 'POST',
  path: `${offersPath}/{offerID}/loan-amount`,
  section,
  summary: 'Say how much of an offer the borrower wants, before proceeding with it',
  params: OfferParams,
  body: LoanAmountRequest,
  data: LoanAmountResult,
  async act(tx, { who, params, body, at }) {
    const journey = await activeJourneyOf(tx, who, params.journeyID)
    const offer = await requestAmount({ tx, at }, journey, params.offerID, checkedPaise(body.amount))
    return {
      journeyID: journey.journeyId,
      offerID: offer.offerId,
      amount: rupees(required(offer.requestedAmountPaise, 'the amount that was asked for')),
      updatedAt: at.toISOString(),
    }
  },
})

export const offerRoutes = [listOffers, getOffer, proceed, reject, loanAmount]
