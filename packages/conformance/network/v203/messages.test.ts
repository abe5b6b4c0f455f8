// Round trips: built messages pass the rules, equal the fixtures, and are read back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import type { Lender } from '@lendloom/lending/lender'
import { netDisbursedOf, type Terms, totalOf } from '@lendloom/lending/terms'
import { stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import type { Action } from '@lendloom/wire/network/sequence'
import type { Installment } from '@lendloom/wire/network/v203/payments'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { onSearch, readOnSearch, readSearch, search } from '@lendloom/wire/network/v203/search'
import {
  confirm,
  init,
  initHeadings,
  onConfirm,
  onInit,
  onSelect,
  readBuyerOrder,
  select,
} from '@lendloom/wire/network/v203/select-to-confirm'
import type { BuyerSettlement, LenderSettlement } from '@lendloom/wire/network/v203/settlement'
import { onStatus, onUpdate, readStatus, status } from '@lendloom/wire/network/v203/update-and-status'
import type { NewPage } from '@lendloom/wire/network/v203/xinput'
import fc from 'fast-check'
import { outgoingFaults } from './rules.ts'

/** Requires a message without faults, and returns the message as parsed from JSON. */
function validJson<Message>(action: Action, message: Message): Message {
  assert.deepEqual(outgoingFaults(action, message), [])
  return JSON.parse(JSON.stringify(message))
}

const { lender, terms } = readOrder(stepNamed('on_select_3').message) as { lender: Lender; terms: Terms }
const item = { id: 'pl-account-aggregator', name: 'Personal loan', product: 'PERSONAL_LOAN' } as const
const customer = { name: 'Anil Kamble', phone: '+91-9800000042', email: 'anil@mail.example' }
const sahyadri = 'https://sahyadri.example'
const fee = { type: 'percent-annualized', value: '1' } as const

const page = (heading: NewPage['heading'], headings: NewPage['headings'], id: string, name: string): NewPage => ({
  id,
  url: `${sahyadri}/forms/${name}?t=1`,
  mimeType: heading === 'SET_LOAN_AMOUNT' || heading === 'ACCOUNT_INFORMATION' ? 'text/html' : 'application/html',
  heading,
  headings,
})
const offerHeadings = ['SET_LOAN_AMOUNT', 'KYC'] as const
const kyc = page('KYC', offerHeadings, 'form-KYC', 'kyc')
const bank = page('ACCOUNT_INFORMATION', initHeadings, 'form-BANK', 'bank')
const agreement = page('LOAN_AGREEMENT', initHeadings, 'form-ESIGN', 'esign')

const settlement: LenderSettlement = {
  paymentId: 'settlement-1',
  paid: false,
  netDisbursed: terms.netDisbursed,
  fee,
  settlementAmount: 200_000n,
  terms: {
    window: 'PT60M',
    mandatoryArbitration: true,
    courtJurisdiction: 'Nashik',
    staticTerms: `${sahyadri}/terms`,
    offlineContract: true,
  },
}
const buyer: BuyerSettlement = {
  paymentId: 'settlement-1',
  fee,
  settlementAmount: 200_000n,
  settlementType: 'neft',
  terms: { delayInterest: '5', staticTerms: 'https://buyer.lendloom.example/terms', offlineContract: true },
  account: { ifsc: 'SBIN0000456', accountNumber: '5010004477', vpa: 'lendloom@sbi' },
}
const cancellationTerms = {
  fees: [
    { state: 'SANCTIONED', percentage: '3%' },
    { state: 'DISBURSED', percentage: '5%' },
  ],
  link: `${sahyadri}/cancel-terms`,
}
const { installments } = readOrder(stepNamed('on_init_3').message)
const documents = [
  {
    code: 'LOAN_AGREEMENT',
    name: 'Loan Agreement',
    description: 'signed',
    mimeType: 'application/pdf',
    url: `${sahyadri}/a.pdf`,
  },
]
const instants = { createdAt: new Date('2026-11-20T06:01:00.000Z'), updatedAt: new Date('2026-11-20T06:02:00.000Z') }
const offerParts = { lender, item, terms }
const confirmedOrder = {
  ...offerParts,
  orderId: 'order-7',
  customer,
  settlement,
  installments,
  cancellationTerms,
  documents,
  ...instants,
}

test('FIS12 §8.3: built messages equal the fixtures', () => {
  const submission = (name: string) => {
    const { form, form_response } = stepNamed(name).message.order.items[0].xinput
    return { formId: form.id, submissionId: form_response.submission_id }
  }
  const reference = { providerId: 'sahyadri', itemId: item.id }
  const amountPage = page('SET_LOAN_AMOUNT', offerHeadings, 'form-AMOUNT', 'amount')
  const first = readOrder(stepNamed('on_select_2').message).terms!
  const built: Record<string, unknown> = {
    search: search({ product: 'PERSONAL_LOAN', fee, terms: { ...buyer.terms, delayInterest: '2.5' } }),
    select_2: select({ ...reference, submission: submission('select_2') }),
    on_select_2: onSelect({ ...offerParts, terms: first, page: amountPage }),
    on_select_3: onSelect({ ...offerParts, page: kyc }),
    on_status_kyc: onStatus({ ...offerParts, result: { ...submission('on_status_kyc'), status: 'APPROVED' } }),
    init_1: init({ ...reference, submission: submission('init_1'), settlement: { ...buyer, paymentId: null } }),
    on_init_1: onInit({ ...offerParts, page: bank, customer, settlement, cancellationTerms }),
    init_2: init({ ...reference, submission: submission('init_2'), settlement: buyer }),
    on_init_3: onInit({ ...offerParts, page: agreement, customer, settlement, cancellationTerms, installments }),
    confirm: confirm({ ...reference, submission: submission('confirm'), settlement: buyer }),
    status: status({ refId: stepNamed('status').context.transaction_id }),
  }
  for (const [step, message] of Object.entries(built)) {
    const { action, message: expectedMessage } = stepNamed(step)
    assert.deepEqual(validJson(action, message), expectedMessage, step)
  }
})

test('FIS12 §8.3: on_confirm, on_status and on_update are valid and are read back without loss', () => {
  const sanctioned = readOrder(validJson('on_confirm', onConfirm(confirmedOrder)))
  const disbursed = { ...confirmedOrder, settlement: { ...settlement, paid: true }, state: 'DISBURSED' as const }
  const paid = [
    readOrder(validJson('on_status', onStatus(disbursed))),
    readOrder(validJson('on_update', onUpdate(disbursed))),
  ]
  for (const order of [sanctioned, ...paid]) {
    const { orderId, providerId, itemId, lender: lenderRead, warnings, form, formResponse, consentHandle } = order
    assert.equal(orderId, 'order-7')
    assert.equal(providerId, 'sahyadri')
    assert.equal(itemId, item.id)
    assert.deepEqual(lenderRead, lender)
    assert.equal(form, null)
    assert.equal(formResponse, null)
    assert.equal(consentHandle, null)
    assert.deepEqual(warnings, [])
    assert.deepEqual(order.terms, terms)
    assert.deepEqual(order.installments, installments)
    assert.deepEqual(order.documents, documents)
    assert.deepEqual(order.cancellationTerms, cancellationTerms)
    assert.deepEqual(order.createdAt, instants.createdAt)
    assert.deepEqual(order.updatedAt, instants.updatedAt)
    assert.equal(order.customerName, customer.name)
    assert.equal(order.settlementPaymentId, 'settlement-1')
  }
  assert.equal(sanctioned.state, 'SANCTIONED')
  assert.equal(sanctioned.settlementPaid, false)
  for (const order of paid) {
    assert.equal(order.state, 'DISBURSED')
    assert.equal(order.settlementPaid, true)
  }
})

test('FIS12 §7.7: a page is read back with its step, and a form result with its outcome', () => {
  const orderWithPage = readOrder(validJson('on_select', onSelect({ ...offerParts, page: kyc })))
  assert.deepEqual(orderWithPage.form, {
    ...kyc,
    index: { min: 0, cur: 1, max: 1 },
    headings: [...offerHeadings],
    resubmit: false,
  })
  for (const [formStatus, outcome] of [
    ['APPROVED', 'success'],
    ['COMPLETED', 'success'],
    ['REJECTED', 'failure'],
  ] as const) {
    const result = { formId: 'form-KYC', status: formStatus, submissionId: 's-1' }
    const { formResponse, form } = readOrder(validJson('on_status', onStatus({ ...offerParts, result })))
    assert.deepEqual(formResponse, { ...result, outcome })
    assert.equal(form, null)
  }
})

test('FIS12 §8.3: the lender reads the platform’s requests', () => {
  assert.deepEqual(readSearch(validJson('search', search({ product: 'PERSONAL_LOAN', fee, terms: buyer.terms }))), {
    category: 'PERSONAL_LOAN',
    fee,
  })
  const content = { providerId: 'sahyadri', itemId: item.id, submission: { formId: 'f', submissionId: 's' } }
  const response = { formId: 'f', status: 'SUCCESS', outcome: 'success', submissionId: 's' }
  const read = { providerId: 'sahyadri', itemId: item.id, response, branchId: null, contract: null, warnings: [] }
  assert.deepEqual(readBuyerOrder(validJson('select', select(content))), { ...read, settlement: null })
  for (const [action, write] of [
    ['init', init],
    ['confirm', confirm],
  ] as const) {
    const message = validJson(action, write({ ...content, settlement: buyer }))
    assert.deepEqual(readBuyerOrder(message), {
      ...read,
      settlement: { paymentId: 'settlement-1', fee, settlementAmount: 200_000n },
    })
  }
  assert.deepEqual(readStatus(validJson('status', status({ refId: 't' }))), { orderId: null, refId: 't' })
  assert.deepEqual(readStatus(validJson('status', status({ orderId: 'o' }))), { orderId: 'o', refId: null })
})

test('FIS12 §8.3: a catalogue is valid, and each of its items is read back', () => {
  const ranges = {
    minInterestRate: '11%',
    maxInterestRate: '24%',
    minTenureMonths: 6,
    maxTenureMonths: 60,
    minAmount: 2_500_000n,
    maxAmount: 100_000_050n,
  }
  const profile: NewPage = {
    ...bank,
    id: 'form-PROFILE',
    heading: 'PERSONAL_INFORMATION',
    headings: ['PERSONAL_INFORMATION'],
  }
  const entry = { name: 'Personal loan', recommended: true, ranges, page: profile }
  const items = [
    { ...entry, id: 'pl-bureau', assessment: 'bureau' as const },
    { ...entry, id: 'pl-aa', assessment: 'account-aggregator' as const },
  ]
  const message = validJson(
    'on_search',
    onSearch({ lender, product: 'PERSONAL_LOAN', items, fee, terms: settlement.terms }),
  )
  const read = readOnSearch(message)
  assert.deepEqual(
    read.map(({ itemId, assessment }) => ({ itemId, assessment })),
    [
      { itemId: 'pl-bureau', assessment: 'bureau' },
      { itemId: 'pl-aa', assessment: 'account-aggregator' },
    ],
  )
  for (const found of read) {
    assert.deepEqual(found.lender, lender)
    assert.deepEqual(found.ranges, ranges)
    assert.deepEqual(found.warnings, [])
    assert.equal(found.itemName, 'Personal loan')
    assert.equal(found.matched, true)
    assert.equal(found.recommended, true)
    assert.equal(found.form?.id, 'form-PROFILE')
    assert.equal(found.form?.heading, 'PERSONAL_INFORMATION')
    assert.equal(found.form?.mimeType, 'text/html')
  }
})

const paise = fc.bigInt(0n, 10n ** 11n)
const percentage = fc.integer({ min: 1, max: 9999 }).map((hundredths) => `${hundredths / 100}%`)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const link = fc.webUrl({ validSchemes: ['https'] })

const anyTerms: fc.Arbitrary<Terms> = fc
  .record({
    quoteId: fc.uuid(),
    quoteTtl: fc.constantFrom('P15D', 'PT30M'),
    principal: paise.map((amount) => amount + 4n * 10n ** 11n),
    interest: paise,
    processingFee: paise,
    otherUpfront: paise,
    insurance: paise,
    otherCharges: paise,
    netDisbursed: fc.constant(0n),
    interestRate: percentage,
    apr: percentage,
    interestType: maybe(fc.constantFrom('FIXED', 'FLOATING')),
    term: fc.constant(''),
    termMonths: fc.integer({ min: 1, max: 120 }),
    repaymentFrequency: maybe(fc.constant('MONTHLY')),
    installmentsCount: fc.integer({ min: 1, max: 120 }),
    installmentAmount: paise.map((amount) => amount + 1n),
    applicationFee: maybe(fc.constantFrom('0 INR', '1000 INR')),
    foreclosureFee: maybe(percentage),
    interestRateConversionCharge: maybe(fc.constant('250 INR')),
    delayPenaltyFee: maybe(percentage),
    otherPenaltyFee: maybe(percentage),
    tncLink: maybe(link),
    kfsLink: maybe(link),
    coolOffPeriod: maybe(fc.constant('P3D')),
    ltvRatio: maybe(percentage),
  })
  .map((terms) => ({ ...terms, term: `${terms.termMonths} months`, netDisbursed: netDisbursedOf(terms) }))

test('FIS12 §7.3, §7.4: terms are read back unchanged and without a warning', () => {
  fc.assert(
    fc.property(anyTerms, (original) => {
      const message = validJson('on_select', onSelect({ ...offerParts, terms: original, page: kyc }))
      const read = readOrder(message)
      assert.deepEqual(read.terms, original)
      assert.deepEqual(read.warnings, [])
      const summedRows = message.order.quote.breakup.filter(({ title }) => title !== 'NET_DISBURSED_AMOUNT')
      assert.equal(
        summedRows.reduce((all, { price }) => all + BigInt(price.value.replace('.', '')), 0n),
        totalOf(original),
      )
    }),
    { numRuns: roundsOf(100) },
  )
})

const anyInstallment: fc.Arbitrary<Omit<Installment, 'id'>> = fc
  .record({
    amount: paise,
    status: fc.constantFrom('NOT-PAID', 'PAID', 'FAILED', 'DELAYED', 'DEFERRED'),
    startsAt: fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
    days: fc.nat(366),
  })
  .map(({ days, ...each }) => ({ ...each, endsAt: daysAfter(each.startsAt, days) }))

/** Instalments of distinct months. If a month repeats, the reader keeps the message order (FIS12 §18.1). */
const schedule = fc.uniqueArray(anyInstallment, { maxLength: 24, selector: ({ startsAt }) => startsAt.getTime() })

test('FIS12 §7.5: a schedule is read back in the order of months', () => {
  fc.assert(
    fc.property(schedule, (original) => {
      const rows = original.map((row, i) => ({ ...row, id: `i-${i}` }))
      const message = validJson('on_status', onStatus({ ...confirmedOrder, installments: rows }))
      const expected = rows.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
      assert.deepEqual(readOrder(message).installments, expected)
    }),
    { numRuns: roundsOf(50) },
  )
})

test('FIS12 §18.1: a schedule with a repeated month is read back in message order', () => {
  fc.assert(
    fc.property(schedule, anyInstallment, (original, repeatedRow) => {
      const rows = [repeatedRow, ...original, repeatedRow].map((row, i) => ({ ...row, id: `i-${i}` }))
      const message = validJson('on_status', onStatus({ ...confirmedOrder, installments: rows }))
      assert.deepEqual(readOrder(message).installments, rows)
    }),
    { numRuns: roundsOf(50) },
  )
})
