// The holdings of the sandbox's investors, as a summary statement of MF Central.

import type { Static } from '@lendloom/foundation/schema'
import { businessDate } from '@lendloom/lending/calendar'
import type { Seal } from '@lendloom/seal/seal'
import type { CasDocument } from '@lendloom/wire/registrar/encrypted-envelope'
import { holdingsOf, registrarIds } from '#sandbox/aggregator/holdings.ts'
import type { FundStatementRequest } from './store.ts'

/** Asset and scheme type, by the kind of scheme at the account aggregator. */
const typesByKind = {
  EQUITY_SCHEME: ['EQUITY', 'EQUITY FUND'],
  DEBT_SCHEME: ['DEBT', 'DEBT FUND'],
  HYBRID_SCHEME: ['HYBRID', 'HYBRID FUND'],
  ELSS_SCHEME: ['EQUITY', 'ELSS FUND'],
} as const

/** The same schemes as at the account aggregator, with figures that are derived from the PAN. */
function schemesOf(seal: Seal, pan: string, on: Date) {
  const navDate = printedDay(on)
  return registrarIds.flatMap((registrarId) => {
    const link = seal.digest(`${pan}/${registrarId}`, 'mf holdings').toString('hex')
    const folio = String(Number.parseInt(link.slice(6, 14), 16))
    return holdingsOf(registrarId, link, folio).Investment.Holdings.Holding.map((holding) => {
      const [assetType, schemeType] = typesByKind[holding.schemeTypes]
      const closingBalance = Number(holding.closingUnits)
      const lienEligibleUnits =
        holding.schemeTypes === 'ELSS_SCHEME'
          ? 0
          : closingBalance - Number(holding.lienUnits) - Number(holding.lockinUnits)
      return {
        amc: holding.amc.slice(0, 3).toUpperCase(),
        amcName: holding.amc,
        folio,
        modeOfHolding: 'SINGLE',
        schemeCode: holding.schemeCode,
        schemeName: holding.isinDescription,
        schemeOption: 'GROWTH',
        assetType,
        schemeType,
        nav: Number(holding.nav),
        navDate,
        closingBalance,
        availableUnits: closingBalance,
        lienEligibleUnits,
        isin: holding.isin,
        isDemat: 'N',
        planMode: 'DIRECT',
        rtaName: holding.registrar,
        kycStatus: '02',
      }
    })
  })
}

/** The fund houses whose units an investor holds. */
export const companiesOf = (seal: Seal, { request: { pan }, createdAt }: FundStatementRequest): string[] => [
  ...new Set(schemesOf(seal, pan, createdAt).map(({ amcName }) => amcName)),
]

/** Returns the statement of the fund houses that the investor chose. */
export function documentOf(seal: Seal, statement: FundStatementRequest): Static<typeof CasDocument> {
  const { requestId: reqId, request, companies, createdAt } = statement
  const schemes = schemesOf(seal, request.pan, createdAt).filter(({ amcName }) => companies.includes(amcName))
  return { reqId, pan: request.pan, data: [{ schemes }] }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The business day of an instant, such as `20-Nov-2026`. */
function printedDay(at: Date): string {
  const [year = '', month = '', day = ''] = businessDate(at).split('-')
  return `${day}-${months[Number(month) - 1]}-${year}`
}
