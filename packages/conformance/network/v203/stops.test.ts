// The newest shape of 2.0.3: stops in catalogues and orders, the check of a borrower, and the confirmation of a payout.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Json, stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { readOnSearch } from '@lendloom/wire/network/v203/search'
import {
  confirmPaidOut,
  readBuyerOrder,
  readDedupe,
  select,
  selectDedupe,
} from '@lendloom/wire/network/v203/select-to-confirm'
import { outgoingFaults } from './rules.ts'

const stop = (type: string, code: string) => ({ id: type, type, instructions: { name: type, code } })
const onPage = [stop('LOAN_OFFER', 'FINALIZED'), stop('SINGLE_REDIRECTION', 'IN_PROGRESS'), stop('KYC', 'INITIATED')]

/** The catalogue of a lender with one item of each shape, and a check of the borrower. */
function catalogue(change: (provider: Json, catalog: Json) => void = () => {}): Json {
  const { message } = stepNamed('on_search')
  const { catalog } = message
  const [provider] = catalog.providers
  const [item] = provider.items
  provider.categories.push({ id: 'CHECK', descriptor: { code: 'PRE_QUALIFIER', name: 'Pre Qualifier' } })
  provider.items = [
    item,
    { ...item, id: 'ONE-PAGE', fulfillment_ids: ['F2'] },
    {
      id: 'CHECK',
      descriptor: { code: 'PRE_QUALIFIER', name: 'Check' },
      category_ids: ['CHECK'],
      fulfillment_ids: ['F3'],
    },
  ]
  provider.fulfillments = [
    { id: 'F2', type: 'ONLINE', stops: onPage },
    { id: 'F3', type: 'DEDUPE' },
  ]
  catalog.tags = [termsOf('BPP_TERMS', 'https://sahyadri.example/terms')]
  change(provider, catalog)
  return message
}

const termsOf = (code: string, url: string) => ({
  descriptor: { code },
  list: [
    { descriptor: { code: 'STATIC_TERMS' }, value: url },
    { descriptor: { code: 'OFFLINE_CONTRACT' }, value: 'true' },
  ],
})

const shapes = (message: Json) =>
  readOnSearch(message).map(({ itemId, fulfillmentId, stops, isDedupe }) => ({
    itemId: itemId.slice(0, 8),
    fulfillmentId,
    stops: stops?.map(({ type, state }) => `${type} ${state}`) ?? null,
    isDedupe,
  }))

test('FIS12 §26.1: the shape of a loan follows from the fulfilment of its item, not from an id or a name', () => {
  const [steps, onePage, check] = shapes(catalogue())
  assert.equal(steps!.stops, null, 'no fulfilment: a page per step')
  assert.deepEqual(onePage!.stops, ['LOAN_OFFER FINALIZED', 'SINGLE_REDIRECTION IN_PROGRESS', 'KYC INITIATED'])
  assert.equal(onePage!.fulfillmentId, 'F2')
  assert.deepEqual(check, { itemId: 'CHECK', fulfillmentId: 'F3', stops: null, isDedupe: true })
  const [first] = readOnSearch(catalogue())
  assert.deepEqual(first!.lenderTerms, { staticTerms: 'https://sahyadri.example/terms', offlineContract: true })
})

test('FIS12 §26.1: stops that name no page, or are no stops, mean the older shape', () => {
  const stopsAfter = (stops: unknown) =>
    shapes(catalogue((provider) => Object.assign(provider.fulfillments[0], { stops })))[1]!.stops
  assert.equal(stopsAfter([stop('KYC', 'PENDING')]), null)
  assert.equal(stopsAfter([{ time: { timestamp: '2026-11-20T06:00:00Z' } }]), null, 'a visit')
  assert.equal(stopsAfter('SINGLE_REDIRECTION'), null)
  assert.equal(stopsAfter([...onPage, { type: 'KYC' }]), null)
  assert.equal(stopsAfter(Array(5000).fill(stop('SINGLE_REDIRECTION', 'PENDING'))), null, 'more than a journey has')
  assert.deepEqual(stopsAfter([stop(' single_redirection ', 'pending')]), ['SINGLE_REDIRECTION PENDING'])
})

test('FIS12 §26.2: an order tells its progress by stops; without readable ones it tells none', () => {
  const { message } = stepNamed('on_select_3')
  message.order.fulfillments = [{ id: 'F2', type: 'ONLINE', stops: onPage }]
  assert.deepEqual(readOrder(message).stops.at(-1), { type: 'KYC', state: 'INITIATED' })
  message.order.fulfillments = [{ id: 'F2', type: 'ONLINE', stops: [{ type: 7 }] }]
  assert.deepEqual(readOrder(message).stops, [])
})

test('FIS12 §26.2: the confirmation of a payout has the last report and both terms, and no payment', () => {
  const terms = (url: string) => ({ staticTerms: url, offlineContract: true })
  const message = confirmPaidOut({
    providerId: 'P',
    itemId: 'I',
    submission: { formId: 'PAGE', submissionId: 'SUB-7', status: 'COMPLETED' },
    terms: { buyer: terms('https://buyer.example/terms'), lender: terms('https://sahyadri.example/terms') },
  })
  assert.deepEqual(outgoingFaults('confirm', message), [])
  assert.equal(readBuyerOrder(message).contract?.buyer.staticTerms, 'https://buyer.example/terms')
  const [bap, bpp] = message.order.tags
  assert.equal(bap?.descriptor.code, 'BAP_TERMS')
  for (const change of [
    (order: Json) => order.tags.pop(),
    (order: Json) => delete order.items[0].xinput.form_response.submission_id,
    (order: Json) => Object.assign(order.items[0].xinput.form_response, { status: 'REJECTED' }),
  ]) {
    const wrong: Json = structuredClone(message)
    change(wrong.order)
    assert.notDeepEqual(outgoingFaults('confirm', wrong), [], `${change}`)
  }
  assert.equal(bpp?.descriptor.code, 'BPP_TERMS')
})

