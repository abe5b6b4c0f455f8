// Whole loans with a lender of the sandbox in the newest shape of 2.0.3, beside one with a page per step (FIS12 §26).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import type { Json } from '#test/network-messages/personal-loan.ts'
import {
  type Borrower,
  enter,
  newApplicant,
  openSession,
  type Plan,
  proceedUntil,
  readView,
  showsScreen,
} from '#test/setup/borrower.ts'
import { makePayment, showsDisbursed } from '#test/setup/official-borrower.ts'
import { startPrograms, until } from '#test/setup/programs.ts'
import { simulatedClock } from '#test/setup/simulated-clock.ts'

const clock = simulatedClock()
const programs = await startPrograms({
  env: { SANDBOX_LENDER_VERSIONS: 'meridian=2.0.3-stops', CLOCK_FILE: clock.file },
})

async function startJourney(journeyType: 'PERSONAL_LOAN' | 'GOLD_LOAN', digits: string): Promise<Borrower> {
  const { body } = await openSession(programs.platformUrl, programs.tenant, { ...newApplicant(), journeyType })
  return enter(programs.platformUrl, body.embedUrl, `ABCPE${digits}F`)
}

const takeOffer = (name: string): Plan => ({
  choose(offers) {
    const offer = offers.find(({ lenderName }) => lenderName === name)
    return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
  },
})

describe('lenders with stops', { concurrency: 2 }, () => {
  test('FIS12 §26.2: a personal loan is paid out on the page of the lender, a part is repaid, and it is closed', async () => {
    const borrower = await startJourney('PERSONAL_LOAN', '1234')
    const view = await proceedUntil(borrower, 'the money', showsDisbursed, takeOffer('Meridian Finance'))
    assert.equal(view.selected?.lenderName, 'Meridian Finance')
    const { isOnline, stops } = view.selected!.lenderPage!
    assert.ok(isOnline, 'the borrower set up autopay alone')
    assert.deepEqual(
      stops.find(({ step }) => step === 'eMandate'),
      { step: 'eMandate', state: 'done' },
    )
    assert.notEqual(view.steps.eMandate.status, 'SUCCESS', 'only the stop tells of autopay')
    await makePayment(borrower, 'PRE_PART_PAYMENT', '2000')
    await makePayment(borrower, 'FORECLOSURE')
    await until('CLOSED', async () => (await readView(borrower)).screen === 'CLOSED')
  })

  test('FIS12 §26.2: a page that fails once is tried again', async () => {
    const borrower = await startJourney('PERSONAL_LOAN', '9010')
    await proceedUntil(borrower, 'the money', showsDisbursed, takeOffer('Meridian Finance'))
  })

  test('FIS12 §26.2: a declined page ends the application', async () => {
    const borrower = await startJourney('PERSONAL_LOAN', '1234')
    const plan: Plan = { ...takeOffer('Meridian Finance'), declinedSteps: ['kyc'] }
    await proceedUntil(borrower, 'the end', showsScreen('REJECTED'), plan)
  })

  test('FIS12 §26.1: the same search also reaches a lender with a page per step', async () => {
    const borrower = await startJourney('PERSONAL_LOAN', '1234')
    await proceedUntil(borrower, 'the money', showsDisbursed, takeOffer('Kaveri Bank'))
  })
})

/** Plays a loan until it is paid out, and waits for what the lender reports after these days. */
async function playAndAdvance(
  days: number,
  journeyType: 'PERSONAL_LOAN' | 'GOLD_LOAN',
  isTold: (order: Json) => boolean,
) {
  const borrower = await startJourney(journeyType, '1234')
  await proceedUntil(borrower, 'the money', showsDisbursed, takeOffer('Meridian Finance'))
  await clock.advance(days * 86_400)
  const { tenantId } = programs.tenant
  await until('a report that nobody asked for', async () => {
    const last = (await transcriptOf(programs, tenantId, borrower.journeyId)).at(-1)!
    return last.action === 'on_status' && isTold(JSON.parse(last.body).message.order)
  })
  return borrower
}

const isPaid = (label: string) => (order: Json) =>
  order.payments.some(({ time, status }: Json) => time.label === label && status === 'PAID')

test('FIS12 §26.2: the lender tells unasked that an instalment is paid', async () => {
  await playAndAdvance(32, 'PERSONAL_LOAN', isPaid('INSTALLMENT'))
})

test('FIS12 §26.4: a gold loan is paid out at the branch, and closed when it is repaid at the end of its term', async () => {
  // Longer than the term, after which the keys of the sandbox's network have expired.
  await programs.sandboxDb`update participant set valid_until = valid_until + interval '2 years'`
  const { journeyId } = await playAndAdvance(370, 'GOLD_LOAN', isPaid('REPAYMENT'))
  await until('the end of the journey', async () => {
    const [row] = await programs.db<{ active: boolean }>`select active from journey where journey_id = ${journeyId}`
    return !row!.active
  })
})
