// Exports a figure as CSV (RFC 4180), reading one day at a time.

import { type CsvColumn, csvLines, csvPage } from '@lendloom/documents/csv'
import type { Run } from '@lendloom/postgres/sql'
import type { FigureFile } from '@lendloom/wire/console/lists'
import type { FigureName } from '#platform/records/figures/figure.ts'
import { daysIn } from '#platform/records/figures/half-hours.ts'
import { percentileOf } from '#platform/records/figures/percentile.ts'
import {
  applicationsOf,
  type ExportRow,
  lenderNames,
  type Scope,
  sumByAllColumns,
} from '#platform/records/figures/read/store.ts'
import { type FigureWindow, timeSlicesOf } from '#platform/records/figures/read/window.ts'
import { columnNames, outcomeText, unitNames } from './figure-csv-text-en.ts'

type Column = keyof typeof columnNames
interface FileKind {
  figure: FigureName
  /** The columns besides start, tenant, application, product and count. */
  extraColumns: Extract<Column, 'status' | 'lender' | 'action' | 'event' | 'outcome'>[]
  /** Set only for histograms: the unit of their buckets. */
  unit?: keyof typeof unitNames
}

const kinds: Record<`${FigureFile}.csv`, FileKind> = {
  'journeys.csv': { figure: 'journey', extraColumns: ['status'] },
  'time-to-money.csv': { figure: 'time-to-money', extraColumns: [], unit: 'seconds' },
  'payout-time.csv': { figure: 'payout-time', extraColumns: ['lender'], unit: 'seconds' },
  'offers.csv': { figure: 'offer', extraColumns: ['lender', 'outcome'] },
  'deliveries.csv': { figure: 'delivery', extraColumns: ['outcome'] },
  'delivery-time.csv': { figure: 'delivery-time', extraColumns: [], unit: 'milliseconds' },
  'requests.csv': { figure: 'network', extraColumns: ['lender', 'action', 'outcome'] },
  'partner-events.csv': { figure: 'event-in', extraColumns: ['event', 'outcome'] },
  'partner-gaps.csv': { figure: 'event-gap', extraColumns: ['event'] },
  'platform-events.csv': { figure: 'event-out', extraColumns: ['event', 'outcome'] },
}

/** Yields the lines of the file, header first. */
export async function* linesOf(
  db: Run,
  file: `${FigureFile}.csv`,
  scope: Scope,
  window: FigureWindow,
): AsyncGenerator<string> {
  const { figure, unit } = kinds[file]
  const columns = columnsFor(kinds[file], await readNames(db, scope))
  yield csvLines([columns.map(({ head }) => head)], false)
  for (const day of daysIn(window)) {
    const rows = await sumByAllColumns(db, scope, figure, { step: window.step, slices: timeSlicesOf(day, window.step) })
    for (const row of unit ? withPercentiles(rows) : rows.map(withoutPercentiles)) yield csvPage(columns, [row], false)
  }
}

const columnsFor = ({ extraColumns, unit }: FileKind, names: Names): CsvColumn<TimedRow>[] => [
  { head: columnNames.begins, of: (row) => indiaTime(row.stepAt) },
  { head: columnNames.tenant, of: (row) => names.tenant(row.tenantId) },
  { head: columnNames.application, of: (row) => names.application(row.applicationId) },
  { head: columnNames.product, of: (row) => row.product },
  ...extraColumns.map((each) => ({
    head: columnNames[each],
    of: (row: TimedRow) => cellOf(each, row, names.lender),
  })),
  { head: columnNames.count, of: (row) => row.count },
  ...(unit ? percentileColumns(unitNames[unit]) : []),
]

const percentileColumns = (unit: string): CsvColumn<TimedRow>[] => [
  { head: `${columnNames.p50} (${unit})`, of: (row) => roundedText(row.p50) },
  { head: `${columnNames.p90} (${unit})`, of: (row) => roundedText(row.p90) },
]

const roundedText = (value: number | null): string => (value === null ? '' : String(Math.round(value)))

interface Names {
  tenant(id: string): string
  application(id: string): string
  lender(subject: string): string
}

async function readNames(db: Run, scope: Scope): Promise<Names> {
  const [applications, lenders] = await Promise.all([applicationsOf(db, scope), lenderNames(db, scope)])
  const application = new Map(applications.map(({ applicationId, name }) => [applicationId, name]))
  const lender = new Map(
    lenders.flatMap(({ lenderId, bppId, name }) => [[lenderId, name] as const, [bppId, name] as const]),
  )
  return {
    tenant: (id) => id,
    application: (id) => application.get(id) ?? id,
    lender: (subject) => lender.get(subject) ?? subject,
  }
}

function cellOf(
  column: FileKind['extraColumns'][number],
  row: ExportRow,
  lenderName: (subject: string) => string,
): string {
  if (column === 'lender') return lenderName(row.subject)
  if (column === 'action') return row.action
  return column === 'event' ? row.subject : outcomeText(row.outcome)
}

interface TimedRow extends ExportRow {
  p50: number | null
  p90: number | null
}

const withoutPercentiles = (row: ExportRow): TimedRow => ({ ...row, p50: null, p90: null })

/** Merges the rows of a histogram's buckets into one row per step, application, product and subject. */
function withPercentiles(rows: ExportRow[]): TimedRow[] {
  const groups = Map.groupBy(rows, (row) =>
    [row.stepAt.getTime(), row.applicationId, row.product, row.subject].join(' '),
  )
  return [...groups.values()].flatMap((group) => {
    const buckets = new Map(group.map(({ outcome, count }) => [Number(outcome), count]))
    const count = group.reduce((sum, each) => sum + each.count, 0)
    return group.slice(0, 1).map((row) => {
      return { ...row, count, p50: percentileOf(buckets, 0.5), p90: percentileOf(buckets, 0.9) }
    })
  })
}

/** `2026-11-21 14:30` in Indian time. */
const indiaTime = (at: Date): string =>
  new Date(at.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
