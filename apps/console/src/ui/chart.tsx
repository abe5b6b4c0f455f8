// A line chart or stacked bar chart over time steps, drawn by uPlot, which is loaded with the first chart.
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { theme } from '../colour-theme.ts'
import { assign } from './assign-signal.ts'

interface Series {
  name: string
  /** Null for a step without a value. */
  values: (number | null)[]
  /** Number of the colour and pattern: class `mark-1` and so on. */
  mark: number
}

export interface ChartProps {
  /** The chart's text for screen readers. */
  label: string
  steps: string[]
  kind: 'lines' | 'bars'
  series: Series[]
  format(value: number): string
  axis: Axis
}

/** A value axis: the spacing of its lines, and whether it is logarithmic. */
interface Axis {
  increments?: number[]
  powers?: number[]
  format(value: number): string
}

const darkMode = matchMedia('(prefers-color-scheme: dark)')

type PlotProps = Omit<ChartProps, 'label' | 'format'>

/** Draws the plot, and redraws it when data or colours change. */
function usePlot(element: RefObject<HTMLElement | null>, plotProps: PlotProps, onPoint: (at: number | null) => void) {
  const plot = useRef<uPlot | null>(null)
  const themeChanges = useSignal(0)
  useEffect(() => {
    const onThemeChange = () => void themeChanges.value++
    darkMode.addEventListener('change', onThemeChange)
    return () => darkMode.removeEventListener('change', onThemeChange)
  }, [])
  useEffect(() => {
    const box = element.current
    if (!box) return
    let isUnmounted = false
    const watcher = new ResizeObserver(() => plot.current?.setSize(sizeOf(box)))
    import('uplot').then(({ default: UPlot }) => {
      if (isUnmounted) return
      plot.current = new UPlot(...optionsOf(UPlot, box, { ...plotProps, onPoint }), box)
      watcher.observe(box)
    })
    return () => {
      isUnmounted = true
      watcher.disconnect()
      plot.current?.destroy()
      plot.current = null
    }
  }, [JSON.stringify([plotProps, theme.value, themeChanges.value])])
  return plot
}

