// The rules accept a complete loan, and report each missing or unknown key.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Json, personalLoan, stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import {
  isObject,
  keyPathsIn,
  type Path,
  unreportedKeys,
  valueAtPath,
} from '@lendloom/tests/network-messages/take-apart'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { faultText } from '@lendloom/wire/network/context'
import { bodyFaultsIn } from '@lendloom/wire/network/received-body-faults'
import fc from 'fast-check'
import { outgoingFaults } from './rules.ts'

const bodyFaults = bodyFaultsIn['2.0.3']

const loan = personalLoan()

test('FIS12 §12.1: every message of a complete loan is valid', () => {
  for (const { step, action, context, message } of loan) {
    assert.deepEqual(outgoingFaults(action, message).map(faultText), [], step)
    assert.deepEqual(bodyFaults(action, { context, message }), [], step)
  }
})

/** Keys that FIS12 §12.1 does not require, by action. Every other missing key must be reported. */
const optionalKeys: Record<string, string[]> = JSON.parse(
  readFileSync(new URL(import.meta.resolve('@lendloom/tests/network-messages/optional-keys.json')), 'utf8'),
)

test('FIS12 §12.1: a missing key of any message is reported unless optional', () => {
  const expected = Object.entries(optionalKeys).flatMap(([action, paths]) => paths.map((path) => `${action} ${path}`))
  assert.deepEqual(unreportedKeys(personalLoan(true), outgoingFaults), expected.sort())
})

test('FIS12 §3.3: an unknown key in any message is reported by path', () => {
  fc.assert(
    fc.property(fc.constantFrom(...loan), fc.nat(), ({ action, message }, position) => {
      const copy = structuredClone(message)
      const objects = [[] as Path, ...keyPathsIn(copy)].filter((path) => isObject(valueAtPath(copy, path)))
      const path = objects[position % objects.length]!
      valueAtPath(copy, path).surprise = true
      const faults = outgoingFaults(action, copy)
      assert.ok(
        faults.some((fault) => fault.path.endsWith('.surprise')),
        JSON.stringify(path),
      )
    }),
    { numRuns: roundsOf(200) },
  )
})

test('FIS12 §12.1: the rules never throw', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...loan),
      fc.nat(),
      fc.constantFrom(null, 7, '', [], {}, [null]),
      (step, position, value) => {
        const copy = structuredClone(step.message)
        const paths = [...keyPathsIn(copy)]
        const path = paths[position % paths.length]!
        valueAtPath(copy, path.slice(0, -1))[path.at(-1)!] = value
        outgoingFaults(step.action, copy)
        bodyFaults(step.action, { context: step.context, message: copy })
      },
    ),
    { numRuns: roundsOf(500) },
  )
})

function faultsAfter(step: string, change: (message: Json) => void): string[] {
  const { action, message } = stepNamed(step)
  change(message)
  return outgoingFaults(action, message).map(faultText)
}

test('FIS12 §12.1: a fault names its path and its rule', () => {
  assert.deepEqual(
    faultsAfter('on_select_2', ({ order }) => delete order.quote.breakup[1].price.value),
    ['$.message.order.quote.breakup[1].price.value must be present (FIS12 §12.1 on_select)'],
  )
  assert.deepEqual(
    faultsAfter('on_confirm', ({ order }) => (order.payments[3].status = 'DELAYED')),
    ['$.message.order.payments[3].status is DELAYED, must be one of PAID, NOT-PAID (FIS12 §12.1 on_confirm)'],
  )
})

