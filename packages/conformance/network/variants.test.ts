// The older versions 2.0.1 and 2.0.2: what lenders write in each, and what we read from published messages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { dialectIn } from '@lendloom/wire/network/context'
import { bodyFaultsIn } from '@lendloom/wire/network/received-body-faults'
import { readServicingPayments, type ServicingPayment } from '@lendloom/wire/network/v203/payments'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { onSearch, readOnSearch } from '@lendloom/wire/network/v203/search'
import {
  onConfirm,
  onConfirmDisbursed,
  onSelect,
  readBuyerOrder,
  select,
} from '@lendloom/wire/network/v203/select-to-confirm'
import type { Heading, Variant } from '@lendloom/wire/network/v203/variant'
import type { OrderDraft } from '@lendloom/wire/network/v203/write-order'
import type { NewPage } from '@lendloom/wire/network/v203/xinput'
import { variants } from '@lendloom/wire/network/variants'
import { outgoingFaultsIn } from '#conformance/network/v203/rules.ts'

const source = readOrder(stepNamed('on_init_3').message)
const lender = source.lender!
const terms = { ...source.terms!, quoteTtl: 'P15D', coolOffPeriod: 'P3D' }
const at = new Date('2026-11-26T10:00:00.000Z')
const fee = { type: 'percent-annualized', value: '1' } as const
const settlementTerms = {
  window: 'PT60M',
  mandatoryArbitration: true,
  courtJurisdiction: 'Mumbai',
  staticTerms: 'https://lender.example/terms',
  offlineContract: true,
}
const page = (heading: Heading, headings: Heading[]): NewPage => ({
  id: 'F-1',
  url: 'https://lender.example/f/1',
  mimeType: heading === 'KYC' ? 'application/html' : 'text/html',
  heading,
  headings,
})
const draftIn = (variant: Variant) => ({
  lender,
  item: { id: 'ITEM', name: 'Personal loan', product: 'PERSONAL_LOAN' as const },
  terms,
  variant,
})
const placedIn = (variant: Variant) => ({
  ...draftIn(variant),
  orderId: 'ORDER-1',
  customer: { name: 'Ravi Patil', phone: '+91-9876500001', email: null },
  settlement: {
    paymentId: 'PAY-1',
    paid: false,
    netDisbursed: terms.netDisbursed,
    fee,
    terms: settlementTerms,
    settlementAmount: 1_00n,
  },
  installments: source.installments,
  cancellationTerms: { fees: [{ state: 'SANCTIONED', percentage: '0%' }], link: null },
  documents: [
    {
      code: 'LOAN_AGREEMENT',
      name: 'Agreement',
      description: 'Agreement',
      mimeType: 'application/pdf',
      url: 'https://lender.example/a',
    },
  ],
  createdAt: at,
  updatedAt: at,
})
const catalogueIn = (variant: Variant, product: 'PERSONAL_LOAN' | 'GOLD_LOAN' = 'PERSONAL_LOAN') =>
  onSearch({
    lender,
    product,
    items: [
      {
        id: 'ITEM',
        name: 'Loan',
        assessment: 'bureau',
        recommended: true,
        ranges: {
          minInterestRate: '11%',
          maxInterestRate: '24%',
          minTenureMonths: 6,
          maxTenureMonths: 36,
          minAmount: 1_000_00n,
          maxAmount: 10_000_00n,
        },
        page: page('PERSONAL_INFORMATION', ['PERSONAL_INFORMATION']),
      },
    ],
    fee,
    terms: settlementTerms,
    variant,
  })

const v201 = variants['2.0.1']
const v202 = variants['2.0.2']
const all = Object.values(variants)

test('FIS12 §24: a catalogue has the categories and contacts of its version', () => {
  for (const variant of all) {
    const message = catalogueIn(variant)
    assert.deepEqual(outgoingFaultsIn(variant)('on_search', message), [], variant.version)
    const [provider] = message.catalog.providers
    const codes = provider!.categories.map(({ descriptor }) => descriptor.code)
    const isOldest = variant === v201
    assert.deepEqual(codes, isOldest ? ['PERSONAL_LOAN'] : ['LOAN', 'PERSONAL_LOAN', 'BUREAU_LOAN'])
    const contacts = provider!.tags[0]!.list.map(({ descriptor }) => descriptor.code)
    assert.equal(contacts.includes('GRO_DESIGNATION'), variant.version === '2.0.3')
    const [item] = readOnSearch(message, variant)
    assert.equal(item!.product, 'PERSONAL_LOAN')
    assert.equal(item!.assessment, isOldest ? null : 'bureau')
    assert.equal(item!.form?.heading, 'PERSONAL_INFORMATION')
  }
})

test('FIS12 §24: 2.0.1 has no gold loan, and its only category needs no parent', () => {
  assert.throws(() => catalogueIn(v201, 'GOLD_LOAN'), /GOLD_LOAN in 2.0.1/)
  const paths = outgoingFaultsIn(variants['2.0.3'])('on_search', catalogueIn(v201)).map(({ path }) => path)
  assert.deepEqual(paths, ['$.message.catalog.providers[0].categories[0].parent_category_id'])
})

