// Panels about lenders: answers on the network, and events of the lending partner.

import { requestOutcomes } from '#contract/console/lists.ts'
import type { Overview } from '#contract/console/overview.ts'
import { to } from '../router.ts'
import { countText, duration, number, percent } from '../ui/figures.ts'
import { NumberTable } from './panel.tsx'
import { StepPanel, seriesOf } from './step-panel.tsx'
import { countAxis, eventWords, requestWords } from './words.ts'

interface Props {
  figures: Overview
}

const maxHealthRows = 6

export function Requests({ figures }: Props) {
  const { requests, requestsByLender } = figures
  const health = byLender(requestsByLender)
  return (
    <StepPanel
      title="Lenders on the network"
      label="Requests to lenders by outcome"
      about="Requests by outcome: answered on time, answered late, not answered, or rejected."
      file="requests"
      figures={figures}
      kind="bars"
      series={seriesOf(requests, requestWords)}
      format={number}
      axis={countAxis}
      numbers={{
        head: ['Lender', 'Action', ...requestOutcomes.map((each) => requestWords[each][0])],
        rows: requestsByLender.map(({ lender, action, counts }) => [
          lender,
          action,
          ...requestOutcomes.map((each) => number(counts[each])),
        ]),
      }}
    >
      {health.length > 0 && (
        <>
          <NumberTable
            label="Lenders by health"
            head={['Lender', 'Requests', 'On time', 'No answer', 'Rejected']}
            rows={health
              .slice(0, maxHealthRows)
              .map(({ lender, total, counts }) => [
                lender,
                number(total),
                percent(counts.ANSWERED, total),
                percent(counts.SILENT + counts.UNREACHED, total),
                percent(counts.REFUSED, total),
              ])}
          />
          {health.length > maxHealthRows && (
            <p class="quiet small">
              and <a href={to('lenders')}>{number(health.length - maxHealthRows)} more</a>
            </p>
          )}
        </>
      )}
    </StepPanel>
  )
}

type Counts = Overview['requestsByLender'][number]['counts']
const zeroCounts: Counts = { ANSWERED: 0, LATE: 0, SILENT: 0, REFUSED: 0, UNREACHED: 0, WAITING: 0 }

/** Sums the requests of each lender; the lender with the lowest answer rate comes first. */
function byLender(rows: Overview['requestsByLender']): { lender: string; counts: Counts; total: number }[] {
  const sums = new Map<string, Counts>()
  for (const { lender, counts } of rows) {
    const sum = { ...(sums.get(lender) ?? zeroCounts) }
    for (const each of requestOutcomes) sum[each] += counts[each]
    sums.set(lender, sum)
  }
  return [...sums]
    .map(([lender, counts]) => ({
      lender,
      counts,
      total: requestOutcomes.reduce((sum, each) => sum + counts[each], 0),
    }))
    .sort((a, b) => a.counts.ANSWERED / a.total - b.counts.ANSWERED / b.total)
}

export function PartnerEvents({ figures }: Props) {
  const { partnerEvents, partnerGaps, platformEvents, eventsWaiting } = figures
  const series = seriesOf(partnerEvents, eventWords)
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
      ['Half applied within', duration(partnerEventTime.p50)],
      ['90% applied within', duration(partnerEventTime.p90)],
      ['Arrived out of order', number(partnerGaps.count)],
      ['Sent by us', number(doneCount(platformEvents))],
      ['Half sent within', duration(platformEventTime.p50)],
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
