// The strict lender's credit line with stops, its drawdown and its payments, played by a buyer app that is written only from the specification, and by wrong ones.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { BuyerTalk } from './buyer.ts'
import { drawnIn, FundsBuyer, type FundsDeviation } from './buyer-funds.ts'
import { BuyerServer } from './buyer-server.ts'
import { flowNamed } from './flows.ts'
import { lenderIds, OfficialLender } from './lender.ts'
import type { Talk } from './talk.ts'
import type { Json } from './wire.ts'

const flowIds = new Map<string, string>()
const lender = new OfficialLender({
  flowOf: async (transactionId) => flowNamed(flowIds.get(transactionId)!),
  consents: {
    ask: () => Promise.reject(new Error('flows with stops have no consents')),
    isGiven: () => Promise.resolve(false),
  },
})
await lender.start()
after(() => lender.stop())
const server = new BuyerServer(lender.directory.keyOf)
const { id, keyId, url, publicKey } = await server.start()
lender.directory.enter(
  { subscriber_id: id, ukId: keyId, type: 'BAP', subscriber_url: url, signing_public_key: publicKey },
  ['ONDC:FIS12:SL'],
)
after(() => server.stop())

const newTalk = () =>
  new BuyerTalk(server, {
    version: '2.3.0',
    domain: 'ONDC:FIS12:SL',
    gatewayUrl: `${lender.url}/gateway`,
    approveConsent: () => Promise.resolve(),
    lender: { id: lenderIds.id, url: `${lender.url}/lender/ondc`, portless: lenderIds.portless },
    injectFaults: async () => async () => {},
  })

/** Opens the line of a flow. */
async function opened(flowId: string, change?: FundsDeviation) {
  const talk = newTalk()
  flowIds.set(talk.transactionId, flowId)
  const buyer = new FundsBuyer(newTalk, change)
  return { talk, buyer, line: await buyer.openLine(talk) }
}

/** The lender's side of a conversation, once it has sent everything. */
async function lendersSide({ transactionId, faults }: BuyerTalk): Promise<Talk> {
  assert.deepEqual(faults, [], 'violations found by the buyer')
  const ofLender = lender.talks.get(transactionId)!
  await ofLender.untilOver()
  return ofLender
}

const actionsOf = ({ messages }: Talk): string => messages.map(({ action }) => action).join(' ')

test('FIS12 §27.5: the strict lender plays a line and a drawdown from it, each in a transaction of its own', async () => {
  const { talk, buyer, line } = await opened('credit-line-drawdown')
  const drawdown = await buyer.draw(line, '25000')
  const ofLine = await lendersSide(talk)
  const ofDrawdown = await lendersSide(drawdown.talk)
  assert.deepEqual(ofLine.faults, [])
  assert.deepEqual(ofDrawdown.faults, [])
  assert.equal(ofLine.flow.id, 'credit-line-one-page')
  assert.equal(actionsOf(ofDrawdown), 'init on_init confirm on_confirm on_update on_update')
  assert.equal(drawdown.paidOut.status, 'COMPLETED')
  assert.match(drawdown.paidOut.payments[0].params.transaction_id, /^LENDER_UTR_/)
  assert.deepEqual(drawnIn(drawdown.drawn), ['25000.00', '25000.00'])
})

test('FIS12 §27.5: a second drawdown adds to the first', async () => {
  const { buyer, line } = await opened('credit-line-drawdown')
  await buyer.draw(line, '25000')
  const { drawn, talk } = await buyer.draw(line, '10000.50')
  assert.deepEqual(drawnIn(drawn), ['35000.50', '35000.50'])
  assert.deepEqual((await lendersSide(talk)).faults, [])
})

test('FIS12 §27.4: the strict lender takes a part of a line and closes it, each with only its payment', async () => {
  const part = await opened('credit-line-one-page-part-payment')
  const paid = await part.buyer.pay(part.talk, part.line, 'PRE_PART_PAYMENT', '10000')
  assert.equal(paid.due.payments.length, 1)
  assert.equal(paid.due.payments[0].time.duration, 'P15D')
  assert.equal(paid.due.payments[0].params.amount, '10000.00')
  assert.deepEqual((await lendersSide(part.talk)).faults, [])
  const whole = await opened('credit-line-one-page-foreclosure')
  const closed = await whole.buyer.pay(whole.talk, whole.line, 'FORECLOSURE')
  assert.equal(closed.paid.status, 'COMPLETED')
  assert.deepEqual((await lendersSide(whole.talk)).faults, [])
})

const changing =
  (changed: string, edit: (order: Json) => void): FundsDeviation =>
  (action, message) => {
    if (action !== changed) return message
    const copy = structuredClone(message)
    edit(copy.order)
    return copy
  }

const wrongBuyers: [title: string, change: FundsDeviation, fault: RegExp][] = [
  [
    'draws more than is free',
    changing('init', ({ payments }) => (payments[0].params.amount = '99999999')),
    /^init: draws 99999999\.00 of \S+ that are free$/,
  ],
  [
    'draws in another currency',
    changing('init', ({ payments }) => (payments[0].params.currency = 'USD')),
    /^init: message\.order\.payments\[0\]\.params\.currency is "USD"/,
  ],
  [
    'names an item before there is one',
    changing('init', (order) => (order.items = [{ id: 'ITEM' }])),
    /^init: message\.order\.items is not known$/,
  ],
  [
    'does not agree',
    changing('confirm', ({ fulfillments }) => (fulfillments[0].stops[0].instructions.code = 'PENDING')),
    /^confirm: \S+\.code is "PENDING"/,
  ],
  [
    'approves in place of the lender',
    changing('confirm', ({ fulfillments }) => (fulfillments[0].stops[0].type = 'DRAWDOWN_APPROVAL')),
    /^confirm: \S+\.type is "DRAWDOWN_APPROVAL"/,
  ],
  [
    'does not repeat the stop',
    changing('confirm', ({ fulfillments }) => (fulfillments[0].stops[0].id = '1')),
    /^confirm: the stop is 1 after 1$/,
  ],
  [
    'agrees to another item',
    changing('confirm', ({ items }) => (items[0].id = 'CHILD')),
    /^confirm: the item is CHILD of ITEM_LINE_SL$/,
  ],
  [
    'agrees without the line',
    changing('confirm', (order) => delete order.ref_order_ids),
    /^confirm: message\.order\.ref_order_ids is missing$/,
  ],
]

test('FIS12 §27.5: the strict lender finds a buyer that names another line', async () => {
  const change = changing('init', (order) => (order.ref_order_ids = ['ORDER-1']))
  const { buyer, line } = await opened('credit-line-drawdown', change)
  const { faults } = await lendersSide((await buyer.draw(line, '25000')).talk)
  assert.match(faults.join(), /^init: names the line ORDER-1, not ORDER_\S+$/)
})

describe('FIS12 §27.5: the strict lender finds a buyer that', { concurrency: 4 }, () => {
  for (const [title, change, fault] of wrongBuyers)
    test(title, async () => {
      const { buyer, line } = await opened('credit-line-drawdown', change)
      const { talk } = await buyer.draw(line, '25000')
      const { faults } = await lendersSide(talk)
      assert.ok(
        faults.some((each) => fault.test(each)),
        `found ${JSON.stringify(faults)}`,
      )
    })
})
