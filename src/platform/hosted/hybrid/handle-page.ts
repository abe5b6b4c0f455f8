// The page on which a borrower of an app with its own screens names another handle at the account aggregator (error 80230).

import { type Html, html } from '#kit/http/markup.ts'
import { plainPage } from '#kit/http/plain-page.ts'
import type { Answer } from '#kit/http/server.ts'

const style = `body{font:1rem/1.5 system-ui,sans-serif;margin:0;color:#1b1f24;background:#fff}main{max-width:34rem;margin:auto;padding:1.5rem}
label{display:block}input,button{font:inherit;width:100%;box-sizing:border-box;padding:.7rem;border-radius:.5rem;border:1px solid #4a525c}
button{margin-top:1rem;font-weight:600;border:0;color:#fff;background:#0b57a4}.wrong{color:#a4160b}
button:focus-visible,input:focus-visible{outline:3px solid #f2a33a;outline-offset:2px}`

const page = (title: string, body: Html, status = 200): Answer => plainPage({ title, style, body, status })

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
