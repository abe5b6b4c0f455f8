// The rules: the fixture loan against mutual funds (LAMF) is valid, and each missing or unknown key is reported.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Json, lamf, stepNamed } from '@lendloom/tests/network-messages/lamf'
import { isObject, keyPathsIn, unreportedKeys, valueAtPath } from '@lendloom/tests/network-messages/take-apart'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { faultText } from '@lendloom/wire/network/context'
import { bodyFaultsIn } from '@lendloom/wire/network/received-body-faults'
import fc from 'fast-check'
import { outgoingFaults } from './rules.ts'

const bodyFaults = bodyFaultsIn['2.3.0']
const loan = lamf()

test('FIS12 §12.2: every message of every journey is valid', () => {
  for (const { step, action, context, message } of loan) {
    assert.deepEqual(outgoingFaults(action, message).map(faultText), [], step)
    assert.deepEqual(bodyFaults(action, { context, message }), [], step)
  }
})

/** Keys that FIS12 §12.2 does not require, by action. Every other missing key must be reported. */
const optionalKeys: Record<string, string[]> = JSON.parse(
  readFileSync(new URL(import.meta.resolve('@lendloom/tests/network-messages/optional-keys-lamf.json')), 'utf8'),
)

test('FIS12 §12.2: a missing key of any message is reported unless optional', () => {
  const expected = Object.entries(optionalKeys).flatMap(([action, paths]) => paths.map((path) => `${action} ${path}`))
  assert.deepEqual(unreportedKeys(lamf(true), outgoingFaults), expected.sort())
})

test('FIS12 §3.3: an unknown key in any message is reported by path, except form fields', () => {
  fc.assert(
    fc.property(fc.constantFrom(...loan), fc.nat(), ({ action, message }, position) => {
      const copy = structuredClone(message)
      const objects = [[], ...keyPathsIn(copy)].filter(
        (path) => isObject(valueAtPath(copy, path)) && path.at(-1) !== 'data',
      )
      valueAtPath(copy, objects[position % objects.length]!).surprise = true
      assert.ok(outgoingFaults(action, copy).some(({ path }) => path.endsWith('.surprise')))
    }),
    { numRuns: roundsOf(200) },
  )
})

test('FIS12 §12.2: the rules never throw', () => {
  const anything = fc.constantFrom(null, 7, '', 'text', [], {}, [null])
  fc.assert(
    fc.property(fc.constantFrom(...loan), fc.nat(), anything, (step, position, value) => {
      const copy = structuredClone(step.message)
      const paths = [...keyPathsIn(copy)]
      const path = paths[position % paths.length]!
      valueAtPath(copy, path.slice(0, -1))[path.at(-1)!] = value
      outgoingFaults(step.action, copy)
      bodyFaults(step.action, { context: step.context, message: copy })
    }),
    { numRuns: roundsOf(500) },
  )
})

function faultsAfter(step: string, change: (message: Json) => unknown): string {
  const { action, message } = stepNamed(step)
  change(message)
  return outgoingFaults(action, message).map(faultText).join('\n')
}

const providerOf = ({ catalog }: Json): Json => catalog.providers[0]
const offerList = (m: Json, code: string): Json =>
  providerOf(m).items[1].tags.find(({ descriptor }: Json) => descriptor.code === code).list
const entry = (code: string) => ({ descriptor: { code }, value: '1.00 INR' })
const formOf = ({ intent }: Json): Json => intent.provider.items[0].xinput.form

