// The loan against mutual funds that an integrator requests for a borrower (D1 §4).

/** A loan against mutual funds: drawn on when needed, or paid out once. */
export type FundLoanKind = 'CREDIT_LINE' | 'TERM_LOAN'

/** Returns the preferred product, or null without a preference. `productType` has precedence over `facilitytype`. */
export function preferredProduct({ productType, facilitytype }: LoanPreferences): FundLoanKind | null {
  if (productType) return productType
  if (!facilitytype) return null
  return facilitytype === 'OVERDRAFT' ? 'CREDIT_LINE' : 'TERM_LOAN'
}

/** The loan that an integrator requests. Lenders decide what applies for an absent field. */
export interface LoanPreferences {
  productType?: FundLoanKind
  facilitytype?: 'OVERDRAFT' | 'TERM'
}
