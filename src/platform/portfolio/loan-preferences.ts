// Which loan against mutual funds is wanted, as an integrator says it (D1 §4).
import type { Product } from '#contract/network/v230/categories.ts'
import type { Journey } from '#platform/journey/journey.ts'

export type Of = Pick<Journey, 'tenantId' | 'journeyId'>

/** As an integrator gives it; an absent field is left to the lenders. */
export interface LoanPreferences {
  productType?: Product
  facilitytype?: 'OVERDRAFT' | 'TERM'
}
