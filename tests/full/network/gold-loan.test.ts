// Gold loans on the hosted page and by the hybrid and headless APIs, from application to disbursal or rejection.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { findViolations } from '#test/oracles/judge.ts'
import { disbursedStatuses } from '#test/oracles/lifecycle-oracle.ts'
import { visitAggregator } from '#test/setup/aggregator.ts'
import {
  application,
  type Borrower,
  browseOnly,
  enter,
  gold,
  newApplicant,
  openSession,
  type Plan,
  proceedUntil,
  showsScreen,
} from '#test/setup/borrower.ts'
import {
  approvePages,
  cardsOf,
  mustCall,
  offerPath,
  startHeadlessJourney,
  waitForStatus,
} from '#test/setup/headless.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { startListener } from '#test/setup/listener.ts'
import { ask } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'
import { assertValidMessages } from '#test/setup/transcript.ts'
import { inEnglish } from '#test/setup/words.ts'

const programs = await sharedPrograms({ lenders: allLenders })
const listener = await startListener(programs.platformUrl, programs.tenant)

const sessionRequest = (more: object = {}) => ({ ...newApplicant(), journeyType: 'GOLD_LOAN', ...more })

async function runJourney(digits: string, done: (view: EmbedView) => boolean, plan: Plan = {}): Promise<Borrower> {
  const opened = await openSession(programs.platformUrl, programs.tenant, sessionRequest())
  const borrower = await enter(programs.platformUrl, opened.body.embedUrl, `ABCPE${digits}F`)
  await proceedUntil(borrower, digits, done, plan)
  return borrower
}

const updatesOf = async (journeyId: string, last: string) =>
  (await listener.waitForArrivals(journeyId, last)).map(({ payload }) => payload.borrower)

/** The maximum loan on 40 g of 22 carat: 80 % of ₹4,39,680. */
const maxLoanOn40Grams = '351744.00'

