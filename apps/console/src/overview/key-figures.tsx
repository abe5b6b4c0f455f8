// The key figures, compared with the previous time range.

import { Icon } from '@lendloom/design/icon'
import { arrowDown, arrowUp } from '@lendloom/design/icons'
import type { Overview } from '@lendloom/wire/console/overview'
import { countText, number, percent, roughly } from '../ui/format-figures.ts'
import { minPercentileCount } from './overview-texts.ts'

interface KeyFigure {
  name: string
  value: string
  about: string
  now: number | null
  before: number | null
  /** Whether an increase is good; null if neutral. */
  isMoreBetter: boolean | null
}

type Lines = { outcome: string; count: number; before: number }[]
const lineOf = (lines: Lines, outcome: string) =>
  lines.find((each) => each.outcome === outcome) ?? { count: 0, before: 0 }
const sumOf = (lines: Lines, name: 'count' | 'before') => lines.reduce((sum, each) => sum + each[name], 0)
const ratio = (part: number, total: number): number | null => (total === 0 ? null : part / total)

const shareOf = (part: number, started: number): string =>
  started === 0 ? 'none started' : `${percent(part, started)} of those started`

const deliveriesText = (waiting: number, firstTry: number, all: number): string =>
  waiting > 0
    ? `${number(waiting)} waiting`
    : all === 0
      ? 'no updates yet'
      : `${number(firstTry)} of ${countText(all, 'update')}`

function keyFigures(overview: Overview): KeyFigure[] {
  const { journeys, timeToMoney, deliveries, deliveriesWaiting, requests } = overview
  const started = lineOf(journeys, 'STARTED')
  const offered = lineOf(journeys, 'OFFERED')
  const paidOut = lineOf(journeys, 'DISBURSED')
  const firstTry = lineOf(deliveries, 'FIRST_TRY')
  const answered = lineOf(requests, 'ANSWERED')
  const deliveryTotals = { count: sumOf(deliveries, 'count'), before: sumOf(deliveries, 'before') }
  const requestTotals = { count: sumOf(requests, 'count'), before: sumOf(requests, 'before') }
  const countFigure = (name: string, line: { count: number; before: number }, about: string): KeyFigure => {
    return { name, value: number(line.count), about, now: line.count, before: line.before, isMoreBetter: true }
  }
  return [
    countFigure('Journeys started', started, `${number(started.before)} in the time before`),
    countFigure('With an offer', offered, shareOf(offered.count, started.count)),
    countFigure('Paid out', paidOut, shareOf(paidOut.count, started.count)),
    {
      name: 'Time to payout',
      value: timeToMoney.p50 === null ? '–' : roughly(timeToMoney.p50 * 1000),
      about:
        timeToMoney.p90 === null
          ? 'no payouts yet'
          : timeToMoney.count < minPercentileCount
            ? `of ${countText(timeToMoney.count, 'payout')}`
            : `90% within ${roughly(timeToMoney.p90 * 1000)}`,
      now: timeToMoney.p50,
      before: timeToMoney.beforeP50,
      isMoreBetter: false,
    },
    {
      name: 'Delivered on first try',
      value: percent(firstTry.count, deliveryTotals.count),
      about: deliveriesText(deliveriesWaiting, firstTry.count, deliveryTotals.count),
      now: ratio(firstTry.count, deliveryTotals.count),
      before: ratio(firstTry.before, deliveryTotals.before),
      isMoreBetter: true,
    },
    {
      name: 'Lenders on time',
      value: percent(answered.count, requestTotals.count),
      about: requestTotals.count === 0 ? 'no requests yet' : `of ${countText(requestTotals.count, 'request')}`,
      now: ratio(answered.count, requestTotals.count),
      before: ratio(answered.before, requestTotals.before),
      isMoreBetter: true,
    },
  ]
}

export const KeyFigures = ({ overview }: { overview: Overview }) => (
  <dl class="figures">
    {keyFigures(overview).map((figure) => (
      <div key={figure.name}>
        <dt>{figure.name}</dt>
        <dd class={`value ${figure.value === '0%' ? 'bad' : ''}`}>
          {figure.value}
          <Change {...figure} />
        </dd>
        <dd class="quiet small">{figure.about}</dd>
      </div>
    ))}
  </dl>
)

/** The change since the previous time range in percent; null if there are no earlier figures. */
const changeOf = ({ now, before }: KeyFigure): number | null =>
  now === null || before === null || before === 0 ? null : Math.round((now / before - 1) * 100)

export const hasChanges = (overview: Overview): boolean => keyFigures(overview).some(changeOf)

function Change(figure: KeyFigure) {
  const { isMoreBetter } = figure
  const change = changeOf(figure)
  if (change === null) return null
  if (change === 0) return <span class="change">±0%</span>
  const tone = isMoreBetter === null ? '' : change > 0 === isMoreBetter ? 'good' : 'bad'
  return (
    <span class={`change ${tone}`}>
      <Icon path={change > 0 ? arrowUp : arrowDown} />
      <span class="unseen">{change > 0 ? 'up by' : 'down by'}</span> {number(Math.abs(change))}%
    </span>
  )
}
