// The gold loan's profile form: required fields, limits and errors (FIS12 §7.7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { goldApplicationFrom } from './profile-form.ts'

const asha = {
  pan: 'abcpe1234f',
  fullName: 'Asha Rao',
  gender: 'female',
  dob: '1992-02-29',
  contactNumber: '+919876500001',
  pincode: '400001',
  jewellery: '24.5',
  purity: '18k',
  bureauConsent: 'true',
}

test('FIS12 §7.7: the required fields suffice, and the annual income is converted to a monthly one', () => {
  const { applicant, pledge } = goldApplicationFrom(asha)
  assert.deepEqual(pledge, { milligrams: 24_500n, purity: '18k' })
  assert.equal(applicant.pan, 'ABCPE1234F')
  assert.equal(applicant.mobile, '9876500001')
  assert.equal(applicant.monthlyIncome, null)
  assert.equal(applicant.endUse, 'other')
  assert.equal(applicant.bureauConsent, true)
  assert.equal(goldApplicationFrom({ ...asha, annualIncome: '1020000' }).applicant.monthlyIncome, 85_000_00n)
})

test('D1 §2.1: the address field has room for both address lines of a borrower', () => {
  const address = `${'Seventh Fort Road '.repeat(11)}, ${'Opposite the Old Mint '.repeat(9)}`
  assert.ok(address.length > 390)
  assert.equal(goldApplicationFrom({ ...asha, address }).applicant.address, address.trim())
})

test('FIS12 §7.7: an error names its field', () => {
  for (const [name, value] of [
    ['jewellery', '0.000'],
    ['jewellery', '1e-7'],
    ['jewellery', '12.34567'],
    ['purity', '18K'],
    ['pincode', ''],
    ['aa_id', 'nobody'],
    ['address', '9999 9999 0019'],
  ] as const)
    assert.throws(
      () => goldApplicationFrom({ ...asha, [name]: value }),
      (error: unknown) => error instanceof Refusal && JSON.stringify(error.details).includes(`"${name}"`),
      `${name} ${value}`,
    )
})
