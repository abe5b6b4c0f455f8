// GET /ondc/terms: our terms of settlement, the STATIC_TERMS of every search, init and confirm (FIS12 §7.1, §7.2).

import { type Html, html } from '@lendloom/http/markup'
import { pageAnswer } from '@lendloom/http/page-frame'
import { anyone } from '@lendloom/http/server'
import { type Context, route } from '#platform/context.ts'
import { buyerTerms, finderFee, identityOf } from '#platform/lenders/network/own-identity.ts'
import { settlementTerms as texts } from './terms-text-en.ts'

export const termsPage = route({
  method: 'GET',
  path: '/ondc/terms',
  section: 'FIS12 §7.2',
  summary: 'What a lender owes us, and when',
  auth: anyone,
  hidden: true,
  handle: (_, { config }: Context) =>
    pageAnswer({ title: texts.title, body: page(config), headers: { 'cache-control': 'public, max-age=300' } }),
})

function page(config: Context['config']): Html {
  const fee = finderFee(config)
  const { delayInterest, offlineContract } = buyerTerms(config)
  const { id } = identityOf(config)
  return html`<h1>${texts.heading(id)}</h1>
<p>${texts.scope(id)}</p>
<dl>
<dt>${texts.fee}</dt><dd>${fee.value} ${texts.feeUnits[fee.type]}</dd>
<dt>${texts.settledBy}</dt><dd>${config.NETWORK_SETTLEMENT_TYPE}</dd>
<dt>${texts.lateInterest}</dt><dd>${texts.perYear(delayInterest)}</dd>
<dt>${texts.offlineContract}</dt><dd>${offlineContract ? texts.overrides : texts.doesNotOverride}</dd>
</dl>`
}
