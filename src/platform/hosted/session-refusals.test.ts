// What POST /api/lab/sessions refuses, field by field, and that a refusal changes nothing (D1 §2.1, §7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHostedClient } from '#test/setup/hosted-api.ts'

const { newBorrower: otherParty, post, updatesOf } = await startHostedClient()

const refused: [string, object, string[]][] = [
  ['borrowerProviderID is required', { borrowerProviderID: undefined }, ['borrowerProviderID']],
  ['borrowerProviderID is not empty', { borrowerProviderID: '' }, ['borrowerProviderID']],
  ['borrowerProviderID is not blank', { borrowerProviderID: '  ' }, ['borrowerProviderID']],
  ['borrowerProviderID has no control characters', { borrowerProviderID: 'a\u0000b' }, ['borrowerProviderID']],
  ['profile is required', { profile: undefined }, ['profile']],
  ['profile.contactNumber is required', { profile: {} }, ['profile.contactNumber']],
  [
    'profile.contactNumber is an Indian mobile number',
    { profile: { contactNumber: '5876543210' } },
    ['profile.contactNumber'],
  ],
  ['profile.contactNumber is text', { profile: { contactNumber: 9876543210 } }, ['profile.contactNumber']],
  [
    'profile.pan of a personal loan is that of a person',
    { profile: { contactNumber: '9876543210', pan: 'AABCT1332L' } },
    ['profile.pan'],
  ],
  ['profile.pan is a PAN', { profile: { contactNumber: '9876543210', pan: 'ABCDE1234F' } }, ['profile.pan']],
  ['profile.dob is a day', { profile: { contactNumber: '9876543210', dob: '1990-02-30' } }, ['profile.dob']],
  [
    'profile.dob is not in the future',
    { profile: { contactNumber: '9876543210', dob: '2990-01-01' } },
    ['profile.dob'],
  ],
  [
    'profile.dob is of somebody alive',
    { profile: { contactNumber: '9876543210', dob: '0192-02-29' } },
    ['profile.dob'],
  ],
  ['profile.gender is one of three', { profile: { contactNumber: '9876543210', gender: 'x' } }, ['profile.gender']],
  [
    'profile.personalemail is an e-mail address',
    { profile: { contactNumber: '9876543210', personalemail: 'a@b' } },
    ['profile.personalemail'],
  ],
  ['a misspelt key does not vanish', { profile: { contactNumber: '9876543210', panNmae: 'x' } }, ['profile.panNmae']],
  ['an unknown top-level key', { prefill: {} }, ['prefill']],
  ['workProfile.employmentType', { workProfile: { employmentType: 'retired' } }, ['workProfile.employmentType']],
  ['workProfile.officialemail', { workProfile: { officialemail: 'no' } }, ['workProfile.officialemail']],
  ['workProfile.income has digits only', { workProfile: { income: '50,000' } }, ['workProfile.income']],
  ['workProfile.income is more than 0', { workProfile: { income: 0 } }, ['workProfile.income']],
  [
    'workProfile.income of a personal loan has at least 4 digits',
    { workProfile: { income: 999 } },
    ['workProfile.income'],
  ],
  ['workProfile.income is whole', { workProfile: { income: 5000.5 } }, ['workProfile.income']],
  [
    'workProfile.udyamNumber only for selfEmployed',
    { workProfile: { employmentType: 'salaried', udyamNumber: 'UDYAM-MH-18-0000001' } },
    ['workProfile.udyamNumber'],
  ],
  [
    'workProfile.gstin and industry only for selfEmployed',
    { workProfile: { employmentType: 'salaried', gstin: '27AAPFU0939F1ZV', industry: 'retail' } },
    ['workProfile.industry', 'workProfile.gstin'],
  ],
  [
    'workProfile.gstin with its check character',
    { workProfile: { employmentType: 'selfEmployed', gstin: '27AAPFU0939F1ZX' } },
    ['workProfile.gstin'],
  ],
  ['address.pincode', { address: { pincode: '060001' } }, ['address.pincode']],
  ['journeyType', { journeyType: 'LAMF_LOAN' }, ['journeyType']],
  ['goldLoan without journeyType', { goldLoan: { purity: '22K' } }, ['journeyType']],
  ['goldLoan.purity', { journeyType: 'GOLD_LOAN', goldLoan: { purity: '22k' } }, ['goldLoan.purity']],
  ['goldLoan.userType', { journeyType: 'GOLD_LOAN', goldLoan: { userType: 'company' } }, ['goldLoan.userType']],
  [
    'goldLoan.jewelleryWeightGrams',
    { journeyType: 'GOLD_LOAN', goldLoan: { jewelleryWeightGrams: 0 } },
    ['goldLoan.jewelleryWeightGrams'],
  ],
  [
    'goldLoan.jewelleryWeightGrams below a milligram',
    { journeyType: 'GOLD_LOAN', goldLoan: { jewelleryWeightGrams: 1e-7 } },
    ['goldLoan.jewelleryWeightGrams'],
  ],
  ['goldLoan.endUse', { journeyType: 'GOLD_LOAN', goldLoan: { endUse: 'gambling' } }, ['goldLoan.endUse']],
  [
    'goldLoan.requestedTenureMonths',
    { journeyType: 'GOLD_LOAN', goldLoan: { requestedTenureMonths: '0' } },
    ['goldLoan.requestedTenureMonths'],
  ],
  ['an Aadhaar number anywhere', { address: { addressL1: '9999 9999 0019' } }, ['address.addressL1']],
  ['callbackUrl is a URL', { callbackUrl: 'ftp://a.example' }, ['callbackUrl']],
  ['returnUrl is a URL', { returnUrl: 'done' }, ['returnUrl']],
  ['returnUrl is no script', { returnUrl: 'javascript:alert(1)' }, ['returnUrl']],
  ['returnUrl is https', { returnUrl: 'http://app.example/done' }, ['returnUrl']],
  ['returnUrl has no password', { returnUrl: 'https://a:b@app.example/' }, ['returnUrl']],
  ['callbackUrl is not in a private network', { callbackUrl: 'https://10.0.0.8/hook' }, ['callbackUrl']],
  [
    'all wrong fields at once',
    { profile: { pan: 'x', dob: 3 }, address: { pincode: 'x' } },
    ['profile.contactNumber', 'profile.pan', 'profile.dob', 'address.pincode'],
  ],
  [
    'what a schema cannot say, beside what it can',
    {
      profile: { contactNumber: '98', pan: 'x', dob: '2023-02-30' },
      workProfile: { income: 999, udyamNumber: 'UDYAM-MH-18-0000001', company: 'x' },
      address: { addressL1: '9999 9999 0019' },
      callbackUrl: 'https://10.0.0.8/hook',
      goldLoan: { purity: '22k' },
    },
    [
      ...['profile.contactNumber', 'profile.pan', 'profile.dob', 'workProfile.income', 'workProfile.udyamNumber'],
      ...['workProfile.company', 'address.addressL1', 'callbackUrl', 'goldLoan.purity', 'journeyType'],
    ],
  ],
]
for (const [what, change, fields] of refused) {
  test(`D1 §7: refused: ${what}`, async () => {
    const person = otherParty()
    const { status, body } = await post({ ...person, ...change })
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(body.data, null)
    assert.equal(body.error.code, 'VALIDATION_FAILED')
    assert.equal(body.error.retryable, false)
    assert.equal(body.error.details.field, body.error.details.fields[0].path)
    assert.deepEqual(body.error.details.fields.map(({ path }: { path: string }) => path).sort(), fields.sort())
    assert.deepEqual(await updatesOf(person.borrowerProviderID), [], 'a refusal changes nothing')
  })
}
