// The profile in the headless API: known and missing fields, merging, submission, and later refusals (D2 §4).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { completeProfile, startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { type Reply, testPlatform } from '@lendloom/tests/setup/platform'

const platform = await testPlatform({ RATE_LIMITS: 'off' })
const { ctx } = platform
const api = startHeadlessClient(platform)
const statusAndCode = ({ status, body }: Reply) => ({ status, code: body.error?.code })
const journeyStatusIn = ({ body }: Reply) => body.error.details.status
const faultyFields = ({ body }: Reply) => body.error.details.fields.map(({ path }: { path: string }) => path).sort()

async function beginJourney(type = 'PERSONAL_LOAN') {
  const session = api.newBorrower()
  const asha = await api.borrower(session)
  const { journeyID } = (await asha.post('/journeys', { type })).body.data
  const path = `/journeys/${journeyID}`
  return {
    asha,
    journeyID,
    contactNumber: session.profile.contactNumber,
    put: (body: unknown, options?: { idempotencyKey: string }) => asha.put(`${path}/profile`, body, options),
    get: async () => (await asha.get(`${path}/profile`)).body.data,
    submit: (body: unknown = { bureauConsent: true }, options?: { idempotencyKey: string }) =>
      asha.post(`${path}/profile/submit`, body, options),
    state: async () => (await asha.get(`${path}/state`)).body.data,
    operation: (operationID: string) => asha.get(`${path}/operations/${operationID}`),
  }
}