describe('gold loans', { concurrency: 4 }, () => {
  test('D1 §6.2, FIS12 §9.1: a hosted gold loan is disbursed after a branch visit, with seven updates', async () => {
    const opened = await openSession(
      programs.platformUrl,
      programs.tenant,
      sessionRequest({ goldLoan: { ...gold, userType: 'individual' } }),
    )
    const borrower = await enter(programs.platformUrl, opened.body.embedUrl)
    assert.deepEqual(borrower.view.goldLoan, { userType: 'individual', ...gold })
    await proceedUntil(borrower, 'all offers', ({ offers }) => offers.length === 3, browseOnly)
    const { offers } = borrower.view
    for (const { amountPrincipal, ltvRatio, lenderName } of offers) {
      assert.equal(amountPrincipal, maxLoanOn40Grams, lenderName)
      assert.equal(ltvRatio, '80.00%', lenderName)
    }
    const meridian = offers.find(({ lenderName }) => lenderName === 'Meridian Finance')!
    assert.ok(meridian.branches[0]!.aboutKm! < 200, 'Mumbai is near')
    const choose = () => ({ offer: meridian, amount: '300000', tenureMonths: 12 })
    await proceedUntil(borrower, 'the visit', showsScreen('VISIT'), { choose })
    const { selected, steps } = borrower.view
    assert.equal(selected!.branch!.id, meridian.branches[0]!.id)
    assert.match(selected!.agent!.phone, /^\+91-\d{10}$/)
    assert.equal(steps.bankMandate.status, 'NOT_REQUIRED')
    assert.equal(steps.eMandate.status, 'NOT_REQUIRED')
    assert.equal(steps.loanAgreement.status, 'NOT_REQUIRED')
    await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'))
    assert.equal(borrower.view.installments.length, 12)
    const updates = await updatesOf(borrower.journeyId, 'DISBURSED')
    assert.deepEqual(
      updates.map(({ journey }) => journey.status),
      disbursedStatuses,
    )
    for (const { journey, profile } of updates) {
      assert.equal(journey.type, 'GOLD_LOAN')
      assert.equal(profile.gold_loan?.purity, '22K')
      const isChosen = disbursedStatuses.indexOf(journey.status) >= disbursedStatuses.indexOf('OFFER_SELECTED')
      assert.equal(journey.lender_mode, isChosen ? 'OFFLINE' : null, journey.status)
    }
    const { journey } = updates.at(-1)!
    assert.equal(journey.kyc_status, 'SUCCESS')
    assert.equal(journey.emandate_status, 'SUCCESS')
    assert.equal(journey.esign_status, 'SUCCESS')
    assert.equal(journey.kyc_attempts, 1)
    assert.equal(journey.emandate_attempts, 1)
    assert.equal(journey.esign_attempts, 1)
    assert.equal(journey.decision_status, 'APPROVED')
    assert.equal(journey.change_in_offer, true)
    await assertValidMessages(programs, borrower.journeyId)
  })

  test('FIS12 §9.1, PAN 9041: a branch that rejects the gold ends the journey', async () => {
    const borrower = await runJourney('9041', showsScreen('REJECTED'))
    assert.equal(
      inEnglish(borrower.view.endReason),
      'The branch could not accept the gold, so the lender cannot continue.',
    )
    const updates = await updatesOf(borrower.journeyId, 'REJECTED')
    assert.deepEqual(
      updates.map(({ journey }) => journey.status),
      [...disbursedStatuses.slice(0, -1), 'REJECTED'],
    )
    const { journey } = updates.at(-1)!
    assert.equal(journey.kyc_status, 'FAILURE')
    assert.equal(journey.esign_status, 'FAILURE')
    assert.equal(journey.decision_status, 'NOT_APPROVED')
  })

  test('FIS12 §9.1, PAN 9042: a status request finds the result of a visit that the lender does not push', async () => {
    const borrower = await runJourney('9042', showsScreen('DISBURSED'))
    await assertValidMessages(programs, borrower.journeyId)
  })

  test('D1 §4: a hybrid gold loan goes from the start call through the offers to the hosted page', async () => {
    const { borrowerProviderID, profile } = newApplicant()
    const { profile: person, address } = application()
    const base = `${programs.platformUrl}/api/v1/hybrid/gold-loan/borrowers/${borrowerProviderID}/journey`
    const callHybrid = (method: string, path: string, body?: object) =>
      ask(`${base}${path}`, { method, key: programs.tenant.apiKey, ...(body && { body }) })
    const started = await callHybrid('POST', '', {
      personal: { ...profile, ...person },
      address,
      goldLoan: gold,
      journey: { bureauConsent: true, endUse: 'marriage' },
    })
    assert.equal(started.status, 201)
    assert.deepEqual(started.body.data.missing_fields, [])
    const offers = await until('offers', async () => {
      const { lenders } = (await callHybrid('GET', '/offers')).body.data
      return lenders.flatMap((lender: { offers: object[] }) => lender.offers).length === 3 && lenders
    })
    const [
      {
        offers: [offer],
      },
    ] = offers
    const handover = await callHybrid('POST', `/offers/${offer.offer_id}/hosted`, {
      branchID: offer.branches[0].branch_id,
    })
    const borrower = await enter(programs.platformUrl, handover.body.data.hosted_url)
    assert.equal(borrower.view.selected!.offerId, offer.offer_id)
    await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'))
    assert.deepEqual(
      (await updatesOf(borrower.journeyId, 'DISBURSED')).map(({ journey: { status, endUse } }) => ({ status, endUse })),
      disbursedStatuses.map((status) => ({ status, endUse: 'marriage' })),
    )
  })

  test('D1 §4, FIS12 §7.8: a hybrid gold loan gets an offer after consent to bank data', async () => {
    const { borrowerProviderID, profile } = newApplicant()
    const { profile: person, address } = application()
    const base = `${programs.platformUrl}/api/v1/hybrid/gold-loan/borrowers/${borrowerProviderID}/journey`
    const callHybrid = (method: string, path: string, body?: object) =>
      ask(`${base}${path}`, { method, key: programs.tenant.apiKey, ...(body && { body }) })
    const journey = { bureauConsent: true }
    await callHybrid('POST', '', { personal: { ...profile, ...person }, address, goldLoan: gold, journey })
    const consent = await until(
      'a required consent',
      async () => (await callHybrid('GET', '/offers')).body.data.account_aggregator ?? false,
    )
    assert.equal(consent.status, 'REQUIRED')
    const consentRedirect = await fetch(consent.url, { redirect: 'manual' })
    assert.equal(consentRedirect.status, 302)
    await visitAggregator(consentRedirect.headers.get('location')!, 'approve')
    const offer = await until('the offer of that lender', async () => {
      const { lenders } = (await callHybrid('GET', '/offers')).body.data
      return lenders.find((lender: { lender_id: string }) => lender.lender_id === consent.lender_id)?.offers[0]
    })
    assert.equal((await callHybrid('GET', '/offers')).body.data.account_aggregator, null)
    const branchID = offer.branches[0].branch_id
    const handover = await callHybrid('POST', `/offers/${offer.offer_id}/hosted`, {
      branchID,
      amount: '100000',
      tenureMonths: 12,
    })
    const borrower = await enter(programs.platformUrl, handover.body.data.hosted_url)
    await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'))
    await assertValidMessages(programs, borrower.journeyId)
    assert.equal((await fetch(consent.url, { redirect: 'manual' })).status, 409, 'the consent is decided')
    assert.equal((await fetch(`${programs.platformUrl}/aa/go/nonsense`)).status, 404)
  })

  test('D2 §4: a headless gold loan uses the branch that the borrower chooses', async () => {
    const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant(), 'GOLD_LOAN')
    const { profile, address } = application()
    await mustCall(borrower, 'PUT', `/journeys/${borrower.journeyId}/profile`, { profile, address, goldLoan: gold })
    await mustCall(borrower, 'POST', `/journeys/${borrower.journeyId}/profile/submit`, { bureauConsent: true })
    const card = await until('an offer', async () =>
      (await cardsOf(borrower)).find(({ status }: { status: string }) => status === 'OFFER_RECEIVED'),
    )
    const path = offerPath(borrower, card.offerID)
    const { branches, ltvRatio } = await mustCall(borrower, 'GET', path)
    assert.ok(branches.length > 1 && ltvRatio === '80.00%')
    await mustCall(borrower, 'POST', `${path}/proceed`, { branchID: branches.at(-1).branchID })
    await waitForStatus(borrower, 'KYC_PENDING')
    const { kyc, bankMandate } = await mustCall(borrower, 'GET', `${path}/steps`)
    assert.equal(kyc.actionRequired, 'REDIRECT')
    assert.equal(bankMandate.status, 'NOT_REQUIRED')
    await approvePages(kyc.resource.redirectURL)
    await until('the visit is booked', async () => (await mustCall(borrower, 'GET', path)).visitBooked)
    await approvePages(kyc.resource.redirectURL)
    await waitForStatus(borrower, 'DISBURSED')
    assert.equal((await mustCall(borrower, 'GET', path)).branchID, branches.at(-1).branchID)
  })
})

test('D1 §6: the updates of these journeys obey the specification', () => {
  assert.deepEqual(findViolations(listener), [])
})

test('no program logged an error', () => {
  assert.deepEqual(programs.errorLines, [])
})
