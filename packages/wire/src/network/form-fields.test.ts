// The fields that the network's forms must have.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankAccountFields, personalLoanFields } from './form-fields.ts'

test('FIS12 §7.7: each form has the required fields of the specification', () => {
  const required = (fields: Record<string, { required: boolean }>) =>
    Object.entries(fields).flatMap(([name, field]) => (field.required ? [name] : []))
  assert.deepEqual(required(personalLoanFields), [
    'panName',
    'dob',
    'gender',
    'pan',
    'contactNumber',
    'employmentType',
    'income',
    'companyName',
    'endUse',
  ])
  assert.deepEqual(required(bankAccountFields), ['accHolderName', 'acctype', 'accNo', 'ifscCode'])
})