test('FIS12 §12.1: values outside the lists are reported', () => {
  const cases: [step: string, change: (message: Json) => void, fault: RegExp][] = [
    ['search', (m) => (m.intent.category.descriptor.code = 'CAR_LOAN'), /category\.descriptor\.code is CAR_LOAN/],
    ['search', (m) => (m.intent.payment.collected_by = 'GATEWAY'), /collected_by is GATEWAY/],
    ['search', (m) => (m.intent.payment.tags[0].list[0].value = 'flat'), /list\[0\]\.value is flat/],
    ['search', (m) => (m.intent.payment.tags[1].list[0].descriptor.code = 'LATE'), /descriptor\.code is LATE/],
    ['on_search', (m) => (m.catalog.providers[0].items[0].xinput.head.headings = ['HELLO']), /headings\[0\] is HELLO/],
    ['on_search', (m) => (m.catalog.providers[0].tags[0].list[0].descriptor.code = 'GRO_AGE'), /code is GRO_AGE/],
    ['on_select_2', (m) => (m.order.items[0].price.currency = 'USD'), /currency is USD/],
    ['on_init_1', (m) => (m.order.fulfillments[0].state.descriptor.code = 'HAPPY'), /code is HAPPY/],
    ['on_init_1', (m) => m.order.payments.shift(), /must have the ON_ORDER payment/],
    ['on_confirm', (m) => (m.order.documents[0].mime_type = 'image/png'), /mime_type is image\/png/],
    [
      'on_confirm',
      (m) => (m.order.cancellation_terms[0].fulfillment_state.descriptor.code = 'PENDING'),
      /code is PENDING/,
    ],
    ['on_status', (m) => (m.order.quote.breakup[0].title = 'OFFER_VALIDITY'), /title is OFFER_VALIDITY/],
    ['on_status_kyc', (m) => (m.order.items[0].xinput.form_response.status = 'PENDING'), /status is PENDING/],
    ['on_update_disbursed', (m) => (m.order.payments[0].status = 'SOON'), /payments\[0\]\.status is SOON/],
    ['status', (m) => (m.order_id = 'order-7'), /exactly one of order_id, ref_id/],
    ['status', (m) => delete m.ref_id, /exactly one of order_id, ref_id/],
    ['select_1', (m) => (m.order.items[0].descriptor = { code: 'PERSONAL_LOAN' }), /head\.index\.min must be present/],
    [
      'update_pre_part',
      (m) => Object.assign(m.order.payments[0], { type: 'POST_FULFILLMENT', params: {} }),
      /params\.amount must/,
    ],
    ['on_select_2', (m) => (m.order.items[0].descriptor.code = 'LOAN'), /must have LOAN_INFO\.LTV_RATIO/],
  ]
  for (const [step, change, expected] of cases) assert.match(faultsAfter(step, change).join('\n'), expected, step)
})

test('FIS12 §21: the type of a finder fee is in capitals only in catalogues', () => {
  const catalogue = 'is percent-annualized, must be one of PERCENT_ANNUALIZED, PERCENT, AMOUNT'
  const order = 'is PERCENT_ANNUALIZED, must be one of percent-annualized, percent, amount'
  const feeType = (payment: Json) => payment.tags[0].list[0]
  const inCatalogue = faultsAfter(
    'on_search',
    (m) => (feeType(m.catalog.providers[0].payments[0]).value = 'percent-annualized'),
  )
  assert.match(inCatalogue.join(), new RegExp(catalogue))
  for (const step of ['init_1', 'on_init_1', 'confirm'])
    assert.match(
      faultsAfter(step, (m) => (feeType(m.order.payments[0]).value = 'PERCENT_ANNUALIZED')).join(),
      new RegExp(order),
    )
})

test('FIS12 §12.3: a message that reports a rejected form is valid', () => {
  assert.deepEqual(
    faultsAfter('on_status_kyc', ({ order }) => (order.items[0].xinput.form_response.status = 'REJECTED')),
    [],
  )
})

test('FIS12 §3.3: a non-string value is rejected in an outgoing message', () => {
  assert.deepEqual(
    faultsAfter('on_select_2', ({ order }) => (order.quote.price.value = 326093.62)),
    ['$.message.order.quote.price.value must be string (FIS12 §3.3)'],
  )
})
