// Panels about journeys: funnel, progress over time, offers by lender, and time to payout.

import { offerOutcomes } from '@lendloom/wire/console/lists'
import type { Overview } from '@lendloom/wire/console/overview'
import { labelOf } from '../ui/code-labels.ts'
import { countText, number, percent, roughly } from '../ui/format-figures.ts'
import { Bars, NestedBars } from './bar-chart.tsx'
import { countAxis, minPercentileCount, offerNames, timeAxis } from './overview-texts.ts'
import { Panel } from './panel.tsx'
import { StepPanel, timesOf } from './step-panel.tsx'

interface Props {
  figures: Overview
}

/** Statuses up to disbursal, then those that end a journey without a loan. */
const progressStatuses = [
  'STARTED',
  'PROFILED',
  'OFFERED',
  'OFFER_SELECTED',
  'OFFER_ACCEPTED',
  'LENDER_REDIRECTED',
  'DISBURSED',
]
const endStatuses = ['NOT_OFFERED', 'REJECTED']

export function JourneySteps({ figures: { journeys } }: Props) {
  const lineOf = (status: string) => journeys.filter(({ outcome }) => outcome === status)
  const started = lineOf('STARTED')[0]?.count ?? 0
  const bars = (statuses: string[], mark: number) =>
    statuses.flatMap(lineOf).map(({ outcome, count }) => ({
      name: labelOf(outcome),
      count,
      mark,
      about: outcome === 'STARTED' ? '' : percent(count, started),
    }))
  return (
    <Panel
      title="Journey funnel"
      about="Journeys that reached each status, and their share of journeys started."
      file="journeys"
      isOpenOnPhone
      numbers={
        journeys.some(({ count }) => count > 0)
          ? {
              head: ['Status', 'Journeys', 'Previous period', 'Of journeys started'],
              rows: journeys.map(({ outcome, count, before }) => [
                labelOf(outcome),
                number(count),
                number(before),
                percent(count, started),
              ]),
            }
          : null
      }
    >
      <Bars bars={[...bars(progressStatuses, 1), ...bars(endStatuses, 4)]} />
    </Panel>
  )
}

export function Journeys({ figures }: Props) {
  const series = ['STARTED', 'OFFERED', 'DISBURSED'].flatMap((status, i) =>
    figures.journeys
      .filter(({ outcome }) => outcome === status)
      .map((line) => ({ name: labelOf(status), values: line.series, mark: i + 1 })),
  )
  return (
    <StepPanel
      title="Journeys over time"
      about="Journeys started, with an offer, and paid out."
      file="journeys"
      figures={figures}
      kind="lines"
      series={series}
      format={number}
      axis={countAxis}
    />
  )
}

export function Offers({ figures: { offersByLender } }: Props) {
  const rows = offersByLender.map(({ lender, counts }) => ({
    name: lender,
    counts: offerOutcomes.map((each) => counts[each]),
  }))
  return (
    <Panel
      title="Offers by lender"
      about="How often each lender decided, made an offer and was chosen."
      file="offers"
      numbers={
        rows.length > 0
          ? {
              head: ['Lender', ...offerOutcomes.map((each) => offerNames[each]), 'Offer rate'],
              rows: rows.map(({ name, counts }) => [
                name,
                ...counts.map(number),
                percent(counts[2] ?? 0, counts[0] ?? 0),
              ]),
            }
          : null
      }
    >
      <p class="legend">
        {offerOutcomes.map((each, i) => (
          <span key={each}>
            <span class={`mark part-${i + 1}`} aria-hidden="true" /> {offerNames[each]}
          </span>
        ))}
        <span class="quiet">requests, offer rate</span>
      </p>
      <NestedBars rows={rows.slice(0, 10)} />
    </Panel>
  )
}

export function TimeToMoney({ figures }: Props) {
  const { count, p50, p50Series, p90Series } = figures.timeToMoney
  const milliseconds = (values: (number | null)[]) => values.map((each) => each && each * 1000)
  return (
    <StepPanel
      title="From session to payout"
      label="Time from session to payout"
      about={
        p50 === null
          ? 'From the start of the journey to the payout.'
          : `${countText(count, 'payout')}, ${count === 1 ? 'in' : 'half of them within'} ${roughly(p50 * 1000)}.`
      }
      file="time-to-money"
      figures={figures}
      kind="lines"
      series={timesOf({ p50Series: milliseconds(p50Series), p90Series: milliseconds(p90Series) }).slice(
        0,
        count < minPercentileCount ? 1 : undefined,
      )}
      format={roughly}
      axis={timeAxis}
    />
  )
}
