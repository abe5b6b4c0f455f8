// Live updates of console pages report only new entries, and end with the session.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { consoleUser } from '@lendloom/tests/setup/console'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { liveFeed } from './live-feed.ts'
import { positionFrom } from './timeline-cursor.ts'

const platform = await testPlatform({ RATE_LIMITS: 'off' })
const { ctx, tenant, url } = platform
const { tenantId } = tenant
const journey = await journeyWithOffers(platform, [terms])
const otherJourney = await journeyWithOffers(platform, [terms])
const key = { tenantId, journeyId: journey.journeyId }
const user = await consoleUser(platform, { role: 'viewer', tenantId })

const changeJourney = (journeyId: string) =>
  ctx.db.tx(async (tx) => {
    const locked = (await lockJourney(tx, tenantId, journeyId))!
    await updateJourney(tx, locked, { lastBorrowerActAt: ctx.clock() }, ctx.clock())
  })

function readEvents(stream: AsyncIterable<unknown>) {
  let text = ''
  const done = (async () => {
    for await (const chunk of stream)
      text += typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString()
  })()
  const events = () =>
    [...text.matchAll(/^id: (\w+)\nevent: news\ndata: (.*)$/gm)].map(([, id, data]) => ({ id, ...JSON.parse(data!) }))
  return { done, events, text: () => text }
}

const feed = liveFeed(ctx, { pollMs: 20, keepAliveMs: 60 })
after(() => feed.end())
let isSignedIn = true
const watch = (lastDigest: string | null = null, sessionId = 's-1') =>
  readEvents(feed.watch({ key, sessionId, lastDigest, isSignedIn: async () => isSignedIn }, ['webhook']))

test('notifies a page only about new timeline entries of its journey', async () => {
  const page = watch()
  const [first] = await until('the first event', () => page.events().length === 1 && page.events())
  assert.ok(positionFrom(first!.newest).at <= new Date())
  await changeJourney(otherJourney.journeyId)
  await changeJourney(journey.journeyId)
  const [, second] = await until('the second event', () => page.events().length === 2 && page.events())
  assert.notEqual(second!.id, first!.id)
  // A client that reconnects with the newest digest receives only later events.
  const reconnectedPage = watch(second!.id)
  const outdatedPage = watch(first!.id)
  await until('the missed event', () => outdatedPage.events().length === 1)
  assert.deepEqual(reconnectedPage.events(), [])
  await changeJourney(journey.journeyId)
  await until('the new event', () => reconnectedPage.events().length === 1)
  feed.end()
  await Promise.all([page.done, reconnectedPage.done, outdatedPage.done])
})

test('ends the streams of an ended session, and limits streams per session and in total', async () => {
  const pages = Array.from({ length: 10 }, () => watch(null, 's-2'))
  assert.throws(() => watch(null, 's-2'), { kind: 'rate-limited' })
  await until('keep-alive lines', () => pages.every((page) => page.text().includes(': still here')))
  isSignedIn = false
  await Promise.all(pages.map(({ done }) => done))
  isSignedIn = true
  const otherPages = Array.from({ length: 100 }, (_, i) => watch(null, `s-${i}`))
  assert.throws(() => watch(null, 's-100'), { kind: 'rate-limited' })
  feed.end()
  await Promise.all(otherPages.map(({ done }) => done))
  const nextPage = watch()
  await until('a stream within the limit', () => nextPage.events().length === 1)
  feed.end()
  await nextPage.done
})

test('a stream that resumes after Last-Event-ID receives only later events', async () => {
  const open = async (headers: Record<string, string> = {}) => {
    const abort = new AbortController()
    const path = `${url}/api/console/journeys/${journey.journeyId}/live`
    const response = await fetch(path, { headers: { cookie: user.cookie, ...headers }, signal: abort.signal })
    return { response, page: readEvents(response.body!), abort }
  }
  const first = await open()
  assert.equal(first.response.status, 200)
  assert.equal(first.response.headers.get('content-type'), 'text/event-stream')
  const [event] = await until('an event', () => first.page.events().length === 1 && first.page.events())
  const second = await open({ 'last-event-id': event!.id! })
  await until('the stream', () => second.page.text().includes(': live'))
  await changeJourney(journey.journeyId)
  const [news] = await until('news', () => second.page.events().length === 1 && second.page.events())
  assert.notEqual(news!.id, event!.id)
  for (const { abort, page } of [first, second]) {
    abort.abort()
    await page.done.catch(() => {})
  }
})
