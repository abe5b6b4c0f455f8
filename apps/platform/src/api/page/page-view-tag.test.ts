// Polls of the hosted page: 304 without a body while nothing has changed, 200 after each kind of change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { productIds } from '@lendloom/lending/product/products'
import { sql } from '@lendloom/postgres/sql'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { statementsOf } from '@lendloom/tests/setup/round-trips'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { mintEmbedToken } from '#platform/integrators/access/embed-session.ts'
import { insertEmbedToken } from '#platform/integrators/access/store.ts'
import { lockJourney, setPageSequence } from '#platform/lending/journey/store.ts'
import { setSelected } from '#platform/lending/offer/store.ts'
import { initialStep } from '#platform/lending/step/step.ts'
import { storeStep } from '#platform/lending/step/store.ts'
import { pageViewOf } from './page-view.ts'
import { clockChangeOf } from './page-view-tag.ts'
import { rowVersionsOf } from './store.ts'

let now = new Date('2026-11-23T06:30:00.000Z')
const platform = await testPlatform({ BORROWER_BURST: '1000' }, () => now)
const { ctx, tenant, url } = platform
const { tenantId } = tenant

async function openPage(journeyId: string, pageId = '') {
  const { token, row } = mintEmbedToken(ctx, { tenantId, journeyId }, now)
  await ctx.db.tx((tx) => insertEmbedToken(tx, row))
  const headers: Record<string, string> = pageId ? { 'x-page-id': pageId.repeat(32) } : {}
  const entered = await ask(`${url}/api/embed/session`, { method: 'POST', body: { token }, headers })
  assert.equal(entered.status, 200)
  return (tag: string | null = null, query = 'after=9') =>
    ask(`${url}/api/embed/journey?${query}`, {
      key: entered.body.sessionToken,
      headers: { ...headers, ...(tag !== null && { 'if-none-match': tag }) },
    })
}

const tagOf = ({ headers }: { headers: Headers }): string => {
  const tag = headers.get('etag')
  assert.ok(tag, 'the response has a tag')
  return tag
}

