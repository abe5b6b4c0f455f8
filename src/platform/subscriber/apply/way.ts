// Which of a lender's ways to a loan against mutual funds is taken; pure (FIS12 §10.1).

import type { Product } from '#contract/network/v230/categories.ts'
import { type Answers, type AskedField, fillData } from '#contract/network/v230/form-data.ts'
import type { CatalogItem } from '#contract/network/v230/read-on-search.ts'

/** A way that can be gone: its form is there, and everything that it must be told is known. */
export type Way = CatalogItem & { form: { id: string; fields: AskedField[] }; fulfillmentId: string }

/**
 * One for each provider: of the product that the borrower prefers, where one is preferred; with a statement rather than by
 * a consent, which asks less of the borrower; on our page rather than on the lender's.
 */
export function chosenWays(items: readonly CatalogItem[], known: Answers, preferred: Product | null): Way[] {
  const usable = items.filter(
    (item): item is Way =>
      item.matched &&
      item.form !== null &&
      item.fulfillmentId !== null &&
      (preferred === null || item.product === preferred) &&
      fillData(item.form.fields, known).missing.length === 0,
  )
  const providers = [...new Set(usable.map(({ providerId }) => providerId))]
  return providers.map((providerId) => {
    const own = usable.filter((way) => way.providerId === providerId)
    return own.reduce((best, way) => (rank(way) < rank(best) ? way : best))
  })
}

const rank = ({ portfolio, offline }: Way): number => (portfolio === 'account-aggregator' ? 2 : 0) + (offline ? 1 : 0)
