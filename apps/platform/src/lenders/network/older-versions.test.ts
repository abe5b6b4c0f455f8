// Conversations in the older versions 2.0.1 and 2.0.2: the lender's catalogue chooses the version, and no later message changes it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { exampleOf, fakeNetwork, type NetworkCall } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import type { Dialect } from '@lendloom/wire/network/context'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { moveOfCallback } from './inbound/move-of-callback.ts'
import { sendSelect } from './lender-requests.ts'
import { searchNetwork } from './search.ts'
import { changeConversation } from './store.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
const { currentConversation, messages } = conversationHelpers(network, platform)

const sendSearch = (journey: Journey, older = '') =>
  ctx.db.tx((tx) =>
    searchNetwork({ ...ctx, config: { ...ctx.config, NETWORK_OLDER_VERSIONS: older }, tx, at: ctx.clock() }, journey),
  )
const nextSearch = (journey: Journey) => network.nextCall('/gateway/search', journey.networkTransactionId)
const idsOf = ({ body }: NetworkCall) => ({
  transactionId: body.context.transaction_id,
  messageId: body.context.message_id,
})

/** Opens a conversation with a lender whose catalogue is in this version. */
async function conversationIn(version: Dialect) {
  const journey = await platform.newJourney()
  await sendSearch(journey)
  const ids = idsOf(await nextSearch(journey))
  const message = exampleOf('on_search', network)
  const reply = await network.postSigned(
    url,
    network.callback('on_search', { ...ids, message, context: { version } as object }),
  )
  await platform.waitForInbound(journey, 'on_search')
  return { journey, ids, reply, conversation: await currentConversation(journey) }
}

test('FIS12 §1, §24: an answer in an older version opens a conversation, whose requests are in that version', async () => {
  for (const version of ['2.0.1', '2.0.2'] as const) {
    const { journey, reply, conversation } = await conversationIn(version)
    assert.equal(reply.body.message.ack.status, 'ACK')
    assert.equal(conversation.version, version)
    await ctx.db.tx(async (tx) => {
      const at = ctx.clock()
      const change = { stage: 'CONSENT_REQUESTED', submissionId: 'S-1' } as const
      return sendSelect({ ...ctx, tx, at }, await changeConversation(tx, conversation, change, at))
    })
    const { body } = await network.nextCall('/ondc/select', journey.networkTransactionId)
    assert.equal(body.context.version, version)
    assert.equal(body.message.order.items[0].xinput.form_response.status, 'APPROVED')
  }
})

test('FIS12 §1: a lender cannot change its version: the message gets a NACK and changes nothing', async () => {
  for (const [chosen, other] of [
    ['2.0.1', '2.0.3'],
    ['2.0.3', '2.0.1'],
    ['2.0.2', '2.0.1'],
    ['2.0.1', '2.3.0'],
  ] as const) {
    const { journey, ids, conversation } = await conversationIn(chosen)
    const before = (await messages(journey)).length
    for (const action of ['on_select', 'on_status', 'on_update'] as const) {
      const message = exampleOf(action === 'on_select' ? 'on_select_2' : 'on_status', network)
      const context = { version: other }
      const raw = network.callback(action, { transactionId: ids.transactionId, message, context } as never)
      const { body } = await network.postSigned(url, raw)
      assert.equal(body.message.ack.status, 'NACK')
      assert.equal(body.error.code, '20006')
      assert.equal(body.error.path, '$.context.version')
    }
    const after = await currentConversation(journey)
    const { lastMessageAt: _, updatedAt: __, ...unchanged } = after
    const { lastMessageAt: ___, updatedAt: ____, ...expected } = conversation
    assert.deepEqual(unchanged, expected)
    const stored = (await messages(journey)).slice(before)
    assert.ok(
      stored.every(({ outcome }) => outcome?.startsWith('NACK')),
      'refused messages are only archived',
    )
  }
})

test('FIS12 §24: a gold loan has no 2.0.1, and a wrong type or an unknown version gets a NACK', async () => {
  const journey = await platform.newJourney('GOLD_LOAN')
  await sendSearch(journey)
  const ids = idsOf(await nextSearch(journey))
  const message = exampleOf('on_search', network)
  for (const version of ['2.0.1', '2.0.0', 201, null, ['2.0.2'], '']) {
    const raw = network.callback('on_search', { ...ids, message, context: { version } as never })
    const { body } = await network.postSigned(url, raw)
    assert.equal(body.message.ack.status, 'NACK', String(version))
    assert.equal(body.error.path, '$.context.version', String(version))
  }
  assert.deepEqual(await platform.conversations(journey), [])
})

