// The overview of a time window: each figure per hour or day, and the total of the preceding window for comparison.

import { isOneOf, recordOf } from '@lendloom/foundation/record'
import type { Db } from '@lendloom/postgres/sql'
import { deliveryOutcomes, eventOutcomes, offerOutcomes, requestOutcomes } from '@lendloom/wire/console/lists'
import type { Overview, Times } from '@lendloom/wire/console/overview'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { type FigureName, figureNames } from '#platform/records/figures/figure.ts'
import { dayMs, dayOf } from '#platform/records/figures/half-hours.ts'
import { percentileOf } from '#platform/records/figures/percentile.ts'
import { readProgress } from '#platform/records/figures/store.ts'
import {
  applicationsOf,
  hasJourneys,
  lenderNames,
  type Scope,
  type StepCount,
  type SubjectCount,
  sumByOutcome,
  sumBySteps,
  sumBySubject,
} from './store.ts'
import { type FigureWindow, type TimeSlice, timeSlicesOf } from './window.ts'

type OutcomeCount = Omit<StepCount, 'stepAt'>

/** The year before `until`, because older deliveries and events are no longer pending. */
const lastYear = (until: Date): TimeSlice => ({
  grain: 'DAY',
  from: new Date(dayOf(until).getTime() - 366 * dayMs),
  until: new Date(until.getTime() + dayMs),
})

const readFigures = (db: Db, scope: Scope, window: FigureWindow) =>
  Promise.all([
    sumBySteps(db, scope, figureNames, { step: window.step, slices: timeSlicesOf(window, window.step) }),
    sumByOutcome(db, scope, figureNames, timeSlicesOf(window.before)),
    sumBySubject(db, scope, 'offer', timeSlicesOf(window)),
    sumBySubject(db, scope, 'network', timeSlicesOf(window)),
    sumByOutcome(db, scope, ['delivery', 'event-in', 'event-out'], [lastYear(window.until)]),
    lenderNames(db, scope),
    applicationsOf(db, scope),
    readProgress(db),
    hasJourneys(db, scope),
  ])

export async function overviewOf(db: Db, scope: Scope, window: FigureWindow): Promise<Overview> {
  const { from, until, step, steps } = window
  const [rows, previousRows, offerCounts, networkCounts, outcomes, lenders, applications, progress, isUsed] =
    await readFigures(db, scope, window)
  const { line, lines, times } = figuresIn({ rows, previousRows, steps })
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
    offersByLender: byLender(offerCounts, names, offerOutcomes).map(({ lender, counts }) => ({ lender, counts })),
    deliveries: lines('delivery', deliveryOutcomes),
    deliveryTime: times('delivery-time'),
    deliveriesWaiting: sumOf(waiting.filter(({ name }) => name === 'delivery')),
    requests: lines('network', requestOutcomes),
    requestsByLender: byLender(networkCounts, names, requestOutcomes),
    partnerEvents: lines('event-in', eventOutcomes),
    partnerEventTime: times('event-in-time'),
    partnerGaps: line('event-gap', 'GAP'),
    platformEvents: lines('event-out', eventOutcomes),
    platformEventTime: times('event-out-time'),
    eventsWaiting: sumOf(waiting.filter(({ name }) => name !== 'delivery')),
  }
}

const sumOf = (rows: { count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0)

interface FigureRows {
  rows: StepCount[]
  previousRows: OutcomeCount[]
  steps: Date[]
}

/** Returns functions that build parts of the overview: a series of one outcome, series of several, and durations. */
function figuresIn({ rows, previousRows, steps }: FigureRows) {
  const stepIndexes = new Map(steps.map((each, i) => [each.getTime(), i]))
  const byName = Map.groupBy(rows, ({ name }) => name)
  const previousByName = Map.groupBy(previousRows, ({ name }) => name)
  const line = <Outcome extends string>(name: FigureName, outcome: Outcome) => {
    const series = steps.map(() => 0)
    for (const row of byName.get(name) ?? []) {
      const stepIndex = stepIndexes.get(row.stepAt.getTime())
      if (row.outcome === outcome && stepIndex !== undefined) series[stepIndex] = row.count
    }
    const before = sumOf((previousByName.get(name) ?? []).filter((row) => row.outcome === outcome))
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
      beforeP50: percentileOf(bucketsOf(previousByName.get(name) ?? []), 0.5),
      p50Series: atStep(0.5),
      p90Series: atStep(0.9),
    }
  }
  const lines = <Outcome extends string>(name: FigureName, outcomes: readonly Outcome[]) =>
    outcomes.map((outcome) => line(name, outcome))
  return { line, lines, times }
}

function bucketsOf(rows: OutcomeCount[]): Map<number, number> {
  const buckets = new Map<number, number>()
  for (const { outcome, count } of rows) buckets.set(Number(outcome), (buckets.get(Number(outcome)) ?? 0) + count)
  return buckets
}

/** Sums counts by lender name and action, with the largest total first. */
function byLender<Outcome extends string>(
  rows: SubjectCount[],
  names: Map<string, string>,
  outcomes: readonly Outcome[],
) {
  const groups = new Map<string, { lender: string; action: string; counts: Record<Outcome, number> }>()
  for (const { subject, action, outcome, count } of rows) {
    // A search goes to the gateway, which forwards it to all lenders.
    const lender = names.get(subject) ?? (action === 'search' ? 'Network gateway' : subject)
    const key = JSON.stringify([lender, action])
    const group = groups.get(key) ?? { lender, action, counts: recordOf(outcomes, () => 0) }
    if (isOneOf(outcomes, outcome)) group.counts[outcome] += count
    groups.set(key, group)
  }
  const total = (counts: Record<Outcome, number>) => outcomes.reduce((sum, each) => sum + counts[each], 0)
  return [...groups.values()].sort((a, b) => total(b.counts) - total(a.counts) || a.lender.localeCompare(b.lender))
}
