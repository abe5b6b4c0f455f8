// The pages of an offer, for whoever holds their address: the borrower whom the platform gave it (D3 §2.4).

import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { type Auth, answer } from '#kit/http/server.ts'
import { type Context, route } from '#partner/context.ts'
import { keyFacts } from '#partner/review/key-facts.ts'
import { kfsDigest, kfsPath, kfsPdfPath, termsPath } from '#partner/review/kfs-address.ts'
import { keyFactsPage, keyFactsPdf, pageHeaders, termsPage } from '#partner/review/offer-pages.ts'
import { offerByKfs } from '#partner/review/store.ts'

/** The address is the key. */
const holder: Auth<Context, null> = { scheme: null, check: () => null }
const params = Type.Object({ token: Type.String({ pattern: '^[0-9A-Za-z]{43}$' }) })
const common = { method: 'GET', section: 'D3 §2.4', auth: holder, params, hidden: true } as const

async function offerOf(ctx: Context, token: string) {
  const offer = await offerByKfs(ctx.db, kfsDigest(ctx.seal, token))
  if (!offer) throw new Refusal('absent', 'there is no offer at this address')
  return { offer, facts: keyFacts(offer, ctx.config) }
}

export const offerPages = [
  route({
    ...common,
    path: kfsPath,
    summary: 'The key facts statement of one offer',
    async handle({ params: { token } }, ctx) {
      const { facts } = await offerOf(ctx, token)
      return answer(200, keyFactsPage(facts, kfsPdfPath.replace('{token}', token)), pageHeaders)
    },
  }),
  route({
    ...common,
    path: kfsPdfPath,
    summary: 'The same as a PDF',
    async handle({ params: { token } }, ctx) {
      const { offer, facts } = await offerOf(ctx, token)
      const headers = {
        ...pageHeaders,
        'content-type': 'application/pdf',
        'content-disposition': 'inline; filename="key-facts.pdf"',
      }
      return answer(200, await keyFactsPdf(facts, offer.createdAt), headers)
    },
  }),
  route({
    ...common,
    path: termsPath,
    summary: 'The terms of the loan that one offer is for',
    async handle({ params: { token } }, ctx) {
      const { facts } = await offerOf(ctx, token)
      return answer(200, termsPage(facts, kfsPath.replace('{token}', token)), pageHeaders)
    },
  }),
]
