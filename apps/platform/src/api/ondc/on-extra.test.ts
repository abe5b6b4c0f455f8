// Lenders' answers to support, track, rating and cancel, with hostile ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { uuidv4 } from '@lendloom/seal/id'
import type { Json } from '@lendloom/tests/network-messages/conversation'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import { nack } from '@lendloom/wire/network/context'
import { rating } from '@lendloom/wire/network/extra/extra-messages'
import { support, track } from '@lendloom/wire/network/v203/update-and-status'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { hasAgreedTo, lendersByExtra } from '#platform/lenders/network/conversation.ts'
import { askToCancel } from '#platform/lenders/network/lender-requests.ts'
import { type AsideRequest, askAside } from '#platform/lenders/network/queue-request.ts'
import { receiveExtraCallback } from '#platform/lenders/network/receive-extra-callback.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
const { conversationAt, currentConversation, messages, nextAcknowledged } = conversationHelpers(network, platform)

const requests: Record<'support' | 'track' | 'rating', object> = {
  support: support('order-1', { phone: '+919800000042', email: 'anil@mail.example' }),
  track: track('order-1'),
  rating: rating('order-1', 4),
}

async function sent(action: AsideRequest['action'] & keyof typeof requests, stage = 'CONFIRMED' as const) {
  const { journey, conversation } = await conversationAt(stage, { orderId: 'order-1' })
  const request = { action, message: requests[action], ttl: 'PT30S' }
  await ctx.db.tx((tx) => askAside({ ...ctx, tx, at: ctx.clock() }, conversation, request))
  const { body } = await network.nextCall(`/ondc/${action}`, journey.networkTransactionId)
  return { journey, conversation, ids: idsOf(journey, body), body }
}

const idsOf = ({ networkTransactionId: transactionId }: Journey, { context }: Json) => ({
  transactionId,
  messageId: context.message_id as string,
})
const answer = (action: Parameters<typeof network.callback>[0], about: Parameters<typeof network.callback>[1]) =>
  network.postSigned(url, network.callback(action, about))
const codeOf = ({ body }: { body: Json }): string => body.error?.code ?? body.message.ack.status
const contact = { phone: '1800 000 111', email: 'care@lender.example', url: 'https://lender.example/help' }
const supportOf = (change: object = {}) => ({ support: { order_id: 'order-1', ...contact, ...change } })

test('FIS12 §25: NETWORK_EXTRA_ACTIONS names lenders with their actions, and no other lender receives any', () => {
  const config = { NETWORK_EXTRA_ACTIONS: 'a.example:cancel+rating,b.example:support' }
  assert.ok(hasAgreedTo(config, 'a.example', 'cancel') && hasAgreedTo(config, 'b.example', 'support'))
  assert.ok(!hasAgreedTo(config, 'a.example', 'support') && !hasAgreedTo(config, 'c.example', 'cancel'))
  assert.equal(lendersByExtra('')?.size, 0)
  for (const setting of [
    'a.example',
    'a.example:',
    'a.example:pay',
    'a:support',
    'a.example:support:track',
    'a.example:track,',
  ])
    assert.equal(lendersByExtra(setting), null, setting)
  assert.equal(lendersByExtra('a.example:track,a.example:support'), null, 'a lender is named once')
})

test('FIS12 §25: a lender’s contact is kept once, and a repeated answer changes nothing', async () => {
  const { journey, ids, body } = await sent('support')
  assert.deepEqual(body.message, requests.support)
  assert.equal(codeOf(await answer('on_support', { ...ids, message: supportOf() })), 'ACK')
  assert.equal(codeOf(await answer('on_support', { ...ids, message: supportOf() })), 'ACK')
  assert.notEqual(codeOf(await answer('on_support', { ...ids, message: supportOf({ phone: '1860 222' }) })), 'ACK')
  const { extras, lastMessageAt } = await currentConversation(journey)
  assert.deepEqual(extras.support, contact)
  assert.ok(lastMessageAt)
  const received = (await messages(journey)).filter(
    ({ action, outcome }) => action === 'on_support' && outcome === 'ACK',
  )
  assert.equal(received.length, 1)
})

test('FIS12 §25: a hostile contact, another order, an unknown request and another tenant’s journey are refused', async () => {
  const { journey, ids } = await sent('support')
  const other = await sent('support')
  const refused: [what: string, about: Json][] = [
    ['a script', { ...ids, message: supportOf({ url: 'javascript:alert(1)' }) }],
    ['a data page', { ...ids, message: supportOf({ url: 'data:text/html,<b>pay</b>' }) }],
    ['a name in the address', { ...ids, message: supportOf({ url: 'https://lender.example@evil.example/' }) }],
    ['a huge address', { ...ids, message: supportOf({ url: `https://lender.example/${'a'.repeat(2000)}` }) }],
    ['no telephone number', { ...ids, message: supportOf({ phone: '1;ext=<script>' }) }],
    ['a long telephone number', { ...ids, message: supportOf({ phone: '1'.repeat(40) }) }],
    ['no email address', { ...ids, message: supportOf({ email: 'care@lender.example?bcc=a@b.example' }) }],
    ['a list', { ...ids, message: { support: [supportOf().support] } }],
    ['another order', { ...ids, message: supportOf({ order_id: 'order-2' }) }],
    ['no request', { ...ids, messageId: uuidv4(), message: supportOf() }],
    ['the request of another loan', { ...ids, messageId: other.ids.messageId, message: supportOf() }],
    ['an unknown loan', { ...ids, transactionId: uuidv4(), message: supportOf() }],
  ]
  for (const [what, about] of refused) assert.notEqual(codeOf(await answer('on_support', about)), 'ACK', what)
  assert.deepEqual((await currentConversation(journey)).extras, {})
  assert.deepEqual((await currentConversation(other.journey)).extras, {})
  const wrongKind = await answer('on_track', { ...ids, message: { tracking: { status: 'active' } } })
  assert.notEqual(codeOf(wrongKind), 'ACK', 'an answer of another kind')
})

