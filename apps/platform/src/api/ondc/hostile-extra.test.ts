// Hostile values in a lender's answers to support are refused over HTTP, and change nothing (FIS12 §25).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '@lendloom/tests/network-messages/conversation'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import { rating } from '@lendloom/wire/network/extra/extra-messages'
import { support, track } from '@lendloom/wire/network/v203/update-and-status'
import { askAside } from '#platform/lenders/network/queue-request.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
const { conversationAt, currentConversation } = conversationHelpers(network, platform)
const requests = {
  support: support('order-1', { phone: '+919800000042', email: 'a@b.example' }),
  track: track('order-1'),
  rating: rating('order-1', 4),
}
async function sent(action: keyof typeof requests) {
  const { journey, conversation } = await conversationAt('CONFIRMED', { orderId: 'order-1' })
  await ctx.db.tx((tx) =>
    askAside({ ...ctx, tx, at: ctx.clock() }, conversation, { action, message: requests[action], ttl: 'PT30S' }),
  )
  const { body } = await network.nextCall(`/ondc/${action}`, journey.networkTransactionId)
  return {
    journey,
    ids: { transactionId: journey.networkTransactionId!, messageId: body.context.message_id as string },
  }
}
const answer = (action: Parameters<typeof network.callback>[0], about: Json) =>
  network.postSigned(url, network.callback(action, about as never))
const contact = { phone: '1800 000 111', email: 'care@lender.example', url: 'https://lender.example/help' }
const supportOf = (change: object) => ({ support: { order_id: 'order-1', ...contact, ...change } })
const RTL = '\u202e'
for (const [what, change] of [
  ['NUL in url', { url: 'https://lender.example/\u0000' }],
  ['NUL in email', { email: 'ca\u0000re@lender.example' }],
  ['control in url', { url: 'https://lender.example/\u0007\u001b[2J' }],
  ['RTL in url', { url: `https://lender.example/${RTL}moc.knab` }],
  ['RTL in email', { email: `care${RTL}@lender.example` }],
  ['mailto bcc', { email: 'care@lender.example?bcc=spy%40evil.example' }],
  ['mailto body', { email: 'care@lender.example?subject=x&body=my+PAN.is' }],
  ['no host', { url: 'https:///help' }],
  ['unparseable host', { url: 'https://[' }],
  ['backslashes', { url: 'https://lender.example\\..\\evil.example' }],
  ['percent credentials', { url: 'https://lender.example%40evil.example/' }],
] as const)
  test(`FIS12 §25: a contact is refused: ${what}`, async () => {
    const { journey, ids } = await sent('support')
    const { status, body } = await answer('on_support', { ...ids, message: supportOf(change) })
    const code = body.error?.code ?? body.message?.ack?.status
    const { extras } = await currentConversation(journey)
    assert.ok(status === 200 || status === 400 || status === 422, `status ${status} ${JSON.stringify(body)}`)
    assert.notEqual(code, 'ACK', JSON.stringify(extras))
  })

test('FIS12 §25: of 60 differing answers to one request only the first counts', async () => {
  const { journey, ids } = await sent('support')
  for (let i = 0; i < 60; i++)
    await answer('on_support', { ...ids, message: supportOf({ phone: `1800 000 ${100 + (i % 2)}` }) })
  assert.equal((await currentConversation(journey)).extras.support?.phone, '1800 000 100')
})
