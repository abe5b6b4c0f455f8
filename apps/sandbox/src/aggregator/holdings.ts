// Mutual fund holdings that the sandbox's registrars report, in the network's data format (ReBIT, MUTUAL_FUNDS).
import { ownValue } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'

interface Fund {
  amc: string
  schemeCode: string
  isin: string
  isinDescription: string
  schemeTypes: 'EQUITY_SCHEME' | 'DEBT_SCHEME' | 'HYBRID_SCHEME' | 'ELSS_SCHEME'
  nav: string
  /** A folio holds the minimum number of units and fewer than `extra` further ones. */
  units: [minimum: number, extra: number]
  lienUnits: string
  lockinUnits: string
}

const unencumbered = { lienUnits: '0.000', lockinUnits: '0.000' }

const fundsAt: Record<string, { registrar: 'CAMS' | 'KFIN'; funds: Fund[] }> = {
  'cams.sandbox.example': {
    registrar: 'CAMS',
    funds: [
      {
        amc: 'Shakti Mutual Fund',
        schemeCode: 'SHK-FLEX-G',
        isin: 'INF000A01011',
        isinDescription: 'Shakti Flexi Cap Fund, growth',
        schemeTypes: 'EQUITY_SCHEME',
        nav: '85.0250',
        units: [4_000, 4_000],
        ...unencumbered,
      },
      {
        amc: 'Shakti Mutual Fund',
        schemeCode: 'SHK-ELSS-G',
        isin: 'INF000A01029',
        isinDescription: 'Shakti ELSS Tax Saver, growth',
        schemeTypes: 'ELSS_SCHEME',
        nav: '120.5000',
        units: [500, 500],
        ...unencumbered,
      },
    ],
  },
  'kfintech.sandbox.example': {
    registrar: 'KFIN',
    funds: [
      {
        amc: 'Nidhi Mutual Fund',
        schemeCode: 'NDH-DEBT-G',
        isin: 'INF000B02022',
        isinDescription: 'Nidhi Corporate Bond Fund, growth',
        schemeTypes: 'DEBT_SCHEME',
        nav: '40.1234',
        units: [8_000, 8_000],
        ...unencumbered,
        lienUnits: '500.000',
      },
    ],
  },
}

export const registrarIds = Object.keys(fundsAt)

/** The summary of one folio. Its figures are derived from the customer's link reference. */
export function holdingsOf(fipId: string, linkRefNumber: string, folioNo: string) {
  const { registrar, funds } = required(ownValue(fundsAt, fipId), `registrar ${fipId}`)
  const seed = Number.parseInt(linkRefNumber.slice(0, 6), 16)
  const Holding = funds.map(({ units: [minimum, extra], ...fund }) => ({
    ...fund,
    registrar,
    folioNo,
    closingUnits: `${minimum + (seed % extra)}.250`,
  }))
  return { Investment: { Holdings: { Holding } } }
}
