// The frame of every lender page, and the headers it is served with: nothing from elsewhere, no frames, no referrer.
import { type Answer, answer } from '#kit/http/server.ts'
import { type Html, html } from '#sandbox/html.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'

const policyHeader = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policyHeader,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

export const htmlAnswer = (page: Html, status = 200): Answer => answer(status, `<!doctype html>\n${page.text}`, headers)

export interface Frame {
  title: string
  policy: Policy
  body: Html
  /** Adds the small script that closes the window where the browser lets it. */
  closes?: boolean
  /** Documents may be wider than what a borrower fills in. */
  wide?: boolean
}

export const framed = ({ title, policy, body, closes = false, wide = false }: Frame): Html => html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${policy.name}</title>
<link rel="stylesheet" href="/lenders/-/page.css">
<link rel="stylesheet" href="/lenders/${policy.slug}/colours.css">
${closes && html`<script src="/lenders/-/close.js" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="brand"><img src="/lenders/${policy.slug}/logo.svg" alt="" width="40" height="40"><span>${policy.name}</span><span class="tag">Sandbox</span></header>
<main id="main" class="${wide ? 'wide' : 'narrow'}">
<h1>${title}</h1>
${body}
</main>
<footer><p>${policy.legalName}, ${policy.address}. Grievance officer: ${policy.officer.name}, ${policy.officer.phone}, <a href="mailto:${policy.officer.email}">${policy.officer.email}</a>.</p><p>This lender is fictional. Nothing here lends money.</p></footer>
</body>
</html>`

/** Facts in two columns. */
export const facts = (rows: [label: string, value: string | Html][]): Html =>
  html`<dl class="facts">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`
