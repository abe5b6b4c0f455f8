// The borrower's pages of an offer. The secret address, which the platform passes on, grants access (D3 §2.4).

import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { inlineFile } from '@lendloom/http/page-frame'
import { type Arrival, anyone } from '@lendloom/http/server'
import { pageLanguage } from '@lendloom/lending/language'
import { type Context, route } from '#partner/context.ts'
import { keyFacts } from '#partner/origination/review/key-facts.ts'
import { kfsDigest, kfsPath, kfsPdfPath, termsPath } from '#partner/origination/review/offer-address.ts'
import { keyFactsPage, keyFactsPdf, offerHeaders, termsPage } from '#partner/origination/review/offer-pages.ts'
import { offerByKfs } from '#partner/origination/review/store.ts'

const params = Type.Object({ token: Type.String({ pattern: '^[0-9A-Za-z]{43}$' }) })
const query = Type.Object({ lang: Type.Optional(Type.String({ maxLength: 10 })) })
const pageRoute = { method: 'GET', section: 'D3 §2.4', auth: anyone, params, query, hidden: true } as const

interface PageRequest {
  params: { token: string }
  query: { lang?: string }
  headers: Arrival['headers']
}

/** Finds the offer by its secret address. The browser determines the language, because D3 has no field for it. */
async function openOffer(ctx: Context, { params, query, headers }: PageRequest) {
  const offer = await offerByKfs(ctx.db, kfsDigest(ctx.seal, params.token))
  if (!offer) throw new Refusal('absent', 'there is no offer at this address')
  const acceptLanguage = headers['accept-language']
  const language = pageLanguage(query.lang, typeof acceptLanguage === 'string' ? acceptLanguage : undefined)
  const pageUrl = (path: string) => `${path.replace('{token}', params.token)}?lang=${language}`
  return { offer, facts: keyFacts(offer, ctx.config, language), pageUrl }
}

export const offerPages = [
  route({
    ...pageRoute,
    path: kfsPath,
    summary: 'The key facts statement of one offer',
    async handle(request, ctx) {
      const { facts, pageUrl } = await openOffer(ctx, request)
      return keyFactsPage(facts, pageUrl(kfsPdfPath))
    },
  }),
  route({
    ...pageRoute,
    path: kfsPdfPath,
    summary: 'The key facts statement as a PDF',
    async handle(request, ctx) {
      const { offer, facts } = await openOffer(ctx, request)
      const pdf = await keyFactsPdf(facts, offer.createdAt)
      return inlineFile('key-facts.pdf', 'application/pdf', pdf, offerHeaders)
    },
  }),
  route({
    ...pageRoute,
    path: termsPath,
    summary: 'The loan terms of one offer',
    async handle(request, ctx) {
      const { facts, pageUrl } = await openOffer(ctx, request)
      return termsPage(facts, pageUrl(kfsPath))
    },
  }),
]
