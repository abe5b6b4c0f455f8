// The strict lender's flows with stops, played by a buyer app that is written only from the specification, and by wrong ones.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { BuyerTalk } from './buyer.ts'
import { BuyerServer } from './buyer-server.ts'
import { type Deviation, playStops } from './buyer-stops.ts'
import { flowNamed, stopsFlows } from './flows.ts'
import { lenderIds, OfficialLender } from './lender.ts'
import { group } from './parts.ts'
import { messageFaults } from './strict.ts'
import { paise } from './sums.ts'
import type { Talk } from './talk.ts'
import type { Json } from './wire.ts'

const noConsents = {
  ask: () => Promise.reject(new Error('flows with stops have no consents')),
  isGiven: () => Promise.resolve(false),
}

const flowIds = new Map<string, string>()
const lender = new OfficialLender({
  flowOf: async (transactionId) => flowNamed(flowIds.get(transactionId)!),
  consents: noConsents,
})
await lender.start()
after(() => lender.stop())

async function newBuyer(): Promise<BuyerServer> {
  const server = new BuyerServer(lender.directory.keyOf)
  const { id, keyId, url, publicKey } = await server.start()
  lender.directory.enter({
    subscriber_id: id,
    ukId: keyId,
    type: 'BAP',
    subscriber_url: url,
    signing_public_key: publicKey,
  })
  after(() => server.stop())
  return server
}
const server = await newBuyer()

/** Plays a flow and returns the lender's side of it. */
async function play(flowId: string, deviation: Deviation = {}, person: Record<string, string> = {}): Promise<Talk> {
  const talk = new BuyerTalk(server, {
    version: '2.0.3',
    gatewayUrl: `${lender.url}/gateway`,
    approveConsent: () => Promise.resolve(),
    lender: { id: lenderIds.id, url: `${lender.url}/lender/ondc` },
    person,
    injectFaults: async () => async () => {},
  })
  flowIds.set(talk.transactionId, flowId)
  await playStops(talk, flowId, deviation)
  assert.deepEqual(talk.faults, [], 'violations found by the buyer')
  const ofLender = lender.talks.get(talk.transactionId)!
  await ofLender.untilOver()
  return ofLender
}

/** Whether the price, the payout or the payments do not add up. */
function hasOtherSums(order: Json): boolean {
  const rows: Json[] = order?.quote?.breakup ?? []
  const sumOf = (...titles: string[]) =>
    rows.filter(({ title }) => titles.includes(title)).reduce((sum, { price }) => sum + paise(price.value), 0n)
  // After a request for a payment, the price is still that of the confirmation.
  if (rows.length === 0 || rows.some(({ title }) => title.startsWith('OUTSTANDING_'))) return false
  const owed = sumOf('PRINCIPAL', 'INTEREST')
  const fees = sumOf('PROCESSING_FEE', 'OTHER_UPFRONT_CHARGES')
  const paidBack = (order.payments ?? []).filter(({ type }: Json) => type === 'POST_FULFILLMENT')
  const sum = paidBack.reduce((all: bigint, { params }: Json) => all + paise(params.amount), 0n)
  return (
    paise(order.quote.price.value) !== owed + fees ||
    paise(order.items[0].price.value) !== owed + fees ||
    sumOf('NET_DISBURSED_AMOUNT') !== sumOf('PRINCIPAL') - fees ||
    (paidBack.length > 0 && sum !== owed)
  )
}

describe('FIS12 §26: every flow with stops', { concurrency: 4 }, () => {
  for (const { id } of stopsFlows)
    test(id, async () => {
      const { faults, messages, transactionId, pages, flow } = await play(id)
      assert.deepEqual(faults, [])
      const orders = messages.filter(({ direction }) => direction === 'sent').map(({ message }) => message.order)
      assert.equal(orders.some(hasOtherSums), flow.deviates === true)
      assert.ok(!messages.some(({ action }) => action === 'init'))
      const visits = [...pages.keys()].filter((name) => !name.endsWith(' opened'))
      const returns = server.returned.filter((returned) => returned === transactionId)
      assert.equal(returns.length, visits.length, 'the borrower came back from every page')
    })
})

