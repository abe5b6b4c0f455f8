// Refusals of POST /api/lab/sessions for each field. A refused request changes nothing (D1 §2.1, §7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHostedClient } from '@lendloom/tests/setup/hosted-api'

const { newBorrower, post, updatesOf } = await startHostedClient()

const refusals: [title: string, change: object, fields: string[]][] = [
  ['borrowerProviderID is missing', { borrowerProviderID: undefined }, ['borrowerProviderID']],
  ['borrowerProviderID is empty', { borrowerProviderID: '' }, ['borrowerProviderID']],
  ['borrowerProviderID is blank', { borrowerProviderID: '  ' }, ['borrowerProviderID']],
  ['borrowerProviderID has control characters', { borrowerProviderID: 'a\u0000b' }, ['borrowerProviderID']],
  ['borrowerProviderID turns text around', { borrowerProviderID: 'user-\u202e1' }, ['borrowerProviderID']],
  [
    'profile.panName turns text around',
    { profile: { contactNumber: '9876543210', panName: 'Asha \u202eamreV' } },
    ['profile.panName'],
  ],
  [
    'workProfile.companyName has an invisible character',
    { workProfile: { companyName: 'Tata\u200b Steel' } },
    ['workProfile.companyName'],
  ],
  [
    'address.addressL1 has an invisible character',
    { address: { addressL1: '4 Fort\u00ad Road' } },
    ['address.addressL1'],
  ],
  ['profile is missing', { profile: undefined }, ['profile']],
  ['profile.contactNumber is missing', { profile: {} }, ['profile.contactNumber']],
  [
    'profile.contactNumber is not an Indian mobile number',
    { profile: { contactNumber: '5876543210' } },
    ['profile.contactNumber'],
  ],
  ['profile.contactNumber is a number', { profile: { contactNumber: 9876543210 } }, ['profile.contactNumber']],
  [
    'profile.pan of a personal loan is a company’s',
    { profile: { contactNumber: '9876543210', pan: 'AABCT1332L' } },
    ['profile.pan'],
  ],
  ['profile.pan is not a PAN', { profile: { contactNumber: '9876543210', pan: 'ABCDE1234F' } }, ['profile.pan']],
  [
    'profile.dob is not a calendar day',
    { profile: { contactNumber: '9876543210', dob: '1990-02-30' } },
    ['profile.dob'],
  ],
  ['profile.dob is in the future', { profile: { contactNumber: '9876543210', dob: '2990-01-01' } }, ['profile.dob']],
  ['profile.dob is too long ago', { profile: { contactNumber: '9876543210', dob: '0192-02-29' } }, ['profile.dob']],
  ['profile.gender is unknown', { profile: { contactNumber: '9876543210', gender: 'x' } }, ['profile.gender']],
  [
    'profile.personalemail is not an e-mail address',
    { profile: { contactNumber: '9876543210', personalemail: 'a@b' } },
    ['profile.personalemail'],
  ],
  ['a key is misspelt', { profile: { contactNumber: '9876543210', panNmae: 'x' } }, ['profile.panNmae']],
  ['a top-level key is unknown', { prefill: {} }, ['prefill']],
  [
    'workProfile.employmentType is unknown',
    { workProfile: { employmentType: 'retired' } },
    ['workProfile.employmentType'],
  ],
  [
    'workProfile.officialemail is not an e-mail address',
    { workProfile: { officialemail: 'no' } },
    ['workProfile.officialemail'],
  ],
  ['workProfile.income has a comma', { workProfile: { income: '50,000' } }, ['workProfile.income']],
  ['workProfile.income is 0', { workProfile: { income: 0 } }, ['workProfile.income']],
  ['workProfile.income of a personal loan has 3 digits', { workProfile: { income: 999 } }, ['workProfile.income']],
  ['workProfile.income is not whole', { workProfile: { income: 5000.5 } }, ['workProfile.income']],
  [
    'workProfile.udyamNumber is sent for a salaried borrower',
    { workProfile: { employmentType: 'salaried', udyamNumber: 'UDYAM-MH-18-0000001' } },
    ['workProfile.udyamNumber'],
  ],
  [
    'workProfile.gstin and industry are sent for a salaried borrower',
    { workProfile: { employmentType: 'salaried', gstin: '27AAPFU0939F1ZV', industry: 'retail' } },
    ['workProfile.industry', 'workProfile.gstin'],
  ],
  [
    'workProfile.gstin has a wrong check character',
    { workProfile: { employmentType: 'selfEmployed', gstin: '27AAPFU0939F1ZX' } },
    ['workProfile.gstin'],
  ],
  ['address.pincode starts with 0', { address: { pincode: '060001' } }, ['address.pincode']],
  ['journeyType has no hosted journey', { journeyType: 'LAMF_LOAN' }, ['journeyType']],
  ['goldLoan is sent without journeyType', { goldLoan: { purity: '22K' } }, ['journeyType']],
  ['goldLoan.purity is unknown', { journeyType: 'GOLD_LOAN', goldLoan: { purity: '22k' } }, ['goldLoan.purity']],
  [
    'goldLoan.userType is unknown',
    { journeyType: 'GOLD_LOAN', goldLoan: { userType: 'company' } },
    ['goldLoan.userType'],
  ],
  [
    'goldLoan.jewelleryWeightGrams is 0',
    { journeyType: 'GOLD_LOAN', goldLoan: { jewelleryWeightGrams: 0 } },
    ['goldLoan.jewelleryWeightGrams'],
  ],
  [
    'goldLoan.jewelleryWeightGrams is less than a milligram',
    { journeyType: 'GOLD_LOAN', goldLoan: { jewelleryWeightGrams: 1e-7 } },
    ['goldLoan.jewelleryWeightGrams'],
  ],
  ['goldLoan.endUse is unknown', { journeyType: 'GOLD_LOAN', goldLoan: { endUse: 'gambling' } }, ['goldLoan.endUse']],
  [
    'goldLoan.requestedTenureMonths is 0',
    { journeyType: 'GOLD_LOAN', goldLoan: { requestedTenureMonths: '0' } },
    ['goldLoan.requestedTenureMonths'],
  ],
  ['a field contains an Aadhaar number', { address: { addressL1: '9999 9999 0019' } }, ['address.addressL1']],
  ['callbackUrl is not http', { callbackUrl: 'ftp://a.example' }, ['callbackUrl']],
  ['returnUrl is not a URL', { returnUrl: 'done' }, ['returnUrl']],
  ['returnUrl is a script', { returnUrl: 'javascript:alert(1)' }, ['returnUrl']],
  ['returnUrl is not https', { returnUrl: 'http://app.example/done' }, ['returnUrl']],
  ['returnUrl has a password', { returnUrl: 'https://a:b@app.example/' }, ['returnUrl']],
  ['callbackUrl is in a private network', { callbackUrl: 'https://10.0.0.8/hook' }, ['callbackUrl']],
  [
    'several fields break the schema',
    { profile: { pan: 'x', dob: 3 }, address: { pincode: 'x' } },
    ['profile.contactNumber', 'profile.pan', 'profile.dob', 'address.pincode'],
  ],
  [
    'some fields break the schema and others break further rules',
    {
      profile: { contactNumber: '98', pan: 'x', dob: '2023-02-30' },
      workProfile: { income: 999, udyamNumber: 'UDYAM-MH-18-0000001', company: 'x' },
      address: { addressL1: '9999 9999 0019' },
      callbackUrl: 'https://10.0.0.8/hook',
      goldLoan: { purity: '22k' },
    },
    [
      'profile.contactNumber',
      'profile.pan',
      'profile.dob',
      'workProfile.income',
      'workProfile.udyamNumber',
      'workProfile.company',
      'address.addressL1',
      'callbackUrl',
      'goldLoan.purity',
      'journeyType',
    ],
  ],
]
for (const [title, change, fields] of refusals) {
  test(`D1 §7: a session is refused when ${title}`, async () => {
    const person = newBorrower()
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