test('D1 §6: a poll of an unchanged view is answered 304 without a body, and is never stored by the browser', async () => {
  const { journeyId } = await journeyWithOffers(platform, [terms])
  const poll = await openPage(journeyId)
  const tag = tagOf(await poll(tagOf(await poll())))
  const unchanged = await poll(tag)
  assert.equal(unchanged.status, 304)
  assert.equal(unchanged.body, '')
  assert.equal(tagOf(unchanged), tag)
  const bytes = [...unchanged.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
  const statusLine = 'HTTP/1.1 304 Not Modified\r\n\r\n'.length
  assert.ok(statusLine + bytes <= 300, `${statusLine + bytes} bytes`)
  assert.equal(unchanged.headers.get('cache-control'), 'no-store')
  const claimed = await poll(tag, 'after=9&claim=1')
  assert.equal(claimed.status, 200, 'a page that claims the journey gets the view')
})

test('D1 §6: each kind of change answers 200 with another tag', async () => {
  const { journeyId } = await journeyWithOffers(platform, [terms])
  const poll = await openPage(journeyId)
  await setPageSequence(ctx.db, tenantId, journeyId, 9)
  const key = sql`tenant_id = ${tenantId} and journey_id = ${journeyId}`
  const switchedOff = sql`select l.bpp_id, l.provider_id from lender l join offer o using (tenant_id, lender_id) where o.journey_id = ${journeyId}`
  const changes: Record<string, () => PromiseLike<unknown>> = {
    'the journey': () => ctx.db`update journey set change_in_offer = true where ${key}`,
    'another page': () => ctx.db`update journey set page_id = ${'a'.repeat(32)} where ${key}`,
    'the profile': () => ctx.db`update profile set profile_sealed = profile_sealed where ${key}`,
    'an offer': () => ctx.db`update offer set final_terms = false where ${key}`,
    'a lender': () =>
      ctx.db`update lender set updated_at = updated_at where lender_id in (select lender_id from offer where ${key})`,
    'an update': () => ctx.db`delete from lifecycle_event where ${key} and sequence = 1`,
    'the application': () => ctx.db`update application set name = 'Renamed' where tenant_id = ${tenantId}`,
    'a lender that is switched off': () =>
      ctx.db`insert into lender_switch (tenant_id, bpp_id, provider_id, reason, off_at)
        select ${tenantId}::uuid, w.bpp_id, w.provider_id, 'check', now() from (${switchedOff}) w`,
    'a lender that is switched on': () =>
      ctx.db`delete from lender_switch s using (${switchedOff}) w where s.bpp_id = w.bpp_id and s.provider_id = w.provider_id`,
    'a step': () => ctx.db.tx((tx) => storeStep(tx, { tenantId, journeyId }, initialStep('kyc'), now)),
  }
  let tag = tagOf(await poll())
  for (const [change, make] of Object.entries(changes)) {
    assert.equal((await poll(tag)).status, 304, `before ${change}`)
    await make()
    const changed = await poll(tag)
    assert.equal(changed.status, 200, change)
    assert.notEqual(tagOf(changed), tag, change)
    tag = tagOf(changed)
  }
})

test('D1 §6: the tag of another journey, page or query, or an invalid one, never hides the view', async () => {
  const { journeyId } = await journeyWithOffers(platform, [terms])
  const other = await journeyWithOffers(platform, [terms])
  const poll = await openPage(journeyId)
  const pollOther = await openPage(other.journeyId)
  const tag = tagOf(await poll())
  const tagOfOther = tagOf(await pollOther())
  const answer = await poll(tagOfOther)
  assert.equal(answer.status, 200)
  assert.equal(answer.body.view.journeyId, journeyId)
  assert.equal((await pollOther(tagOfOther)).status, 304)
  assert.equal((await poll(tag, 'after=8')).status, 200, 'with other updates')
  const state = tag.slice(3, 25)
  for (const invalid of [
    '*',
    '""',
    state,
    `W/"${state}"`,
    `W/"${state}.0"`,
    `W/"${state}.-"`,
    `${tag}, ${tag}`,
    'x'.repeat(4000),
  ])
    assert.equal((await poll(invalid)).status, 200, invalid.slice(0, 60))
  const pollAsPage = await openPage(journeyId, 'c')
  const answerToPage = await pollAsPage(tag)
  assert.equal(answerToPage.status, 200, 'another page load')
  assert.equal((await ask(`${url}/api/embed/journey`, { headers: { 'if-none-match': tag } })).status, 401)
})

test('D1 §6: only a poll with newer updates writes their number and reads the versions again', async () => {
  const { journeyId } = await journeyWithOffers(platform, [terms])
  const poll = await openPage(journeyId)
  await poll()
  const count = (known: number) =>
    statementsOf(ctx.db, async () => {
      await ctx.db`update journey set page_sequence = ${known} where tenant_id = ${tenantId} and journey_id = ${journeyId}`
      await poll('', 'after=1')
    })
  assert.equal(await count(0), (await count(1)) + 2)
})

test('D1 §6: a tag ends when the clock changes the view', async () => {
  const { journeyId } = await journeyWithOffers(platform, [terms], 1)
  const poll = await openPage(journeyId)
  const started = now
  let tag = tagOf(await poll())
  let views = 0
  for (let seconds = 1; seconds <= 90; seconds++) {
    now = secondsAfter(started, seconds)
    const answer = await poll(tag)
    if (answer.status === 304) continue
    views++
    tag = tagOf(answer)
  }
  assert.ok(views >= 6 && views < 20, `${views} views in 90 seconds, in which the wait has eight texts`)
  now = started
})

test('D1 §6: the next change by the clock is the lapse of an offer, a deadline, the wait, midnight, or five minutes', () => {
  const at = new Date('2026-11-23T06:30:00.000Z')
  const none = { lenders: [], offers: [], selected: null, grievances: null, servicing: [], drawdowns: [] }
  const seconds = (view: object, from = at) =>
    (clockChangeOf({ ...none, ...view } as unknown as EmbedView, from).getTime() - from.getTime()) / 1000
  const waiting = (...all: (number | null)[]) => ({ lenders: all.map((waitedSeconds) => ({ waitedSeconds })) })
  assert.equal(seconds({}), 300)
  assert.equal(seconds({}, new Date('2026-11-23T18:28:00.000Z')), 120, 'midnight in India')
  assert.equal(seconds({ offers: [{ validUntil: null }, { validUntil: '2026-11-23T06:31:00.000Z' }] }), 60)
  assert.equal(seconds({ offers: [{ validUntil: '2026-11-23T06:30:00.000Z' }] }), 300, 'an offer that has lapsed')
  assert.equal(seconds({ selected: { terms: { validUntil: '2026-11-23T06:30:01.000Z' } } }), 1)
  assert.equal(seconds({ grievances: { items: [{ dueAt: '2026-11-23T06:30:20.000Z' }] } }), 20)
  assert.deepEqual(
    [waiting(0), waiting(9), waiting(59), waiting(60), waiting(3599, null)].map((view) => seconds(view)),
    [9, 0, 0, 59, 0],
  )
})

test('D1 §6: the tag depends on every table that the view reads', async () => {
  const { journeyId, offerIds } = await journeyWithOffers(platform, [terms])
  const texts: string[] = []
  const patched = new WeakSet<object>()
  ctx.db.pool.on('acquire', (client) => {
    if (patched.has(client)) return
    patched.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    Object.assign(client, {
      query(statement: unknown, ...others: unknown[]) {
        if (typeof statement === 'object' && statement && 'text' in statement) texts.push(String(statement.text))
        return query(statement, ...others)
      },
    })
  })
  const tables = () =>
    new Set(
      texts.splice(0).flatMap((text) => [...text.matchAll(/\b(?:from|join) ([a-z_]+)/g)].map(([, name]) => name!)),
    )
  await ctx.db`update journey set status = 'DISBURSED' where tenant_id = ${tenantId} and journey_id = ${journeyId}`
  await rowVersionsOf(ctx.db, { tenantId, journeyId })
  const tagged = tables()
  assert.ok(tagged.size > 15)
  await ctx.db.tx(async (tx) => {
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const choice = { offerId: offerIds[0]!, lockSource: 'hosted', branchId: null, pledges: [] }
    await setSelected(tx, journey, choice, now)
  })
  tables()
  for (const type of productIds)
    for (const status of ['STARTED', 'OFFERED', 'LENDER_REDIRECTED', 'DISBURSED', 'NOT_OFFERED', 'REJECTED']) {
      await ctx.db`update journey set type = ${type}, status = ${status} where tenant_id = ${tenantId} and journey_id = ${journeyId}`
      await pageViewOf(ctx, { tenantId, journeyId }, null, now)
    }
  // Cached figures of all journeys; the lending partners, which only a page that does not poll shows; and entries, which
  // are written with their complaint.
  const untagged = ['figure', 'lending_partner', 'complaint_entry', 'unnest', 'lateral']
  const read = [...tables()].filter((table) => !untagged.includes(table))
  assert.ok(read.includes('partner_document') && read.includes('lender_switch'), 'the statements were recorded')
  assert.deepEqual(
    read.filter((table) => !tagged.has(table)),
    [],
  )
})
