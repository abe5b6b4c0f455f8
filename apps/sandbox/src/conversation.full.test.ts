// A whole loan at the sandbox over real HTTP and a real database; every message is validated.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  conversationsOf,
  identityFaults,
  readTranscript,
  sequenceFaults,
  signatureFaults,
} from '@lendloom/conformance/network/transcript'
import { outgoingFaults } from '@lendloom/conformance/network/v203/rules'
import { testDatabase } from '@lendloom/tests/setup/database'
import { call, json } from '@lendloom/tests/setup/sandbox/buyer'
import { proceedToSanction } from '@lendloom/tests/setup/sandbox/journey'
import { openSandbox } from '@lendloom/tests/setup/sandbox/open-sandbox'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { readOnSearch } from '@lendloom/wire/network/v203/search'
import { status } from '@lendloom/wire/network/v203/update-and-status'

const { url, buyer } = await openSandbox(() => testDatabase('sandbox'))

describe('FIS12 §8.1: one loan and its messages, one story', () => {
  test('FIS12 §8.1: a loan without account aggregator is DISBURSED in both the pushed and the requested on_status', async () => {
    const journey = await proceedToSanction(buyer, 'meridian', 'ABCPE1234F')
    const { lender, transactionId } = journey
    const order = readOrder(journey.order.body.message)
    assert.equal(order.state, 'SANCTIONED')
    assert.ok(order.orderId)
    const pushed = readOrder((await buyer.receive('on_status', journey)).body.message)
    assert.equal(pushed.state, 'DISBURSED')
    assert.equal(pushed.settlementPaid, true)

    const request = await buyer.send('status', status({ refId: transactionId }), { transactionId, lender })
    assert.equal(json(request).message.ack.status, 'ACK')
    const answer = await buyer.receive('on_status', journey)
    assert.equal(answer.body.context.message_id, request.messageId)
    const answered = readOrder(answer.body.message)
    assert.equal(answered.state, 'DISBURSED')
    assert.equal(answered.orderId, order.orderId)
  })

  test('FIS12 §12.1, §12.4: every message obeys the rules and is signed by its sender', () => {
    const { messages, faults } = readTranscript(buyer.transcript)
    assert.deepEqual(faults, [])
    for (const { action, message, path } of messages) assert.deepEqual(outgoingFaults(action, message), [], path)
    assert.deepEqual(
      signatureFaults(messages, ({ subscriberId }) => buyer.publicKeys.get(subscriberId) ?? null),
      [],
    )
    const lenders = conversationsOf(messages)
    assert.equal(lenders.length, 5)
    for (const conversation of lenders) {
      assert.deepEqual(identityFaults(conversation), [], conversation.bppId)
      assert.deepEqual(sequenceFaults(conversation), [], conversation.bppId)
    }
  })

  test('FIS12 §8.1 row 2: exactly the names of items that need bank data mention the account aggregator', () => {
    const catalogues = readTranscript(buyer.transcript).messages.filter(({ action }) => action === 'on_search')
    const items = catalogues.flatMap(({ message }) => readOnSearch(message))
    assert.deepEqual([...new Set(items.map(({ assessment }) => assessment))].sort(), ['account-aggregator', 'bureau'])
    for (const { itemName, assessment } of items)
      assert.equal(/with Account Aggregator$/.test(itemName!), assessment === 'account-aggregator', itemName!)
  })

  test('FIS12 §12.4.3: the amounts of every order add up, and its instalments sum to principal and interest', () => {
    const { messages } = readTranscript(buyer.transcript)
    const orders = messages.filter(({ action, message }) => message && /^on_(?!search)/.test(action))
    assert.ok(orders.length >= 10)
    for (const { message, path } of orders) {
      const { terms, installments, warnings } = readOrder(message)
      assert.deepEqual(warnings, [], path)
      const sum = installments.reduce((all, { amount }) => all + amount, 0n)
      if (installments.length > 0) assert.equal(sum, terms!.principal + terms!.interest, path)
      assert.equal(terms!.netDisbursed, terms!.principal - terms!.processingFee - terms!.otherUpfront, path)
    }
  })

  test('every URL in a message responds', async () => {
    const { messages } = readTranscript(buyer.transcript)
    const received = messages.filter(({ direction }) => direction === 'received').map(({ raw }) => raw)
    const urls = new Set(received.flatMap((raw) => raw.match(/https?:[^"]+/g) ?? []))
    const sandboxUrls = [...urls].filter((each) => each.startsWith(url) && !each.endsWith('/ondc'))
    assert.ok(sandboxUrls.length > 20, `${sandboxUrls.length}`)
    assert.ok(sandboxUrls.some((address) => address.includes('/sanction-letter/')))
    for (const address of sandboxUrls) {
      const { status: code, headers } = await call({ method: 'GET', url: address })
      assert.equal(code, 200, address)
      if (address.includes('/sanction-letter/')) assert.equal(headers['content-type'], 'application/pdf')
      if (address.includes('/agreement/'))
        assert.equal(
          headers['content-type'],
          address.includes('/pages/') ? 'text/html; charset=utf-8' : 'application/pdf',
        )
    }
    for (const link of sandboxUrls.filter((each) => each.includes('/key-facts/')))
      assert.equal((await call({ method: 'GET', url: `${link}/pdf` })).headers['content-type'], 'application/pdf')
  })

  test('the front page and the health routes respond without personal data', async () => {
    const home = await call({ method: 'GET', url: `${url}/` })
    const text = home.body.toString()
    assert.match(text, /ABCPE9001F/)
    assert.match(text, /Meridian Finance: DISBURSED/)
    assert.doesNotMatch(text, /Ravi Patil|9876500001/)
    for (const path of ['healthz', 'readyz'])
      assert.deepEqual(json(await call({ method: 'GET', url: `${url}/${path}` })), { status: 'ok' })
    assert.match((await call({ method: 'GET', url: `${url}/metrics` })).body.toString(), /http_request_seconds/)
  })
})