const offline = 'personal-loan-offline-page'
const onePage = 'personal-loan-one-page'

/** Replaces a part of a message of one action. */
const changing =
  (changed: string, edit: (message: Json) => void): Deviation['change'] =>
  (action, message) => {
    if (action !== changed) return message
    const copy = structuredClone(message)
    edit(copy)
    return copy
  }

const olderInit = ({ provider, items: [{ id, xinput }] }: Json): Json => ({
  order: {
    provider: { id: provider.id },
    items: [
      {
        id,
        xinput: { form: { id: xinput.form.id }, form_response: { status: 'SUCCESS', submission_id: 'any' } },
      },
    ],
  },
})

test('FIS12 §26: one search serves the lenders of both shapes', async () => {
  const fees = { BUYER_FINDER_FEES_TYPE: 'percent-annualized', BUYER_FINDER_FEES_PERCENTAGE: '1' }
  const settlement = {
    DELAY_INTEREST: '2.5',
    STATIC_TERMS: 'https://buyer.example/terms',
    OFFLINE_CONTRACT: 'true',
  }
  const tags = [group('BUYER_FINDER_FEES', fees), group('SETTLEMENT_TERMS', settlement)]
  const change = changing('search', ({ intent }) => (intent.payment.tags = tags))!
  const { faults, messages } = await play(offline, { change })
  assert.deepEqual(faults, [])
  const [search] = messages
  assert.equal(search!.message.intent.payment.tags.length, 2)
  assert.deepEqual(messageFaults('2.0.3', 'search', search!.message), [])
})

interface WrongBuyer {
  title: string
  flowId: string
  fault: RegExp
  deviation: Deviation
}

const wrongBuyers: WrongBuyer[] = [
  {
    title: 'searches without its terms',
    flowId: offline,
    fault: /^search: intent\.tags lacks BAP_TERMS$/,
    deviation: { change: changing('search', ({ intent }) => (intent.tags[0].descriptor.code = 'BPP_TERMS')) },
  },
  {
    title: 'says that it collects payments',
    flowId: offline,
    fault: /^search: message\.intent\.payment\.collected_by is "BAP"/,
    deviation: { change: changing('search', ({ intent }) => (intent.payment.collected_by = 'BAP')) },
  },
  {
    title: 'sends init',
    flowId: onePage,
    fault: /^init: init is not part of the flows with stops$/,
    deviation: { afterOffer: (talk, order) => talk.send('init', olderInit(order)) },
  },
  {
    title: 'polls before the first report',
    flowId: offline,
    fault: /^status: may not follow (select or )?on_select$/,
    deviation: { afterOffer: (talk) => talk.request('status', { ref_id: talk.transactionId }) },
  },
  {
    title: 'names an order before the confirmation',
    flowId: offline,
    fault: /^status: names the order ORDER before the confirmation$/,
    deviation: { change: (action, message) => (action === 'status' ? { order_id: 'ORDER' } : message) },
  },
  {
    title: 'confirms before the first report',
    flowId: offline,
    fault: /^confirm: may not follow (select or )?on_select$/,
    deviation: { afterOffer: (talk, order) => talk.send('confirm', olderInit(order)) },
  },
  {
    title: 'opens the page without its query',
    flowId: onePage,
    fault: /^the page SINGLE_REDIRECTION was opened with , not with transaction_id=/,
    deviation: {
      afterOffer: (_talk, { items: [{ xinput }] }) => fetch(xinput.form.url.split('?')[0]),
    },
  },
  {
    title: 'confirms without the terms of the lender',
    flowId: offline,
    fault: /^confirm: order\.tags lacks BPP_TERMS$/,
    deviation: { change: changing('confirm', ({ order }) => order.tags.pop()) },
  },
  {
    title: 'agrees to the terms of another lender',
    flowId: offline,
    fault: /^confirm: agrees to https:\/\/other\.example of another lender$/,
    deviation: {
      change: changing('confirm', ({ order }) => (order.tags[1].list[0].value = 'https://other.example')),
    },
  },
  {
    title: 'confirms with payments',
    flowId: offline,
    fault: /^confirm: message\.order\.payments is not known$/,
    deviation: { change: changing('confirm', ({ order }) => (order.payments = [{ type: 'ON_ORDER' }])) },
  },
  {
    title: 'confirms with the status of a form of its own',
    flowId: offline,
    fault: /^confirm: states SUCCESS, not COMPLETED$/,
    deviation: {
      change: changing('confirm', ({ order: { items } }) => (items[0].xinput.form_response.status = 'SUCCESS')),
    },
  },
  {
    title: 'confirms with another form',
    flowId: offline,
    fault: /^confirm: answers the form other, not JOURNEY_OFFLINE_/,
    deviation: { change: changing('confirm', ({ order: { items } }) => (items[0].xinput.form.id = 'other')) },
  },
  {
    title: 'names the amount of a foreclosure',
    flowId: `${offline}-foreclosure`,
    fault: /^update: names an amount for FORECLOSURE$/,
    deviation: {
      change: changing('update', ({ order }) => (order.payments[0].params = { amount: '1.00', currency: 'INR' })),
    },
  },
  {
    title: 'names the type of a payment',
    flowId: `${onePage}-missed-instalment`,
    fault: /^update: message\.order\.payments\[0\]\.type is not known$/,
    deviation: { change: changing('update', ({ order }) => (order.payments[0].type = 'POST_FULFILLMENT')) },
  },
  {
    title: 'asks about a borrower without a PAN',
    flowId: 'personal-loan-dedupe',
    fault: /^select: message\.order\.fulfillments\[0\]\.customer\.person\.creds is not a non-empty list$/,
    deviation: {
      endsWithCheck: true,
      change: changing('select', ({ order }) => (order.fulfillments[0].customer.person.creds = [])),
    },
  },
]

