// A journey in two channels: started on the hosted page and continued by the headless API, and the reverse.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policies } from '@lendloom/sandbox/src/lender/core/lender-policies.ts'
import type { OfferCard, OfferDetail } from '@lendloom/wire/headless/offer'
import type { StepView } from '@lendloom/wire/headless/step'
import { disbursedStatuses } from '#test/oracles/lifecycle-oracle.ts'
import {
  accept,
  browseOnly,
  enter,
  newApplicant,
  openSession,
  proceedUntil,
  readView,
  select,
  showsScreen,
} from '#test/setup/borrower.ts'
import {
  approvePages,
  callHeadless,
  completeSteps,
  mustCall,
  offerPath,
  startHeadlessJourney,
  submitProfile,
  waitForAllCards,
  waitForStatus,
} from '#test/setup/headless.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { startListener } from '#test/setup/listener.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms({ lenders: allLenders })
const listener = await startListener(programs.platformUrl, programs.tenant)
const statusesOf = async (journeyId: string, last: string) =>
  (await listener.waitForArrivals(journeyId, last)).map(({ status }) => status)

test('D2 §5: a journey with an offer chosen on the hosted page continues by the API, which shows the terms before the lender’s page', async () => {
  const person = newApplicant()
  const opened = await openSession(programs.platformUrl, programs.tenant, person)
  const page = await enter(programs.platformUrl, opened.body.embedUrl)
  const view = await proceedUntil(page, 'offers', ({ offers }) => offers.length >= policies.length - 1, browseOnly)
  const [offer] = view.offers
  await select(page, offer!, offer!.amountPrincipal, offer!.tenureMonths)

  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, person)
  assert.equal(borrower.journeyId, page.journeyId, 'the same journey')
  const path = offerPath(borrower, offer!.id)
  const detail: OfferDetail = await mustCall(borrower, 'GET', path)
  assert.equal(detail.proceedBoundaryState, 'LOCKED')
  assert.equal(detail.offerSelectionLock?.lockSource, 'HOSTED')
  const repeated = await mustCall(borrower, 'POST', `${path}/proceed`)
  assert.equal(repeated.status, 'PROCEEDED')
  assert.equal(repeated.offerSelectionLock.lockSource, 'HOSTED')
  await waitForStatus(borrower, 'KYC_PENDING')
  const { resource }: StepView = await mustCall(borrower, 'GET', `${path}/steps/kyc`)
  assert.equal((await approvePages(resource.redirectURL!))[0], 'Your final offer')
  assert.equal(await completeSteps(borrower, offer!.id), 'DISBURSED')
  assert.equal((await readView(page)).screen, 'DISBURSED')
  assert.deepEqual(await statusesOf(page.journeyId, 'DISBURSED'), disbursedStatuses)
})

test('D2 §5: a journey with an offer chosen by the API continues on the hosted page', async () => {
  const person = newApplicant()
  const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, person)
  await submitProfile(borrower)
  const offers = (await waitForAllCards(borrower)).filter(({ status }: OfferCard) => status === 'OFFER_RECEIVED')
  const expensive = offers.at(-1)!
  const chosen = offers[0]!
  const rejection = { rejectedStage: 'OFFER_LIST', rejectionReason: 'Too expensive' }
  await mustCall(borrower, 'POST', `${offerPath(borrower, expensive.offerID)}/reject`, rejection)
  await mustCall(borrower, 'POST', `${offerPath(borrower, chosen.offerID)}/proceed`)

  const opened = await openSession(programs.platformUrl, programs.tenant, person)
  assert.equal(opened.status, 200, 'resumed')
  const page = await enter(programs.platformUrl, opened.body.embedUrl)
  assert.equal(page.journeyId, borrower.journeyId)
  assert.ok(
    page.view.offers.every(({ id }) => id !== expensive.offerID),
    'the rejected offer is not shown',
  )
  await proceedUntil(page, 'the final terms', showsScreen('FINAL_OFFER'), browseOnly)
  const other = await callHeadless(borrower, 'POST', `${offerPath(borrower, offers[1]!.offerID)}/proceed`)
  assert.equal(other.status, 409)
  assert.equal(other.body.error.code, 'OFFER_LOCK_CONFLICT')
  await accept(page, chosen.offerID)
  await proceedUntil(page, 'the money', showsScreen('DISBURSED'))
  assert.deepEqual(await statusesOf(page.journeyId, 'DISBURSED'), disbursedStatuses)
})

test('no program logged an error', () => assert.deepEqual(programs.errorLines, []))
