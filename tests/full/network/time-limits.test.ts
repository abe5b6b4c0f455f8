// Time limits of a journey, on a clock that the tests move: late and missing answers of lenders, and offers and payment pages
// that expire.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { findViolations } from '#test/oracles/judge.ts'
import {
  accept,
  act,
  answerPage,
  type Borrower,
  browseOnly,
  call,
  enter,
  newApplicant,
  openSession,
  type Plan,
  proceedUntil,
  RequestRefused,
  readView,
  select,
  showsScreen,
} from '#test/setup/borrower.ts'
import { faultsOfJourney } from '#test/setup/judging.ts'
import { startListener } from '#test/setup/listener.ts'
import { patientSettings, startPrograms, until } from '#test/setup/programs.ts'
import { simulatedClock } from '#test/setup/simulated-clock.ts'
import { archiveOf, registryKeys } from '#test/setup/transcript.ts'

const clock = simulatedClock()
const programs = await startPrograms({
  env: {
    ...patientSettings,
    CLOCK_FILE: clock.file,
    // Long, so that only the borrower's refresh asks for the status of a payment.
    STATUS_POLL_SECONDS: '30',
  },
})
const listener = await startListener(programs.platformUrl, programs.tenant)

/** Runs a journey whose PAN has these digits, which select what the sandbox's lenders do. */
async function runJourney(
  digits: string,
  done: (view: EmbedView) => boolean,
  plan: Plan = {},
  person = newApplicant(),
): Promise<Borrower> {
  const opened = await openSession(programs.platformUrl, programs.tenant, person)
  const borrower = await enter(programs.platformUrl, opened.body.embedUrl, `ABCPE${digits}F`)
  await proceedUntil(borrower, digits, done, plan)
  return borrower
}

/** Waits for the update with this status, asserts the statuses before it, and returns the journey in it. */
async function waitForEnding({ journeyId }: Borrower, status: string, before: string[]) {
  const arrivals = await listener.waitForArrivals(journeyId, status)
  assert.deepEqual(
    arrivals.map((arrival) => arrival.status),
    [...before, status],
  )
  return arrivals.at(-1)!.payload.borrower.journey
}

const statusesToRedirect = ['STARTED', 'PROFILED', 'OFFERED', 'OFFER_SELECTED', 'OFFER_ACCEPTED', 'LENDER_REDIRECTED']

/** How long a lender may take to answer: `NETWORK_SEARCH_TTL` and `NETWORK_CALL_TTL`. */
const answerSeconds = 60

test('FIS12 §3.3, PAN 9003: when a callback is late, the platform repeats the request and counts only one answer', async () => {
  const ofMeridian = (action: string) => async () =>
    (await archiveOf(programs, borrower.journeyId)).filter(
      (message) => message.action === action && message.party === 'meridian.sandbox.example',
    )
  const offersOf = ({ offers }: EmbedView) => offers.map(({ lenderName }) => lenderName)
  const borrower = await runJourney('9003', ({ offers }) => offers.length > 0, browseOnly)
  const requests = ofMeridian('select')
  await until('the request to the late lender', async () => (await requests()).some(({ sentAt }) => sentAt !== null))
  assert.ok(!offersOf(borrower.view).includes('Meridian Finance'))
  // The lender answers two seconds after its time limit.
  await clock.advance(answerSeconds + 2)
  const answers = ofMeridian('on_select')
  await until('the late callback and the second answer', async () => (await answers()).length === 2)
  const view = await proceedUntil(
    borrower,
    'the offer',
    (seen) => offersOf(seen).includes('Meridian Finance'),
    browseOnly,
  )
  assert.equal((await requests()).length, 2)
  assert.equal((await answers()).length, 2)
  assert.equal(offersOf(view).filter((name) => name === 'Meridian Finance').length, 1)
})

