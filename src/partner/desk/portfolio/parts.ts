// Shared by the dashboard's charts: month names, and the card around a chart.

import { type Html, html } from '#kit/http/markup.ts'
import { lazily } from '#kit/runtime/record.ts'
import { portfolioTexts as texts } from './text-en.ts'

const monthFormat = lazily(() => new Intl.DateTimeFormat('en-IN', { timeZone: 'UTC', month: 'short', year: '2-digit' }))

/** Formats `2026-11-30` as `Nov 26`. */
export const monthName = (on: string): string =>
  monthFormat()
    .format(new Date(`${on}T00:00:00Z`))
    .replace('Sept', 'Sep')
    .replace('-', ' ')

/** Renders a card with a chart, its explanation, and its table of figures. */
export const chartCard = (title: string, about: string | Html, chart: Html | false, table: Html): Html =>
  html`<section class="card panel"><header><h2>${title}</h2><p class="quiet">${about}</p></header>${chart && html`<div class="picture">${chart}</div>`}<footer><details><summary>${texts.table}</summary>${table}</details></footer></section>`
