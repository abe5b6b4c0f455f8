// POST /api/lab/sessions over HTTP with a database: the rules of D1 §1, §2, §5 and §7.
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { cacheBytes } from '@lendloom/foundation/cache'
import { connect } from '@lendloom/postgres/sql'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import { enter } from '@lendloom/tests/setup/borrower'
import { startHostedClient } from '@lendloom/tests/setup/hosted-api'
import { ask, type Reply } from '@lendloom/tests/setup/platform'
import { waitUntilLocked } from '@lendloom/tests/setup/programs'
import { waitFor } from '@lendloom/tests/setup/subscriber'
import { issueKey } from '#platform/integrators/access/api-key.ts'
import { revokeKey } from '#platform/integrators/access/store.ts'
import { createApplication, enableProducts } from '#platform/integrators/access/tenant.ts'
import { callbackContext } from '#platform/integrators/webhook/delivery.ts'
import { registerEndpoint, removeEndpoint } from '#platform/integrators/webhook/manage-endpoints.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { batchedOpener } from './create-session.ts'

const { platform, newBorrower, post, updatesOf } = await startHostedClient()

test('the cache of session groups uses at most 4 MiB', () => {
  // Other test files in this process also fill caches of this name.
  const before = cacheBytes().get('session-groups') ?? 0
  for (let i = 0; i < 5000; i++) batchedOpener(platform.ctx, uuidv4())
  const bytes = cacheBytes().get('session-groups')! - before
  assert.ok(bytes > 1 << 20 && bytes <= 4 << 20, `${bytes} bytes`)
})

test('D1 §2.2: the embedUrl of a session has query parameters, and a token in its fragment', async () => {
  const person = newBorrower()
  const { status, body, headers } = await post(person)
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body), ['embedUrl'])
  const url = new URL(body.embedUrl)
  assert.equal(`${url.origin}${url.pathname}`, `${platform.url}/lab/embed`)
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    tenant_id: platform.tenant.tenantId,
    application_id: platform.tenant.applicationId,
    borrower_provider_id: person.borrowerProviderID,
    journey_type: 'PERSONAL_LOAN',
  })
  assert.match(url.hash, /^#token=bt_[0-9A-Za-z]+$/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.ok(headers.get('x-correlation-id'))
})

test('D1 §2.2: the embedUrl says whether the borrower has sent the form', async () => {
  const person = newBorrower()
  const formIn = ({ body }: { body: { embedUrl: string } }) => new URL(body.embedUrl).searchParams.get('form')
  assert.equal(formIn(await post(person)), null)
  assert.equal(formIn(await post(person)), null)
  await platform.ctx.db`update journey set status = 'PROFILED' where borrower_id in (
    select borrower_id from borrower where external_id = ${person.borrowerProviderID})`
  assert.equal(formIn(await post(person)), 'sent')
})