test('FIS12 §2: each older version of the setting is one more search, and its NACK does not end the search', async () => {
  network.on('/gateway/search', ({ body }) =>
    body.context.version === '2.0.3'
      ? null
      : {
          status: 200,
          body: {
            message: { ack: { status: 'NACK' } },
            error: { code: '10000', message: 'no lender has this version' },
          },
        },
  )
  const journey = await platform.newJourney()
  await sendSearch(journey, '2.0.1,2.0.2')
  const calls = [await nextSearch(journey), await nextSearch(journey), await nextSearch(journey)]
  network.on('/gateway/search', undefined)
  const contexts = calls.map(({ body }) => body.context)
  assert.deepEqual(contexts.map(({ version }) => version).sort(), ['2.0.1', '2.0.2', '2.0.3'])
  assert.equal(new Set(contexts.map(({ message_id }) => message_id)).size, 3)
  assert.equal(new Set(contexts.map(({ timestamp }) => timestamp)).size, 3, 'each later than the one before')
  await waitFor(async () => (await messages(journey)).filter(({ outcome }) => outcome?.startsWith('NACK')).length === 2)
  const recorded = await ctx.db<{ type: string }>`
    select type from inbound_message where journey_id = ${journey.journeyId}`
  assert.deepEqual(recorded, [])
  const [timers] = await ctx.db<{ count: number }>`
    select count(*)::int as count from job where kind = 'network-timer' and payload->>'journeyId' = ${journey.journeyId}`
  assert.equal(timers!.count, 1)
})

test('FIS12 §2: a lender that answers searches in two versions gets one application', async () => {
  const wide = await testSubscriber(network.url, { env: { NETWORK_OLDER_VERSIONS: '2.0.1,2.0.2' } })
  conversationHelpers(network, wide)
  const journey = await wide.newJourney()
  await wide.ctx.db.tx((tx) => searchNetwork({ ...wide.ctx, tx, at: wide.ctx.clock() }, journey))
  const calls = [await nextSearch(journey), await nextSearch(journey), await nextSearch(journey)]
  for (const version of ['2.0.1', '2.0.3'] as const) {
    const ids = idsOf(calls.find(({ body }) => body.context.version === version)!)
    const text = JSON.stringify(exampleOf('on_search', network)).replaceAll('"pl-', `"${version}-pl-`)
    const context = { version } as object
    const raw = network.callback('on_search', { ...ids, message: JSON.parse(text), context })
    assert.equal((await network.postSigned(wide.url, raw)).body.message.ack.status, 'ACK')
    await wide.waitForInbound(journey, 'on_search')
  }
  const conversations = await wide.conversations(journey)
  assert.deepEqual(
    conversations.map(({ version, itemId }) => ({ version, prefixOfItemId: itemId.slice(0, 5) })),
    [{ version: '2.0.1', prefixOfItemId: '2.0.1' }],
  )
})

test('FIS12 §2: a gold loan is searched in no version that it does not have', async () => {
  const journey = await platform.newJourney('GOLD_LOAN')
  await sendSearch(journey, '2.0.1,2.0.2')
  const versions = [await nextSearch(journey), await nextSearch(journey)].map(({ body }) => body.context.version)
  assert.deepEqual(versions.sort(), ['2.0.2', '2.0.3'])
  assert.equal((await messages(journey)).length, 2)
})

test('FIS12 §24: a report without a form id that repeats an answered submission completes no other page', async () => {
  const { conversation } = await conversationIn('2.0.1')
  const at = {
    ...conversation,
    stage: 'MANDATE_REQUESTED',
    formId: 'F05',
    answeredSubmissions: ['KYC-1', 'BANK-1'],
  } as const
  const report = (submissionId: string | null, outcome: 'success' | 'failure' = 'success') => {
    const formResponse = { formId: null, status: 'APPROVED', outcome, submissionId }
    const order = {
      orderId: null,
      state: null,
      form: null,
      formResponse,
      consentHandle: null,
      settlementPaymentId: null,
    }
    const effect = moveOfCallback(at as never, { type: 'on_status', solicited: true, order: order as never })
    return 'move' in effect ? effect.move : null
  }
  assert.equal(report('MANDATE-1'), 'pageDone')
  assert.equal(report('KYC-1'), 'refreshed')
  assert.equal(report('BANK-1', 'failure'), 'refreshed')
  assert.equal(report(null), 'refreshed')
})
