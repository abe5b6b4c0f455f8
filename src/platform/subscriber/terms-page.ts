// GET /ondc/terms: our terms of settlement, the STATIC_TERMS of every search, init and confirm (FIS12 §7.1, §7.2).
import { answer } from '#kit/http/server.ts'
import { type Context, route } from '#platform/context.ts'
import { buyerTerms, finderFee, identityOf } from '#platform/network/identity.ts'
import { anyone } from './anyone.ts'

export const termsPage = route({
  method: 'GET',
  path: '/ondc/terms',
  section: 'FIS12 §7.2',
  summary: 'What a lender owes us, and when',
  auth: anyone,
  hidden: true,
  handle: (_, { config }: Context) =>
    answer(200, page(config), { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public, max-age=300' }),
})

const feeTexts = {
  'percent-annualized': 'percent of the principal a year',
  percent: 'percent of the total',
  amount: 'rupees',
}

function page(config: Context['config']): string {
  const fee = finderFee(config)
  const { delayInterest, offlineContract } = buyerTerms(config)
  const { id } = identityOf(config)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Terms of settlement</title></head>
<body><h1>Terms of settlement of ${id}</h1>
<p>These terms bind lenders and ${id}. They never concern the borrower.</p>
<dl>
<dt>Finder's fee</dt><dd>${fee.value} ${feeTexts[fee.type]}</dd>
<dt>Settled by</dt><dd>${config.NETWORK_SETTLEMENT_TYPE}</dd>
<dt>Interest on late settlement</dt><dd>${delayInterest} percent a year</dd>
<dt>A contract outside the network</dt><dd>${offlineContract ? 'overrides these terms' : 'does not override these terms'}</dd>
</dl></body></html>
`
}
