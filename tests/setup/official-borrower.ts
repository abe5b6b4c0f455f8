// Borrowers of the official flows: each accepts the only offer, gives the requested consents and completes every page.

import type { PaymentKind, ServicingPath } from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { visitAggregator } from './aggregator.ts'
import {
  answerPage,
  application,
  type Borrower,
  call,
  enter,
  gold,
  newApplicant,
  openSession,
  type Plan,
  proceedUntil,
  readView,
  showsScreen,
} from './borrower.ts'
import { mfc } from './funds.ts'
import {
  approvePages,
  cardsOf,
  completeSteps,
  type HeadlessBorrower,
  mustCall,
  offerPath,
  startHeadlessJourney,
  stateOf,
} from './headless.ts'
import { borrowerOf, type OfficialPrograms } from './official-programs.ts'
import { ask } from './platform.ts'
import { until } from './programs.ts'

type Product = 'PERSONAL_LOAN' | 'GOLD_LOAN'

/** Opens the hosted page for a new borrower whose profile is still empty. */
export async function enterHostedPage(ctx: OfficialPrograms, flowId: string, journeyType: Product): Promise<Borrower> {
  const person = newApplicant({
    borrowerProviderID: borrowerOf(flowId),
    ...(journeyType === 'GOLD_LOAN' && { journeyType }),
  })
  const { body } = await openSession(ctx.platformUrl, ctx.tenant, person)
  return enter(ctx.platformUrl, body.embedUrl)
}

const consentDue = ({ accountAggregator }: EmbedView) =>
  accountAggregator.find(({ standing: report }) => report === 'DUE')

/** Acts at the hosted page, consents included, until `done` accepts the view. */
export async function proceedWithConsents(
  borrower: Borrower,
  what: string,
  done: (view: EmbedView) => boolean,
  plan: Plan = {},
): Promise<void> {
  const givenConsents = new Set<string>()
  for (;;) {
    const isDue = (view: EmbedView) => {
      const due = consentDue(view)
      return due !== undefined && !givenConsents.has(`${due.offerId} ${due.purpose}`)
    }
    await proceedUntil(borrower, what, (view) => done(view) || isDue(view), plan)
    if (done(borrower.view)) return
    const due = consentDue(borrower.view)!
    givenConsents.add(`${due.offerId} ${due.purpose}`)
    const { body } = await call(borrower, 'POST', `/aa/${due.offerId}/redirect`)
    await visitAggregator(body.url, 'approve')
  }
}

export const showsDisbursed = showsScreen('DISBURSED')

/** Chooses only an offer that is based on bank data; the lender may first make one that is based on the bureau. */
export const preferBankDataOffer: Plan = {
  choose(offers) {
    const offer = offers.find(({ basis }) => basis === 'account-aggregator')
    return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
  },
}

const paths: Record<PaymentKind, ServicingPath> = {
  FORECLOSURE: 'foreclosure',
  PRE_PART_PAYMENT: 'pre-part-payment',
  MISSED_EMI_PAYMENT: 'missed-emi-payment',
} as Record<PaymentKind, ServicingPath>

