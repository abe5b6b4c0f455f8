// Journeys in the console: search, list and head, with masked personal data.

import { Readable } from 'node:stream'
import { daysAfter } from '@lendloom/foundation/clock'
import { invalid } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import { answer } from '@lendloom/http/server'
import { rupees } from '@lendloom/lending/money'
import { productIds } from '@lendloom/lending/product/products'
import {
  JourneyExportQuery,
  JourneyHead,
  JourneyParams,
  JourneysQuery,
  JourneysReply,
  type ListedJourney,
  SearchQuery,
  SearchReply,
  type WaitingFor,
} from '@lendloom/wire/console/journeys'
import { OfTenant } from '@lendloom/wire/console/staff'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { badCursor, consolePrefix, pageOf, pageOfRows } from '#platform/api/console/console-route.ts'
import { maskedMobile, maskedName } from '#platform/api/console/mask-borrower.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { listTenantNames } from '#platform/api/console/tenant-store.ts'
import { isPayoutReturned } from '#platform/api/loan/loan-account.ts'
import { listCancelledLoans } from '#platform/complaints/complaint/loan-complaint-store.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { partnersOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import { emailDigest, mobileDigest, panDigest } from '#platform/lending/borrower/digests.ts'
import { endsJourney, isExpired, type JourneyKey } from '#platform/lending/journey/journey.ts'
import { termsFrom } from '#platform/lending/journey/stored-terms.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { tenantOrPlatform } from '#platform/people/person.ts'
import { headOf } from './journey-head.ts'
import { requireJourneyKey } from './journey-key.ts'
import { waitOfJourney } from './journey-wait.ts'
import { journeysCsv } from './journeys-csv.ts'
import { type JourneyFilter, type JourneyRow, listJourneys, type RowCondition } from './journeys-store.ts'
import { isPersonalKind, type SearchCandidate, searchCandidatesOf } from './search-candidates.ts'
import { type FoundRow, findJourneys, type SearchKey } from './search-store.ts'

const search = route({
  ...byAnyUser,
  method: 'GET',
  path: `${consolePrefix}/search`,
  summary: 'Find journeys by any identifier',
  query: SearchQuery,
  reply: { 200: SearchReply },
  async handle({ who, query }, ctx) {
    const tenantId = tenantOrPlatform(who, query.tenantId)
    const rows = await journeysWith(ctx, query.q, tenantId)
    return {
      items: rows.map(({ profileSealed, closedAt, ...row }) => ({
        ...row,
        name: maskedNameIn(ctx, profileSealed, row),
        isExpired: isExpired({ ...row, closedAt }),
        matched: isPersonalKind(row.kind) ? null : (row.matched ?? query.q.trim()),
        createdAt: row.createdAt.toISOString(),
      })),
    }
  },
})

/** Finds the journeys that have an identifier. */
async function journeysWith(ctx: Context, text: string, tenantId: string | null): Promise<FoundRow[]> {
  const senders = (await partnersOf(ctx).all(ctx.db)).map(({ sender }) => sender)
  const keys = searchCandidatesOf(text).map((each) => searchKeyOf(ctx, each))
  return findJourneys(ctx.db, keys, { tenantId, senders })
}

/** Each of the found journeys once, because several identifiers of one may match. */
function uniqueKeys(rows: FoundRow[]): JourneyKey[] {
  const keys = new Map(rows.map(({ tenantId, journeyId }) => [journeyId, { tenantId, journeyId }]))
  return [...keys.values()]
}

function searchKeyOf(ctx: Context, { kind, value }: SearchCandidate): SearchKey {
  switch (kind) {
    case 'mobile':
      return { kind, digest: mobileDigest(ctx, value) }
    case 'pan':
      return { kind, digest: panDigest(ctx, value) }
    case 'email':
      return { kind, digest: emailDigest(ctx, value) }
    default:
      return { kind, value }
  }
}

