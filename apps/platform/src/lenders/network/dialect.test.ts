// Requests and answers of a journey use its dialect; messages in the other dialect are rejected.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outgoingFaults } from '@lendloom/conformance/network/v230/rules'
import { stepNamed } from '@lendloom/tests/network-messages/lamf'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import { addressInRegistry } from './registry.ts'
import { searchNetwork } from './search.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform

async function sendSearch() {
  const journey = await platform.newJourney('LAMF_LOAN')
  await ctx.db.tx((tx) => searchNetwork({ ...ctx, tx, at: ctx.clock() }, journey))
  const { body } = await network.nextCall('/gateway/search', journey.networkTransactionId)
  const ids = { transactionId: body.context.transaction_id, messageId: body.context.message_id }
  return { journey, body, ids }
}

const inDialect = { version: '2.3.0', bap_uri: 'http://buyer.lendloom.example/ondc' } as const
const asLender = { ...inDialect, bpp_uri: 'http://sahyadri.sandbox.example/ondc' }

test('FIS12 §4, §10.2 row 1: a search for a loan against mutual funds uses 2.3.0 and an address without a port', async () => {
  const { body } = await sendSearch()
  assert.deepEqual(outgoingFaults('search', body.message), [])
  assert.equal(body.context.version, inDialect.version)
  assert.equal(body.context.bap_uri, inDialect.bap_uri)
  assert.equal(body.message.intent.category.descriptor.code, 'LOAN')
})

test('FIS12 §10.1: parses a catalogue in the dialect of the journey', async () => {
  const { journey, ids } = await sendSearch()
  const message = stepNamed('on_search').message
  const { status, body } = await network.postSigned(
    url,
    network.callback('on_search', { ...ids, message, context: asLender }),
  )
  assert.equal(status, 200)
  assert.equal(body.message.ack.status, 'ACK')
  const { found, sender } = await platform.waitForInbound(journey, 'on_search')
  assert.ok(found?.dialect === '2.3.0')
  assert.ok(found.items.some(({ portfolio, form }) => portfolio === 'mfc' && form !== null))
  assert.equal(sender.bppUri, asLender.bpp_uri)
})

test('FIS12 §4: rejects an answer in another dialect than the journey’s', async () => {
  const lamf = await sendSearch()
  const message = exampleOf('on_search', network)
  const refused = await network.postSigned(url, network.callback('on_search', { ...lamf.ids, message }))
  assert.equal(refused.body.message.ack.status, 'NACK')
  assert.equal(refused.body.error.path, '$.context.version')

  const journey = await platform.newJourney()
  await ctx.db.tx((tx) => searchNetwork({ ...ctx, tx, at: ctx.clock() }, journey))
  const { body } = await network.nextCall('/gateway/search', journey.networkTransactionId)
  const ids = { transactionId: body.context.transaction_id, messageId: body.context.message_id }
  const catalogue = { ...ids, message: stepNamed('on_search').message, context: asLender }
  const otherAnswer = await network.postSigned(url, network.callback('on_search', catalogue))
  assert.equal(otherAnswer.body.message.ack.status, 'NACK')
  assert.equal(otherAnswer.body.error.path, '$.context.version')
})

test('FIS12 §4, §6.1: a lender’s address in the registry may have a port; no other entry counts', async () => {
  const { publicKey } = network.lender.keys
  const address = 'https://port.example:8443/ondc'
  network.registerKey('port.example', 'key-1', publicKey, 'BPP', address)
  network.registerKey('ftp.example', 'key-1', publicKey, 'BPP', 'ftp://ftp.example/ondc')
  network.registerKey('buyer.example', 'key-1', publicKey, 'BAP', 'https://buyer.example/ondc')
  assert.equal(await addressInRegistry(ctx, 'port.example'), address)
  for (const id of ['ftp.example', 'buyer.example', network.lender.id, 'unknown.example'])
    assert.equal(await addressInRegistry(ctx, id), null, id)
  network.on('/registry/v2.0/lookup', () => ({ status: 503, body: 'unavailable' }))
  assert.equal(await addressInRegistry(ctx, 'later.example'), null, 'then the address in the context is used')
  assert.equal(await addressInRegistry(ctx, 'port.example'), address, 'from the cache')
  network.on('/registry/v2.0/lookup', undefined)
})
