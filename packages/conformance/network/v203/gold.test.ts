// A gold loan in dialect 2.0.3: its fixture messages are valid, builders produce them, and readers parse them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { invariantsOf } from '@lendloom/conformance/network/v203/invariants'
import type { Lender } from '@lendloom/lending/lender'
import { goldLoan, goldStep } from '@lendloom/tests/network-messages/gold-loan'
import type { Json } from '@lendloom/tests/network-messages/personal-loan'
import { faultText } from '@lendloom/wire/network/context'
import { bodyFaultsIn } from '@lendloom/wire/network/received-body-faults'
import { isCallback } from '@lendloom/wire/network/sequence'
import { signatureHeader, signingKeysFrom } from '@lendloom/wire/network/signing'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { onSearch, readOnSearch, search } from '@lendloom/wire/network/v203/search'
import {
  confirm,
  init,
  onConfirmDisbursed,
  onInitSanctioned,
  onSelect,
  onSelectConsent,
  readBuyerOrder,
  select,
} from '@lendloom/wire/network/v203/select-to-confirm'
import { onStatus } from '@lendloom/wire/network/v203/update-and-status'
import type { NewPage } from '@lendloom/wire/network/v203/xinput'
import { outgoingFaults } from './rules.ts'

const bodyFaults = bodyFaultsIn['2.0.3']

const loan = goldLoan()
const orderIn = (name: string) => readOrder(goldStep(name).message)
const { lender, terms, branches, agent } = orderIn('on_select_3')
const item = { id: 'gold-account-aggregator', name: 'Gold loan', product: 'GOLD_LOAN' } as const
const offerParts = { lender: lender!, item, terms: terms! }

test('FIS12 §9.2, §12.1: every message of a complete gold loan is valid', () => {
  for (const { step, action, context, message } of loan) {
    assert.deepEqual(outgoingFaults(action, message).map(faultText), [], step)
    assert.deepEqual(bodyFaults(action, { context, message }), [], step)
  }
})

const keys: Record<string, ReturnType<typeof signingKeysFrom>> = {
  'buyer.lendloom.example': signingKeysFrom(Buffer.alloc(32, 1)),
  'sahyadri.example': signingKeysFrom(Buffer.alloc(32, 2)),
}

/** The faults of the loan's transcript after a change to one message. */
function faultsAfter(step: string, change: (message: Json) => void): string[] {
  const steps = goldLoan()
  change(steps.find((each) => each.step === step)!.message)
  const transcript = steps.map(({ action, context, message }) => {
    const at = new Date(context.timestamp)
    const sender = isCallback(action) ? 'sahyadri.example' : 'buyer.lendloom.example'
    const body = JSON.stringify({ context, message })
    const signature = { subscriberId: sender, uniqueKeyId: 'k1', privateKey: keys[sender]!.privateKey, at }
    const direction = isCallback(action) ? ('received' as const) : ('sent' as const)
    const headers = { Authorization: signatureHeader(body, signature) }
    return { at, direction, party: 'sahyadri.example', action, headers, body }
  })
  return invariantsOf(transcript, ({ subscriberId }) => keys[subscriberId]?.publicKey ?? null).map(faultText)
}

test('FIS12 §12.4: each violation is reported in an otherwise valid loan', () => {
  assert.deepEqual(
    faultsAfter('search', () => {}),
    [],
  )
  const violations: [step: string, change: (message: Json) => void, fault: RegExp][] = [
    ['on_select_2', ({ order }) => order.items[0].tags[0].list.pop(), /LOAN_INFO\.LTV_RATIO/],
    ['on_select_2', ({ order }) => delete order.provider.locations[0].gps, /locations\[0\]\.gps/],
    ['on_select_2', ({ order }) => delete order.provider.locations[1].address, /locations\[1\]\.address/],
    ['on_select_3', ({ order }) => (order.fulfillments[0].type = 'VISIT'), /fulfillments\[0\]\.type/],
    ['select_3', ({ order }) => (order.items[0].location_ids = ['pune']), /names a location pune/],
    [
      'on_status_visited',
      ({ order }) => (order.items[0].xinput.form_response.status = 'OFFLINE_PENDING'),
      /before the lender reported its success/,
    ],
    ['on_confirm', ({ order }) => (order.quote.breakup[0].price.value = '200001.00'), /PRINCIPAL|add up/],
    ['on_update_foreclosure', ({ order }) => (order.payments.at(-1).status = 'DEFERRED'), /before FORECLOSURE is PAID/],
  ]
  for (const [step, change, fault] of violations) assert.match(faultsAfter(step, change).join('\n'), fault, step)
})

