// Round trips of an order: built messages equal the oracle's and are read back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isCallback } from '#contract/network/sequence.ts'
import { netDisbursedOf } from '#contract/network/v203/terms.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { decimalText } from '#kit/money/money.ts'
import { type Json, lamf, stepNamed } from '#test/network-messages/lamf.ts'
import {
  buyerTerms,
  items,
  lender,
  lenderTerms,
  lineTerms,
  pledges,
  schemes,
  terms,
} from '#test/network-messages/lamf-values.ts'
import { type BuyerDraft, confirm, init, onConfirm, onInit, onSelect, readBuyerOrder, select } from './buyer-order.ts'
import { appliedSteps, checklistAt, stepsOf } from './on-search.ts'
import type { LoanItem, SettlementAccount } from './order.ts'
import type { Heading } from './page.ts'
import type { Scheme } from './pledge.ts'
import { readOrder } from './read-order.ts'
import type { Terms } from './terms.ts'
import { onStatus, onUpdate, readStatus, readUpdate, status, update } from './update.ts'

const wire = <Message>(message: Message): Message => JSON.parse(JSON.stringify(message))

/** The offer that was selected, as every later message states it. */
const selected = (variant: keyof typeof items, id: string): LoanItem => {
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
const placed = { paymentId: 'disbursal-1', account }
const disbursal = { ...placed, paid: null }
const drawn = { ...placed, paid: { amount: 6_000_000n, transactionId: 'UTR2026112100063' } }
const disbursed = { ...placed, paid: { amount: terms.netDisbursed, transactionId: 'UTR2026112000051' } }
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

const mfc = { lender, item: selected('mfc', 'offer-5'), terms, schemes }
const offline = { lender, item: selected('offline', 'offer-7'), terms: lineTerms, schemes }
const line = { lender, item: selected('aa', 'offer-6'), terms: lineTerms, schemes }
const done = (kind: { item: LoanItem }, steps: number) =>
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
const answered = (heading: Heading) => {
  const { form, form_response } = stepNamed(
    heading === 'JOURNEY_OFFLINE' ? 'offline_on_status_page' : `on_status_${paths[heading]}`,
  ).message.order.items[0].xinput
  return { formId: form.id, submissionId: form_response.submission_id }
}
const requested = (kind: { item: LoanItem }): BuyerDraft => ({
  providerId: 'girnar',
  itemId: kind.item.id,
  parentItemId: kind.item.parentId,
  fulfillmentId: kind.item.fulfillmentId,
  pledges,
})
const content = { disbursal: placed, terms: buyerTerms }
const confirmed = { ...mfc, ...stage, checklist: done(mfc, 4), orderId: 'order-5', documents, createdAt, installments }

/** The init rounds of a journey: its n-th page is offered, reported as done, and answered in the next init. */
function rounds(kind: typeof mfc, prefix = ''): Record<string, unknown> {
  const steps = stepsOf(kind.item)
  const answer = (heading: Heading | undefined) => heading && { heading, ...answered(heading) }
  const written = steps.map((heading, i) => [
    [`${prefix}init_${i + 1}`, init({ ...requested(kind), ...content, answer: answer(steps[i - 1]) })],
    [`${prefix}on_init_${i + 1}`, onInit({ ...kind, ...stage, checklist: done(kind, i), page: page(kind, heading) })],
    [
      `${prefix}on_status_${paths[heading]}`,
      onStatus({
        ...kind,
        ...stage,
        checklist: done(kind, i + 1),
        state: 'INITIATED',
        result: { ...answered(heading), status: 'SUCCESS' },
      }),
    ],
  ])
  const last = init({ ...requested(kind), ...content, answer: answer(steps.at(-1)) })
  return { ...Object.fromEntries(written.flat()), [`${prefix}init_${steps.length + 1}`]: last }
}

test('FIS12 §10.3: built orders equal the oracle’s', () => {
  const paidOut = { ...confirmed, disbursal: disbursed, state: 'DISBURSED', orderStatus: 'ACTIVE' } as const
  const { orderId: _, ...offlineOrder } = { ...confirmed, ...offline, checklist: done(offline, 1), installments: [] }
  const written: Record<string, unknown> = {
    select: select(requested(mfc)),
    on_select: onSelect({ ...mfc, checklist: done(mfc, 0) }),
    ...rounds(mfc),
    on_init_5: onInit({ ...mfc, ...stage, checklist: done(mfc, 4), installments }),
    confirm: confirm({ ...requested(mfc), ...content, lenderTerms }),
    on_confirm: onConfirm(confirmed),
    on_update_disbursed: onUpdate({ ...paidOut, updatedAt: new Date('2026-11-20T09:01:40.000Z') }),
    status: status({ orderId: 'order-5' }),
    on_status: onStatus(paidOut),
    offline_select: select(requested(offline)),
    offline_on_select: onSelect({ ...offline, checklist: done(offline, 0) }),
    ...rounds(offline, 'offline_'),
    offline_on_init_2: onInit({ ...offline, ...stage, checklist: done(offline, 1) }),
    offline_confirm: confirm({ ...requested(offline), ...content, lenderTerms }),
    offline_on_confirm: onConfirm({ ...offlineOrder, orderId: 'order-7' }),
    offline_on_update_drawn: onUpdate({
      ...offlineOrder,
      orderId: 'order-7',
      disbursal: drawn,
      utilization: 6_000_000n,
      state: 'DISBURSED',
      orderStatus: 'ACTIVE',
      updatedAt: new Date('2026-11-20T09:01:32.000Z'),
    }),
    aa_select: select(requested(line)),
    aa_on_select: onSelect({ ...line, checklist: done(line, 0) }),
  }
  for (const [step, message] of Object.entries(written)) {
    const { message: oracle } = stepNamed(step)
    assert.deepEqual(wire(message), oracle, step)
  }
})

test('FIS12 §10.2: every lender message of every journey is read without a warning', () => {
  for (const { step, action, message } of lamf().filter((each) => isCallback(each.action)))
    if (action !== 'on_search') assert.deepEqual(readOrder(message).warnings, [], step)
})

test('FIS12 §10.2: an order is read with its pledge, checklist and payout account', () => {
  const order = readOrder(stepNamed('on_update_disbursed').message)
  const { orderId, orderStatus, state, itemId, parentItemId, fulfillmentId, portfolio, product } = order
  assert.deepEqual([orderId, orderStatus, state], ['order-5', 'ACTIVE', 'DISBURSED'])
  assert.deepEqual([itemId, parentItemId, fulfillmentId], ['offer-5', 'lamf-mfc', 'online-1'])
  assert.deepEqual([portfolio, product, order.offline], ['mfc', 'TERM_LOAN', false])
  assert.deepEqual([order.lender, order.terms, order.schemes], [lender, terms, schemes])
  assert.deepEqual([order.checklist, order.disbursal], [done(mfc, 4), disbursed])
  assert.deepEqual([order.documents, order.cancellationTerms], [documents, cancellationTerms])
  assert.deepEqual([order.createdAt, order.updatedAt], [createdAt, new Date('2026-11-20T09:01:40.000Z')])
  assert.deepEqual([order.form, order.formResponse, order.consentHandle, order.servicing], [null, null, null, []])
  assert.equal(installments.length, 6)
})

test('FIS12 §17.2, §17.5: a credit line is read with its limit and drawn amount; its price is not the sum of its quote', () => {
  const { terms: read, line: open, warnings, product } = readOrder(stepNamed('offline_on_confirm').message)
  assert.deepEqual(
    [read, open, warnings, product],
    [lineTerms, { limit: 15_000_000n, utilization: 0n }, [], 'CREDIT_LINE'],
  )
  const update = readOrder(stepNamed('offline_on_update_drawn').message)
  assert.deepEqual([update.line, update.state], [{ limit: 15_000_000n, utilization: 6_000_000n }, 'DISBURSED'])
  assert.deepEqual([update.disbursal, update.installments], [drawn, []])
  const row = { title: 'OFFER_VALIDITY', price: { value: 'P15D', currency: 'INR' } }
  const official = changed('offline_on_confirm', ({ quote, payments }) => {
    quote.breakup.push(row)
    quote.breakup[0].title = 'WORKING_CAPITAL_LIMIT'
    payments.push({ type: 'POST_FULFILLMENT', id: 'place', status: 'NOT-PAID', time: { label: 'INSTALLMENT' } })
  })
  assert.deepEqual([official.line, official.warnings, official.installments], [open, [], []])
  assert.deepEqual(changed('on_confirm', ({ quote }) => quote.breakup.push(row)).warnings, [])
  assert.throws(() => changed('offline_on_confirm', ({ quote }) => quote.breakup.shift()), Refusal)
})

test('FIS12 §7.7: a page and its result are read with their step and outcome', () => {
  const { form, offline: onOwnPage } = readOrder(stepNamed('offline_on_init_1').message)
  assert.deepEqual(
    [form, onOwnPage],
    [{ ...page(offline, 'JOURNEY_OFFLINE'), mimeType: 'application/html', index: null, resubmit: false }, true],
  )
  const { form: lien } = readOrder(stepNamed('on_init_2').message)
  assert.deepEqual([lien?.heading, lien?.headings.length], ['LIEN_MARKING', 4])
  const { formResponse, checklist } = readOrder(stepNamed('on_status_lien').message)
  assert.deepEqual(formResponse, { ...answered('LIEN_MARKING'), status: 'SUCCESS', outcome: 'success' })
  assert.deepEqual([checklist.LIEN_MARKING, checklist.EMANDATE], ['COMPLETED', 'PENDING'])
  const rejected = stepNamed('on_status_kyc').message
  rejected.order.items[0].xinput.form_response.status = 'REJECTED'
  assert.equal(readOrder(rejected).formResponse?.outcome, 'failure')
})

test('FIS12 §10.3: the lender reads the platform’s requests', () => {
  const read = (step: string) => readBuyerOrder(stepNamed(step).message)
  const plain = {
    providerId: 'girnar',
    itemId: 'offer-5',
    parentItemId: 'lamf-mfc',
    fulfillmentId: 'online-1',
    pledges,
  }
  assert.deepEqual(read('select'), { ...plain, heading: null, response: null, disbursal: null, warnings: [] })
  const response = { ...answered('KYC'), status: 'SUCCESS', outcome: 'success' }
  assert.deepEqual(read('init_2'), { ...plain, heading: 'KYC', response, disbursal, warnings: [] })
  assert.deepEqual(read('confirm'), { ...plain, heading: null, response: null, disbursal, warnings: [] })
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
    const draft = { ...confirmed, disbursal: disbursed, installments: schedule, servicing, orderStatus }
    assert.deepEqual(wire(onUpdate({ ...draft, state: 'DISBURSED', updatedAt: updatedAt! })), message, step)
  }
})

