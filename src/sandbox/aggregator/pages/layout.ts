// The frame of the aggregator's pages: plain forms that need no script, and answers that may lead back to whoever sent the borrower.
import { type Answer, answer } from '#kit/http/server.ts'
import { aggregatorName } from '#sandbox/aggregator/parties.ts'
import { type Html, html } from '#sandbox/html.ts'

/** A form's answer may be a redirection, which browsers hold to `form-action`: so the way back is named. */
export function pageAnswer(
  title: string,
  body: Html,
  { status = 200, back }: { status?: number; back?: string | undefined } = {},
): Answer {
  const formAction = ["'self'", ...(back === undefined ? [] : [new URL(back).origin])].join(' ')
  const policy = `default-src 'none'; style-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`
  return answer(status, `<!doctype html>\n${framed(title, body).text}`, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
}

const framed = (title: string, body: Html): Html => html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${aggregatorName}</title>
<link rel="stylesheet" href="/lenders/-/page.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="brand"><span>${aggregatorName}</span><span class="tag">Sandbox</span></header>
<main id="main" class="narrow">
<h1>${title}</h1>
${body}
</main>
<footer><p>This account aggregator is fictional, and so are its banks. Nobody's data is shared here.</p></footer>
</body>
</html>`
