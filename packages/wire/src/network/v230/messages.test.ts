// Round trips of an order: built messages equal the fixtures and are read back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { decimalText } from '@lendloom/lending/money'
import type { Scheme } from '@lendloom/lending/pledge'
import { netDisbursedOf } from '@lendloom/lending/terms'
import { type Json, lamf, stepNamed } from '@lendloom/tests/network-messages/lamf'
import {
  buyerTerms,
  items,
  lender,
  lenderTerms,
  lineTerms,
  pledges,
  schemes,
  terms,
} from '@lendloom/tests/network-messages/lamf-values'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { isCallback } from '#wire/network/sequence.ts'
import type { Terms } from './offer-terms.ts'
import { appliedSteps, checklistAt, stepsOf } from './on-search.ts'
import type { SettlementAccount } from './payments.ts'
import { readOrder } from './read-order.ts'
import {
  type BuyerDraft,
  confirm,
  init,
  onConfirm,
  onInit,
  onSelect,
  readBuyerOrder,
  select,
} from './select-to-confirm.ts'
import { onStatus, onUpdate, readStatus, readUpdate, status, update } from './update-and-status.ts'
import type { LoanItem } from './write-order.ts'
import type { Heading } from './xinput.ts'

const throughJson = <Message>(message: Message): Message => JSON.parse(JSON.stringify(message))

/** The selected offer, as in every later message. */
const selectedItem = (variant: keyof typeof items, id: string): LoanItem => {
  const { id: parentId, recommended: _, ...item } = items[variant]
  return { ...item, id, parentId }
}

const account: SettlementAccount = {
  accountNumber: '6020008811',
  ifsc: 'BARB0JUNAGA',
  type: 'savings',
  holderName: 'Kavita Joshi',
  bankName: null,
}
const disbursalDraft = { paymentId: 'disbursal-1', account }
const disbursal = { ...disbursalDraft, paid: null }
const drawnDisbursal = { ...disbursalDraft, paid: { amount: 6_000_000n, transactionId: 'UTR2026112100063' } }
const paidDisbursal = { ...disbursalDraft, paid: { amount: terms.netDisbursed, transactionId: 'UTR2026112000051' } }
const customer = { name: 'Kavita Joshi', phone: '+91-9800000077', email: 'kavita@mail.example' }
const cancellationTerms = {
  fees: [
    { state: 'SANCTIONED', percentage: '0%' },
    { state: 'DISBURSED', percentage: '2%' },
  ],
  link: 'https://girnar.example/cancel-terms',
}
const { installments, documents } = readOrder(stepNamed('on_confirm').message)
const createdAt = new Date('2026-11-20T09:01:30.000Z')

const mfc = { lender, item: selectedItem('mfc', 'offer-5'), terms, schemes }
const offline = { lender, item: selectedItem('offline', 'offer-7'), terms: lineTerms, schemes }
const line = { lender, item: selectedItem('aa', 'offer-6'), terms: lineTerms, schemes }
const checklistAfter = (kind: { item: LoanItem }, steps: number) =>
  checklistAt(kind.item, [...appliedSteps(kind.item), ...stepsOf(kind.item).slice(0, steps)])
const stage = { customer, disbursal, cancellationTerms, contractTerms: lenderTerms }
const paths: Partial<Record<Heading, string>> = {
  KYC: 'kyc',
  LIEN_MARKING: 'lien',
  EMANDATE: 'mandate',
  LOAN_AGREEMENT: 'agreement',
  JOURNEY_OFFLINE: 'page',
}
const page = (kind: { item: LoanItem }, heading: Heading) => ({
  id: `form-${heading}`,
  url: `https://girnar.example/forms/${paths[heading]}?t=5`,
  heading,
  headings: stepsOf(kind.item),
})
const submissionOf = (heading: Heading) => {
  const { form, form_response } = stepNamed(
    heading === 'JOURNEY_OFFLINE' ? 'offline_on_status_page' : `on_status_${paths[heading]}`,
  ).message.order.items[0].xinput
  return { formId: form.id, submissionId: form_response.submission_id }
}
const buyerDraft = (kind: { item: LoanItem }): BuyerDraft => ({
  providerId: 'girnar',
  itemId: kind.item.id,
  parentItemId: kind.item.parentId,
  fulfillmentId: kind.item.fulfillmentId,
  pledges,
})
const content = { disbursal: disbursalDraft, terms: buyerTerms }
const confirmed = {
  ...mfc,
  ...stage,
  checklist: checklistAfter(mfc, 4),
  orderId: 'order-5',
  documents,
  createdAt,
  installments,
}