test('D1 §2.5.1, §2.6: the STARTED update of a new journey has every field, and null for unknown values', async () => {
  const person = newBorrower()
  await post({
    ...person,
    profile: { ...person.profile, pan: ' abcpe1234f ', gender: 'FEMALE', personalemail: 'Asha@Mail.Example' },
  })
  const [update, ...laterUpdates] = await updatesOf(person.borrowerProviderID)
  assert.equal(laterUpdates.length, 0)
  const { borrower } = update!
  assert.deepEqual(borrower.profile, {
    personal: {
      panName: null,
      dob: null,
      gender: 'female',
      personalemail: 'asha@mail.example',
      contactNumber: `+91${person.profile.contactNumber}`,
    },
    work: { employmentType: null, officialemail: null, income: null, companyName: null, udyamNumber: null },
    address: { addressL1: null, addressL2: null, city: null, state: null, pincode: null },
  })
  const { id, network_transaction_id, created, updated, ...journey } = borrower.journey
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.match(network_transaction_id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  assert.equal(new Date(created).toISOString(), created)
  assert.equal(updated, created)
  assert.deepEqual(journey, {
    endUse: null,
    bureauConsent: false,
    type: 'PERSONAL_LOAN',
    status: 'STARTED',
    activity_status: 'ACTIVE',
    decision_status: null,
    lender_mode: null,
    kyc_status: null,
    emandate_status: null,
    esign_status: null,
    kyc_attempts: null,
    emandate_attempts: null,
    esign_attempts: null,
    change_in_offer: false,
    borrower_preferred_amount: null,
    borrower_preferred_tenure: null,
    lenders: [],
    offers: [],
  })
})

test('D1 §1: a second session of a borrower resumes the journey and sends no second update', async () => {
  const person = newBorrower()
  const first = await post(person)
  const second = await post({
    ...person,
    profile: { contactNumber: `+91 ${person.profile.contactNumber}`, panName: 'Asha Kulkarni' },
  })
  assert.equal(first.status, 201)
  assert.equal(second.status, 200)
  assert.notEqual(first.body.embedUrl, second.body.embedUrl)
  assert.equal((await updatesOf(person.borrowerProviderID)).length, 1)
})

test('D1 §1, §2.1: a new prefill is merged only while the journey is STARTED', async () => {
  const person = newBorrower()
  const { tenantId } = platform.tenant
  const work = {
    employmentType: 'selfEmployed',
    officialemail: 'Asha@Shop.example',
    income: '85000',
    companyName: ' Rao Stores ',
    udyamNumber: 'udyam-mh-18-0000001',
  }
  const address = {
    addressL1: '7 Fort Road',
    addressL2: 'Fort',
    city: 'Mumbai',
    state: 'Maharashtra',
    pincode: '400001',
  }
  const profile = { ...person.profile, panName: 'Asha', dob: '29/02/1992' }
  await post({ ...person, profile, workProfile: work, address })
  const [{ borrower } = assert.fail()] = await updatesOf(person.borrowerProviderID)
  assert.equal(borrower.profile.personal.panName, 'Asha')
  assert.equal(borrower.profile.personal.dob, '1992-02-29')
  assert.deepEqual(borrower.profile.work, {
    ...work,
    income: 85_000,
    companyName: 'Rao Stores',
    udyamNumber: 'UDYAM-MH-18-0000001',
  })
  assert.deepEqual(borrower.profile.address, address)

  const journeyId = borrower.journey.id
  const storedPerson = async () => (await readProfile(platform.ctx.db, platform.ctx, { tenantId, journeyId })).person
  const secondPrefill = {
    ...person,
    profile: { ...person.profile, panName: 'Asha Rao' },
    address: { pincode: '400002' },
  }
  await post(secondPrefill)
  const merged = await storedPerson()
  assert.equal(merged.personal.panName, 'Asha Rao')
  assert.equal(merged.personal.dob, '1992-02-29')
  assert.equal(merged.work.income, 85_000)
  assert.deepEqual(merged.address, { ...address, pincode: '400002' })
  await platform.ctx.db`update journey set status = 'PROFILED', search = 'CLOSED' where journey_id = ${journeyId}`
  assert.equal((await post({ ...secondPrefill, profile: { ...person.profile, panName: 'Ignored' } })).status, 200)
  assert.deepEqual(await storedPerson(), merged)
})

test('D1 §1: every product is enabled for a new application', async () => {
  const { tenantId } = platform.tenant
  const applicationId = await platform.ctx.db.tx((tx) =>
    createApplication(tx, { tenantId, name: 'New', origins: [] }, new Date()),
  )
  const key = { tenantId, applicationId, label: 'new', scopes: ['sessions' as const], isLive: false, expiresAt: null }
  const { apiKey } = await issueKey(platform.ctx.db, key, new Date())
  for (const each of [apiKey, platform.tenant.apiKey]) {
    const { body } = await ask(`${platform.url}/api/lab/features`, { key: each })
    assert.deepEqual(
      body.products,
      ['PERSONAL_LOAN', 'GOLD_LOAN', 'LAMF_LOAN'].map((type) => ({ type, enabled: true })),
    )
  }
})

test('D1 §1: every API refuses a new journey of a disabled product and resumes an active journey', async () => {
  const { tenantId } = platform.tenant
  const { db } = platform.ctx
  const applicationId = await db.tx((tx) => createApplication(tx, { tenantId, name: 'One', origins: [] }, new Date()))
  const keyFields = {
    tenantId,
    applicationId,
    label: 'one',
    scopes: ['sessions' as const],
    isLive: false,
    expiresAt: null,
  }
  const newKey = async () => (await issueKey(db, keyFields, new Date())).apiKey
  const person = newBorrower()
  const gold = { ...person, journeyType: 'GOLD_LOAN' }
  const openStatus = async (request: object) => (await post(request, {}, await newKey())).status
  assert.equal(await openStatus(gold), 201)
  await enableProducts(db, tenantId, applicationId, ['PERSONAL_LOAN'])
  assert.equal(await openStatus(gold), 200, 'the active journey is resumed')
  assert.equal(await openStatus(person), 201)

  const key = await newKey()
  const refused = await post({ ...newBorrower(), journeyType: 'GOLD_LOAN' }, {}, key)
  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'ACCESS_SCOPE_MISMATCH')
  assert.equal(refused.body.error.details.product, 'GOLD_LOAN')
  const { borrowerProviderID, profile } = newBorrower()
  const hybrid = await ask(`${platform.url}/api/v1/hybrid/gold-loan/borrowers/${borrowerProviderID}/journey`, {
    method: 'POST',
    key,
    body: { personal: profile },
  })
  assert.equal(hybrid.status, 403)
  assert.equal(hybrid.body.error.code, 'ACCESS_SCOPE_MISMATCH')
  const headless = `${platform.url}/api/v1/headless`
  const headers = () => ({ 'idempotency-key': uuidv4() })
  const session = { borrowerExternalID: uuidv4(), profile: newBorrower().profile }
  const createHeadlessSession = (changes: object) =>
    ask(`${headless}/sessions`, { method: 'POST', key, body: { ...session, ...changes }, headers: headers() })
  const goldSession = await createHeadlessSession({ journeyType: 'GOLD_LOAN' })
  assert.equal(goldSession.status, 403)
  assert.equal(goldSession.body.error.code, 'ACCESS_SCOPE_MISMATCH')
  const { body } = await createHeadlessSession({})
  const token = body.data.sessionToken
  const begin = (type: string) =>
    ask(`${headless}/journeys`, { method: 'POST', key: token, body: { type }, headers: headers() })
  const goldJourney = await begin('GOLD_LOAN')
  assert.equal(goldJourney.status, 403)
  assert.equal(goldJourney.body.error.code, 'ACCESS_SCOPE_MISMATCH')
  assert.equal((await begin('PERSONAL_LOAN')).status, 201)
})

