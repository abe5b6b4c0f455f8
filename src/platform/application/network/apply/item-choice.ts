// Which of a lender's ways to a loan against mutual funds is taken; pure (FIS12 §10.1).

import type { Product } from '#contract/network/v230/categories.ts'
import { type Answers, type FormField, fillData } from '#contract/network/v230/form-data.ts'
import type { CatalogItem } from '#contract/network/v230/read-on-search.ts'

/** A way that can be gone: its form is there, and everything that it must be told is known. */
export type AnswerableItem = CatalogItem & { form: { id: string; fields: FormField[] }; fulfillmentId: string }

/**
 * One for each provider: of the product that the borrower prefers, where one is preferred; with a statement rather than by
 * a consent, which asks less of the borrower; on our page rather than on the lender's.
 */
export function chosenItems(
  items: readonly CatalogItem[],
  known: Answers,
  preferred: Product | null,
): AnswerableItem[] {
  const usable = items.filter(
    (item): item is AnswerableItem =>
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

const rank = ({ portfolio, offline }: AnswerableItem): number =>
  (portfolio === 'account-aggregator' ? 2 : 0) + (offline ? 1 : 0)
