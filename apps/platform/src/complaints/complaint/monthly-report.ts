// The monthly report that the regulator requires: received, resolved and pending complaints, by category and age.

import { businessDate } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import { ageBands } from '@lendloom/wire/console/complaint-lists'
import type { ComplaintReport, ReportLine } from '@lendloom/wire/console/complaint-report'
import { type ReportRow, readReport } from './monthly-report/store.ts'

/** Bounds of an Indian month such as `2026-11`; `until` is exclusive. */
export function monthBounds(month: string): { from: Date; until: Date } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const next = number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
  return { from: new Date(`${month}-01T00:00:00+05:30`), until: new Date(`${next}-01T00:00:00+05:30`) }
}

export const monthOf = (at: Date): string => businessDate(at).slice(0, 7)

/** Builds the report of a month. The report of the current month ends now. */
export async function complaintReport(
  db: Run,
  { tenantId, month, at }: { tenantId: string | null; month: string; at: Date },
): Promise<ComplaintReport> {
  const { from, until } = monthBounds(month)
  const isComplete = until <= at
  const end = isComplete ? until : at
  const rows = from > at ? [] : await readReport(db, { tenantId, from, until: end })
  return { month, until: end.toISOString(), isComplete, lines: rows.map(lineOf), total: totalOf(rows) }
}

const lineOf = ({ days, ...row }: ReportRow): ReportLine => ({ ...row, averageDays: average(days, row.resolved) })

const average = (days: number, count: number): number | null =>
  count === 0 ? null : Math.round((days / count) * 10) / 10

function totalOf(rows: ReportRow[]): ReportLine {
  const sum = (read: (row: ReportRow) => number): number => rows.reduce((total, row) => total + read(row), 0)
  return {
    category: null,
    brought: sum(({ brought }) => brought),
    received: sum(({ received }) => received),
    resolved: sum(({ resolved }) => resolved),
    upheld: sum(({ upheld }) => upheld),
    inTime: sum(({ inTime }) => inTime),
    reopened: sum(({ reopened }) => reopened),
    escalated: sum(({ escalated }) => escalated),
    pending: sum(({ pending }) => pending),
    ages: ageBands.map((_, i) => sum(({ ages }) => ages[i] ?? 0)),
    averageDays: average(
      sum(({ days }) => days),
      sum(({ resolved }) => resolved),
    ),
  }
}
