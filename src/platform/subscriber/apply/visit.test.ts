// What the chosen lender says of a visit to its branch, the one step of a gold loan (FIS12 §9.1, §3.4, §13.3).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '#kit/id.ts'
import type { Tx } from '#kit/sql.ts'
import { type Person, personContext } from '#platform/borrower/person.ts'
import { newBorrower } from '#platform/borrower/store.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { findJourney, lockJourney } from '#platform/journey/store.ts'
import { storedTerms } from '#platform/journey/terms.ts'
import type { Happening } from '#platform/network/happening/happening.ts'
import { findSelected } from '#platform/offer/store.ts'
import { spareVisited, stepReady, stepSucceeded } from '#platform/step/move.ts'
import { findStep } from '#platform/step/store.ts'
import { conversing } from '#test/setup/conversation.ts'
import { fakeNetwork } from '#test/setup/network.ts'
import { terms } from '#test/setup/offered.ts'
import { testSubscriber } from '#test/setup/subscriber.ts'
import { lenderError } from './lender-error.ts'
import { onLoan } from './loan.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { world } = platform
const { db } = world
const { conversationAt } = conversing(network, platform)

/** A gold loan whose borrower was sent to the branch, and has been there when `isVisited`. */
async function atBranch(isVisited: boolean) {
  const { journey, conversation } = await conversationAt(isVisited ? 'KYC_DONE' : 'FINAL_TERMS')
  const { tenantId, journeyId, borrowerId } = journey
  const at = world.clock()
  await db`insert into offer ${db({
    ...{ tenantId, journeyId, offerId: uuidv7(), limits: '{}', selectedAt: at, createdAt: at, updatedAt: at },
    conversationId: conversation.conversationId,
    lenderId: conversation.lenderId,
    status: 'OFFER_RECEIVED',
    terms: JSON.stringify(storedTerms(terms)),
  })}`
  const mobileDigest = Buffer.alloc(32)
  await db`${newBorrower({ tenantId, borrowerId, externalId: borrowerId, mobileDigest, createdAt: at })}`
  const person: Person = { personal: { mobile: '9876500001' }, work: {}, address: {}, gold: {} }
  const profileSealed = world.seal.json(person, personContext(tenantId, journeyId))
  await db`insert into profile ${db({ tenantId, journeyId, profileSealed, updatedAt: at })}`
  await db`update journey set status = 'LENDER_REDIRECTED', type = 'GOLD_LOAN' where journey_id = ${journeyId}`
  const under = (act: (tx: Tx, gold: Journey, at: Date) => Promise<unknown>) =>
    db.tx(async (tx) => act(tx, (await lockJourney(tx, tenantId, journeyId))!, world.clock()))
  await under(async (tx, gold, at) => {
    await stepReady(tx, gold, 'kyc', { url: 'https://lender.example/visit', formId: 'F' }, at)
    await spareVisited(tx, gold, at)
    if (isVisited) await stepSucceeded(tx, gold, 'kyc', at)
  })
  return {
    conversation,
    under,
    journey: async () => (await findJourney(db, tenantId, journeyId))!,
    visit: () => findStep(db, { tenantId, journeyId }, 'kyc'),
  }
}

const booked = {
  type: 'on_status',
  error: null,
  move: 'pageWaiting',
  order: { formResponse: { status: 'OFFLINE_PENDING' }, installments: [], state: null },
} as unknown as Happening<'on_status'>

async function told(code: string, isVisited: boolean) {
  const { conversation, under, journey, visit } = await atBranch(isVisited)
  await under((tx, gold, at) => lenderError(tx, world, gold, conversation, code, at))
  const { status, endReason } = await journey()
  return { status, endReason, visit: await visit() }
}

test('FIS12 §13.3: what failed at the branch is the visit, and can be made good by another one', async () => {
  for (const code of ['80205', '80206', '80207', '80209', '80217']) {
    const { status, visit } = await told(code, false)
    assert.deepEqual([status, visit.status, visit.diagnostics?.retryable], ['LENDER_REDIRECTED', 'FAILURE', true], code)
  }
})

test('FIS12 §9.1: a visit that failed is booked no more: another one has to be, and is news again', async () => {
  const { conversation, under, journey } = await atBranch(false)
  const isBooked = async () => (await findSelected(db, await journey()))!.visitBookedAt !== null
  await under((tx, gold, at) => onLoan(tx, world, gold, conversation, booked, at))
  assert.equal(await isBooked(), true)
  await under((tx, gold, at) => lenderError(tx, world, gold, conversation, '80209', at))
  assert.equal(await isBooked(), false)
  await under((tx, gold, at) => onLoan(tx, world, gold, conversation, booked, at))
  assert.equal(await isBooked(), true)
})

test('FIS12 §13.1: after the visit there is nothing to repeat, so the lender has ended it', async () => {
  for (const code of ['80207', '80208', '80218']) {
    const { status, endReason } = await told(code, true)
    assert.deepEqual([status, endReason], ['REJECTED', 'The lender could not take the application further.'], code)
  }
})

test('FIS12 §9.1: how a booked visit stands is asked ever more rarely, however often it is said to be booked', async () => {
  const { conversation, under, visit } = await atBranch(false)
  const isToldBooked = () => under((tx, gold, at) => onLoan(tx, world, gold, conversation, booked, at))
  const rounds = async () =>
    (
      await db<{ round: number }>`
        select (payload->>'round')::int as round from job
        where kind = 'lender-chase' and payload->>'conversationId' = ${conversation.conversationId} order by 1`
    ).map(({ round }) => round)
  await isToldBooked()
  assert.deepEqual([(await visit()).status, await rounds()], ['IN_PROGRESS', [1]])
  // The first round has asked, and the next is due; its answer says once more that the visit is booked.
  await db`update job set payload = payload || '{"round": 2}', key = key || ':2' where kind = 'lender-chase'
    and payload->>'conversationId' = ${conversation.conversationId}`
  await isToldBooked()
  assert.deepEqual(await rounds(), [2])
})
