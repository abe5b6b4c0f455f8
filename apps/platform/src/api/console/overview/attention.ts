// What needs attention now: the counts of the console's navigation, and the first lines of the overview.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Attention, type AttentionItem, AttentionQuery } from '@lendloom/wire/console/attention'
import { gapMinutes } from '@lendloom/wire/console/lists'
import { mayReadComplaints } from '#platform/api/console/complaints/complaint-access.ts'
import { consolePrefix } from '#platform/api/console/console-route.ts'
import { readLenderWaits } from '#platform/api/console/journeys/journeys.ts'
import { countStuckEvents } from '#platform/api/console/lenders/partner-event-store.ts'
import { countUnstoredFiles } from '#platform/api/console/lenders/unstored-file-store.ts'
import { countMails } from '#platform/api/console/mail/mail-store.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { countGivenUp } from '#platform/api/console/webhooks/webhooks-store.ts'
import { countNew, countQueue } from '#platform/complaints/complaint/queue/store.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { listFailingEndpoints } from '#platform/integrators/alert/store.ts'
import { isReporting } from '#platform/lenders/network/report/report-messages.ts'
import { countReportProblems } from '#platform/lenders/network/report/store.ts'
import { tenantOrPlatform } from '#platform/people/person.ts'

interface Scope {
  who: ConsolePerson
  tenantId: string | null
  at: Date
}

const attention = route({
  ...byAnyUser,
  method: 'GET',
  path: `${consolePrefix}/attention`,
  summary: 'What needs attention now, of one tenant or all',
  query: AttentionQuery,
  reply: { 200: Attention },
  async handle({ who, query, at }, ctx) {
    const scope = { who, tenantId: tenantOrPlatform(who, query.tenantId), at }
    const items = await Promise.all(readers.map((read) => read(ctx, scope)))
    if (isReporting(ctx) && who.tenantId === null) items.push(await reportItems(ctx, scope))
    return { items: items.flat().filter(({ count }) => count > 0) }
  },
})

const itemOf = (kind: AttentionItem['kind'], count: number, since: Date | null = null): AttentionItem => ({
  kind,
  count,
  since: since?.toISOString() ?? null,
  endpoint: null,
})

async function endpointItem({ db }: Context, { tenantId }: Scope): Promise<AttentionItem[]> {
  const endpoints = await listFailingEndpoints(db, tenantId)
  return endpoints.slice(0, 1).map(({ since, ...endpoint }) => ({
    ...itemOf('FAILING_ENDPOINTS', endpoints.length, since),
    endpoint,
  }))
}

const daySeconds = 86_400
const maxGivenUp = 10_001

async function updateItem({ db }: Context, { tenantId, at }: Scope): Promise<AttentionItem[]> {
  const since = secondsAfter(at, -30 * daySeconds)
  return [itemOf('GIVEN_UP_UPDATES', await countGivenUp(db, tenantId, { since, limit: maxGivenUp }))]
}

async function complaintItem({ db }: Context, { who, tenantId, at }: Scope): Promise<AttentionItem[]> {
  if (!mayReadComplaints(who)) return []
  const { overdue } = await countQueue(db, { tenantId, personId: who.personId, at })
  const unassigned = who.role === 'grievance-officer' ? await countNew(db, { tenantId, at }) : 0
  return [itemOf('OVERDUE_COMPLAINTS', overdue), itemOf('NEW_COMPLAINTS', unassigned)]
}

async function journeyItem(ctx: Context, scope: Scope): Promise<AttentionItem[]> {
  const { count, oldestSince } = await readLenderWaits(ctx, scope.who, scope)
  return [itemOf('WAITING_FOR_LENDER', count, oldestSince)]
}

async function eventItem({ db }: Context, { tenantId, at }: Scope): Promise<AttentionItem[]> {
  const { count, oldestSince } = await countStuckEvents(db, tenantId, secondsAfter(at, -gapMinutes * 60))
  return [itemOf('STUCK_EVENTS', count, oldestSince)]
}

async function fileItem({ db }: Context, { tenantId, at }: Scope): Promise<AttentionItem[]> {
  const { count, oldestSince } = await countUnstoredFiles(db, tenantId, secondsAfter(at, -daySeconds))
  return [itemOf('UNSTORED_FILES', count, oldestSince)]
}

/** Only platform staff read mail. Set-aside mail belongs to no tenant. */
async function mailItems({ db }: Context, { who, tenantId }: Scope): Promise<AttentionItem[]> {
  if (who.tenantId !== null) return []
  const { givenUp, setAside } = await countMails(db, tenantId)
  return [itemOf('FAILED_MAIL', givenUp), itemOf('SET_ASIDE_MAIL', tenantId === null ? setAside : 0)]
}

const lateSeconds = 2 * 3600

async function reportItems({ db }: Context, { at }: Scope): Promise<AttentionItem[]> {
  const limits = { lateBefore: secondsAfter(at, -lateSeconds), since: secondsAfter(at, -7 * daySeconds) }
  const { late, oldestAt, refused } = await countReportProblems(db, limits)
  return [itemOf('LATE_REPORTS', late, oldestAt), itemOf('REFUSED_REPORTS', refused)]
}

const readers = [endpointItem, updateItem, complaintItem, journeyItem, eventItem, fileItem, mailItems]

export const attentionRoutes = [attention]
