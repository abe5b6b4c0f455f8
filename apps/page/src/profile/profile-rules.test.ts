// Validation of the profile, and the saved draft.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indianStates } from '@lendloom/wire/indian-states'
import { placeOfPincode } from '@lendloom/wire/pincode-place'
import { type Field, type Values, valuesOf } from './profile-fields.ts'
import { draftOf, faultOf, fieldsFor, isInvalid, usesFor } from './profile-rules.ts'

const at = new Date('2026-11-20T05:00:00Z')
const fields = fieldsFor('PERSONAL_LOAN', undefined)
const field = (name: string): Field => fields.find((each) => each.name === name)!
const checkInvalid = (name: string, value: string | undefined, type: 'PERSONAL_LOAN' | 'GOLD_LOAN' = 'PERSONAL_LOAN') =>
  isInvalid(field(name), value, type, at)

test('D1 §2.1: a PAN is accepted in upper or lower case', () => {
  assert.equal(checkInvalid('pan', 'abcpe1234f'), false)
  for (const pan of ['', undefined, 'ABCPE12345', 'ABCDE1234F', 'ABCPE0000F', 'ABCPE1234'])
    assert.equal(checkInvalid('pan', pan), true, pan)
})

test('D1 §2.1: only a personal loan requires an income of at least four digits', () => {
  assert.equal(checkInvalid('income', '1000'), false)
  for (const income of ['999', '0999', '12.5', '1,000', '-1000'])
    assert.equal(checkInvalid('income', income), true, income)
  assert.equal(checkInvalid('income', '10000000'), false)
  assert.equal(checkInvalid('income', '10000001'), true, 'more than a crore a month')
  assert.equal(checkInvalid('income', '7', 'GOLD_LOAN'), false)
  assert.equal(checkInvalid('income', '0', 'GOLD_LOAN'), true)
})

test('an error names the part at fault where the usual one would mislead', () => {
  for (const [name, value, fault] of [
    ['dob', '92-2-29', 'year'],
    ['dob', '2020-2-29', 'minor'],
    ['income', '125000.50', 'whole'],
    ['income', '999', undefined],
    ['income', '-5000', undefined],
    ['income', '', undefined],
    ['income', '10000000', undefined],
    ['income', '10000001', 'most'],
    ['income', '9'.repeat(13), 'most'],
    ['income', 'many', 'number'],
    ['income', '1.25lakh', 'number'],
    ['pan', '92-2-29', undefined],
    ['pan', 'ABCXE1234F', 'holder'],
    ['pan', 'abc ce 1234-f', 'holder'],
    ['pan', 'ABCPE0000F', undefined],
    ['pan', 'ABC1E1234F', undefined],
  ] as const)
    assert.equal(faultOf(name, value, at), fault, `${name} ${value}`)
})

test('D1 §2.1: the employment type decides between a Udyam number and a work e-mail', () => {
  const required = (employmentType: string) =>
    fields.filter(({ when }) => when?.({ employmentType })).map(({ name }) => name)
  assert.deepEqual(required('salaried'), ['officialemail'])
  assert.deepEqual(required('selfEmployed'), ['udyamNumber'])
  assert.deepEqual(required(''), [])
})

test('D3 §2.3: the form has business fields if a lender to businesses is available', () => {
  const names = (values: Values) =>
    fieldsFor('PERSONAL_LOAN', undefined, true)
      .filter(({ name, when }) => /business|industry|gstin|annual/.test(name) && when?.(values))
      .map(({ name }) => name)
  const always = ['businessConstitution', 'industry', 'annualTurnover', 'gstin', 'businessAddressL1']
  assert.deepEqual(names({ employmentType: 'selfEmployed' }), always)
  assert.deepEqual(names({ employmentType: 'selfEmployed', businessAddressL1: '4 Market Road' }), [
    ...always,
    'businessPincode',
    'businessCity',
    'businessState',
  ])
  assert.deepEqual(names({ employmentType: 'salaried' }), [])
  const missing = fieldsFor('PERSONAL_LOAN', undefined, true)
    .filter(({ name, optional }) => always.includes(name) && !optional)
    .map(({ name }) => name)
  assert.deepEqual(missing, ['businessConstitution', 'industry'], 'fields that a lead requires')
})

test('D1 §2.1: every state of a PIN code can be chosen', () => {
  const prefixes = Array.from({ length: 900 }, (_, i) => i + 100)
  const states = prefixes.flatMap((prefix) => placeOfPincode(`${prefix}001`).state ?? [])
  assert.ok(states.length > 500)
  assert.deepEqual(
    states.filter((state) => !indianStates.includes(state)),
    [],
  )
  assert.equal(checkInvalid('state', 'Goa'), false)
  assert.equal(checkInvalid('state', 'Nowhere'), true)
})

test('D1 §2.1: a text may have 200 characters, or as many as its field says', () => {
  assert.equal(checkInvalid('companyName', 'a'.repeat(200)), false)
  assert.equal(checkInvalid('companyName', 'a'.repeat(201)), true)
  assert.equal(checkInvalid('city', 'a'.repeat(101)), true)
})

test('an optional field may be empty, but not invalid', () => {
  assert.equal(checkInvalid('udyamNumber', ''), false)
  assert.equal(checkInvalid('udyamNumber', 'UDYAM-MH-18'), true)
  assert.equal(checkInvalid('addressL2', undefined), false)
})

test('only changed fields are saved, each in its group of the contract', () => {
  const known = { pan: 'ABCPE1234F', panName: 'Asha Rao', city: 'Mumbai' }
  const edited = {
    pan: 'ABCPE1234F',
    panName: ' Asha R Rao ',
    dob: '1992-2-9',
    city: '',
    endUse: 'travel',
    income: '85000',
  }
  assert.deepEqual(draftOf(fields, edited, known), {
    profile: { panName: 'Asha R Rao', dob: '1992-02-09' },
    workProfile: { income: '85000' },
    address: { city: null },
    endUse: 'travel',
  })
  assert.equal(draftOf(fields, { pan: 'ABCPE1234F' }, known), null)
})

test('D1 §2.1: a Udyam number is cleared when the borrower becomes salaried', () => {
  const known = { employmentType: 'selfEmployed', udyamNumber: 'UDYAM-MH-18-0000001' }
  assert.deepEqual(draftOf(fields, { employmentType: 'salaried' }, known), {
    workProfile: { employmentType: 'salaried', udyamNumber: null },
  })
})

test('the end uses depend on the product, and include an earlier choice', () => {
  assert.equal(usesFor('PERSONAL_LOAN', undefined).length, 5)
  assert.equal(usesFor('GOLD_LOAN', undefined).length, 12)
  assert.equal(usesFor('PERSONAL_LOAN', 'marriage')[0], 'marriage')
})

test('unknown values are absent from the form', () => {
  const view = {
    profile: { contactNumber: '9876543210', pan: 'ABCPE1234F' },
    workProfile: { income: 85000, udyamNumber: null },
    address: {},
    endUse: null,
  }
  assert.deepEqual(valuesOf(view as never), { contactNumber: '9876543210', pan: 'ABCPE1234F', income: '85000' })
})