/** The init rounds of a journey: the lender sends each page and reports it as done; the next init answers it. */
function rounds(kind: typeof mfc, prefix = ''): Record<string, unknown> {
  const steps = stepsOf(kind.item)
  const answer = (heading: Heading | undefined) => heading && { heading, ...submissionOf(heading) }
  const built = steps.map((heading, i) => [
    [`${prefix}init_${i + 1}`, init({ ...buyerDraft(kind), ...content, answer: answer(steps[i - 1]) })],
    [
      `${prefix}on_init_${i + 1}`,
      onInit({ ...kind, ...stage, checklist: checklistAfter(kind, i), page: page(kind, heading) }),
    ],
    [
      `${prefix}on_status_${paths[heading]}`,
      onStatus({
        ...kind,
        ...stage,
        checklist: checklistAfter(kind, i + 1),
        state: 'INITIATED',
        result: { ...submissionOf(heading), status: 'SUCCESS' },
      }),
    ],
  ])
  const last = init({ ...buyerDraft(kind), ...content, answer: answer(steps.at(-1)) })
  return { ...Object.fromEntries(built.flat()), [`${prefix}init_${steps.length + 1}`]: last }
}

test('FIS12 §10.3: built orders equal the fixtures', () => {
  const paidOut = { ...confirmed, disbursal: paidDisbursal, state: 'DISBURSED', orderStatus: 'ACTIVE' } as const
  const { orderId: _, ...offlineOrder } = {
    ...confirmed,
    ...offline,
    checklist: checklistAfter(offline, 1),
    installments: [],
  }
  const built: Record<string, unknown> = {
    select: select(buyerDraft(mfc)),
    on_select: onSelect({ ...mfc, checklist: checklistAfter(mfc, 0) }),
    ...rounds(mfc),
    on_init_5: onInit({ ...mfc, ...stage, checklist: checklistAfter(mfc, 4), installments }),
    confirm: confirm({ ...buyerDraft(mfc), ...content, lenderTerms }),
    on_confirm: onConfirm(confirmed),
    on_update_disbursed: onUpdate({ ...paidOut, updatedAt: new Date('2026-11-20T09:01:40.000Z') }),
    status: status({ orderId: 'order-5' }),
    on_status: onStatus(paidOut),
    offline_select: select(buyerDraft(offline)),
    offline_on_select: onSelect({ ...offline, checklist: checklistAfter(offline, 0) }),
    ...rounds(offline, 'offline_'),
    offline_on_init_2: onInit({ ...offline, ...stage, checklist: checklistAfter(offline, 1) }),
    offline_confirm: confirm({ ...buyerDraft(offline), ...content, lenderTerms }),
    offline_on_confirm: onConfirm({ ...offlineOrder, orderId: 'order-7' }),
    offline_on_update_drawn: onUpdate({
      ...offlineOrder,
      orderId: 'order-7',
      disbursal: drawnDisbursal,
      utilization: 6_000_000n,
      state: 'DISBURSED',
      orderStatus: 'ACTIVE',
      updatedAt: new Date('2026-11-20T09:01:32.000Z'),
    }),
    aa_select: select(buyerDraft(line)),
    aa_on_select: onSelect({ ...line, checklist: checklistAfter(line, 0) }),
  }
  for (const [step, message] of Object.entries(built)) {
    const { message: expectedMessage } = stepNamed(step)
    assert.deepEqual(throughJson(message), expectedMessage, step)
  }
})

test('FIS12 §10.2: every lender message of the journeys is read without a warning', () => {
  for (const { step, action, message } of lamf().filter((each) => isCallback(each.action)))
    if (action !== 'on_search') assert.deepEqual(readOrder(message).warnings, [], step)
})

test('FIS12 §10.2: an order is read with its pledge, checklist and payout account', () => {
  const order = readOrder(stepNamed('on_update_disbursed').message)
  const { orderId, orderStatus, state, itemId, parentItemId, fulfillmentId, portfolio, product } = order
  assert.equal(orderId, 'order-5')
  assert.equal(orderStatus, 'ACTIVE')
  assert.equal(state, 'DISBURSED')
  assert.equal(itemId, 'offer-5')
  assert.equal(parentItemId, 'lamf-mfc')
  assert.equal(fulfillmentId, 'online-1')
  assert.equal(portfolio, 'mfc')
  assert.equal(product, 'TERM_LOAN')
  assert.equal(order.offline, false)
  assert.deepEqual(order.lender, lender)
  assert.deepEqual(order.terms, terms)
  assert.deepEqual(order.schemes, schemes)
  assert.deepEqual(order.checklist, checklistAfter(mfc, 4))
  assert.deepEqual(order.disbursal, paidDisbursal)
  assert.deepEqual(order.documents, documents)
  assert.deepEqual(order.cancellationTerms, cancellationTerms)
  assert.deepEqual(order.createdAt, createdAt)
  assert.deepEqual(order.updatedAt, new Date('2026-11-20T09:01:40.000Z'))
  assert.equal(order.form, null)
  assert.equal(order.formResponse, null)
  assert.equal(order.consentHandle, null)
  assert.deepEqual(order.servicing, [])
  assert.equal(installments.length, 6)
})

