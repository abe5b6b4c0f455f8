// The few pages that a borrower of the partner sees here: a word, a form, and nothing from anywhere else.

import { type Html, html } from '#kit/http/markup.ts'
import { plainPage } from '#kit/http/plain-page.ts'
import type { Answer } from '#kit/http/server.ts'
import type { Reader } from '#platform/page-text/page-text.ts'

const style = `body{font:1rem/1.5 system-ui,sans-serif;margin:0;color:#1b1f24;background:#fff}main{max-width:34rem;margin:auto;padding:1.5rem}
table{border-collapse:collapse;width:100%}th,td{border:1px solid #d9deea;padding:.4rem .6rem;text-align:left;vertical-align:top}a{color:#0b57a4}
label{display:block;margin:.8rem 0 .2rem}input,select{font:inherit;width:100%;box-sizing:border-box;padding:.6rem;border:1px solid #6b7480;border-radius:.4rem}
button{font:inherit;font-weight:600;width:100%;margin-top:1.2rem;padding:.8rem;border:0;border-radius:.5rem;color:#fff;background:#0b57a4}
.wrong{color:#a4180b}button:focus-visible,input:focus-visible,select:focus-visible{outline:3px solid #f2a33a;outline-offset:2px}`

/** A page with a heading and what it says; `again` has the browser look again after two seconds. */
export const page = (
  { language }: Reader,
  title: string,
  body: string | Html,
  { again = false, status = 200 }: { again?: boolean; status?: number } = {},
): Answer =>
  plainPage({
    language,
    title,
    style,
    status,
    body: typeof body === 'string' ? html`<p>${body}</p>` : body,
    ...(again && { refreshSeconds: 2 }),
  })
