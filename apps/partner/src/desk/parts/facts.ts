// Renders facts with their labels: lists of facts, figures, and a mask for a value that the user may not see.

import { type Html, html } from '@lendloom/http/markup'

export type FactLine = [label: string, value: string | number | Html | null | undefined]

/** Renders a list of facts. Facts without a value are left out. */
export const factList = (rows: FactLine[]): Html =>
  html`<dl class="facts">${rows
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`

/** Renders the figures at the top of a page. Missing figures are left out. */
export const figureList = (figures: (readonly [string, string | Html] | false | null | undefined)[]): Html =>
  html`<dl class="figures">${figures.map((each) => each && html`<div><dt>${each[0]}</dt><dd>${each[1]}</dd></div>`)}</dl>`

export const maskedText: Html = html`<span aria-hidden="true">••••</span><span class="unseen">Hidden from your roles</span>`