test('D1 §2.1: an empty string counts as absent in an optional field and is refused in a required field', async () => {
  const person = newBorrower()
  const empty = { pan: '', panName: '', dob: '', gender: '', personalemail: '' }
  const body = {
    ...person,
    profile: { ...person.profile, ...empty },
    workProfile: { income: '', udyamNumber: '', employmentType: '', companyName: '' },
    address: { addressL1: '', pincode: '' },
    callbackUrl: '',
  }
  assert.equal((await post(body)).status, 201)
  const [update] = await updatesOf(person.borrowerProviderID)
  assert.equal(update!.borrower.profile.personal.dob, null)
  assert.equal(update!.borrower.profile.work.income, null)
  const wrong = { ...body, borrowerProviderID: '', profile: { ...body.profile, contactNumber: '', pan: ' ' } }
  const refused = await post(wrong)
  const fields = refused.body.error.details.fields.map(({ path }: { path: string }) => path)
  assert.equal(refused.status, 400)
  assert.deepEqual(fields.sort(), ['borrowerProviderID', 'profile.contactNumber', 'profile.pan'])
})

test('D1 §2.1: the refusal of an unknown query parameter or a duplicate JSON key names it', async () => {
  const { apiKey: key } = platform.tenant
  const refusalOf = async (path: string, options: object) => {
    const { status, body } = await ask(`${platform.url}${path}`, { key, ...options })
    return { status, code: body.error.code, field: body.error.details.field }
  }
  assert.deepEqual(await refusalOf('/api/lab/features?application=x', {}), {
    status: 400,
    code: 'VALIDATION_FAILED',
    field: 'application',
  })
  const body = newBorrower()
  const method = 'POST'
  assert.deepEqual(await refusalOf('/api/lab/sessions?dryRun=1', { method, body }), {
    status: 400,
    code: 'VALIDATION_FAILED',
    field: 'dryRun',
  })
  const duplicateKey = JSON.stringify(body).replace('"profile":{', '"profile":{"contactNumber":"9876500000",')
  const reply = await fetch(`${platform.url}/api/lab/sessions`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: duplicateKey,
  })
  const { error } = (await reply.json()) as { error: { code: string; details: { field: string } } }
  assert.equal(reply.status, 400)
  assert.equal(error.code, 'VALIDATION_FAILED')
  assert.equal(error.details.field, 'profile.contactNumber')
})

