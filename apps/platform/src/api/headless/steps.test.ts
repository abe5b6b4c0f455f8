// Reports over HTTP that the borrower has returned from the agreement page (D2 §4).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newApplicant } from '@lendloom/tests/setup/borrower'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { insertConversation } from '#platform/lenders/network/store.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { proceedWithOffer } from '#platform/lending/offer/decide-on-offer.ts'
import { markStepReady } from '#platform/lending/step/move-step.ts'
import { openStep } from '#platform/lending/step/open-step.ts'

const platform = await testPlatform()
const { ctx, tenant } = platform
const { tenantId } = tenant
const api = startHeadlessClient(platform)

const page = { url: 'https://lender.example/agreement', formId: 'F' }

/** Returns a borrower whose only open step is the loan agreement. */
async function borrowerAtAgreement() {
  const person = newApplicant()
  const { journeyId, offerIds, offer } = await journeyWithOffers(platform, [terms, terms], 0, person)
  const [offerId, otherOfferId] = offerIds as [string, string]
  const { conversationId, lenderId } = await offer(offerId)
  const at = ctx.clock()
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    await proceedWithOffer({ ...ctx, tx, at }, journey, offerId, { channel: 'headless', ip: null })
    await insertConversation(tx, {
      tenantId,
      journeyId,
      conversationId: conversationId!,
      lenderId: lenderId!,
      stage: 'AGREEMENT_REQUESTED',
      bppId: 'lender.example',
      bppUri: 'https://lender.example/ondc',
      providerId: 'p',
      itemId: 'i',
      formId: 'F',
      formUrlSealed: null,
      formHeading: 'LOAN_AGREEMENT',
      fulfillmentId: null,
      categories: null,
      secondItemId: null,
      profileFormId: null,
      profileFormUrlSealed: null,
      lastMessageAt: at,
      createdAt: at,
      updatedAt: at,
    })
    await updateJourney(tx, journey, { lenderMode: 'OFFLINE' }, at)
    await tx`update journey set status = 'LENDER_REDIRECTED' where journey_id = ${journeyId}`
    await markStepReady({ ...ctx, tx }, journey, { name: 'loanAgreement', page, at })
  })
  const { borrowerProviderID, profile } = person
  const { post } = await api.borrower({ borrowerExternalID: borrowerProviderID, profile })
  return {
    reportReturn: (id = offerId, step = 'loan-agreement') =>
      post(`/journeys/${journeyId}/offers/${id}/steps/${step}/return`),
    offerId,
    otherOfferId,
    openAgreement: () =>
      ctx.db.tx(async (tx) => {
        const journey = (await lockJourney(tx, tenantId, journeyId))!
        await openStep({ ...ctx, tx, at: ctx.clock() }, journey, 'loanAgreement')
      }),
    async listVisits() {
      const rows = await ctx.db<{ key: string }>`
        select key from inbound_message where tenant_id = ${tenantId} and journey_id = ${journeyId} and type = 'agreement_visited' order by number`
      return rows.map(({ key }) => key)
    },
  }
}

test('D2 §4, FIS12 §19.3: a reported return from the agreement is recorded only after a visit', async () => {
  const { reportReturn, openAgreement, listVisits, otherOfferId } = await borrowerAtAgreement()
  assert.equal((await reportReturn()).status, 200)
  assert.deepEqual(await listVisits(), [], 'the page was not opened')
  await openAgreement()
  const { status, body } = await reportReturn()
  assert.equal(status, 200)
  assert.equal(body.data.status, 'IN_PROGRESS')
  await reportReturn()
  assert.deepEqual(await listVisits(), ['agreement_visited:F:1:opened', 'agreement_visited:F:1:back'])
  assert.equal((await reportReturn(otherOfferId)).status, 409)
})

test('D2 §4, FIS12 §24: a return from a page that was never opened is answered with its step, and changes nothing', async () => {
  const { reportReturn, offerId, listVisits } = await borrowerAtAgreement()
  for (const step of ['kyc', 'e-mandate']) {
    const { status, body } = await reportReturn(offerId, step)
    assert.equal(status, 200)
    assert.equal(body.data.status, 'PENDING')
  }
  assert.deepEqual(await listVisits(), [])
})