const list = route({
  ...byAnyUser,
  method: 'GET',
  path: `${consolePrefix}/journeys`,
  summary:
    'Journeys, newest first or with waitedDays by their wait; platform staff see all tenants unless they select one',
  query: JourneysQuery,
  reply: { 200: JourneysReply },
  async handle({ who, query, at }, ctx) {
    const page = pageOf(query)
    if (page.after !== null && !isUuid(page.after)) throw badCursor()
    const tenantId = tenantOrPlatform(who, query.tenantId)
    const found = query.q === undefined ? null : uniqueKeys(await journeysWith(ctx, query.q, tenantId))
    const condition = conditionOf(query, at)
    const limit = condition ? Math.max(siftedRows, page.limit + 1) : page.limit + 1
    const readAfter = (after: string | null) =>
      listJourneys(ctx.db, { ...filterOf(who, query, after), condition, found }, choices, limit)
    const wantsWait = query.waitedDays !== undefined
    const firstRows = await readAfter(wantsWait ? null : page.after)
    // Only a list that is read whole can be in the order of the wait.
    const isByWait = wantsWait && firstRows.length < limit
    const isRead = isByWait || !wantsWait || page.after === null
    const rows = isRead ? firstRows : await readAfter(page.after)
    const cancelled = await cancelledIn(ctx, rows)
    const listed = rows
      .map((row): SiftedRow => {
        const isCancelled = cancelled.includes(row.journeyId) || isPayoutReturned(row)
        return { row, wait: waitOf(ctx, row), isCancelled }
      })
      .filter((sifted) => isListed(query, sifted, at))
    const { items, next } = pageOfRows(isByWait ? rowsByWait(listed, page.after) : listed, page, {
      item: ({ row, isCancelled }) => listedJourney(ctx, row, isCancelled),
      cursor: ({ row }) => row.journeyId,
    })
    // The rest of the batch may have nothing to list, but the rows after it may.
    const lastRead = rows.length === limit ? (rows.at(-1)?.journeyId ?? null) : null
    return { items, next: next ?? (condition ? lastRead : null) }
  },
})

const choices = { types: productIds, statuses }

/** A row with what no column has. */
interface SiftedRow {
  row: JourneyRow
  wait: WaitingFor | null
  isCancelled: boolean
}

/** The rows after one, the longest wait first; none if the journey of that one has moved on since. */
function rowsByWait(rows: SiftedRow[], after: string | null): SiftedRow[] {
  const sinceOf = ({ wait }: SiftedRow) => wait?.since ?? ''
  const sorted = rows.toSorted((one, other) => sinceOf(one).localeCompare(sinceOf(other)))
  if (after === null) return sorted
  const index = sorted.findIndex(({ row }) => row.journeyId === after)
  return index === -1 ? [] : sorted.slice(index + 1)
}

/** How many journeys have waited for a lender for over a day, as the list shows them, and since when the first one. */
export async function readLenderWaits(
  ctx: Context,
  who: ConsolePerson,
  { tenantId, at }: { tenantId: string | null; at: Date },
): Promise<{ count: number; oldestSince: Date | null }> {
  const query: JourneysQuery = { tenantId: tenantId ?? undefined, waitsOn: 'lender', waitedDays: '1' }
  const filter = { ...filterOf(who, query, null), condition: conditionOf(query, at) }
  const rows = await listJourneys(ctx.db, filter, choices, siftedRows)
  const waits = rows.map((row): SiftedRow => ({ row, wait: waitOf(ctx, row), isCancelled: false }))
  const stuck = waits.filter((sifted) => isListed(query, sifted, at))
  const since = stuck.flatMap(({ wait }) => wait?.since ?? []).sort()[0]
  return { count: stuck.length, oldestSince: since === undefined ? null : new Date(since) }
}

/** Of so many rows those are listed that fulfil what no column has: what a journey waits for, or whether it expired. */
const siftedRows = 1000

const openStatuses = statuses.filter((each) => !endsJourney(each) && each !== 'DISBURSED')

/** The statuses of the rows to read; null for all. An expired journey keeps its status, a cancelled loan too. */
function statusesOf(status: JourneysQuery['status']): readonly LifecycleStatus[] | null {
  if (status === undefined) return null
  if (status === 'EXPIRED') return openStatuses
  return [status === 'CANCELLED' ? 'DISBURSED' : status]
}

/** What the rows must fulfil at least, so that few of them are read in vain; null if the columns decide alone. */
function conditionOf({ status, waitsOn, waitedDays }: JourneysQuery, at: Date): RowCondition | null {
  if (status === 'CANCELLED') return { is: 'ended-loan' }
  if (status === 'EXPIRED') return { is: 'inactive' }
  if (waitsOn === undefined && waitedDays === undefined) return null
  return { is: 'open', waitsOn: waitsOn ?? null, actedBefore: daysAfter(at, -Number(waitedDays ?? 0)) }
}

/** Whether a row fulfils the filters that are no columns. */
function isListed(
  { status, waitsOn, waitedDays }: JourneysQuery,
  { row, wait, isCancelled }: SiftedRow,
  at: Date,
): boolean {
  if (status === 'CANCELLED' && !isCancelled) return false
  if (status === 'EXPIRED' && !isExpired(row)) return false
  if (waitsOn !== undefined && wait?.whose !== waitsOn) return false
  return waitedDays === undefined || (wait !== null && new Date(wait.since) <= daysAfter(at, -Number(waitedDays)))
}

const waitOf = ({ config }: Pick<Context, 'config'>, row: JourneyRow): WaitingFor | null =>
  waitOfJourney({ ...row, journey: row }, config.JOURNEY_IDLE_DAYS)

const exportPageSize = 500

