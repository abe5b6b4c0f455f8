// A figure as CSV (RFC 4180), by day.
import type { FigureFile } from '#contract/console/lists.ts'
import type { Run } from '#kit/db/sql.ts'
import { csvPage } from '#kit/files/csv.ts'
import { daysIn, type FigureName, percentileOf } from '#platform/figures/figure.ts'
import {
  applicationsOf,
  type ExportRow,
  lenderNames,
  type Scope,
  sumByAllColumns,
} from '#platform/figures/read/store.ts'
import { type FigureWindow, timeSlicesOf } from '#platform/figures/read/window.ts'
import { columnNames, outcomeText, unitNames } from './overview-text-en.ts'

type Column = keyof typeof columnNames
interface FileKind {
  figure: FigureName
  /** The distinguishing column besides time, application and product. */
  by: Extract<Column, 'status' | 'lender' | 'action' | 'event' | 'outcome'>[]
  /** The unit of a histogram. */
  unit?: keyof typeof unitNames
}

const kinds: Record<`${FigureFile}.csv`, FileKind> = {
  'journeys.csv': { figure: 'journey', by: ['status'] },
  'time-to-money.csv': { figure: 'time-to-money', by: [], unit: 'seconds' },
  'payout-time.csv': { figure: 'payout-time', by: ['lender'], unit: 'seconds' },
  'offers.csv': { figure: 'offer', by: ['lender', 'outcome'] },
  'deliveries.csv': { figure: 'delivery', by: ['outcome'] },
  'delivery-time.csv': { figure: 'delivery-time', by: [], unit: 'milliseconds' },
  'requests.csv': { figure: 'network', by: ['lender', 'action', 'outcome'] },
  'partner-events.csv': { figure: 'event-in', by: ['event', 'outcome'] },
  'partner-gaps.csv': { figure: 'event-gap', by: ['event'] },
  'platform-events.csv': { figure: 'event-out', by: ['event', 'outcome'] },
}

/** Yields the lines of the file, header first. */
export async function* linesOf(
  db: Run,
  file: `${FigureFile}.csv`,
  scope: Scope,
  window: FigureWindow,
): AsyncGenerator<string> {
  const { figure, by, unit } = kinds[file]
  const names = await namesIn(db, scope)
  yield line([
    ...(['begins', 'tenant', 'application', 'product', ...by, 'count'] as const).map((each) => columnNames[each]),
    ...timeColumns(unit),
  ])
  for (const day of daysIn(window)) {
    const rows = await sumByAllColumns(db, scope, figure, { step: window.step, slices: timeSlicesOf(day, window.step) })
    for (const row of unit ? withPercentiles(rows) : rows.map(withoutPercentiles)) {
      const { tenantId, applicationId, product, count } = row
      const rowHead = [indiaTime(row.stepAt), names.tenant(tenantId), names.application(applicationId), product]
      const percentiles = unit ? [rounded(row.p50), rounded(row.p90)] : []
      yield line([...rowHead, ...by.map((each) => cellOf(each, row, names.lender)), String(count), ...percentiles])
    }
  }
}

const timeColumns = (unit: FileKind['unit']): string[] =>
  unit ? [columnNames.p50, columnNames.p90].map((each) => `${each} (${unitNames[unit]})`) : []

const rounded = (value: number | null): string => (value === null ? '' : String(Math.round(value)))

interface Names {
  tenant(id: string): string
  application(id: string): string
  lender(subject: string): string
}

async function namesIn(db: Run, scope: Scope): Promise<Names> {
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

function cellOf(column: FileKind['by'][number], row: ExportRow, lenderName: (subject: string) => string): string {
  if (column === 'lender') return lenderName(row.subject)
  if (column === 'action') return row.action
  return column === 'event' ? row.subject : outcomeText(row.outcome)
}

interface TimedRow extends ExportRow {
  p50: number | null
  p90: number | null
}

const withoutPercentiles = (row: ExportRow): TimedRow => ({ ...row, p50: null, p90: null })

/** Merges histogram buckets into one row per step, application, product and subject. */
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

const line = (cells: string[]): string => csvPage([], [cells], false)
