// The feed of an application: its lifecycle updates in a fixed order, for a receiver without an address, which keeps its
// own place. A feed is an endpoint that nobody calls: each update has a delivery to it, in the transaction of its cause.

import { daysAfter } from '@lendloom/foundation/clock'
import { invalid } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import { businessDate } from '@lendloom/lending/calendar'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import type { Context } from '#platform/context.ts'
import { bodyContext, type Update } from './delivery.ts'
import { lockApplication } from './endpoint/store.ts'
import { registerEndpoint } from './manage-endpoints.ts'
import type { Owner } from './store.ts'

/** How long a feed gives out an update again, and how long it stays without a reader. */
export const feedDays = 30

/** Shown where other endpoints have an address. */
const feedAddress = 'GET /api/lab/events'

/** Journeys whose waiting updates get their places in one call; each has at most seven. */
const maxJourneys = 200

/** A place in a feed. Updates that were given out together are in order of journeys, and each journey's of sequence. */
interface FeedPlace {
  endpointId: string
  givenAt: Date
  journeyId: string
  sequence: number
}

export interface FeedUpdate extends Omit<Update, 'tenantId' | 'applicationId' | 'status'> {
  /** A feed has no events of loans. */
  status: LifecycleStatus
  createdAt: Date
  /** The exact bytes that an endpoint would receive. */
  body: Buffer
}

export interface FeedPage {
  updates: FeedUpdate[]
  /** The place after the last update; without one that of now. */
  next: string
  hasMore: boolean
}

interface FeedQuestion {
  /** The place after which to read; null for the beginning of what is kept. */
  after: string | null
  limit: number
  at: Date
}

type FeedContext = Pick<Context, 'db' | 'seal' | 'realClock'>

/**
 * Reads updates of an application's feed after a place, which the receiver keeps. The first call begins the feed: it has
 * the updates from then on. Throws `invalid` at `after` for a place that is not of this feed, or no longer kept.
 */
export async function readFeed(
  { db, seal, realClock }: FeedContext,
  owner: Owner,
  { after, limit, at }: FeedQuestion,
): Promise<FeedPage> {
  const asked = after === null ? null : placeIn(after)
  const keptUntil = daysAfter(realClock(), feedDays)
  return db.tx(async (tx) => {
    const feed = (await openFeed(tx, owner, at, keptUntil)) ?? (await beginFeed(tx, seal, owner, { at, keptUntil }))
    const keptFrom = daysAfter(at, -feedDays)
    if (asked) requireKept(asked, feed, keptFrom)
    if (!feed.isPaused) await giveWaiting(tx, owner, feed)
    const start = { ...feed, givenAt: keptFrom, journeyId: firstJourneyId, sequence: 0 }
    const rows = await readAfter(tx, owner, asked ?? start, limit + 1)
    const given = rows.slice(0, limit)
    const last = given.at(-1)
    return {
      updates: given.map(({ bodySealed, givenAt, ...update }) => ({
        ...update,
        body: seal.open(bodySealed, bodyContext({ ...owner, ...update })),
      })),
      // Without an update it moves on too, so that the place of a receiver that only waits stays kept.
      next: textOf({ ...(last ?? { ...start, givenAt: feed.givenAt }), endpointId: feed.endpointId }),
      hasMore: rows.length > limit,
    }
  })
}

/** Before every journey. */
const firstJourneyId = '00000000-0000-0000-0000-000000000000'

interface Feed {
  endpointId: string
  /** When the updates that wait are given out: later than all that were given out before. */
  givenAt: Date
  isPaused: boolean
}

/** Locks the application's feed and keeps it for another period; undefined if there is none. */
async function openFeed(
  tx: Tx,
  { tenantId, applicationId }: Owner,
  at: Date,
  keptUntil: Date,
): Promise<Feed | undefined> {
  const [feed] = await tx<Feed>`
    update webhook_endpoint
    set feed_at = greatest(${at}::timestamptz, feed_at + interval '1 millisecond'), listens_until = ${keptUntil}
    where tenant_id = ${tenantId} and application_id = ${applicationId} and feed_at is not null
    returning endpoint_id, feed_at as given_at, paused_at is not null as is_paused`
  return feed
}

