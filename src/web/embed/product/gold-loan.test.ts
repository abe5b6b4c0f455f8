// The profile fields of a gold loan and their validation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/hosted/profile.ts'
import { type Field, type Values, valuesOf } from '../profile/profile.ts'
import { draftOf, fieldsFor, isWrong } from '../profile/profile-rules.ts'
import { purities } from './gold-loan.ts'

const at = new Date('2026-11-20T05:00:00Z')
const fields = fieldsFor('GOLD_LOAN', undefined)
const wrong = (name: string, value: string | undefined) =>
  isWrong(fields.find((each) => each.name === name)!, value, 'GOLD_LOAN', at)
const shown = (values: Values): Field[] => fields.filter(({ when }) => when?.(values) ?? true)
const names = (part: number, values: Values) =>
  shown(values)
    .filter((field) => field.part === part)
    .map(({ name }) => name)

test('D1 §2.1: a gold loan requests the gold and no income, and shows the app’s values', () => {
  const alone = { userType: 'individual' }
  assert.deepEqual(names(0, alone), ['pan', 'panName', 'dob', 'gender', 'personalemail'])
  assert.deepEqual(names(1, alone), ['jewelleryWeightGrams', 'purity', 'pincode'])
  assert.deepEqual(names(2, alone), ['userType', 'endUse'])
  const known = { ...alone, employmentType: 'salaried', income: '40000', city: 'Thrissur' }
  assert.deepEqual(names(1, known), ['jewelleryWeightGrams', 'purity', 'employmentType', 'income', 'pincode', 'city'])
  assert.deepEqual(
    shown(known)
      .filter(({ optional }) => optional)
      .map(({ name }) => name),
    ['personalemail', 'employmentType', 'income', 'city'],
  )
})

test('D1 §2.1: the constitution is requested from businesses, and cleared for an individual', () => {
  assert.deepEqual(names(2, { userType: 'non-individual' }), ['userType', 'constitution', 'endUse'])
  assert.equal(wrong('constitution', ''), true)
  const known = { userType: 'non-individual', constitution: 'Partnership' }
  assert.deepEqual(draftOf(fields, { userType: 'individual' }, known), {
    goldLoan: { userType: 'individual', constitution: null },
  })
})

test('D1 §2.1: grams must be positive, with up to three decimals', () => {
  for (const grams of ['24', '24.5', ' 24.125 ', '0.001', '9999999'])
    assert.equal(wrong('jewelleryWeightGrams', grams), false, grams)
  for (const grams of ['', undefined, '0', '0.000', '-3', '24.1234', '24,5', '.5', '24.', '24g', '1e3', '10000000'])
    assert.equal(wrong('jewelleryWeightGrams', grams), true, grams)
})

test('D1 §2.1: the purities are those of the contract', () => {
  assert.deepEqual(purities, [...contract.purities])
  assert.equal(wrong('purity', '22K'), false)
  for (const purity of ['22k', '22', '', undefined]) assert.equal(wrong('purity', purity), true, purity)
})

test('prefilled gold values are known, and only changes are saved', () => {
  const view = {
    profile: { contactNumber: '9876543210' },
    workProfile: {},
    address: { pincode: '680001' },
    goldLoan: { userType: 'individual', constitution: null, jewelleryWeightGrams: 24.5, purity: '22K' },
    endUse: null,
  }
  const known = valuesOf(view as never)
  assert.deepEqual(known, {
    contactNumber: '9876543210',
    pincode: '680001',
    userType: 'individual',
    jewelleryWeightGrams: '24.5',
    purity: '22K',
  })
  assert.deepEqual(draftOf(fields, { jewelleryWeightGrams: '30 ', purity: '22K', pincode: '680002' }, known), {
    goldLoan: { jewelleryWeightGrams: '30' },
    address: { pincode: '680002' },
  })
})
