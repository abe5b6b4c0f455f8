// GET /api/lab/events: the lifecycle updates of an application in a fixed order, for receivers without an address (D1 §6).

import { EventList, EventQuery, type FeedEvent } from '@lendloom/wire/hosted/event-feed'
import { eventVersion, type LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { route } from '#platform/context.ts'
import { apiKey } from '#platform/integrators/access/api-key.ts'
import { type FeedUpdate, readFeed } from '#platform/integrators/webhook/event-feed.ts'

const defaultLimit = 50

export const eventFeedRoute = route({
  method: 'GET',
  path: '/api/lab/events',
  section: 'D1 §6',
  operationId: 'listEvents',
  summary: 'Read lifecycle updates in order after a place that you keep; the first call begins the feed',
  auth: apiKey('webhooks'),
  query: EventQuery,
  reply: { 200: EventList },
  async handle({ who, query, at }, ctx) {
    const limit = query.limit === undefined ? defaultLimit : Number(query.limit)
    const { updates, next, hasMore } = await readFeed(ctx, who, { after: query.after ?? null, limit, at })
    return { data: { items: updates.map(toWireEvent), next, hasMore } }
  },
})

const toWireEvent = ({ eventId, journeyId, sequence, status, createdAt, body }: FeedUpdate): FeedEvent => ({
  id: eventId,
  version: eventVersion,
  journeyID: journeyId,
  sequence,
  status,
  createdAt: createdAt.toISOString(),
  payload: JSON.parse(body.toString('utf8')) as LifecycleUpdate,
})
