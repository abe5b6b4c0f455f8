// GET /api/console/journeys/{journeyId}/timeline: a journey's entries in order of time, and one entry in full.

import { maskedText } from '@lendloom/foundation/mask'
import { maskedDocument } from '@lendloom/foundation/mask-document'
import { isObject, isOneOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { type TimelineKind, timelineKinds } from '@lendloom/wire/console/journey-lists'
import {
  EntryParams,
  JourneyParams,
  TimelineDetail,
  type TimelineEntry,
  TimelineQuery,
  TimelineReply,
} from '@lendloom/wire/console/journeys'
import type { EventFacts } from '@lendloom/wire/console/partner-events'
import { OfTenant } from '@lendloom/wire/console/staff'
import { consolePrefix, pageOf, pageOfRows } from '#platform/api/console/console-route.ts'
import { factsOf, openEventBodies } from '#platform/api/console/lenders/partner-event-bodies.ts'
import type { PartnerEventKey } from '#platform/api/console/lenders/partner-event-store.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { type Context, route } from '#platform/context.ts'
import { readBodies } from '#platform/lenders/network/messages/store.ts'
import { detailsOf } from '#platform/people/audit/reason.ts'
import { readEntryDocument } from './entry-document.ts'
import { requireJourneyKey } from './journey-key.ts'
import { hasSubject, subjectIn } from './message-subject.ts'
import { cursorOf, positionFrom } from './timeline-cursor.ts'
import { type EntryRow, readEntry, readTimeline, type TimelineKey } from './timeline-store.ts'

const path = `${consolePrefix}/journeys/{journeyId}/timeline`

const list = route({
  ...byAnyUser,
  method: 'GET',
  path,
  summary: "A journey's timeline",
  params: JourneyParams,
  query: TimelineQuery,
  reply: { 200: TimelineReply },
  async handle(call, ctx) {
    const { who, query } = call
    const key = await requireJourneyKey(ctx, who, call)
    const page = pageOf(query)
    const found = await readTimeline(ctx.db, key, {
      kinds: kindsIn(query.kinds),
      order: query.order ?? 'oldest',
      omitsReads: query.reads === 'omit',
      after: page.after === null ? null : positionFrom(page.after),
      limit: page.limit + 1,
    })
    const rows = await withSubjects(ctx, key, await withReasons(ctx, key, found))
    const bodyOf = await openEventBodies(
      ctx,
      rows.filter(isEvent).map((row) => eventKeyOf(key, row)),
    )
    const item = (row: EntryRow) =>
      isEvent(row) ? withFacts(entryView(row), factsOf(bodyOf(eventKeyOf(key, row)))) : entryView(row)
    return pageOfRows(rows, page, { item, cursor: cursorOf })
  },
})

const kindsIn = (text: string | undefined): readonly TimelineKind[] =>
  text === undefined ? timelineKinds : text.split(',').filter((each) => isOneOf(timelineKinds, each))

const isEvent = ({ kind }: EntryRow): boolean => kind === 'partner-event'

const eventKeyOf = ({ tenantId }: TimelineKey, { id, code, params }: EntryRow): PartnerEventKey => ({
  tenantId,
  direction: code === 'event-sent' ? 'sent' : 'received',
  sender: typeof params.sender === 'string' ? params.sender : null,
  caseRef: String(params.caseRef),
  eventId: keyIn(id),
})

/** Adds the reasons of staff acts. */
async function withReasons(
  ctx: Pick<Context, 'db' | 'seal'>,
  { tenantId }: TimelineKey,
  rows: EntryRow[],
): Promise<EntryRow[]> {
  const acts = rows.flatMap(({ id, code, params }) =>
    code === 'staff-act' ? { sequence: sequenceIn(id), detail: JSON.stringify(params.detail) } : [],
  )
  const details = await detailsOf(ctx, tenantId, acts)
  return rows.map((row) =>
    row.code === 'staff-act' ? { ...row, params: { ...row.params, detail: details.get(sequenceIn(row.id)) } } : row,
  )
}

const isNamedInBody = ({ code, params }: EntryRow): boolean =>
  (code === 'network-received' || code === 'network-sent') && hasSubject(params.action)

/** Adds what messages are about and report, because several kinds of messages have one action. */
async function withSubjects(
  { db, seal }: Pick<Context, 'db' | 'seal'>,
  key: TimelineKey,
  rows: EntryRow[],
): Promise<EntryRow[]> {
  const messages = rows.filter(isNamedInBody)
  if (messages.length === 0) return rows
  const messageKeys = messages.map(({ id }) => keyIn(id))
  const bodies = await readBodies(db, seal, key, messageKeys)
  return rows.map((row) => {
    const body = isNamedInBody(row) ? bodies.get(keyIn(row.id)) : undefined
    if (body === undefined) return row
    return { ...row, params: { ...row.params, about: subjectIn(body, String(row.params.action)) } }
  })
}

const keyIn = (entryId: string): string => entryId.slice(entryId.indexOf('.') + 1)

const sequenceIn = (entryId: string): number => Number(keyIn(entryId))

const withFacts = (entry: TimelineEntry, facts: EventFacts): TimelineEntry => ({
  ...entry,
  title: { ...entry.title, params: { ...entry.title.params, ...facts } },
})

/** Masks the parameters, because texts from other systems may contain personal data. */
function entryView({ id, at, kind, code, params, state, correlationId }: EntryRow): TimelineEntry {
  const masked = maskedDocument(params)
  return {
    id,
    at: at.toISOString(),
    kind,
    title: { code, params: isObject(masked) ? { ...masked } : {} },
    state,
    correlationId,
  }
}

const detail = route({
  ...byAnyUser,
  method: 'GET',
  path: `${path}/{entryId}`,
  summary: 'A timeline entry in full, with masked personal data',
  params: EntryParams,
  query: OfTenant,
  reply: { 200: TimelineDetail },
  async handle(call, ctx) {
    const key = await requireJourneyKey(ctx, call.who, call)
    const found = await readEntry(ctx.db, key, call.params.entryId)
    const [entry] = found ? await withReasons(ctx, key, [found]) : []
    if (!entry) throw new Refusal('absent', 'there is no such entry')
    const { raw, answer = null, ...documentFields } = await readEntryDocument(ctx, key, entry)
    const masked = maskedDocument(documentFields)
    return {
      ...entryView(entry),
      detail: isObject(masked) ? { ...masked } : {},
      raw: maskedDocument(raw),
      answer: answer && { ...answer, body: answer.body === null ? null : maskedText(answer.body) },
    } satisfies TimelineDetail
  },
})

export const timelineRoutes = [list, detail]
