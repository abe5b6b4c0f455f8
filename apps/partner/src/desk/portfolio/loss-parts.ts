// Parts of the portfolio page about losses: vintage curves (late principal by age of the loans of a month) and roll
// rates (moves between classes in a month).

import { type Html, html } from '@lendloom/http/markup'
import { lineChart, percentText } from '#partner/desk/parts/chart.ts'
import { inr, monthText } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { chartCard } from './chart-card.ts'
import { type RollRow, rollEnds, type VintageCurve } from './figures.ts'
import { bucketNames, endNames, portfolioTexts as texts } from './text-en.ts'

/** The chart draws only the newest curves; the table has all curves. */
const maxCurves = 6

/** The chart of the curves and their table; false before there are two months. */
export function vintagePart(curves: VintageCurve[]): Html | false {
  const { title, about } = texts.vintage
  const maxMonths = Math.max(0, ...curves.map(({ shares }) => shares.length))
  if (maxMonths < 2) return false
  const steps = Array.from({ length: maxMonths }, (_, i) => String(i))
  const chart = lineChart({
    label: title,
    hasLegend: true,
    steps,
    series: curves
      .slice(-maxCurves)
      .map(({ lentMonth, shares }, i) => ({ name: monthText(lentMonth), mark: i + 1, values: shares })),
    format: percentText,
    minAxisEnd: 0.05,
  })
  const rows = curves.map(({ lentMonth, loans, lentPaise, shares }) => [
    monthText(lentMonth),
    loans,
    inr(lentPaise),
    ...steps.map((_, i) => shareText(shares[i])),
  ])
  const head = ['Disbursed in', ...['Loans', 'Amount', ...steps].map((name) => ({ number: name }))]
  return chartCard(title, about, chart, tableOf(title, head, rows, { empty: '' }))
}

const shareText = (share: number | null | undefined): string =>
  share === null || share === undefined ? '' : percentText(share)

/** Returns the colour level of a cell, from 0 to 5, for its share. */
const heatLevel = (share: number | null): number =>
  share === null || share === 0 ? 0 : Math.min(5, Math.ceil(share * 5))

/** The table of the roll rates of a month, with a colour for each share; false without data. */
export function rollPart(rows: RollRow[], monthEnd: string | undefined): Html | false {
  const { title, about } = texts.roll
  if (rows.length === 0 || monthEnd === undefined) return false
  return html`<section><h2>${title}, ${monthText(monthEnd)}</h2><p>${about}</p>
${tableOf(
  title,
  ['From', { number: 'Loans' }, { number: 'Principal' }, ...rollEnds.map((each) => ({ number: endNames[each] }))],
  rows.map(({ from, loans, paise, shares }) => [
    bucketNames[from],
    loans,
    inr(paise),
    ...rollEnds.map((end) => {
      const share = shares[end]
      return share
        ? html`<span class="heat heat-${heatLevel(share)}${end === from && ' stays'}">${percentText(share)}</span>`
        : html`<span class="heat quiet">–</span>`
    }),
  ]),
  { empty: '' },
)}</section>`
}