/** What is read of a step after a change of its order. */
function changed(step: string, change: (order: Json) => unknown) {
  const { message } = stepNamed(step)
  change(message.order)
  return readOrder(message)
}

test('FIS12 §7.4, §7.6, §14: deviations are accepted, each with a warning', () => {
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
  for (const [step, change, expected] of cases) assert.match(changed(step, change).warnings.join('\n'), expected)
})

test('FIS12 §14: the official misspelling is written, and the English spelling is read too', () => {
  const [payment] = stepNamed('init_1').message.order.payments
  assert.equal(payment.time.label, 'LOAN_DISBURSMENT')
  const english = changed('on_confirm', ({ payments }) => (payments[0].time.label = 'LOAN_DISBURSEMENT'))
  assert.deepEqual(english.disbursal, disbursal)
  assert.equal(stepNamed('on_init_1').message.order.items[0].xinput.form.multiple_sumbissions, false)
})

const paise = fc.bigInt(0n, 10n ** 11n)
const percentage = fc.integer({ min: 1, max: 9999 }).map((hundredths) => `${hundredths / 100}%`)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const code = fc.stringMatching(/^[A-Z0-9-]{1,12}$/)

const someTerms: fc.Arbitrary<Terms> = fc
  .record({
    principal: paise,
    interest: paise,
    processingFee: paise,
    otherUpfront: paise,
    insurance: paise,
    otherCharges: paise,
    interestRate: percentage,
    apr: percentage,
    termMonths: fc.integer({ min: 1, max: 120 }),
    installmentsCount: fc.integer({ min: 1, max: 120 }),
    installmentAmount: paise,
    marginCall: maybe(fc.constantFrom('10 %', '10%')),
    annualisedPenalCharges: maybe(fc.constant('24 %')),
    foreclosureFee: maybe(fc.constant('2 %')),
  })
  .map((any) => ({ ...terms, ...any, term: `${any.termMonths} months`, netDisbursed: netDisbursedOf(any) }))

const someScheme: fc.Arbitrary<Scheme> = fc
  .record({
    rta: maybe(fc.constantFrom('CAMS', 'KFIN')),
    amcCode: maybe(code),
    schemeCode: code,
    folioId: maybe(code),
    unitsRequired: fc.integer({ min: 1, max: 10 ** 9 }).map((thousandths) => decimalText(BigInt(thousandths), 3, 3)),
    ltv: maybe(percentage),
  })
  .map((any) => ({ ...any }))

test('FIS12 §7.1, §7.3, §7.4: any terms and schemes are read back unchanged', () => {
  fc.assert(
    fc.property(someTerms, fc.array(someScheme, { maxLength: 5 }), (any, some) => {
      const message = wire(onSelect({ ...mfc, terms: any, schemes: some, checklist: done(mfc, 0) }))
      const read = readOrder(message)
      assert.deepEqual([read.terms, read.schemes, read.warnings], [any, some, []])
    }),
    { numRuns: 100 },
  )
})
