// Callbacks with an error and no message: acknowledged or refused, shown to the operator, and fit for the collector.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject } from '@lendloom/foundation/record'
import { uuidv4 } from '@lendloom/seal/id'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import { reportsOf } from '@lendloom/wire/network/collector-reports'
import { igmCallbacks } from '@lendloom/wire/network/igm/actions'
import { callbacks, extraCallbacks } from '@lendloom/wire/network/sequence'
import { readInbound } from '#platform/lenders/network/inbound/store.ts'
import { readMessages } from '#platform/lenders/network/messages/store.ts'
import { askLender } from '#platform/lenders/network/queue-request.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
const { conversationAt } = conversationHelpers(network, platform)

const messagesOf = ({ tenantId, journeyId }: Journey) => readMessages(ctx.db, ctx.seal, tenantId, journeyId)

/** The request that each callback about a loan answers. */
const requests = {
  on_select: 'select',
  on_init: 'init',
  on_confirm: 'confirm',
  on_status: 'status',
  on_update: 'update',
  on_cancel: 'cancel',
} as const
const answered = callbacks.filter((action) => action !== 'on_search')

/** Sends a lender a request, and returns how it answers with this error. */
async function askedLender(action: keyof typeof requests) {
  const { journey, conversation } = await conversationAt('CONFIRMED')
  const request = { action: requests[action], message: { order_id: 'O-1' } }
  await ctx.db.tx((tx) => askLender({ ...ctx, tx, at: ctx.clock() }, conversation, request))
  const { transactionId } = conversation
  const sent = await network.nextCall(`/ondc/${requests[action]}`, transactionId)
  const messageId = sent.body.context.message_id
  const send = (content: object) => {
    const { context } = JSON.parse(network.callback(action, { transactionId, messageId }))
    return network.postSigned(url, JSON.stringify({ context, ...content }))
  }
  return { journey, send }
}

const wellFormed = [
  { code: '40000' },
  { code: '40000', message: 'the loan is gone' },
  { code: '40000', type: 'DOMAIN-ERROR', path: '$.message.order' },
]
const malformed: [error: unknown, path: string][] = [
  [{}, '$.error.code'],
  [{ message: 'no code' }, '$.error.code'],
  [{ code: 40000 }, '$.error.code'],
  [{ code: '', message: '' }, '$.error.code'],
  [{ code: ' ' }, '$.error.code'],
  [{ code: '0' }, '$.error.code'],
  [{ code: '000', message: 'Success' }, '$.error.code'],
  [{ code: '40000', message: ['a', 'list'] }, '$.error.message'],
  ['a text', '$.error'],
  [['a list'], '$.error'],
  [null, '$.message'],
]

/** Asserts that each message of a journey is reported as the collector wants it: an object as message or error. */
async function assertReportable(journey: Journey): Promise<void> {
  for (const message of await messagesOf(journey))
    for (const { type, data } of reportsOf(message))
      assert.ok(isObject(data.message) || isObject(data.error), `${type} ${JSON.stringify(data)}`)
}

for (const action of answered)
  test(`FIS12 §3.2: an ${action} with an error and no message is acknowledged, and the operator reads the code`, async () => {
    for (const error of wellFormed) {
      const { journey, send } = await askedLender(action)
      const { status, body } = await send({ error })
      assert.equal(status, 200)
      assert.equal(body.message.ack.status, 'ACK', JSON.stringify(body))
      await platform.waitForInbound(journey, action)
      const rowsOf = async () =>
        (await readInbound(ctx.db, journey.tenantId, journey.journeyId)).filter(({ type }) => type === action)
      await waitFor(async () => (await rowsOf()).every(({ state }) => state !== 'WAITING'))
      assert.deepEqual(
        (await rowsOf()).map(({ state, note }) => [state, note]),
        [['APPLIED', 'error 40000']],
      )
      await assertReportable(journey)
    }
  })

for (const action of answered)
  test(`FIS12 §3.2: an ${action} with a malformed error is refused with its field, with and without a message`, async () => {
    const { journey, send } = await askedLender(action)
    for (const [error, path] of malformed) {
      const alone = await send({ error })
      assert.equal(alone.status, 200)
      assert.equal(alone.body.message.ack.status, 'NACK')
      assert.equal(alone.body.error.code, '20006')
      assert.equal(alone.body.error.path, path)
      if (error === null) continue
      const beside = await send({ error, message: exampleOf('on_select_2', network) })
      assert.equal(beside.body.error.path, path)
    }
    const outcomes = (await messagesOf(journey)).flatMap((each) => (each.action === action ? [each.outcome] : []))
    assert.equal(outcomes.length, malformed.length * 2 - 1)
    for (const outcome of outcomes) assert.match(outcome!, /^NACK 20006 (?:error|message)/)
    await assertReportable(journey)
  })

test('FIS12 §3.2: an error to a search, a complaint or an extra request never fails the platform', async () => {
  const { journey, conversation } = await conversationAt('CONFIRMED')
  const { transactionId } = conversation
  for (const action of ['on_search', ...igmCallbacks, ...extraCallbacks] as const)
    for (const error of [...wellFormed, ...malformed.map(([each]) => each)]) {
      const { context } = JSON.parse(network.callback(action, { transactionId, messageId: uuidv4() }))
      const { status, body } = await network.postSigned(url, JSON.stringify({ context, error }))
      assert.equal(status, 200, action)
      assert.equal(body.message.ack.status, 'NACK', 'it answers no request')
      assert.match(body.error.code, /^2000[68]$/)
    }
  await assertReportable(journey)
})