test('D1 §2.3.1: two tenants may use the same identifier for different borrowers', async () => {
  const person = newBorrower()
  await post(person)
  const other = await post(person, {}, platform.secondTenant.apiKey)
  assert.equal(other.status, 201)
  const ids = (await updatesOf(person.borrowerProviderID)).map(({ borrower }) => borrower.id)
  assert.equal(new Set(ids).size, 2)
})

test('D1 §2.3.3: another identifier with the same mobile number creates a new borrower', async () => {
  const person = newBorrower()
  await post(person)
  const { status } = await post({ ...person, borrowerProviderID: `${person.borrowerProviderID}-again` })
  assert.equal(status, 201)
})

test('D1 §2.3.2, §2.3.4: a known identifier with another mobile number is refused', async () => {
  const person = newBorrower()
  await post(person)
  const { status, body } = await post({ ...person, profile: { contactNumber: '6000000001' } })
  assert.equal(status, 409)
  assert.equal(body.error.code, 'STATE_PRECONDITION_FAILED')
  assert.equal(body.error.details.field, 'profile.contactNumber')
})

test('D1 §1: fifty concurrent sessions of a new borrower create one borrower and one journey', async () => {
  const person = newBorrower()
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(person)))
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 200).length, 49)
  assert.equal((await updatesOf(person.borrowerProviderID)).length, 1)
})

for (const [sent, expected] of [
  ['salaried', 'salaried'],
  ['SelfEmployed', 'selfEmployed'],
  ['self-employed', 'selfEmployed'],
  ['Self Employed', 'selfEmployed'],
] as const) {
  test(`D1 §2.1: employmentType ${sent} becomes ${expected}`, async () => {
    const person = newBorrower()
    await post({ ...person, workProfile: { employmentType: sent, income: '0050000', udyamNumber: null } })
    const [update] = await updatesOf(person.borrowerProviderID)
    assert.equal(update!.borrower.profile.work.employmentType, expected)
    assert.equal(update!.borrower.profile.work.income, 50000)
  })
}

