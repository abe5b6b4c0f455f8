// The messages of a drawdown from a credit line are read back as written, and what cannot be one is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordOf } from '@lendloom/foundation/record'
import { faultsOf } from '@lendloom/foundation/refusal'
import { lender } from '@lendloom/tests/network-messages/lamf-values'
import { outgoingFaultsOf } from '#wire/network/message-validators.ts'
import { bodyFaultsIn } from '#wire/network/received-body-faults.ts'
import { type Action, actions } from '#wire/network/sequence.ts'
import {
  confirmDrawdown,
  type DrawdownDraft,
  initDrawdown,
  readDrawdownConfirm,
  readDrawdownInit,
  writeDrawdown,
} from './drawdown.ts'
import { readOrder } from './read-order.ts'
import { schemaOf } from './schema.ts'

const throughJson = (message: unknown) => JSON.parse(JSON.stringify(message))

const request = { providerId: 'girnar', lineOrderId: 'line-1', amount: 2_500_000n }
const terms = {
  principal: 2_500_000n,
  interest: 25_000n,
  charges: 0n,
  total: 2_525_000n,
  interestRate: '12%',
  quoteTtl: 'P15D',
}
const draft: DrawdownDraft = {
  lender,
  lineOrderId: 'line-1',
  item: { id: 'draw-1', parentId: 'line', name: 'Drawdown', categoryIds: ['101118', '104127'], fulfillmentId: 'F-D' },
  terms,
  quoteId: 'quote-1',
  approval: 'PENDING',
  consent: 'PENDING',
  state: 'INITIATED',
  payout: { id: 'pay-1', amount: 2_500_000n, account: 'XXXX8811', paid: null, hasFailed: false },
  loanToValue: '60%',
}
const createdAt = new Date('2026-12-01T10:00:00.000Z')
const placed = { orderId: 'draw-order', status: 'ACTIVE', createdAt, updatedAt: createdAt } as const
const approved = { ...draft, approval: 'APPROVED', consent: 'APPROVED', placed } as const
const paidOut = {
  ...approved,
  state: 'DISBURSED',
  payout: { ...draft.payout, paid: { transactionId: 'LENDER_UTR_0001' } },
  placed: { ...placed, status: 'COMPLETED' },
} as const
const consent = { id: '2', parentId: '1', name: 'Consent Required' }
const agreement = {
  providerId: 'girnar',
  lineOrderId: 'line-1',
  itemId: 'draw-1',
  parentItemId: 'line',
  fulfillmentId: 'F-D',
  consent,
}

const noRules = recordOf(actions, () => [])
const strictFaults = outgoingFaultsOf('FIS12 §27.5', noRules, schemaOf)
const receivedFaults = (action: Action, message: unknown) =>
  bodyFaultsIn['2.3.0'](action, {
    context: {
      domain: 'ONDC:FIS12:SL',
      location: { country: { code: 'IND' }, city: { code: '*' } },
      action,
      version: '2.3.0',
      bap_id: 'buyer.example',
      bap_uri: 'https://buyer.example/ondc',
      bpp_id: 'girnar.example',
      bpp_uri: 'https://girnar.example/ondc',
      transaction_id: '0199d7b0-8f00-7000-8000-00000000d001',
      message_id: '0199d7b0-8f00-7000-8000-00000000d002',
      timestamp: '2026-12-01T10:00:00.000Z',
      ttl: 'PT30S',
    },
    message,
  }).map(({ path }) => path)

/** The message with another value at the path; a value of undefined removes it. */
function altered(message: unknown, path: string, value: unknown) {
  const copy = throughJson(message)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const holder = steps.reduce((at, step) => at[step], copy)
  if (value === undefined) delete holder[last]
  else holder[last] = value
  return copy
}

const refused = (read: () => unknown): string[] => faultsOf(read).map(({ path }) => path)

test('FIS12 §27.5: each message of a drawdown is strictly well formed and reads back', () => {
  const messages: [Action, unknown][] = [
    ['init', initDrawdown(request)],
    ['on_init', writeDrawdown(draft)],
    ['confirm', confirmDrawdown(agreement)],
    ['on_confirm', writeDrawdown(approved)],
    ['on_update', writeDrawdown(paidOut)],
    ['on_status', writeDrawdown(paidOut)],
  ]
  for (const [action, message] of messages) {
    assert.deepEqual(strictFaults(action, throughJson(message)), [], action)
    assert.deepEqual(receivedFaults(action, throughJson(message)), [], action)
  }
  assert.deepEqual(readDrawdownInit(throughJson(initDrawdown(request))), request)
  assert.deepEqual(readDrawdownConfirm(throughJson(confirmDrawdown(agreement))), {
    providerId: 'girnar',
    lineOrderId: 'line-1',
    itemId: 'draw-1',
    isAgreed: true,
  })
})

