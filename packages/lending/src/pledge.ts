// The mutual-fund units that secure a loan.

/** One scheme of the portfolio. Units are decimal text such as `312.450`, the loan to value is a percentage text. */
export interface Scheme {
  rta: string | null
  amcCode: string | null
  schemeCode: string
  folioId: string | null
  unitsRequired: string
  ltv: string | null
}

export interface Pledge {
  schemeCode: string
  units: string
}