test('D1 §2.4: the update of a gold loan has gold_loan, with null for unknown values', async () => {
  const person = newBorrower()
  const goldLoan = {
    userType: 'individual',
    constitution: null,
    jewelleryWeightGrams: '12.5',
    purity: '22K',
    endUse: 'marriage',
    bureauConsent: true,
  }
  await post({ ...person, journeyType: 'GOLD_LOAN', workProfile: { income: 1 }, goldLoan })
  const [update] = await updatesOf(person.borrowerProviderID)
  assert.deepEqual(update!.borrower.profile.gold_loan, {
    userType: 'individual',
    constitution: null,
    jewelleryWeightGrams: 12.5,
    purity: '22K',
  })
  assert.equal(update!.borrower.journey.endUse, 'marriage')
  assert.equal(update!.borrower.journey.bureauConsent, true)
  assert.equal(update!.borrower.journey.type, 'GOLD_LOAN')
  const withoutGold = newBorrower()
  await post({ ...withoutGold, journeyType: 'GOLD_LOAN' })
  const [secondUpdate] = await updatesOf(withoutGold.borrowerProviderID)
  assert.deepEqual(secondUpdate!.borrower.profile.gold_loan, {
    userType: null,
    constitution: null,
    jewelleryWeightGrams: null,
    purity: null,
  })
})

test('D1 §1, §2.1: a new prefill updates the bureau consent of a resumed journey', async () => {
  const person = { ...newBorrower(), journeyType: 'GOLD_LOAN' }
  const bureauConsent = async () => {
    const rows = await platform.ctx.db<{ bureauConsent: boolean }>`
      select j.bureau_consent from journey j join borrower b using (bucket, tenant_id, borrower_id)
      where b.external_id = ${person.borrowerProviderID}`
    return rows[0]!.bureauConsent
  }
  await post(person)
  assert.equal(await bureauConsent(), false)
  await post({ ...person, goldLoan: { bureauConsent: true } })
  assert.equal(await bureauConsent(), true)
  await post({ ...person, goldLoan: { purity: '22K' } })
  assert.equal(await bureauConsent(), true, 'an omitted consent is unchanged')
  await post({ ...person, goldLoan: { bureauConsent: false } })
  assert.equal(await bureauConsent(), false)
})

test('D1 §2.1, FIS12 §7.7: a weight is rounded to the milligram', async () => {
  const grams: unknown[] = []
  for (const jewelleryWeightGrams of [0.1 + 0.2, 12.34567, '0024.500', 0.001]) {
    const person = { ...newBorrower(), journeyType: 'GOLD_LOAN', goldLoan: { jewelleryWeightGrams } }
    await post(person)
    const [update] = await updatesOf(person.borrowerProviderID)
    grams.push(update!.borrower.profile.gold_loan!.jewelleryWeightGrams)
  }
  assert.deepEqual(grams, [0.3, 12.346, 24.5, 0.001])
})

test('D1 §5: a request with a missing or invalid key, or with a borrower token, returns 401', async () => {
  const key = platform.tenant.apiKey
  for (const wrong of [
    '',
    'sk_test_nonsense',
    `${key}x`,
    `${key.slice(0, -8)}${key.slice(-8) === '00000000' ? '11111111' : '00000000'}`,
    key.replace('sk_test', 'st'),
  ]) {
    const { status, body } = await post(newBorrower(), {}, wrong)
    assert.equal(status, 401, wrong)
    assert.equal(body.error.code, 'AUTH_INVALID_API_KEY')
  }
})

test('D1 §5: a request with a key without the sessions scope returns 403', async () => {
  const { tenantId, applicationId } = platform.tenant
  const { apiKey } = await issueKey(
    platform.ctx.db,
    { tenantId, applicationId, label: 'narrow', scopes: ['webhooks'], isLive: false, expiresAt: null },
    new Date(),
  )
  const { status, body } = await post(newBorrower(), {}, apiKey)
  assert.equal(status, 403)
  assert.equal(body.error.code, 'ACCESS_SCOPE_MISMATCH')
})

test('D1 §5: a request with an expired or revoked key returns 401', async () => {
  const { tenantId, applicationId } = platform.tenant
  const common = { tenantId, applicationId, label: 'old', scopes: ['sessions' as const], isLive: false }
  const expired = await issueKey(platform.ctx.db, { ...common, expiresAt: new Date(Date.now() - 1000) }, new Date())
  assert.equal((await post(newBorrower(), {}, expired.apiKey)).status, 401)
  const revoked = await issueKey(platform.ctx.db, { ...common, expiresAt: null }, new Date())
  await revokeKey(platform.ctx.db, tenantId, revoked.keyId, new Date())
  assert.equal((await post(newBorrower(), {}, revoked.apiKey)).status, 401)
})

