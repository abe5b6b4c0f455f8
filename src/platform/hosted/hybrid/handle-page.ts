// The page on which a borrower of an app with its own screens names another handle at the account aggregator (error 80230).

import { type Html, html } from '#kit/http/markup.ts'
import { plainPage } from '#kit/http/plain-page.ts'
import type { Answer } from '#kit/http/server.ts'
import type { Reader } from '#platform/page-text/page-text.ts'

const page = ({ language }: Reader, title: string, body: Html, status = 200): Answer =>
  plainPage({ language, title, body, status, formAction: 'self' })

/** Asks for another handle at the same aggregator; `wrong` is what was entered and cannot be used. */
export function handlePage(reader: Reader, refused: string, aggregator: string, wrong: string | null): Answer {
  const { t } = reader
  const ending = `@${aggregator}`
  const isElsewhere = wrong !== null && (!wrong.endsWith(ending) || wrong.length === ending.length)
  return page(
    reader,
    t('aggregator.title'),
    html`<p>${t('aggregator.lead', { refused })}</p>
<form method="post"><label>${t('aggregator.handle')}<input name="aaID" required autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="201" placeholder="name${ending}"></label>
${wrong !== null && html`<p class="fault" role="alert">${isElsewhere ? t('aggregator.wrongEnding', { ending }) : t('aggregator.sameAgain')}</p>`}
<button class="primary" type="submit">${t('aggregator.send')}</button></form>`,
    wrong === null ? 200 : 400,
  )
}

export const requestedPage = (reader: Reader): Answer =>
  page(reader, reader.t('aggregator.requested'), html`<p>${reader.t('aggregator.requestedLead')}</p>`)
