// Inbound messages are applied in order and once each; a message that always fails does not block later messages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { enqueue } from '@lendloom/queue/queue'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import {
  inboundKind,
  readInbound,
  readOldestWaitingTime,
  recordInternalEvent,
} from '#platform/lenders/network/inbound/store.ts'
import { sendSelect } from '#platform/lenders/network/lender-requests.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx } = platform

/** Records one inbound NACK per error code; the tests use any text as code. */
async function recordNacks(journey: Journey, ...codes: string[]): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await lockJourney(tx, journey.tenantId, journey.journeyId)
    for (const code of codes)
      await recordInternalEvent(
        { ...ctx, tx, at: ctx.clock() },
        journey,
        { type: 'nacked', action: 'search', error: { code } },
        { conversationId: null, key: code },
      )
  })
}
const codesOf = (journey: Journey): string[] =>
  platform.applied(journey).flatMap((each) => (each.type === 'nacked' ? [each.error.code] : []))
const statesOf = async ({ tenantId, journeyId }: Journey) =>
  (await readInbound(ctx.db, tenantId, journeyId)).map(({ state }) => state)
const countJobs = async ({ journeyId }: Journey) =>
  (await ctx.db`select 1 from job where kind = ${inboundKind} and payload->>'journeyId' = ${journeyId}`).length

test('FIS12 §3.3: inbound messages of a journey are applied in order, even when they are recorded concurrently', async () => {
  const journey = await platform.newJourney()
  const codes = Array.from({ length: 30 }, (_, i) => String(i))
  await Promise.all([
    recordNacks(journey, ...codes.slice(0, 10)),
    recordNacks(journey, ...codes.slice(10, 20)),
    recordNacks(journey, ...codes.slice(20)),
  ])
  await waitFor(() => codesOf(journey).length === 30)
  const order = (await readInbound(ctx.db, journey.tenantId, journey.journeyId)).map(({ key }) => key)
  assert.deepEqual(codesOf(journey), order)
  assert.deepEqual(new Set(order), new Set(codes))
})

test('FIS12 §3.3: an event that is recorded twice is applied once', async () => {
  const journey = await platform.newJourney()
  await Promise.all([recordNacks(journey, 'a'), recordNacks(journey, 'a'), recordNacks(journey, 'a', 'b')])
  await waitFor(() => codesOf(journey).length === 2)
  assert.deepEqual(codesOf(journey).sort(), ['a', 'b'])
})

test('a message that arrives while the job of its journey runs needs no other job', async () => {
  const journey = await platform.newJourney()
  const arrivals: Promise<void>[] = []
  platform.onApply.run = async (_, __, ___, ____, inbound) => {
    if (inbound.type === 'nacked' && inbound.error.code === 'a')
      arrivals.push(recordNacks(journey, 'b'), recordNacks(journey, 'c'))
  }
  await recordNacks(journey, 'a')
  await waitFor(() => codesOf(journey).length === 3)
  await Promise.all(arrivals)
  platform.onApply.run = async () => {}
  await waitFor(async () => (await countJobs(journey)) === 0)
  assert.deepEqual(new Set(await statesOf(journey)), new Set(['APPLIED']))
})

test('a journey has one job, which a failed message keeps', async () => {
  const journey = await platform.newJourney()
  platform.onApply.run = async (_, __, { journeyId }) => {
    if (journeyId === journey.journeyId) throw new Error('not yet')
  }
  await recordNacks(journey, 'a', 'b')
  await waitFor(async () => (await readInbound(ctx.db, journey.tenantId, journey.journeyId))[0]?.attempt === 1)
  await recordNacks(journey, 'c')
  assert.equal(await countJobs(journey), 1)
  platform.onApply.run = async () => {}
  await waitFor(() => {
    platform.advanceClock(0.2)
    return codesOf(journey).length === 3
  })
  assert.deepEqual(codesOf(journey), ['a', 'b', 'c'])
  await waitFor(async () => (await countJobs(journey)) === 0)
})

