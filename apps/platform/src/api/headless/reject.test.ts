// Rejection of the selected offer over HTTP, which is possible until the borrower signs the agreement (D2 §4).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tx } from '@lendloom/postgres/sql'
import { newApplicant } from '@lendloom/tests/setup/borrower'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { proceedWithOffer } from '#platform/lending/offer/decide-on-offer.ts'
import { markStepReady, markStepSucceeded, skipStepsDoneAtBranch } from '#platform/lending/step/move-step.ts'

const platform = await testPlatform()
const { ctx, tenant } = platform
const api = startHeadlessClient(platform)

/** Proceeds with an offer, changes its steps with `changeSteps`, and then rejects the offer. */
async function proceedAndReject(
  journeyType: string,
  changeSteps: (tx: Tx, journey: Journey, at: Date) => Promise<unknown>,
) {
  const person = newApplicant()
  const { journeyId, offerIds, journey } = await journeyWithOffers(platform, [terms], 0, { ...person, journeyType })
  const [offerId] = offerIds
  await ctx.db.tx(async (tx) => {
    const locked = (await lockJourney(tx, tenant.tenantId, journeyId))!
    await proceedWithOffer({ ...ctx, tx, at: ctx.clock() }, locked, offerId!, { channel: 'headless', ip: null })
    await changeSteps(tx, locked, ctx.clock())
  })
  const { borrowerProviderID, profile } = person
  const { post } = await api.borrower({ borrowerExternalID: borrowerProviderID, profile })
  const rejection = { rejectedStage: 'STEPS', rejectionReason: 'Changed my mind' }
  return { journey, reply: await post(`/journeys/${journeyId}/offers/${offerId}/reject`, rejection) }
}

const page = { url: 'https://lender.example/page', formId: 'F' }

test('D2 §4: the rejection of an offer is refused once its agreement is signed, online or at the branch', async () => {
  for (const [type, changeSteps] of [
    [
      'PERSONAL_LOAN',
      async (tx, journey, at) => {
        await markStepReady({ ...ctx, tx }, journey, { name: 'loanAgreement', page, at })
        await markStepSucceeded(tx, journey, 'loanAgreement', at)
      },
    ],
    [
      'GOLD_LOAN',
      async (tx, journey, at) => {
        await markStepReady({ ...ctx, tx }, journey, { name: 'kyc', page, at })
        await skipStepsDoneAtBranch(tx, journey, at)
        await markStepSucceeded(tx, journey, 'kyc', at)
      },
    ],
  ] as [string, (tx: Tx, journey: Journey, at: Date) => Promise<void>][]) {
    const { journey, reply } = await proceedAndReject(type, changeSteps)
    assert.equal(reply.status, 409, type)
    assert.equal(reply.body.error?.code, 'STATE_PRECONDITION_FAILED', type)
    assert.equal((await journey()).status, 'OFFER_SELECTED')
  }
})

test('FIS12 §13.3: the rejection of an offer ends the journey before the visit to the branch', async () => {
  const { journey, reply } = await proceedAndReject('GOLD_LOAN', async (tx, journey, at) => {
    await markStepReady({ ...ctx, tx }, journey, { name: 'kyc', page, at })
    await skipStepsDoneAtBranch(tx, journey, at)
  })
  assert.equal(reply.status, 200)
  assert.equal((await journey()).status, 'REJECTED')
})
