// What the investors of the sandbox hold, as MF Central lists it in a summary statement.
import type { CasDocument } from '#contract/registrar/envelope.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Static } from '#kit/http/schema.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { holdingsOf, registrarIds } from '#sandbox/aggregator/holdings.ts'
import type { StatementRequest } from './store.ts'

const kinds = {
  EQUITY_SCHEME: ['EQUITY', 'EQUITY FUND'],
  DEBT_SCHEME: ['DEBT', 'DEBT FUND'],
  HYBRID_SCHEME: ['HYBRID', 'HYBRID FUND'],
  ELSS_SCHEME: ['EQUITY', 'ELSS FUND'],
} as const

/** The same ones that the account aggregator reports; figures differ from person to person and stay the same for each. */
function schemesOf(seal: Seal, pan: string, on: Date) {
  const navDate = printed(on)
  return registrarIds.flatMap((registrarId) => {
    const link = seal.digest(`${pan}/${registrarId}`, 'mf holdings').toString('hex')
    const folio = String(Number.parseInt(link.slice(6, 14), 16))
    return holdingsOf(registrarId, link, folio).Investment.Holdings.Holding.map((held) => {
      const [assetType, schemeType] = kinds[held.schemeTypes]
      const closingBalance = Number(held.closingUnits)
      const lienEligibleUnits =
        held.schemeTypes === 'ELSS_SCHEME' ? 0 : closingBalance - Number(held.lienUnits) - Number(held.lockinUnits)
      return {
        amc: held.amc.slice(0, 3).toUpperCase(),
        amcName: held.amc,
        folio,
        modeOfHolding: 'SINGLE',
        schemeCode: held.schemeCode,
        schemeName: held.isinDescription,
        schemeOption: 'GROWTH',
        assetType,
        schemeType,
        nav: Number(held.nav),
        navDate,
        closingBalance,
        availableUnits: closingBalance,
        lienEligibleUnits,
        isin: held.isin,
        isDemat: 'N',
        planMode: 'DIRECT',
        rtaName: held.registrar,
        kycStatus: '02',
      }
    })
  })
}

/** The fund houses of a person's units. */
export const companiesOf = (seal: Seal, { request: { pan }, createdAt }: StatementRequest): string[] => [
  ...new Set(schemesOf(seal, pan, createdAt).map(({ amcName }) => amcName)),
]

export function documentOf(seal: Seal, statement: StatementRequest): Static<typeof CasDocument> {
  const { requestId: reqId, request, companies, createdAt } = statement
  const schemes = schemesOf(seal, request.pan, createdAt).filter(({ amcName }) => companies.includes(amcName))
  return { reqId, pan: request.pan, data: [{ schemes }] }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `20-Nov-2026`, the business day of an instant. */
function printed(at: Date): string {
  const [year = '', month = '', day = ''] = businessDate(at).split('-')
  return `${day}-${months[Number(month) - 1]}-${year}`
}
