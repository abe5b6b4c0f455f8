// A loan of the lending partner, from the profile to the money and after: three programs, real HTTP, nobody helped along.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OfferCard } from '#contract/headless/offer.ts'
import { application, bankAccount, somebody } from '#test/setup/borrower.ts'
import { begin, cardsOf, type HeadlessBorrower, must, offerPath, reaches, walk } from '#test/setup/headless.ts'
import { startWorld, until } from '#test/setup/world.ts'

const world = await startWorld({ partner: true })

/** Somebody who works for themselves, whose app knows their account. */
async function applied(pan: string): Promise<HeadlessBorrower> {
  const borrower = await begin(world.platformUrl, world.tenant, somebody())
  const { profile, workProfile, address } = application(pan)
  const path = `/journeys/${borrower.journeyId}/profile`
  await must(borrower, 'PUT', path, {
    profile,
    workProfile: { ...workProfile, employmentType: 'selfEmployed' },
    address,
    bankingInformation: { ...bankAccount, accountType: 'SAVINGS' },
  })
  await must(borrower, 'POST', `${path}/submit`, { bureauConsent: true })
  return borrower
}

const ofPartner = ({ lenderName }: OfferCard): boolean => lenderName === 'Celestium Finance Limited'

const offerOfPartner = (borrower: HeadlessBorrower): Promise<OfferCard> =>
  until('an offer of the partner', async () =>
    (await cardsOf(borrower)).find((card: OfferCard) => ofPartner(card) && card.status === 'OFFER_RECEIVED'),
  )

test('D3 §1.1: dedupe, recommendation, lead, review, acceptance, KYC, mandate, signature, the money', async () => {
  const borrower = await applied('ABCPE1234F')
  const card = await offerOfPartner(borrower)
  assert.equal(card.offerTerm, '22 weeks')
  await must(borrower, 'POST', `${offerPath(borrower, card.offerID)}/proceed`)
  await reaches(borrower, 'KYC_PENDING')
  assert.equal(await walk(borrower, card.offerID, ['DISBURSED', 'REJECTED'], 60_000), 'DISBURSED')
})
