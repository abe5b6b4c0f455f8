// A lender on the network that pays out after the journey has expired: the loan is recorded, and nothing is dropped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '@lendloom/seal/id'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { until } from '@lendloom/tests/setup/programs'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import { lenderJourneys } from '@lendloom/tests/setup/under-way'
import { withLockedJourney } from '#platform/api/page/run-act.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { readInbound } from '#platform/lenders/network/inbound/store.ts'
import { onLoanCallback } from '#platform/lenders/network/reactions/appliers/loan-callback.ts'
import { changeConversation } from '#platform/lenders/network/store.ts'
import { expireJourney } from '#platform/lending/journey/advance.ts'
import { eventContext } from '#platform/lending/journey/journey.ts'
import { findEvents, updateJourney } from '#platform/lending/journey/store.ts'
import { recordSanction } from '#platform/lending/step/lender-decision.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
const { journeyAtLender } = lenderJourneys(network, platform)
const applyByDefault = platform.onApply.run
platform.onApply.run = async (tx, of, journey, conversation, inbound, at) => {
  if (inbound.type !== 'on_update') return applyByDefault(tx, of, journey, conversation, inbound, at)
  return onLoanCallback({ ...of, tx, at }, journey, conversation, inbound as InboundMessage<'on_update'>)
}

/** A confirmed loan whose borrower did nothing for a month. */
const expiredLoan = () =>
  journeyAtLender('PERSONAL_LOAN', 'CONFIRMED', { orderId: 'order-7' }, async (tx, journey, at) => {
    await recordSanction(tx, journey, at)
    await updateJourney(tx, journey, { lenderMode: 'ONLINE' }, at)
    await expireJourney(tx, journey, 'NOT_CONTINUED', at)
  })

async function reportPayout(loan: Awaited<ReturnType<typeof expiredLoan>>) {
  const journey = await loan.journey()
  const message = exampleOf('on_update_disbursed', network)
  const answer = await network.postSigned(
    url,
    network.callback('on_update', { transactionId: journey.networkTransactionId, message }),
  )
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const row = await until('the message is settled', async () => {
    const inbound = await readInbound(ctx.db, journey.tenantId, journey.journeyId)
    return inbound.find(({ type, state }) => type === 'on_update' && state !== 'WAITING')
  })
  return { row, journey: await loan.journey() }
}

const statusesOf = async ({ tenantId, journeyId }: { tenantId: string; journeyId: string }) =>
  (await findEvents(ctx.db, tenantId, journeyId, 0)).map(({ status }) => status)

test('D1 §3: a payout after the expiry makes the journey active and DISBURSED, and the app learns it', async () => {
  const { row, journey } = await reportPayout(await expiredLoan())
  assert.equal(row.state, 'APPLIED')
  assert.equal(journey.status, 'DISBURSED')
  assert.equal(journey.active, true)
  assert.equal(journey.endReason, null)
  assert.equal((await statusesOf(journey)).at(-1), 'DISBURSED')
})

test('D1 §2.3.1: beside another active journey of the borrower, the loan is recorded and its journey stays inactive', async () => {
  const loan = await expiredLoan()
  const { journeyId } = await loan.journey()
  await ctx.db`
    insert into journey select (jsonb_populate_record(j, jsonb_build_object('journey_id', ${uuidv7()}::text, 'active', true))).*
    from journey j where journey_id = ${journeyId}`
  const { row, journey } = await reportPayout(loan)
  assert.equal(row.state, 'APPLIED')
  assert.equal(journey.status, 'DISBURSED')
  assert.equal(journey.active, false)
  const { status, payloadSealed } = (await findEvents(ctx.db, journey.tenantId, journeyId, 0)).at(-1)!
  const sent = ctx.seal.open(payloadSealed, eventContext(journey.tenantId, journeyId, status)).toString()
  assert.match(sent, /"status":"DISBURSED","activity_status":"ACTIVE"/, 'D1 §2.6')
  const borrower = { tenantId: journey.tenantId, journeyId }
  await withLockedJourney(ctx, borrower, async (_, { status }) =>
    assert.equal(status, 'DISBURSED', 'and can be repaid'),
  )
})

test('other messages of a lender do not resume an expired journey, and a payout does not resume a rejected one', async () => {
  const loan = await expiredLoan()
  await loan.underJourneyLock((tx, _, conversation, at) =>
    changeConversation(tx, conversation, { stage: 'DISBURSED' }, at),
  )
  const ignored = (await reportPayout(loan)).row
  assert.equal(ignored.state, 'IGNORED')
  assert.equal(ignored.note, 'the journey has ended')
  const rejected = await expiredLoan()
  const { journeyId } = await rejected.journey()
  await ctx.db`update journey set status = 'REJECTED' where journey_id = ${journeyId}`
  const { row, journey } = await reportPayout(rejected)
  assert.equal(row.state, 'IGNORED')
  assert.equal(journey.status, 'REJECTED')
  assert.equal(journey.active, false)
})