test('after errors of the database, the messages of a journey wait for seconds', async () => {
  const journey = await platform.newJourney()
  platform.onApply.run = async () => {
    throw Object.assign(new Error('disk full'), { code: '53100' })
  }
  await ctx.db.tx(async (tx) => {
    const tenantId = journey.tenantId
    const payload = { journeyId: journey.journeyId }
    await enqueue(tx, { tenantId, kind: inboundKind, key: journey.journeyId, payload, dueAt: ctx.clock() })
    await tx`update job set attempt = 8 where kind = ${inboundKind} and key = ${journey.journeyId}`
    await lockJourney(tx, tenantId, journey.journeyId)
    const nacked = { type: 'nacked', action: 'search', error: { code: 'a' } } as const
    await recordInternalEvent({ ...ctx, tx, at: ctx.clock() }, journey, nacked, { conversationId: null, key: 'a' })
  })
  await waitFor(async () => {
    const jobs = await ctx.db`select 1 from job where key = ${journey.journeyId} and last_error is not null`
    return jobs.length === 1
  })
  platform.onApply.run = async () => {}
  platform.advanceClock(9)
  await waitFor(() => codesOf(journey).length === 1)
  await waitFor(async () => (await countJobs(journey)) === 0)
})

test('a failed effect is rolled back and tried again', async () => {
  const journey = await platform.newJourney()
  let failures = 2
  platform.onApply.run = async (tx, _, { tenantId, journeyId }) => {
    await tx`update journey set end_use = coalesce(end_use, '') || 'x' where tenant_id = ${tenantId} and journey_id = ${journeyId}`
    if (failures-- > 0) throw new Error('not yet')
  }
  await recordNacks(journey, 'a', 'b')
  await waitFor(() => {
    platform.advanceClock(0.2)
    return codesOf(journey).length === 2
  })
  assert.deepEqual(codesOf(journey), ['a', 'b'])
  await waitFor(async () => !(await statesOf(journey)).includes('WAITING'))
  const [row] = await ctx.db<{ endUse: string }>`select end_use from journey where journey_id = ${journey.journeyId}`
  assert.equal(row!.endUse, 'xx')
  platform.onApply.run = async () => {}
})

test('a message that always fails is set aside after five tries, and the next one is applied', async () => {
  const journey = await platform.newJourney()
  const otherJourney = await platform.newJourney()
  let tries = 0
  platform.onApply.run = async (_, __, ___, ____, inbound) => {
    if (inbound.type !== 'nacked' || inbound.error.code !== 'poison') return
    tries++
    throw new Error('always')
  }
  await recordNacks(journey, 'poison', 'after')
  await recordNacks(otherJourney, 'elsewhere')
  await waitFor(() => codesOf(otherJourney).length === 1)
  await waitFor(() => {
    platform.advanceClock(0.2)
    return codesOf(journey).includes('after')
  })
  assert.equal(tries, 5)
  await waitFor(async () => !(await statesOf(journey)).includes('WAITING'))
  const rows = await readInbound(ctx.db, journey.tenantId, journey.journeyId)
  assert.deepEqual(
    rows.map(({ state, note }) => ({ state, note: note?.replace(/[\da-f-]{36}$/, 'ID') ?? null })),
    [
      { state: 'SET_ASIDE', note: 'an internal error; the log has it under ID' },
      { state: 'APPLIED', note: 'error after' },
    ],
  )
  platform.onApply.run = async () => {}
})

test('the oldest waiting message is found behind the postponed job of a journey without one', async () => {
  const idle = await platform.newJourney()
  const journey = await platform.newJourney()
  await ctx.db.tx(async (tx) => {
    const { tenantId, journeyId } = idle
    const dueAt = secondsAfter(ctx.clock(), 3600)
    await enqueue(tx, { tenantId, kind: inboundKind, payload: { journeyId }, dueAt })
  })
  assert.equal(await readOldestWaitingTime(ctx.db), null)
  platform.onApply.run = async () => {
    throw new Error('not yet')
  }
  await recordNacks(journey, 'a')
  const [row] = await readInbound(ctx.db, journey.tenantId, journey.journeyId)
  assert.deepEqual(await readOldestWaitingTime(ctx.db), row!.at)
  platform.onApply.run = async () => {}
  await waitFor(async () => {
    platform.advanceClock(0.2)
    return (await readOldestWaitingTime(ctx.db)) === null
  })
})