test('FIS12 §25: outside the sandbox, the lender’s pages must be encrypted', async () => {
  const { journey, ids } = await sent('track')
  const url = 'http://lender.example/track'
  const raw = network.callback('on_track', { ...ids, message: { tracking: { url, status: 'active' } } })
  const { context, message } = JSON.parse(raw)
  const receive = (SANDBOX: boolean) =>
    ctx.db.tx(async (tx) => {
      const lockedJourney = (await lockJourney(tx, journey.tenantId, journey.journeyId))!
      const config = { ...ctx.config, SANDBOX }
      const received = { action: 'on_track', context, message, raw: Buffer.from(raw), headers: {} } as const
      return receiveExtraCallback({ ...ctx, config, tx, at: ctx.clock() }, lockedJourney, received)
    })
  await assert.rejects(receive(false), (error) => error instanceof Refusal && error.kind === 'invalid')
  assert.notEqual(await receive(true), 'known')
  assert.equal((await currentConversation(journey)).extras.trackingUrl, url)
})

test('FIS12 §25: an error, a rejection and an inactive page leave the loan as it is', async () => {
  const { journey, ids } = await sent('track')
  assert.equal(codeOf(await answer('on_track', { ...ids, error: { code: '40001' } })), 'ACK')
  const inactive = await sent('track')
  const tracking = { url: 'https://lender.example/t', status: 'inactive' }
  assert.equal(codeOf(await answer('on_track', { ...inactive.ids, message: { tracking } })), 'ACK')
  assert.equal((await currentConversation(inactive.journey)).extras.trackingUrl, null)
  assert.equal((await currentConversation(journey)).stage, 'CONFIRMED')
  const rated = await sent('rating')
  assert.equal(codeOf(await answer('on_rating', { ...rated.ids, message: {} })), 'ACK')
})

const cancelOrder = (conversation: Conversation, change: object) => {
  const { order } = exampleOf('on_confirm', network)
  return { order: { ...order, id: conversation.orderId, ...change } }
}

async function leavingLoan() {
  const { journey, conversation } = await conversationAt('DISBURSED', { orderId: 'order-1' })
  await ctx.db.tx((tx) => askToCancel({ ...ctx, tx, at: ctx.clock() }, conversation, 'SOFT_CANCEL'))
  const { body } = await network.nextCall('/ondc/cancel', journey.networkTransactionId)
  return { journey, conversation, ids: idsOf(journey, body) }
}

test('FIS12 §11.3, §25: after disbursal, only an answer to our cancel is applied, once and for its own order', async () => {
  const { journey, conversation } = await conversationAt('DISBURSED', { orderId: 'order-1' })
  const unsolicited = {
    transactionId: journey.networkTransactionId!,
    message: cancelOrder(conversation, { status: 'CANCELLED' }),
  }
  await answer('on_cancel', unsolicited)
  await waitFor(async () => (await inboundOf(journey, 'on_cancel')).every(({ state }) => state === 'IGNORED'))
  assert.equal((await currentConversation(journey)).stage, 'DISBURSED')

  const leaving = await leavingLoan()
  const priced = { ...leaving.ids, message: cancelOrder(leaving.conversation, { status: 'SOFT_CANCEL' }) }
  for (const _ of [1, 2]) assert.equal(codeOf(await answer('on_cancel', priced)), 'ACK')
  const applied = await platform.waitForInbound(leaving.journey, 'on_cancel')
  assert.equal(applied.solicited, true)
  assert.equal(applied.move, 'refreshed')
  assert.equal((await inboundOf(leaving.journey, 'on_cancel')).length, 1)
  const cancelled = {
    transactionId: leaving.ids.transactionId,
    message: cancelOrder(leaving.conversation, { status: 'CANCELLED' }),
  }
  await answer('on_cancel', cancelled)
  await waitFor(async () => (await inboundOf(leaving.journey, 'on_cancel')).some(({ state }) => state === 'IGNORED'))
  assert.equal((await currentConversation(leaving.journey)).stage, 'DISBURSED', 'the borrower has not confirmed')

  const other = await leavingLoan()
  await answer('on_cancel', {
    ...other.ids,
    message: cancelOrder(other.conversation, { id: 'order-2', status: 'SOFT_CANCEL' }),
  })
  await waitFor(async () => (await inboundOf(other.journey, 'on_cancel')).some(({ state }) => state === 'IGNORED'))
})

test('FIS12 §25: a rejected cancel is reported, so that the loan is foreclosed instead', async () => {
  const { journey, conversation } = await conversationAt('DISBURSED', { orderId: 'order-1' })
  network.on('/ondc/cancel', () => ({ status: 200, body: nack({ code: '40001' }) }))
  await ctx.db.tx((tx) => askToCancel({ ...ctx, tx, at: ctx.clock() }, conversation, 'SOFT_CANCEL'))
  await nextAcknowledged(journey, 'cancel')
  const rejected = await platform.waitForInbound(journey, 'nacked')
  assert.equal(rejected.action, 'cancel')
  assert.equal(rejected.error.code, '40001')
  assert.equal((await currentConversation(journey)).awaitedMessageId, null)
})

const inboundOf = ({ journeyId }: Journey, type: string) =>
  ctx.db<{ state: string }>`select state from inbound_message where journey_id = ${journeyId} and type = ${type}`
