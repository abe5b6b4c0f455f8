// The statement that a lender downloads of a portfolio, in one format for every source (FIS12 §10.3 `statementUpload`).
import type { SharedFile } from '#contract/network/v230/form-data.ts'
import type { Holding, Registrar } from './portfolio.ts'
import type { Portfolio } from './read-portfolio.ts'

/** How long a lender may download it. */
export const statementDays = 5

/** Unknown values are left out. Units and NAV are decimal text, dates `YYYY-MM-DD`. */
export interface Statement {
  pan?: string
  holdings: StatementHolding[]
}

export interface StatementHolding {
  isin?: string
  schemeCode: string
  schemeName?: string
  folio: string
  /** `CAMS` or `KFIN`. */
  rta: Registrar
  amcCode: string
  amcName?: string
  /** `EQUITY`, `DEBT`, `HYBRID` or `ELSS`. */
  assetType?: string
  units: string
  lienUnits: string
  lockedUnits: string
  nav: string
  navDate?: string
  lockInUntil?: string
}

/** One registrar's part when it is named: a lender that requests it does not need the rest. */
export const statementOf = ({ pan, holdings }: Portfolio, registrar: Registrar | null = null): Statement => ({
  ...(pan !== null && { pan }),
  holdings: holdings.filter((held) => registrar === null || held.registrar === registrar).map(toWire),
})

const toWire = (held: Holding): StatementHolding => ({
  ...(held.isin !== null && { isin: held.isin }),
  schemeCode: held.schemeCode,
  ...(held.schemeName !== null && { schemeName: held.schemeName }),
  folio: held.folio,
  rta: held.registrar,
  amcCode: held.amcCode,
  ...(held.amcName !== null && { amcName: held.amcName }),
  ...(held.kind !== null && { assetType: held.kind.toUpperCase() }),
  units: held.units,
  lienUnits: held.lienUnits,
  lockedUnits: held.lockedUnits,
  nav: held.nav,
  ...(held.navOn !== null && { navDate: held.navOn }),
  ...(held.lockedUntil !== null && { lockInUntil: held.lockedUntil }),
})

/** How a search hands the statement over. */
export const sharedStatement = (url: string): SharedFile => ({ url, format: '.json', validity: `P${statementDays}D` })
