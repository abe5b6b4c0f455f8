// Requests to lenders over real HTTP. A search expires after 15 s, any other request after 30 s.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outgoingFaults } from '@lendloom/conformance/network/v203/rules'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { untilJobsHaveRun } from '@lendloom/tests/setup/idle'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import { nack } from '@lendloom/wire/network/context'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import type { Conversation } from './conversation.ts'
import { readInbound } from './inbound/store.ts'
import { requestLoanStatus, sendConfirm, sendInit, sendSelect } from './lender-requests.ts'
import { readMessages } from './messages/store.ts'
import { endConversation } from './open-conversation.ts'
import { timerKind } from './queue-request.ts'
import { receiveCallback } from './receive-callback.ts'
import { timerWorker } from './request-timer.ts'
import { searchNetwork } from './search.ts'
import { sendWorker } from './send-request.ts'
import type { ConversationStage } from './stage.ts'
import { transcriptOf } from './transcript.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
const { db } = ctx
const { conversationAt, nextAcknowledged, currentConversation, messages } = conversationHelpers(network, platform)
const finalTerms = { terms: readOrder(exampleOf('on_select_3', network)).terms!, pledges: [], account: null }

test('FIS12 §12.1 search: the broadcast follows the rules and names no lender', async () => {
  const journey = await platform.newJourney()
  await db.tx((tx) => searchNetwork({ ...ctx, tx, at: ctx.clock() }, journey))
  const { body } = await nextAcknowledged(journey, 'search')
  assert.deepEqual(outgoingFaults('search', body.message), [])
  assert.equal(body.context.bpp_id, undefined)
  assert.equal(body.context.transaction_id, journey.networkTransactionId)
  assert.equal(body.context.ttl, 'PT15S')
  platform.advanceClock(16)
  await platform.waitForInbound(journey, 'search_closed')
})

test('FIS12 §13.2: sends no search for a journey that has ended', async () => {
  const journey = await platform.newJourney()
  await db.tx(async (tx) => {
    await searchNetwork({ ...ctx, tx, at: ctx.clock() }, journey)
    await updateJourney(tx, journey, { active: false }, ctx.clock())
  })
  const storedRequest = async () => (await messages(journey)).find(({ action }) => action === 'search')!
  await waitFor(async () => (await storedRequest()).outcome !== null)
  const { outcome, sentAt } = await storedRequest()
  assert.equal(outcome, 'WITHDRAWN')
  assert.equal(sentAt, null)
})

test('FIS12 §3.3: sends the same message again to an unavailable gateway until the search window closes', async () => {
  network.on('/gateway/search', () => ({ status: 502, body: 'unavailable' }))
  const journey = await platform.newJourney()
  await db.tx((tx) => searchNetwork({ ...ctx, tx, at: ctx.clock() }, journey))
  const first = await network.nextCall('/gateway/search', journey.networkTransactionId)
  const second = await network.nextCall('/gateway/search', journey.networkTransactionId)
  assert.equal(first.raw, second.raw)
  platform.advanceClock(16)
  const { action } = await platform.waitForInbound(journey, 'unanswered')
  assert.equal(action, 'search')
  network.on('/gateway/search', undefined)
})

test('FIS12 §3.1: a search that the gateway rejects is recorded once, before its window ends', async () => {
  network.on('/gateway/search', () => ({ status: 200, body: nack({ code: '10000', message: 'no' }) }))
  const journey = await platform.newJourney()
  await db.tx((tx) => searchNetwork({ ...ctx, tx, at: ctx.clock() }, journey))
  const { action, error } = await platform.waitForInbound(journey, 'nacked')
  assert.equal(action, 'search')
  assert.equal(error.code, '10000')
  network.on('/gateway/search', undefined)
  platform.advanceClock(16)
  await untilJobsHaveRun(ctx, timerKind)
  assert.deepEqual(
    (await readInbound(db, journey.tenantId, journey.journeyId)).map(({ type }) => type),
    ['nacked'],
  )
})

