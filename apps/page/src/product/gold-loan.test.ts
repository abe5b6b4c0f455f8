// The profile fields of a gold loan and their validation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@lendloom/wire/hosted/profile'
import { type Field, type Values, valuesOf } from '../profile/profile-fields.ts'
import { draftOf, fieldsFor, isInvalid } from '../profile/profile-rules.ts'
import { purities } from './gold-loan.ts'

const at = new Date('2026-11-20T05:00:00Z')
const fields = fieldsFor('GOLD_LOAN', undefined)
const checkInvalid = (name: string, value: string | undefined) =>
  isInvalid(fields.find((each) => each.name === name)!, value, 'GOLD_LOAN', at)
const visibleFields = (values: Values): Field[] => fields.filter(({ when }) => when?.(values) ?? true)
const names = (part: number, values: Values) =>
  visibleFields(values)
    .filter((field) => field.part === part)
    .map(({ name }) => name)

test('D1 §2.1: a gold loan form requires the gold but no income, and shows prefilled values for review', () => {
  const individual = { userType: 'individual' }
  assert.deepEqual(names(0, individual), ['pan', 'panName', 'dob', 'gender', 'personalemail'])
  assert.deepEqual(names(1, individual), ['jewelleryWeightGrams', 'purity', 'pincode'])
  assert.deepEqual(names(2, individual), ['userType', 'endUse'])
  const prefilled = { ...individual, employmentType: 'salaried', income: '40000', city: 'Thrissur' }
  assert.deepEqual(names(1, prefilled), [
    'jewelleryWeightGrams',
    'purity',
    'employmentType',
    'income',
    'pincode',
    'city',
  ])
  assert.deepEqual(
    visibleFields(prefilled)
      .filter(({ optional }) => optional)
      .map(({ name }) => name),
    ['personalemail', 'employmentType', 'income', 'city'],
  )
})

test('D1 §2.1: only businesses have a constitution', () => {
  assert.deepEqual(names(2, { userType: 'non-individual' }), ['userType', 'constitution', 'endUse'])
  assert.equal(checkInvalid('constitution', ''), true)
  const prefilled = { userType: 'non-individual', constitution: 'Partnership' }
  assert.deepEqual(draftOf(fields, { userType: 'individual' }, prefilled), {
    goldLoan: { userType: 'individual', constitution: null },
  })
})

test('D1 §2.1: a weight must be positive and have at most three decimals', () => {
  for (const grams of ['24', '24.5', ' 24.125 ', '0.001', '9999999'])
    assert.equal(checkInvalid('jewelleryWeightGrams', grams), false, grams)
  for (const grams of ['', undefined, '0', '0.000', '-3', '24.1234', '24,5', '.5', '24.', '24g', '1e3', '10000000'])
    assert.equal(checkInvalid('jewelleryWeightGrams', grams), true, grams)
})

test('D1 §2.1: the form accepts the contract’s purities only', () => {
  assert.deepEqual(purities, [...contract.purities])
  assert.equal(checkInvalid('purity', '22K'), false)
  for (const purity of ['22k', '22', '', undefined]) assert.equal(checkInvalid('purity', purity), true, purity)
})

test('only changes to prefilled gold values are saved', () => {
  const view = {
    profile: { contactNumber: '9876543210' },
    workProfile: {},
    address: { pincode: '680001' },
    goldLoan: { userType: 'individual', constitution: null, jewelleryWeightGrams: 24.5, purity: '22K' },
    endUse: null,
  }
  const prefilled = valuesOf(view as never)
  assert.deepEqual(prefilled, {
    contactNumber: '9876543210',
    pincode: '680001',
    userType: 'individual',
    jewelleryWeightGrams: '24.5',
    purity: '22K',
  })
  assert.deepEqual(draftOf(fields, { jewelleryWeightGrams: '30 ', purity: '22K', pincode: '680002' }, prefilled), {
    goldLoan: { jewelleryWeightGrams: '30' },
    address: { pincode: '680002' },
  })
})