test('D1 §1: with all lenders unreachable the journey stays STARTED, and the borrower can apply again', async () => {
  const borrower = await runJourney('1234', showsScreen('PROFILE'))
  await programs.kill('sandbox')
  await act(borrower)
  await clock.advance(answerSeconds)
  await proceedUntil(borrower, 'no answer', showsScreen('NO_ANSWER'), browseOnly)
  assert.equal(borrower.view.status, 'STARTED')
  await programs.start('sandbox')
  await proceedUntil(borrower, 'offers', showsScreen('OFFERS'))
  await proceedUntil(borrower, 'the final terms', showsScreen('FINAL_OFFER'))
  await accept(borrower, borrower.view.selected!.offerId)
  await waitForEnding(borrower, 'OFFER_ACCEPTED', statusesToRedirect.slice(0, 4))
})

/** How long an offer of PAN 9011 is valid. */
const offerSeconds = 20

test('D1 §3, PAN 9011: expired offers cannot be chosen, and the journey expires without an event', async () => {
  const person = newApplicant()
  const haveBothAnswered = ({ offers, lenders }: EmbedView) =>
    offers.length > 0 && lenders.length === 2 && lenders.every(({ status }) => status !== 'OFFER_AWAITED')
  const borrower = await runJourney('9011', haveBothAnswered, browseOnly, person)
  const [first] = borrower.view.offers
  assert.ok(borrower.view.offers.every(({ expired }) => !expired))
  await clock.advance(offerSeconds)
  assert.ok((await readView(borrower)).offers.every(({ expired }) => expired))
  const lateSelection = await select(borrower, first!, first!.amountPrincipal, first!.tenureMonths).catch(
    (error) => error,
  )
  assert.ok(lateSelection instanceof RequestRefused)
  assert.equal(lateSelection.reply.status, 409)
  assert.equal(lateSelection.reply.body.error.code, 'STATE_PRECONDITION_FAILED')
  // Until the window for offers ends, another lender may still offer.
  await clock.advance(Number(patientSettings.OFFER_WINDOW_SECONDS))
  await proceedUntil(borrower, 'the end', showsScreen('EXPIRED'), browseOnly)
  await waitForEnding(borrower, 'OFFERED', ['STARTED', 'PROFILED'])
  const newSession = await openSession(programs.platformUrl, programs.tenant, person)
  assert.equal(newSession.status, 201, 'the borrower can start again')
})

test('FIS12 §7.7, PAN 9011: a chosen offer that expires before KYC ends the journey', async () => {
  const borrower = await runJourney('9011', showsScreen('KYC'))
  assert.equal(borrower.view.steps.kyc.status, 'READY')
  await clock.advance(offerSeconds)
  await proceedUntil(borrower, 'the end', showsScreen('REJECTED'))
  const last = await waitForEnding(borrower, 'REJECTED', statusesToRedirect)
  assert.equal(last.kyc_status, 'FAILURE')
  assert.equal(last.kyc_attempts, 1)
})

test('FIS12 §11.1, PAN 9033: after a payment page expires, the borrower can request another', async () => {
  const chooseMeridian = (offers: EmbedView['offers']) => {
    const offer = offers.find(({ lenderName }) => lenderName === 'Meridian Finance')
    return offer ? { offer, amount: '100000', tenureMonths: 12 } : null
  }
  const borrower = await runJourney('9033', showsScreen('DISBURSED'), { choose: chooseMeridian })
  const waitForPayment = (status: string) =>
    until(`a payment that is ${status}`, async () => {
      const { servicing } = await readView(borrower)
      return servicing.find((each) => each.kind === 'FORECLOSURE' && each.status === status)
    })
  const foreclose = async () => assert.equal((await call(borrower, 'POST', '/servicing/foreclosure', {})).status, 200)
  await foreclose()
  await waitForPayment('LINK_READY')
  // The page is valid for five seconds.
  await clock.advance(5)
  assert.equal((await call(borrower, 'POST', '/servicing/status', {})).status, 200)
  await waitForPayment('EXPIRED')
  await foreclose()
  await answerPage((await waitForPayment('LINK_READY')).redirectUrl!, 'approve')
  await waitForPayment('PAID')
  const { tenantId } = programs.tenant
  const keys = await registryKeys(programs)
  assert.deepEqual(await faultsOfJourney(programs, { tenantId, journeyId: borrower.journeyId }, keys), [])
})

test('D1 §6: the updates of these journeys obey the specification, and no program logged an error', () => {
  assert.deepEqual(findViolations(listener), [])
  assert.deepEqual(programs.errorLines, [])
})
