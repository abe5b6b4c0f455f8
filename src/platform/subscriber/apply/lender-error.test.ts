// What an error of the chosen lender does to a gold loan, whose one step at the lender is the visit (FIS12 §3.4, §13.3).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '#kit/id.ts'
import { type Person, personContext } from '#platform/borrower/person.ts'
import { newBorrower } from '#platform/borrower/store.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { findJourney, lockJourney } from '#platform/journey/store.ts'
import { storedTerms } from '#platform/journey/terms.ts'
import { spareVisited, stepReady, stepSucceeded } from '#platform/step/move.ts'
import { findStep } from '#platform/step/store.ts'
import { conversing } from '#test/setup/conversation.ts'
import { fakeNetwork } from '#test/setup/network.ts'
import { terms } from '#test/setup/offered.ts'
import { testSubscriber } from '#test/setup/subscriber.ts'
import { lenderError } from './lender-error.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { world } = platform
const { db } = world
const { conversationAt } = conversing(network, platform)

/** A gold loan whose borrower was sent to the branch, and what became of it when its lender said `code`. */
async function told(code: string, isVisited: boolean) {
  const { journey, conversation } = await conversationAt(isVisited ? 'KYC_DONE' : 'FINAL_TERMS')
  const { tenantId, journeyId } = journey
  const at = world.clock()
  await db`insert into offer ${db({
    ...{ tenantId, journeyId, offerId: uuidv7(), limits: '{}', selectedAt: at, createdAt: at, updatedAt: at },
    conversationId: conversation.conversationId,
    lenderId: conversation.lenderId,
    status: 'OFFER_RECEIVED',
    terms: JSON.stringify(storedTerms(terms)),
  })}`
  const { borrowerId } = journey
  const mobileDigest = Buffer.alloc(32)
  await db`${newBorrower({ tenantId, borrowerId, externalId: borrowerId, mobileDigest, createdAt: at })}`
  const person: Person = { personal: { mobile: '9876500001' }, work: {}, address: {}, gold: {} }
  const profileSealed = world.seal.json(person, personContext(tenantId, journeyId))
  await db`insert into profile ${db({ tenantId, journeyId, profileSealed, updatedAt: at })}`
  await db`update journey set status = 'LENDER_REDIRECTED', type = 'GOLD_LOAN' where journey_id = ${journeyId}`
  await db.tx(async (tx) => {
    const gold = (await lockJourney(tx, tenantId, journeyId))!
    await stepReady(tx, gold, 'kyc', { url: 'https://lender.example/visit', formId: 'F' }, at)
    await spareVisited(tx, gold, at)
    if (isVisited) await stepSucceeded(tx, gold, 'kyc', at)
    await lenderError(tx, world, gold, conversation, code, at)
  })
  const { status, endReason } = (await findJourney(db, tenantId, journeyId)) as Journey
  return { status, endReason, visit: await findStep(db, { tenantId, journeyId }, 'kyc') }
}

test('FIS12 §13.3: what failed at the branch is the visit, and can be made good by another one', async () => {
  for (const code of ['80205', '80206', '80207', '80209', '80217']) {
    const { status, visit } = await told(code, false)
    assert.deepEqual([status, visit.status, visit.diagnostics?.retryable], ['LENDER_REDIRECTED', 'FAILURE', true], code)
  }
})

test('FIS12 §13.1: after the visit there is nothing to repeat, so the lender has ended it', async () => {
  for (const code of ['80207', '80208', '80218']) {
    const { status, endReason } = await told(code, true)
    assert.deepEqual([status, endReason], ['REJECTED', 'The lender could not take the application further.'], code)
  }
})
