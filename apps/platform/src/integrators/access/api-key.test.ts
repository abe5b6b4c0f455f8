// Authentication by API keys, with their scopes, expiry and revocation. Every invalid key gets the same refusal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Arrival } from '@lendloom/http/server'
import { uuidv7 } from '@lendloom/seal/id'
import { mintToken } from '@lendloom/seal/token'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { apiKey, issueKey, type NewKey } from './api-key.ts'
import { listKeys, revokeKey } from './store.ts'
import { createTenant } from './tenant.ts'

let now = new Date('2026-11-01T10:00:00Z')
const { ctx, tenant, secondTenant, url } = await testPlatform({}, () => now)
const { db } = ctx
const advanceClock = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

const arrival = (token: string | null): Arrival => ({
  headers: token === null ? {} : { authorization: `Bearer ${token}` },
  ip: '127.0.0.1',
  method: 'GET',
  path: '/',
  pathParams: {},
  search: '',
  at: now,
  requestId: 'r',
  correlationId: 'c',
  safeCorrelationId: 'c',
  raw: Buffer.alloc(0),
  answerHeaders: {},
})
const check = async (token: string | null, scope: 'sessions' | 'webhooks' | 'sandbox' = 'sessions') =>
  apiKey(scope).check(arrival(token), ctx)
const issue = (key: Partial<NewKey> = {}) =>
  issueKey(
    db,
    {
      tenantId: tenant.tenantId,
      applicationId: tenant.applicationId,
      label: 'test',
      scopes: ['sessions'],
      isLive: false,
      expiresAt: null,
      ...key,
    },
    now,
  )
const unknownKeyError = { kind: 'bad-api-key', message: 'the API key is missing, unknown, expired or revoked' }

test('D1 §5: a key identifies its tenant, application and scopes', async () => {
  const { apiKey: key, keyId } = await issue({ scopes: ['sessions', 'webhooks'] })
  assert.match(key, /^sk_test_/)
  assert.deepEqual(await check(key), {
    tenantId: tenant.tenantId,
    applicationId: tenant.applicationId,
    keyId,
    scopes: ['sessions', 'webhooks'],
    products: ['PERSONAL_LOAN', 'GOLD_LOAN', 'LAMF_LOAN'],
    apiVersion: null,
    addresses: [],
  })
  assert.match((await issue({ isLive: true })).apiKey, /^sk_live_/)
})

test('D1 §5: outside the sandbox only a live key works', async () => {
  const liveCtx = { ...ctx, config: { ...ctx.config, SANDBOX: false } }
  const testKey = await issue()
  const liveKey = await issue({ isLive: true })
  await assert.rejects(async () => apiKey('sessions').check(arrival(testKey.apiKey), liveCtx), {
    kind: 'bad-api-key',
    message: /sk_test_… *\) does not work outside the sandbox/,
  })
  assert.equal((await apiKey('sessions').check(arrival(liveKey.apiKey), liveCtx)).keyId, liveKey.keyId)
})

test('D1 §5: a key without the required scope is refused as forbidden', async () => {
  const { apiKey: key } = await issue({ scopes: ['webhooks'] })
  await assert.rejects(check(key), { kind: 'forbidden', details: { scope: 'sessions' } })
  await check(key, 'webhooks')
})

test('D1 §5: every missing, wrong or unknown key gets the same refusal', async () => {
  const { apiKey: key } = await issue()
  const otherTenant = await db.tx((tx) => createTenant(tx, { name: 'x', applicationName: 'x', origins: [] }, now))
  // Well formed, with a valid checksum, but not stored.
  const neverIssued = mintToken('sk_test', { tenantId: otherTenant.tenantId }, (n) => new Uint8Array(n)).token
  for (const invalidKey of [null, '', 'x', key.slice(0, -1), key.replace('sk_test', 'sk_live'), `${key}x`, neverIssued])
    await assert.rejects(check(invalidKey), unknownKeyError)
})

