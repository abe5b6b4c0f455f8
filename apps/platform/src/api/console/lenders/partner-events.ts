// Routes for the events to and from lending partners: list, detail, and to send or apply one again.

import { retryNow } from '@lendloom/event-log/inbox-lists'
import { replay } from '@lendloom/event-log/outbox'
import { secondsAfter } from '@lendloom/foundation/clock'
import { scrub } from '@lendloom/foundation/mask'
import { maskedDocument } from '@lendloom/foundation/mask-document'
import { Refusal } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import { gapMinutes } from '@lendloom/wire/console/lists'
import {
  EventListQuery,
  EventParams,
  type PartnerEvent,
  PartnerEventDetail,
  PartnerEvents,
} from '@lendloom/wire/console/partner-events'
import { OfTenant } from '@lendloom/wire/console/staff'

import {
  badCursor,
  consoleCall,
  consolePrefix,
  instantIn,
  pageOf,
  pageOfRows,
} from '#platform/api/console/console-route.ts'

import { maskedNameIn } from '#platform/api/console/journeys/journeys.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { tenantOrPlatform } from '#platform/people/person.ts'
import { findArchivedRow, mainText } from '#platform/records/archive/read-archive.ts'
import { type PartnerNames, partnerNames } from './lending-partner-view.ts'
import { factsOf, openEventBodies } from './partner-event-bodies.ts'
import {
  countStuckEvents,
  type EventFilter,
  type EventRow,
  listEvents,
  noEventFilter,
  readNextVersion,
} from './partner-event-store.ts'

const path = `${consolePrefix}/partner`
const eventPath = `${path}/events/{direction}/{eventId}`
const eventRequest = { params: EventParams, query: OfTenant } as const
const byOperators = { ...consoleCall, auth: inConsole('operator', 'admin') } as const
const daySeconds = 86_400

interface EventDetails {
  names: PartnerNames
  body: string | null
}

const eventWire = (
  ctx: Pick<Context, 'seal'>,
  { sender, partnerId, profileSealed, ...row }: EventRow,
  { names, body }: EventDetails,
): PartnerEvent => ({
  ...row,
  partner: names.get(partnerId) ?? '',
  borrower: profileSealed && maskedNameIn(ctx, profileSealed, row),
  facts: factsOf(body),
  because: row.because && scrub(row.because),
  at: row.at.toISOString(),
  settledAt: row.settledAt?.toISOString() ?? null,
  nextTryAt: row.nextTryAt?.toISOString() ?? null,
  stuckSince: row.stuckSince?.toISOString() ?? null,
})

const events = route({
  ...byAnyUser,
  method: 'GET',
  path: `${path}/events`,
  summary: 'Events to and from the lending partner, newest first',
  query: EventListQuery,
  reply: { 200: PartnerEvents },
  async handle({ who, query, at }, ctx): Promise<PartnerEvents> {
    const tenantId = tenantOrPlatform(who, query.tenantId)
    const page = pageOf(query)
    const filter: EventFilter = {
      tenantId,
      direction: query.direction ?? null,
      state: query.state ?? null,
      type: query.type ?? null,
      caseRef: query.caseRef?.toLowerCase() ?? null,
      partnerId: query.partnerId ?? null,
      eventId: null,
      from: query.from || query.caseRef ? instantIn(query.from) : secondsAfter(at, -daySeconds),
      after: cursorIn(page.after),
      limit: page.limit + 1,
    }
    const [rows, names, stuck] = await Promise.all([
      listEvents(ctx.db, filter),
      partnerNames(ctx),
      countStuckEvents(ctx.db, tenantId, secondsAfter(at, -gapMinutes * 60)),
    ])
    const bodyOf = await openEventBodies(ctx, rows)
    const cursor = ({ at: time, eventId }: EventRow) => `${time.toISOString()}_${eventId}`
    const alert = { count: stuck.count, oldestSince: stuck.oldestSince?.toISOString() ?? null }
    return {
      ...pageOfRows(rows, page, { item: (row) => eventWire(ctx, row, { names, body: bodyOf(row) }), cursor }),
      alert,
    }
  },
})

function cursorIn(after: string | null): EventFilter['after'] {
  if (after === null) return null
  const [time = '', eventId = ''] = after.split('_')
  if (Number.isNaN(Date.parse(time)) || !isUuid(eventId)) throw badCursor()
  return { at: new Date(time), eventId }
}

interface PartnerEventRequest {
  who: ConsolePerson
  params: { direction: 'sent' | 'received'; eventId: string }
  query: { tenantId?: string | undefined }
}

async function requireEvent(db: Context['db'], { who, params, query }: PartnerEventRequest): Promise<EventRow> {
  const tenantId = tenantOrPlatform(who, query.tenantId)
  const eventKey = { tenantId, direction: params.direction, eventId: params.eventId.toLowerCase(), limit: 1 }
  const [row] = await listEvents(db, { ...noEventFilter, ...eventKey })
  if (!row) throw new Refusal('absent', 'there is no such event')
  return row
}

const get = route({
  ...byAnyUser,
  ...eventRequest,
  method: 'GET',
  path: eventPath,
  summary: 'An event with its masked body',
  reply: { 200: PartnerEventDetail },
  handle: async (call, ctx) => detailOf(ctx, await requireEvent(ctx.db, call)),
})

async function detailOf(ctx: Context, row: EventRow): Promise<PartnerEventDetail> {
  const body = await bodyOf(ctx, row)
  return {
    ...eventWire(ctx, row, { names: await partnerNames(ctx), body }),
    body: body === null ? '' : JSON.stringify(maskedDocument(JSON.parse(body)), null, 2),
    missingVersion: row.state === 'GAP' ? await readNextVersion(ctx.db, row) : null,
  }
}

/** The body, also from the archive; null if this process cannot read the archive. */
async function bodyOf(ctx: Context, row: EventRow): Promise<string | null> {
  const body = (await openEventBodies(ctx, [row]))(row)
  if (body !== null) return body
  const table = row.direction === 'sent' ? 'outbox' : 'inbox'
  const archived = await findArchivedRow(ctx, row, { table, column: 'event_id', value: row.eventId })
  return archived && mainText(archived)
}

const resendOrRetryEvent = route({
  ...byOperators,
  ...eventRequest,
  method: 'POST',
  path: `${eventPath}/again`,
  summary: 'Resend an event to the partner unchanged, or retry a waiting event of the partner',
  reply: { 200: PartnerEventDetail },
  async handle(call, ctx) {
    const { who, at } = call
    if (who.tenantId !== null) throw new Refusal('forbidden', 'only platform staff may resend or retry partner events')
    const row = await requireEvent(ctx.db, call)
    const { eventId, tenantId, caseRef, sender, direction } = row
    await ctx.db.tx(async (tx) => {
      const isDone =
        direction === 'sent'
          ? await replay(tx, { tenantId, partitionKey: caseRef, eventId }, at)
          : await retryNow(tx, sender ?? '', eventId, at)
      if (!isDone) throw new Refusal('wrong-state', 'the event is not waiting')
      const act = direction === 'sent' ? 'EVENT_REPLAYED' : 'EVENT_RETRIED'
      await noteStaffAct({ tx, at }, who, { act, subject: eventId, tenantId, detail: { caseRef, type: row.type } })
    })
    return detailOf(ctx, await requireEvent(ctx.db, call))
  },
})

export const partnerEventRoutes = [events, get, resendOrRetryEvent]