test('FIS12 §27.5: the terms, the agreement and the payout of a drawdown are read from its order', () => {
  const { orderId, drawdown, offerFaults } = readOrder(throughJson(writeDrawdown(draft)))
  assert.equal(orderId, null)
  assert.deepEqual(offerFaults, [])
  const offered = {
    status: null,
    lineOrderId: 'line-1',
    itemId: 'draw-1',
    parentItemId: 'line',
    fulfillmentId: 'F-D',
    approval: 'PENDING',
    consent: { ...consent, state: 'PENDING' },
    terms,
    faults: [],
    payout: draft.payout,
  }
  assert.deepEqual(drawdown, offered)
  assert.deepEqual(readOrder(throughJson(writeDrawdown(paidOut))).drawdown, {
    ...offered,
    status: 'COMPLETED',
    approval: 'APPROVED',
    consent: { ...consent, state: 'APPROVED' },
    payout: paidOut.payout,
  })
})

test('FIS12 §27.5: a drawdown that is paid out looks neither like a repaid loan nor like a paid-out line', () => {
  const read = readOrder(throughJson(writeDrawdown(paidOut)))
  assert.equal(read.orderId, 'draw-order')
  assert.equal(read.state, 'DISBURSED')
  for (const part of ['orderStatus', 'terms', 'line', 'disbursal', 'payoutReference', 'form', 'outstanding'] as const)
    assert.equal(read[part], null, part)
  for (const part of ['installments', 'servicing', 'stops', 'schemes', 'warnings'] as const)
    assert.deepEqual(read[part], [], part)
})

test('FIS12 §27.5: what cannot be the terms or the payout of a drawdown is a fault with the path of its field', () => {
  const quote = 'message.order.quote'
  const faulty: [path: string, value: unknown, fault: string][] = [
    ['order.quote.price.currency', 'USD', `${quote}.price.currency`],
    ['order.quote.breakup.1.price.currency', 'USD', `${quote}.breakup.1.price.currency`],
    ['order.payments.0.params.currency', 'USD', 'message.order.payments.0.params.currency'],
    ['order.quote.price.value', '25250.01', `${quote}.price.value`],
    ['order.quote.breakup.0.title', 'OVERDRAFT_LIMIT', `${quote}.breakup`],
    ['order.payments.0.params.amount', '25000.01', 'message.order.payments'],
    ['order.payments.0.params.amount', '-1', 'message.order.payments'],
    ['order.payments.0.params.amount', '1e9', 'message.order.payments'],
    ['order.payments.0.params.amount', '100000000001', 'message.order.payments'],
    ['order.items.0.tags.0.list.0.value', '-1 %', 'message.order.items.0.tags.LOAN_INFO.INTEREST_RATE'],
    ['order.quote.ttl', 'P9999D', `${quote}.ttl`],
  ]
  for (const [path, value, fault] of faulty) {
    const { drawdown, offerFaults } = readOrder(altered(writeDrawdown(draft), path, value))
    assert.ok(offerFaults.map((each) => each.path).includes(fault), `${path}: ${JSON.stringify(offerFaults)}`)
    assert.deepEqual(drawdown?.faults, offerFaults)
  }
  const charges = [
    { title: 'OTHER_CHARGES', price: { value: '100', currency: 'INR' } },
    { title: 'INSURANCE_CHARGES', price: { value: '-100', currency: 'INR' } },
  ]
  const [principal, interest] = writeDrawdown(draft).order.quote.breakup
  const hidden = altered(writeDrawdown(draft), 'order.quote.breakup', [principal, interest, ...charges])
  assert.deepEqual(
    readOrder(hidden).offerFaults.map(({ path }) => path),
    [`${quote}.breakup.3.price.value`],
    'a negative row, though the sum is right',
  )
  const withoutQuote = altered(writeDrawdown(paidOut), 'order.quote', undefined)
  const foreign = altered(withoutQuote, 'order.payments.0.params.currency', 'USD')
  assert.deepEqual(readOrder(withoutQuote).offerFaults, [])
  assert.equal(
    readOrder(foreign).offerFaults[0]?.path,
    'message.order.payments.0.params.currency',
    'also without a quote',
  )
})

test('FIS12 §27.5: rows that are no part of the sum do not count, and an unreadable validity is none', () => {
  const { breakup } = writeDrawdown(draft).order.quote
  const further = [
    { title: 'NET_DISBURSED_AMOUNT', price: { value: '25000', currency: 'INR' } },
    { title: 'OFFER_VALIDITY', price: { value: 'P15D' } },
  ]
  const { drawdown } = readOrder(altered(writeDrawdown(draft), 'order.quote.breakup', [...breakup, ...further]))
  assert.deepEqual(drawdown?.terms, terms)
  assert.deepEqual(drawdown?.faults, [])
  const soon = readOrder(altered(writeDrawdown(draft), 'order.quote.ttl', 'soon'))
  assert.equal(soon.drawdown?.terms?.quoteTtl, null)
})

