// The feed of lifecycle updates over HTTP: order, places, late commits, replays, other tenants, and its end.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import type { FeedEvent } from '@lendloom/wire/hosted/event-feed'
import type { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { deliveryOf } from '#platform/integrators/webhook/delivery.ts'
import { feedDays, readFeed } from '#platform/integrators/webhook/event-feed.ts'
import { removeStoppedListeners } from '#platform/integrators/webhook/listener.ts'
import { insertDeliveries } from '#platform/integrators/webhook/store.ts'

const { url, ctx, tenant, secondTenant } = await testPlatform()
const { db } = ctx
const owner = { tenantId: tenant.tenantId, applicationId: tenant.applicationId }

const get = (query: string, { apiKey: key } = tenant) => ask(`${url}/api/lab/events${query}`, { key })

interface Page {
  items: FeedEvent[]
  next: string
  hasMore: boolean
}
async function read(query = '', of = tenant): Promise<Page> {
  const { status, body } = await get(query, of)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const eventOf = (journeyId: string, sequence: number) => ({
  ...owner,
  journeyId,
  sequence,
  status: 'STARTED' as const,
  eventId: uuidv7(Date.now(), bucketOf(journeyId)),
})

/** The update of a real journey, by which the others are made. */
let template: LifecycleUpdate

before(async () => {
  const { next } = await read()
  const { status, body } = await openSession(url, tenant, newApplicant({ journeyType: 'PERSONAL_LOAN' }))
  assert.equal(status, 201, JSON.stringify(body))
  const [event] = (await read(`?after=${next}`)).items
  template = event!.payload
  await db`delete from webhook_endpoint`
  await db`delete from webhook_delivery`
})

const bodyOf = (journeyId: string, sequence: number): LifecycleUpdate => {
  const { borrower } = template
  const journey = { ...borrower.journey, id: journeyId, endUse: `update ${sequence}` }
  return { ...template, borrower: { ...borrower, journey } }
}

async function commit(journeyId: string, sequence: number): Promise<string> {
  const event = eventOf(journeyId, sequence)
  const body = Buffer.from(JSON.stringify(bodyOf(journeyId, sequence)))
  await db.tx((tx) => insertDeliveries(tx, deliveryOf(ctx, event, body, null), new Date()))
  return event.eventId
}

const placesIn = (items: FeedEvent[]) => items.map(({ journeyID, sequence }) => `${journeyID} ${sequence}`)

test('D1 §6: the first call begins the feed, and later ones have each update once, in order, from the place on', async () => {
  await commit(uuidv4(), 1)
  const [begun, same] = await Promise.all([read(), read()])
  assert.deepEqual(begun.items, [], 'an update before the first call has no delivery')
  assert.deepEqual(same.items, [])
  const rows = await db`select from webhook_endpoint where feed_at is not null`
  assert.equal(rows.length, 1, 'two first calls begin one feed')

  const one = uuidv4()
  const other = uuidv4()
  const ids = [await commit(one, 1), await commit(other, 1), await commit(one, 2)]
  const first = await read(`?after=${begun.next}`)
  assert.deepEqual(first.items.map(({ id }) => id).sort(), ids.toSorted())
  assert.deepEqual(
    first.items.filter(({ journeyID }) => journeyID === one).map(({ sequence }) => sequence),
    [1, 2],
  )
  for (const { payload, journeyID, sequence } of first.items) assert.deepEqual(payload, bodyOf(journeyID, sequence))
  assert.equal(first.hasMore, false)
  const idle = await read(`?after=${first.next}`)
  assert.deepEqual(idle.items, [])
  assert.equal(idle.hasMore, false)

  await commit(other, 2)
  for (const { next } of [first, idle]) assert.deepEqual(placesIn((await read(`?after=${next}`)).items), [`${other} 2`])
  // The receiver that lost its place reads all that is kept, in the same order.
  assert.deepEqual(placesIn((await read()).items), [...placesIn(first.items), `${other} 2`])
})

test('D1 §6: pages are continued by their place, and a reader that repeats a place gets the same', async () => {
  const { next: start } = await read('?limit=100')
  const journeys = Array.from({ length: 5 }, () => uuidv4())
  for (const sequence of [1, 2]) for (const journeyId of journeys) await commit(journeyId, sequence)
  const found: string[] = []
  for (let after = start, more = true; more; ) {
    const page = await read(`?limit=3&after=${after}`)
    assert.deepEqual(page, await read(`?limit=3&after=${after}`))
    assert.ok(page.items.length <= 3)
    found.push(...placesIn(page.items))
    after = page.next
    more = page.hasMore
  }
  assert.equal(found.length, 10)
  assert.equal(new Set(found).size, 10)
  for (const journeyId of journeys)
    assert.deepEqual(
      found.filter((each) => each.startsWith(journeyId)),
      [`${journeyId} 1`, `${journeyId} 2`],
    )
})

test('D1 §6: an update that commits late, after newer ones were read, comes later and is not lost', async () => {
  const { next: start } = await read('?limit=100')
  const late = uuidv4()
  const early = uuidv4()
  const lateEvent = eventOf(late, 1)
  let page: Page | undefined
  await db.tx(async (tx) => {
    const body = Buffer.from(JSON.stringify(bodyOf(late, 1)))
    await insertDeliveries(tx, deliveryOf(ctx, lateEvent, body, null), new Date())
    await commit(early, 1)
    page = await read(`?after=${start}`)
  })
  assert.deepEqual(placesIn(page!.items), [`${early} 1`])
  assert.deepEqual(placesIn((await read(`?after=${page!.next}`)).items), [`${late} 1`])
})

test('D1 §6: while people replay updates, each comes again at a new place, and readers at the same time share one order', async () => {
  const { next: start } = await read('?limit=100')
  const journeyId = uuidv4()
  const id = await commit(journeyId, 1)
  const first = await read(`?after=${start}`)
  const deliveries = await ask(`${url}/api/lab/webhook-deliveries?journeyID=${journeyId}`, { key: tenant.apiKey })
  const [delivery] = deliveries.body.data.items
  assert.equal(delivery.state, 'DELIVERED')
  const replay = `${url}/api/lab/webhook-deliveries/${delivery.id}/replay`
  assert.equal((await ask(replay, { method: 'POST', key: tenant.apiKey })).status, 202)
  const readers = await Promise.all([1, 2, 3, 4].map(() => read(`?after=${first.next}`)))
  for (const { items } of readers)
    assert.deepEqual(
      items.map((each) => each.id),
      [id],
    )
  assert.equal(new Set(readers.map(({ next }) => next)).size, 1)
})

test('D1 §6: what is no place of this feed is refused by its field, and changes nothing', async () => {
  const { next } = await read()
  const own = Buffer.from(next, 'base64url').toString('latin1')
  const written = (text: string) => Buffer.from(text).toString('base64url')
  const otherFeed = (await read('', secondTenant)).next
  const old = written(own.replace(/ \d+ /, ` ${daysAfter(new Date(), -feedDays - 1).getTime()} `))
  const refused: [string, RegExp][] = [
    ['x', /is not a place of this feed/],
    [written(`${own} 1`), /is not a place/],
    [written(own.replace(/ \d+ /, ' 1e3 ')), /is not a place/],
    [written(own.replace(/ \d+ /, ' -1 ')), /is not a place/],
    [`${next}%27`, /after/],
    ['a'.repeat(201), /after/],
    [otherFeed, /ends after 30 days without a reader; begin again/],
    [old, /keeps updates for 30 days; begin again/],
  ]
  for (const [after, why] of refused) {
    const { status, body } = await get(`?after=${after}`)
    assert.equal(status, 400, after)
    assert.equal(body.error.details.field, 'after')
    assert.match(body.error.message, why)
  }
  for (const limit of ['0', '101', '1.5']) assert.equal((await get(`?limit=${limit}`)).status, 400, limit)
  assert.equal((await ask(`${url}/api/lab/events`, {})).status, 401)
})

test('D1 §6: nobody reads the updates of another tenant', async () => {
  const { next } = await read('', secondTenant)
  await commit(uuidv4(), 1)
  assert.deepEqual((await read(`?after=${next}`, secondTenant)).items, [])
})

test('D1 §6: a paused feed gives out nothing new until it is resumed', async () => {
  const { next } = await read('?limit=100')
  const journeyId = uuidv4()
  await db`update webhook_endpoint set paused_at = now() where tenant_id = ${owner.tenantId} and feed_at is not null`
  await commit(journeyId, 1)
  assert.deepEqual((await read(`?after=${next}`)).items, [])
  await db`update webhook_endpoint set paused_at = null where tenant_id = ${owner.tenantId} and feed_at is not null`
  assert.deepEqual(placesIn((await read(`?after=${next}`)).items), [`${journeyId} 1`])
})

test('D1 §6: a feed keeps updates for 30 days, and ends after 30 days without a reader', async () => {
  const { next } = await read('?limit=100')
  await commit(uuidv4(), 1)
  await read()
  const later = daysAfter(new Date(), feedDays + 1)
  const question = { after: null, limit: 100, at: later }
  const kept = await readFeed(ctx, owner, question)
  assert.deepEqual(kept.updates, [], 'what was given out more than 30 days before')
  await assert.rejects(readFeed(ctx, owner, { ...question, after: next }), /keeps updates for 30 days/)

  await removeStoppedListeners({ ...ctx, realClock: () => daysAfter(new Date(), feedDays - 1) })
  assert.equal((await get(`?after=${kept.next}`)).status, 200, 'a feed that was read stays')
  await removeStoppedListeners({ ...ctx, realClock: () => later })
  const { status, body } = await get(`?after=${kept.next}`)
  assert.equal(status, 400)
  assert.match(body.error.message, /ends after 30 days without a reader/)
  const [entry] = await db<{ act: string }>`
    select act from audit_entry where tenant_id = ${owner.tenantId} and act = 'EVENT_FEED_ENDED'`
  assert.ok(entry)
  assert.deepEqual((await read()).items, [], 'it begins anew')
})