test('D1 §7: a change to salaried employment removes the Udyam number and the business fields', async () => {
  const { get, put, post } = await api.borrower()
  const { journeyID } = (await post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
  const path = `/journeys/${journeyID}/profile`
  const udyamNumber = 'UDYAM-MH-18-0000001'
  const business = { businessConstitution: 'proprietorship', industry: 'retail', businessCity: 'Pune' }
  const unnormalised = { gstin: ' 27aapfu0939f1zv ', annualTurnover: '0120000' }
  await put(path, { workProfile: { employmentType: 'selfEmployed', udyamNumber, ...business, ...unnormalised } })
  await put(path, { workProfile: { companyName: 'Rao Textiles' } })
  assert.deepEqual((await get(path)).body.data.workProfile, {
    employmentType: 'selfEmployed',
    companyName: 'Rao Textiles',
    udyamNumber,
    ...business,
    gstin: '27AAPFU0939F1ZV',
    annualTurnover: 120_000,
  })
  const { status, body } = await put(path, { workProfile: { employmentType: 'salaried' } })
  assert.equal(status, 200)
  assert.deepEqual(body.data.workProfile, { employmentType: 'salaried', companyName: 'Rao Textiles' })
})

test('D2 §4: the snapshot lists known, required and missing fields', async () => {
  const { get, put, contactNumber } = await beginJourney()
  const before = await get()
  assert.deepEqual(before.profile, { contactNumber })
  assert.deepEqual(before.missingFields, before.requiredFields)
  assert.ok(before.requiredFields.includes('workProfile.income') && !before.requiredFields.includes('endUse'))
  const { body } = await put({ profile: completeProfile.profile })
  assert.deepEqual(body.data.missingFields, [
    'workProfile.employmentType',
    'workProfile.income',
    'workProfile.companyName',
    'address.pincode',
  ])
  assert.deepEqual((await get()).profile, { contactNumber, ...completeProfile.profile })
})

test('D2 §4: sent fields are normalised and merged into the profile', async () => {
  const { get, put, state } = await beginJourney()
  assert.equal((await state()).status, 'STARTED')
  await put({ profile: { pan: ' abcpe1234f ', gender: 'FEMALE' }, workProfile: { employmentType: 'Self-Employed' } })
  assert.equal((await state()).status, 'PROFILE_REQUIRED')
  await put({
    profile: { dob: '29/02/1992' },
    workProfile: { income: '0085000', udyamNumber: 'udyam-mh-18-0000001' },
    bankingInformation: { accountHolderName: ' Asha Verma ', ifsc: 'hdfc0000001' },
    metadata: { campaign: 'diwali' },
  })
  await put({
    bankingInformation: { accountNumber: '123456789', accountType: 'Savings' },
    metadata: { step: 2 },
    endUse: 'travel',
  })
  const { profile, workProfile, bankingInformation, metadata, endUse } = await get()
  assert.equal(profile.pan, 'ABCPE1234F')
  assert.equal(profile.gender, 'female')
  assert.equal(profile.dob, '1992-02-29')
  const work = { employmentType: 'selfEmployed', income: 85000, udyamNumber: 'UDYAM-MH-18-0000001' }
  assert.deepEqual(workProfile, work)
  assert.deepEqual(bankingInformation, {
    accountHolderName: 'Asha Verma',
    ifsc: 'HDFC0000001',
    accountNumber: '123456789',
    accountType: 'saving',
  })
  assert.deepEqual(metadata, { campaign: 'diwali', step: 2 })
  assert.equal(endUse, 'travel')
})

test('D2 §4: metadata that is too long after a merge is refused', async () => {
  const { get, put } = await beginJourney()
  const fortyThousandCharacters = 'x'.repeat(40_000)
  assert.equal((await put({ metadata: { one: fortyThousandCharacters } })).status, 200)
  const tooLong = await put({ metadata: { two: fortyThousandCharacters } })
  assert.equal(tooLong.status, 400)
  assert.equal(tooLong.body.error?.details.field, 'metadata')
  assert.equal((await put({ metadata: { one: 'y', two: fortyThousandCharacters } })).status, 200)
  assert.deepEqual((await get()).metadata, { one: 'y', two: fortyThousandCharacters })
})

test('D2 §7: a refused profile names every wrong field and stores nothing', async () => {
  const { get, put } = await beginJourney()
  const wrongFormat = await put({
    profile: { pan: 'X', nickname: 'A' },
    workProfile: { income: '-5' },
    address: { pincode: '0123' },
    bankingInformation: { ifsc: 'HDFC' },
    banking: {},
  })
  assert.deepEqual(statusAndCode(wrongFormat), { status: 400, code: 'VALIDATION_FAILED' })
  const wrong = [
    'address.pincode',
    'banking',
    'bankingInformation.ifsc',
    'profile.nickname',
    'profile.pan',
    'workProfile.income',
  ]
  assert.deepEqual(faultyFields(wrongFormat), wrong)
  const wrongValues = await put({
    profile: { dob: '1992-02-30' },
    workProfile: { employmentType: 'salaried', income: '999', udyamNumber: 'UDYAM-MH-18-0000001' },
  })
  assert.deepEqual(faultyFields(wrongValues), ['profile.dob', 'workProfile.income', 'workProfile.udyamNumber'])
  assert.deepEqual((await get()).workProfile, {})
})

test('D2 §8: a mobile number other than the session’s is refused', async () => {
  const { put, contactNumber } = await beginJourney()
  assert.equal((await put({ profile: { contactNumber: `+91 ${contactNumber}` } })).status, 200)
  assert.deepEqual(statusAndCode(await put({ profile: { contactNumber: '12345' } })), {
    status: 400,
    code: 'VALIDATION_FAILED',
  })
  const other = await put({ profile: { contactNumber: '9812345678' } })
  assert.deepEqual(statusAndCode(other), { status: 409, code: 'STATE_PRECONDITION_FAILED' })
  assert.equal(other.body.error.details.field, 'profile.contactNumber')
})

test('D3 §2.1: twelve digits of an Aadhaar number are accepted only as the account number', async () => {
  const { put } = await beginJourney()
  const aadhaar = '234123412346'
  for (const sent of [
    { metadata: { note: aadhaar } },
    { profile: { panName: aadhaar } },
    { address: { city: aadhaar } },
    { bankingInformation: { accountHolderName: aadhaar } },
  ])
    assert.deepEqual(statusAndCode(await put(sent)), { status: 400, code: 'VALIDATION_FAILED' })
  assert.equal((await put({ bankingInformation: { accountNumber: aadhaar } })).status, 200)
})

test('D2 §4: the submission of an incomplete profile is refused with a list of the missing fields', async () => {
  const { put, submit, state } = await beginJourney()
  await put({ ...completeProfile, workProfile: { employmentType: 'salaried' } })
  const reply = await submit()
  assert.deepEqual(statusAndCode(reply), { status: 400, code: 'VALIDATION_FAILED' })
  assert.deepEqual(reply.body.error.details.missingFields, ['workProfile.income', 'workProfile.companyName'])
  assert.equal((await state()).status, 'PROFILE_REQUIRED')
})

test('D2 §4: a company’s PAN is refused for a personal loan, in the session and at submission', async () => {
  const pan = 'AABCT1332L'
  const body = api.newBorrower()
  const profile = { ...body.profile, pan }
  const refusal = await api.bootstrap({ ...body, journeyType: 'PERSONAL_LOAN', profile })
  assert.equal(refusal.status, 400)
  assert.deepEqual(faultyFields(refusal), ['profile.pan'])
  const opened = await api.bootstrap({ ...body, profile })
  assert.equal(opened.status, 201)
  const token = opened.body.data.sessionToken
  const call = (method: string, path: string, sent: unknown) => api.call(path, { method, token, body: sent })
  const { journeyID } = (await call('POST', '/journeys', { type: 'PERSONAL_LOAN' })).body.data
  const { pan: _, ...rest } = completeProfile.profile
  await call('PUT', `/journeys/${journeyID}/profile`, { ...completeProfile, profile: rest })
  const sent = await call('POST', `/journeys/${journeyID}/profile/submit`, { bureauConsent: true })
  assert.equal(sent.status, 400)
  assert.deepEqual(faultyFields(sent), ['profile.pan'])
})

test('D2 §4: a submission without bureau consent is refused', async () => {
  const { put, submit, state } = await beginJourney()
  await put(completeProfile)
  for (const sent of [{ bureauConsent: false }, {}, { bureauConsent: 'true' }]) {
    const reply = await submit(sent)
    assert.deepEqual(statusAndCode(reply), { status: 400, code: 'VALIDATION_FAILED' })
    assert.equal(reply.body.error.details.field, 'bureauConsent')
  }
  assert.equal((await state()).status, 'PROFILE_REQUIRED')
})

test('D2 §2.3: a submission returns a pending operation, locks the profile and records the consents', async () => {
  const { put, submit, state, operation, journeyID } = await beginJourney()
  await put(completeProfile)
  const { status, headers, body } = await submit()
  assert.equal(status, 202)
  assert.equal(headers.get('retry-after'), '3')
  const { operationID, ...rest } = body.data
  assert.deepEqual(rest, { status: 'ACCEPTED', pollAfterSeconds: 3 })
  const { updatedAt, ...stateFields } = await state()
  assert.deepEqual(stateFields, {
    journeyID,
    status: 'PROFILE_SUBMITTED',
    nextAction: 'WAIT_FOR_OFFERS',
    pendingOperations: ['PROFILE_SUBMISSION'],
  })
  const { startedAt, ...pending } = (await operation(operationID)).body.data
  assert.ok(Date.parse(startedAt) <= Date.parse(updatedAt))
  const operationFields = { operationID, journeyID, kind: 'PROFILE_SUBMISSION', reason: null }
  assert.deepEqual(pending, { ...operationFields, status: 'PENDING', pollAfterSeconds: 3 })
  assert.deepEqual(statusAndCode(await operation(uuidv4())), { status: 404, code: 'RESOURCE_NOT_FOUND' })
  for (const late of [await put({ address: { city: 'Pune' } }), await submit()]) {
    assert.deepEqual(statusAndCode(late), { status: 409, code: 'STATE_PRECONDITION_FAILED' })
    assert.equal(journeyStatusIn(late), 'PROFILE_SUBMITTED')
  }
  const consents = await ctx.db<{ purpose: string; channel: string }>`
    select purpose, channel from consent where journey_id = ${journeyID} order by purpose`
  assert.deepEqual(consents, [
    { purpose: 'bureau', channel: 'headless' },
    { purpose: 'data_sharing', channel: 'headless' },
  ])
  const [journey] = await ctx.db<{ endUse: string }>`select end_use from journey where journey_id = ${journeyID}`
  assert.equal(journey!.endUse, 'other', 'D2 has no field for the end use')
  await ctx.db`update journey set status = 'OFFERED' where journey_id = ${journeyID}`
  const { startedAt: _, ...succeeded } = (await operation(operationID)).body.data
  assert.deepEqual(succeeded, { ...operationFields, status: 'SUCCEEDED', pollAfterSeconds: null })
})

test('D2 §8: fifty concurrent duplicates of a submission start one search and get the same response', async () => {
  const { put, submit, journeyID } = await beginJourney()
  await put(completeProfile)
  const more = { idempotencyKey: uuidv4() }
  const replies = await Promise.all(Array.from({ length: 50 }, () => submit({ bureauConsent: true }, more)))
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [202])
  assert.equal(new Set(replies.map(({ body }) => JSON.stringify(body))).size, 1)
  const [sent] = await ctx.db<{ searches: number; operations: number }>`
    select (select count(*)::int from network_message where journey_id = ${journeyID} and action = 'search') as searches,
      (select count(*)::int from operation where journey_id = ${journeyID}) as operations`
  assert.deepEqual(sent, { searches: 1, operations: 1 })
})