test('a refused request returns the envelope, whatever the reason', async () => {
  const key = platform.tenant.apiKey
  const url = `${platform.url}/api/lab/sessions`
  const cases: [Promise<Reply>, number][] = [
    [ask(url, { method: 'POST', key, body: '{"a":' }), 400],
    [ask(url, { method: 'POST', key, body: '[]' }), 400],
    [ask(url, { method: 'POST', key, body: 'x', headers: { 'content-type': 'text/plain' } }), 415],
    [ask(url, { method: 'POST', key, body: JSON.stringify({ a: 'x'.repeat(300_000) }) }), 413],
    [ask(`${platform.url}/api/lab/nothing`, { key }), 404],
    [ask(url, { method: 'DELETE', key }), 405],
  ]
  for (const [answer, expected] of cases) {
    const { status, body } = await answer
    assert.equal(status, expected)
    assert.deepEqual(Object.keys(body), ['requestID', 'correlationID', 'timestamp', 'data', 'error'])
    assert.deepEqual(Object.keys(body.error), ['code', 'message', 'retryable', 'details'])
  }
})

test('a valid correlation id is returned, and an invalid one is replaced', async () => {
  const { headers } = await post(newBorrower(), { 'x-correlation-id': 'order-77' })
  assert.equal(headers.get('x-correlation-id'), 'order-77')
  const invalidId = await post({}, { 'x-correlation-id': 'x'.repeat(129) })
  assert.match(invalidId.body.correlationID, /^[0-9a-f-]{36}$/)
})

test('D2 §8: a repeated Idempotency-Key replays the response, or is refused with another body', async () => {
  const person = newBorrower()
  const headers = { 'idempotency-key': '"first-call"' }
  const first = await post(person, headers)
  const again = await post(person, { 'idempotency-key': 'first-call' })
  assert.equal(first.status, 201)
  assert.equal(again.status, 201)
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const other = await post({ ...person, profile: { ...person.profile, panName: 'Other' } }, headers)
  assert.equal(other.status, 422)
  assert.equal(other.body.error.details.field, 'Idempotency-Key')
  assert.equal((await post(newBorrower(), { 'idempotency-key': 'x'.repeat(256) })).status, 400)
})

test('D2 §8: fifty concurrent requests with one key have one effect and one response', async () => {
  const person = newBorrower()
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(person, { 'idempotency-key': 'burst' })))
  assert.equal(new Set(answers.map(({ body }) => body.embedUrl)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
})

test('a session for a new borrower takes one SQL statement', async () => {
  const person = newBorrower()
  await post(newBorrower())
  const before = platform.ctx.db.statements
  await post(person)
  assert.equal(platform.ctx.db.statements - before, 1)
})

/** Whether a statement runs that waits for no lock, such as a look-up of a request that has not reached its table. */
async function hasRunningStatement(): Promise<boolean> {
  const running = await platform.ctx.db`
    select from pg_stat_activity
    where datname = current_database() and state = 'active' and wait_event_type is distinct from 'Lock'
      and backend_type = 'client backend' and pid <> pg_backend_pid()`
  return running.length > 0
}

/** Sends requests while their table is locked, so that the requests are concurrent even on a slow machine. */
async function sendConcurrently<T>(count: number, send: () => Promise<T>): Promise<T> {
  let readBodies = 0
  const onStart = (message: unknown) =>
    void (message as { request: IncomingMessage }).request.once('end', () => void readBodies++)
  const blocker = connect(platform.ctx.config.DATABASE_URL, { connections: 1 })
  diagnostics.subscribe('http.server.request.start', onStart)
  try {
    const sent = await blocker.tx(async (tx) => {
      await tx`lock table borrower in share row exclusive mode`
      const answers = send()
      await waitFor(async () => readBodies >= count)
      // All bodies have arrived. While two statements wait for the table, the other requests gather for the next one.
      await waitUntilLocked(platform.ctx.db, () => false, 2)
      await waitFor(async () => !(await hasRunningStatement()))
      return [answers] as const
    })
    return await sent[0]
  } finally {
    diagnostics.unsubscribe('http.server.request.start', onStart)
    await blocker.close()
  }
}