test('FIS12 §12.1 select, init, confirm and status follow the rules and await their answers', async () => {
  const requests = [
    ['select', 'PROFILED', (tx, c, at) => sendSelect({ ...ctx, tx, at }, c), 'SELECTED'],
    ['init', 'KYC_DONE', (tx, c, at) => sendInit({ ...ctx, tx, at }, c, finalTerms), 'INITIATED'],
    ['confirm', 'AGREEMENT_DONE', (tx, c, at) => sendConfirm({ ...ctx, tx, at }, c, finalTerms), 'CONFIRM_SENT'],
    ['status', 'CONFIRMED', (tx, c, at) => requestLoanStatus({ ...ctx, tx, at }, c), 'CONFIRMED'],
  ] as [
    'select' | 'init' | 'confirm' | 'status',
    ConversationStage,
    (...args: [import('@lendloom/postgres/sql').Tx, Conversation, Date]) => Promise<Conversation>,
    ConversationStage,
  ][]
  for (const [action, stage, sendRequest, nextStage] of requests) {
    const { journey, conversation } = await conversationAt(stage, { paymentId: 'settlement-1' })
    const changed = await db.tx((tx) => sendRequest(tx, conversation, ctx.clock()))
    assert.equal(changed.stage, nextStage)
    assert.equal(changed.awaitedAction, action)
    const { body } = await network.nextCall(`/ondc/${action}`, journey.networkTransactionId)
    assert.deepEqual(outgoingFaults(action, body.message), [])
    assert.equal(body.context.message_id, changed.awaitedMessageId)
    assert.equal(body.context.bpp_id, network.lender.id)
    if (action !== 'status')
      assert.equal(body.message.order.items[0].xinput.form_response.submission_id, conversation.submissionId)
    if (action === 'init' || action === 'confirm') assert.equal(body.message.order.payments[0].id, 'settlement-1')
  }
})

test('FIS12 §8.1: refuses a request at the wrong stage without recording it', async () => {
  const { journey, conversation } = await conversationAt('DISCOVERED')
  const before = (await messages(journey)).length
  await assert.rejects(
    db.tx((tx) => sendSelect({ ...ctx, tx, at: ctx.clock() }, conversation)),
    { kind: 'wrong-state' },
  )
  await assert.rejects(
    db.tx((tx) => sendConfirm({ ...ctx, tx, at: ctx.clock() }, conversation, finalTerms)),
    { kind: 'wrong-state' },
  )
  assert.equal((await messages(journey)).length, before)
})

test('FIS12 §13.2: a pending request is not sent once the conversation has ended', async () => {
  const { journey, conversation } = await conversationAt('PROFILED')
  const before = network.calls.length
  await db.tx(async (tx) => {
    const changed = await sendSelect({ ...ctx, tx, at: ctx.clock() }, conversation)
    await endConversation(tx, changed, 'the borrower chose another offer', ctx.clock())
  })
  const storedRequest = async () => (await messages(journey)).find(({ action }) => action === 'select')!
  await waitFor(async () => (await storedRequest()).outcome !== null)
  const { outcome, sentAt } = await storedRequest()
  assert.equal(outcome, 'WITHDRAWN')
  assert.equal(sentAt, null)
  assert.ok(!network.calls.slice(before).some(({ path }) => path === '/ondc/select'))
})

test('FIS12 §3.1: a NACK ends the wait and is recorded with its code', async () => {
  const { journey, conversation } = await conversationAt('PROFILED')
  network.on('/ondc/select', () => ({
    status: 200,
    body: nack({ code: '30000', message: '$.message.order is invalid' }),
  }))
  await db.tx((tx) => sendSelect({ ...ctx, tx, at: ctx.clock() }, conversation))
  const { action, error } = await platform.waitForInbound(journey, 'nacked')
  assert.equal(action, 'select')
  assert.equal(error.code, '30000')
  assert.equal((await currentConversation(journey)).awaitedMessageId, null)
  assert.equal((await messages(journey)).at(-1)!.outcome, 'NACK 30000')
  network.on('/ondc/select', undefined)
})

test('FIS12 §3.3: retries an undelivered request with the same bytes', async () => {
  const { journey, conversation } = await conversationAt('PROFILED')
  let failures = 2
  network.on('/ondc/select', () =>
    failures-- > 0 ? { status: 500, body: 'oops' } : { status: 200, body: { message: { ack: { status: 'ACK' } } } },
  )
  await db.tx((tx) => sendSelect({ ...ctx, tx, at: ctx.clock() }, conversation))
  const attempts = [
    await network.nextCall('/ondc/select', journey.networkTransactionId),
    await network.nextCall('/ondc/select', journey.networkTransactionId),
    await network.nextCall('/ondc/select', journey.networkTransactionId),
  ]
  assert.equal(new Set(attempts.map(({ raw }) => raw)).size, 1)
  await waitFor(async () => (await messages(journey)).at(-1)!.outcome === 'ACK')
  const [stored] = (await messages(journey)).slice(-1)
  assert.equal(stored!.tries, 3)
  assert.equal(stored!.headers!.authorization, attempts[0]!.headers.authorization)
  network.on('/ondc/select', undefined)
})