const exportList = route({
  ...byAnyUser,
  method: 'GET',
  path: `${consolePrefix}/journey-export`,
  summary: 'Export filtered journeys as CSV, with masked personal data',
  query: JourneyExportQuery,
  async handle({ who, query, at }, ctx) {
    const { tenantId: _, ...filters } = query
    const act = { act: 'JOURNEYS_EXPORTED', tenantId: tenantOrPlatform(who, query.tenantId) }
    const readAfter = async (last: ListedJourney | null) => {
      const filter = filterOf(who, query, last?.journeyId ?? null)
      const rows = await listJourneys(ctx.db, filter, choices, exportPageSize)
      const cancelled = await cancelledIn(ctx, rows)
      return rows.map((row) => listedJourney(ctx, row, cancelled.includes(row.journeyId)))
    }
    filterOf(who, query, null) // Refuses an invalid filter before the answer begins.
    await ctx.db.tx((tx) => noteStaffAct({ tx, at }, who, { ...act, detail: filters }))
    const names = new Map((await listTenantNames(ctx.db, act.tenantId)).map((each) => [each.tenantId, each.name]))
    return answer(200, Readable.from(journeysCsv(readAfter, names)), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="journeys-${at.toISOString().slice(0, 10)}.csv"`,
    })
  },
})

function filterOf(who: ConsolePerson, query: Omit<JourneysQuery, 'q'>, after: string | null): JourneyFilter {
  const until = query.to === undefined ? lastId : firstIdAt(endOf(query.to, 'to'))
  return {
    tenantId: tenantOrPlatform(who, query.tenantId),
    applicationId: query.applicationId ?? null,
    types: query.product ? [query.product] : null,
    statuses: statusesOf(query.status),
    from: query.from === undefined ? firstId : firstIdAt(instantOf(query.from, 'from')),
    before: after !== null && after < until ? after : until,
    found: null,
    condition: null,
  }
}

const firstId = '00000000-0000-0000-0000-000000000000'
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Returns the smallest journey id of an instant. Ids begin with their creation time in milliseconds. */
function firstIdAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** A date without a time means midnight in India. */
function instantOf(text: string, path: string): Date {
  const at = new Date(text.length === 10 ? `${text}T00:00:00+05:30` : text)
  if (Number.isNaN(at.getTime()) || at.getTime() < 0) throw invalid({ path, message: 'is not a valid date or time' })
  return at
}

/** Returns the exclusive end of a range: the instant, or for a date without a time the end of that day. */
const endOf = (text: string, path: string): Date =>
  new Date(instantOf(text, path).getTime() + (text.length === 10 ? 86_400_000 : 0))

export const maskedNameIn = (
  { seal }: Pick<Context, 'seal'>,
  sealed: Buffer,
  key: { tenantId: string; journeyId: string },
) => maskedName(seal.openJson<BorrowerDetails>(sealed, detailsContext(key.tenantId, key.journeyId)).personal.panName)

const cancelledIn = ({ db }: Context, rows: JourneyRow[]): Promise<string[]> =>
  listCancelledLoans(
    db,
    rows.filter(({ closedAt }) => closedAt),
  )

function listedJourney(
  { seal, config }: Pick<Context, 'seal' | 'config'>,
  row: JourneyRow,
  isCancelled: boolean,
): ListedJourney {
  const { tenantId, journeyId, lenderId, lenderName } = row
  const { personal } = seal.openJson<BorrowerDetails>(row.profileSealed, detailsContext(tenantId, journeyId))
  return {
    tenantId,
    journeyId,
    applicationId: row.applicationId,
    product: row.type,
    status: row.status,
    active: row.active,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    borrower: { providerId: row.externalId, name: maskedName(personal.panName), mobile: maskedMobile(personal.mobile) },
    lender: lenderId === null ? null : { lenderId, name: lenderName ?? lenderId },
    amount: row.chosenTerms && rupees(termsFrom(row.chosenTerms).principal),
    expired: isExpired(row) ? { at: row.updatedAt.toISOString(), because: row.endReason } : null,
    erasedAt: row.erasedAt?.toISOString() ?? null,
    isCancelled: isCancelled || isPayoutReturned(row),
    line: row.lineOpenedAt && (row.closedAt ? 'CLOSED' : 'OPEN'),
    waitsFor: waitOf({ config }, row),
  }
}

const head = route({
  ...byAnyUser,
  method: 'GET',
  path: `${consolePrefix}/journeys/{journeyId}`,
  summary: 'A journey with its state, what it waits for, and the possible acts',
  params: JourneyParams,
  query: OfTenant,
  reply: { 200: JourneyHead },
  async handle(call, ctx): Promise<JourneyHead> {
    return headOf(ctx, call.who, await requireJourneyKey(ctx, call.who, call), listedJourney)
  },
})

export const journeyRoutes = [search, list, exportList, head]