test('ARCHITECTURE rule 7: concurrent sessions share commits, and duplicates create no journey', async () => {
  const people = Array.from({ length: 40 }, newBorrower)
  const knownBorrower = newBorrower()
  await post(knownBorrower)
  const all = [...people, people[0]!, knownBorrower]
  const answers = await sendConcurrently(all.length, () => Promise.all(all.map((each) => post(each))))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, ...people.map(() => 201)])
  const journeys = await platform.ctx.db<{ writer: string }>`
    select journey.xmin::text as writer from journey join borrower using (bucket, tenant_id, borrower_id)
    where external_id = any(${people.map(({ borrowerProviderID }) => borrowerProviderID)})`
  assert.equal(journeys.length, people.length)
  const transactions = new Set(journeys.map(({ writer }) => writer)).size
  assert.ok(transactions < people.length / 2, `${transactions} transactions`)
})

test('D1 §6: concurrent sessions share SQL statements but not profile, event, token or callback', async () => {
  const { db, seal } = platform.ctx
  const { tenantId, applicationId } = platform.tenant
  const subscription = { url: 'http://127.0.0.1:9/hook', statuses: ['STARTED' as const] }
  const { endpoint } = await db.tx((tx) =>
    registerEndpoint(tx, seal, { tenantId, applicationId }, { ...subscription, at: new Date() }),
  )
  const borrowers = Array.from({ length: 32 }, (_, i) => ({
    ...newBorrower(),
    ...(i % 2 === 0 && { callbackUrl: `http://127.0.0.1:9/callback-${i}` }),
  }))
  const before = db.statements
  const answers = await sendConcurrently(borrowers.length, () => Promise.all(borrowers.map((each) => post(each))))
  assert.ok(answers.every(({ status }) => status === 201))
  assert.ok(db.statements - before <= borrowers.length / 2, `${db.statements - before} statements`)
  for (const { borrowerProviderID, ...rest } of borrowers) {
    const rows = await db<{
      journeyId: string
      destinationId: string
      callbackUrlSealed: Buffer | null
      eventId: string
    }>`
      select d.journey_id, d.destination_id, d.callback_url_sealed, d.event_id from borrower b
      join journey j using (bucket, tenant_id, borrower_id) join profile using (bucket, tenant_id, journey_id)
      join lifecycle_event e using (bucket, tenant_id, journey_id) join embed_token using (bucket, tenant_id, journey_id)
      join webhook_delivery d on d.bucket = j.bucket and d.tenant_id = j.tenant_id and d.event_id = e.event_id
      where b.external_id = ${borrowerProviderID}`
    const callbackDeliveries = rows.filter((row) => row.callbackUrlSealed)
    const endpointDeliveries = rows.filter((row) => !row.callbackUrlSealed)
    assert.deepEqual(
      endpointDeliveries.map(({ destinationId }) => destinationId),
      [endpoint.endpointId],
    )
    const context = callbackContext({ tenantId, journeyId: endpointDeliveries[0]!.journeyId })
    assert.deepEqual(
      callbackDeliveries.map(({ callbackUrlSealed }) => seal.open(callbackUrlSealed!, context).toString()),
      'callbackUrl' in rest ? [rest.callbackUrl] : [],
    )
  }
  await db.tx((tx) => removeEndpoint({ tx, at: new Date() }, { tenantId, applicationId }, endpoint.endpointId))
})

