// The published messages of a drawdown satisfy the rules, and each violation is reported (FIS12 §27.5).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, stepNamed } from '@lendloom/tests/network-messages/lamf'
import { faultText } from '@lendloom/wire/network/context'
import { type Action, isCallback } from '@lendloom/wire/network/sequence'
import { signatureHeader, signingKeysFrom } from '@lendloom/wire/network/signing'
import type { RecordedMessage } from '#conformance/network/transcript.ts'
import { invariantsOf } from './invariants.ts'

const buyer = 'buyer.lendloom.example'
const lender = 'girnar.example'
const keys: Record<string, ReturnType<typeof signingKeysFrom>> = {
  [buyer]: signingKeysFrom(Buffer.alloc(32, 1)),
  [lender]: signingKeysFrom(Buffer.alloc(32, 2)),
}

const price = (value: string): Json => ({ value, currency: 'INR' })
const stop = (id: string, type: string, code: string): Json => ({
  id,
  ...(id === '2' && { parent_stop_id: '1' }),
  type,
  instructions: { name: type.toLowerCase(), code },
})
const provider = { id: 'girnar', descriptor: { name: 'Girnar Capital' } }
const created_at = '2026-12-01T10:00:02.000Z'

/** The lender's order. It has a status once it is placed, and is paid out when it is COMPLETED. */
const orderOf = (status: 'ACTIVE' | 'COMPLETED' | null): Json => ({
  order: {
    ...(status && { id: 'drawn-1', status }),
    ref_order_ids: ['line-1'],
    provider,
    items: [
      {
        id: 'drawdown-item',
        parent_item_id: 'line-item',
        descriptor: { code: 'LOAN', name: 'LAMF - Drawdown' },
        category_ids: ['101118', '104127', '101119'],
        fulfillment_ids: ['F-D'],
        price: price('26000'),
        tags: [
          {
            descriptor: { code: 'LOAN_INFO', name: 'Information' },
            list: [{ descriptor: { code: 'INTEREST_RATE' }, value: '12 %' }],
          },
        ],
      },
    ],
    fulfillments: [
      {
        id: 'F-D',
        type: 'DRAWDOWN',
        stops: [
          stop('1', 'DRAWDOWN_APPROVAL', status ? 'APPROVED' : 'PENDING'),
          stop('2', 'CONSENT_REQUIRED', status ? 'APPROVED' : 'PENDING'),
        ],
        state: { descriptor: { code: status === 'COMPLETED' ? 'DISBURSED' : 'INITIATED' } },
      },
    ],
    quote: {
      id: 'quote-d',
      price: price('26000'),
      breakup: [
        { title: 'PRINCIPAL_AMOUNT', price: price('25000') },
        { title: 'INTEREST_AMOUNT', price: price('1000') },
      ],
      ttl: 'P15D',
    },
    payments: [
      {
        id: 'payout-d',
        type: 'ON_FULFILLMENT',
        collected_by: 'CONSUMER',
        status: status === 'COMPLETED' ? 'PAID' : 'NOT-PAID',
        time: { label: 'DRAWDOWN' },
        params: { amount: '25000', currency: 'INR', ...(status === 'COMPLETED' && { transaction_id: 'UTR-0001' }) },
      },
    ],
    ...(status && { created_at, updated_at: created_at }),
  },
})

/** The order of the line, which the lender reports after the payout. */
function lineOrder(): Json {
  const { message } = structuredClone(stepNamed('offline_on_confirm'))
  const { order } = message
  order.id = 'line-1'
  order.quote.breakup.find(({ title }: Json) => title === 'CURRENT_UTILIZATION').price.value = '25000'
  return message
}

type Step = [action: Action, message: Json]
const drawdown = (): Step[] => [
  [
    'init',
    {
      order: {
        provider: { id: 'girnar' },
        ref_order_ids: ['line-1'],
        payments: [{ params: { amount: '25000', currency: 'INR' }, time: { label: 'DRAWDOWN' } }],
      },
    },
  ],
  ['on_init', orderOf(null)],
  [
    'confirm',
    {
      order: {
        provider: { id: 'girnar' },
        ref_order_ids: ['line-1'],
        items: [{ id: 'drawdown-item', parent_item_id: 'line-item' }],
        fulfillments: [{ id: 'F-D', type: 'DRAWDOWN', stops: [stop('2', 'CONSENT_REQUIRED', 'APPROVED')] }],
      },
    },
  ],
  ['on_confirm', orderOf('ACTIVE')],
  ['on_update', orderOf('COMPLETED')],
  ['on_update', lineOrder()],
]

/** The messages as the platform stores them, one a second, each callback with the message id of its request. */
const recorded = (steps: Step[], transactionId: string): RecordedMessage[] =>
  steps.map(([action, message], i) => {
    const at = new Date(Date.parse('2026-12-01T10:00:00.000Z') + i * 1000)
    const isUnsolicited = action === 'on_update'
    const requestNumber = isCallback(action) && !isUnsolicited ? i - 1 : i
    const context = {
      ...stepNamed('select').context,
      action,
      transaction_id: transactionId,
      message_id: `${transactionId.slice(0, -2)}${10 + requestNumber}`,
      timestamp: at.toISOString(),
      ttl: 'PT30S',
    }
    const body = JSON.stringify({ context, message })
    const subscriberId = isCallback(action) ? lender : buyer
    const { privateKey } = keys[subscriberId]!
    const authorization = signatureHeader(body, { subscriberId, uniqueKeyId: 'k1', privateKey, at })
    const direction = isCallback(action) ? 'received' : 'sent'
    return { at, direction, party: lender, action, headers: { authorization }, body }
  })