test('FIS12 §12.2: faults of discovery messages are reported by path', () => {
  const cases: [step: string, change: (message: Json) => unknown, fault: RegExp][] = [
    ['search', (m) => (m.intent.category.descriptor.code = 'CAR_LOAN'), /category\.descriptor\.code is CAR_LOAN/],
    ['search', (m) => delete m.intent.category, /intent\.category\.descriptor\.code must be present/],
    [
      'search',
      (m) => (m.intent.tags[0].list[0].descriptor.code = 'DELAY_INTEREST'),
      /must have BAP_TERMS\.STATIC_TERMS/,
    ],
    ['search_profile', (m) => delete formOf(m).data.pan, /form\.data\.pan\.value must be present/],
    ['search_profile', (m) => delete formOf(m).data.statementUpload.format, /statementUpload\.format must be present/],
    ['search_profile', (m) => (formOf(m).data.city = 'Rajkot'), /form\.data\.city\.value must be present/],
    [
      'aa_search_consent',
      (m) => delete m.intent.provider.items[0].xinput.form_response,
      /submission_id must be present/,
    ],
    ['on_search', (m) => (providerOf(m).items[0].category_ids[0] = ' 101118'), /category_ids\[0\] is {2}101118/],
    ['on_search', (m) => delete providerOf(m).items[0].xinput, /items\[0\]\.xinput must be present/],
    ['on_search', (m) => delete providerOf(m).items[0].xinput.form.data.dob, /form\.data\.dob\.type must be present/],
    ['on_search', (m) => (providerOf(m).items[0].descriptor.code = 'PERSONAL_LOAN'), /code is PERSONAL_LOAN/],
    ['on_search', (m) => delete providerOf(m).categories[4].parent_category_id, /parent_category_id must be present/],
    ['on_search', (m) => providerOf(m).payments.pop(), /must have the payment LOAN_DISBURSMENT/],
    ['on_search', (m) => providerOf(m).payments.shift(), /must have the payment INSTALLMENT/],
    ['on_search', (m) => (providerOf(m).payments[1].time.label = 'LOAN_DISBURSEMENT'), /label is LOAN_DISBURSEMENT/],
    ['on_search', (m) => (providerOf(m).fulfillments[0].type = 'LOAN'), /type is LOAN/],
    ['on_search', (m) => (providerOf(m).fulfillments[0].tags[0].list[0].value = 'DONE'), /value is DONE/],
    ['on_search_offers', (m) => providerOf(m).items[1].tags.splice(1, 1), /must have the group LOAN_OFFER/],
    ['on_search_offers', (m) => delete providerOf(m).items[1].parent_item_id, /parent_item_id must be present/],
    [
      'on_search_offers',
      (m) => providerOf(m).items[1].tags[3].list.pop(),
      /must have PLEDGE_REQUIREMENTS\.LTV_PERCENT/,
    ],
    ['aa_on_search_consent', (m) => (providerOf(m).items[0].xinput.form.data = {}), /consent_handler must be present/],
    [
      'aa_on_search_offers',
      (m) => offerList(m, 'LOAN_OFFER').shift(),
      /must be OVERDRAFT_LIMIT or WORKING_CAPITAL_LIMIT/,
    ],
    ['aa_on_search_offers', (m) => providerOf(m).items[1].tags.splice(2, 2), /must have the group PLEDGE_REQUIREMENTS/],
    ['aa_on_search_offers', (m) => offerList(m, 'LOAN_OFFER').push(entry('PRINCIPAL_AMOUNT')), /is PRINCIPAL_AMOUNT/],
    ['aa_on_search_offers', (m) => offerList(m, 'LOAN_INFO').push(entry('NUMBER_OF_INSTALLMENTS')), /is NUMBER_OF_INS/],
    ['on_search_offers', (m) => offerList(m, 'LOAN_INFO').splice(12, 1), /must have LOAN_INFO\.NUMBER_OF_INSTALLMENTS/],
    ['on_search_offers', (m) => offerList(m, 'LOAN_OFFER').push(entry('OVERDRAFT_LIMIT')), /is OVERDRAFT_LIMIT/],
  ]
  for (const [step, change, expected] of cases) assert.match(faultsAfter(step, change), expected, step)
})

