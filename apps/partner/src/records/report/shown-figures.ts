// Reads the figures that the reports and the portfolio show, as tallies that can be compared with the derived ones.

import type { Run } from '@lendloom/postgres/sql'
import {
  type DemandMonth,
  lastRolls,
  lentByMonth,
  receivedByMonth,
  vintages,
} from '#partner/records/report/portfolio/store.ts'
import { classesOnDay } from '#partner/servicing/loan/class/store.ts'
import { monthEndOf } from '#partner/servicing/loan/month/month-end.ts'
import { beginning, endOfTime } from './derived-loan.ts'
import type { ShownDays } from './derived-loan-figures.ts'
import { returnsOf } from './regulator-returns.ts'
import { addTally, type Tallies, tallyNames } from './tally.ts'

/** A period without limits: these figures are shown for every month. */
const allDays = [beginning, endOfTime] as const

/** Adds the figures of the returns about loans, whose names are in capitals. Those about applications are not derived. */
async function tallyReturns(db: Run, tallies: Tallies, months: string[]): Promise<void> {
  const last = months.at(-1)
  for (const to of months) {
    const { figures, borrowers, nonPerforming } = await returnsOf(db, { from: `${to.slice(0, 8)}01`, to })
    for (const { name, count, paise } of figures)
      if (name === name.toUpperCase()) addTally(tallies, tallyNames.figure(to, name), count, paise ?? 0n)
    if (to !== last) continue
    addTally(tallies, tallyNames.owingBorrowers, borrowers, 0n)
    addTally(tallies, tallyNames.nonPerformingBorrowers, nonPerforming, 0n)
  }
}

/** Reads the figures by the statements that the pages use. */
export async function readShownFigures(
  db: Run,
  { months, closedDays, monthEnds, demand }: ShownDays & { months: string[]; demand: DemandMonth[] },
): Promise<Tallies> {
  const tallies: Tallies = new Map()
  await tallyReturns(db, tallies, months)
  for (const day of closedDays)
    for (const { assetClass, loans, principalPaise } of await classesOnDay(db, day))
      addTally(tallies, tallyNames.book(day, assetClass), loans, principalPaise)
  for (const { month, loans, paise } of await lentByMonth(db, ...allDays))
    addTally(tallies, tallyNames.lent(monthEndOf(month)), loans, paise)
  for (const { month, paise } of await receivedByMonth(db, ...allDays))
    addTally(tallies, tallyNames.received(monthEndOf(month)), 0, paise)
  for (const { monthEnd, duePaise, collectedPaise } of demand) {
    addTally(tallies, tallyNames.due(monthEnd), 0, duePaise)
    addTally(tallies, tallyNames.collected(monthEnd), 0, collectedPaise)
  }
  for (const { monthEnd, lentMonth, loans, lentPaise, latePaise } of await vintages(db, ...allDays)) {
    addTally(tallies, tallyNames.vintage(monthEnd, monthEndOf(lentMonth)), loans, lentPaise)
    addTally(tallies, tallyNames.late(monthEnd, monthEndOf(lentMonth)), 0, latePaise)
  }
  for (const to of monthEnds)
    for (const { fromState, toState, loans, principalPaise } of await lastRolls(db, to))
      addTally(tallies, tallyNames.roll(to, fromState, toState), loans, principalPaise)
  return tallies
}
