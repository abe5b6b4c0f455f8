// Panels about the delivery of lifecycle updates.

import type { Overview } from '@lendloom/wire/console/overview'
import { to } from '../router.ts'
import { duration, number } from '../ui/format-figures.ts'
import { countAxis, deliveryMarks, spreadTimeAxis } from './overview-texts.ts'
import { StepPanel, seriesOf, timesOf } from './step-panel.tsx'

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
          {number(figures.deliveriesWaiting)} waiting. <a href={to('webhooks')}>See the endpoints</a>
        </>
      ) : (
        'No updates are waiting.'
      )
    }
    file="deliveries"
    figures={figures}
    kind="bars"
    series={seriesOf(figures.deliveries, deliveryMarks)}
    format={number}
    axis={countAxis}
  />
)

export const DeliveryTime = ({ figures }: Props) => (
  <StepPanel
    title="Time to deliver an update"
    about={
      figures.deliveryTime.p50 === null
        ? 'From the status change to successful delivery.'
        : `From the status change to successful delivery: half within ${duration(figures.deliveryTime.p50)}, 90% within ${duration(figures.deliveryTime.p90)}.`
    }
    file="delivery-time"
    figures={figures}
    kind="lines"
    series={timesOf(figures.deliveryTime)}
    format={duration}
    axis={spreadTimeAxis}
  />
)
