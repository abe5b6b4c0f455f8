// Panels about lenders: answers on the network, and events of the lending partner.

import { requestOutcomes } from '@lendloom/wire/console/lists'
import type { Overview } from '@lendloom/wire/console/overview'
import { countText, duration, number } from '../ui/format-figures.ts'
import { countAxis, eventMarks, requestMarks } from './overview-texts.ts'
import { StepPanel, seriesOf } from './step-panel.tsx'

interface Props {
  figures: Overview
}

export function Requests({ figures }: Props) {
  const { requests, requestsByLender } = figures
  return (
    <StepPanel
      title="Lenders on the network"
      label="Requests to lenders by outcome"
      about="Requests by outcome: answered on time, answered late, not answered, or rejected."
      file="requests"
      figures={figures}
      kind="bars"
      series={seriesOf(requests, requestMarks)}
      format={number}
      axis={countAxis}
      numbers={{
        head: ['Lender', 'Action', ...requestOutcomes.map((each) => requestMarks[each][0])],
        rows: requestsByLender.map(({ lender, action, counts }) => [
          lender,
          action,
          ...requestOutcomes.map((each) => number(counts[each])),
        ]),
      }}
    />
  )
}

export function PartnerEvents({ figures }: Props) {
  const { partnerEvents, partnerGaps, platformEvents, eventsWaiting } = figures
  const series = seriesOf(partnerEvents, eventMarks)
  const sent = { name: 'Sent by us', values: totalOf(platformEvents) }
  return (
    <StepPanel
      title="Events from the lending partner"
      label="Lending partner events by outcome"
      about={eventsWaiting > 0 ? `${countText(eventsWaiting, 'event')} waiting.` : 'No events are waiting.'}
      file="partner-events"
      figures={figures}
      kind="bars"
      series={series}
      rows={[...series, sent, { name: 'Gaps', values: partnerGaps.series }]}
      format={number}
      axis={countAxis}
    >
      {[...series, sent].some(({ values }) => values.some(Boolean)) && <EventFigures figures={figures} />}
    </StepPanel>
  )
}

const EventFigures = ({ figures: { partnerEventTime, partnerGaps, platformEvents, platformEventTime } }: Props) => (
  <dl class="beside">
    {[
      ['Median time to apply', duration(partnerEventTime.p50)],
      ['90% applied within', duration(partnerEventTime.p90)],
      ['Arrived out of order', number(partnerGaps.count)],
      ['Sent by us', number(doneCount(platformEvents))],
      ['Median time to send', duration(platformEventTime.p50)],
    ].map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const doneCount = (events: Overview['platformEvents']): number =>
  events.find(({ outcome }) => outcome === 'DONE')?.count ?? 0

const totalOf = (lines: { series: number[] }[]): number[] =>
  (lines[0]?.series ?? []).map((_, i) => lines.reduce((sum, { series }) => sum + (series[i] ?? 0), 0))