test('FIS12 §3.3: repeats an unanswered request once with a new message id', async () => {
  const { journey, conversation } = await conversationAt('PROFILED')
  await db.tx((tx) => sendSelect({ ...ctx, tx, at: ctx.clock() }, conversation))
  const first = await nextAcknowledged(journey, 'select')
  platform.advanceClock(31)
  const second = await nextAcknowledged(journey, 'select')
  assert.notEqual(second.body.context.message_id, first.body.context.message_id)
  assert.deepEqual(second.body.message, first.body.message)
  assert.ok(second.body.context.timestamp > first.body.context.timestamp)
  platform.advanceClock(31)
  const { action } = await platform.waitForInbound(journey, 'unanswered')
  assert.equal(action, 'select')
  const after = await currentConversation(journey)
  assert.equal(after.stage, 'SELECTED')
  assert.equal(after.awaitedMessageId, null)
})

test('FIS12 §3.3: a late first offer is applied; any other late answer is only stored', async () => {
  const { journey, conversation } = await conversationAt('PROFILED')
  const changed = await db.tx((tx) => sendSelect({ ...ctx, tx, at: ctx.clock() }, conversation))
  await nextAcknowledged(journey, 'select')
  platform.advanceClock(31)
  await network.nextCall('/ondc/select', journey.networkTransactionId)
  const ids = { transactionId: journey.networkTransactionId, messageId: changed.awaitedMessageId! }
  const offer = network.callback('on_select', { ...ids, message: exampleOf('on_select_2', network) })
  assert.equal((await network.postSigned(url, offer)).body.message.ack.status, 'ACK')
  const inbound = await platform.waitForInbound(journey, 'on_select')
  assert.equal(inbound.late, true)
  assert.equal(inbound.move, 'offered')
  const offered = await currentConversation(journey)
  assert.equal(offered.stage, 'OFFERED')
  assert.equal(offered.awaitedMessageId, null)
  assert.equal(offered.formHeading, 'SET_LOAN_AMOUNT')

  const atInit = await conversationAt('KYC_DONE')
  const initiated = await db.tx((tx) => sendInit({ ...ctx, tx, at: ctx.clock() }, atInit.conversation, finalTerms))
  await nextAcknowledged(atInit.journey, 'init')
  platform.advanceClock(31)
  await network.nextCall('/ondc/init', atInit.journey.networkTransactionId)
  const late = network.callback('on_init', {
    transactionId: atInit.journey.networkTransactionId,
    messageId: initiated.awaitedMessageId!,
    message: exampleOf('on_init_1', network),
  })
  assert.equal((await network.postSigned(url, late)).body.message.ack.status, 'ACK')
  const last = (await readInbound(db, atInit.journey.tenantId, atInit.journey.journeyId)).at(-1)!
  assert.equal(last.type, 'on_init')
  assert.equal(last.state, 'IGNORED')
  assert.equal(last.note?.slice(0, 5), '80214')
  assert.equal((await currentConversation(atInit.journey)).stage, 'INITIATED')
})

test('FIS12 §3.3: a late answer before the timer does not prevent the repetition of the request', async () => {
  const { journey, conversation } = await conversationAt('KYC_DONE')
  const initiated = await db.tx((tx) => sendInit({ ...ctx, tx, at: ctx.clock() }, conversation, finalTerms))
  await nextAcknowledged(journey, 'init')
  const raw = network.callback('on_init', {
    transactionId: journey.networkTransactionId,
    messageId: initiated.awaitedMessageId!,
    message: exampleOf('on_init_1', network),
  })
  const { context, message } = JSON.parse(raw)
  // The timer waits for the journey's lock, which the transaction of the answer holds.
  const receipt = await db.tx(async (tx) => {
    const lockedJourney = await lockJourney(tx, journey.tenantId, journey.journeyId)
    platform.advanceClock(31)
    const received = { action: 'on_init', context, message, raw: Buffer.from(raw), headers: {} } as const
    return receiveCallback({ ...ctx, tx, at: ctx.clock() }, lockedJourney!, received)
  })
  assert.equal(receipt, 'late')
  const again = await network.nextCall('/ondc/init', journey.networkTransactionId)
  assert.notEqual(again.body.context.message_id, initiated.awaitedMessageId)
})

