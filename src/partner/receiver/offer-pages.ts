// The borrower's pages of an offer. Knowing the address is sufficient; the platform passes it on (D3 §2.4).

import { pageLanguage } from '#contract/language.ts'
import { inlineFile } from '#kit/http/page-frame.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { type Arrival, anyone } from '#kit/http/server.ts'
import { type Context, route } from '#partner/context.ts'
import { keyFacts } from '#partner/review/key-facts.ts'
import { kfsDigest, kfsPath, kfsPdfPath, termsPath } from '#partner/review/offer.ts'
import { keyFactsPage, keyFactsPdf, offerHeaders, termsPage } from '#partner/review/offer-pages.ts'
import { offerByKfs } from '#partner/review/store.ts'

const params = Type.Object({ token: Type.String({ pattern: '^[0-9A-Za-z]{43}$' }) })
const query = Type.Object({ lang: Type.Optional(Type.String({ maxLength: 10 })) })
const common = { method: 'GET', section: 'D3 §2.4', auth: anyone, params, query, hidden: true } as const

interface PageRequest {
  params: { token: string }
  query: { lang?: string }
  headers: Arrival['headers']
}

/** Finds the offer by its address. D3 does not contain the borrower's language, so the browser determines it. */
async function offerOf(ctx: Context, { params, query, headers }: PageRequest) {
  const offer = await offerByKfs(ctx.db, kfsDigest(ctx.seal, params.token))
  if (!offer) throw new Refusal('absent', 'there is no offer at this address')
  const accepted = headers['accept-language']
  const language = pageLanguage(query.lang, typeof accepted === 'string' ? accepted : undefined)
  const toPage = (path: string) => `${path.replace('{token}', params.token)}?lang=${language}`
  return { offer, facts: keyFacts(offer, ctx.config, language), toPage }
}

export const offerPages = [
  route({
    ...common,
    path: kfsPath,
    summary: 'The key facts statement of one offer',
    async handle(request, ctx) {
      const { facts, toPage } = await offerOf(ctx, request)
      return keyFactsPage(facts, toPage(kfsPdfPath))
    },
  }),
  route({
    ...common,
    path: kfsPdfPath,
    summary: 'The key facts statement as a PDF',
    async handle(request, ctx) {
      const { offer, facts } = await offerOf(ctx, request)
      const pdf = await keyFactsPdf(facts, offer.createdAt)
      return inlineFile('key-facts.pdf', 'application/pdf', pdf, offerHeaders)
    },
  }),
  route({
    ...common,
    path: termsPath,
    summary: 'The loan terms of one offer',
    async handle(request, ctx) {
      const { facts, toPage } = await offerOf(ctx, request)
      return termsPage(facts, toPage(kfsPath))
    },
  }),
]