test('FIS12 §17.2, §17.5: a credit line is read with its limit and drawn amount', () => {
  const { terms: read, line: openLine, warnings, product } = readOrder(stepNamed('offline_on_confirm').message)
  assert.deepEqual(read, lineTerms)
  assert.deepEqual(openLine, { limit: 15_000_000n, utilization: 0n })
  assert.deepEqual(warnings, [])
  assert.equal(product, 'CREDIT_LINE')
  const update = readOrder(stepNamed('offline_on_update_drawn').message)
  assert.deepEqual(update.line, { limit: 15_000_000n, utilization: 6_000_000n })
  assert.equal(update.state, 'DISBURSED')
  assert.deepEqual(update.disbursal, drawnDisbursal)
  assert.deepEqual(update.installments, [])
  const row = { title: 'OFFER_VALIDITY', price: { value: 'P15D', currency: 'INR' } }
  const official = orderAfter('offline_on_confirm', ({ quote, payments }) => {
    quote.breakup.push(row)
    quote.breakup[0].title = 'WORKING_CAPITAL_LIMIT'
    payments.push({ type: 'POST_FULFILLMENT', id: 'place', status: 'NOT-PAID', time: { label: 'INSTALLMENT' } })
  })
  assert.deepEqual(official.line, openLine)
  assert.deepEqual(official.warnings, [])
  assert.deepEqual(official.installments, [])
  assert.deepEqual(orderAfter('on_confirm', ({ quote }) => quote.breakup.push(row)).warnings, [])
  assert.throws(() => orderAfter('offline_on_confirm', ({ quote }) => quote.breakup.shift()), Refusal)
})

test('FIS12 §7.7: a page and its result are read with their step and outcome', () => {
  const { form, offline: onOwnPage } = readOrder(stepNamed('offline_on_init_1').message)
  assert.deepEqual(form, {
    ...page(offline, 'JOURNEY_OFFLINE'),
    mimeType: 'application/html',
    index: null,
    resubmit: false,
  })
  assert.equal(onOwnPage, true)
  const { form: lien } = readOrder(stepNamed('on_init_2').message)
  assert.equal(lien?.heading, 'LIEN_MARKING')
  assert.equal(lien?.headings.length, 4)
  const { formResponse, checklist } = readOrder(stepNamed('on_status_lien').message)
  assert.deepEqual(formResponse, { ...submissionOf('LIEN_MARKING'), status: 'SUCCESS', outcome: 'success' })
  assert.equal(checklist.LIEN_MARKING, 'COMPLETED')
  assert.equal(checklist.EMANDATE, 'PENDING')
  const rejected = stepNamed('on_status_kyc').message
  rejected.order.items[0].xinput.form_response.status = 'REJECTED'
  assert.equal(readOrder(rejected).formResponse?.outcome, 'failure')
})

test('FIS12 §10.3: the lender reads the platform’s requests', () => {
  const read = (step: string) => readBuyerOrder(stepNamed(step).message)
  const expectedOrder = {
    providerId: 'girnar',
    itemId: 'offer-5',
    parentItemId: 'lamf-mfc',
    fulfillmentId: 'online-1',
    pledges,
  }
  assert.deepEqual(read('select'), { ...expectedOrder, heading: null, response: null, disbursal: null, warnings: [] })
  const response = { ...submissionOf('KYC'), status: 'SUCCESS', outcome: 'success' }
  assert.deepEqual(read('init_2'), { ...expectedOrder, heading: 'KYC', response, disbursal, warnings: [] })
  assert.deepEqual(read('confirm'), { ...expectedOrder, heading: null, response: null, disbursal, warnings: [] })
  assert.deepEqual(readStatus(stepNamed('status').message), { orderId: 'order-5', refId: null })
  const unreadable = stepNamed('select').message
  unreadable.order.items[0].tags[1].list[1].value = '-3'
  assert.throws(() => readBuyerOrder(unreadable), Refusal)
})

