// GET …/journey/offers: every lender that was asked, with its offers. Integrators show them on their own screens.

import { grouped } from '@lendloom/foundation/lists'
import { Refusal } from '@lendloom/foundation/refusal'
import { rupees } from '@lendloom/lending/money'
import { englishOf } from '@lendloom/lending/reason/reason'
import type { Run } from '@lendloom/postgres/sql'
import { type HybridOffer, HybridOffers, HybridParams, hybridProducts } from '@lendloom/wire/hosted/hybrid'
import { type Context, route } from '#platform/context.ts'
import { apiKey } from '#platform/integrators/access/api-key.ts'
import {
  type AaSession,
  mayRedirect,
  mustEnterHandle,
  sessionToShow,
} from '#platform/lenders/network/consent/aa-session.ts'
import { createConsentToken } from '#platform/lenders/network/consent/consent-link.ts'
import { listAaSessions } from '#platform/lenders/network/consent/store.ts'
import { endsJourney, type Journey, type Terms } from '#platform/lending/journey/journey.ts'
import { termsFrom } from '#platform/lending/journey/stored-terms.ts'
import { sortByDistance } from '#platform/lending/offer/branch-visit.ts'
import { compareOffers } from '#platform/lending/offer/compare-offers.ts'
import { isExpired, isSelected, type Offer } from '#platform/lending/offer/offer.ts'
import { penalCharges } from '#platform/lending/offer/penal-charges.ts'
import { openLine } from '#platform/lending/offer/pledge.ts'
import { listWithLenders } from '#platform/lending/offer/store.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { hybridAnswer } from './envelope.ts'
import { newestJourney } from './store.ts'

export const offersRoute = route({
  method: 'GET',
  path: '/api/v1/hybrid/{product}/borrowers/{borrowerProviderID}/journey/offers',
  section: 'D1 §4',
  operationId: 'listHybridOffers',
  summary: 'List the lenders that were asked, with their offers',
  auth: apiKey('sessions'),
  params: HybridParams,
  reply: { 200: HybridOffers },
  async handle(call, ctx) {
    const { who, params, at } = call
    const data = await ctx.db.snapshot(async (db) => {
      const type = hybridProducts[params.product]
      const journey = await newestJourney(db, who, params.borrowerProviderID, type)
      if (!journey) throw new Refusal('absent', 'this borrower has no such journey')
      return offersOf(db, ctx, journey, at)
    })
    return hybridAnswer(200, call, data)
  },
})

async function offersOf(db: Run, ctx: Context, journey: Journey, at: Date) {
  const [all, sessions, { person }] = await Promise.all([
    listWithLenders(db, journey),
    listAaSessions(db, journey),
    readProfile(db, ctx, journey),
  ])
  const { pincode } = person.address
  return {
    journey_id: journey.journeyId,
    status: journey.status,
    lenders: [...grouped(all.sort(compareOffers), ({ lenderId }) => lenderId).values()].map(([best, ...more]) => ({
      lender_id: best.lenderId,
      lender_name: best.lender.name,
      logo_url: best.lender.logoUrl,
      status: best.status,
      reason: englishOf(best.status === 'NO_OFFER_AVAILABLE' ? best.reason : null),
      offers: [best, ...more].flatMap((offer) =>
        offer.status === 'OFFER_RECEIVED' && offer.terms
          ? [toWireOffer(offer, termsFrom(offer.terms), pincode, at)]
          : [],
      ),
    })),
    account_aggregator: pendingConsentOf(ctx, journey, { all, sessions, at }),
    decision_status: endsJourney(journey.status) ? ('NOT_APPROVED' as const) : journey.decision,
    credit_line: creditLineOf(journey, all),
    poll_after_ms: pollAfterMs(journey),
  }
}

function toWireOffer(offer: Offer, terms: Terms, pincode: string | undefined, at: Date): HybridOffer {
  const productType = offer.creditLine ? 'CREDIT_LINE' : 'TERM_LOAN'
  return {
    offer_id: offer.offerId,
    amount_principal: rupees(terms.principal),
    offer_term: terms.term,
    interest_rate: terms.interestRate,
    interest_type: terms.interestType,
    annual_percentage_rate: terms.apr,
    installment_amount: rupees(terms.installmentAmount),
    number_of_installments: terms.installmentsCount,
    amount_total_interest_payable: rupees(terms.interest),
    processing_fees: rupees(terms.processingFee),
    other_upfront_charges: rupees(terms.otherUpfront),
    insurance_charges: rupees(terms.insurance),
    other_charges: rupees(terms.otherCharges),
    amount_net_disbursed_amount: rupees(terms.netDisbursed),
    penal_charges: penalCharges(terms),
    cool_off_period: terms.coolOffPeriod,
    key_facts_statement_link: terms.kfsLink,
    terms_and_conditions_link: terms.tncLink,
    ltv_ratio: terms.ltvRatio,
    branches: sortByDistance(offer, pincode).map(({ id, name, address, pincode: pin, aboutKm }) => ({
      branch_id: id,
      name,
      address,
      pincode: pin,
      about_km: aboutKm,
    })),
    product_type: offer.schemes.length === 0 ? null : productType,
    pledge_requirements: offer.schemes.map(({ schemeCode, rta, amcCode, folioId, unitsRequired, ltv }) => ({
      scheme_code: schemeCode,
      registrar: rta,
      amc_code: amcCode,
      folio: folioId,
      units_required: unitsRequired,
      ltv_ratio: ltv,
    })),
    valid_until: offer.validUntil?.toISOString() ?? null,
    expired: isExpired(offer, at),
    selected: isSelected(offer),
    limits: {
      least_amount: rupees(BigInt(offer.limits.leastAmount)),
      most_amount: rupees(BigInt(offer.limits.mostAmount)),
      least_tenure_months: offer.limits.leastMonths,
      most_tenure_months: offer.limits.mostMonths,
    },
  }
}

/** Returns the selected credit line; null until the lender has opened the line (decisions/0019-a-line-is-open.md). */
function creditLineOf({ closedAt }: Journey, all: Offer[]) {
  const offer = all.find(isSelected)
  const line = offer && openLine(offer)
  if (!line) return null
  return {
    offer_id: offer.offerId,
    status: closedAt === null ? ('OPEN' as const) : ('CLOSED' as const),
    limit: rupees(line.limit),
    // A lender may close a line without another report of what is drawn.
    utilised: rupees(closedAt === null ? line.utilised : 0n),
    available: rupees(closedAt === null ? line.available : 0n),
    opened_at: line.openedAt.toISOString(),
    changed_at: line.changedAt.toISOString(),
  }
}

interface ConsentContext {
  all: Offer[]
  sessions: AaSession[]
  at: Date
}

function pendingConsentOf({ config, seal }: Context, journey: Journey, { all, sessions, at }: ConsentContext) {
  const session = sessionToShow(sessions)
  const offer = session && all.find(({ offerId }) => offerId === session.offerId)
  if (!session || !offer || !journey.active) return null
  const token = createConsentToken(seal, { ...journey, offerId: offer.offerId }, at)
  const url = mayRedirect(session) || mustEnterHandle(session) ? `${config.PUBLIC_URL}/aa/go/${token}` : null
  return { lender_id: offer.lenderId, status: session.state, url }
}

function pollAfterMs({ active, status, search }: Journey): number | null {
  if (!active) return null
  if (status === 'STARTED') return search === 'OPEN' || search === 'CLOSED' ? 1000 : null
  if (status === 'PROFILED') return 1000
  return status === 'OFFERED' ? 2000 : null
}
