// Mutual-fund units as security: holdings, their field names, free units, and loan limits (D1 §4, FIS12 §10.1).
import type { Scheme } from '#contract/network/v230/pledge.ts'
import { invalid } from '#kit/http/refusal.ts'
import { decimalFrom, decimalText, type Paise } from '#kit/money/money.ts'
import { isObject } from '#kit/runtime/record.ts'

export const registrars = ['CAMS', 'KFIN'] as const
export type Registrar = (typeof registrars)[number]
export const kinds = ['equity', 'debt', 'hybrid', 'elss'] as const
export type Kind = (typeof kinds)[number]

/** Units of one scheme in one folio. Units and NAV are decimal text, the NAV in rupees. */
export interface Holding {
  registrar: Registrar
  /** The asset management company. */
  amcCode: string
  amcName: string | null
  schemeCode: string
  schemeName: string | null
  isin: string | null
  folio: string
  /** Null when the statement does not tell it. */
  kind: Kind | null
  units: string
  /** Units under a lien, and units locked for another reason. */
  lienUnits: string
  lockedUnits: string
  /** The last day of the lock-in, `YYYY-MM-DD`; null when there is none, or when the statement does not tell it. */
  lockedUntil: string | null
  nav: string
  /** The day of that NAV, `YYYY-MM-DD`. */
  navOn: string | null
}

/** Units of a holding that secure something, or could. */
export interface UnitShare {
  holding: Holding
  units: string
}

/** Registrars print three or four decimals of a unit and of a NAV; six lose nothing. */
const places = 6
const perUnit = 10n ** BigInt(places)

export const partsOf = (text: string): bigint | null => decimalFrom(text, places)
export const unitsText = (parts: bigint): string => decimalText(parts, places, 3)
export const navText = (parts: bigint): string => decimalText(parts, places, 4)

/** Takes texts that were checked before: any other text is a bug. */
function exact(text: string): bigint {
  const parts = partsOf(text)
  if (parts === null) throw new Error('a holding has units or a NAV that is no number')
  return parts
}

/**
 * The units that may be pledged on the day `on`: without liens, locked units, units within a lock-in, and ELSS units
 * without a known lock-in.
 */
export const eligibleUnits = (holding: Holding, on: string): string => unitsText(freeParts(holding, on))

function freeParts({ units, lienUnits, lockedUnits, kind, lockedUntil }: Holding, on: string): bigint {
  const isLockedIn = lockedUntil === null ? kind === 'elss' : lockedUntil >= on
  const free = exact(units) - exact(lienUnits) - exact(lockedUnits)
  return isLockedIn || free < 0n ? 0n : free
}

/** All pledgeable holdings of a portfolio on that day, in order. */
export const eligible = (holdings: readonly Holding[], on: string): UnitShare[] =>
  holdings.map((holding) => ({ holding, units: eligibleUnits(holding, on) })).filter(({ units }) => exact(units) > 0n)

/** Units of a scheme that a borrower chooses; with the folio only to select one of several. */
export interface ChosenUnits {
  schemeCode: string
  units: string
  folio?: string
}

/**
 * The chosen units, taken from the holdings of each scheme in order. Throws a refusal of kind `invalid` when they are
 * not a number, of an unknown scheme, of a code that two fund houses use, or more than may be pledged on that day.
 */
export function choose(holdings: readonly Holding[], chosen: readonly ChosenUnits[], on: string): UnitShare[] {
  const parts = holdings.map((holding) => ({ holding, free: freeParts(holding, on), taken: 0n }))
  for (const [i, { schemeCode, folio, units }] of chosen.entries()) {
    const meant = parts.filter(
      ({ holding }) => holding.schemeCode === schemeCode && (folio === undefined || holding.folio === folio),
    )
    const path = `pledges.${i}`
    if (meant.length === 0) throw invalid({ path: `${path}.schemeCode`, message: 'is not held' })
    if (new Set(meant.map(({ holding }) => `${holding.registrar} ${holding.amcCode}`)).size > 1)
      throw invalid({ path: `${path}.folio`, message: 'is required: two fund houses use this scheme code' })
    let wanted = partsOf(units)
    if (wanted === null) throw invalid({ path: `${path}.units`, message: 'must be a number of units' })
    for (const part of meant) {
      const left = part.free - part.taken
      const taken = wanted < left ? wanted : left
      part.taken += taken
      wanted -= taken
    }
    if (wanted > 0n) throw invalid({ path: `${path}.units`, message: 'must not be more than may be pledged' })
  }
  return parts.flatMap(({ holding, taken }) => (taken > 0n ? [{ holding, units: unitsText(taken) }] : []))
}

