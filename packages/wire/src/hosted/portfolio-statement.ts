// The portfolio statement that a lender downloads. All sources use the same format (FIS12 §10.3 `statementUpload`).
import type { SharedFile } from '#wire/network/v230/form-data.ts'
import type { Holding, Registrar } from './portfolio.ts'
import type { Portfolio } from './read-portfolio.ts'

/** The number of days in which a lender may download the statement. */
export const statementDays = 5

/** Unknown values are omitted. Units and NAV are decimal text, dates `YYYY-MM-DD`. */
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

/** Builds the statement. If `registrar` is set, the statement has only the holdings at this registrar. */
export const statementOf = ({ pan, holdings }: Portfolio, registrar: Registrar | null = null): Statement => ({
  ...(pan !== null && { pan }),
  holdings: holdings.filter((holding) => registrar === null || holding.registrar === registrar).map(toWire),
})

const toWire = (holding: Holding): StatementHolding => ({
  ...(holding.isin !== null && { isin: holding.isin }),
  schemeCode: holding.schemeCode,
  ...(holding.schemeName !== null && { schemeName: holding.schemeName }),
  folio: holding.folio,
  rta: holding.registrar,
  amcCode: holding.amcCode,
  ...(holding.amcName !== null && { amcName: holding.amcName }),
  ...(holding.kind !== null && { assetType: holding.kind.toUpperCase() }),
  units: holding.units,
  lienUnits: holding.lienUnits,
  lockedUnits: holding.lockedUnits,
  nav: holding.nav,
  ...(holding.navOn !== null && { navDate: holding.navOn }),
  ...(holding.lockedUntil !== null && { lockInUntil: holding.lockedUntil }),
})

/** The reference to the statement file in a `search` message. */
export const sharedStatement = (url: string): SharedFile => ({ url, format: '.json', validity: `P${statementDays}D` })
