// The hybrid calls over HTTP: opening and resuming journeys, and refusals that name the field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '@lendloom/foundation/schema'
import { completeHybridProfile, hybridApiUnderTest } from '@lendloom/tests/setup/hybrid'
import { ask } from '@lendloom/tests/setup/platform'
import { HybridError, HybridStarted } from '@lendloom/wire/hosted/hybrid'
import { findPrefill } from './store.ts'

const { platform, newApplicant, base, start, offers } = await hybridApiUnderTest()
const { url, ctx, tenant, secondTenant } = platform

const account = {
  accountHolderName: 'Asha Rao',
  accountNumber: '50100123456789',
  ifsc: 'hdfc0000001',
  accountType: 'savings',
}

test('D1 §4: the response lists the missing fields, and the lenders are asked once no field is missing', async () => {
  const who = newApplicant()
  const { personal } = completeHybridProfile
  const first = await start('personal-loan', who, { personal: { contactNumber: personal.contactNumber } })
  assert.equal(first.status, 201)
  parse(HybridStarted, first.body)
  const { data } = first.body
  assert.equal(data.status, 'STARTED')
  assert.equal(data.resumed, false)
  assert.ok(data.missing_fields.includes('personal.pan') && data.missing_fields.includes('work.income'))
  assert.ok(data.missing_fields.includes('journey.bureauConsent'))
  const resumed = await start('personal-loan', who, completeHybridProfile)
  assert.equal(resumed.status, 200)
  assert.equal(resumed.body.data.resumed, true)
  assert.deepEqual(resumed.body.data.missing_fields, ['journey.bureauConsent'])
  assert.equal(resumed.body.data.journey_id, data.journey_id)
  const agreed = await start('personal-loan', who, { personal, journey: { bureauConsent: true } })
  assert.deepEqual(agreed.body.data.missing_fields, [])
  const journey = await ctx.db<{ search: string; endUse: string; bureauConsent: boolean }>`
    select search, end_use, bureau_consent from journey where journey_id = ${data.journey_id}`
  assert.deepEqual(journey, [{ search: 'OPEN', endUse: 'other', bureauConsent: true }])
  const consents = await ctx.db<{ purpose: string; channel: string }>`
    select purpose, channel from consent where journey_id = ${data.journey_id} order by purpose`
  assert.deepEqual(consents, [
    { purpose: 'bureau', channel: 'hybrid' },
    { purpose: 'data_sharing', channel: 'hybrid' },
  ])
  const again = await start('personal-loan', who, { ...completeHybridProfile, journey: { bureauConsent: true } })
  assert.equal(again.status, 200, 'the repeated call asks no lender')
  assert.deepEqual(again.body.data.missing_fields, [])
})

test('D1 §4: the embed URL opens the page of the journey', async () => {
  const { body } = await start('gold-loan', newApplicant(), {
    personal: completeHybridProfile.personal,
    goldLoan: { purity: '22K' },
  })
  const embed = new URL(body.data.embed_url)
  assert.equal(embed.pathname, '/lab/embed')
  assert.equal(embed.searchParams.get('journey_type'), 'GOLD_LOAN')
  const withTrailingSlash = await fetch(`${url}/lab/embed/${embed.search}`)
  assert.equal(withTrailingSlash.status, 200)
  assert.equal(withTrailingSlash.headers.get('content-type'), 'text/html; charset=utf-8')
  const token = new URLSearchParams(embed.hash.slice(1)).get('token')
  const session = await ask(`${url}/api/embed/session`, { method: 'POST', body: { token } })
  assert.deepEqual(session.body.view.journeyId, body.data.journey_id)
  assert.deepEqual(session.body.view.goldLoan, { purity: '22K' })
})

