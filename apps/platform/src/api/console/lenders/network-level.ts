// GET /network/level: our service level on the network, which is how fast and how well we answered lenders' callbacks.

import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { NetworkServiceLevel } from '@lendloom/wire/console/network'
import { consolePrefix } from '#platform/api/console/console-route.ts'
import { byAnyUser } from '#platform/api/console/rights.ts'
import { type AnswerCount, listAnswers } from '#platform/api/ondc/level/store.ts'
import { route } from '#platform/context.ts'

const shownDays = 7
const secondMs = 1000

const sumOf = (counts: AnswerCount[]): number => counts.reduce((sum, { count }) => sum + count, 0)

/** The bound within which this share of the callbacks was answered; null without callbacks. */
function withinMs(counts: AnswerCount[], share: number): number | null {
  const needed = sumOf(counts) * share
  let seen = 0
  for (const { withinMs, count } of counts.toSorted((one, other) => one.withinMs - other.withinMs)) {
    seen += count
    if (seen >= needed) return withinMs
  }
  return null
}

/** The figures of a day or of an action. */
const levelOf = (counts: AnswerCount[]) => {
  const of = (outcome: AnswerCount['outcome']) => sumOf(counts.filter((each) => each.outcome === outcome))
  return {
    callbacks: sumOf(counts),
    refused: of('NACK'),
    failed: of('FAILED'),
    withinSecond: sumOf(counts.filter((each) => each.withinMs <= secondMs)),
    medianMs: withinMs(counts, 0.5),
    p95Ms: withinMs(counts, 0.95),
    p99Ms: withinMs(counts, 0.99),
  }
}

export const networkLevel = route({
  ...byAnyUser,
  method: 'GET',
  path: `${consolePrefix}/network/level`,
  summary: "How fast and how well we answered lenders' callbacks, in the last seven days",
  reply: { 200: NetworkServiceLevel },
  async handle({ who, at }, { db }): Promise<NetworkServiceLevel> {
    if (who.tenantId !== null) return { days: [], actions: [] }
    const today = businessDate(at)
    const counts = await listAnswers(db, { from: startOf(plusDays(today, 1 - shownDays)), until: at })
    const byDay = Map.groupBy(counts, ({ beginsAt }) => businessDate(beginsAt))
    const byAction = Map.groupBy(counts, ({ action }) => action)
    return {
      days: [...byDay].sort(([one], [other]) => (one < other ? 1 : -1)).map(([day, of]) => ({ day, ...levelOf(of) })),
      actions: [...byAction]
        .map(([action, of]) => ({ action, ...levelOf(of) }))
        .sort((one, other) => other.callbacks - one.callbacks),
    }
  },
})
