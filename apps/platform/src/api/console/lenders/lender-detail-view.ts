// What the console shows of a lender: figures, results of the last hour, newest conversations and switches.

import { secondsAfter } from '@lendloom/foundation/clock'
import { isOneOf, recordOf } from '@lendloom/foundation/record'
import { tenantIn, tenantKeyOf } from '@lendloom/identity/person'
import type { Answers, Lender, LenderDetail, RecentAnswers, SwitchedOff } from '@lendloom/wire/console/lenders'
import { offerOutcomes, requestOutcomes } from '@lendloom/wire/console/lists'
import { namesOf } from '#platform/api/console/people/staff-names.ts'
import { listIdentities } from '#platform/api/console/people/staff-store.ts'
import type { Context } from '#platform/context.ts'
import { type Partner, partnerProvider } from '#platform/lenders/partner/directory/lending-partner.ts'
import { partnersOf } from '#platform/lenders/partner/partner-look-ups.ts'
import { type LenderSwitch, listSwitches } from '#platform/lending/lender/switch/store.ts'
import { halfHourOf } from '#platform/records/figures/half-hours.ts'
import { type SubjectCount, sumBySubject } from '#platform/records/figures/read/store.ts'
import { timeSlicesOf, windowOf } from '#platform/records/figures/read/window.ts'
import {
  type ConversationRow,
  countRecentResults,
  type LenderListRow,
  listNewestConversations,
  listRequestedProducts,
  type RecentRow,
} from './lender-store.ts'
import { listLastEvents } from './partner-event-store.ts'

const hourSeconds = 3600
/** Of so many newest requests the results are counted as they are now, so that a busy lender costs no more. */
const maxRecentRequests = 2000
const maxConversations = 20

type ReadDeps = Pick<Context, 'db' | 'seal'>

/** Reads the details of several lenders by one query each for figures, switches and events. */
export async function readLenderDetails(
  { db, seal }: ReadDeps,
  tenantId: string | null,
  lenders: LenderListRow[],
  at: Date,
): Promise<LenderDetail[]> {
  const weekWindow = windowOf({ range: '7d' }, at)
  const scope = { tenantId, applicationId: null, product: null }
  const hourFrom = secondsAfter(at, -hourSeconds)
  const recentFrom = halfHourOf(hourFrom)
  const bppIds = [...new Set(lenders.map(({ bppId }) => bppId))]
  const [recent, requests, requestsBefore, offers, products, conversations, switches, lastEvents] = await Promise.all([
    countRecentResults(db, tenantId, { bppIds, since: recentFrom, hourFrom, at, maxPerLender: maxRecentRequests }),
    sumBySubject(db, scope, 'network', timeSlicesOf(weekWindow)),
    sumBySubject(db, scope, 'network', timeSlicesOf({ from: weekWindow.from, until: recentFrom })),
    sumBySubject(db, scope, 'offer', timeSlicesOf(weekWindow)),
    listRequestedProducts(db, tenantId, weekWindow.from),
    Promise.all(lenders.map(({ ids }) => listNewestConversations(db, ids, maxConversations))),
    listSwitches(db, tenantId),
    listLastEvents(db, tenantId, secondsAfter(at, -24 * hourSeconds)),
  ])
  const lastEventOf = (partnerId: string) => lastEvents.find((each) => each.partnerId === partnerId)?.at
  const names = await namesOfSwitches({ db, seal }, tenantId, switches)
  const partners = await partnersOf({ db, seal }).all(db)
  return lenders.map((lender, i) => {
    const partnerId = partnerIdOf(lender, partners)
    const lenderIds = new Set(lender.ids.map(({ lenderId }) => lenderId))
    const recentRows = recent.filter(({ bppId }) => bppId === lender.bppId)
    const hour = recentRows.filter(({ isLastHour }) => isLastHour)
    const activity = { conversations: conversations[i] ?? [], recent: recentRows }
    // The figures follow minutes later, and would show less in seven days than in the last hour.
    const isCountedWhole = recentRows.reduce((sum, { count }) => sum + count, 0) < maxRecentRequests
    const week = [
      ...(isCountedWhole ? requestsBefore : requests).filter(({ subject }) => subject === lender.bppId),
      ...(isCountedWhole ? recentRows : []),
    ]
    return {
      ...lenderHead(lender, partnerId),
      products: [
        ...new Set(products.filter(({ lenderId }) => lenderIds.has(lenderId)).map(({ product }) => product)),
      ].sort(),
      off: switches.filter((entry) => isSwitchOf(entry, lender)).map((entry) => switchWire(entry, names)),
      hour: recentOf(hour),
      week: answersOf(week),
      offers: offersOf(offers.filter(({ subject }) => lenderIds.has(subject))),
      lastMessageAt: partnerId ? (lastEventOf(partnerId)?.toISOString() ?? null) : latestMessageAt(activity),
      actions: actionsOf(hour, week),
      conversations: activity.conversations.map(conversationWire),
    }
  })
}