test('D1 §4: the page gets the returnUrl, and a returnUrl that is not https is refused', async () => {
  const who = newApplicant()
  const { body } = await start('personal-loan', who, {
    ...completeHybridProfile,
    returnUrl: 'https://app.example/done',
  })
  const token = new URLSearchParams(new URL(body.data.embed_url).hash.slice(1)).get('token')
  const session = await ask(`${url}/api/embed/session`, { method: 'POST', body: { token } })
  assert.equal(session.body.view.returnUrl, 'https://app.example/done')
  for (const returnUrl of ['done', 'http://app.example/done', 'https://a:b@app.example/']) {
    const refused = await start('personal-loan', who, { ...completeHybridProfile, returnUrl })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.details.fields?.[0]?.field ?? refused.body.error.details.field, 'returnUrl')
  }
})

test('D1 §4: a correlation id is returned as sent, or generated if missing', async () => {
  const sent = await start('personal-loan', newApplicant(), completeHybridProfile, tenant.apiKey, {
    'x-correlation-id': 'cart-77',
  })
  assert.equal(sent.body.correlation_id, 'cart-77')
  assert.equal(sent.headers.get('x-correlation-id'), 'cart-77')
  const generated = await start('personal-loan', newApplicant(), completeHybridProfile)
  assert.match(generated.body.correlation_id, /^[0-9a-f-]{36}$/)
  assert.equal(generated.headers.get('cache-control'), 'no-store')
})

test('D1 §4: the bank account is accepted in camel case and in snake case', async () => {
  const storedAccount = async (body: object) => {
    const { data } = (
      await start('personal-loan', newApplicant(), { personal: completeHybridProfile.personal, ...body })
    ).body
    const [row] = await ctx.db<{
      profileSealed: Buffer
    }>`select profile_sealed from profile where journey_id = ${data.journey_id}`
    return ctx.seal.openJson<{ bank: object }>(row!.profileSealed, `profile:${tenant.tenantId}:${data.journey_id}`).bank
  }
  const snake = {
    account_holder_name: 'Asha Rao',
    account_number: '50100123456789',
    ifsc: 'HDFC0000001',
    account_type: 'savings',
  }
  const expected = {
    accountHolderName: 'Asha Rao',
    accountNumber: '50100123456789',
    ifsc: 'HDFC0000001',
    accountType: 'saving',
  }
  assert.deepEqual(await storedAccount({ bankingInformation: account }), expected)
  assert.deepEqual(await storedAccount({ banking_information: snake }), expected)
  assert.deepEqual(await storedAccount({ banking_information: account }), expected)
})

