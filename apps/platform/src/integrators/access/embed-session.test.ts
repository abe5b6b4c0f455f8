// The single-use link to the hosted page, and the session that the page receives for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Arrival } from '@lendloom/http/server'
import { uuidv7 } from '@lendloom/seal/id'
import { newApplicant, openSession, tokenOf } from '@lendloom/tests/setup/borrower'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { embedSession, exchangeEmbedToken, mintEmbedToken } from './embed-session.ts'
import { deleteExpiredTokens, insertEmbedToken } from './store.ts'

let now = new Date('2026-11-01T10:00:00Z')
const { url, ctx, tenant, secondTenant } = await testPlatform({ BORROWER_BURST: '1000' }, () => now)
const { db, config } = ctx
const { tenantId } = tenant
const advanceClock = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

/** Creates a link to a journey and returns its token. */
async function createLink(journeyId = uuidv7()): Promise<string> {
  const { token, row } = mintEmbedToken(ctx, { tenantId, journeyId }, now)
  await insertEmbedToken(db, row)
  return token
}
const exchange = (token: string) => db.tx((tx) => exchangeEmbedToken({ ...ctx, tx, at: now }, token))
const check = async (token: string) =>
  embedSession.check(
    { headers: { authorization: `Bearer ${token}` }, at: now, answerHeaders: {} } as unknown as Arrival,
    ctx,
  )
const badSession = { kind: 'bad-session' }

test('D1 §5: a link is exchanged for a session of its journey', async () => {
  const journeyId = uuidv7()
  const session = await exchange(await createLink(journeyId))
  assert.match(session.sessionToken, /^st_/)
  assert.equal(session.expiresAt.getTime() - now.getTime(), config.EMBED_SESSION_SECONDS * 1000)
  assert.deepEqual(await check(session.sessionToken), { tenantId, journeyId, linkId: null, pageId: null })
})

test('D1 §5: exactly one of fifty concurrent exchanges of a link succeeds', async () => {
  const countOfSessions = async () =>
    (await db<{ n: number }>`select count(*)::int as n from embed_session where tenant_id = ${tenantId}`)[0]!.n
  const before = await countOfSessions()
  const token = await createLink()
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => exchange(token)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const each of results) if (each.status === 'rejected') assert.equal(each.reason.kind, 'bad-session')
  assert.equal(await countOfSessions(), before + 1)
})

test('an exchange whose transaction fails does not use up the link', async () => {
  const token = await createLink()
  const failing = db.tx(async (tx) => {
    await exchangeEmbedToken({ ...ctx, tx, at: now }, token)
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
  await exchange(token)
})

test('D1 §5: a repeated exchange with the same key returns the same session for a minute', async () => {
  const opened = await openSession(url, tenant, newApplicant())
  const body = { token: tokenOf(opened.body.embedUrl) }
  const post = (key: string) =>
    ask(`${url}/api/embed/session`, { method: 'POST', body, headers: { 'idempotency-key': key } })
  const first = await post('page-1')
  assert.equal(first.status, 200)
  const repeated = await post('page-1')
  assert.deepEqual(repeated.body.sessionToken, first.body.sessionToken)
  assert.deepEqual(repeated.body.expiresAt, first.body.expiresAt)
  assert.equal((await post('page-2')).status, 401, 'another idempotency key counts as a second use')
  advanceClock(61)
  assert.equal((await post('page-1')).status, 401)
})

test('D1 §5: a link expires after 120 s', async () => {
  assert.equal(config.EMBED_TOKEN_SECONDS, 120)
  const firstLink = await createLink()
  const secondLink = await createLink()
  advanceClock(119.999)
  await exchange(firstLink)
  advanceClock(0.001)
  await assert.rejects(exchange(secondLink), badSession)
})

test('invalid links, unknown links of another tenant and other kinds of tokens get the same refusal', async () => {
  const { sessionToken } = await exchange(await createLink())
  const token = await createLink()
  const foreign = mintEmbedToken(ctx, { tenantId: secondTenant.tenantId, journeyId: uuidv7() }, now).token
  for (const otherToken of ['', 'x', tenant.apiKey, sessionToken, foreign, token.slice(0, -1)])
    await assert.rejects(exchange(otherToken), badSession)
  await exchange(token)
})

test('a session token is accepted until it expires, and other tokens are refused', async () => {
  const token = await createLink()
  const { sessionToken, expiresAt } = await exchange(token)
  for (const otherToken of ['', 'x', token, tenant.apiKey]) await assert.rejects(check(otherToken), badSession)
  now = new Date(expiresAt.getTime() - 1)
  await check(sessionToken)
  now = expiresAt
  await assert.rejects(check(sessionToken), badSession)
})

test('D1 §5: only digests of links and sessions are stored', async () => {
  const token = await createLink()
  const { sessionToken } = await exchange(token)
  const [row] = await db<{ all: string }>`
    select (select string_agg(t::text, ' ') from embed_token t) || (select string_agg(s::text, ' ') from embed_session s) as all`
  for (const secret of [token, sessionToken]) assert.ok(!row!.all.includes(secret.slice(-40)))
})

test('only expired sessions and links are deleted', async () => {
  await db`delete from embed_session`
  const { sessionToken } = await exchange(await createLink())
  await deleteExpiredTokens(db, now)
  await check(sessionToken)
  await deleteExpiredTokens(db, new Date(now.getTime() + 1e9))
  advanceClock(5)
  await assert.rejects(check(sessionToken), badSession)
  assert.deepEqual(await db`select 1 from embed_token`, [])
})
