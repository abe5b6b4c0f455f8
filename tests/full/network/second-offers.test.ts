// Two offers of one lender: the first by credit report, the second after consent to bank data.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { visitAggregator } from '#test/setup/aggregator.ts'
import {
  type Borrower,
  browseOnly,
  call,
  enter,
  newApplicant,
  openSession,
  type Plan,
  proceedUntil,
  showsScreen,
} from '#test/setup/borrower.ts'
import {
  cardsOf,
  completeSteps,
  mustCall,
  offerPath,
  startHeadlessJourney,
  submitProfile,
} from '#test/setup/headless.ts'
import { allLenders } from '#test/setup/lenders.ts'
import { startListener } from '#test/setup/listener.ts'
import { until } from '#test/setup/programs.ts'
import { sharedPrograms } from '#test/setup/shared-programs.ts'

const programs = await sharedPrograms({ lenders: allLenders })
const listener = await startListener(programs.platformUrl, programs.tenant)

const name = 'Sahyadri Capital'
const ownOffers = ({ offers }: EmbedView): EmbedOffer[] => offers.filter(({ lenderName }) => lenderName === name)
const consentOf = ({ accountAggregator }: EmbedView) => accountAggregator.find(({ lenderName }) => lenderName === name)

/** Runs a journey up to the lender's first offer and the consent request for the second. */
async function borrowerWithOffer(journeyType: 'PERSONAL_LOAN' | 'GOLD_LOAN'): Promise<Borrower> {
  const opened = await openSession(programs.platformUrl, programs.tenant, newApplicant({ journeyType }))
  const borrower = await enter(programs.platformUrl, opened.body.embedUrl, 'ABCPE9071F')
  const hasOfferAndConsent = (view: EmbedView) => ownOffers(view).length === 1 && consentOf(view) !== undefined
  await proceedUntil(borrower, 'an offer and a consent', hasOfferAndConsent, browseOnly)
  return borrower
}

async function approve(borrower: Borrower): Promise<void> {
  const { body } = await call(borrower, 'POST', `/aa/${consentOf(borrower.view)!.offerId}/redirect`)
  await visitAggregator(body.url, 'approve')
  await proceedUntil(borrower, 'the second offer', (view) => ownOffers(view).length === 2, browseOnly)
}

const chooseByBasis = (basis: EmbedOffer['basis']): Plan => ({
  choose(offers) {
    const offer = offers.find((each) => each.lenderName === name && each.basis === basis)!
    return { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths }
  },
})

/** The messages sent to the lender, each as action, item and form. */
async function messagesOf({ journeyId }: Pick<Borrower, 'journeyId'>): Promise<string[]> {
  const messages = await transcriptOf(programs, programs.tenant.tenantId, journeyId)
  return messages
    .filter(({ party, direction }) => party === 'sahyadri.sandbox.example' && direction === 'sent')
    .map(({ action, body }) => {
      const [item] = JSON.parse(body).message.order?.items ?? []
      return `${action} ${item?.id.replace('ITEM-SAHYADRI-', '') ?? ''} ${item?.xinput?.form.id ?? ''}`.trim()
    })
}

