// Tests the log of integrators' API requests: masking, sealing, search, and deletion after the retention time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import { uuidv4 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { waitFor } from '@lendloom/tests/setup/subscriber'
import type { RequestView } from '@lendloom/wire/console/request-log'
import { issueKey } from '#platform/integrators/access/api-key.ts'
import { type Bodies, bodiesContext, deleteOldRequests, loggedBorrower } from './request-log.ts'

const platform = await testPlatform({ REQUEST_LOG_DAYS: '30' })
const { ctx, tenant, secondTenant } = platform
const { tenantId, applicationId } = tenant
const api = startHeadlessClient(platform)
const developer = await consoleUser(platform, { role: 'developer', tenantId })
const path = '/developers/requests'

/** Lists the logged requests that match. Waits for `count` requests, because requests are logged with a delay. */
async function listLogged(query: string, count = 1): Promise<RequestView[]> {
  const read = async () => (await developer.ask('GET', `${path}?${query}`)).body.items
  await waitFor(async () => (await read()).length >= count)
  return read()
}

test('D2 §7: a request is logged with its status, its error and its masked bodies', async () => {
  const correlationId = uuidv4()
  const body = { ...api.newBorrower(), profile: { contactNumber: '12', pan: 'ABCPE1234F', panName: 'Asha Verma' } }
  const refused = await api.bootstrap(body, { headers: { 'x-correlation-id': correlationId } })
  const [logged, ...others] = await listLogged(`correlationId=${correlationId}&failed=true`)
  assert.equal(others.length, 0)
  const { method, route, status, error, keyId } = logged!
  assert.equal(method, 'POST')
  assert.equal(route, '/api/v1/headless/sessions')
  assert.equal(status, refused.status)
  assert.equal(error, refused.body.error.code)
  assert.ok(keyId && tenant.apiKey.includes(keyId))
  const detail = await developer.ask('GET', `${path}/${logged!.requestId}`)
  assert.equal(detail.body.reply.error.code, error)
  assert.equal(detail.body.request.borrowerExternalID, body.borrowerExternalID)
  assert.doesNotMatch(JSON.stringify(detail.body), /ABCPE1234F|Asha|sk_test_\w{20}/)
  const [row] = await ctx.db<{ bodiesSealed: Buffer }>`
    select bodies_sealed from api_request where tenant_id = ${tenantId} and request_id = ${logged!.requestId}`
  assert.equal(row!.bodiesSealed.includes(body.borrowerExternalID), false)
})

test('D2 §7: a PAN, an email address and a mobile number are masked in the logged path', async () => {
  for (const borrower of ['abcpe1234f', 'asha.k@mail.example', '98765-01234']) {
    const correlationId = uuidv4()
    await fetch(`${platform.url}/api/v1/hybrid/gold-loan/borrowers/${borrower}/journey/offers`, {
      headers: { authorization: `Bearer ${tenant.apiKey}`, 'x-correlation-id': correlationId },
    })
    await listLogged(`correlationId=${correlationId}`)
    const rows = await ctx.db<{ path: string }>`
      select path from api_request where tenant_id = ${tenantId} and correlation_id = ${correlationId}`
    assert.deepEqual(
      rows.map(({ path }) => path),
      ['/api/v1/hybrid/gold-loan/borrowers/[masked]/journey/offers'],
    )
  }
})

/** The row and the opened bodies of a logged request. */
async function storedRequest(correlationId: string) {
  await listLogged(`correlationId=${correlationId}`)
  const [row] = await ctx.db<{ requestId: string; borrowerDigest: Buffer | null; bodiesSealed: Buffer }>`
    select request_id, borrower_digest, bodies_sealed from api_request
    where tenant_id = ${tenantId} and correlation_id = ${correlationId}`
  const { requestId, borrowerDigest, bodiesSealed } = row!
  return { borrowerDigest, bodies: ctx.seal.openJson<Bodies>(bodiesSealed, bodiesContext({ tenantId, requestId })) }
}

test('DPDP §8(7): an erasure finds the borrower of a request of any size; the logged response does not name the borrower', async () => {
  const body = { ...api.newBorrower(), journeyType: 'PERSONAL_LOAN' }
  const { borrowerExternalID } = body
  const escaped = JSON.stringify(body).replace('borrowerExternalID', 'borrower\\u0045xternalID')
  const largest = 250_000
  for (const text of [JSON.stringify(body), escaped])
    for (const raw of [text, text.padEnd(20_000), text.padEnd(largest)]) {
      const correlationId = uuidv4()
      const answer = await fetch(`${platform.url}/api/v1/headless/sessions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.apiKey}`,
          'content-type': 'application/json',
          'x-correlation-id': correlationId,
          'idempotency-key': uuidv4(),
        },
        body: raw,
      })
      assert.equal(answer.status, 201)
      const { borrowerDigest, bodies } = await storedRequest(correlationId)
      assert.deepEqual(borrowerDigest, loggedBorrower(ctx.seal, tenantId, borrowerExternalID))
      assert.equal(JSON.stringify(bodies.reply).includes(borrowerExternalID), false)
      assert.equal(typeof bodies.request, raw.length > 16_384 ? 'string' : 'object')
    }
})