const partnerIdOf = ({ bppId, providerId }: LenderListRow, partners: Partner[]): string | null =>
  (providerId === partnerProvider && partners.find(({ sender }) => sender === bppId)?.partnerId) || null

const lenderHead = (lender: LenderListRow, partnerId: string | null) => ({
  lenderId: lender.ids[0]?.lenderId ?? '',
  partnerId,
  isPartner: partnerId !== null,
  name: lender.identity.name ?? lender.bppId,
  bppId: lender.bppId,
  providerId: lender.providerId,
  seenAt: lender.seenAt.toISOString(),
  grievanceOfficer: lender.identity.contact.groName ?? null,
  supportEmail: lender.identity.contact.customerSupportEmail ?? null,
})

/** The part of the details that the list of lenders shows. */
export function lenderOfDetail({
  partnerId,
  grievanceOfficer,
  supportEmail,
  actions,
  conversations,
  ...item
}: LenderDetail): Lender {
  return item
}

const isSwitchOf = (entry: LenderSwitch, { bppId, providerId }: LenderListRow): boolean =>
  entry.bppId === bppId && entry.providerId === providerId

const countOf = (rows: { outcome: string; count: number }[], outcome: string): number =>
  rows.reduce((sum, row) => sum + (row.outcome === outcome ? row.count : 0), 0)

const answersOf = (rows: { outcome: string; count: number }[]): Answers => {
  const counts = recordOf(requestOutcomes, (outcome) => countOf(rows, outcome))
  const { ANSWERED: answered, LATE: late, REFUSED: refused, SILENT: silent, UNREACHED: unreached } = counts
  return { answered, late, refused, silent, unreached, waiting: counts.WAITING }
}

/** `medianMs` is the median of the action with the most answers. */
const recentOf = (rows: RecentRow[]): RecentAnswers => {
  const [mostAnswered] = rows.filter(({ medianMs }) => medianMs !== null).sort((a, b) => b.count - a.count)
  return { ...answersOf(rows), medianMs: mostAnswered?.medianMs == null ? null : Math.round(mostAnswered.medianMs) }
}

function actionsOf(
  hour: RecentRow[],
  week: Pick<SubjectCount, 'action' | 'outcome' | 'count'>[],
): LenderDetail['actions'] {
  const actions = [...new Set([...week, ...hour].map(({ action }) => action))].sort()
  const hasAction = (action: string) => (row: { action: string }) => row.action === action
  return actions.map((action) => ({
    action,
    hour: recentOf(hour.filter(hasAction(action))),
    week: answersOf(week.filter(hasAction(action))),
  }))
}

function offersOf(rows: SubjectCount[]): Lender['offers'] {
  const counts = recordOf(offerOutcomes, () => 0)
  for (const { outcome, count } of rows) if (isOneOf(offerOutcomes, outcome)) counts[outcome] += count
  return { requested: counts.REQUESTED, answered: counts.ANSWERED, offered: counts.OFFERED, chosen: counts.CHOSEN }
}

function latestMessageAt({
  conversations,
  recent,
}: {
  conversations: ConversationRow[]
  recent: RecentRow[]
}): string | null {
  const all = [
    ...conversations.flatMap(({ lastMessageAt }) => (lastMessageAt ? [lastMessageAt.getTime()] : [])),
    ...recent.map(({ lastAt }) => lastAt.getTime()),
  ]
  return all.length > 0 ? new Date(Math.max(...all)).toISOString() : null
}

const conversationWire = ({ bppId, providerId, ...row }: ConversationRow): LenderDetail['conversations'][number] => ({
  ...row,
  awaitedUntil: row.awaitedUntil?.toISOString() ?? null,
  lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

/** Names of the people of the tenant and of the platform; without a tenant, only of the platform. */
async function namesOfSwitches(
  { db, seal }: Pick<ReadDeps, 'db' | 'seal'>,
  tenantId: string | null,
  switches: LenderSwitch[],
): Promise<Map<string, string>> {
  const ids = [...new Set(switches.flatMap(({ personId }) => (personId ? [personId] : [])))]
  return ids.length > 0 ? namesOf(seal, await listIdentities(db, tenantKeyOf(tenantId), ids)) : new Map()
}

const switchWire = (row: LenderSwitch, names: Map<string, string>): SwitchedOff => ({
  forAll: tenantIn(row.tenantId) === null,
  tenantId: tenantIn(row.tenantId),
  reason: row.reason,
  offAt: row.offAt.toISOString(),
  personName: names.get(row.personId ?? '') ?? null,
})