describe('two offers of one lender', { concurrency: 3 }, () => {
  test('FIS12 §19.1: the borrower accepts the first offer with a second form, and gives no consent for the other', async () => {
    const borrower = await borrowerWithOffer('PERSONAL_LOAN')
    const [first] = ownOffers(borrower.view)
    assert.equal(first!.basis, 'bureau')
    assert.equal(borrower.view.lenders.filter((lender) => lender.name === name).length, 1)
    await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'), chooseByBasis('bureau'))
    assert.deepEqual(await messagesOf(borrower), [
      'select PL FORM-PROFILE',
      'select PL-AA FORM-PROFILE',
      'select PL FORM-CUSTOMER',
      'init PL FORM-KYC',
      'init PL FORM-BANK',
      'init PL FORM-MANDATE',
      'confirm PL FORM-ESIGN',
    ])
    const arrivals = await listener.waitForArrivals(borrower.journeyId, 'DISBURSED')
    for (const { status, payload } of arrivals.slice(2)) {
      const entries = payload.borrower.journey.lenders.filter(({ lender_name }) => lender_name === name)
      // The first OFFERED update may precede this lender's answer.
      const isListed = status !== 'OFFERED' || entries.length > 0
      assert.equal(entries.length, isListed ? 1 : 0, 'D1 §2.4: one entry per lender')
    }
  })

  test('FIS12 §19.1: with bank data there are two offers, and choosing one ends the other', async () => {
    const borrower = await borrowerWithOffer('PERSONAL_LOAN')
    await approve(borrower)
    const [cheap, expensive] = ownOffers(borrower.view)
    assert.equal(cheap!.basis, 'account-aggregator')
    assert.equal(expensive!.basis, 'bureau')
    assert.ok(Number.parseFloat(cheap!.annualPercentageRate) < Number.parseFloat(expensive!.annualPercentageRate))
    await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'), chooseByBasis('account-aggregator'))
    const messages = await messagesOf(borrower)
    assert.deepEqual(messages.slice(0, 4), [
      'select PL FORM-PROFILE',
      'select PL-AA FORM-PROFILE',
      'select PL-AA FORM-PROFILE',
      'select PL-AA FORM-AMOUNT',
    ])
    assert.ok(messages.slice(4).every((each) => !each.includes(' PL ')))
    const { offers } = (await listener.waitForArrivals(borrower.journeyId, 'DISBURSED')).at(-1)!.payload.borrower
      .journey
    assert.deepEqual(
      offers.filter(({ id }) => id === cheap!.id || id === expensive!.id).map(({ id, accepted }) => ({ id, accepted })),
      [
        { id: expensive!.id, accepted: false },
        { id: cheap!.id, accepted: true },
      ],
    )
  })

  test('FIS12 §19.2: the first gold offer reuses the application form, and stays valid when the second fails', async () => {
    const borrower = await borrowerWithOffer('GOLD_LOAN')
    const { body } = await call(borrower, 'POST', `/aa/${consentOf(borrower.view)!.offerId}/redirect`)
    await visitAggregator(body.url, 'decline')
    await proceedUntil(borrower, 'the consent is refused', (view) => consentOf(view) === undefined, browseOnly)
    assert.equal(ownOffers(borrower.view).length, 1, 'the first offer stays valid without bank data')
    await proceedUntil(borrower, 'the money', showsScreen('DISBURSED'), chooseByBasis('bureau'))
    assert.deepEqual(await messagesOf(borrower), [
      'select GL FORM-GOLD-PROFILE',
      'select GL-AA FORM-GOLD-PROFILE',
      'select GL FORM-GOLD-PROFILE',
      'init GL FORM-BRANCH',
      'confirm GL',
    ])
  })

  test('D2 §2.3: each offer of the lender has its own card, and the borrower can proceed with either', async () => {
    const borrower = await startHeadlessJourney(programs.platformUrl, programs.tenant, newApplicant())
    await submitProfile(borrower, 'ABCPE9071F')
    const lenderCards = await until('both cards', async () => {
      const cards = (await cardsOf(borrower)).filter(({ lenderName }: { lenderName: string }) => lenderName === name)
      return cards.length === 2 && cards[1].aa.required && cards
    })
    assert.deepEqual(
      lenderCards.map(({ status, aa }: { status: string; aa: { state: string } }) => ({ status, aaState: aa.state })),
      [
        { status: 'OFFER_RECEIVED', aaState: 'NOT_REQUIRED' },
        { status: 'OFFER_AWAITED', aaState: 'REQUIRED' },
      ],
    )
    assert.equal(lenderCards[0].lenderID, lenderCards[1].lenderID)
    await mustCall(borrower, 'POST', `${offerPath(borrower, lenderCards[0].offerID)}/proceed`)
    assert.equal(await completeSteps(borrower, lenderCards[0].offerID), 'DISBURSED')
  })
})

test('no program logged an error', () => assert.deepEqual(programs.errorLines, []))
