// Input limits of the headless API: keys, path parameters, amounts, mobile numbers and Aadhaar numbers (D2 §8).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { headlessApi } from './routes.ts'

const platform = await testPlatform({ RATE_LIMITS: 'off' })
const api = startHeadlessClient(platform)
const asha = await api.borrower()

const malformedIds = [
  '1',
  'journey',
  uuidv4().replaceAll('-', ''),
  `{${uuidv4()}}`,
  `${uuidv4()}0`,
  `${uuidv4().slice(0, -1)}g`,
]
const pathParameters = headlessApi.routes.flatMap(({ method, path }) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([braced, name]) => ({ method, path, braced: braced!, name: name! })),
)

/** A valid body for each write, keyed by the end of its path. Writes that are not listed take an empty body. */
const validBodies: Record<string, object> = {
  '/aa/sessions': { offerID: uuidv4() },
  '/sessions': api.newBorrower(),
  '/journeys': { type: 'PERSONAL_LOAN' },
  '/resume': { resume: {} },
  '/submit': { bureauConsent: true },
  '/reject': { rejectedStage: 'OFFER_LIST', rejectionReason: 'Too dear' },
  '/loan-amount': { amount: '50000' },
  '/bank-mandate': {
    accountHolderName: 'Asha Verma',
    accountNumber: '123456789',
    ifsc: 'HDFC0000001',
    accountType: 'savings',
  },
  '/complete': { ecres: 'a', resdate: 'b', fi: 'c' },
  '/pre-part-payment': { amount: '50000' },
}

test('D2 §8: every POST, PUT and PATCH without an Idempotency-Key is refused, also for unknown journeys', async () => {
  const writes = headlessApi.routes.filter(({ method }) => method !== 'GET')
  assert.equal(writes.length, 21)
  for (const { method, path } of writes) {
    const requestPath = path.replace('/api/v1/headless', '').replace(/\{\w+\}/g, () => uuidv4())
    const [, body = {}] = Object.entries(validBodies).find(([end]) => path.endsWith(end)) ?? []
    const token = requestPath === '/sessions' ? platform.tenant.apiKey : asha.token
    const reply = await api.call(requestPath, { method, token, body, idempotencyKey: null })
    const { code, details } = reply.body.error
    assert.equal(reply.status, 400, requestPath)
    assert.equal(code, 'VALIDATION_FAILED', requestPath)
    assert.equal(details.field, 'Idempotency-Key', requestPath)
  }
})

test('D2 §8: a path parameter that is not a UUID is refused, and the refusal names the parameter', async () => {
  assert.ok(pathParameters.length > 40, `${pathParameters.length} path parameters`)
  for (const { method, path, braced, name } of pathParameters) {
    for (const malformedId of malformedIds) {
      const requestPath = path
        .replace('/api/v1/headless', '')
        .replace(braced, encodeURIComponent(malformedId))
        .replace(/\{\w+\}/g, () => uuidv4())
      const { status, body } = await api.call(requestPath, {
        method,
        token: asha.token,
        ...(method !== 'GET' && { body: {} }),
      })
      assert.equal(status, 400, `${method} ${requestPath}`)
      assert.equal(body.error?.code, 'VALIDATION_FAILED', `${method} ${requestPath}`)
      const { fields } = body.error.details
      assert.ok(
        fields.some((field: { path: string }) => field.path === name),
        `${method} ${requestPath}: ${JSON.stringify(fields)}`,
      )
    }
  }
})

test('D2 §8: an amount that is not a string of digits greater than zero is refused', async () => {
  const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
  const paths = [
    `/journeys/${journeyID}/offers/${uuidv4()}/loan-amount`,
    `/journeys/${journeyID}/post-disbursal/pre-part-payment`,
  ]
  for (const path of paths) {
    for (const amount of ['0', '-1', '1.50', '1e5', '+5', '', ' 5', '000', 50_000, null]) {
      const { status, body } = await asha.post(path, { amount })
      assert.equal(status, 400, `${path} ${amount}`)
      assert.equal(body.error.code, 'VALIDATION_FAILED', `${path} ${amount}`)
      assert.equal(body.error.details.field, 'amount', `${path} ${amount}`)
    }
    const { body } = await asha.post(path, { amount: '50000' })
    assert.notEqual(body.error.code, 'VALIDATION_FAILED', path)
  }
})

