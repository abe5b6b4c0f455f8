// Builds the view that every response to the hosted page contains.

import { allOf } from '@lendloom/foundation/all-of'
import { recordOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { businessDate } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import { wordsOf } from '@lendloom/lending/reason/reason'
import type { Run } from '@lendloom/postgres/sql'
import type { EmbedRequestedConsent } from '@lendloom/wire/hosted/embed-consents'
import type { EmbedLender } from '@lendloom/wire/hosted/embed-lender'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import type { EmbedStep, EmbedView, Screen } from '@lendloom/wire/hosted/embed-view'
import type { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { loanOf } from '#platform/complaints/complaint/lender-store.ts'
import { findLoanComplaints } from '#platform/complaints/complaint/loan-complaint-store.ts'
import { grievancesOf } from '#platform/complaints/grievance/grievance-history.ts'
import type { Context } from '#platform/context.ts'
import type { SessionBorrower } from '#platform/integrators/access/embed-session.ts'
import { listAaSessions } from '#platform/lenders/network/consent/store.ts'
import { takesDrawdowns } from '#platform/lenders/network/drawdown/send-drawdown.ts'
import { readConversations } from '#platform/lenders/network/store.ts'
import { partnersOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { loanSnapshotOf } from '#platform/lenders/partner/status-snapshot.ts'
import { findSignedAgreement } from '#platform/lenders/partner/store.ts'
import { type BorrowerDetails, detailsContext, profileFieldsOf } from '#platform/lending/borrower/borrower.ts'
import { findWithdrawal } from '#platform/lending/borrower/store.ts'
import { listDrawdowns } from '#platform/lending/drawdown/store.ts'
import { isFetchable } from '#platform/lending/fund-statement/fund-statement.ts'
import { findFundStatement } from '#platform/lending/fund-statement/store.ts'
import { eventContext, hasLoan, isExpired, type Journey, returnUrlOf } from '#platform/lending/journey/journey.ts'
import { findClosedLoan, findEvents, listEarlierJourneys } from '#platform/lending/journey/store.ts'
import { listLenderNames } from '#platform/lending/lender/switch/store.ts'
import { byApr } from '#platform/lending/offer/compare-offers.ts'
import { isSelected, type Offer, quoteOf } from '#platform/lending/offer/offer.ts'
import { openLine } from '#platform/lending/offer/pledge.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { mayWithdraw } from '#platform/lending/offer/withdraw-consent.ts'
import { portfolioOf } from '#platform/lending/portfolio/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { endedInvoluntarily } from '#platform/lending/profile/last-application.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'
import { allSteps, type JourneyStep, pageUrlOf, stepNamed, stepNames } from '#platform/lending/step/step.ts'
import { bankContext, listSteps } from '#platform/lending/step/store.ts'
import { medianPayoutsOf } from '#platform/records/figures/read/payout-time.ts'
import { adviceFields } from './advice.ts'
import { consentViews } from './consents-view.ts'
import { drawdownPollMs, drawdownViews } from './drawdown-view.ts'
import { isPriceAwaited, withContact } from './extra-actions-view.ts'
import { fundsPollMs, fundsView } from './fund-statement-view.ts'
import { holdingViews, pledgeViews } from './fund-view.ts'
import { grievancePollMs, grievancesView } from './grievances-view.ts'
import { lenderCard, uniqueLenders } from './lender-card.ts'
import { lenderPageView } from './lender-page-view.ts'
import { creditLineView, loanFields } from './loan-view.ts'
import { type OfferViewContext, offerCard } from './offer-card.ts'
import { isEveryLenderIn, receiverFields } from './receiving-lenders.ts'
import { isOnOtherPage, isSearching, mayAskOthers, pollAfterMs, screenOf } from './screen.ts'
import { servicingPollMs, shortestOf } from './servicing-view.ts'
import { findShownJourney, type SearchedLender, searchedOffers } from './store.ts'
import { visitView } from './visit-calendar.ts'

/** Returns the view for a session; throws `absent` for an unknown journey. Omits updates up to sequence `after`. */
export async function pageViewOf(
  ctx: Context,
  who: SessionBorrower,
  after: number | null,
  at: Date,
): Promise<EmbedView> {
  const facts = await ctx.db.snapshot((db) => readUpdateContent(db, ctx, { who, after, at }))
  const payouts = facts.offers.length > 0 ? await medianPayoutsOf(ctx)(who.tenantId, at) : new Map()
  const { journey, person, lenders, offers, withdrawal, grievances, events } = facts
  const steps = allSteps(facts.storedSteps)
  const chosen = offers.find(isSelected)
  const offerContext = {
    pincode: person.address.pincode,
    requested: person.gold ?? {},
    at,
    holdings: facts.portfolio?.holdings ?? [],
    multiRequestLenders: multiRequestLendersIn(lenders),
  }
  const line = chosen ? openLine(chosen) : null
  const screen = screenOf(journey, steps, { hasFinalTerms: chosen?.finalTerms ?? false, isLineOpen: line !== null })
  const consents = consentViews(ctx, journey, facts.sessions, (offerId) => lenderOf(offerId, facts))
  const searching = await isSearchingNow(ctx, facts, consents, at)
  return {
    journeyId: journey.journeyId,
    journeyType: journey.type,
    version: journey.version,
    status: journey.status,
    screen,
    elsewhere: isOnOtherPage(journey, who),
    returnUrl: returnUrlOf(ctx, journey),
    hostName: facts.hostName ?? '',
    hostOrigins: facts.hostOrigins ?? [],
    goldLoan: null,
    ...profileFieldsOf(person),
    prefilled: isPrefilled(journey, person),
    ...(await receiverFields(ctx, journey, screen, { person, partners: facts.partners, at })),
    endUse: journey.endUse,
    lenders: lenderCards(lenders, (each) => lenderCard(ctx.seal, each, { at, payouts }), facts),
    accountAggregator: consents,
    searching,
    offers: receivedOfferViews(offers, lenders, offerContext),
    ...fundFields(ctx, screen, facts, at),
    selected: chosen ? selectedView(ctx, facts, chosen, offerContext) : null,
    steps: stepViews(ctx, journey, steps),
    creditLine: line && creditLineView(line),
    drawsHere: line !== null && facts.conversation !== undefined && takesDrawdowns(facts.conversation),
    drawdowns: drawdownViews(facts.drawdowns, at),
    bankAccount: maskedAccount(ctx, journey, steps),
    ...loanFields(ctx, { ...facts, screen, steps, chosen, lenderName: lenderNameIn(lenders, chosen?.lenderId) }, at),
    grievances: grievancesView(grievances, facts.complaints?.ofGrievances),
    endReason: wordsOf(journey.endReason),
    ...(await adviceFields(ctx, { journey, screen, chosen, lenders })),
    ...(await wayOutFields(ctx, facts, chosen, at)),
    withdrawnAt: withdrawal?.toISOString() ?? null,
    expiredFor: screen !== 'EXPIRED' ? null : journey.endReason === 'OFFERS_EXPIRED' ? 'OFFERS' : 'TIME',
    updates: events.map((event) => updateView(ctx, journey, event)),
    pollAfterMs: shortestOf(pollAfterMs(screen, searching), backgroundPollMs(facts, at)),
  }
}

const isPrefilled = (
  { status, createdAt, lastBorrowerActAt }: Journey,
  { personal: { mobile: _, ...details } }: BorrowerDetails,
): boolean =>
  status === 'STARTED' &&
  lastBorrowerActAt.getTime() === createdAt.getTime() &&
  Object.values(details).some((value) => (value ?? '') !== '')

async function isSearchingNow(
  ctx: Context,
  { journey, person, partners, lenders, offers }: ViewFacts,
  consents: EmbedRequestedConsent[],
  at: Date,
): Promise<boolean> {
  const query = { person, partners, at }
  const isComplete = journey.search === 'OPEN' && (await isEveryLenderIn(ctx, journey, lenders, query))
  return isSearching(journey, offers, { consents, isComplete })
}

async function wayOutFields(
  ctx: Context,
  { journey, person, partners, lenders, lastApplication, earlierLoan }: ViewFacts,
  chosen: Offer | undefined,
  at: Date,
): Promise<Pick<EmbedView, 'mayWithdraw' | 'mayAskOthers' | 'allRefused' | 'lastApplication' | 'earlierLoan'>> {
  const query = { person, partners, at }
  const refusing = lenders.filter(({ lenderId }) => lenderId === chosen?.lenderId)
  const allRefused = mayAskOthers(journey) && (await isEveryLenderIn(ctx, journey, refusing, query))
  return {
    mayWithdraw: mayWithdraw(journey),
    mayAskOthers: mayAskOthers(journey) && !allRefused,
    allRefused,
    lastApplication,
    earlierLoan,
  }
}

const screensWithHoldings: readonly Screen[] = ['PROFILE', 'SEARCHING', 'OFFERS']

const fundFields = (
  ctx: Context,
  screen: Screen,
  { journey, portfolio, fundStatement }: ViewFacts,
  at: Date,
): Pick<EmbedView, 'holdings' | 'funds'> => ({
  holdings: screensWithHoldings.includes(screen) ? holdingViews(portfolio?.holdings ?? [], businessDate(at)) : [],
  funds: fundsView(ctx, journey, portfolio, fundStatement),
})

const lenderCards = (
  lenders: SearchedLender[],
  cardOf: (lender: SearchedLender) => EmbedLender,
  { conversation }: ViewFacts,
): EmbedLender[] => uniqueLenders(lenders).map(cardOf).map(withContact(conversation))

const backgroundPollMs = (
  { journey, fundStatement, operations, drawdowns, grievances, complaints, snapshot, conversation }: ViewFacts,
  at: Date,
): number | null =>
  shortestOf(
    conversation && isPriceAwaited(conversation.extras, at) ? 1000 : null,
    fundsPollMs(fundStatement),
    drawdownPollMs(drawdowns, at),
    servicingPollMs(operations, journey.closedAt ? undefined : complaints, snapshot),
    grievancePollMs(grievances),
  )

const lenderNameIn = (lenders: SearchedLender[], id: string | undefined): string =>
  lenders.find(({ lenderId }) => lenderId === id)?.identity.name ?? ''

function lenderOf(offerId: string, { offers, lenders }: { offers: Offer[]; lenders: SearchedLender[] }) {
  const lenderId = offers.find((offer) => offer.offerId === offerId)?.lenderId ?? ''
  return { lenderId, lenderName: lenderNameIn(lenders, lenderId) }
}

/** The lenders of which the journey has several offers, such as one on bureau data and one on bank data. */
const multiRequestLendersIn = (lenders: SearchedLender[]): Set<string> =>
  new Set(lenders.map(({ lenderId }) => lenderId).filter((id, i, all) => all.indexOf(id) !== i))

const receivedOfferViews = (
  offers: Offer[],
  lenders: SearchedLender[],
  offerContext: OfferViewContext,
): EmbedView['offers'] =>
  offers
    .filter(({ status }) => status === 'OFFER_RECEIVED')
    .sort(byApr)
    .map((offer) =>
      offerCard(
        offer,
        required(offer.firstTerms, 'the first terms of an offer'),
        lenderNameIn(lenders, offer.lenderId),
        offerContext,
      ),
    )

type StoredEvent = Awaited<ReturnType<typeof findEvents>>[number]

const updateView = (
  { seal }: Context,
  { tenantId, journeyId }: Journey,
  { status, sequence, payloadSealed }: StoredEvent,
): EmbedView['updates'][number] => ({
  sequence,
  payload: seal.openJson<LifecycleUpdate>(payloadSealed, eventContext(tenantId, journeyId, status)),
})

interface ViewRequest {
  who: SessionBorrower
  after: number | null
  at: Date
}

type ViewFacts = Awaited<ReturnType<typeof readUpdateContent>>

/** The caller provides a snapshot, so that a failed step never appears in a journey that has not ended yet. */
async function readUpdateContent(db: Run, ctx: Context, { who, after, at }: ViewRequest) {
  const found = await findShownJourney(db, who)
  if (!found) throw new Refusal('absent', 'there is no such journey')
  const { profileSealed, hostName, hostOrigins, ...journey } = found
  const facts = await allOf({
    offers: searchedOffers(db, journey),
    storedSteps: listSteps(db, journey),
    operations: hasLoan(journey) ? listServicing(db, journey) : [],
    drawdowns: hasLoan(journey) && productOf(journey).pledgesFunds ? listDrawdowns(db, journey) : [],
    sessions: listAaSessions(db, journey),
    portfolio: productOf(journey).pledgesFunds ? portfolioOf(db, ctx, journey) : null,
    fundStatement: isFetchable(journey) ? findFundStatement(db, journey) : undefined,
    grievances: hasLoan(journey) ? grievancesOf(db, ctx, journey, at) : null,
    agreement:
      hasLoan(journey) && productOf(journey).partnerLendsTo.length > 0 ? findSignedAgreement(db, journey) : null,
    snapshot: journey.status === 'DISBURSED' ? loanSnapshotOf(db, ctx, journey) : null,
    loan: hasLoan(journey) ? loanOf(db, journey) : undefined,
    complaints: hasLoan(journey) ? findLoanComplaints(db, journey) : undefined,
    partners: partnersOf(ctx).all(db),
    conversations: hasChosenLender(journey) ? readConversations(db, journey.tenantId, journey.journeyId) : [],
    withdrawal: journey.status === 'REJECTED' ? findWithdrawal(db, journey) : null,
    lastApplication: lastApplicationOf(db, journey),
    earlierLoan: earlierLoanOf(db, journey),
    events: findEvents(db, journey.tenantId, journey.journeyId, after ?? journey.pageSequence),
  })
  const chosen = facts.offers.find(isSelected)
  const context = detailsContext(journey.tenantId, journey.journeyId)
  return {
    journey,
    hostName,
    hostOrigins,
    person: ctx.seal.openJson<BorrowerDetails>(profileSealed, context),
    ...facts,
    lenders: facts.offers,
    conversation: facts.conversations.find((each) => each.conversationId === chosen?.conversationId),
  }
}

/** Whether the view shows what the chosen lender has told, such as its page's progress and, later, how the loan is paid. */
const hasChosenLender = (journey: Journey): boolean =>
  journey.status === 'OFFER_SELECTED' || journey.status === 'OFFER_ACCEPTED' || hasLoan(journey)

function selectedView(
  ctx: Context,
  { journey, lenders, conversation }: Pick<ViewFacts, 'journey' | 'lenders' | 'conversation'>,
  offer: Offer,
  offerContext: OfferViewContext,
): NonNullable<EmbedView['selected']> {
  const lenderName = lenderNameIn(lenders, offer.lenderId)
  const terms = offerCard(offer, required(offer.terms, 'the terms of a chosen offer'), lenderName, offerContext)
  return {
    offerId: offer.offerId,
    lenderName,
    amount: journey.preferredAmountPaise === null ? terms.amountPrincipal : rupees(journey.preferredAmountPaise),
    tenureMonths: journey.preferredTenureMonths ?? terms.tenureMonths,
    terms,
    quote: required(quoteOf(offer), 'the quote of a chosen offer'),
    final: offer.finalTerms,
    changed: journey.changeInOffer,
    branch: terms.branches.find(({ id }) => id === offer.branchId) ?? null,
    agent: offer.agent && { name: offer.agent.name ?? '', phone: offer.agent.phone ?? '' },
    visitBooked: offer.visitBookedAt !== null,
    visit: visitView(ctx, offer, lenderName, offerContext.at),
    lenderPage: lenderPageView(conversation),
    pledges: pledgeViews(offer.pledges, offer.schemes, offerContext.holdings),
  }
}

const stepViews = (ctx: Context, journey: Journey, steps: JourneyStep[]): EmbedView['steps'] =>
  recordOf(stepNames, (name) => stepView(ctx, journey, stepNamed(steps, name)))

function stepView({ seal }: Context, journey: Journey, step: JourneyStep): EmbedStep {
  const { status, attempts, diagnostics } = step
  const isOpen = status === 'READY' || status === 'IN_PROGRESS' || status === 'FAILURE'
  return {
    status,
    attempts,
    redirectUrl: isOpen ? pageUrlOf(seal, journey, step) : null,
    problem: wordsOf(diagnostics?.problem ?? null),
  }
}

function maskedAccount(ctx: Context, { tenantId, journeyId }: Journey, steps: JourneyStep[]): string | null {
  const sealed = steps.find(({ bankSealed }) => bankSealed !== null)?.bankSealed
  if (!sealed) return null
  const { accountNumber } = ctx.seal.openJson<BankAccount>(sealed, bankContext(tenantId, journeyId))
  return `•••• ${accountNumber.slice(-4)}`
}

/** The last application that expired or that lenders ended without a loan; null without one, or for a later status. */
async function lastApplicationOf(db: Run, journey: Journey): Promise<EmbedView['lastApplication']> {
  if (journey.status !== 'STARTED') return null
  const [last] = await listEarlierJourneys(db, journey)
  if (!last || !(await endedInvoluntarily(db, last))) return null
  const offer = last.status === 'REJECTED' ? await findSelected(db, last) : undefined
  const [lender] = offer ? await listLenderNames(db, last.tenantId, [offer.lenderId]) : []
  return { endedAt: last.updatedAt.toISOString(), lender: lender?.name ?? null, expired: isExpired(last) }
}

/** The closed loan that the page of an application can open: only before it asks lenders does it lead away from itself. */
export const closedLoanBefore = async (db: Run, journey: Journey): Promise<Journey | undefined> =>
  journey.status === 'STARTED' ? findClosedLoan(db, journey) : undefined

/** What the page of an application says of it; null if there is none. */
async function earlierLoanOf(db: Run, journey: Journey): Promise<EmbedView['earlierLoan']> {
  const loan = await closedLoanBefore(db, journey)
  const offer = loan && (await findSelected(db, loan))
  if (!offer) return null
  const [lender] = await listLenderNames(db, journey.tenantId, [offer.lenderId])
  return lender ? { lender: lender.name, creditLine: offer.creditLine } : null
}