test('a token with the id of a key but another tenant or secret is refused, whether or not the key is cached', async () => {
  const randomOf = (secret: number) => (size: number) =>
    size === 8 ? Buffer.from('token-id') : Buffer.alloc(size, secret)
  const { token, tokenId, digest } = mintToken('sk_test', { tenantId: tenant.tenantId }, randomOf(9))
  await db`insert into api_key ${db({ tenantId: tenant.tenantId, keyId: tokenId, applicationId: tenant.applicationId, label: 'x', digest, scopes: ['sessions'], createdAt: now })}`
  const otherSecretToken = mintToken('sk_test', { tenantId: tenant.tenantId }, randomOf(8))
  const otherTenantToken = mintToken('sk_test', { tenantId: secondTenant.tenantId }, randomOf(9))
  for (let round = 0; round < 2; round++) {
    await assert.rejects(check(otherSecretToken.token), unknownKeyError)
    await assert.rejects(check(otherTenantToken.token), unknownKeyError)
    await check(token)
  }
})

test('D1 §5: a key is refused from the instant of its expiry, even if it is cached', async () => {
  const { apiKey: key } = await issue({ expiresAt: new Date(now.getTime() + 1000) })
  await check(key)
  advanceClock(0.999)
  await check(key)
  advanceClock(0.001)
  await assert.rejects(check(key), unknownKeyError)
})

test('D1 §5: a revoked key works for at most 5 s, even in constant use', async () => {
  const { apiKey: key, keyId } = await issue()
  await check(key)
  await revokeKey(db, tenant.tenantId, keyId, now)
  for (let second = 0; second < 4; second++) {
    advanceClock(1)
    await check(key)
  }
  advanceClock(1)
  await assert.rejects(check(key), unknownKeyError)
  assert.equal(await revokeKey(db, secondTenant.tenantId, keyId, now), false)
})

test('ARCHITECTURE rule 11: setting the clock back does not extend the use of a revoked key', async () => {
  const { apiKey: key, keyId } = await issue()
  await check(key)
  await revokeKey(db, tenant.tenantId, keyId, now)
  advanceClock(-3600)
  await assert.rejects(check(key), unknownKeyError)
  advanceClock(3600)
})

test('D1 §5: two keys are valid at a time, so that one can replace the other', async () => {
  const oldKey = await issue()
  const newKey = await issue()
  await Promise.all([check(oldKey.apiKey), check(newKey.apiKey)])
  await revokeKey(db, tenant.tenantId, oldKey.keyId, now)
  advanceClock(5)
  await assert.rejects(check(oldKey.apiKey), unknownKeyError)
  await check(newKey.apiKey)
})

test('D1 §5: the day of the last use is stored with one write a day', async () => {
  const { apiKey: key, keyId } = await issue()
  const lastUsed = async () => (await listKeys(db, tenant.tenantId)).find((each) => each.keyId === keyId)!.lastUsedOn
  assert.equal(await lastUsed(), null)
  await check(key)
  assert.equal(await lastUsed(), now.toISOString().slice(0, 10))
  const statementsBefore = db.statements
  for (let i = 0; i < 10; i++) await check(key)
  assert.equal(db.statements, statementsBefore)
  advanceClock(86_400)
  await check(key)
  assert.equal(await lastUsed(), now.toISOString().slice(0, 10))
})

test('D1 §5: only a digest of a key is stored', async () => {
  const { apiKey: key } = await issue()
  const [row] = await db<{ all: string }>`select string_agg(api_key::text, ' ') as all from api_key`
  assert.ok(!row!.all.includes(key.slice(-40)))
})

test('D1 §5, §7: responses 401 and 403 use the error envelope and do not contain the key', async () => {
  const { apiKey: key } = await issue({ scopes: ['webhooks'] })
  const withoutKey = await ask(`${url}/api/lab/features`)
  const withoutScope = await ask(`${url}/api/lab/features`, { key })
  assert.equal(withoutKey.status, 401)
  assert.equal(withoutKey.body.error.code, 'AUTH_INVALID_API_KEY')
  assert.equal(withoutScope.status, 403)
  assert.equal(withoutScope.body.error.code, 'ACCESS_SCOPE_MISMATCH')
  assert.ok(!JSON.stringify(withoutScope.body).includes(key))
  await assert.rejects(check(uuidv7()), unknownKeyError)
})
