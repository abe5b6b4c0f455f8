// Acts of staff on a journey: resend or retry partner events, advance a sandbox journey.

import { listHeldEvents, retryNow } from '@lendloom/event-log/inbox-lists'
import { listOutbox, replay } from '@lendloom/event-log/outbox'
import { Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { EventsReply, JourneyParams, MoveOnReply, MoveOnRequest } from '@lendloom/wire/console/journeys'
import { OfTenant } from '@lendloom/wire/console/staff'
import { advance } from '#platform/api/autopilot/advance-journey.ts'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { route, type TxContext } from '#platform/context.ts'
import { listCases } from '#platform/lenders/partner/store.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { requireJourneyKey } from './journey-key.ts'
import type { TimelineKey } from './timeline-store.ts'

const path = `${consolePrefix}/journeys/{journeyId}`
const journeyRoute = { params: JourneyParams, query: OfTenant } as const
/** Maximum number of events of a case that one act resends or retries. */
const maxEvents = 500

interface EventAct {
  segment: string
  summary: string
  act: string
  /** Returns the number of affected events. */
  run(write: Pick<TxContext, 'tx' | 'at'>, key: TimelineKey, caseRef: string): Promise<number>
}

/** Defines the route of an act on a journey's partner events. The audit entry counts the affected events. */
const eventsRoute = ({ segment, summary, act, run }: EventAct) =>
  route({
    ...consoleCall,
    ...journeyRoute,
    auth: inConsole('operator', 'admin'),
    method: 'POST',
    path: `${path}/${segment}`,
    summary,
    reply: { 200: EventsReply },
    async handle(call, ctx) {
      const { who, at } = call
      if (who.tenantId !== null)
        throw new Refusal('forbidden', 'only platform staff may resend or retry partner events')
      const key = await requireJourneyKey(ctx, who, call)
      const count = await ctx.db.tx(async (tx) => {
        let affected = 0
        for (const { caseRef } of await listCases(tx, key)) affected += await run({ tx, at }, key, caseRef)
        if (affected === 0) throw new Refusal('wrong-state', 'the journey has no event to resend or retry')
        const { tenantId, journeyId: subject } = key
        await noteStaffAct({ tx, at }, who, { act, subject, tenantId, detail: { events: affected } })
        return affected
      })
      return { count }
    },
  })

const replayEvents = eventsRoute({
  segment: 'replay-events',
  summary: 'Resend failed events to the partner, unchanged',
  act: 'EVENTS_REPLAYED',
  async run({ tx, at }, { tenantId }, caseRef) {
    const dead = await listOutbox(tx, { tenantId, partitionKey: caseRef, state: 'DEAD', limit: maxEvents })
    for (const event of dead) await replay(tx, event, at)
    return dead.length
  },
})

const retryEvents = eventsRoute({
  segment: 'retry-events',
  summary: 'Retry waiting events of the partner now',
  act: 'EVENTS_RETRIED',
  async run({ tx, at }, _key, caseRef) {
    const waiting = await listHeldEvents(tx, { partitionKey: caseRef, limit: maxEvents })
    for (const { sender, eventId } of waiting) await retryNow(tx, sender, eventId, at)
    return waiting.length
  },
})

const moveOn = route({
  ...consoleCall,
  ...journeyRoute,
  auth: inConsole('operator', 'admin', 'developer', 'support'),
  method: 'POST',
  path: `${path}/move-on`,
  summary: 'Drive a sandbox journey to a lifecycle status, through the acts of a borrower',
  body: MoveOnRequest,
  reply: { 202: MoveOnReply },
  async handle(call, ctx) {
    const { who, at, body } = call
    if (!ctx.config.SANDBOX) throw new Refusal('wrong-state', 'only available in the sandbox')
    const key = await requireJourneyKey(ctx, who, call)
    const status = await ctx.db.tx(async (tx) => {
      const statusBefore = await advance({ tx, at }, { ...key, applicationId: null, to: body.to })
      const { tenantId, journeyId: subject } = key
      await noteStaffAct({ tx, at }, who, { act: 'JOURNEY_MOVED_ON', subject, tenantId, detail: { to: body.to } })
      return statusBefore
    })
    return answer(202, { status, to: body.to })
  },
})

export const journeyActRoutes = [replayEvents, retryEvents, moveOn]
