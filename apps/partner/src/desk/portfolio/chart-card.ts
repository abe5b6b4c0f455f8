// The card around a chart of the dashboard.

import { type Html, html } from '@lendloom/http/markup'
import { portfolioTexts as texts } from './text-en.ts'

/** Renders a card with a chart, its explanation, and its table of figures. */
export const chartCard = (title: string, about: string | Html, chart: Html | false, table: Html): Html =>
  html`<section class="card panel"><header><h2>${title}</h2><p class="quiet">${about}</p></header>${chart && html`<div class="picture">${chart}</div>`}<footer><details><summary>${texts.table}</summary>${table}</details></footer></section>`