test('FIS12 §26.3: the check of a borrower names only what identifies one', () => {
  const borrower = { pan: 'ABCPE1234F', dob: '1992-02-29', phone: '+91-9876500001', email: undefined }
  const message = selectDedupe({ providerId: 'P', itemId: 'CHECK', fulfillmentId: 'F3', borrower })
  assert.deepEqual(outgoingFaults('select', message), [])
  assert.deepEqual(readDedupe(message), { fulfillmentId: 'F3', pan: 'ABCPE1234F' })
  assert.deepEqual(message.order.fulfillments[0]!.customer, {
    person: { dob: '1992-02-29', creds: [{ id: 'ABCPE1234F', type: 'PAN' }] },
    contact: { phone: '+91-9876500001' },
  })
})

test('FIS12 §26.4: a gold loan has one repayment, due at the end of its term counted from the payout', () => {
  const { message } = stepNamed('on_confirm')
  const { order } = message
  const paidOut = {
    type: 'ON_FULFILLMENT',
    status: 'PAID',
    time: { label: 'LOAN_DISBURSMENT', timestamp: '2026-12-01T10:00:00Z' },
  }
  const repayment = {
    id: 'R',
    type: 'POST_FULFILLMENT',
    status: 'NOT-PAID',
    params: { amount: '442300', currency: 'INR' },
  }
  order.payments = [paidOut, { ...repayment, time: { label: 'REPAYMENT' } }]
  const [single, ...more] = readOrder(message).installments
  assert.deepEqual(more, [])
  assert.equal(single!.amount, 44_230_000n)
  assert.equal(single!.endsAt.toISOString(), '2027-12-01T18:29:59.999Z', 'the last moment of 1 December 2027 in India')
  order.payments = [{ ...repayment, time: { label: 'REPAYMENT' } }]
  assert.deepEqual(readOrder(message).installments, [], 'without a payout the day is not known')
  const [{ list }] = order.items[0].tags
  list.find(({ descriptor }: Json) => descriptor.code === 'TERM').value = '99999999 years'
  order.payments = [paidOut, { ...repayment, time: { label: 'REPAYMENT' } }]
  assert.deepEqual(readOrder(message).installments, [], 'no calendar has that day')
})

test('FIS12 §26.4: a repayment below zero, or after a payout on no day, is refused with its field', () => {
  const { message } = stepNamed('on_confirm')
  const { order } = message
  const paymentsOf = (amount: string, timestamp: string) => [
    { type: 'ON_FULFILLMENT', status: 'PAID', time: { label: 'LOAN_DISBURSMENT', timestamp } },
    {
      type: 'POST_FULFILLMENT',
      status: 'NOT-PAID',
      params: { amount, currency: 'INR' },
      time: { label: 'REPAYMENT' },
    },
  ]
  order.payments = paymentsOf('-1000', '2026-12-01T10:00:00Z')
  assert.throws(() => readOrder(message), /payments\.1\.params\.amount/)
  order.payments = paymentsOf('1000', '2026-13-41T25:61:61Z')
  assert.throws(() => readOrder(message), /payments\.0\.time\.timestamp/)
})

test('FIS12 §26.4: the branch of a gold loan is chosen with the submission of the profile', () => {
  const submission = { formId: 'FORM', submissionId: 'SUB-1' }
  const message = select({ providerId: 'P', itemId: 'G', submission, branchId: 'L2' })
  assert.deepEqual(outgoingFaults('select', message), [])
  assert.deepEqual(message.order.items[0]!.location_ids, ['L2'])
})

test('FIS12 §26.1: of several fulfilments of an item the one with the page counts, whatever their order', () => {
  const asking = (change: (provider: Json) => void) =>
    shapes(catalogue(change)).find(({ itemId }) => itemId === 'ONE-PAGE')!
  const ids = asking((provider) => {
    provider.items[1].fulfillment_ids = ['F3', 'F2']
    provider.fulfillments.reverse()
  })
  assert.equal(ids.fulfillmentId, 'F2')
  assert.ok(ids.stops)
  const twice = asking((provider) => provider.fulfillments.unshift({ id: 'F2', type: 'ONLINE' }))
  assert.ok(twice.stops, 'a second fulfilment of the same id')
})

test('FIS12 §26.1: a catalogue with thousands of items and fulfilments is read at once', () => {
  const message = catalogue((provider) => {
    const [, onePage] = provider.items
    provider.fulfillments = Array.from({ length: 8000 }, (_, i) => ({ id: `F${i}` }))
    const missing = Array.from({ length: 20 }, (_, i) => `none-${i}`)
    provider.items = Array.from({ length: 300 }, (_, i) => ({ ...onePage, id: `I${i}`, fulfillment_ids: missing }))
  })
  assert.equal(shapes(message).length, 300)
})
