// GET /: the sandbox explains itself: what can be played, by product and by what becomes of it, who plays, and the latest messages.

import { defaultProduct, type ProductId, productIds } from '#contract/product/products.ts'
import { productSlug } from '#contract/sandbox/journeys.ts'
import { Type } from '#kit/http/schema.ts'
import type { Route } from '#kit/http/server.ts'
import { anyone } from '#kit/http/server.ts'
import type { Context } from '#sandbox/core/context.ts'
import { htmlAnswer } from '#sandbox/core/page.ts'
import { homePage } from './home-page.ts'
import { recentTraffic } from './lender/core/store.ts'
import { findParticipants } from './registry/store.ts'

export interface HomeContext extends Context {
  /** Where the demo app of the platform is; null: nowhere that the sandbox knows of. */
  demoUrl: string | null
}

/** Anything may be asked for: a product or words that nobody knows find what is usual, or nothing. */
const query = Type.Object({ product: Type.Optional(Type.String()), q: Type.Optional(Type.String()) })

const productNamed = (slug: string | undefined): ProductId =>
  productIds.find((id) => productSlug(id) === slug) ?? defaultProduct

export const home: Route<HomeContext, null, never, typeof query> = {
  method: 'GET',
  path: '/',
  section: 'operation',
  summary: 'What this sandbox plays, its rules, and its recent traffic',
  auth: anyone,
  query,
  async handle({ query: { product, q = '' } }, { db, url, demoUrl }) {
    const [participants, traffic] = await Promise.all([findParticipants(db, {}), recentTraffic(db, 12)])
    return htmlAnswer(
      homePage({ url, demoUrl, product: productNamed(product), words: q.trim(), participants, traffic }),
    )
  },
}