test('the database contains no personal data in plain text', async () => {
  const person = newBorrower()
  await post({ ...person, profile: { ...person.profile, pan: 'ABCPE1234F', panName: 'Asha Unmistakable' } })
  const tables = await platform.ctx.db<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = 'public'`
  for (const { name } of tables) {
    const { rows } = await platform.ctx.db.pool.query(`select t::text as row from ${name} t`)
    for (const { row } of rows as { row: string }[]) {
      assert.ok(
        !row.includes('ABCPE1234F') && !row.includes('Unmistakable') && !row.includes(person.profile.contactNumber),
        name,
      )
      assert.ok(!row.includes(Buffer.from('Unmistakable').toString('hex')), name)
    }
  }
})

test('D1 §7: a session request returns 503 with Retry-After while the disk of the database is full', async () => {
  const person = newBorrower()
  const { pool } = platform.ctx.db
  await pool.query(`create function no_space() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
  await pool.query('create trigger no_space before insert on journey execute function no_space()')
  const { status, headers, body } = await post(person)
  assert.equal(status, 503)
  assert.equal(headers.get('retry-after'), '30')
  assert.equal(body.error.retryable, true)
  assert.equal((await fetch(`${platform.url}/readyz`)).status, 503)
  await pool.query('drop trigger no_space on journey')
  assert.equal((await post(person)).status, 201)
})

test('D1 §2.3.4: a session after an application without an offer, or an expired one, begins with its details, unless they were withdrawn', async () => {
  const { db, seal } = platform.ctx
  const person = newBorrower()
  const profile = { ...person.profile, panName: 'Asha Kulkarni', pan: 'ABCPE1234F' }
  const address = { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' }
  const endWithoutOffer = async () => {
    const [{ journeyId, tenantId } = assert.fail()] = await db<{ journeyId: string; tenantId: string }>`
      update journey set status = 'NOT_OFFERED', active = false where active and borrower_id in (
        select borrower_id from borrower where external_id = ${person.borrowerProviderID}) returning journey_id, tenant_id`
    return { journeyId, tenantId }
  }
  const detailsOfNext = async (body: object = person) => {
    await post(body)
    const [journey] = await db<{ journeyId: string; tenantId: string }>`
      select journey_id, tenant_id from journey where active and borrower_id in (
        select borrower_id from borrower where external_id = ${person.borrowerProviderID})`
    return (await readProfile(db, { seal }, journey!)).person
  }
  const first = { ...person, profile, address, workProfile: { employmentType: 'salaried', income: '85000' } }
  await post(first)
  await endWithoutOffer()
  const moved = { ...person, address: { addressL1: '9 Hill Road' } }
  const { personal, work, address: home } = await detailsOfNext(moved)
  assert.equal(personal.panName, 'Asha Kulkarni')
  assert.equal(personal.pan, 'ABCPE1234F')
  assert.equal(work.income, 85_000)
  assert.deepEqual(home, { ...address, addressL1: '9 Hill Road' }, 'what the app sends now counts')

  const ended = await endWithoutOffer()
  await db`update journey set updated_at = updated_at - interval '91 days' where journey_id = ${ended.journeyId}`
  assert.equal((await detailsOfNext()).personal.panName, undefined, 'older than 90 days')

  await post(first)
  await db`update journey set status = 'OFFERED', active = false, end_reason = 'OFFERS_EXPIRED' where active and borrower_id in (
    select borrower_id from borrower where external_id = ${person.borrowerProviderID})`
  assert.equal((await detailsOfNext()).personal.panName, 'Asha Kulkarni', 'expired')
  const { view } = await enter(platform.url, (await post(person)).body.embedUrl)
  assert.equal(view.lastApplication?.expired, true)

  const withdrawn = await endWithoutOffer()
  const row = { ...withdrawn, bucket: bucketOf(withdrawn.journeyId), consentId: uuidv4(), channel: 'hosted' }
  await db`insert into consent_withdrawal ${db({ ...row, withdrawnAt: new Date() })}`
  assert.equal((await detailsOfNext()).personal.panName, undefined, 'withdrawn')
})
