// The view that every answer to the hosted page carries: read once, from every module, after the act.

import type { BankAccount, EmbedStep, EmbedView } from '#contract/hosted/embed.ts'
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import { wordsOf } from '#contract/reason/words.ts'
import type { Run } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { rupees } from '#kit/money/money.ts'
import { allOf } from '#kit/runtime/all-of.ts'
import { listAaSessions } from '#platform/aa/store.ts'
import type { Borrower } from '#platform/access/embed-session.ts'
import { findApplication } from '#platform/access/store.ts'
import { findWithdrawal } from '#platform/borrower/store.ts'
import type { Context } from '#platform/context.ts'
import { grievancesOf } from '#platform/grievance/read.ts'
import { eventContext, type Journey, returnUrlOf } from '#platform/journey/journey.ts'
import { findEvents, findJourney } from '#platform/journey/store.ts'
import { byApr } from '#platform/offer/disclosure.ts'
import { type OpenLine, openLine } from '#platform/offer/line.ts'
import { isSelected, type Offer } from '#platform/offer/offer.ts'
import { listOffers } from '#platform/offer/store.ts'
import { mayWithdraw } from '#platform/offer/withdraw.ts'
import { portfolioOf } from '#platform/portfolio/portfolio.ts'
import { productOf } from '#platform/product/products.ts'
import { readProfile } from '#platform/profile/edit.ts'
import { spelled } from '#platform/profile/spelling.ts'
import { listServicing } from '#platform/servicing/store.ts'
import { allSteps, bankContext, type Step, type StepName } from '#platform/step/step.ts'
import { listSteps } from '#platform/step/store.ts'
import { consentParts } from './aa-view.ts'
import { grievanceParts, grievancePollMs, hasLoan } from './grievance-view.ts'
import { type Here, lenderCard, lendersOnce, offerCard } from './offer-card.ts'
import { pledgeParts } from './pledge-parts.ts'
import { isElsewhere, isSearching, pollAfterMs, screenOf } from './screen.ts'
import { installmentParts, paymentParts, servicingPollMs } from './servicing-view.ts'
import { askedLenders, type SearchedLender } from './store.ts'

/** The view for one borrower's session; `absent` when the journey is gone. Updates up to sequence `after` are left out. */
export async function viewOf(ctx: Context, who: Borrower, after: number | null, at: Date): Promise<EmbedView> {
  const {
    journey,
    application,
    profile,
    lenders,
    offers,
    stored,
    operations,
    sessions,
    portfolio,
    withdrawal,
    grievances,
    events,
  } = await ctx.db.snapshot((db) => readAll(db, ctx, who, after, at))
  const steps = allSteps(stored)
  const chosen = offers.find(isSelected)
  const { address, gold } = profile.person
  const several = new Set(lenders.map(({ lenderId }) => lenderId).filter((id, i, all) => all.indexOf(id) !== i))
  const here = { pincode: address.pincode, requested: gold ?? {}, at, holdings: portfolio?.holdings ?? [], several }
  const line = chosen ? openLine(chosen) : null
  const screen = screenOf(journey, steps, { isFinal: chosen?.finalTerms ?? false, isLineOpen: line !== null })
  const nameOf = (lenderId: string): string =>
    lenders.find((lender) => lender.lenderId === lenderId)?.identity.name ?? ''
  const consents = consentParts(ctx, journey, sessions, (offerId) => {
    const lenderId = offers.find((offer) => offer.offerId === offerId)?.lenderId ?? ''
    return { lenderId, lenderName: nameOf(lenderId) }
  })
  return {
    journeyId: journey.journeyId,
    journeyType: journey.type,
    version: journey.version,
    status: journey.status,
    screen,
    elsewhere: isElsewhere(journey, who),
    returnUrl: returnUrlOf(ctx, journey),
    hostName: application?.name ?? '',
    hostOrigins: application?.origins ?? [],
    goldLoan: null,
    ...spelled(profile.person),
    endUse: journey.endUse as EmbedView['endUse'],
    lenders: lendersOnce(lenders).map(lenderCard),
    accountAggregator: consents,
    searching: isSearching(journey, offers, consents),
    offers: offers
      .filter(({ status }) => status === 'OFFER_RECEIVED')
      .sort(byApr)
      .map((offer) => offerCard(offer, offer.firstTerms!, nameOf(offer.lenderId), here)),
    selected: chosen ? selection(journey, chosen, lenders, here) : null,
    steps: stepParts(steps),
    creditLine: line && linePart(line),
    bankAccount: maskedAccount(ctx, journey, steps),
    installments: installmentParts(chosen?.installments ?? [], at),
    servicing: paymentParts(operations),
    grievances: grievanceParts(grievances),
    endReason: wordsOf(journey.endReason),
    mayWithdraw: mayWithdraw(journey),
    withdrawnAt: withdrawal?.toISOString() ?? null,
    expiredFor: screen !== 'EXPIRED' ? null : journey.endReason === 'OFFERS_EXPIRED' ? 'OFFERS' : 'TIME',
    updates: events.map(({ status, sequence, payloadSealed }) => ({
      sequence,
      payload: ctx.seal.openJson<LifecycleUpdate>(
        payloadSealed,
        eventContext(journey.tenantId, journey.journeyId, status),
      ),
    })),
    pollAfterMs: pollAfterMs(screen) ?? servicingPollMs(operations) ?? grievancePollMs(grievances),
  }
}