test('D2 §8: sessions and profiles with a mobile number that is not Indian are refused', async () => {
  const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
  for (const contactNumber of ['12345', '5876543210', '98765432100', '+1 9876543210', 'nine', ' ']) {
    const opened = await api.bootstrap({ ...api.newBorrower(), profile: { contactNumber } })
    const put = await asha.put(`/journeys/${journeyID}/profile`, { profile: { contactNumber } })
    for (const { status, body } of [opened, put]) {
      assert.equal(status, 400, contactNumber)
      assert.equal(body.error?.details.field, 'profile.contactNumber', contactNumber)
    }
  }
  const opened = await api.bootstrap({ ...api.newBorrower(), profile: { contactNumber: '' } })
  assert.equal(opened.status, 400)
  assert.equal(opened.body.error?.details.field, 'profile.contactNumber')
  // A session requires a mobile number. In a profile an empty string means that the field is absent.
  assert.equal((await asha.put(`/journeys/${journeyID}/profile`, { profile: { contactNumber: '' } })).status, 200)
})

test('D3 §2.1: a rejection or account holder’s name that contains an Aadhaar number is refused', async () => {
  const aadhaar = '2341 2341 2346'
  const account = {
    accountHolderName: aadhaar,
    accountNumber: '234123412346',
    ifsc: 'HDFC0000001',
    accountType: 'savings',
  }
  for (const [action, requestBody, field] of [
    ['reject', { rejectedStage: aadhaar, rejectionReason: 'Too dear' }, 'rejectedStage'],
    ['reject', { rejectedStage: 'OFFER_LIST', rejectionReason: aadhaar }, 'rejectionReason'],
    ['steps/bank-mandate', account, 'accountHolderName'],
  ] as const) {
    const { status, body } = await asha.post(`/journeys/${uuidv4()}/offers/${uuidv4()}/${action}`, requestBody)
    assert.equal(status, 400)
    assert.equal(body.error.code, 'VALIDATION_FAILED')
    assert.equal(body.error.details.field, field)
  }
})

test('D2 §4: names and identifiers that have invisible characters or turn text around are refused, and change nothing', async () => {
  const turned = 'Asha \u202eamreV'
  const created = await asha.post('/journeys', { type: 'PERSONAL_LOAN' })
  const profilePath = `/journeys/${created.body.data.journeyID}/profile`
  const joined = 'क्\u200dष'
  assert.equal((await asha.put(profilePath, { profile: { panName: joined } })).status, 200)
  const before = (await asha.get(profilePath)).body.data
  for (const [fields, field] of [
    [{ profile: { panName: turned } }, 'profile.panName'],
    [{ workProfile: { companyName: 'Tata\ufeff' } }, 'workProfile.companyName'],
    [{ address: { addressL2: '\u{e0041}Fort' } }, 'address.addressL2'],
  ] as const) {
    const { status, body } = await asha.put(profilePath, fields)
    assert.equal(status, 400)
    assert.equal(body.error.details.field, field)
  }
  assert.deepEqual((await asha.get(profilePath)).body.data, before)
  const opened = await api.bootstrap({ ...api.newBorrower(), borrowerExternalID: 'user-\u20661' })
  assert.equal(opened.status, 400)
  assert.equal(opened.body.error?.details.field, 'borrowerExternalID')
  const account = { ...validBodies['/bank-mandate'], accountHolderName: turned }
  const { status, body } = await asha.post(`/journeys/${uuidv4()}/offers/${uuidv4()}/steps/bank-mandate`, account)
  assert.equal(status, 400)
  assert.equal(body.error.details.field, 'accountHolderName')
})
