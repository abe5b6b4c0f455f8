// What the registrars of the sandbox report of a customer's mutual funds, in the words of the network's data format (ReBIT, MUTUAL_FUNDS).
import { ownValue, required } from '#kit/runtime/record.ts'

interface Fund {
  amc: string
  schemeCode: string
  isin: string
  isinDescription: string
  schemeTypes: 'EQUITY_SCHEME' | 'DEBT_SCHEME' | 'HYBRID_SCHEME' | 'ELSS_SCHEME'
  nav: string
  /** Units that anybody holds at least, and how many more at most. */
  units: [least: number, more: number]
  lienUnits: string
  lockinUnits: string
}

const free = { lienUnits: '0.000', lockinUnits: '0.000' }

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
        ...free,
      },
      {
        amc: 'Shakti Mutual Fund',
        schemeCode: 'SHK-ELSS-G',
        isin: 'INF000A01029',
        isinDescription: 'Shakti ELSS Tax Saver, growth',
        schemeTypes: 'ELSS_SCHEME',
        nav: '120.5000',
        units: [500, 500],
        ...free,
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
        ...free,
        lienUnits: '500.000',
      },
    ],
  },
}

export const registrarIds = Object.keys(fundsAt)

/** The summary of one folio; figures differ from customer to customer and stay the same for each. */
export function holdingsOf(fipId: string, linkRefNumber: string, folioNo: string) {
  const { registrar, funds } = required(ownValue(fundsAt, fipId), `registrar ${fipId}`)
  const seed = Number.parseInt(linkRefNumber.slice(0, 6), 16)
  const Holding = funds.map(({ units: [least, more], ...fund }) => ({
    ...fund,
    registrar,
    folioNo,
    closingUnits: `${least + (seed % more)}.250`,
  }))
  return { Investment: { Holdings: { Holding } } }
}