test('D2 §2.2: after a search that reached no lender, a new submission is accepted', async () => {
  const { put, submit, state, operation, journeyID } = await beginJourney()
  await put(completeProfile)
  const first = (await submit()).body.data.operationID
  await ctx.db`update journey set search = 'UNANSWERED' where journey_id = ${journeyID}`
  assert.equal((await state()).status, 'PROFILE_REQUIRED')
  assert.equal((await operation(first)).body.data.status, 'FAILED')
  const second = (await submit()).body.data.operationID
  assert.equal((await operation(first)).body.data.status, 'FAILED')
  assert.equal((await operation(second)).body.data.status, 'PENDING')
})

test('D2 §4: a gold loan requires the jewellery’s weight and purity, and no work profile', async () => {
  const gold = await beginJourney('GOLD_LOAN')
  const { workProfile, ...rest } = completeProfile
  const reply = await gold.put(rest)
  assert.deepEqual(reply.body.data.missingFields, ['goldLoan.jewelleryWeightGrams', 'goldLoan.purity'])
  assert.deepEqual(statusAndCode(await gold.submit()), { status: 400, code: 'VALIDATION_FAILED' })
  assert.deepEqual(statusAndCode(await gold.put({ goldLoan: { purity: '23K' } })), {
    status: 400,
    code: 'VALIDATION_FAILED',
  })
  const complete = await gold.put({ goldLoan: { jewelleryWeightGrams: '32.5', purity: '22K' } })
  assert.deepEqual(complete.body.data.goldLoan, { jewelleryWeightGrams: 32.5, purity: '22K' })
  assert.deepEqual(complete.body.data.missingFields, [])
  assert.equal((await gold.submit()).status, 202)
  const personal = await beginJourney()
  const refusal = await personal.put({ goldLoan: { purity: '22K' } })
  assert.equal(refusal.status, 400)
  assert.equal(refusal.body.error.details.field, 'goldLoan')
})

test('D2 §4: a change to the profile of an expired journey is refused', async () => {
  const ended = await beginJourney()
  await ctx.db`update journey set active = false where journey_id = ${ended.journeyID}`
  assert.deepEqual(statusAndCode(await ended.put(completeProfile)), { status: 409, code: 'STATE_PRECONDITION_FAILED' })
  assert.equal((await ended.state()).status, 'EXPIRED')
})
