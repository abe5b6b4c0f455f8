// GET /api/console/journeys/{journeyId}/live: server-sent events for new timeline entries.

import { JourneyParams } from '#contract/console/journeys.ts'
import { OfTenant } from '#contract/console/staff.ts'
import { answer } from '#kit/http/server.ts'
import { applyQueue } from '#kit/messaging/inbox-rows.ts'
import { deliverQueue } from '#kit/messaging/outbox-deliver.ts'
import { isSessionOpen } from '#kit/staff/session.ts'
import { common, prefix } from '#platform/console/route.ts'
import { route } from '#platform/context.ts'
import { inboundKind } from '#platform/network/inbound/store.ts'
import { inConsole } from '#platform/staff/session.ts'
import { deliveryQueue } from '#platform/webhook/delivery.ts'
import { requireJourneyKey } from './journey-key.ts'
import { liveFeedOf } from './live-feed.ts'

/** Queues of this process whose work triggers a poll at once. */
const pollTriggers = [deliveryQueue, inboundKind, applyQueue, deliverQueue]

const live = route({
  ...common,
  auth: inConsole(),
  method: 'GET',
  path: `${prefix}/journeys/{journeyId}/live`,
  summary: 'Notifications of new timeline entries, as server-sent events',
  params: JourneyParams,
  query: OfTenant,
  async handle(call, ctx) {
    const key = await requireJourneyKey(ctx, call.who, call)
    const lastEventId = call.headers['last-event-id']
    const watcher = {
      key,
      sessionId: call.who.sessionId,
      isSignedIn: () => isSessionOpen(ctx, call.who),
      lastDigest: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : null,
    }
    const stream = liveFeedOf(ctx).watch(watcher, pollTriggers)
    return answer(200, stream, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  },
})

export const liveRoutes = [live]
