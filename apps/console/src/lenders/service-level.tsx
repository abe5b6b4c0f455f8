// How fast and how well we answered lenders' callbacks, by day and by action.
import type { NetworkServiceLevel } from '@lendloom/wire/console/network'
import { Badge, Day } from '../ui/components.tsx'
import { duration, number, percent } from '../ui/format-figures.ts'
import { type Column, Rows } from '../ui/list.tsx'

type Level = NetworkServiceLevel['days'][number] | NetworkServiceLevel['actions'][number]

const mayFail = 0.001
const maySlow = 0.01

function stateOf({ callbacks, failed, withinSecond }: Level) {
  if (failed > callbacks * mayFail) return ['bad', `${number(failed)} failed`] as const
  const slow = callbacks - withinSecond
  return slow > callbacks * maySlow ? (['warn', `${number(slow)} slow`] as const) : (['good', 'In time'] as const)
}

const withinCell = (ms: number | null) => (ms === null ? '–' : `≤ ${duration(ms)}`)

const figures: Column<Level>[] = [
  { head: 'Callbacks', isNumber: true, cell: ({ callbacks }) => number(callbacks) },
  { head: 'Refused', isNumber: true, isMinor: true, cell: ({ refused }) => number(refused) },
  { head: 'Failed', isNumber: true, cell: ({ failed }) => number(failed) },
  {
    head: 'In 1 s',
    isNumber: true,
    cell: ({ withinSecond, callbacks }) => percent(withinSecond, callbacks),
  },
  { head: 'Median', isNumber: true, isMinor: true, cell: ({ medianMs }) => withinCell(medianMs) },
  { head: '95%', isNumber: true, isMinor: true, cell: ({ p95Ms }) => withinCell(p95Ms) },
  { head: '99%', isNumber: true, isMinor: true, cell: ({ p99Ms }) => withinCell(p99Ms) },
]
const dayColumns: Column<NetworkServiceLevel['days'][number]>[] = [
  { head: 'Day', cell: ({ day }) => <Day on={day} /> },
  ...figures,
]
const actionColumns: Column<NetworkServiceLevel['actions'][number]>[] = [
  { head: 'Callback', cell: ({ action }) => <code>{action}</code> },
  ...figures,
]

export function LevelPart({ level: { days, actions } }: { level: NetworkServiceLevel }) {
  const [newest] = days
  if (!newest) return null
  const [tone, text] = stateOf(newest)
  return (
    <details class="card own-entry" open={tone !== 'good'}>
      <summary>
        Our answers to lenders&ensp;<Badge tone={tone}>{text}</Badge>
        <span class="quiet small">
          &ensp;{number(newest.callbacks)} callbacks on <Day on={newest.day} />
        </span>
      </summary>
      <p class="quiet">
        A callback is refused with a NACK, or fails with a server error. The goal: at most one in a thousand fails, and
        99% are answered within a second.
      </p>
      <Rows label="Answers by day" items={days} columns={dayColumns} keyOf={({ day }) => day} />
      <Rows label="Answers by callback" items={actions} columns={actionColumns} keyOf={({ action }) => action} />
    </details>
  )
}
