// The reader accepts known deviations and rejects others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { rupees } from '@lendloom/lending/money'
import { type Json, stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { bodyFaultsIn } from '#wire/network/received-body-faults.ts'
import { readOrder } from './read-order.ts'
import { readOnSearch } from './search.ts'

const bodyFaults = bodyFaultsIn['2.0.3']

function orderFrom(step: string, change: (order: Json) => unknown = () => {}) {
  const { message } = stepNamed(step)
  change(message.order)
  return readOrder(message)
}

/** Sets a value of LOAN_INFO; without a value, removes the code. */
const withInfo = (code: string, value?: string) => (order: Json) => {
  const [tag] = order.items[0].tags
  tag.list = tag.list.filter((each: Json) => each.descriptor.code !== code)
  if (value !== undefined) tag.list.push({ descriptor: { code }, value })
}
const withRow = (title: string, value: string) => (order: Json) => {
  order.quote.breakup.push({ title, price: { value, currency: 'INR' } })
}

test('FIS12 §8.1: the offer of a complete loan is read in full', () => {
  const { terms, form, warnings } = orderFrom('on_select_3')
  assert.deepEqual(terms, {
    quoteId: 'quote-7',
    quoteTtl: 'P15D',
    principal: 20_000_000n,
    interest: 1_548_909n,
    processingFee: 236_000n,
    otherUpfront: 50_000n,
    insurance: 0n,
    otherCharges: 0n,
    netDisbursed: 19_714_000n,
    interestRate: '14%',
    apr: '16.8%',
    interestType: 'FIXED',
    term: '12 months',
    termMonths: 12,
    repaymentFrequency: 'MONTHLY',
    installmentsCount: 12,
    installmentAmount: 1_795_742n,
    applicationFee: '0 INR',
    foreclosureFee: '2%',
    interestRateConversionCharge: '0 INR',
    delayPenaltyFee: '2%',
    otherPenaltyFee: '1%',
    tncLink: 'https://sahyadri.example/tnc',
    kfsLink: 'https://sahyadri.example/kfs/7',
    coolOffPeriod: 'P3D',
    ltvRatio: null,
  })
  assert.equal(form?.heading, 'KYC')
  assert.deepEqual(warnings, [])
})

test('FIS12 §7.8, §14: a consent request has no quote', () => {
  const { terms, consentHandle, formResponse } = orderFrom('on_select_1')
  assert.equal(terms, null)
  assert.match(consentHandle!, /^[0-9a-f-]{36}$/)
  assert.equal(formResponse?.outcome, 'waiting')
})

test('FIS12 §7.4: each deviation of the official examples is accepted with a warning', () => {
  const cases: [(order: Json) => unknown, RegExp][] = [
    [(order) => (order.quote.price.value = '218849.09'), /the quote says 218849\.09, its rows add up to 218349\.09/],
    [withRow('OFFER_VALIDITY', 'P15D'), /OFFER_VALIDITY row/],
    [withRow('STAMP_DUTY', '0.00'), /unknown quote title STAMP_DUTY/],
    [withRow('INTEREST', '0.00'), /states INTEREST twice/],
    [(order) => order.quote.breakup.pop(), /no NET_DISBURSED_AMOUNT; it was computed/],
    [(order) => (order.quote.breakup[6].price.value = '1.00'), /NET_DISBURSED_AMOUNT is 1\.00, computed 197140\.00/],
    [(order) => (order.items[0].price.value = '1.00'), /the item's price is 1\.00/],
    [withInfo('COOL_OFF_PERIOD', '2026-12-01T00:00:00Z'), /COOL_OFF_PERIOD is not a duration/],
    [(order) => order.items.push({ id: 'second' }), /the order has 2 items/],
    [(order) => delete order.items[0].xinput.head.index, /head\.index is absent/],
    [(order) => (order.items[0].xinput.head.headings = ['SELFIE', 'SELFIE']), /unknown form heading SELFIE/],
  ]
  for (const [change, expected] of cases) {
    const { warnings, terms } = orderFrom('on_select_3', change)
    assert.match(warnings.join('\n'), expected)
    assert.equal(terms?.principal, 20_000_000n)
  }
})

test('FIS12 §7.4: a repeated row counts once if its amount is equal and the total does not include it twice', () => {
  const { terms: stated, warnings: before } = orderFrom('on_select_3')
  const fee = stated!.otherUpfront
  const repeated = orderFrom('on_select_3', withRow('OTHER_UPFRONT_CHARGES', rupees(fee)))
  assert.deepEqual(repeated.terms, stated)
  assert.deepEqual(repeated.warnings, [...before, 'the quote states OTHER_UPFRONT_CHARGES twice'])
  const twice = orderFrom('on_select_3', (order) => {
    withRow('OTHER_UPFRONT_CHARGES', rupees(fee))(order)
    order.quote.price.value = String(Number(order.quote.price.value) + Number(rupees(fee)))
  })
  assert.equal(twice.terms!.otherUpfront, fee * 2n)
  const payout = orderFrom('on_select_3', withRow('NET_DISBURSED_AMOUNT', rupees(stated!.netDisbursed)))
  assert.equal(payout.terms!.netDisbursed, stated!.netDisbursed)
  const further = orderFrom('on_select_3', withRow('OTHER_UPFRONT_CHARGES', rupees(fee + 100n)))
  assert.equal(further.terms!.otherUpfront, fee * 2n + 100n)
})

test('FIS12 §7.3: PT15D and PT30D are days', () => {
  const { terms, warnings } = orderFrom('on_select_3', (order) => {
    order.quote.ttl = 'PT15D'
    withInfo('COOL_OFF_PERIOD', 'PT30D')(order)
  })
  assert.equal(terms!.quoteTtl, 'P15D')
  assert.equal(terms!.coolOffPeriod, 'P30D')
  assert.doesNotMatch(warnings.join(), /COOL_OFF_PERIOD/)
  const inHours = orderFrom('on_select_3', withInfo('COOL_OFF_PERIOD', 'PT72H'))
  assert.equal(inHours.terms!.coolOffPeriod, 'PT72H')
})

test('FIS12 §7.3: values are read in both dialects’ spellings', () => {
  const read = (code: string, value: string) => orderFrom('on_select_3', withInfo(code, value)).terms!
  assert.equal(read('TERM', 'P1Y').termMonths, 12)
  assert.equal(read('INTEREST_RATE', '14 %').interestRate, '14%')
  assert.equal(read('INSTALLMENT_AMOUNT', '17957.42 INR').installmentAmount, 1_795_742n)
  const withOtherCode = orderFrom('on_select_3', (order) => {
    withInfo('NUMBER_OF_INSTALLMENTS_OF_REPAYMENT')(order)
    withInfo('NUMBER_OF_INSTALLMENTS', '12')(order)
  })
  assert.equal(withOtherCode.terms?.installmentsCount, 12)
  const withNumber = orderFrom('on_select_3', (order) => {
    order.quote.breakup[0].price.value = 200000
  })
  assert.equal(withNumber.terms?.principal, 20_000_000n)
})

const priceOf = (row: number, change: { value?: string; currency?: string }) => (order: Json) =>
  Object.assign(order.quote.breakup[row].price, change)

/** What no lender can offer. Ranked by its rate, most of it would be the cheapest offer. */
const oddOffers: [(order: Json) => unknown, string][] = [
  [priceOf(0, { currency: 'USD' }), 'message.order.quote.breakup.0.price.currency'],
  [(order) => (order.quote.price.currency = 'USD'), 'message.order.quote.price.currency'],
  [(order) => (order.items[0].price.currency = 'USD'), 'message.order.items.0.price.currency'],
  [priceOf(0, { value: '-400000.00' }), 'message.order.quote.breakup.0.price.value'],
  [priceOf(0, { value: '0.00' }), 'message.order.quote.breakup.0.price.value'],
  [priceOf(0, { value: '20000000000.00' }), 'message.order.quote.breakup.0.price.value'],
  [priceOf(1, { value: '-1.00' }), 'message.order.quote.breakup.1.price.value'],
  [priceOf(6, { value: '0.00' }), 'message.order.quote.breakup.6.price.value'],
  [priceOf(6, { value: '200000.01' }), 'message.order.quote.breakup.6.price.value'],
  [withInfo('INSTALLMENT_AMOUNT', '0.01'), 'message.order.items.0.tags.LOAN_INFO.INSTALLMENT_AMOUNT'],
  [withInfo('ANNUAL_PERCENTAGE_RATE', '0 %'), 'message.order.items.0.tags.LOAN_INFO.ANNUAL_PERCENTAGE_RATE'],
  [withInfo('ANNUAL_PERCENTAGE_RATE', '-3 %'), 'message.order.items.0.tags.LOAN_INFO.ANNUAL_PERCENTAGE_RATE'],
  [withInfo('ANNUAL_PERCENTAGE_RATE', '1001'), 'message.order.items.0.tags.LOAN_INFO.ANNUAL_PERCENTAGE_RATE'],
  [withInfo('INTEREST_RATE', '-14%'), 'message.order.items.0.tags.LOAN_INFO.INTEREST_RATE'],
  [withInfo('TERM', '0 months'), 'message.order.items.0.tags.LOAN_INFO.TERM'],
  [withInfo('TERM', '601 months'), 'message.order.items.0.tags.LOAN_INFO.TERM'],
  [withInfo('INSTALLMENT_AMOUNT', '-17957.42'), 'message.order.items.0.tags.LOAN_INFO.INSTALLMENT_AMOUNT'],
  [
    withInfo('NUMBER_OF_INSTALLMENTS_OF_REPAYMENT', '9999'),
    'message.order.items.0.tags.LOAN_INFO.NUMBER_OF_INSTALLMENTS_OF_REPAYMENT',
  ],
  [(order) => (order.quote.ttl = 'P50Y'), 'message.order.quote.ttl'],
  [(order) => (order.quote.ttl = 'PT0S'), 'message.order.quote.ttl'],
]

test('FIS12 §7.4: an amount, rate, term or currency that is none of an offer is found at its path', () => {
  assert.deepEqual(orderFrom('on_select_3').offerFaults, [])
  for (const [change, field] of oddOffers) assert.equal(orderFrom('on_select_3', change).offerFaults[0]?.path, field)
})

test('FIS12 §7.4: an invalid amount is rejected at its path', () => {
  const cases: [(order: Json) => unknown, string][] = [
    [(order) => (order.quote.breakup[1].price.value = 'n/a'), 'message.order.quote.breakup.1.price.value'],
    [(order) => (order.quote.price.value = ''), 'message.order.quote.price.value'],
    [(order) => order.quote.breakup.shift(), 'message.order.quote.breakup'],
    [(order) => delete order.quote.id, 'message.order.quote.id'],
    [withInfo('INSTALLMENT_AMOUNT', 'about 18000'), 'message.order.items.0.tags.LOAN_INFO.INSTALLMENT_AMOUNT'],
    [withInfo('ANNUAL_PERCENTAGE_RATE'), 'message.order.items.0.tags.LOAN_INFO.ANNUAL_PERCENTAGE_RATE'],
    [withInfo('TERM', 'P30D'), 'message.order.items.0.tags.LOAN_INFO.TERM'],
  ]
  for (const [change, field] of cases)
    assert.throws(
      () => orderFrom('on_select_3', change),
      (error) => error instanceof Refusal && error.kind === 'invalid' && error.details.field === field,
      field,
    )
  assert.throws(
    () => orderFrom('on_confirm', (order) => (order.payments[3].params.amount = 'later')),
    (error) => error instanceof Refusal && error.details.field === 'message.order.payments.3.params.amount',
  )
  assert.throws(
    () => orderFrom('on_confirm', (order) => (order.payments[3].params.currency = 'USD')),
    (error) => error instanceof Refusal && error.details.field === 'message.order.payments.3.params.currency',
  )
})

test('FIS12 §7.4: a quote after disbursal yields no terms', () => {
  const { terms, state, installments } = orderFrom('on_update_foreclosure_paid')
  assert.equal(terms, null)
  assert.equal(state, 'COMPLETED')
  assert.deepEqual(
    installments.slice(0, 3).map(({ status }) => status),
    ['PAID', 'DEFERRED', 'DEFERRED'],
  )
})

test('FIS12 §7.6, §7.7: an unknown state or status is only a warning', () => {
  const order = orderFrom('on_status_esign', (draft) => {
    draft.fulfillments[0].state.descriptor.code = 'CELEBRATED'
    draft.items[0].xinput.form_response.status = 'DONE'
    draft.status = 'Waiting'
  })
  assert.equal(order.state, null)
  assert.equal(order.formResponse?.outcome, 'waiting')
  assert.deepEqual(order.warnings, [
    'unknown form status DONE',
    'unknown order status WAITING',
    'unknown fulfilment state CELEBRATED',
  ])
})

test('FIS12 §12.1: a shortened order is accepted', () => {
  const { lender, state, orderId } = readOrder({
    order: {
      id: 'o',
      provider: { id: 'p' },
      items: [{ id: 'i' }],
      fulfillments: [{ state: { descriptor: { code: 'DISBURSED' } } }],
    },
  })
  assert.equal(lender, null)
  assert.equal(state, 'DISBURSED')
  assert.equal(orderId, 'o')
})

test('FIS12 §14: only known products of a catalogue are read', () => {
  const { message } = stepNamed('on_search')
  const [provider] = message.catalog.providers
  provider.categories.push({ id: ' G1', parent_category_id: 'C1', descriptor: { code: 'GOLD_LOAN' } })
  provider.items.push({ ...provider.items[0], id: 'gold', descriptor: { code: 'LOAN' }, category_ids: ['G1'] })
  provider.categories.push({ id: 'K1', parent_category_id: 'C1', descriptor: { code: 'CREDIT_CARD' } })
  provider.items.push({ ...provider.items[0], id: 'card', descriptor: { code: 'CREDIT_CARD' }, category_ids: ['K1'] })
  provider.items.push({ ...provider.items[0], id: 'bare', category_ids: undefined, xinput: undefined })
  const read = readOnSearch(message)
  const found = read.map(({ itemId, product, assessment, form }) => ({
    itemId,
    product,
    assessment,
    formId: form?.id ?? null,
  }))
  assert.deepEqual(found, [
    { itemId: 'pl-bureau', product: 'PERSONAL_LOAN', assessment: 'bureau', formId: 'form-PROFILE' },
    {
      itemId: 'pl-account-aggregator',
      product: 'PERSONAL_LOAN',
      assessment: 'account-aggregator',
      formId: 'form-PROFILE',
    },
    { itemId: 'gold', product: 'GOLD_LOAN', assessment: null, formId: 'form-PROFILE' },
    { itemId: 'bare', product: 'PERSONAL_LOAN', assessment: null, formId: null },
  ])
})

test('FIS12 §3.1: a malformed body is rejected by path', () => {
  const pathsOf = (step: string, change: (body: Json) => unknown) => {
    const { action, context, message } = stepNamed(step)
    const body = { context, message }
    change(body)
    return bodyFaults(action, body).map(({ path }) => path)
  }
  assert.deepEqual(
    pathsOf('on_confirm', ({ message }) => delete message.order.id),
    ['message.order.id'],
  )
  assert.deepEqual(
    pathsOf('select_2', ({ message }) => (message.order.items = [])),
    ['message.order.items'],
  )
  assert.deepEqual(
    pathsOf('on_select_2', ({ message }) => (message.order.items[0].xinput.form.url = 'javascript:1')),
    ['message.order.items.0.xinput.form.url'],
  )
  assert.deepEqual(
    pathsOf('on_select_2', ({ context }) => (context.action = 'on_init')),
    ['context.action'],
  )
  assert.deepEqual(
    pathsOf('on_select_2', (body) => delete body.message),
    ['message'],
  )
  assert.deepEqual(
    pathsOf('status', ({ message }) => delete message.ref_id),
    ['message'],
  )
  assert.deepEqual(bodyFaults('search', [1]), [{ path: '', message: 'must be an object' }])
})

test('FIS12 §3.2: only a callback may have an error instead of a message', () => {
  const { context } = stepNamed('on_select_2')
  assert.deepEqual(bodyFaults('on_select', { context, error: { code: '80226' } }), [])
  assert.deepEqual(
    bodyFaults('on_select', { context, error: {} }).map(({ path }) => path),
    ['error.code'],
  )
  const request = stepNamed('select_2').context
  assert.deepEqual(
    bodyFaults('select', { context: request, error: { code: '80226' } }).map(({ path }) => path),
    ['message'],
  )
})

test('FIS12 §7.7: a step is known by its name when a heading is missing, because the index may point at the next one', () => {
  const message = stepNamed('on_init_2').message
  const { head } = message.order.items[0].xinput
  assert.equal(readOrder(message).form!.heading, 'EMANDATE')
  head.headings.splice(head.index.cur, 1)
  assert.equal(readOrder(message).form!.heading, 'EMANDATE')
})

test('FIS12 §19.1: a heading in prose is recognised, and a second form about the borrower is found by name', () => {
  const message = stepNamed('on_select_3').message
  const { xinput } = message.order.items[0]
  xinput.head.headings = ['Set Loan Amount', 'Know your Customer']
  const order = readOrder(message)
  assert.deepEqual(order.form!.headings, ['SET_LOAN_AMOUNT', 'KYC'])
  assert.equal(order.form!.heading, 'KYC')
  xinput.head.index.cur = 0
  xinput.head.descriptor.name = 'Customer Information'
  assert.equal(readOrder(message).form!.heading, 'CUSTOMER_INFORMATION')
  assert.deepEqual(readOrder(message).warnings, [])
})