test('a message that the domain refuses is set aside at once', async () => {
  const journey = await platform.newJourney()
  platform.onApply.run = async (_, __, ___, ____, inbound) => {
    if (inbound.type === 'nacked' && inbound.error.code === 'refused')
      throw new Refusal('wrong-state', 'too late for this')
  }
  await recordNacks(journey, 'refused', 'after')
  await waitFor(() => codesOf(journey).includes('after'))
  await waitFor(async () => !(await statesOf(journey)).includes('WAITING'))
  assert.deepEqual(await statesOf(journey), ['SET_ASIDE', 'APPLIED'])
  platform.onApply.run = async () => {}
})

test('an inbound message of an ended conversation is stored but not applied', async () => {
  const journey = await platform.newJourney()
  const { tenantId, journeyId } = journey
  const conversationId = uuidv7(Date.now(), bucketOf(journeyId))
  const at = ctx.clock()
  await ctx.db`insert into conversation ${ctx.db({
    bucket: bucketOf(journeyId),
    tenantId,
    journeyId,
    conversationId,
    lenderId: uuidv7(),
    bppId: 'x.example',
    bppUri: network.url,
    providerId: 'p',
    itemId: 'i',
    stage: 'ENDED',
    endedBecause: 'another offer was chosen',
    createdAt: at,
    updatedAt: at,
  })}`
  await ctx.db.tx(async (tx) => {
    await lockJourney(tx, tenantId, journeyId)
    await recordInternalEvent(
      { ...ctx, tx, at },
      journey,
      { type: 'unanswered', action: 'select', purpose: null },
      { conversationId, key: 'k' },
    )
  })
  await waitFor(async () => (await statesOf(journey))[0] === 'IGNORED')
  const [row] = await readInbound(ctx.db, tenantId, journeyId)
  assert.match(row!.note!, /another offer was chosen/)
})

test('FIS12 §7.1: a callback that begins with a byte order mark is read as it was accepted', async () => {
  const { conversationAt, nextAcknowledged } = conversationHelpers(network, platform)
  const { journey, conversation } = await conversationAt('AMOUNT_ACCEPTED', { formId: 'form-AMOUNT' })
  await ctx.db.tx((tx) => sendSelect({ ...ctx, tx, at: ctx.clock() }, conversation))
  const { body } = await nextAcknowledged(journey, 'select')
  const ids = { transactionId: journey.networkTransactionId, messageId: body.context.message_id }
  const offer = network.callback('on_select', { ...ids, message: exampleOf('on_select_2', network) })
  const { body: answer } = await network.postSigned(platform.url, `\ufeff${offer}`)
  assert.equal(answer.message.ack.status, 'ACK')
  await waitFor(async () => (await statesOf(journey)).at(-1) === 'IGNORED')
})

test('FIS12 §3.3: after an answer that does not fit the stage, the lender is asked again later', async () => {
  const { conversationAt, nextAcknowledged, currentConversation } = conversationHelpers(network, platform)
  const { journey, conversation } = await conversationAt('AMOUNT_ACCEPTED', { formId: 'form-AMOUNT' })
  await ctx.db.tx((tx) => sendSelect({ ...ctx, tx, at: ctx.clock() }, conversation))
  const { body } = await nextAcknowledged(journey, 'select')
  const ids = { transactionId: journey.networkTransactionId, messageId: body.context.message_id }
  const repeatedOffer = network.callback('on_select', { ...ids, message: exampleOf('on_select_2', network) })
  assert.equal((await network.postSigned(platform.url, repeatedOffer)).status, 200)
  await waitFor(async () => (await statesOf(journey)).at(-1) === 'IGNORED')
  const { stage, awaitedMessageId } = await currentConversation(journey)
  assert.equal(stage, 'RESELECTED')
  assert.equal(awaitedMessageId, null)
  const followUps = await ctx.db<{ wait: string }>`
    select payload->>'wait' as wait from job
    where tenant_id = ${journey.tenantId} and kind = 'lender-follow-up' and payload->>'journeyId' = ${journey.journeyId}`
  assert.deepEqual(followUps, [{ wait: 'RESELECTED:form-AMOUNT' }])
})