test('FIS12 §11.2: an unanswered confirm is not repeated; a status request follows', async () => {
  const { journey, conversation } = await conversationAt('AGREEMENT_DONE')
  await db.tx((tx) => sendConfirm({ ...ctx, tx, at: ctx.clock() }, conversation, finalTerms))
  await nextAcknowledged(journey, 'confirm')
  platform.advanceClock(31)
  const { body } = await network.nextCall('/ondc/status', journey.networkTransactionId)
  assert.deepEqual(body.message, { ref_id: journey.networkTransactionId })
  const message = exampleOf('on_confirm', network)
  const ids = { transactionId: journey.networkTransactionId, messageId: body.context.message_id }
  await network.postSigned(url, network.callback('on_status', { ...ids, message }))
  const inbound = await platform.waitForInbound(journey, 'on_status')
  assert.equal(inbound.move, 'confirmed')
  const after = await currentConversation(journey)
  assert.equal(after.stage, 'CONFIRMED')
  assert.equal(after.orderId, message.order.id)
  assert.equal(after.awaitedMessageId, null)
  const confirms = network.calls.filter(
    ({ path, raw }) => path === '/ondc/confirm' && raw.includes(journey.networkTransactionId),
  )
  assert.equal(confirms.length, 1)
})

test('FIS12 §3.2: an error answer ends the wait and keeps the stage', async () => {
  const { journey, conversation } = await conversationAt('PROFILED')
  const changed = await db.tx((tx) => sendSelect({ ...ctx, tx, at: ctx.clock() }, conversation))
  const ids = { transactionId: journey.networkTransactionId, messageId: changed.awaitedMessageId! }
  const error = { code: '80226', message: 'declined' }
  await network.postSigned(url, network.callback('on_select', { ...ids, error }))
  const inbound = await platform.waitForInbound(journey, 'on_select')
  assert.deepEqual(inbound.error, error)
  assert.equal(inbound.order, null)
  assert.equal(inbound.move, null)
  assert.equal(inbound.solicited, true)
  const after = await currentConversation(journey)
  assert.equal(after.stage, 'SELECTED')
  assert.equal(after.awaitedMessageId, null)
})

test('FIS12 §3.3: timestamps increase even when our clock is behind the lender’s', async () => {
  const { journey, conversation } = await conversationAt('SELECTED')
  const ahead = new Date(ctx.clock().getTime() + 60_000).toISOString()
  const message = exampleOf('on_select_2', network)
  const raw = network.callback('on_select', {
    transactionId: journey.networkTransactionId,
    message,
    context: { timestamp: ahead },
  })
  assert.equal((await network.postSigned(url, raw)).status, 200)
  await waitFor(async () => (await currentConversation(journey)).stage === 'OFFERED')
  const offered = { ...(await currentConversation(journey)), submissionId: conversation.submissionId }
  await db.tx((tx) => sendSelect({ ...ctx, tx, at: ctx.clock() }, offered))
  const { body } = await network.nextCall('/ondc/select', journey.networkTransactionId)
  assert.ok(body.context.timestamp > ahead)
})

test('FIS12 §3.3: a message is sent again and recorded after a crash between sending and recording', async () => {
  const idlePlatform = await testSubscriber(network.url, { workers: false })
  const journey = await idlePlatform.newJourney()
  await idlePlatform.ctx.db.tx((tx) =>
    searchNetwork({ ...idlePlatform.ctx, tx, at: idlePlatform.ctx.clock() }, journey),
  )
  const stuckDb = new Proxy(idlePlatform.ctx.db, {
    get: (db, name) => (name === 'tx' ? () => new Promise(() => {}) : Reflect.get(db, name)),
  })
  const crashedWorker = sendWorker({ ...idlePlatform.ctx, db: stuckDb })
  const first = await network.nextCall('/gateway/search', journey.networkTransactionId)
  const [message] = await readMessages(idlePlatform.ctx.db, idlePlatform.ctx.seal, journey.tenantId, journey.journeyId)
  assert.equal(message!.outcome, null)
  assert.equal(message!.tries, 1)
  assert.equal(message!.headers!.authorization, first.headers.authorization)
  void crashedWorker.stop()

  idlePlatform.advanceClock(11)
  const successor = sendWorker(idlePlatform.ctx)
  const second = await network.nextCall('/gateway/search', journey.networkTransactionId)
  assert.equal(second.raw, first.raw)
  await waitFor(async () => {
    const [stored] = await readMessages(idlePlatform.ctx.db, idlePlatform.ctx.seal, journey.tenantId, journey.journeyId)
    return stored!.outcome === 'ACK' && stored!.tries === 2
  })
  await successor.stop()
})