const submission = (name: string) => {
  const { form, form_response } = goldStep(name).message.order.items[0].xinput
  return { formId: form.id, submissionId: form_response.submission_id }
}
const reference = { providerId: 'sahyadri', itemId: item.id }
const page = (name: string): NewPage => {
  const { head, form } = goldStep(name).message.order.items[0].xinput
  const { headings, index } = head
  return { id: form.id, url: form.url, mimeType: form.mime_type, heading: headings[index.cur], headings }
}
const buyer = {
  paymentId: null,
  fee: { type: 'percent-annualized', value: '1' },
  settlementAmount: 200_000n,
  settlementType: 'neft',
  terms: { delayInterest: '5', staticTerms: 'https://buyer.lendloom.example/terms', offlineContract: true },
  account: { ifsc: 'SBIN0000456', accountNumber: '5010004477', vpa: 'lendloom@sbi' },
} as const
const lenderSettlement = {
  paymentId: 'settlement-1',
  paid: false,
  netDisbursed: terms!.netDisbursed,
  fee: buyer.fee,
  settlementAmount: 200_000n,
  terms: {
    window: 'PT60M',
    mandatoryArbitration: true,
    courtJurisdiction: 'Nashik',
    staticTerms: 'https://sahyadri.example/terms',
    offlineContract: true,
  },
}

function sanctionedDraft() {
  const { customer } = goldStep('on_init').message.order.fulfillments[0]
  const { person, contact } = customer
  return {
    ...offerParts,
    branches,
    installments: orderIn('on_init').installments,
    customer: { name: person.name, phone: contact.phone, email: contact.email },
    settlement: lenderSettlement,
    cancellationTerms: orderIn('on_confirm').cancellationTerms!,
  }
}

const throughJson = (message: unknown): Json => JSON.parse(JSON.stringify(message))

describe('the builders of a gold loan', () => {
  test('FIS12 §9.2: built selections, offers and visit results equal the fixtures', () => {
    const firstOffer = orderIn('on_select_2')
    const built: Record<string, Json> = {
      select_2: select({ ...reference, submission: submission('select_2') }),
      on_select_1: onSelectConsent({
        lender: lender!,
        item,
        submission: submission('select_1'),
        consentHandle: orderIn('on_select_1').consentHandle!,
      }),
      on_select_2: onSelect({
        ...offerParts,
        terms: firstOffer.terms!,
        branches: firstOffer.branches,
        page: page('on_select_2'),
      }),
      select_3: select({ ...reference, branchId: 'satara', submission: submission('select_3') }),
      on_select_3: onSelect({ ...offerParts, branches, agent: agent!, page: page('on_select_3') }),
      on_status_visited: onStatus({
        ...offerParts,
        branches,
        agent: agent!,
        result: { ...submission('on_status_visited'), status: 'COMPLETED' },
      }),
    }
    for (const [step, message] of Object.entries(built))
      assert.deepEqual(throughJson(message), goldStep(step).message, step)
  })

  test('FIS12 §9.2: the built settlement terms of the buyer equal the fixtures', () => {
    const built = init({ ...reference, submission: submission('init'), settlement: buyer })
    assert.deepEqual(throughJson(built.order.payments), goldStep('init').message.order.payments)
    assert.deepEqual(confirm({ ...reference, settlement: buyer }).order.items, goldStep('confirm').message.order.items)
  })

  test('FIS12 §9.2: the built sanction equals the fixture', () => {
    assert.deepEqual(throughJson(onInitSanctioned(sanctionedDraft())), goldStep('on_init').message)
  })

  test('FIS12 §9.2: the built disbursal equals the fixture', () => {
    const { documents, orderId, createdAt, updatedAt } = orderIn('on_confirm')
    const disbursed = onConfirmDisbursed({
      ...sanctionedDraft(),
      settlement: { ...lenderSettlement, paid: true },
      orderId: orderId!,
      documents,
      createdAt: createdAt!,
      updatedAt: updatedAt!,
    })
    const expectedMessage = goldStep('on_confirm').message
    for (const { descriptor } of expectedMessage.order.documents) descriptor.long_desc = descriptor.short_desc
    assert.deepEqual(throughJson(disbursed), expectedMessage)
  })
})