test('D1 §4, §7: a refusal names every wrong field as sent and stores nothing', async () => {
  const { personal } = completeHybridProfile
  const cases: [product: string, body: unknown, path: string][] = [
    ['personal-loan', {}, 'personal'],
    ['personal-loan', { personal: {} }, 'personal.contactNumber'],
    ['personal-loan', { personal: { ...personal, pan: 'ABC' } }, 'personal.pan'],
    ['personal-loan', { personal: { ...personal, dob: '1992-13-01' } }, 'personal.dob'],
    ['personal-loan', { personal, work: { income: '900' } }, 'work.income'],
    [
      'personal-loan',
      { personal, work: { employmentType: 'salaried', udyamNumber: 'UDYAM-MH-18-0000001' } },
      'work.udyamNumber',
    ],
    ['personal-loan', { personal, journeyType: 'GOLD_LOAN' }, 'journeyType'],
    ['personal-loan', { personal, goldLoan: { purity: '22K' } }, 'goldLoan'],
    ['personal-loan', { personal, mfc: { folios: [] } }, 'mfc'],
    ['personal-loan', { personal, loanPreferences: { productType: 'TERM_LOAN' } }, 'loanPreferences'],
    ['gold-loan', { personal, goldLoan: { purity: '23K' } }, 'goldLoan.purity'],
    ['personal-loan', { personal, bureau: { score: 780 } }, 'journey.bureauConsent'],
    [
      'personal-loan',
      { personal, bankingInformation: { ifsc: 'HDFC0000001' } },
      'bankingInformation.accountHolderName',
    ],
    [
      'personal-loan',
      { personal, banking_information: { ifsc: 'HDFC0000001' } },
      'banking_information.account_holder_name',
    ],
    ['personal-loan', { personal, banking_information: {}, bankingInformation: account }, 'banking_information'],
    ['personal-loan', { personal, colour: 'blue' }, 'colour'],
  ]
  for (const [product, body, path] of cases) {
    const who = newApplicant()
    const { status, body: reply } = await start(product, who, body)
    assert.equal(status, 400, path)
    parse(HybridError, reply)
    assert.equal(reply.error.code, 'VALIDATION_FAILED')
    assert.ok(JSON.stringify(reply.error.details).includes(`"${path}"`), `${path}: ${JSON.stringify(reply.error)}`)
    assert.equal((await offers(product, who)).status, 404)
  }
  const all = await start('personal-loan', newApplicant(), {
    personal: { contactNumber: '98', dob: '2023-02-30' },
    work: { income: '900', employmentType: 'retired' },
    address: { addressL1: '9999 9999 0019' },
    mfc: {},
    bureau: {},
  })
  assert.deepEqual(all.body.error.details.fields.map((each: { path: string }) => each.path).sort(), [
    'address.addressL1',
    'journey.bureauConsent',
    'mfc',
    'personal.contactNumber',
    'personal.dob',
    'work.employmentType',
    'work.income',
  ])
  const tooLongId = await start('personal-loan', 'x'.repeat(129), completeHybridProfile)
  assert.equal(tooLongId.status, 400)
  assert.equal(tooLongId.body.error.details.field, 'borrowerProviderID')
  const tooLongSegment = await start('personal-loan', 'x'.repeat(600), completeHybridProfile)
  assert.equal(tooLongSegment.status, 400)
  assert.equal(tooLongSegment.body.error.message, 'a segment of the path is too long')
  assert.equal((await start('car-loan', newApplicant(), completeHybridProfile)).status, 400)
  const aadhaar = await start('personal-loan', '999999990019', completeHybridProfile)
  assert.equal(aadhaar.status, 400)
  assert.equal(aadhaar.body.error.details.field, 'borrowerProviderID')
})

test('D1 §4: bureau data is stored sealed, and bureau data of a later call replaces the stored data', async () => {
  const { personal } = completeHybridProfile
  const who = newApplicant()
  const body = { personal, journey: { bureauConsent: true }, bureau: { score: 781 } }
  const { data } = (await start('personal-loan', who, body)).body
  const journeyKey = { tenantId: tenant.tenantId, journeyId: data.journey_id }
  const storedData = async () => {
    const sealed = (await findPrefill(ctx.db, journeyKey))!
    assert.ok(!sealed.includes('781'))
    return ctx.seal.openJson(sealed, `hybrid_prefill:${journeyKey.tenantId}:${journeyKey.journeyId}`)
  }
  assert.deepEqual(await storedData(), { bureau: { score: 781 } })
  await start('personal-loan', who, { ...body, bureau: null })
  assert.deepEqual(await storedData(), { bureau: null })
})

test('D1 §4, §5: an invalid key, another tenant’s borrower and another mobile number are refused', async () => {
  const who = newApplicant()
  const refused = await start('personal-loan', who, completeHybridProfile, 'sk_test_nobody')
  assert.equal(refused.status, 401)
  assert.equal(refused.body.error.code, 'AUTH_INVALID_API_KEY')
  assert.equal(refused.body.data, null)
  parse(HybridError, refused.body)
  await start('personal-loan', who, completeHybridProfile)
  assert.equal((await offers('personal-loan', who)).status, 200)
  assert.equal((await offers('gold-loan', who)).status, 404)
  assert.equal((await offers('personal-loan', who, secondTenant.apiKey)).status, 404)
  const other = await start('personal-loan', who, { personal: { contactNumber: '9876500002' } })
  assert.equal(other.status, 409)
  assert.equal(other.body.error.code, 'STATE_PRECONDITION_FAILED')
  assert.equal(other.body.error.details.field, 'personal.contactNumber', 'the field is named as sent')
})

