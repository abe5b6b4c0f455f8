// What a borrower of a loan against mutual funds has to pledge, and which loan is wanted (D1 §4, FIS12 §10.1).
import { type Portfolio, readPortfolio } from '#contract/hosted/read-portfolio.ts'
import type { Product } from '#contract/network/v230/categories.ts'
import type { Run } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { LoanPreferences, Of } from './loan-preferences.ts'
import { findMfc, findPreferences } from './store.ts'

export const mfcContext = ({ tenantId, journeyId }: Of): string => `portfolio:${tenantId}:${journeyId}`

/** The portfolio of a journey, read afresh from the statement; null without one. It may hold nothing that can be used. */
export async function portfolioOf(db: Run, { seal }: Pick<Context, 'seal'>, journey: Of): Promise<Portfolio | null> {
  const sealed = await findMfc(db, journey)
  return sealed ? readPortfolio(seal.openJson(sealed, mfcContext(journey))) : null
}

export const loanPreferencesOf = (db: Run, journey: Of): Promise<LoanPreferences> => findPreferences(db, journey)

/** Chooses between the items of a catalogue; null when both will do. A preference for a product goes before one for its facility. */
export function preferredProduct({ productType, facilitytype }: LoanPreferences): Product | null {
  if (productType) return productType
  if (!facilitytype) return null
  return facilitytype === 'OVERDRAFT' ? 'CREDIT_LINE' : 'TERM_LOAN'
}