test('FIS12 §9.1: the reader returns branches, the chosen branch, its agent and the loan-to-value', () => {
  const first = orderIn('on_select_2')
  assert.deepEqual(
    first.branches.map(({ id, name, pincode, at }) => ({ id, name, pincode, at })),
    [
      { id: 'nashik', name: 'College Road', pincode: '422005', at: { latitude: 19.9975, longitude: 73.7898 } },
      { id: 'satara', name: 'Satara', pincode: '415001', at: { latitude: 17.6805, longitude: 74.0183 } },
    ],
  )
  assert.equal(first.terms?.ltvRatio, '74.07%')
  assert.equal(first.agent, null)
  assert.deepEqual(
    branches.map(({ id }) => id),
    ['satara'],
  )
  assert.deepEqual(agent, { name: 'Sunil More', phone: '+91-9800000077' })
  assert.equal(readBuyerOrder(goldStep('select_3').message).branchId, 'satara')
  const withoutLocation = structuredClone(goldStep('on_select_2').message)
  Object.assign(withoutLocation.order.provider.locations[0], { gps: 'near the station', address: '' })
  assert.deepEqual(
    readOrder(withoutLocation).branches.map(({ id }) => id),
    ['satara'],
    'a branch without address and coordinates is omitted',
  )
})

test('FIS12 §9.1: a visit may have a time, and an unreadable time does not make the message invalid', () => {
  const result = { ...submission('on_status_visited'), status: 'OFFLINE_PENDING' as const }
  const visitAt = new Date('2026-12-01T05:30:00.000Z')
  const booked = throughJson(onStatus({ ...offerParts, branches, agent: agent!, visitAt, result }))
  assert.deepEqual(outgoingFaults('on_status', booked).map(faultText), [])
  assert.deepEqual(readOrder(booked).visitAt, visitAt)
  assert.equal(orderIn('on_status_visited').visitAt, null)
  const timeOf = (stops: unknown) => {
    const message = structuredClone(booked)
    message.order.fulfillments[0].stops = stops
    return readOrder(message).visitAt?.toISOString() ?? null
  }
  const range = { start: '2026-12-01T11:00:00+05:30', end: '2026-12-01T12:00:00+05:30' }
  assert.equal(timeOf([{ type: 'END' }, { time: { range } }]), visitAt.toISOString())
  for (const stops of [
    'x',
    [],
    [null],
    [{ time: {} }],
    [{ time: 'noon' }],
    [{ time: { timestamp: '2026-12-01 11:00' } }],
  ])
    assert.equal(timeOf(stops), null, JSON.stringify(stops))
  assert.equal(timeOf([{ time: { timestamp: '2026-99-01T11:00:00Z' } }]), null)
})

test('FIS12 §9.2: a gold search and its catalogue equal the fixtures', () => {
  const fee = { type: 'percent-annualized', value: '1' } as const
  const terms = { delayInterest: '2.5', staticTerms: 'https://buyer.lendloom.example/terms', offlineContract: true }
  assert.deepEqual(search({ product: 'GOLD_LOAN', fee, terms }), goldStep('search').message)
  const read = readOnSearch(goldStep('on_search').message)
  assert.deepEqual(
    read.map(({ itemId, product, assessment, warnings }) => ({ itemId, product, assessment, warnings })),
    [
      { itemId: 'gold-bureau', product: 'GOLD_LOAN', assessment: 'bureau', warnings: [] },
      { itemId: 'gold-account-aggregator', product: 'GOLD_LOAN', assessment: 'account-aggregator', warnings: [] },
    ],
  )
  const catalogue = goldStep('on_search').message.catalog.providers[0]
  const items = read.map(({ itemId: id, itemName, assessment, recommended, ranges, form }) => {
    const { id: formId, url, headings } = form!
    const page: NewPage = {
      id: formId,
      url,
      mimeType: 'text/html',
      heading: 'PERSONAL_INFORMATION',
      headings: headings as NewPage['headings'],
    }
    return { id, name: itemName!, assessment: assessment!, recommended, ranges: ranges as never, page }
  })
  const lenderTerms = {
    window: 'PT60M',
    mandatoryArbitration: true,
    courtJurisdiction: 'Nashik',
    staticTerms: 'https://sahyadri.example/terms',
    offlineContract: true,
  }
  const [built] = onSearch({ lender: lender as Lender, product: 'GOLD_LOAN', items, fee, terms: lenderTerms }).catalog
    .providers
  assert.deepEqual(JSON.parse(JSON.stringify([built!.categories, built!.items])), [
    catalogue.categories,
    catalogue.items,
  ])
})
