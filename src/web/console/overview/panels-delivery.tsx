// Panels about the delivery of lifecycle updates.

import type { Overview } from '#contract/console/overview.ts'
import { to } from '../router.ts'
import { duration, number } from '../ui/figures.ts'
import { StepPanel, seriesOf, timesOf } from './step-panel.tsx'
import { countAxis, deliveryWords, spreadTimeAxis } from './words.ts'

interface Props {
  figures: Overview
}

export const Deliveries = ({ figures }: Props) => (
  <StepPanel
    title="Updates delivered"
    label="Updates by outcome"
    about={
      figures.deliveriesWaiting > 0 ? (
        <>
          {number(figures.deliveriesWaiting)} waiting now. <a href={to('webhooks')}>See the endpoints</a>
        </>
      ) : (
        'None waiting now.'
      )
    }
    file="deliveries"
    figures={figures}
    kind="bars"
    series={seriesOf(figures.deliveries, deliveryWords)}
    format={number}
    axis={countAxis}
  />
)

export const DeliveryTime = ({ figures }: Props) => (
  <StepPanel
    title="Time to deliver an update"
    about={`From the update to the endpoint’s success: p50 ${duration(figures.deliveryTime.p50)}, p90 ${duration(figures.deliveryTime.p90)}.`}
    file="delivery-time"
    figures={figures}
    kind="lines"
    series={timesOf(figures.deliveryTime)}
    format={duration}
    axis={spreadTimeAxis}
  />
)
