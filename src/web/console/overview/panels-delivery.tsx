// The panels about lifecycle updates: whether they arrive, and how soon.

import type { Overview } from '#contract/console/overview.ts'
import { to } from '../router.ts'
import { Chart } from '../ui/chart.tsx'
import { duration, number } from '../ui/figures.ts'
import { Panel } from './panel.tsx'
import { tableOf } from './panels-journey.tsx'
import { countAxis, deliveryWords, spreadTimeAxis, stepNames } from './words.ts'

interface Props {
  figures: Overview
}

export function Deliveries({ figures: { deliveries, deliveriesWaiting, steps, step } }: Props) {
  const names = stepNames(steps, step)
  const series = deliveries.map((line) => {
    const [name, mark] = deliveryWords[line.outcome]
    return { name, mark, values: line.series, count: line.count }
  })
  const shown = series.filter(({ count }, i) => i === 0 || count > 0)
  return (
    <Panel
      title="Updates delivered"
      about={
        deliveriesWaiting > 0 ? (
          <>
            {number(deliveriesWaiting)} wait now. <a href={to('webhooks')}>See the endpoints</a>
          </>
        ) : (
          'None waits now.'
        )
      }
      file="deliveries"
      numbers={{
        head: [step === 'day' ? 'Day' : 'Hour', ...series.map(({ name }) => name)],
        rows: tableOf(names, series, number),
      }}
    >
      <Chart
        label="Updates by what became of them"
        steps={names}
        kind="bars"
        series={shown}
        format={number}
        axis={countAxis}
      />
    </Panel>
  )
}

export function DeliveryTime({ figures: { deliveryTime, steps, step } }: Props) {
  const names = stepNames(steps, step)
  const series = [
    { name: 'p50', values: deliveryTime.p50Series, mark: 1 },
    { name: 'p90', values: deliveryTime.p90Series, mark: 3 },
  ]
  return (
    <Panel
      title="Time to deliver an update"
      about={`From the update to the endpoint’s success: p50 ${duration(deliveryTime.p50)}, p90 ${duration(deliveryTime.p90)}.`}
      file="delivery-time"
      numbers={{
        head: [step === 'day' ? 'Day' : 'Hour', 'p50', 'p90'],
        rows: tableOf(names, series, duration),
      }}
    >
      <Chart
        label="Time to deliver an update"
        steps={names}
        kind="lines"
        series={series}
        format={duration}
        axis={spreadTimeAxis}
      />
    </Panel>
  )
}
