// Server-rendered SVG charts: bars, stacked bars and lines. They need no scripts or inline styles, because CSS
// classes set the colours.

import { lazily } from '@lendloom/foundation/lazily'
import { type Html, html } from '@lendloom/http/markup'

interface Series {
  name: string
  /** One value for each step; null for a step without data. */
  values: (number | null)[]
  /** The number of the series' colour class, `mark-1` … `mark-6`. */
  mark: number
}

export interface ChartData {
  /** The chart's text for screen readers. */
  label: string
  steps: string[]
  series: Series[]
  format(value: number): string
  /** The axis ends at this value or at the largest value, whichever is larger. */
  minAxisEnd?: number
  hasLegend?: true
}

/** Heights are in pixels and widths in percent of the plot, so that text has one size on every screen. */
const plotArea = { top: 12, bottom: 222 }
/** The width in pixels of a chart on a desktop, by which as many names of steps are shown as fit. */
const usualWidth = 412

/** Returns the values of the horizontal lines: round steps from zero to the maximum or just above it. */
export function ticksFor(max: number): number[] {
  const roughStep = (max > 0 ? max : 1) / 4
  const power = 10 ** Math.floor(Math.log10(roughStep))
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= roughStep * 0.999) ?? 10) * power
  return Array.from({ length: Math.ceil(max / step - 0.001) + 1 }, (_, i) => Number((i * step).toPrecision(12)))
}

interface Scale {
  ticks: number[]
  y(value: number): number
  /** The middle of a step, in percent. */
  x(step: number): number
  /** The distance between two steps, in percent. */
  pitch: number
}

function scaleFor(steps: number, max: number): Scale {
  const ticks = ticksFor(max)
  const maxTick = ticks.at(-1) || 1
  const pitch = 100 / Math.max(1, steps)
  return {
    ticks,
    y: (value) => round(plotArea.bottom - (value / maxTick) * (plotArea.bottom - plotArea.top)),
    x: (step) => round(pitch * (step + 0.5)),
    pitch,
  }
}

const round = (value: number): number => Math.round(value * 10) / 10

/** Renders as many step names as fit, including the last. On a phone, the style sheet hides every second of them. */
function stepNames(steps: string[], { x }: Scale): Html {
  const labelWidth = Math.max(...steps.map((name) => name.length)) * 6.5 + 14
  const stride = Math.max(1, Math.ceil((steps.length * labelWidth) / usualWidth))
  const visibleSteps = steps.map((name, i) => ({ name, i })).filter(({ i }) => (steps.length - 1 - i) % stride === 0)
  return html`${visibleSteps.map(({ name, i }, n) => html`<text class="step${visibleSteps.length > 4 && (visibleSteps.length - 1 - n) % 2 === 1 && ' second'}" x="${x(i)}%" y="${plotArea.bottom + 18}">${name}</text>`)}`
}

const frame = ({ label, steps, format }: ChartData, scale: Scale, marks: Html): Html =>
  html`<svg class="plot" role="img" aria-label="${label}">
${scale.ticks.map((value) => html`<line class="across" x2="100%" y1="${scale.y(value)}" y2="${scale.y(value)}"/><text class="tick" x="-8" y="${scale.y(value) + 4}">${format(value)}</text>`)}
${marks}${stepNames(steps, scale)}</svg>`

/** Renders a bar for each step, in which the series are stacked from below. */
export function barChart(data: ChartData): Html {
  const { steps, series, format } = data
  const sumOf = (i: number): number => series.reduce((sum, { values }) => sum + (values[i] ?? 0), 0)
  const scale = scaleFor(steps.length, Math.max(data.minAxisEnd ?? 0, ...steps.map((_, i) => sumOf(i))))
  const barWidth = round(Math.min(10, scale.pitch * 0.68))
  const bars = steps.map((name, i) => {
    let from = 0
    return series.map(({ name: seriesName, values, mark }) => {
      const value = values[i] ?? 0
      const bottom = scale.y(from)
      const top = scale.y(from + value)
      from += value
      const tooltip = series.length > 1 ? `${name}, ${seriesName}: ${format(value)}` : `${name}: ${format(value)}`
      return (
        value > 0 &&
        html`<rect class="mark-${mark}" x="${round(scale.x(i) - barWidth / 2)}%" y="${top}" width="${barWidth}%" height="${round(Math.max(1, bottom - top))}"><title>${tooltip}</title></rect>`
      )
    })
  })
  const drawn = series.filter(({ values }) => values.some((value) => value !== null && value > 0))
  return html`${series.length > 1 && legend(drawn)}${frame(data, scale, html`${bars}`)}`
}

/** Renders a line for each series, interrupted at steps without a value. */
export function lineChart(data: ChartData): Html {
  const { steps, series, format } = data
  const allValues = series.flatMap(({ values }) => values.filter((value) => value !== null))
  const scale = scaleFor(steps.length, Math.max(data.minAxisEnd ?? 0, ...allValues))
  const lines = series.map(({ name: seriesName, values, mark }) => {
    const points = values.flatMap((value, i) =>
      value === null ? [] : [{ i, x: `${scale.x(i)}%`, y: scale.y(value), value }],
    )
    const segments = points.flatMap((to, n) => {
      const from = points[n - 1]
      return from?.i === to.i - 1
        ? [html`<line class="line mark-${mark}" x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}"/>`]
        : []
    })
    const dots = points.map(({ i, x, y, value }) => {
      const tooltip =
        series.length > 1 ? `${seriesName}, ${steps[i]}: ${format(value)}` : `${steps[i]}: ${format(value)}`
      return html`<circle class="mark-${mark}" cx="${x}" cy="${y}" r="3.5"><title>${tooltip}</title></circle>`
    })
    return html`${segments}${dots}`
  })
  return html`${(series.length > 1 || data.hasLegend) && legend(series)}${frame(data, scale, html`${lines}`)}`
}

const legend = (series: Series[]): Html =>
  html`<ul class="legend" aria-hidden="true">${series.map(({ name, mark }) => html`<li><span class="mark mark-${mark}"></span> ${name}</li>`)}</ul>`

const compactFormat = lazily(() => new Intl.NumberFormat('en-IN', { maximumFractionDigits: 2 }))

/** Formats rupees for a chart's axis: `₹2.5 L` (lakh), `₹1.23 Cr` (crore). */
export function shortRupees(rupees: number): string {
  if (rupees >= 1e7) return `₹${compactFormat().format(rupees / 1e7)} Cr`
  if (rupees >= 1e5) return `₹${compactFormat().format(rupees / 1e5)} L`
  return rupees >= 1000 ? `₹${compactFormat().format(rupees / 1000)} K` : `₹${compactFormat().format(rupees)}`
}

/** Formats a share; one below ten percent with a decimal. */
export const percentText = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`
