// The hint of the borrower's browser that a lender's page is done: unsigned, so it reveals nothing and can flood nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber } from '@lendloom/tests/setup/subscriber'
import { readInbound } from '#platform/lenders/network/inbound/store.ts'
import { changeConversation } from '#platform/lenders/network/store.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
const { conversationAt } = conversationHelpers(network, platform)

const hint = (search: string) =>
  fetch(`${url}/ondc/callback${search}`, { headers: { origin: 'https://lender.example' } })

test('FIS12 §26.2: the hint is answered alike for every transaction, readable from the lender’s page', async () => {
  const { conversation } = await conversationAt('SELECTED')
  for (const search of [
    '',
    '?transaction_id=',
    '?transaction_id=no-uuid',
    `?transaction_id=${uuidv4()}`,
    `?transaction_id=${conversation.transactionId}&submission_id=7&status=done`,
  ]) {
    const answered = await hint(search)
    assert.equal(answered.status, 200, search)
    assert.equal(answered.headers.get('access-control-allow-origin'), '*')
    assert.deepEqual(await answered.json(), { received: true })
  }
  const refused = await hint(`?transaction_id=${'a'.repeat(200)}`)
  assert.match(await refused.text(), /"status":"NACK"/)
})

test('FIS12 §26.2: many hints count once, and only for a borrower on the page of a lender with stops', async () => {
  const waiting = await conversationAt('FINAL_TERMS')
  const { journey, conversation } = waiting
  await hint(`?transaction_id=${conversation.transactionId}`)
  const hintsOf = async () =>
    (await readInbound(ctx.db, journey.tenantId, journey.journeyId)).filter(({ type }) => type === 'page_left')
  assert.deepEqual(await hintsOf(), [], 'a lender with a page per step')
  const extras = { progress: { stops: [{ type: 'SINGLE_REDIRECTION', state: 'PENDING' }] } }
  await ctx.db.tx((tx) => changeConversation(tx, conversation, { extras }, ctx.clock()))
  await Promise.all(Array.from({ length: 20 }, () => hint(`?transaction_id=${conversation.transactionId}`)))
  const { length } = await hintsOf()
  assert.ok(length === 1 || length === 2, `${length} of 20, two if a period began meanwhile`)
})
