// The lending partner in the console: events in both directions, retries and files.

import { retryNow } from '@lendloom/event-log/inbox'
import { replay } from '@lendloom/event-log/outbox'
import { secondsAfter } from '@lendloom/foundation/clock'
import { maskedDocument, scrub } from '@lendloom/foundation/mask'
import { Refusal } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import { gapMinutes } from '@lendloom/wire/console/lists'
import {
  EventListQuery,
  EventParams,
  FileParams,
  type PartnerEvent,
  PartnerEventDetail,
  PartnerEvents,
  PartnerFile,
  PartnerFiles,
} from '@lendloom/wire/console/partner-events'
import { ListOfTenant, OfTenant } from '@lendloom/wire/console/staff'
import { maskedNameIn } from '#platform/api/console/journeys/journeys.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { badCursor, common, instant, pageById, paged, pageOf, prefix } from '#platform/api/console/route.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { listPartners } from '#platform/lenders/partner/directory/store.ts'
import { retryRefusedUpload } from '#platform/lenders/partner/reactions/uploading.ts'
import { listUnstoredDocuments } from '#platform/lenders/partner/store.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { tenantOrPlatform } from '#platform/people/person.ts'
import { inConsole } from '#platform/people/session.ts'
import { findArchivedRow, mainText } from '#platform/records/archive/read.ts'
import { factsOf, openEventBodies } from './event-facts.ts'
import {
  countStuckEvents,
  type EventFilter,
  type EventRow,
  listEvents,
  listUnstoredFiles,
  noEventFilter,
  type PartnerFileRow,
  readNextVersion,
} from './partner-store.ts'

const path = `${prefix}/partner`
const eventPath = `${path}/events/{direction}/{eventId}`
const eventRequest = { params: EventParams, query: OfTenant } as const
const byOperators = { ...common, auth: inConsole('operator', 'admin') } as const
const daySeconds = 86_400

type PartnerNames = Map<string, string>

const partnerNames = async ({ db }: Pick<Context, 'db'>): Promise<PartnerNames> =>
  new Map((await listPartners(db)).map(({ partnerId, name }) => [partnerId, name]))

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
      from: query.from || query.caseRef ? instant(query.from) : secondsAfter(at, -daySeconds),
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
    return { ...paged(rows, page, { item: (row) => eventWire(ctx, row, { names, body: bodyOf(row) }), cursor }), alert }
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

const fileWire = ({ partnerId, ...row }: PartnerFileRow, names: PartnerNames): PartnerFile => ({
  ...row,
  partner: names.get(partnerId) ?? '',
  createdAt: row.createdAt.toISOString(),
  refusedBecause: row.refusedBecause && scrub(row.refusedBecause),
})

const files = route({
  ...byAnyUser,
  method: 'GET',
  path: `${path}/files`,
  summary: 'Files that the partner has not stored: pending or rejected',
  query: ListOfTenant,
  reply: { 200: PartnerFiles },
  async handle({ who, query }, ctx) {
    const page = pageById(query)
    const tenantId = tenantOrPlatform(who, query.tenantId)
    const names = await partnerNames(ctx)
    const rows = await listUnstoredFiles(ctx.db, { tenantId, after: page.after, limit: page.limit + 1 })
    return paged(rows, page, {
      item: (row) => fileWire(row, names),
      cursor: ({ documentReferenceId }) => documentReferenceId,
    })
  },
})

const resend = route({
  ...byOperators,
  method: 'POST',
  path: `${path}/files/{documentReferenceId}/resend`,
  summary: 'Retry the upload of a rejected file with the same request id',
  params: FileParams,
  query: OfTenant,
  reply: { 200: PartnerFile },
  async handle({ who, params, query, at }, ctx) {
    const { db } = ctx
    if (who.tenantId !== null) throw new Refusal('forbidden', 'only platform staff may upload partner files again')
    const documentReferenceId = params.documentReferenceId.toLowerCase()
    const [file] = await listUnstoredDocuments(db, { documentReferenceId })
    const tenantId = tenantOrPlatform(who, query.tenantId)
    if (!file || (tenantId !== null && file.tenantId !== tenantId)) throw new Refusal('absent', 'there is no such file')
    if (file.state !== 'REFUSED') throw new Refusal('wrong-state', 'the file is pending and is retried automatically')
    await db.tx(async (tx) => {
      await retryRefusedUpload(tx, file, at)
      const detail = { caseRef: file.caseRef, documentType: file.documentType }
      const act = { act: 'FILE_SENT_AGAIN', subject: documentReferenceId, tenantId: file.tenantId, detail }
      await noteStaffAct({ tx, at }, who, act)
    })
    const unstoredFilter = { tenantId: file.tenantId, after: null, limit: 1000 }
    const resentFile = (await listUnstoredFiles(db, unstoredFilter)).find(
      (each) => each.documentReferenceId === documentReferenceId,
    )
    if (!resentFile) throw new Refusal('wrong-state', 'the partner has already stored this file')
    return fileWire(resentFile, await partnerNames(ctx))
  },
})

export const partnerRoutes = [events, get, resendOrRetryEvent, files, resend]