test("FIS12 §3.3: a search with a lender's answer closes normally even without the gateway's ACK", async (t) => {
  const idlePlatform = await testSubscriber(network.url, { workers: false })
  const journey = await idlePlatform.newJourney()
  await idlePlatform.ctx.db.tx((tx) =>
    searchNetwork({ ...idlePlatform.ctx, tx, at: idlePlatform.ctx.clock() }, journey),
  )
  const stuckDb = new Proxy(idlePlatform.ctx.db, {
    get: (db, name) => (name === 'tx' ? () => new Promise(() => {}) : Reflect.get(db, name)),
  })
  const crashedWorker = sendWorker({ ...idlePlatform.ctx, db: stuckDb })
  t.after(() => void crashedWorker.stop())
  const { body } = await network.nextCall('/gateway/search', journey.networkTransactionId)
  const ids = { transactionId: body.context.transaction_id, messageId: body.context.message_id }
  await network.postSigned(
    idlePlatform.url,
    network.callback('on_search', { ...ids, message: exampleOf('on_search', network) }),
  )
  idlePlatform.advanceClock(16)
  const timer = timerWorker(idlePlatform.ctx)
  t.after(() => timer.stop())
  const events = async () =>
    (await readInbound(idlePlatform.ctx.db, journey.tenantId, journey.journeyId)).map((row) => row.type)
  await waitFor(async () => (await events()).length === 2)
  assert.deepEqual(await events(), ['on_search', 'search_closed'])
})

test('FIS12 §2, §18.1: applies an unsolicited message to the order with its id, and rejects an unknown order', async () => {
  const message = exampleOf('on_status', network)
  const { journey } = await conversationAt('CONFIRMED', { orderId: message.order.id })
  const transactionId = journey.networkTransactionId
  const sendStatus = (order: object) =>
    network.postSigned(
      url,
      network.callback('on_status', { transactionId, message: { order: { ...message.order, ...order } } }),
    )
  const unknownOrder = await sendStatus({ id: 'another-order' })
  assert.equal(unknownOrder.body.message.ack.status, 'NACK')
  assert.equal(unknownOrder.body.error.code, '20008')
  const shown = (await transcriptOf(ctx, journey.tenantId, journey.journeyId, true)).at(-1)!
  assert.equal(shown.action, 'on_status', 'the operator sees it')
  assert.equal(shown.outcome, 'NACK 20008 no conversation with this lender matches')
  assert.deepEqual(platform.applied(journey).slice(1), [])
  const changed = await sendStatus({ provider: { ...message.order.provider, id: 'changed-provider' } })
  assert.equal(changed.body.message.ack.status, 'ACK')
  assert.equal((await platform.waitForInbound(journey, 'on_status')).move, 'disbursed')
  assert.equal((await currentConversation(journey)).stage, 'DISBURSED')
})

test('FIS12 §7.6: an unknown state changes nothing and is recorded as not understood', async () => {
  const message = exampleOf('on_status', network)
  const { journey } = await conversationAt('CONFIRMED', { orderId: message.order.id })
  const [fulfillment] = message.order.fulfillments
  const fulfillments = [{ ...fulfillment, state: { descriptor: { code: 'LOAN_UNDER_REVIEW' } } }]
  const transactionId = journey.networkTransactionId
  const review = { message: { order: { ...message.order, fulfillments } } }
  const raw = network.callback('on_status', { transactionId, ...review })
  assert.equal((await network.postSigned(url, raw)).body.message.ack.status, 'ACK')
  const { tenantId, journeyId } = journey
  const lastMessage = async () => (await readInbound(db, tenantId, journeyId)).at(-1)!
  await waitFor(async () => (await lastMessage()).state !== 'WAITING')
  const note = 'unknown fulfilment state LOAN_UNDER_REVIEW'
  const received = await lastMessage()
  assert.equal(received.state, 'NOT_UNDERSTOOD')
  assert.equal(received.note, note)
  assert.equal((await currentConversation(journey)).stage, 'CONFIRMED')
  assert.equal((await transcriptOf(ctx, tenantId, journeyId)).at(-1)!.note, note)

  const sanctioned = [{ ...fulfillment, state: { descriptor: { code: 'SANCTIONED' } } }]
  const withStatus = { message: { order: { ...message.order, fulfillments: sanctioned, status: 'UNDER_REVIEW' } } }
  await network.postSigned(url, network.callback('on_status', { transactionId, ...withStatus }))
  await waitFor(async () => (await lastMessage()).note === 'unknown order status UNDER_REVIEW')
  assert.equal((await lastMessage()).state, 'NOT_UNDERSTOOD')
})
