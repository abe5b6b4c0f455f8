// Reports of messages to the network's collector, by day, against the journal.
import type { NetworkReports, ReportsOfDay } from '@lendloom/wire/console/network'
import { Badge, Breaking, Day, Time } from '../ui/components.tsx'
import { number } from '../ui/format-figures.ts'
import { type Column, Rows } from '../ui/list.tsx'

type Collector = NonNullable<NetworkReports['collector']>

const isLate = ({ waiting, dueAt }: ReportsOfDay): boolean => waiting > 0 && new Date(dueAt) < new Date()

function stateOf({ days }: Collector) {
  const refused = days.reduce((sum, day) => sum + day.refused, 0)
  const waiting = days.some(({ waiting }) => waiting > 0)
  if (days.some(isLate)) return ['bad', 'Reports are late'] as const
  if (refused > 0) return ['warn', `${number(refused)} refused`] as const
  return waiting ? (['plain', 'Reporting'] as const) : (['good', 'All reported'] as const)
}

const columns: Column<ReportsOfDay>[] = [
  { head: 'Day', cell: ({ day }) => <Day on={day} /> },
  { head: 'Reported', isNumber: true, cell: ({ reported, journal }) => `${number(reported)} of ${number(journal)}` },
  { head: 'Waiting', isNumber: true, cell: ({ waiting }) => number(waiting) },
  { head: 'Refused', isNumber: true, cell: ({ refused }) => number(refused) },
  { head: 'Due', isNumber: true, isMinor: true, cell: ({ dueAt }) => <Time at={dueAt} exact /> },
]

const refusalColumns: Column<Collector['refusals'][number]>[] = [
  { head: 'Refused', cell: ({ action }) => <code>{action}</code> },
  { head: 'Reason', cell: ({ note }) => <Breaking text={note} /> },
  { head: 'Count', isNumber: true, cell: ({ count }) => number(count) },
]

export function ReportsPart({ collector }: { collector: Collector }) {
  const [tone, text] = stateOf(collector)
  const [today] = collector.days
  return (
    <details class="card own-entry" open={tone === 'bad' || tone === 'warn'}>
      <summary>
        Reports to the network&ensp;<Badge tone={tone}>{text}</Badge>
        {today && (
          <span class="quiet small">
            &ensp;{number(today.reported)} of {number(today.journal)} today
          </span>
        )}
      </summary>
      <p class="quiet">
        Every message goes to the network without personal data, by 02:00 of the next day. Collector:{' '}
        <span class="address">{collector.url}</span>
      </p>
      <Rows label="Reports by day" items={collector.days} columns={columns} keyOf={({ day }) => day} />
      {collector.refusals.length > 0 && (
        <Rows
          label="Refused reports"
          items={collector.refusals}
          columns={refusalColumns}
          keyOf={({ action, note }) => action + note}
        />
      )}
    </details>
  )
}