/** A chart whose legend shows the values of the step that the user selects by pointer or arrow keys. */
export function Chart({ label, steps, kind, series, format, axis }: ChartProps) {
  const selectedStep = useSignal<number | null>(null)
  const box = useRef<HTMLElement>(null)
  const plot = usePlot(box, { steps, kind, series, axis }, (at) => assign(selectedStep, at))
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === 'Escape') pointAt(plot.current, null)
    if (by === undefined) return
    event.preventDefault()
    const from = selectedStep.value ?? (by > 0 ? -1 : steps.length)
    pointAt(plot.current, Math.min(steps.length - 1, Math.max(0, from + by)))
  }
  return (
    <div class="chart">
      <Legend series={series} step={selectedStep.value} steps={steps} format={format} />
      <figure
        ref={box}
        class="plot"
        aria-label={`${label}. Arrow keys walk through the steps.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys select a step
        tabIndex={0}
        onKeyDown={onKey}
        onBlur={() => pointAt(plot.current, null)}
      />
    </div>
  )
}

function pointAt(plot: uPlot | null, at: number | null): void {
  plot?.setCursor(at === null ? { left: -10, top: -10 } : { left: plot.valToPos(at, 'x'), top: 10 })
}

interface LegendProps extends Pick<ChartProps, 'series' | 'steps' | 'format'> {
  step: number | null
}

const Legend = ({ series, step, steps, format }: LegendProps) => (
  <div class="legend" aria-live="polite">
    {series.map(({ name, values, mark }) => {
      const points = values.filter((each) => each !== null)
      const value = step === null ? points[1] === undefined && points[0] : values[step]
      return (
        <span key={name}>
          <span class={`mark mark-${mark}`} aria-hidden="true" /> {name}
          {(step !== null || typeof value === 'number') && (
            <strong> {typeof value === 'number' ? format(value) : '–'}</strong>
          )}
        </span>
      )
    })}
    {step !== null && <span class="quiet">{steps[step]}</span>}
  </div>
)

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({ width: clientWidth, height: clientHeight })

interface PlotHandlers extends PlotProps {
  onPoint(at: number | null): void
}

/** The x values are step numbers, so that steps are equally wide and independent of time zones. */
function optionsOf(UPlot: typeof uPlot, box: HTMLElement, plotProps: PlotHandlers): [uPlot.Options, uPlot.AlignedData] {
  const { steps, kind, series, axis, onPoint } = plotProps
  const ink = inkOf(box)
  const stacked = kind === 'bars' ? stack(series) : series
  const common = { stroke: ink('axis'), font: '12px system-ui, sans-serif', ticks: { show: false } }
  const options: uPlot.Options = {
    ...sizeOf(box),
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'lines' } },
    scales: { x: { time: false, range: [-0.5, Math.max(1, steps.length) - 0.5] }, y: scaleOf(axis) },
    axes: [
      {
        ...common,
        size: 26,
        grid: { show: false },
        splits: (u) => splitsOf(steps.length, u.width),
        values: (_, splits) => splits.map((at) => steps[at] ?? ''),
      },
      { ...common, size: 58, grid: { stroke: ink('grid'), width: 1 }, ...gridOf(axis) },
    ],
    series: [{}, ...stacked.map((each) => seriesOf(UPlot, kind, each.mark, ink))],
    hooks: { setCursor: [(u) => onPoint(u.cursor.idx ?? null)] },
  }
  return [options, [steps.map((_, i) => i), ...stacked.map(({ values }) => values)]]
}

const scaleOf = ({ powers }: Axis): uPlot.Scale =>
  powers
    ? {
        distr: 3,
        range: (_, min, max) => [powers.findLast((each) => each < min) ?? 1, powers.find((each) => each > max) ?? max],
      }
    : { range: (_, __, max) => [0, Math.max(max * 1.08, 1)] }

const gridOf = ({ increments, powers, format }: Axis): Partial<uPlot.Axis> => ({
  ...(increments && { incrs: increments }),
  ...(powers && {
    splits: (_, __, min, max) => powers.filter((each) => each >= min && each <= max),
    filter: (_, splits) => splits,
  }),
  values: (_, splits) => splits.map(format),
})

/** Stacks series. The largest sum is drawn first, so that it does not cover the others. */
function stack(series: Series[]): Series[] {
  const sums: number[] = []
  return series
    .map((each) => ({
      ...each,
      values: each.values.map((value, i) => {
        const sum = (sums[i] ?? 0) + (value ?? 0)
        sums[i] = sum
        return sum
      }),
    }))
    .reverse()
}

/** Positions of labels, at a distance that prevents overlaps. */
function splitsOf(count: number, width: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor(width / 84))))
  return Array.from({ length: Math.ceil(count / every) }, (_, i) => i * every)
}

type Ink = (name: string) => string

/** Resolves colours of the style sheet, because canvas does not support custom properties. */
function inkOf(box: HTMLElement): Ink {
  const probe = document.createElement('span')
  box.append(probe)
  const colours = new Map(
    ['axis', 'grid', 'mark-1', 'mark-2', 'mark-3', 'mark-4', 'mark-5', 'mark-6', 'surface'].map((name) => {
      probe.className = `ink ${name}`
      return [name, getComputedStyle(probe).color] as const
    }),
  )
  probe.remove()
  return (name) => colours.get(name) ?? 'gray'
}

/** Dash patterns of lines, so that series differ not only by colour. */
const dashes: Record<number, number[]> = { 2: [7, 4], 3: [2, 3], 4: [10, 3, 2, 3] }

function seriesOf(UPlot: typeof uPlot, kind: ChartProps['kind'], mark: number, ink: Ink): uPlot.Series {
  const stroke = ink(`mark-${mark}`)
  if (kind === 'lines') {
    const dash = dashes[mark]
    return { stroke, width: 2, spanGaps: true, points: { show: true, size: 6, fill: stroke }, ...(dash && { dash }) }
  }
  const paths = UPlot.paths.bars?.({ size: [0.72, 44], radius: 0.06 })
  const fill = hatching(mark, stroke, ink('surface'))
  return { stroke: 'transparent', width: 0, fill: () => fill, points: { show: false }, ...(paths && { paths }) }
}

function hatching(mark: number, colour: string, background: string): string | CanvasPattern {
  const size = 6 * devicePixelRatio
  const tile = Object.assign(document.createElement('canvas'), { width: size, height: size })
  const pen = tile.getContext('2d')
  if (mark === 1 || !pen) return colour
  pen.fillStyle = colour
  pen.fillRect(0, 0, size, size)
  pen.strokeStyle = background
  pen.lineWidth = devicePixelRatio
  pen.globalAlpha = 0.55
  for (const from of [-size, 0, size]) {
    pen.moveTo(from, mark % 2 === 0 ? size : 0)
    pen.lineTo(from + size, mark % 2 === 0 ? 0 : size)
  }
  pen.stroke()
  return pen.createPattern(tile, 'repeat') ?? colour
}
