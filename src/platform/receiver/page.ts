// The few pages that a borrower of the partner sees here: a word, a form, and nothing from anywhere else.
import { type Answer, answer } from '#kit/http-server.ts'
import { type Html, html, styleSource } from '#kit/markup.ts'

const style = `body{font:1rem/1.5 system-ui,sans-serif;margin:0;color:#1b1f24;background:#fff}main{max-width:34rem;margin:auto;padding:1.5rem}
table{border-collapse:collapse;width:100%}th,td{border:1px solid #d9deea;padding:.4rem .6rem;text-align:left;vertical-align:top}a{color:#0b57a4}
label{display:block;margin:.8rem 0 .2rem}input,select{font:inherit;width:100%;box-sizing:border-box;padding:.6rem;border:1px solid #6b7480;border-radius:.4rem}
button{font:inherit;font-weight:600;width:100%;margin-top:1.2rem;padding:.8rem;border:0;border-radius:.5rem;color:#fff;background:#0b57a4}
.wrong{color:#a4180b}button:focus-visible,input:focus-visible,select:focus-visible{outline:3px solid #f2a33a;outline-offset:2px}`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; ${styleSource(style)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** A page with a heading and what it says; `again` has the browser look again after two seconds. */
export function page(
  title: string,
  body: string | Html,
  { again = false, status = 200 }: { again?: boolean; status?: number } = {},
): Answer {
  const said = typeof body === 'string' ? html`<p>${body}</p>` : body
  const whole = html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>
${said}</main></body></html>`
  return answer(status, `<!doctype html>\n${whole.text}`, { ...headers, ...(again && { refresh: '2' }) })
}
