// GET /aa/return: records a borrower's return from the account aggregator, and shows a page.

import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { html } from '@lendloom/http/markup'
import { plainPage } from '@lendloom/http/plain-page'
import { type Api, anyone } from '@lendloom/http/server'
import { refused } from '@lendloom/wire/headless/envelope'
import { type Context, route } from '#platform/context.ts'
import { completeFromReturn } from '#platform/lenders/network/consent/return-from-aggregator.ts'
import { type Reader, readerOf } from '#platform/lending/page-text/page-text.ts'

const optionalText = Type.Optional(Type.String({ maxLength: 8000 }))

const aaReturn = route({
  method: 'GET',
  path: '/aa/return',
  section: 'D2 §4',
  summary: 'Receive the borrower from the account aggregator',
  auth: anyone,
  hidden: true,
  // Unknown parameters are allowed, because aggregators add some.
  query: Type.Object({ ecres: optionalText, resdate: optionalText, fi: optionalText }),
  async handle({ query, headers, at }, ctx: Context) {
    const reader = readerOf(headers)
    const { ecres = '', resdate = '', fi = '' } = query
    try {
      const { returnedCode } = await completeFromReturn(ctx, { ecres, resdate, fi }, at)
      return page(reader, returnedCode === 0 ? 'back' : 'undecided')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      ctx.log.warn({ why: error.message }, 'a return from the account aggregator was refused')
      return page(reader, 'unknown', 400)
    }
  },
})

export const aaApi: Api<Context> = { prefix: '/aa', routes: [aaReturn], refuse: refused }

/** The page says only that the borrower has returned, because only the aggregator's server can confirm a consent. */
function page({ language, t }: Reader, outcome: 'back' | 'undecided' | 'unknown', status = 200) {
  const body = html`<p role="status">${t(`aggregatorReturn.${outcome}`)}</p><p>${t('aggregatorReturn.close')}</p>`
  return plainPage({ language, title: t('aggregatorReturn.title'), body, status, closesWindow: outcome === 'back' })
}
