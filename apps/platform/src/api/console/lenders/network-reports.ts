// GET /network/reports: how many messages of a day the network's collector has accepted, against the journal.

import { secondsAfter } from '@lendloom/foundation/clock'
import { invalid } from '@lendloom/foundation/refusal'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { NetworkReports, NetworkReportsQuery } from '@lendloom/wire/console/network'
import { consolePrefix } from '#platform/api/console/console-route.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { type Context, route } from '#platform/context.ts'
import { countDays, periodOf, recentDays } from '#platform/lenders/network/report/count-reports.ts'
import { isReporting, keptDays } from '#platform/lenders/network/report/report-messages.ts'
import { listRefusals } from '#platform/lenders/network/report/store.ts'

const dueHour = 2

async function reportsOf({ db }: Context, days: readonly string[], at: Date) {
  const counts = await countDays(db, days, at)
  return counts.map((count) => ({
    ...count,
    dueAt: secondsAfter(periodOf(count.day).until, dueHour * 3600).toISOString(),
  }))
}

/** Without a day: today and yesterday. */
function daysOf({ day }: { day?: string | undefined }, at: Date): string[] {
  if (day === undefined) return recentDays(at)
  if (day <= plusDays(businessDate(at), -keptDays))
    throw invalid({ path: 'day', message: `is more than ${keptDays} days ago, so its reports are deleted` })
  try {
    return [plusDays(day, 0)]
  } catch {
    throw invalid({ path: 'day', message: 'is not in the calendar' })
  }
}

export const networkReports = route({
  ...byAnyUser,
  method: 'GET',
  path: `${consolePrefix}/network/reports`,
  summary: "The messages that the network's collector has accepted, against the journal",
  query: NetworkReportsQuery,
  reply: { 200: NetworkReports },
  async handle({ who, query, at }, ctx): Promise<NetworkReports> {
    const chosen = daysOf(query, at)
    if (!isReporting(ctx) || who.tenantId !== null) return { collector: null }
    const [days, refusals] = await Promise.all([
      reportsOf(ctx, chosen, at),
      Promise.all(chosen.map((day) => listRefusals(ctx.db, periodOf(day)))),
    ])
    return { collector: { url: ctx.config.NETWORK_OBSERVABILITY_URL, days, refusals: refusals.flat() } }
  },
})