/** Begins the feed, unless another call has begun it meanwhile. */
async function beginFeed(
  tx: Tx,
  seal: Context['seal'],
  owner: Owner,
  { at, keptUntil }: { at: Date; keptUntil: Date },
): Promise<Feed> {
  await lockApplication(tx, owner)
  const begun = await openFeed(tx, owner, at, keptUntil)
  if (begun) return begun
  const input = { url: feedAddress, statuses: null, listensUntil: keptUntil, feedAt: at, at }
  const { endpoint } = await registerEndpoint(tx, seal, owner, input)
  return { endpointId: endpoint.endpointId, givenAt: at, isPaused: false }
}

/**
 * Gives the updates that wait their places. All that wait of a journey are taken together, so that a later one of the
 * journey never has an earlier place.
 */
async function giveWaiting(tx: Run, { tenantId, applicationId }: Owner, { endpointId, givenAt }: Feed): Promise<void> {
  const waiting = sql`tenant_id = ${tenantId} and application_id = ${applicationId} and destination_id = ${endpointId}
    and due_at is not null`
  await tx`
    with journeys as (
      select distinct journey_id from (
        select journey_id from webhook_delivery where ${waiting} order by due_at limit ${maxJourneys}) as oldest)
    update webhook_delivery d
    set state = 'DELIVERED', due_at = null, given_at = ${givenAt}, delivered_at = ${givenAt}, last_attempt_at = ${givenAt},
      last_answer = 'given out', took_ms = 0, attempt = d.attempt + 1, tries = d.tries + 1
    where ${waiting} and journey_id in (select journey_id from journeys)`
}

type FeedRow = Omit<FeedUpdate, 'body'> & { bodySealed: Buffer; givenAt: Date }

const readAfter = (tx: Run, { tenantId }: Owner, place: FeedPlace, limit: number): Promise<FeedRow[]> =>
  tx<FeedRow>`
    select journey_id, sequence, status, event_id, created_at, body_sealed, given_at from webhook_delivery
    where tenant_id = ${tenantId} and destination_id = ${place.endpointId} and state = 'DELIVERED'
      and body_sealed is not null
      and (given_at, journey_id, sequence) > (${place.givenAt}::timestamptz, ${place.journeyId}::uuid, ${place.sequence}::integer)
    order by given_at, journey_id, sequence limit ${limit}`

/** Writes a place for the receiver, which sends it back as it is. */
const textOf = ({ endpointId, givenAt, journeyId, sequence }: FeedPlace): string =>
  Buffer.from([endpointId, givenAt.getTime(), journeyId, sequence].join(' ')).toString('base64url')

/** Reads a place of any feed. */
function placeIn(text: string): FeedPlace {
  const [endpointId = '', ms = '', journeyId = '', sequence = '', ...rest] = Buffer.from(text, 'base64url')
    .toString('latin1')
    .split(' ')
  const isJourney = isUuid(journeyId) || journeyId === firstJourneyId
  const isPlace = isUuid(endpointId) && isJourney && /^\d{1,15}$/.test(ms) && /^\d{1,4}$/.test(sequence)
  if (!isPlace || rest.length > 0) throw invalid({ path: 'after', message: 'is not a place of this feed' })
  return { endpointId, givenAt: new Date(Number(ms)), journeyId, sequence: Number(sequence) }
}

function requireKept({ endpointId, givenAt }: FeedPlace, feed: Feed, keptFrom: Date): void {
  if (endpointId !== feed.endpointId)
    throw invalid({
      path: 'after',
      message: `is not a place of this feed, which ends after ${feedDays} days without a reader; begin again without it`,
    })
  if (givenAt < keptFrom)
    throw invalid({
      path: 'after',
      message: `is before ${businessDate(keptFrom)}, and the feed keeps updates for ${feedDays} days; begin again without it`,
    })
}
