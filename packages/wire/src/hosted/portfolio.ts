// Mutual-fund units as security: holdings, their field names, free units, and loan limits (D1 §4, FIS12 §10.1).

import { isObject } from '@lendloom/foundation/record'
import { decimalFrom, decimalText, type Paise } from '@lendloom/lending/money'
import type { Scheme } from '@lendloom/lending/pledge'

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
  /** Null if the statement does not contain it. */
  kind: Kind | null
  units: string
  /** Units under a lien, and units locked for another reason. */
  lienUnits: string
  lockedUnits: string
  /** The last day of the lock-in, `YYYY-MM-DD`; null without one, or if the statement does not contain it. */
  lockedUntil: string | null
  nav: string
  /** The day of that NAV, `YYYY-MM-DD`. */
  navOn: string | null
}

/** Units of a holding that are pledged or pledgeable. */
export interface UnitShare {
  holding: Holding
  units: string
}

/** Registrars use three or four decimals for units and NAV; six lose no digit. */
const places = 6
const perUnit = 10n ** BigInt(places)

export const millionthsOf = (text: string): bigint | null => decimalFrom(text, places)
export const unitsText = (millionths: bigint): string => decimalText(millionths, places, 3)
export const navText = (millionths: bigint): string => decimalText(millionths, places, 4)

/** Parses a validated text. Throws if it is not a number (a bug). */
function exact(text: string): bigint {
  const millionths = millionthsOf(text)
  if (millionths === null) throw new Error('units or NAV of a holding is not a number')
  return millionths
}

/**
 * The units that may be pledged on the day `on`: without liens, locked units, units within a lock-in, and ELSS units
 * without a known lock-in.
 */
export function eligibleUnits({ units, lienUnits, lockedUnits, kind, lockedUntil }: Holding, on: string): string {
  const isLockedIn = lockedUntil === null ? kind === 'elss' : lockedUntil >= on
  const free = exact(units) - exact(lienUnits) - exact(lockedUnits)
  return unitsText(isLockedIn || free < 0n ? 0n : free)
}

/** All pledgeable holdings of a portfolio on that day, in order. */
export const eligible = (holdings: readonly Holding[], on: string): UnitShare[] =>
  holdings.map((holding) => ({ holding, units: eligibleUnits(holding, on) })).filter(({ units }) => exact(units) > 0n)

/** The loan-to-value of a holding, in hundredths of a percent. */
export type LoanToValueOf = (holding: Pick<Holding, 'kind' | 'schemeCode'>) => bigint

/** Usual rates of non-bank lenders; a hybrid fund counts as equity. */
export const usualLoanToValue: Record<Kind, bigint> = { equity: 5_000n, hybrid: 5_000n, elss: 5_000n, debt: 8_000n }

/** Loan-to-value by the kind of fund; an unknown kind has the lowest value. */
export function loanToValueByKind(table: Record<Kind, bigint>): LoanToValueOf {
  const lowest = kinds.map((kind) => table[kind]).reduce((low, bps) => (bps < low ? bps : low))
  return ({ kind }) => (kind === null ? lowest : table[kind])
}

/** Loan-to-value by scheme, as stated in an offer (FIS12 §7.1); zero for other schemes. */
export const loanToValueByOffer =
  (schemes: readonly Pick<Scheme, 'schemeCode' | 'ltv'>[]): LoanToValueOf =>
  ({ schemeCode }) => {
    const { ltv } = schemes.find((scheme) => scheme.schemeCode === schemeCode) ?? {}
    return ltv ? (decimalFrom(ltv.replace(/(?<!\s)\s*%$/, ''), 2) ?? 0n) : 0n
  }

/** The data from which the loan value of units is computed. */
export interface HeldUnits {
  holding: Pick<Holding, 'schemeCode' | 'kind' | 'nav'>
  units: string
}

/** The maximum loan on these units in whole rupees; only the total is rounded, down. */
export function drawingPower(parts: readonly HeldUnits[], loanToValueOf: LoanToValueOf): Paise {
  const weightedWorth = parts.reduce((all, part) => all + worthInParts(part) * loanToValueOf(part.holding), 0n)
  return (weightedWorth / (perUnit * perUnit * 10_000n)) * 100n
}

/** The value of the units, rounded down to the paisa. */
export const worthOf = (parts: readonly HeldUnits[]): Paise =>
  (parts.reduce((all, part) => all + worthInParts(part), 0n) * 100n) / (perUnit * perUnit)

const worthInParts = ({ holding, units }: HeldUnits): bigint => exact(units) * exact(holding.nav)

/** An object's scalar values by normalized name: lower case, letters and digits only. */
export type Fields = Map<string, string | number | boolean>