/** The loan-to-value of a holding, in hundredths of a percent. */
export type LoanToValueOf = (holding: Pick<Holding, 'kind' | 'schemeCode'>) => bigint

/** Market practice of lenders other than banks; a mixed fund counts as equity. */
export const usualLoanToValue: Record<Kind, bigint> = { equity: 5_000n, hybrid: 5_000n, elss: 5_000n, debt: 8_000n }

/** By the kind of the fund; for an unknown kind, the lowest value. */
export function loanToValueByKind(table: Record<Kind, bigint>): LoanToValueOf {
  const least = kinds.map((kind) => table[kind]).reduce((low, bps) => (bps < low ? bps : low))
  return ({ kind }) => (kind === null ? least : table[kind])
}

/** Per scheme, as the lender of an offer stated it (FIS12 §7.1); zero for other schemes. */
export const loanToValueByOffer =
  (schemes: readonly Pick<Scheme, 'schemeCode' | 'ltv'>[]): LoanToValueOf =>
  ({ schemeCode }) => {
    const { ltv } = schemes.find((scheme) => scheme.schemeCode === schemeCode) ?? {}
    return ltv ? (decimalFrom(ltv.replace(/(?<!\s)\s*%$/, ''), 2) ?? 0n) : 0n
  }

/** The data that determines how much may be lent on units. */
export interface HeldUnits {
  holding: Pick<Holding, 'schemeCode' | 'kind' | 'nav'>
  units: string
}

/** The most that may be lent on these units, in whole rupees: rounded down once, over all of them. */
export function drawingPower(parts: readonly HeldUnits[], loanToValueOf: LoanToValueOf): Paise {
  const carried = parts.reduce((all, part) => all + worthInParts(part) * loanToValueOf(part.holding), 0n)
  return (carried / (perUnit * perUnit * 10_000n)) * 100n
}

/** The value of the units, rounded down to the paisa. */
export const worthOf = (parts: readonly HeldUnits[]): Paise =>
  (parts.reduce((all, part) => all + worthInParts(part), 0n) * 100n) / (perUnit * perUnit)

/** In millionths of millionths of a rupee. */
const worthInParts = ({ holding, units }: HeldUnits): bigint => exact(units) * exact(holding.nav)

/** The plain values of an object by their names, in small letters and without anything between the words. */
export type Fields = Map<string, string | number | boolean>

/** Names in the order in which they are trusted. */
const names = {
  pan: ['pan', 'panno', 'pannumber', 'investorpan', 'investordetailspan'],
  folio: ['folio', 'foliono', 'folionumber', 'folioid'],
  amcCode: ['amccode', 'amc', 'amcid', 'fundhousecode'],
  amcName: ['amcname', 'fundhouse'],
  schemeCode: ['schemecode', 'schemeid', 'rtaschemecode'],
  schemeName: ['schemename', 'schemedescription', 'fundname', 'isindescription', 'fund'],
  /** A name alone; its code is a separate field. */
  scheme: ['scheme'],
  isin: ['isin', 'isinno', 'isincode', 'tradingsymbol'],
  units: [
    ...['units', 'closingbalance', 'closingunits', 'balanceunits', 'unitbalance', 'closingunitbalance', 'totalunits'],
    ...['currentunits', 'holdingunits', 'unitsheld', 'close', 'quantity'],
  ],
  freeUnits: ['lieneligibleunits', 'eligibleunits', 'availableunits', 'freeunits', 'redeemableunits'],
  lienUnits: ['lienunits', 'lienmarkedunits', 'pledgedunits', 'unitsunderlien', 'pledgedquantity'],
  lockedUnits: ['lockedunits', 'lockinunits', 'lockedinunits', 'blockedunits'],
  lienFlag: ['lienunitsflag', 'lienflag', 'islien', 'islienmarked'],
  demat: ['isdemat', 'demat', 'dematflag'],
  lockedUntil: ['lockinuntil', 'lockinenddate', 'lockinend', 'lockindate', 'lockedupto', 'lockeduntil', 'lockinupto'],
  nav: ['nav', 'latestnav', 'currentnav', 'navvalue', 'navperunit', 'lastprice'],
  navOn: ['navdate', 'navon', 'latestnavdate', 'navasof', 'navason', 'valuationdate', 'lastpricedate'],
} as const
export type Name = keyof typeof names

