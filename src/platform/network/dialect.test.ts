// A journey keeps to its dialect: the requests in it, the answers in it, and what comes in the other one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rulesOf } from '#contract/network/v230/rules.ts'
import { stepNamed } from '#test/network-messages/lamf.ts'
import { exampleOf, fakeNetwork } from '../../../test/setup/network.ts'
import { testSubscriber } from '../../../test/setup/subscriber.ts'
import { search } from './search.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform

/** A search for loans against mutual funds, as it went out, and the ids to answer it with. */
async function searched() {
  const journey = await platform.newJourney('LAMF_LOAN')
  await ctx.db.tx((tx) => search({ ...ctx, tx, at: ctx.clock() }, journey))
  const { body } = await network.nextCall('/gateway/search', journey.networkTransactionId)
  const ids = { transactionId: body.context.transaction_id, messageId: body.context.message_id }
  return { journey, body, ids }
}

const inDialect = { version: '2.3.0', bap_uri: 'http://buyer.lendloom.example/ondc' } as const
const asLender = { ...inDialect, bpp_uri: 'http://sahyadri.sandbox.example/ondc' }

test('FIS12 §4, §10.2 row 1: a loan against mutual funds is looked for in 2.3.0, from an address without a port', async () => {
  const { body } = await searched()
  assert.deepEqual(rulesOf('search', body.message), [])
  assert.deepEqual([body.context.version, body.context.bap_uri], [inDialect.version, inDialect.bap_uri])
  assert.equal(body.message.intent.category.descriptor.code, 'LOAN')
})

test('FIS12 §10.1: a catalogue is read in the dialect of its journey', async () => {
  const { journey, ids } = await searched()
  const message = stepNamed('on_search').message
  const { status, body } = await network.postSigned(
    url,
    network.callback('on_search', { ...ids, message, context: asLender }),
  )
  assert.deepEqual([status, body.message.ack.status], [200, 'ACK'])
  const { found, sender } = await platform.waitForInbound(journey, 'on_search')
  assert.ok(found?.dialect === '2.3.0')
  assert.ok(found.items.some(({ portfolio, form }) => portfolio === 'mfc' && form !== null))
  assert.equal(sender.bppUri, asLender.bpp_uri)
})

test('FIS12 §4: a journey keeps the dialect of its first message, either way', async () => {
  const lamf = await searched()
  const message = exampleOf('on_search', network)
  const refused = await network.postSigned(url, network.callback('on_search', { ...lamf.ids, message }))
  assert.deepEqual([refused.body.message.ack.status, refused.body.error.path], ['NACK', '$.context.version'])

  const journey = await platform.newJourney()
  await ctx.db.tx((tx) => search({ ...ctx, tx, at: ctx.clock() }, journey))
  const { body } = await network.nextCall('/gateway/search', journey.networkTransactionId)
  const ids = { transactionId: body.context.transaction_id, messageId: body.context.message_id }
  const catalogue = { ...ids, message: stepNamed('on_search').message, context: asLender }
  const other = await network.postSigned(url, network.callback('on_search', catalogue))
  assert.deepEqual([other.body.message.ack.status, other.body.error.path], ['NACK', '$.context.version'])
})