/** Accepted names of each field, in order of preference. */
const names = {
  pan: ['pan', 'panno', 'pannumber', 'investorpan', 'investordetailspan'],
  folio: ['folio', 'foliono', 'folionumber', 'folioid'],
  amcCode: ['amccode', 'amc', 'amcid', 'fundhousecode'],
  amcName: ['amcname', 'fundhouse'],
  schemeCode: ['schemecode', 'schemeid', 'rtaschemecode'],
  schemeName: ['schemename', 'schemedescription', 'fundname', 'isindescription', 'fund'],
  /** The scheme's name; its code is a separate field. */
  scheme: ['scheme'],
  isin: ['isin', 'isinno', 'isincode', 'tradingsymbol'],
  units: [
    'units',
    'closingbalance',
    'closingunits',
    'balanceunits',
    'unitbalance',
    'closingunitbalance',
    'totalunits',
    'currentunits',
    'holdingunits',
    'unitsheld',
    'close',
    'quantity',
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
export type FieldName = keyof typeof names

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

/** Fields that inner objects inherit from outer ones: owner and scheme, never quantities. */
const inheritedNames = new Set<string>([
  ...[names.pan, names.folio, names.amcCode, names.amcName, names.demat, registrarNames].flat(),
  ...[names.schemeCode, names.schemeName, names.scheme, names.isin, names.nav, names.navOn].flat(),
  ...kindNames.filter((name) => name !== 'type'),
])

const normalizeName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The values of an object; those of inner objects get joined names: `{"nav": {"value": 1}}` has a `navvalue`. */
function scalarsOf(value: object): Fields {
  const fields: Fields = new Map()
  for (const [name, inner] of Object.entries(value)) addScalar(fields, name, inner)
  for (const [name, inner] of Object.entries(value))
    if (isObject(inner))
      for (const [deeper, innermost] of Object.entries(inner)) addScalar(fields, name + deeper, innermost)
  return fields
}

/** All fields of an object, including nested ones: `{"valuation": {"nav": 1}}` has a `nav` too. */
export function fieldsOf(value: object): Fields {
  const fields = scalarsOf(value)
  for (const inner of Object.values(value))
    if (isObject(inner)) for (const [name, innermost] of Object.entries(inner)) addScalar(fields, name, innermost)
  return fields
}

/** Fields that an object's inner objects inherit. Siblings do not inherit from each other. */
export const inheritedFrom = (value: object): Fields =>
  new Map([...scalarsOf(value)].filter(([name]) => inheritedNames.has(name)))

const tradeFields = new Set(
  ['trxnType', 'transactionType', 'trxnDate', 'transactionDate', 'trxnNo', 'transactionId', 'orderType', 'orderId'].map(
    normalizeName,
  ),
)

/** Whether the object is a purchase or sale, which has units but is not a holding. */
export const isTrade = (value: object): boolean =>
  Object.entries(value).some(([name, inner]) => isScalar(inner) && tradeFields.has(normalizeName(name)))

const groups: readonly (readonly string[])[] = [...Object.values(names), registrarNames, kindNames]

/** Adds outer fields, except those that the object has under any of their names. */
export const withInherited = (outer: Fields, own: Fields): Fields =>
  new Map([
    ...[...outer].filter(
      ([name]) => !groups.some((group) => group.includes(name) && group.some((other) => own.has(other))),
    ),
    ...own,
  ])

function addScalar(fields: Fields, name: string, value: unknown): void {
  const key = normalizeName(name)
  if (isScalar(value) && !fields.has(key)) fields.set(key, value)
}

/** Empty text and null count as absent. */
const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.trim() !== '')

/** The value as text. Returns null for an integer beyond double precision, because it has lost digits. */
function textFrom(value: string | number | boolean | undefined): string | null {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'number' || (Number.isInteger(value) && !Number.isSafeInteger(value))) return null
  return String(value)
}

const textUnder = (fields: Fields, known: readonly string[]): string | null => {
  for (const name of known) {
    const text = textFrom(fields.get(name))
    if (text !== null) return text
  }
  return null
}

export const textAt = (fields: Fields, name: FieldName): string | null => textUnder(fields, names[name])

/** Whether a flag is set, in any spelling. */
export const isFlagSet = (fields: Fields, name: FieldName): boolean =>
  names[name].some((known) => /^(?:y|yes|true|1)$/i.test(String(fields.get(known) ?? '').trim()))

export const registrarTexts = (fields: Fields): string[] =>
  registrarNames.flatMap((name) => textFrom(fields.get(name)) ?? [])

export const kindText = (fields: Fields): string =>
  kindNames.flatMap((name) => textFrom(fields.get(name)) ?? []).join(' ')
