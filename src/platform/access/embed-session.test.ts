// The hosted page's way in: a link that works once and not for long, and the session that it is traded for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Arrival } from '#kit/http/server.ts'
import { newApplicant, openSession, tokenOf } from '#test/setup/borrower.ts'
import { ask, testPlatform } from '#test/setup/platform.ts'
import { embedSession, embedToken, tradeToken } from './embed-session.ts'
import { deleteStale, insertEmbedToken } from './store.ts'

let now = new Date('2026-11-01T10:00:00Z')
const { url, ctx, tenant, secondTenant } = await testPlatform({ BORROWER_BURST: '1000' }, () => now)
const { db, config } = ctx
const { tenantId } = tenant
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

/** A link to a journey. */
async function link(journeyId = uuidv7()): Promise<string> {
  const { token, row } = embedToken(ctx, { tenantId, journeyId }, now)
  await insertEmbedToken(db, row)
  return token
}
const trade = (token: string) => db.tx((tx) => tradeToken({ ...ctx, tx, at: now }, token))
const check = async (token: string) =>
  embedSession.check(
    { headers: { authorization: `Bearer ${token}` }, at: now, answerHeaders: {} } as unknown as Arrival,
    ctx,
  )
const refused = { kind: 'bad-session' }

test('D1 §5: a link is traded for a session of its journey, and of nothing else', async () => {
  const journeyId = uuidv7()
  const traded = await trade(await link(journeyId))
  assert.match(traded.sessionToken, /^st_/)
  assert.equal(traded.expiresAt.getTime() - now.getTime(), config.EMBED_SESSION_SECONDS * 1000)
  assert.deepEqual(await check(traded.sessionToken), { tenantId, journeyId, pageId: null })
})

test('D1 §5: of fifty trades of one link at once, one succeeds', async () => {
  const token = await link()
  const tries = await Promise.allSettled(Array.from({ length: 50 }, () => trade(token)))
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const each of tries) if (each.status === 'rejected') assert.equal(each.reason.kind, 'bad-session')
  const [row] = await db<{ n: number }>`select count(*)::int as n from embed_session where tenant_id = ${tenantId}`
  assert.equal(row!.n, 2)
})

test('a trade whose transaction fails leaves the link as it was', async () => {
  const token = await link()
  const failing = db.tx(async (tx) => {
    await tradeToken({ ...ctx, tx, at: now }, token)
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
  await trade(token)
})

test('D1 §5: a page that did not get the answer asks under its key, and has the same session for a minute', async () => {
  const opened = await openSession(url, tenant, newApplicant())
  const body = { token: tokenOf(opened.body.embedUrl) }
  const trades = (key: string) =>
    ask(`${url}/api/embed/session`, { method: 'POST', body, headers: { 'idempotency-key': key } })
  const first = await trades('page-1')
  assert.equal(first.status, 200)
  const again = await trades('page-1')
  assert.deepEqual([again.body.sessionToken, again.body.expiresAt], [first.body.sessionToken, first.body.expiresAt])
  assert.equal((await trades('page-2')).status, 401, 'another page is another use')
  later(61)
  assert.equal((await trades('page-1')).status, 401)
})

test('D1 §5: a link lives for 120 s and no longer', async () => {
  assert.equal(config.EMBED_TOKEN_SECONDS, 120)
  const [one, other] = [await link(), await link()]
  later(119.999)
  await trade(one)
  later(0.001)
  await assert.rejects(trade(other), refused)
})

test('what is no link, another kind of token, or of another secret or tenant is refused alike', async () => {
  const { sessionToken } = await trade(await link())
  const token = await link()
  const foreign = embedToken(ctx, { tenantId: secondTenant.tenantId, journeyId: uuidv7() }, now).token
  for (const wrong of ['', 'x', tenant.apiKey, sessionToken, foreign, token.slice(0, -1)])
    await assert.rejects(trade(wrong), refused)
  await trade(token)
})

test('a session ends in time, and no other token passes for one', async () => {
  const token = await link()
  const { sessionToken, expiresAt } = await trade(token)
  for (const wrong of ['', 'x', token, tenant.apiKey]) await assert.rejects(check(wrong), refused)
  now = new Date(expiresAt.getTime() - 1)
  await check(sessionToken)
  now = expiresAt
  await assert.rejects(check(sessionToken), refused)
})

test('D1 §5: neither link nor session is stored, only their digests', async () => {
  const token = await link()
  const { sessionToken } = await trade(token)
  const [row] = await db<{ all: string }>`
    select (select string_agg(t::text, ' ') from embed_token t) || (select string_agg(s::text, ' ') from embed_session s) as all`
  for (const secret of [token, sessionToken]) assert.ok(!row!.all.includes(secret.slice(-40)))
})

test('what is long past is swept away, what lives stays', async () => {
  await db`delete from embed_session`
  const { sessionToken } = await trade(await link())
  await deleteStale(db, now)
  await check(sessionToken)
  await deleteStale(db, new Date(now.getTime() + 1e9))
  await assert.rejects(check(sessionToken), refused)
  assert.deepEqual(await db`select 1 from embed_token`, [])
})
