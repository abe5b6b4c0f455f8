// What a journey is on the network: the product it searches for, in the dialect that this product is spoken in (FIS12 §1).
import type { Product } from '#contract/network/v203/product.ts'
import type { Journey } from '#platform/journey/journey.ts'

/** Throws for a loan against mutual funds, which is not spoken of in this dialect. */
export function productOf({ type }: Pick<Journey, 'type'>): Product {
  if (type === 'LAMF_LOAN') throw new Error('a loan against mutual funds is not spoken of in dialect 2.0.3')
  return type
}