const own = '0c7b2a55-3ddf-4e77-ad5a-25c542d6b1f0'
const faultsOf = (messages: RecordedMessage[]): string =>
  invariantsOf(messages, ({ subscriberId }) => keys[subscriberId]?.publicKey ?? null)
    .map(faultText)
    .join('\n')

/** The faults of a drawdown after a change in its message at this place. */
function faultsAfter(place: number, change: (order: Json) => unknown): string {
  const steps = drawdown()
  change(steps[place]![1].order)
  return faultsOf(recorded(steps, own))
}

test('FIS12 §27.5: a drawdown is valid, and so are two of them beside each other', () => {
  assert.equal(faultsOf(recorded(drawdown(), own)), '')
  const second = recorded(drawdown(), own.replace('0c7b', '0c7c'))
  assert.equal(faultsOf([...recorded(drawdown(), own), ...second]), '')
})

test('FIS12 §27.5: each message of a drawdown has what the network publishes', () => {
  const cases: [place: number, change: (order: Json) => unknown, fault: RegExp][] = [
    [0, ({ payments }) => (payments[0].time.label = 'INSTALLMENT'), /#1 init .*label is INSTALLMENT/],
    [0, ({ payments }) => delete payments[0].params.amount, /#1 init .*params.amount must be present/],
    [0, (order) => order.ref_order_ids.push('line-2'), /#1 init .*ref_order_ids/],
    [1, ({ fulfillments }) => fulfillments[0].stops.pop(), /#2 on_init .*CONSENT_REQUIRED once/],
    [1, ({ quote }) => quote.breakup.pop(), /#2 on_init .*INTEREST_AMOUNT once/],
    [1, ({ payments }) => (payments[0].params.currency = 'USD'), /#2 on_init .*must be INR/],
    [1, ({ items }) => delete items[0].tags, /#2 on_init .*LOAN_INFO/],
    [2, ({ fulfillments }) => (fulfillments[0].stops[0].instructions.code = 'PENDING'), /#3 confirm .*APPROVED/],
    [2, ({ fulfillments }) => (fulfillments[0].stops[0].type = 'DRAWDOWN_APPROVAL'), /#3 confirm .*CONSENT_REQUIRED/],
    [3, ({ fulfillments }) => (fulfillments[0].stops[0].instructions.code = 'PENDING'), /#4 on_confirm .*APPROVED/],
    [3, (order) => delete order.id, /#4 on_confirm .*id/],
    [4, ({ payments }) => delete payments[0].params.transaction_id, /#5 on_update .*transaction_id must be present/],
    [4, ({ payments }) => (payments[0].status = 'NOT-PAID'), /#5 on_update .*must be one of PAID/],
  ]
  for (const [place, change, fault] of cases) assert.match(faultsAfter(place, change), fault)
})

test('FIS12 §27.5: the ids, the sums and the agreed terms of a drawdown fit together', () => {
  const cases: [place: number, change: (order: Json) => unknown, fault: RegExp][] = [
    [1, ({ quote }) => (quote.price.value = '25999'), /#2 on_init .*must be the sum of the breakup/],
    [0, ({ payments }) => (payments[0].params.amount = '24000'), /#2 on_init .*another principal than the amount/],
    [1, (order) => (order.ref_order_ids[0] = 'line-2'), /#2 on_init .*order line-2 that was never issued/],
    [2, ({ items }) => (items[0].id = 'other'), /#3 confirm .*item other that was never issued/],
    [2, ({ fulfillments }) => (fulfillments[0].id = 'F-1'), /#3 confirm .*fulfillment F-1 that was never issued/],
    [4, (order) => (order.id = 'drawn-2'), /#5 on_update .*order drawn-2 that was never issued/],
    [5, (order) => (order.id = 'line-2'), /#6 on_update .*order line-2 that was never issued/],
    [4, ({ payments }) => (payments[0].params.amount = '25001'), /#5 on_update .*not pay out more than the principal/],
  ]
  for (const [place, change, fault] of cases) assert.match(faultsAfter(place, change), fault)
  const dearer = faultsAfter(3, ({ quote }) => {
    quote.price.value = '27000'
    quote.breakup[1].price.value = '2000'
  })
  assert.match(dearer, /#4 on_confirm .*changes the terms to which the borrower has agreed \(FIS12 §27\.5 on_confirm\)/)
})

test('FIS12 §27.5: the line tells what is drawn, within its limit', () => {
  const utilization = (value: string) => (order: Json) => {
    order.quote.breakup.find(({ title }: Json) => title === 'CURRENT_UTILIZATION').price.value = value
  }
  assert.match(faultsAfter(5, utilization('999999999')), /#6 on_update .*more drawn than the limit/)
  const summary = { descriptor: { code: 'UTILISED_AMOUNT' }, value: '24000' }
  const withSummary = faultsAfter(5, (order) =>
    order.tags.push({ descriptor: { code: 'ACCOUNT_SUMMARY' }, list: [summary] }),
  )
  assert.match(withSummary, /#6 on_update .*UTILISED_AMOUNT 24000, and the quote another/)
})

test('FIS12 §4.1, §27.5: only a drawdown starts at init, and nobody confirms for the borrower', () => {
  const [init, , ...rest] = drawdown()
  assert.match(faultsOf(recorded([init!, ...rest], own)), /#2 confirm \$ may not follow init/)
  const withoutConfirm = drawdown().filter(([action]) => action !== 'confirm')
  assert.match(faultsOf(recorded(withoutConfirm, own)), /#3 on_confirm .*message_id/)
  const loan = drawdown().map(([action, message]): Step => {
    if (action === 'init') delete message.order.ref_order_ids
    return [action, message]
  })
  assert.match(faultsOf(recorded(loan, own)), /#1 init/)
})