/** The field names of a registrar; `rtaCode` may also be its code for the scheme. */
const registrarNames = ['registrar', 'rta', 'rtacode', 'rtaname', 'registrarname', 'registrarcode']
const kindNames = [
  'assettype',
  'assetclass',
  'schemetype',
  'schemetypes',
  'schemecategory',
  'category',
  'fundtype',
  'type',
]

/** Fields that inner objects inherit from outer ones: the owner and the scheme, never the quantity. */
const inherited = new Set<string>([
  ...[names.pan, names.folio, names.amcCode, names.amcName, names.demat, registrarNames].flat(),
  ...[names.schemeCode, names.schemeName, names.scheme, names.isin, names.nav, names.navOn].flat(),
  ...kindNames.filter((name) => name !== 'type'),
])

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The values of an object, and of the objects in it: `{"nav": {"value": 1}}` has a `navvalue`. */
function named(value: object): Fields {
  const fields: Fields = new Map()
  for (const [name, inner] of Object.entries(value)) put(fields, name, inner)
  for (const [name, inner] of Object.entries(value))
    if (isObject(inner)) for (const [deeper, innermost] of Object.entries(inner)) put(fields, name + deeper, innermost)
  return fields
}

/** All fields of an object, including nested ones: `{"valuation": {"nav": 1}}` has a `nav` too. */
export function fieldsOf(value: object): Fields {
  const fields = named(value)
  for (const inner of Object.values(value))
    if (isObject(inner)) for (const [name, innermost] of Object.entries(inner)) put(fields, name, innermost)
  return fields
}

/** Fields that an object passes on to its inner objects; an inner object's fields do not apply to its siblings. */
export const inheritedFrom = (value: object): Fields =>
  new Map([...named(value)].filter(([name]) => inherited.has(name)))

const ofTrade = new Set(
  ['trxnType', 'transactionType', 'trxnDate', 'transactionDate', 'trxnNo', 'transactionId', 'orderType', 'orderId'].map(
    plain,
  ),
)

/** A purchase or a sale has units too. */
export const isTrade = (value: object): boolean =>
  Object.entries(value).some(([name, inner]) => isScalar(inner) && ofTrade.has(plain(name)))

const groups: readonly (readonly string[])[] = [...Object.values(names), registrarNames, kindNames]

/** Outer fields apply unless the object has the same one, under any of its names. */
export const within = (above: Fields, own: Fields): Fields =>
  new Map([
    ...[...above].filter(
      ([name]) => !groups.some((group) => group.includes(name) && group.some((other) => own.has(other))),
    ),
    ...own,
  ])

function put(fields: Fields, name: string, value: unknown): void {
  const short = plain(name)
  if (isScalar(value) && !fields.has(short)) fields.set(short, value)
}

/** Empty text and null count as absent. */
const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.trim() !== '')

/** As it was written. A whole number that does not fit into a double has lost digits on its way, and is not trusted. */
function written(value: string | number | boolean | undefined): string | null {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'number' || (Number.isInteger(value) && !Number.isSafeInteger(value))) return null
  return String(value)
}

const textUnder = (fields: Fields, known: readonly string[]): string | null => {
  for (const name of known) {
    const text = written(fields.get(name))
    if (text !== null) return text
  }
  return null
}

export const textAt = (fields: Fields, name: Name): string | null => textUnder(fields, names[name])

/** Whether a flag is up, however it is written. */
export const isUp = (fields: Fields, name: Name): boolean =>
  names[name].some((known) => /^(?:y|yes|true|1)$/i.test(String(fields.get(known) ?? '').trim()))

export const registrarTexts = (fields: Fields): string[] =>
  registrarNames.flatMap((name) => written(fields.get(name)) ?? [])

export const kindText = (fields: Fields): string =>
  kindNames.flatMap((name) => written(fields.get(name)) ?? []).join(' ')
