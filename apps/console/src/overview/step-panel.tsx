// A panel with a chart over the steps of a time range, and its values as a table, newest step first.

import type { Overview } from '@lendloom/wire/console/overview'
import type { ComponentChildren } from 'preact'
import { Chart, type ChartProps } from '../ui/chart.tsx'
import { stepNames } from './overview-texts.ts'
import { type Numbers, Panel, type PanelProps } from './panel.tsx'

interface Series {
  name: string
  values: (number | null)[]
  mark: number
  /** The total; the chart omits a series whose total is zero, except the first. */
  count?: number
}

interface StepPanelProps
  extends Omit<PanelProps, 'numbers' | 'children'>,
    Pick<ChartProps, 'kind' | 'format' | 'axis'> {
  figures: Pick<Overview, 'steps' | 'step'>
  series: Series[]
  label?: string
  rows?: Pick<Series, 'name' | 'values'>[]
  numbers?: Numbers
  children?: ComponentChildren
}

export function StepPanel({
  figures,
  series,
  label,
  rows = series,
  children,
  numbers: ownNumbers,
  kind,
  format,
  axis,
  ...panel
}: StepPanelProps) {
  const names = stepNames(figures.steps, figures.step)
  const cells = names.map((name, i) => [name, ...rows.map(({ values }) => cellOf(values[i], format))])
  const numbers = {
    head: [figures.step === 'day' ? 'Day' : 'Hour', ...rows.map(({ name }) => name)],
    rows: cells.reverse(),
  }
  const visibleSeries = series.filter(({ count }, i) => i === 0 || count !== 0)
  const stepsWithData = [...names.keys()].filter((i) => visibleSeries.some(({ values }) => values[i]))
  const hasData = stepsWithData.length > 0
  const onlyStep = stepsWithData.length === 1 ? (stepsWithData[0] ?? null) : null
  return (
    <Panel {...panel} numbers={hasData || children ? (ownNumbers ?? numbers) : null}>
      {onlyStep !== null && (
        <dl class="beside">
          {visibleSeries.map(({ name, values }) => (
            <div key={name}>
              <dt>
                {name}, {names[onlyStep]}
              </dt>
              <dd>{cellOf(values[onlyStep], format)}</dd>
            </div>
          ))}
        </dl>
      )}
      {hasData && onlyStep === null && (
        <Chart
          label={label ?? panel.title}
          steps={names}
          series={visibleSeries}
          kind={kind}
          format={format}
          axis={axis}
        />
      )}
      {children}
    </Panel>
  )
}

const cellOf = (value: number | null | undefined, format: (value: number) => string): string =>
  typeof value === 'number' ? format(value) : '–'

interface Line<Outcome extends string> {
  outcome: Outcome
  series: number[]
  count: number
}

export const seriesOf = <Outcome extends string>(
  lines: Line<Outcome>[],
  words: Record<Outcome, readonly [name: string, mark: number]>,
): Series[] =>
  lines.map(({ outcome, series, count }) => ({
    name: words[outcome][0],
    mark: words[outcome][1],
    values: series,
    count,
  }))

interface Times {
  p50Series: (number | null)[]
  p90Series: (number | null)[]
}

/** Series of the median and the 90th percentile, in milliseconds. */
export const timesOf = ({ p50Series, p90Series }: Times): Series[] => [
  { name: 'Median', values: p50Series, mark: 1 },
  { name: '90% within', values: p90Series, mark: 3 },
]