test('FIS12 §27.5: an order of a drawdown without its line or with an unreadable quote is refused with the path', () => {
  const unreadable: [path: string, value: unknown, field: string][] = [
    ['order.ref_order_ids', undefined, 'message.order.ref_order_ids'],
    ['order.ref_order_ids', [], 'message.order.ref_order_ids'],
    ['order.ref_order_ids', 'line-1', 'message.order.ref_order_ids'],
    ['order.ref_order_ids', [{}], 'message.order.ref_order_ids.0'],
    ['order.quote.price.value', 'much', 'message.order.quote.price.value'],
    ['order.quote.breakup.0.price.value', 'much', 'message.order.quote.breakup.0.price.value'],
  ]
  for (const [path, value, field] of unreadable)
    assert.deepEqual(
      refused(() => readOrder(altered(writeDrawdown(draft), path, value))),
      [field],
      path,
    )
})

test('FIS12 §27.5: more than twenty stops, and stops of other types, are no stops that the borrower may agree to', () => {
  const [stop] = writeDrawdown(draft).order.fulfillments[0]?.stops ?? []
  for (const stops of [
    Array(21).fill(stop),
    'PENDING',
    [null],
    [{ ...stop, type: 7 }],
    [{ type: 'CONSENT_REQUIRED' }],
  ]) {
    const read = readOrder(altered(writeDrawdown(draft), 'order.fulfillments.0.stops', stops)).drawdown
    assert.equal(read?.approval, null)
    assert.equal(read?.consent, null)
  }
  const many = altered(confirmDrawdown(agreement), 'order.fulfillments.0.stops', Array(21).fill(stop))
  assert.deepEqual(receivedFaults('confirm', many), ['message.order.fulfillments.0.stops'])
})

test('FIS12 §27.5: a malformed request for a drawdown is refused with the path of its field', () => {
  const wrongInits: [path: string, value: unknown, field: string][] = [
    ['order.ref_order_ids', null, 'message.order.ref_order_ids'],
    ['order.ref_order_ids', ['line-1', 'line-2'], 'message.order.ref_order_ids'],
    ['order.ref_order_ids', [''], 'message.order.ref_order_ids.0'],
    ['order.provider', undefined, 'message.order.provider'],
    ['order.payments', [], 'message.order.payments'],
    ['order.payments.0.params.amount', { $gt: 0 }, 'message.order.payments.0.params.amount'],
  ]
  for (const [path, value, field] of wrongInits) {
    const message = altered(initDrawdown(request), path, value)
    assert.deepEqual(receivedFaults('init', message), [field], path)
    assert.deepEqual(
      refused(() => readDrawdownInit(message)),
      [field],
      path,
    )
  }
  const wrongAmounts = ['0', '-5', '', 'all', '1e5', '100000000001']
  for (const amount of wrongAmounts)
    assert.deepEqual(
      refused(() => readDrawdownInit(altered(initDrawdown(request), 'order.payments.0.params.amount', amount))),
      ['message.order.payments.0.params.amount'],
      amount,
    )
  const inDollars = altered(initDrawdown(request), 'order.payments.0.params.currency', 'USD')
  assert.deepEqual(
    refused(() => readDrawdownInit(inDollars)),
    ['message.order.payments.0.params.amount'],
  )
  const instalment = altered(initDrawdown(request), 'order.payments.0.time.label', 'INSTALLMENT')
  assert.deepEqual(
    refused(() => readDrawdownInit(instalment)),
    ['message.order.payments.0.time.label'],
  )
})

test('FIS12 §27.5: only the stop of the borrower, APPROVED in the fulfilment of the drawdown, is an agreement', () => {
  const isAgreed = (path: string, value: unknown) =>
    readDrawdownConfirm(altered(confirmDrawdown(agreement), `order.fulfillments.0.${path}`, value)).isAgreed
  assert.equal(isAgreed('stops.0.instructions.code', 'approved'), true)
  assert.equal(isAgreed('stops.0.instructions.code', 'REJECTED'), false)
  assert.equal(isAgreed('stops.0.type', 'DRAWDOWN_APPROVAL'), false)
  assert.equal(isAgreed('stops', []), false)
  assert.equal(isAgreed('type', 'ONLINE'), false)
  assert.deepEqual(receivedFaults('confirm', altered(confirmDrawdown(agreement), 'order.fulfillments', undefined)), [
    'message.order.fulfillments',
  ])
})

test('FIS12 §27.5: without a line, init and confirm are those of a loan, in which stops and a missing item are faults', () => {
  const loan = altered(confirmDrawdown(agreement), 'order.ref_order_ids', undefined)
  assert.deepEqual(
    strictFaults('confirm', loan).map(({ path }) => path),
    ['$.message.order.fulfillments[0].type', '$.message.order.fulfillments[0].stops'],
  )
  const init = altered(initDrawdown(request), 'order.ref_order_ids', undefined)
  assert.deepEqual(receivedFaults('init', init), ['message.order.items'])
  const extra = altered(initDrawdown(request), 'order.note', 'please')
  assert.deepEqual(
    strictFaults('init', extra).map(({ path }) => path),
    ['$.message.order.note'],
  )
})