test('FIS12 §10.3, §11.1: the unconfirmed shape after disbursal is written and read', () => {
  const request = { orderId: 'order-5', label: 'FORECLOSURE' } as const
  assert.deepEqual(update(request), stepNamed('update_foreclosure').message)
  assert.deepEqual(readUpdate(update(request)), request)
  const approval = {
    update_target: 'fulfillment',
    order: { id: 'o', fulfillments: [{ state: { descriptor: { code: 'APPROVED' } } }] },
  }
  assert.throws(() => readUpdate(approval), Refusal)
  for (const [step, orderStatus] of [
    ['on_update_foreclosure', 'ACTIVE'],
    ['on_update_foreclosure_paid', 'COMPLETED'],
  ] as const) {
    const { message } = stepNamed(step)
    const { servicing, installments: schedule, updatedAt } = readOrder(message)
    const draft = { ...confirmed, disbursal: paidDisbursal, installments: schedule, servicing, orderStatus }
    assert.deepEqual(throughJson(onUpdate({ ...draft, state: 'DISBURSED', updatedAt: updatedAt! })), message, step)
  }
})

function orderAfter(step: string, change: (order: Json) => unknown) {
  const { message } = stepNamed(step)
  change(message.order)
  return readOrder(message)
}

test('FIS12 §7.4, §7.6, §14: each deviation is accepted with a warning', () => {
  const cases: [step: string, change: (order: Json) => unknown, warning: RegExp][] = [
    ['on_select', (order) => (order.quote.price.value = '1.00'), /the quote says 1\.00/],
    ['on_select', (order) => (order.items[0].price.value = '1.00'), /the item's price is 1\.00/],
    [
      'on_init_1',
      (order) => (order.items[0].xinput.head.descriptor = { name: 'Selfie' }),
      /unknown form heading SELFIE/,
    ],
    ['on_confirm', (order) => (order.status = 'HAPPY'), /unknown order status HAPPY/],
    ['on_confirm', (order) => (order.fulfillments[0].state.descriptor.code = 'GLAD'), /unknown fulfilment state GLAD/],
    ['on_status_kyc', (order) => (order.items[0].xinput.form_response.status = 'DONE'), /unknown form status DONE/],
    ['on_select', (order) => order.items.push({ id: 'second' }), /the order has 2 items/],
  ]
  for (const [step, change, expected] of cases) assert.match(orderAfter(step, change).warnings.join('\n'), expected)
})

test('FIS12 §14: the official misspelling is written, and the English spelling is read too', () => {
  const [payment] = stepNamed('init_1').message.order.payments
  assert.equal(payment.time.label, 'LOAN_DISBURSMENT')
  const english = orderAfter('on_confirm', ({ payments }) => (payments[0].time.label = 'LOAN_DISBURSEMENT'))
  assert.deepEqual(english.disbursal, disbursal)
  assert.equal(stepNamed('on_init_1').message.order.items[0].xinput.form.multiple_sumbissions, false)
})

const paise = fc.bigInt(0n, 10n ** 11n)
const percentage = fc.integer({ min: 1, max: 9999 }).map((hundredths) => `${hundredths / 100}%`)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const code = fc.stringMatching(/^[A-Z0-9-]{1,12}$/)

const someTerms: fc.Arbitrary<Terms> = fc
  .record({
    principal: paise.map((amount) => amount + 4n * 10n ** 11n),
    interest: paise,
    processingFee: paise,
    otherUpfront: paise,
    insurance: paise,
    otherCharges: paise,
    interestRate: percentage,
    apr: percentage,
    termMonths: fc.integer({ min: 1, max: 120 }),
    installmentsCount: fc.integer({ min: 1, max: 120 }),
    installmentAmount: paise.map((amount) => amount + 1n),
    marginCall: maybe(fc.constantFrom('10 %', '10%')),
    annualisedPenalCharges: maybe(fc.constant('24 %')),
    foreclosureFee: maybe(fc.constant('2 %')),
  })
  .map((original) => ({
    ...terms,
    ...original,
    term: `${original.termMonths} months`,
    netDisbursed: netDisbursedOf(original),
  }))

const someScheme: fc.Arbitrary<Scheme> = fc
  .record({
    rta: maybe(fc.constantFrom('CAMS', 'KFIN')),
    amcCode: maybe(code),
    schemeCode: code,
    folioId: maybe(code),
    unitsRequired: fc.integer({ min: 1, max: 10 ** 9 }).map((thousandths) => decimalText(BigInt(thousandths), 3, 3)),
    ltv: maybe(percentage),
  })
  .map((original) => ({ ...original }))

test('FIS12 §7.1, §7.3, §7.4: terms and schemes are read back unchanged', () => {
  fc.assert(
    fc.property(someTerms, fc.array(someScheme, { maxLength: 5 }), (original, originalSchemes) => {
      const message = throughJson(
        onSelect({ ...mfc, terms: original, schemes: originalSchemes, checklist: checklistAfter(mfc, 0) }),
      )
      const read = readOrder(message)
      assert.deepEqual(read.terms, original)
      assert.deepEqual(read.schemes, originalSchemes)
      assert.deepEqual(read.warnings, [])
    }),
    { numRuns: roundsOf(100) },
  )
})