describe('FIS12 §26: the strict lender finds a buyer that', { concurrency: 4 }, () => {
  for (const { title, flowId, fault, deviation } of wrongBuyers)
    test(title, async () => {
      const { faults } = await play(flowId, deviation)
      assert.ok(
        faults.some((each) => fault.test(each)),
        `found ${JSON.stringify(faults)}`,
      )
    })

  test('does not tick the consent', async () => {
    const { faults } = await play('personal-loan-one-page-grievance', {}, { bureauConsent: 'no' })
    assert.deepEqual(faults, ['the form PROFILE lacks bureauConsent'])
  })

  test('confirms with the submission of an earlier report', async () => {
    const { faults } = await play(onePage, {
      change(action, message, talk) {
        if (action !== 'confirm') return message
        const first = server.arrived.get(talk.transactionId)!.find(({ context }) => context.action === 'on_status')!
        const { submission_id: earlier } = first.message.order.items[0].xinput.form_response
        return changing('confirm', ({ order }) => (order.items[0].xinput.form_response.submission_id = earlier))!(
          action,
          message,
          talk,
        )
      },
    })
    assert.match(faults.join('\n'), /^confirm: repeats SUBMISSION_\w{8}-\S+, not SUBMISSION_COMPLETED_/)
  })
})

test('FIS12 §26: the check of a borrower may be the end of the flow', async () => {
  const { faults, messages } = await play('personal-loan-dedupe', { endsWithCheck: true })
  assert.deepEqual(faults, [])
  const actions = messages.map(({ action }) => action)
  assert.deepEqual(actions, ['search', 'on_search', 'select', 'on_select'])
})

test('FIS12 §26: a borrower who leaves the payment page without paying is reported as such', async () => {
  const { faults, order } = await play(`${onePage}-foreclosure`, { leavesUnpaid: true })
  assert.deepEqual(faults, [])
  assert.equal(order.status, 'ACTIVE')
})

test('FIS12 §26: the strict lender finds a buyer whose answer to a return is hidden from the page', async () => {
  server.allowsOrigins = false
  const { faults } = await play(`${offline}-part-payment`)
  assert.equal(faults.length, 2)
  for (const fault of faults) assert.match(fault, /whose answer is for the origin null, not http/)
})
