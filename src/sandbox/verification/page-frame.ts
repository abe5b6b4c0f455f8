// The frame of the providers' pages: plain forms that need no script, and a way back to whoever sent the borrower.
import { type Answer, answer } from '#kit/http/server.ts'
import { type Html, html } from '#sandbox/html.ts'

export { html }

/** Facts in two columns. */
export const factRows = (rows: [label: string, value: string][]): Html =>
  html`<dl class="facts">${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`

export interface Framed {
  brand: string
  title: string
  body: Html
  status?: number
  /** A form's answer may be a redirection, which browsers hold to `form-action`: so the way back is named. */
  back: string | null
}

export function pageAnswer({ brand, title, body, status = 200, back }: Framed): Answer {
  const formAction = ["'self'", ...(back === null ? [] : [new URL(back).origin])].join(' ')
  const policy = `default-src 'none'; style-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`
  return answer(status, `<!doctype html>\n${framed(brand, title, body).text}`, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
}

const framed = (brand: string, title: string, body: Html): Html => html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${brand}</title>
<link rel="stylesheet" href="/lenders/-/page.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="brand"><span>${brand}</span><span class="tag">Sandbox</span></header>
<main id="main" class="narrow">
<h1>${title}</h1>
${body}
</main>
<footer><p>This provider is fictional. Nobody is identified, no account is debited and nothing is signed here.</p></footer>
</body>
</html>`
