// The monthly report of complaints by category.

import { businessDate } from '@lendloom/lending/calendar'
import { ageBands } from '@lendloom/wire/console/complaint-lists'
import type { ComplaintReport, ReportLine } from '@lendloom/wire/console/complaint-report'
import { queryText } from '../api.ts'
import { query, setQuery } from '../router.ts'
import { tenantId } from '../session.ts'
import { now } from '../ui/clock.ts'
import { Empty, Loading, Trouble } from '../ui/components.tsx'
import { type Column, Rows, useResource } from '../ui/list.tsx'
import { categoryNames } from './complaint-texts.ts'

const monthFormat = new Intl.DateTimeFormat('en-IN', { month: 'long', year: 'numeric', timeZone: 'Asia/Kolkata' })

/** The last twelve months, newest first. */
function months(): [string, string][] {
  const today = new Date(now() + 5.5 * 3_600_000)
  return Array.from({ length: 12 }, (_, i) => {
    const date = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - i, 15))
    return [businessDate(date).slice(0, 7), monthFormat.format(date)]
  })
}

export function Report() {
  const month = query.value('month') || (months()[0]?.[0] ?? '')
  const { value, error, reload } = useResource<ComplaintReport>('/complaint-report', {
    tenantId: tenantId.value,
    month,
  })
  return (
    <>
      <div class="filters spread">
        <select aria-label="Month" value={month} onChange={(event) => setQuery({ month: event.currentTarget.value })}>
          {months().map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
        <a
          class="secondary"
          href={`/api/console/complaint-report/csv${queryText({ tenantId: tenantId.value, month })}`}
          download
        >
          CSV
        </a>
      </div>
      {error && !value ? <Trouble error={error} retry={reload} /> : null}
      {!value && !error && <Loading />}
      {value && <Figures report={value} />}
    </>
  )
}

const columns: Column<ReportLine>[] = [
  {
    head: 'About',
    cell: ({ category }) => (category === null ? <strong>Total</strong> : categoryNames[category]),
  },
  { head: 'Before', isNumber: true, isMinor: true, cell: ({ brought }) => brought },
  { head: 'Received', isNumber: true, cell: ({ received }) => received },
  { head: 'Resolved', isNumber: true, isMinor: true, cell: ({ resolved }) => resolved },
  { head: 'On time', isNumber: true, isMinor: true, cell: ({ inTime, resolved }) => shareOf(inTime, resolved) },
  { head: 'Upheld', isNumber: true, isMinor: true, cell: ({ upheld, resolved }) => shareOf(upheld, resolved) },
  { head: 'Days', isNumber: true, isMinor: true, cell: ({ averageDays }) => averageDays ?? '–' },
  { head: 'Escalated', isNumber: true, isMinor: true, cell: ({ escalated }) => escalated },
  { head: 'Pending', isNumber: true, cell: ({ pending }) => <strong>{pending}</strong> },
  ...ageBands.map(
    ({ from, to }, i): Column<ReportLine> => ({
      head: to === null ? `${from}+` : `${from}–${to}`,
      isNumber: true,
      isMinor: true,
      cell: ({ ages }) => (to === null && ages[i] ? <span class="overdue">{ages[i]}</span> : (ages[i] ?? 0)),
    }),
  ),
]

const shareOf = (part: number, total: number): string => (total === 0 ? '–' : `${Math.round((part / total) * 100)}%`)

const Figures = ({ report: { lines, total, isComplete } }: { report: ComplaintReport }) =>
  lines.length === 0 ? (
    <Empty title="No complaints in this month">
      <p>The report counts complaints received, resolved and pending in a month, as the regulator requires.</p>
    </Empty>
  ) : (
    <>
      <div class="dense">
        <Rows
          label="Complaints of the month"
          items={[...lines, total]}
          keyOf={({ category }) => category ?? 'all'}
          columns={columns}
        />
      </div>
      <p class="quiet small">
        {isComplete
          ? 'Pending complaints are those open at the end of the month, by age in days.'
          : 'This month is not over. Pending complaints are open now, by age in days.'}{' '}
        A merged complaint counts as part of the complaint it was merged into.
      </p>
    </>
  )
