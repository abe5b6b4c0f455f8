// The page on which a borrower of an app with its own screens names another handle at the account aggregator (error 80230).
import { type Answer, answer } from '#kit/http-server.ts'
import { type Html, html, styleSource } from '#kit/markup.ts'

const style = `body{font:1rem/1.5 system-ui,sans-serif;margin:0;color:#1b1f24;background:#fff}main{max-width:34rem;margin:auto;padding:1.5rem}
label{display:block}input,button{font:inherit;width:100%;box-sizing:border-box;padding:.7rem;border-radius:.5rem;border:1px solid #4a525c}
button{margin-top:1rem;font-weight:600;border:0;color:#fff;background:#0b57a4}.wrong{color:#a4160b}
button:focus-visible,input:focus-visible{outline:3px solid #f2a33a;outline-offset:2px}`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; ${styleSource(style)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

const page = (title: string, body: Html, status = 200): Answer =>
  answer(
    status,
    `<!doctype html>\n${
      html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>
${body}</main></body></html>`.text
    }`,
    headers,
  )

/** Asks for another handle at the same aggregator; `wrong` says what was wrong with the last one. */
export const handlePage = (refused: string, aggregator: string, wrong: string | null): Answer =>
  page(
    'Another name at the account aggregator',
    html`<p>The lender could not find you at the account aggregator as ${refused}. If you are known there by another name, enter it; the lender then asks again.</p>
<form method="post"><label>Your handle<input name="aaID" required autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="201" placeholder="name@${aggregator}"></label>
${wrong !== null && html`<p class="wrong" role="alert">It ${wrong}.</p>`}
<button type="submit">Ask again</button></form>`,
    wrong === null ? 200 : 400,
  )

export const askedPage = (): Answer =>
  page(
    'The lender is asked again',
    html`<p>This takes a moment. Go back to your app: it shows when the lender wants to see your bank statement.</p>`,
  )
