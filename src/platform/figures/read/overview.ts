// The overview of a window: every figure by step, with its value in the preceding window.

import { deliveryOutcomes, eventOutcomes, offerOutcomes, requestOutcomes } from '#contract/console/lists.ts'
import type { Overview, Times } from '#contract/console/overview.ts'
import { statuses } from '#contract/hosted/lifecycle-status.ts'
import type { Db } from '#kit/db/sql.ts'
import { isOneOf, recordOf } from '#kit/runtime/record.ts'
import { dayMs, dayOf, type FigureName, figureNames, percentileOf } from '#platform/figures/figure.ts'
import { readProgress } from '#platform/figures/store.ts'
import {
  applicationsOf,
  byOutcome,
  bySteps,
  bySubject,
  hasJourneys,
  lenderNames,
  type Scope,
  type StepCount,
  type SubjectCount,
} from './store.ts'
import { type FigureWindow, type Piece, piecesOf } from './window.ts'

type Before = Omit<StepCount, 'stepAt'>

/** Pending rows started within a year. */
const always = (until: Date): Piece => ({
  grain: 'DAY',
  from: new Date(dayOf(until).getTime() - 366 * dayMs),
  until: new Date(until.getTime() + dayMs),
})

/** Runs the statements concurrently. */
const read = (db: Db, scope: Scope, window: FigureWindow) =>
  Promise.all([
    bySteps(db, scope, figureNames, { step: window.step, pieces: piecesOf(window, window.step) }),
    byOutcome(db, scope, figureNames, piecesOf(window.before)),
    bySubject(db, scope, 'offer', piecesOf(window)),
    bySubject(db, scope, 'network', piecesOf(window)),
    byOutcome(db, scope, ['delivery', 'event-in', 'event-out'], [always(window.until)]),
    lenderNames(db, scope),
    applicationsOf(db, scope),
    readProgress(db),
    hasJourneys(db, scope),
  ])

export async function overviewOf(db: Db, scope: Scope, window: FigureWindow): Promise<Overview> {
  const { from, until, step, steps } = window
  const [rows, old, offered, answered, outcomes, lenders, applications, progress, isUsed] = await read(
    db,
    scope,
    window,
  )
  const { line, lines, times } = figuresIn({ rows, old, steps })
  const names = new Map(
    lenders.flatMap(({ lenderId, bppId, name }) => [[lenderId, name] as const, [bppId, name] as const]),
  )
  const waiting = outcomes.filter(({ outcome }) => outcome === 'WAITING')
  return {
    from: from.toISOString(),
    until: until.toISOString(),
    step,
    countedUntil: progress.map(({ seenUntil }) => seenUntil.toISOString()).sort()[0] ?? null,
    hasJourneys: isUsed,
    applications,
    steps: steps.map((each) => each.toISOString()),
    journeys: lines('journey', statuses),
    timeToMoney: times('time-to-money'),
    offers: lines('offer', offerOutcomes),
    offersByLender: byLender(offered, names, offerOutcomes).map(({ lender, counts }) => ({ lender, counts })),
    deliveries: lines('delivery', deliveryOutcomes),
    deliveryTime: times('delivery-time'),
    deliveriesWaiting: sumOf(waiting.filter(({ name }) => name === 'delivery')),
    requests: lines('network', requestOutcomes),
    requestsByLender: byLender(answered, names, requestOutcomes),
    partnerEvents: lines('event-in', eventOutcomes),
    partnerEventTime: times('event-in-time'),
    partnerGaps: line('event-gap', 'GAP'),
    platformEvents: lines('event-out', eventOutcomes),
    platformEventTime: times('event-out-time'),
    eventsWaiting: sumOf(waiting.filter(({ name }) => name !== 'delivery')),
  }
}

const sumOf = (rows: { count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0)

/** Converts the rows into the response. */
function figuresIn({ rows, old, steps }: { rows: StepCount[]; old: Before[]; steps: Date[] }) {
  const places = new Map(steps.map((each, i) => [each.getTime(), i]))
  const byName = Map.groupBy(rows, ({ name }) => name)
  const oldByName = Map.groupBy(old, ({ name }) => name)
  const line = <Outcome extends string>(name: FigureName, outcome: Outcome) => {
    const series = steps.map(() => 0)
    for (const row of byName.get(name) ?? []) {
      const place = places.get(row.stepAt.getTime())
      if (row.outcome === outcome && place !== undefined) series[place] = row.count
    }
    const before = sumOf((oldByName.get(name) ?? []).filter((row) => row.outcome === outcome))
    return { outcome, count: series.reduce((sum, each) => sum + each, 0), before, series }
  }
  const times = (name: FigureName): Times => {
    const all = byName.get(name) ?? []
    const inStep = Map.groupBy(all, ({ stepAt }) => stepAt.getTime())
    const atStep = (share: number) =>
      steps.map((each) => percentileOf(bucketsOf(inStep.get(each.getTime()) ?? []), share))
    return {
      count: sumOf(all),
      p50: percentileOf(bucketsOf(all), 0.5),
      p90: percentileOf(bucketsOf(all), 0.9),
      beforeP50: percentileOf(bucketsOf(oldByName.get(name) ?? []), 0.5),
      p50Series: atStep(0.5),
      p90Series: atStep(0.9),
    }
  }
  const lines = <Outcome extends string>(name: FigureName, outcomes: readonly Outcome[]) =>
    outcomes.map((outcome) => line(name, outcome))
  return { line, lines, times }
}

function bucketsOf(rows: Before[]): Map<number, number> {
  const buckets = new Map<number, number>()
  for (const { outcome, count } of rows) buckets.set(Number(outcome), (buckets.get(Number(outcome)) ?? 0) + count)
  return buckets
}

/** One line per lender and action, the most frequent first; tenants' lenders with the same name are merged. */
function byLender<Outcome extends string>(
  rows: SubjectCount[],
  names: Map<string, string>,
  outcomes: readonly Outcome[],
) {
  const found = new Map<string, { lender: string; action: string; counts: Record<Outcome, number> }>()
  for (const { subject, action, outcome, count } of rows) {
    // A search goes to the gateway, which forwards it to all lenders.
    const lender = names.get(subject) ?? (action === 'search' ? `Gateway (${subject})` : subject)
    const key = JSON.stringify([lender, action])
    const one = found.get(key) ?? { lender, action, counts: recordOf(outcomes, () => 0) }
    if (isOneOf(outcomes, outcome)) one.counts[outcome] += count
    found.set(key, one)
  }
  const all = (counts: Record<Outcome, number>) => outcomes.reduce((sum, each) => sum + counts[each], 0)
  return [...found.values()].sort((a, b) => all(b.counts) - all(a.counts) || a.lender.localeCompare(b.lender))
}
