// The panels about the other side: how lenders on the network answer, and the events of the lending partner.

import { requestOutcomes } from '#contract/console/lists.ts'
import type { Overview } from '#contract/console/overview.ts'
import { Chart } from '../ui/chart.tsx'
import { duration, number, percent } from '../ui/figures.ts'
import { NumberTable, Panel } from './panel.tsx'
import { tableOf } from './panels-journey.tsx'
import { countAxis, eventWords, requestWords, stepNames } from './words.ts'

interface Props {
  figures: Overview
}

export function Requests({ figures: { requests, requestsByLender, steps, step } }: Props) {
  const names = stepNames(steps, step)
  const series = requests.map((line) => {
    const [name, mark] = requestWords[line.outcome]
    return { name, mark, values: line.series, count: line.count }
  })
  const health = byLender(requestsByLender)
  return (
    <Panel
      title="Lenders on the network"
      about="Requests by how they were answered: in time, late, never, or refused."
      file="requests"
      numbers={{
        head: ['Lender', 'Action', ...requestOutcomes.map((each) => requestWords[each][0])],
        rows: requestsByLender.map(({ lender, action, counts }) => [
          lender,
          action,
          ...requestOutcomes.map((each) => number(counts[each])),
        ]),
      }}
    >
      <Chart
        label="Requests to lenders by how they were answered"
        steps={names}
        kind="bars"
        series={series.filter(({ count }, i) => i === 0 || count > 0)}
        format={number}
        axis={countAxis}
      />
      {health.length > 0 && (
        <NumberTable
          label="Lenders by health"
          head={['Lender', 'Requests', 'In time', 'No answer', 'Refused']}
          rows={health
            .slice(0, 6)
            .map(({ lender, all, counts }) => [
              lender,
              number(all),
              percent(counts.ANSWERED, all),
              percent(counts.SILENT + counts.UNREACHED, all),
              percent(counts.REFUSED, all),
            ])}
        />
      )}
    </Panel>
  )
}

type Counts = Overview['requestsByLender'][number]['counts']

/** All actions of a lender together, those that answer worst first. */
function byLender(rows: Overview['requestsByLender']): { lender: string; counts: Counts; all: number }[] {
  const sums = new Map<string, Counts>()
  for (const { lender, counts } of rows) {
    const sum = sums.get(lender)
    sums.set(lender, sum ? plus(sum, counts) : counts)
  }
  return [...sums]
    .map(([lender, counts]) => ({ lender, counts, all: requestOutcomes.reduce((sum, each) => sum + counts[each], 0) }))
    .sort((a, b) => a.counts.ANSWERED / a.all - b.counts.ANSWERED / b.all)
}

const plus = (a: Counts, b: Counts): Counts => ({
  ANSWERED: a.ANSWERED + b.ANSWERED,
  LATE: a.LATE + b.LATE,
  SILENT: a.SILENT + b.SILENT,
  REFUSED: a.REFUSED + b.REFUSED,
  UNREACHED: a.UNREACHED + b.UNREACHED,
  WAITING: a.WAITING + b.WAITING,
})

export function PartnerEvents({ figures }: Props) {
  const { partnerEvents, partnerGaps, platformEvents, eventsWaiting, steps, step } = figures
  const names = stepNames(steps, step)
  const received = partnerEvents.map((line) => {
    const [name, mark] = eventWords[line.outcome]
    return { name, mark, values: line.series, count: line.count }
  })
  const sent = { name: 'Sent by us', mark: 5, values: totalOf(platformEvents), count: 0 }
  const numbers = [...received, { ...sent }, { name: 'Gaps', values: partnerGaps.series }]
  return (
    <Panel
      title="Events of the lending partner"
      about={eventsWaiting > 0 ? `${number(eventsWaiting)} wait now.` : 'None waits now.'}
      file="partner-events"
      numbers={{
        head: [step === 'day' ? 'Day' : 'Hour', ...numbers.map(({ name }) => name)],
        rows: tableOf(names, numbers, number),
      }}
    >
      <Chart
        label="Events of the lending partner by what became of them"
        steps={names}
        kind="bars"
        series={received.filter(({ count }, i) => i === 0 || count > 0)}
        format={number}
        axis={countAxis}
      />
      <Beside figures={figures} />
    </Panel>
  )
}

/** How long events take, each way, and how many came too early. */
const Beside = ({ figures: { partnerEventTime, partnerGaps, platformEvents, platformEventTime } }: Props) => (
  <dl class="beside">
    <div>
      <dt>Applied, p50</dt>
      <dd>{duration(partnerEventTime.p50)}</dd>
    </div>
    <div>
      <dt>p90</dt>
      <dd>{duration(partnerEventTime.p90)}</dd>
    </div>
    <div>
      <dt>Came before their turn</dt>
      <dd>{number(partnerGaps.count)}</dd>
    </div>
    <div>
      <dt>Sent by us, p50</dt>
      <dd>
        {number(platformEvents.find(({ outcome }) => outcome === 'DONE')?.count ?? 0)},{' '}
        {duration(platformEventTime.p50)}
      </dd>
    </div>
  </dl>
)

const totalOf = (lines: { series: number[] }[]): number[] =>
  (lines[0]?.series ?? []).map((_, i) => lines.reduce((sum, { series }) => sum + (series[i] ?? 0), 0))
