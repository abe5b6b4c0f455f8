// Whole loans with a lender of the sandbox in the newest shape of 2.0.3, beside one with a page per step (FIS12 §26).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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

const programs = await startPrograms({
  lenders: ['tulsi', 'meridian'],
  env: { SANDBOX_LENDER_VERSIONS: 'tulsi=2.0.3-stops' },
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
    const view = await proceedUntil(borrower, 'the money', showsDisbursed, takeOffer('Tulsi Credit'))
    assert.equal(view.selected?.lenderName, 'Tulsi Credit')
    await makePayment(borrower, 'PRE_PART_PAYMENT', '2000')
    await makePayment(borrower, 'FORECLOSURE')
    await until('CLOSED', async () => (await readView(borrower)).screen === 'CLOSED')
  })

  test('FIS12 §26.2: a page that fails once is tried again', async () => {
    const borrower = await startJourney('PERSONAL_LOAN', '9010')
    await proceedUntil(borrower, 'the money', showsDisbursed, takeOffer('Tulsi Credit'))
  })

  test('FIS12 §26.2: a declined page ends the application', async () => {
    const borrower = await startJourney('PERSONAL_LOAN', '1234')
    const plan: Plan = { ...takeOffer('Tulsi Credit'), declinedSteps: ['kyc'] }
    await proceedUntil(borrower, 'the end', showsScreen('REJECTED'), plan)
  })

  test('FIS12 §26.1: the same search also reaches a lender with a page per step', async () => {
    const borrower = await startJourney('PERSONAL_LOAN', '1234')
    await proceedUntil(borrower, 'the money', showsDisbursed, takeOffer('Meridian Finance'))
  })
})