test('D1 §4: concurrent calls with one Idempotency-Key open one journey and get one response', async () => {
  const headers = { 'idempotency-key': 'begin-1' }
  const who = newApplicant()
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => start('personal-loan', who, completeHybridProfile, tenant.apiKey, headers)),
  )
  assert.equal(new Set(replies.map(({ body }) => body.data.embed_url)).size, 1)
  const reused = await start(
    'personal-loan',
    who,
    { ...completeHybridProfile, journey: { endUse: 'travel' } },
    tenant.apiKey,
    headers,
  )
  assert.equal(reused.status, 422)
})

test('D1 §4, §3: data and consent may arrive in several calls, and a withdrawn consent counts as missing', async () => {
  const { personal, work, address } = completeHybridProfile
  const who = newApplicant()
  const agreed = await start('personal-loan', who, { personal, journey: { bureauConsent: true } })
  assert.ok(!agreed.body.data.missing_fields.includes('journey.bureauConsent'))
  const withdrawn = await start('personal-loan', who, { personal, journey: { bureauConsent: false } })
  assert.ok(withdrawn.body.data.missing_fields.includes('journey.bureauConsent'))
  await start('personal-loan', who, { personal, work, journey: { bureauConsent: true } })
  const complete = await start('personal-loan', who, { personal, address })
  assert.deepEqual(complete.body.data.missing_fields, [])
  const [journey] = await ctx.db<{ search: string }>`
    select search from journey where journey_id = ${complete.body.data.journey_id}`
  assert.equal(journey!.search, 'OPEN')
})

test('D1 §4: data sent after the search has started is not stored', async () => {
  const who = newApplicant()
  const body = { ...completeHybridProfile, journey: { bureauConsent: true }, bureau: { score: 781 } }
  const { data } = (await start('personal-loan', who, body)).body
  await start('personal-loan', who, { ...body, bureau: { score: 300 } })
  const journeyKey = { tenantId: tenant.tenantId, journeyId: data.journey_id }
  const sealed = (await findPrefill(ctx.db, journeyKey))!
  const stored = ctx.seal.openJson(sealed, `hybrid_prefill:${journeyKey.tenantId}:${journeyKey.journeyId}`)
  assert.deepEqual(stored, { bureau: { score: 781 } })
})

test('D1 §4, §7: every refusal has the envelope of D1 §4', async () => {
  const key = tenant.apiKey
  const cases: [answer: ReturnType<typeof ask>, status: number, code: string][] = [
    [ask(`${url}/api/v1/hybrid/nothing`, { key }), 404, 'RESOURCE_NOT_FOUND'],
    [ask(base('personal-loan', 'x'), { method: 'DELETE', key }), 405, 'RESOURCE_NOT_FOUND'],
    [ask(base('personal-loan', 'x'), { method: 'POST', key, body: '{"a":' }), 400, 'VALIDATION_FAILED'],
    [ask(`${base('personal-loan', 'x')}/offers/7/hosted`, { method: 'POST', key, body: {} }), 400, 'VALIDATION_FAILED'],
  ]
  for (const [answer, status, code] of cases) {
    const reply = await answer
    assert.equal(reply.status, status)
    assert.equal(reply.body.error.code, code)
    parse(HybridError, reply.body)
  }
  const tooLongId = await start('personal-loan', newApplicant(), {}, key, { 'x-correlation-id': 'x'.repeat(129) })
  assert.match(tooLongId.body.correlation_id, /^[0-9a-f-]{36}$/)
  assert.equal(tooLongId.headers.get('x-correlation-id'), tooLongId.body.correlation_id)
})
