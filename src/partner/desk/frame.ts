// The frame of every page of the desk, and the headers it is served with: nothing from elsewhere, no script at all.
import { readFileSync } from 'node:fs'
import { type Answer, answer } from '#kit/http-server.ts'
import { type Html, html } from '#kit/markup.ts'
import type { Staff } from './staff.ts'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

export const css = readFileSync(new URL('./desk.css', import.meta.url), 'utf8')

export const pageAnswer = (page: Html, status = 200): Answer => answer(status, `<!doctype html>\n${page.text}`, headers)

/** After an act: the page it was done on, or the one it leads to, is asked for anew. */
export const goTo = (path: string, more: Record<string, string> = {}): Answer =>
  answer(303, null, { location: path, 'cache-control': 'no-store', ...more })

export interface Frame {
  title: string
  staff: Staff | null
  lender: string
  body: Html
}

export const framed = ({ title, staff, lender, body }: Frame): Html => html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${lender}</title>
<link rel="stylesheet" href="/desk/desk.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><strong>${lender}</strong>${
  staff &&
  html`<nav aria-label="Desk"><a href="/desk">Cases</a><a href="/desk/exchange">Exchange</a></nav>
<form method="post" action="/desk/sign-out"><span>${staff.name}</span><button>Sign out</button></form>`
}</header>
<main id="main">
<h1>${title}</h1>
${body}
</main>
</body>
</html>`

/** A table that scrolls by itself on a narrow screen; `empty` is said where there are no rows. */
export function tableOf(label: string, head: string[], rows: (string | number | Html | null)[][], empty: string): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}

/** Facts in two columns; what is not known is left out. */
export const factList = (rows: [label: string, value: string | number | Html | null | undefined][]): Html =>
  html`<dl>${rows
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`

const zone = { timeZone: 'Asia/Kolkata' } as const
const instantWords = new Intl.DateTimeFormat('en-IN', { ...zone, dateStyle: 'medium', timeStyle: 'short' })

/** An instant as people in India read it. */
export const when = (at: Date): Html => html`<time datetime="${at.toISOString()}">${instantWords.format(at)}</time>`

/** `PART_PAID` as `part paid`, in a colour of its own. */
export const badge = (word: string): Html =>
  html`<span class="badge ${word.toLowerCase()}">${word.toLowerCase().replaceAll('_', ' ')}</span>`