test('FIS12 §12.2: faults of order messages are reported by path', () => {
  const cases: [step: string, change: (order: Json) => unknown, fault: RegExp][] = [
    ['select', (o) => (o.items[0].tags[0].list[0].descriptor.code = 'RTA'), /descriptor\.code is RTA/],
    ['select', (o) => (o.items[0].tags[0].descriptor.code = 'LOAN_INFO'), /tags\[0\]\.descriptor\.code is LOAN_INFO/],
    ['on_select', (o) => (o.quote.breakup[0].title = 'PRINCIPAL'), /breakup\[0\]\.title is PRINCIPAL/],
    ['on_select', (o) => (o.items[0].tags[0].list[3].descriptor.code = 'LTV_RATIO'), /code is LTV_RATIO/],
    ['offline_on_select', (o) => o.quote.breakup.splice(2, 1), /must be CURRENT_UTILIZATION once/],
    ['offline_on_select', (o) => (o.quote.breakup[0].title = 'PRINCIPAL_AMOUNT'), /title is PRINCIPAL_AMOUNT/],
    ['init_1', (o) => delete o.payments[0].params.bank_code, /params\.bank_code must be present/],
    ['init_1', (o) => o.payments[0].tags[0].list.pop(), /must have ACCOUNT_DETAILS\.ACCOUNT_HOLDER_NAME/],
    ['on_init_1', (o) => (o.items[0].xinput.head.headings[1] = 'SELFIE'), /headings\[1\] is SELFIE/],
    ['on_init_1', (o) => delete o.items[0].xinput.head, /head\.descriptor\.code must be present/],
    ['on_init_1', (o) => (o.fulfillments[0].state.descriptor.code = 'REJECTED'), /code is REJECTED/],
    ['on_status_kyc', (o) => (o.items[0].xinput.form_response.status = 'DONE'), /form_response\.status is DONE/],
    ['confirm', (o) => o.tags.pop(), /must have the group BPP_TERMS/],
    ['on_confirm', (o) => (o.status = 'OPEN'), /status is OPEN/],
    ['on_confirm', (o) => (o.updated_at = '2026-11-20T09:01:31.000Z'), /updated_at must equal created_at/],
    ['on_confirm', (o) => (o.documents[0].descriptor.code = 'OTHER'), /code is OTHER/],
    ['on_confirm', (o) => delete o.payments[1].time.range, /time\.range\.start must be present/],
    ['on_status', (o) => (o.updated_at = '2026-11-20T09:01:31.000Z'), /updated_at must equal created_at/],
    ['on_update_disbursed', (o) => delete o.payments[0].params.transaction_id, /transaction_id must be present/],
    ['on_update_foreclosure', (o) => delete o.payments[0].time.duration, /time\.duration must be present/],
    ['on_update_foreclosure', (o) => (o.payments[0].tags[0].list[0].descriptor.code = 'TAX'), /code is TAX/],
  ]
  for (const [step, change, expected] of cases)
    assert.match(
      faultsAfter(step, ({ order }) => change(order)),
      expected,
      step,
    )
  assert.match(
    faultsAfter('update_foreclosure', (m) => (m.update_target = 'items')),
    /update_target is items/,
  )
  assert.match(
    faultsAfter('status', (m) => (m.ref_id = 't')),
    /exactly one of order_id, ref_id/,
  )
})

test('FIS12 §12.3: a message that reports a rejected form is valid', () => {
  assert.equal(
    faultsAfter('on_status_kyc', ({ order }) => (order.items[0].xinput.form_response.status = 'REJECTED')),
    '',
  )
})

test('FIS12 §3.3: a non-string value is rejected when sent and accepted on receipt', () => {
  assert.match(
    faultsAfter('search_profile', (m) => (formOf(m).data.bureauConsent.value = true)),
    /must be string \(FIS12 §3\.3\)/,
  )
  const { action, context, message } = stepNamed('search_profile')
  formOf(message).data.bureauConsent.value = true
  assert.deepEqual(bodyFaults(action, { context, message }), [])
})

test('FIS12 §4, §10.2: a directed search must name its lender and its dialect', () => {
  const { action, context, message } = stepNamed('search_profile')
  const { bpp_id: _, bpp_uri: __, ...broadcast } = context
  const pathsOf = (body: object) => bodyFaults(action, body).map(({ path }) => path)
  assert.deepEqual(pathsOf({ context: broadcast, message }), ['context.bpp_id', 'context.bpp_uri'])
  assert.deepEqual(pathsOf({ context: { ...context, version: '2.0.3' }, message }), ['context.version'])
})
