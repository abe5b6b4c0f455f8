// Bulk replays in the console: count, start, list, stop and resume.

import { Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { ListOfTenant, OfTenant } from '@lendloom/wire/console/staff'
import { Replay, ReplayCount, ReplayParams, ReplayRequest, Replays } from '@lendloom/wire/console/webhooks'
import { consolePrefix, instantIn, pageById, pageOfRows } from '#platform/api/console/console-route.ts'
import { byAnyUser, byDevelopers } from '#platform/api/console/rights.ts'
import { applicationsOf } from '#platform/api/console/tenant-store.ts'
import { route } from '#platform/context.ts'
import {
  countReplay,
  resumeReplay,
  startReplay,
  stopReplay,
} from '#platform/integrators/webhook/bulk-replay/control-replay.ts'
import { defaultUpdatesPerSecond, type ReplayFilter } from '#platform/integrators/webhook/bulk-replay/replay.ts'
import { findReplay, listReplays } from '#platform/integrators/webhook/bulk-replay/store.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { personIdOf, tenantOf } from '#platform/people/person.ts'
import { replayWire } from './webhook-view.ts'

const path = `${consolePrefix}/webhooks/replays`
const replayRoute = { params: ReplayParams, query: OfTenant } as const

/** A filter without states selects the updates that were given up or stopped. */
const filterOf = ({ endpointId, journeyId, states, statuses, from, until }: ReplayRequest['filter']): ReplayFilter => ({
  endpointId: endpointId ?? null,
  journeyId: journeyId ?? null,
  states: states ?? ['EXHAUSTED', 'STOPPED'],
  statuses: statuses ?? null,
  from: instantIn(from),
  until: instantIn(until),
})

const create = route({
  ...byDevelopers,
  method: 'POST',
  path,
  summary: 'Count the deliveries of a replay, or start it',
  query: OfTenant,
  body: ReplayRequest,
  reply: { 200: ReplayCount, 201: Replay },
  async handle({ who, query, body, at }, { db }) {
    const tenantId = tenantOf(who, query.tenantId)
    const { perSecond = defaultUpdatesPerSecond, dryRun = false } = body
    const applicationIds = (await applicationsOf(db, tenantId)).map(({ applicationId }) => applicationId)
    const scope = { tenantId, applicationIds, filter: filterOf(body.filter) }
    if (dryRun) {
      const counts = await countReplay(db, scope)
      return { ...counts, seconds: Math.ceil(counts.updates / perSecond) } satisfies ReplayCount
    }
    const newReplay = await db.tx(async (tx) => {
      const started = await startReplay({ tx, at }, scope, { perSecond, personId: personIdOf(who) })
      const { replayId, journeys, updates } = started
      const detail = { journeys, updates, perSecond, ...auditDetailOf(body.filter) }
      await noteStaffAct({ tx, at }, who, { act: 'WEBHOOK_REPLAY_BEGUN', subject: replayId, tenantId, detail })
      return started
    })
    return answer(201, replayWire(newReplay))
  },
})

/** Converts the filter's values to texts, because the detail of an audit entry has no nested values. */
const auditDetailOf = (filter: ReplayRequest['filter']): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]))

const list = route({
  ...byAnyUser,
  method: 'GET',
  path,
  summary: 'Replays, newest first',
  query: ListOfTenant,
  reply: { 200: Replays },
  async handle({ who, query }, { db }): Promise<Replays> {
    const page = pageById(query)
    const rows = await listReplays(db, tenantOf(who, query.tenantId), { ...page, limit: page.limit + 1 })
    return pageOfRows(rows, page, { item: replayWire, cursor: ({ replayId }) => replayId })
  },
})

const get = route({
  ...byAnyUser,
  ...replayRoute,
  method: 'GET',
  path: `${path}/{replayId}`,
  summary: 'The progress of a replay',
  reply: { 200: Replay },
  async handle({ who, params, query }, { db }): Promise<Replay> {
    const found = await findReplay(db, { tenantId: tenantOf(who, query.tenantId), ...params })
    if (!found) throw new Refusal('absent', 'there is no such replay')
    return replayWire(found)
  },
})

const replayActRoute = (name: string, summary: string, act: string, run: typeof stopReplay) =>
  route({
    ...byDevelopers,
    ...replayRoute,
    method: 'POST',
    path: `${path}/{replayId}/${name}`,
    summary,
    reply: { 200: Replay },
    handle: ({ who, params, query, at }, { db }) =>
      db.tx(async (tx): Promise<Replay> => {
        const tenantId = tenantOf(who, query.tenantId)
        const replay = await run({ tx, at }, { tenantId, ...params })
        await noteStaffAct({ tx, at }, who, { act, subject: params.replayId, tenantId })
        return replayWire(replay)
      }),
  })

export const replayRoutes = [
  create,
  list,
  get,
  replayActRoute('stop', 'Stop a replay', 'WEBHOOK_REPLAY_STOPPED', stopReplay),
  replayActRoute('resume', 'Resume a stopped replay', 'WEBHOOK_REPLAY_RESUMED', resumeReplay),
]