/** Requests a payment, pays it if there is a link, and waits until the lender reports it. */
export async function makePayment(borrower: Borrower, kind: PaymentKind, amount?: string): Promise<EmbedView> {
  const reply = await call(borrower, 'POST', `/servicing/${paths[kind]}`, amount ? { amount } : {})
  if (reply.status !== 200) throw new Error(`${kind} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  const paid = new Set<string>()
  return until(`${kind} paid`, async () => {
    const view = await readView(borrower)
    const payment = view.servicing.find((each) => each.kind === kind)
    if (payment?.status === 'LINK_READY' && !paid.has(payment.redirectUrl!)) {
      paid.add(payment.redirectUrl!)
      await answerPage(payment.redirectUrl!, 'approve')
    }
    return payment?.status === 'PAID' && view
  })
}

/** Starts a loan by the hybrid API and continues it at the hosted page; `or none` returns null without an offer. */
export async function handOverToHostedPage(
  ctx: OfficialPrograms,
  flowId: string,
  product: 'gold-loan' | 'lamf',
): Promise<Borrower>
export async function handOverToHostedPage(
  ctx: OfficialPrograms,
  flowId: string,
  product: 'gold-loan' | 'lamf',
  expectation: 'or none',
): Promise<Borrower | null>
export async function handOverToHostedPage(
  ctx: OfficialPrograms,
  flowId: string,
  product: string,
  expectation?: 'or none',
) {
  const { profile } = newApplicant()
  const { profile: person, workProfile: work, address } = application()
  const base = `${ctx.platformUrl}/api/v1/hybrid/${product}/borrowers/${borrowerOf(flowId)}/journey`
  const call = (method: string, path: string, body?: object) =>
    ask(`${base}${path}`, { method, key: ctx.tenant.apiKey, ...(body && { body }) })
  const journey = { bureauConsent: true, ...(product === 'lamf' && { endUse: 'education' }) }
  const [portfolio] = mfc.data
  const camsOnly = { dtSummary: portfolio!.dtSummary.slice(0, 1) }
  const holdings = { data: flowId.startsWith('mutual-funds-registrar') ? [camsOnly] : mfc.data }
  const isLine = flowId.startsWith('credit-line')
  const more =
    product === 'lamf'
      ? { work, mfc: holdings, ...(isLine && { loanPreferences: { facilitytype: 'OVERDRAFT' } }) }
      : { goldLoan: gold }
  const startReply = await call('POST', '', { personal: { ...profile, ...person }, address, journey, ...more })
  if (startReply.status !== 201) throw new Error(`no journey: ${JSON.stringify(startReply.body)}`)
  const visited = new Set<string>()
  const offer = await until('the offer', async () => {
    const { lenders, status, account_aggregator: due } = (await call('GET', '/offers')).body.data
    // The link disappears after the borrower's visit, until the lender continues.
    if (due?.url && !visited.has(due.lender_id)) {
      visited.add(due.lender_id)
      const redirect = await fetch(due.url, { redirect: 'manual' })
      await visitAggregator(redirect.headers.get('location')!, 'approve')
    }
    if (expectation && (status === 'NOT_OFFERED' || (await isUnanswered(ctx, startReply.body.data.journey_id))))
      return null
    return lenders.flatMap(({ offers }: { offers: object[] }) => offers)[0]
  })
  if (offer === null) return null
  const branchID = offer.branches?.[0]?.branch_id
  const handOverReply = await call('POST', `/offers/${offer.offer_id}/hosted`, branchID ? { branchID } : {})
  if (handOverReply.status !== 200) throw new Error(`not handed over: ${JSON.stringify(handOverReply.body)}`)
  return enter(ctx.platformUrl, handOverReply.body.data.hosted_url)
}

/** Whether no lender could be reached; the borrower may then retry. */
async function isUnanswered({ db }: OfficialPrograms, journeyId: string): Promise<boolean> {
  const [row] = await db<{ search: string }>`select search from journey where journey_id = ${journeyId}`
  return row!.search === 'UNANSWERED'
}

/** Plays a whole loan through the headless API, consents and pages included. */
export async function runHeadlessJourney(
  ctx: OfficialPrograms,
  flowId: string,
  type: Product,
): Promise<HeadlessBorrower> {
  const borrower = await startHeadlessJourney(
    ctx.platformUrl,
    ctx.tenant,
    newApplicant({ borrowerProviderID: borrowerOf(flowId) }),
    type,
  )
  const { profile, workProfile, address } = application()
  const more = type === 'GOLD_LOAN' ? { goldLoan: gold } : { workProfile }
  const journey = `/journeys/${borrower.journeyId}`
  await mustCall(borrower, 'PUT', `${journey}/profile`, { profile, address, ...more })
  await mustCall(borrower, 'POST', `${journey}/profile/submit`, { bureauConsent: true })
  const visitedConsents = new Set<string>()
  const card = await until('an offer', async () => {
    const [first] = await cardsOf(borrower)
    if (first?.aa.actionRequired === 'REDIRECT' && !visitedConsents.has(first.offerID)) {
      visitedConsents.add(first.offerID)
      const { aaSessionID } = await mustCall(borrower, 'POST', `${journey}/aa/sessions`, { offerID: first.offerID })
      await approvePages(
        (await mustCall(borrower, 'POST', `${journey}/aa/sessions/${aaSessionID}/redirect`, {})).redirectURL,
      )
    }
    return first?.status === 'OFFER_RECEIVED' && first
  })
  const path = offerPath(borrower, card.offerID)
  const { branches = [] } = await mustCall(borrower, 'GET', path)
  await mustCall(
    borrower,
    'POST',
    `${path}/proceed`,
    branches.length > 0 ? { branchID: branches[0].branchID } : undefined,
  )
  const ends = ['AA_REQUIRED', 'DISBURSED', 'REJECTED']
  if ((await completeSteps(borrower, card.offerID, ends)) === 'AA_REQUIRED') {
    const { items } = await mustCall(borrower, 'GET', `${journey}/aa/sessions`)
    const monitoringSession = items.find(({ purpose }: { purpose: string }) => purpose === 'MONITORING')
    const { redirectURL } = await mustCall(
      borrower,
      'POST',
      `${journey}/aa/sessions/${monitoringSession.aaSessionID}/redirect`,
      {},
    )
    await approvePages(redirectURL)
    await until('the disbursal', async () => (await stateOf(borrower)).status === 'DISBURSED')
  }
  return borrower
}

/** Requests and pays a payment through the headless API. */
export async function makePaymentHeadless(borrower: HeadlessBorrower, what: string, body: object = {}): Promise<void> {
  const journey = `/journeys/${borrower.journeyId}`
  const { operationID } = await mustCall(borrower, 'POST', `${journey}/post-disbursal/${what}`, body)
  const paid = new Set<string>()
  await until(`${what} paid`, async () => {
    const { servicing } = await mustCall(borrower, 'GET', journey)
    const operation = servicing.find((each: { operationID: string }) => each.operationID === operationID)
    if (operation?.status === 'LINK_READY' && !paid.has(operation.redirectURL)) {
      paid.add(operation.redirectURL)
      await approvePages(operation.redirectURL)
    }
    return operation?.status === 'PAID'
  })
}
