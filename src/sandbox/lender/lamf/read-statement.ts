// Reads a portfolio from the statement that a buyer app attaches, patiently: the names that registrars and MF Central use are all understood.
import { calendarDate } from '#contract/identifier.ts'
import { Refusal } from '#kit/refusal.ts'
import { decimalOf, type Holding, type Kind, navFrom, type Registrar, unitsFrom } from './portfolio.ts'

export interface Statement {
  /** The PAN it is made out to, where it says so. */
  pan: string | null
  holdings: Holding[]
}

type Row = Record<string, unknown>

/** More rows than anybody holds. */
const mostHoldings = 500

/**
 * Our own shape is `{"pan", "holdings": [{"isin", "schemeCode", "schemeName", "folio", "rta", "amcCode", "amcName",
 * "assetType", "units", "lienUnits", "lockedUnits", "nav", "lockInUntil"}]}`; that of MF Central, with `data` holding
 * `dtSummary`, is read as well, and so is that of the account aggregators. Throws a `Refusal` of kind `invalid` when it is
 * no statement.
 */
export function readStatement(text: string): Statement {
  const statement = parsed(text)
  const rows = rowsIn(statement)
  if (rows === null || rows.length > mostHoldings) throw unreadable('it lists no holdings')
  const named = textAt(statement, 'pan') ?? textAt((statement.investorDetails ?? {}) as Row, 'pan')
  return { pan: named?.toUpperCase() ?? null, holdings: rows.map(holdingOf) }
}

const unreadable = (why: string): Refusal => new Refusal('invalid', `the statement cannot be read: ${why}`)

function parsed(text: string): Row {
  try {
    const value: unknown = JSON.parse(text)
    if (isRow(value)) return value
    if (Array.isArray(value)) return { holdings: value }
  } catch {
    // Said below: what is no JSON is no statement.
  }
  throw unreadable('it is no JSON')
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function rowsIn(statement: Row): Row[] | null {
  const found = [statement.holdings, statement.schemes, statement.portfolio, statement.dtSummary, statement.Holding]
  const list = found.find(Array.isArray)
  if (list) return list.every(isRow) ? list : null
  const { data, Summary, Investment, Holdings } = statement
  const nested = [data, Summary, Investment, Holdings].flat().filter(isRow).map(rowsIn)
  return nested.length > 0 && nested.every((rows) => rows !== null) ? nested.flat() : null
}

function textAt(row: Row, ...names: string[]): string | null {
  for (const name of names) {
    const value = row[name]
    if ((typeof value === 'string' && value.trim() !== '') || typeof value === 'number') return String(value).trim()
  }
  return null
}

function holdingOf(row: Row, i: number): Holding {
  const must = (...names: string[]): string => {
    const value = textAt(row, ...names)
    if (value === null) throw unreadable(`holding ${i + 1} has no ${names[0]}`)
    return value
  }
  const number = (read: (text: string) => bigint | null, names: string[], otherwise?: string): bigint => {
    const value = read(textAt(row, ...names) ?? otherwise ?? must(...names))
    if (value === null) throw unreadable(`holding ${i + 1} has no readable ${names[0]}`)
    return value
  }
  const isin = textAt(row, 'isin', 'ISIN')
  const schemeName = textAt(row, 'schemeName', 'scheme_name', 'isinDescription')
  const schemeCode = textAt(row, 'schemeCode', 'scheme_code', 'SCHEME_CODE', 'scheme') ?? isin ?? must('schemeCode')
  const amc = must('amcCode', 'amc', 'amc_code', 'AMC_CODE', 'amcName')
  const lockInUntil = textAt(row, 'lockInUntil', 'lockInEnd', 'lock_in_until', 'lockInDate')
  return {
    isin,
    schemeCode,
    schemeName: schemeName ?? schemeCode,
    folio: must('folio', 'folioId', 'folioNumber', 'folioNo', 'folio_no', 'FOLIO_ID'),
    registrar: registrarOf(must('rta', 'rtaCode', 'rtaName', 'registrar', 'RTA')),
    amc,
    amcName: textAt(row, 'amcName', 'amc_name') ?? amc,
    kind: kindOf(textAt(row, 'assetType', 'kind', 'schemeTypes', 'schemeType', 'type') ?? 'equity', schemeName ?? ''),
    lockedUntil: lockInUntil && calendarDate(lockInUntil),
    units: number(unitsFrom, ['units', 'closingUnits', 'closingBalance', 'balanceUnits', 'closing_balance']),
    lienUnits: number(unitsFrom, ['lienUnits', 'lien_units', 'pledgedUnits'], '0'),
    lockedUnits: number(unitsFrom, ['lockedUnits', 'locked_units', 'lockInUnits', 'lockinUnits'], '0'),
    nav: number(roundedNav, ['nav', 'NAV', 'latestNav']),
  }
}

/** A registrar prints up to six decimals; what is beyond the fourth would not change a rupee. */
const roundedNav = (text: string): bigint | null => {
  const exact = navFrom(text)
  const longer = exact === null ? decimalOf(text, 6) : null
  return longer === null ? exact : longer / 100n
}

function registrarOf(name: string): Registrar {
  if (/cams/i.test(name)) return 'CAMS'
  if (/k-?fin|karvy/i.test(name)) return 'KFIN'
  throw unreadable(`${name} is no registrar`)
}

function kindOf(type: string, name: string): Kind {
  if (/elss|tax ?saver/i.test(`${type} ${name}`)) return 'elss'
  if (/debt|liquid|income|gilt|cash|overnight|money ?market/i.test(type)) return 'debt'
  return /hybrid|balanced/i.test(type) ? 'hybrid' : 'equity'
}
