// GET /api/console/journeys/{journeyId}/live: server-sent events for new timeline entries.

import { deliverQueue } from '@lendloom/event-log/deliver-outbox'
import { applyQueue } from '@lendloom/event-log/inbox/inbox-store'
import { answer } from '@lendloom/http/server'
import { isSessionOpen } from '@lendloom/identity/session'
import { JourneyParams } from '@lendloom/wire/console/journeys'
import { OfTenant } from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { route } from '#platform/context.ts'
import { deliveryQueue } from '#platform/integrators/webhook/delivery.ts'
import { inboundKind } from '#platform/lenders/network/inbound/store.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { requireJourneyKey } from './journey-key.ts'
import { liveFeedOf } from './live-feed.ts'

/** Queues of this process whose work triggers a poll at once. */
const pollTriggers = [deliveryQueue, inboundKind, applyQueue, deliverQueue]

const live = route({
  ...consoleCall,
  auth: inConsole(),
  method: 'GET',
  path: `${consolePrefix}/journeys/{journeyId}/live`,
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