/** From one snapshot: a step that failed is not shown beside a journey that has not ended yet. */
async function readAll(db: Run, ctx: Context, who: Borrower, after: number | null, at: Date) {
  const journey = await findJourney(db, who.tenantId, who.journeyId)
  if (!journey) throw new Refusal('absent', 'there is no such journey')
  const of = await allOf({
    application: findApplication(db, journey.tenantId, journey.applicationId),
    profile: readProfile(db, ctx, journey),
    lenders: askedLenders(db, journey),
    offers: listOffers(db, journey),
    stored: listSteps(db, journey),
    operations: listServicing(db, journey),
    sessions: listAaSessions(db, journey),
    portfolio: productOf(journey).pledgesFunds ? portfolioOf(db, ctx, journey) : null,
    grievances: hasLoan(journey) ? grievancesOf(db, ctx, journey, at) : null,
    withdrawal: journey.status === 'REJECTED' ? findWithdrawal(db, journey) : null,
    events: findEvents(db, journey.tenantId, journey.journeyId, after ?? journey.pageSequence),
  })
  return { journey, ...of }
}

function selection(
  journey: Journey,
  offer: Offer,
  lenders: SearchedLender[],
  here: Here,
): NonNullable<EmbedView['selected']> {
  const lenderName = lenders.find(({ lenderId }) => lenderId === offer.lenderId)?.identity.name ?? ''
  const terms = offerCard(offer, offer.terms!, lenderName, here)
  return {
    offerId: offer.offerId,
    lenderName,
    amount: journey.preferredAmountPaise === null ? terms.amountPrincipal : rupees(journey.preferredAmountPaise),
    tenureMonths: journey.preferredTenureMonths ?? terms.tenureMonths,
    terms,
    final: offer.finalTerms,
    changed: journey.changeInOffer,
    branch: terms.branches.find(({ id }) => id === offer.branchId) ?? null,
    agent: offer.agent && { name: offer.agent.name ?? '', phone: offer.agent.phone ?? '' },
    visitBooked: offer.visitBookedAt !== null,
    pledges: pledgeParts(offer.pledges, offer.schemes, here.holdings),
  }
}

const linePart = ({ limit, utilised, available, changedAt }: OpenLine): EmbedView['creditLine'] => ({
  limit: rupees(limit),
  used: rupees(utilised),
  free: rupees(available),
  changedAt: changedAt.toISOString(),
})

const stepParts = (steps: Step[]): EmbedView['steps'] =>
  Object.fromEntries(steps.map((step) => [step.name, stepPart(step)])) as Record<StepName, EmbedStep>

const stepPart = ({ status, attempts, resourceUrl, diagnostics }: Step): EmbedStep => ({
  status,
  attempts,
  redirectUrl: status === 'READY' || status === 'IN_PROGRESS' || status === 'FAILURE' ? resourceUrl : null,
  problem: wordsOf(diagnostics?.problem ?? null),
})

function maskedAccount(ctx: Context, { tenantId, journeyId }: Journey, steps: Step[]): string | null {
  const sealed = steps.find(({ bankSealed }) => bankSealed !== null)?.bankSealed
  if (!sealed) return null
  const { accountNumber } = ctx.seal.openJson<BankAccount>(sealed, bankContext(tenantId, journeyId))
  return `•••• ${accountNumber.slice(-4)}`
}