test('FIS12 §24: in 2.0.1 the index names the step, because all pages of a stage have one title', () => {
  for (const [heading, text] of [
    ['SET_LOAN_AMOUNT', 'Set Loan Amount'],
    ['KYC', 'Know your Customer'],
  ] as const) {
    const message = onSelect({ ...draftIn(v201), page: page(heading, ['SET_LOAN_AMOUNT', 'KYC']) })
    const { head } = message.order.items[0]!.xinput as { head: { descriptor: { name: string }; headings: string[] } }
    assert.equal(head.descriptor.name, 'Customer Information')
    assert.ok(head.headings.includes(text))
    assert.equal(readOrder(message, v201).form?.heading, heading)
    assert.equal(readOrder(message).form?.heading, 'CUSTOMER_INFORMATION', 'a second form in 2.0.3 (§19.1)')
    assert.deepEqual(outgoingFaultsIn(v201)('on_select', message), [])
  }
})

test('FIS12 §24: older versions write PT15D, and readers of every version understand it', () => {
  for (const variant of all) {
    const message = onSelect({ ...draftIn(variant), page: page('SET_LOAN_AMOUNT', ['SET_LOAN_AMOUNT', 'KYC']) })
    assert.equal(message.order.quote.ttl, variant.version === '2.0.3' ? 'P15D' : 'PT15D')
    const { quoteTtl, coolOffPeriod } = readOrder(message, variant).terms!
    assert.equal(quoteTtl, 'P15D')
    assert.equal(coolOffPeriod, 'P3D')
  }
})

test('FIS12 §24: a confirmed order of an older version has no dates, and one id for all instalments', () => {
  for (const variant of all) {
    const isNew = variant.version === '2.0.3'
    const message = onConfirm(placedIn(variant))
    assert.deepEqual(outgoingFaultsIn(variant)('on_confirm', message), [], variant.version)
    const { createdAt, installments, settlementPaymentId } = readOrder(message, variant)
    assert.deepEqual(createdAt, isNew ? at : null)
    assert.equal(new Set(installments.map(({ id }) => id)).size, isNew ? installments.length : 1)
    assert.equal(installments.length, source.installments.length)
    assert.equal(settlementPaymentId, 'PAY-1')
  }
})

test('FIS12 §24: a payment after disbursal has the id of ON_ORDER, and its label tells it from ON_ORDER', () => {
  const payment: ServicingPayment = {
    id: 'PAY-2',
    label: 'FORECLOSURE',
    status: 'NOT-PAID',
    amount: 5_000_00n,
    url: 'https://lender.example/pay',
    transactionId: null,
    month: null,
  }
  for (const variant of [v201, v202]) {
    const draft: OrderDraft & ReturnType<typeof placedIn> = { ...placedIn(variant), servicing: [payment] }
    const { servicing, settlementPaymentId, settlementPaid } = readOrder(onConfirm(draft), variant)
    assert.deepEqual(servicing, [{ ...payment, id: 'PAY-1' }])
    assert.equal(settlementPaymentId, 'PAY-1')
    assert.equal(settlementPaid, false)
  }
  assert.throws(() => readServicingPayments([{ time: { label: 'FORECLOSURE' }, params: { amount: '-1' } }], 'payments'))
})

test('FIS12 §24: a confirmed gold loan of 2.0.2 has no branches', () => {
  const branch = { id: 'L2', name: 'East', address: '7 Fort Road', pincode: '400001', at: null }
  const order = (variant: Variant) => {
    const draft = placedIn(variant)
    const message = onConfirmDisbursed({ ...draft, item: { ...draft.item, product: 'GOLD_LOAN' }, branches: [branch] })
    return JSON.parse(JSON.stringify(message)).order
  }
  assert.equal(order(v202).fulfillments[0].type, 'LOAN')
  assert.equal(order(v202).provider.locations, undefined)
  const v203 = order(variants['2.0.3'])
  assert.equal(v203.fulfillments[0].type, 'LOAN')
  assert.equal(v203.provider.locations?.length, 1)
})

test('FIS12 §24: a select after the consent reports APPROVED', () => {
  const submission = { formId: 'F01', submissionId: 'S-1', status: v201.consentAnswer }
  const message = select({ providerId: 'P', itemId: 'I', submission })
  assert.equal(readBuyerOrder(message).response?.status, 'APPROVED')
  assert.deepEqual(outgoingFaultsIn(v201)('select', message), [])
})

test('FIS12 §24: a body in another version than the conversation gets a NACK, and so does a wrong type', () => {
  const { context, message } = stepNamed('on_select_2')
  const body = { context: { ...context, version: '2.0.1' }, message }
  assert.deepEqual(bodyFaultsIn['2.0.1']('on_select', body), [])
  for (const version of ['2.0.2', '2.0.3', '2.3.0'] as const)
    assert.ok(
      bodyFaultsIn[version]('on_select', body).some(({ path }) => path === 'context.version'),
      version,
    )
  for (const version of [null, 201, '2.0.1 ', '__proto__', ['2.0.1']]) {
    const wrong = { context: { ...context, version }, message }
    assert.equal(dialectIn(wrong), '2.0.3')
    assert.deepEqual(
      bodyFaultsIn[dialectIn(wrong)]('on_select', wrong).map(({ path }) => path),
      ['context.version'],
    )
  }
})