test('the requests of a journey are found by its id, and its timeline lists them', async () => {
  const borrower = await api.borrower()
  const started = await borrower.post('/journeys', { type: 'PERSONAL_LOAN' })
  const { journeyID } = started.body.data
  await borrower.get(`/journeys/${journeyID}/state`)
  const [read, begun] = await listLogged(`journeyId=${journeyID}`)
  assert.equal(read!.route, '/api/v1/headless/journeys/{journeyID}/state')
  assert.equal(read!.keyId, null)
  assert.equal(begun!.route, '/api/v1/headless/journeys', 'the answer names the journey that it began')
  const writes = await listLogged(`journeyId=${journeyID}&reads=omit`)
  assert.deepEqual(
    writes.map(({ method }) => method),
    ['POST'],
  )
  const timeline = await developer.ask('GET', `/journeys/${journeyID}/timeline?kinds=request`)
  assert.deepEqual(
    timeline.body.items.map(({ title }: { title: { params: { route: string } } }) => title.params.route),
    ['/api/v1/headless/journeys', '/api/v1/headless/journeys/{journeyID}/state'],
  )
  const entry = await developer.ask('GET', `/journeys/${journeyID}/timeline/${timeline.body.items[0].id}`)
  assert.equal(entry.body.raw.request.type, 'PERSONAL_LOAN')
})

test('a tenant sees only its own requests, and no request with an unknown API key is logged', async () => {
  const correlationId = uuidv4()
  const headers = { 'x-correlation-id': correlationId }
  await api.call('/sessions', { method: 'POST', token: `${tenant.apiKey.slice(0, -2)}zz`, body: {}, headers })
  await api.call('/sessions', { method: 'POST', token: secondTenant.apiKey, body: {}, headers })
  const other = await consoleUser(platform, { role: 'developer', tenantId: secondTenant.tenantId })
  const read = async () => (await other.ask('GET', `${path}?correlationId=${correlationId}`)).body.items
  await waitFor(async () => (await read()).length > 0)
  const [ownRequest, ...others] = await read()
  assert.equal(others.length, 0)
  assert.deepEqual(await listLogged(`correlationId=${correlationId}`, 0), [])
  assert.equal((await developer.ask('GET', `${path}/${ownRequest.requestId}`)).status, 404)
})

test('D1 §5: a request from an IP address that its API key does not allow gets 403 and is logged', async () => {
  const issueKeyFor = async (addresses: string[]) => {
    const key = { tenantId, applicationId, label: 'office', isLive: false, expiresAt: null, addresses }
    return ctx.db.tx((tx) => issueKey(tx, { ...key, scopes: ['sessions'] }, ctx.clock()))
  }
  const allowedKey = await issueKeyFor(['127.0.0.0/8'])
  const otherKey = await issueKeyFor(['203.0.113.7'])
  assert.equal((await api.bootstrap(api.newBorrower(), { token: allowedKey.apiKey })).status, 201)
  assert.equal((await api.bootstrap(api.newBorrower(), { token: otherKey.apiKey })).status, 403)
  const [logged] = await listLogged(`keyId=${otherKey.keyId}`)
  assert.equal(logged!.status, 403)
  const invalidKey = { applicationId, label: 'x', scopes: ['sessions'], addresses: ['10.0.0.0/8', 'office'] }
  const refused = await developer.ask('POST', '/developers/keys', invalidKey)
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.details.field, 'addresses[1]')
})

test('only requests that are older than the retention time are deleted', async () => {
  const correlationId = uuidv4()
  await api.bootstrap(api.newBorrower(), { headers: { 'x-correlation-id': correlationId } })
  await listLogged(`correlationId=${correlationId}`)
  const contextAfter = (days: number) => ({ ...ctx, clock: () => daysAfter(ctx.clock(), days) })
  await deleteOldRequests(contextAfter(29))
  assert.equal((await listLogged(`correlationId=${correlationId}`)).length, 1)
  await deleteOldRequests(contextAfter(31))
  assert.equal((await listLogged(`correlationId=${correlationId}`, 0)).length, 0)
})
