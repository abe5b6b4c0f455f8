// GET /network/reports: how many messages of a day the network's collector has accepted, against the journal.
import { NetworkReports, NetworkReportsQuery } from '#contract/console/lenders.ts'
import { invalid } from '#kit/http/refusal.ts'
import { businessDate, plusDays, startOf } from '#kit/money/calendar.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { byAnyUser } from '#platform/console/rights.ts'
import { prefix } from '#platform/console/route.ts'
import { type Context, route } from '#platform/context.ts'
import { countReports, listRefusals } from '#platform/network/report/store.ts'
import { isReporting, keptDays } from '#platform/network/report/work.ts'

const periodOf = (day: string) => ({ from: startOf(day), until: startOf(plusDays(day, 1)) })

const dueHour = 2

async function reportsOf({ db }: Context, day: string, at: Date) {
  const period = periodOf(day)
  const dueAt = secondsAfter(period.until, dueHour * 3600).toISOString()
  return { day, dueAt, ...(await countReports(db, period, at)) }
}

/** Without a day: today and yesterday. */
function daysOf({ day }: { day?: string | undefined }, at: Date): string[] {
  const today = businessDate(at)
  if (day === undefined) return [today, plusDays(today, -1)]
  if (day < plusDays(today, -keptDays))
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
  path: `${prefix}/network/reports`,
  summary: "The messages that the network's collector has accepted, against the journal",
  query: NetworkReportsQuery,
  reply: { 200: NetworkReports },
  async handle({ who, query, at }, ctx): Promise<NetworkReports> {
    const chosen = daysOf(query, at)
    if (!isReporting(ctx) || who.tenantId !== null) return { collector: null }
    const [days, refusals] = await Promise.all([
      Promise.all(chosen.map((day) => reportsOf(ctx, day, at))),
      Promise.all(chosen.map((day) => listRefusals(ctx.db, periodOf(day)))),
    ])
    return { collector: { url: ctx.config.NETWORK_OBSERVABILITY_URL, days, refusals: refusals.flat() } }
  },
})
