// Parses a portfolio from free-form mutual-fund data, tolerantly: unreadable parts are reported and skipped (D1 §4).
import { calendarDate, panPattern, upper } from '#contract/identifier.ts'
import { isObject } from '#kit/runtime/record.ts'
import {
  type Fields,
  fieldsOf,
  type Holding,
  inheritedFrom,
  isTrade,
  isUp,
  type Kind,
  kindText,
  type Name,
  navText,
  partsOf,
  type Registrar,
  registrarTexts,
  textAt,
  unitsText,
  within,
} from './portfolio.ts'

export interface Portfolio {
  /** The PAN of the statement, if it has one. */
  pan: string | null
  holdings: Holding[]
  notUnderstood: NotUnderstood[]
}

/** An unusable part, by its position in the request, and the first missing field. */
export interface NotUnderstood {
  path: string
  why: Unclear | PortfolioFault
}

/**
 * `nothing`: no holding; `other-pan`: another person's; `twice`: the same units with different values; `too-many` and
 * `too-deep`: beyond the limits.
 */
type PortfolioFault = 'nothing' | 'other-pan' | 'twice' | 'too-many' | 'too-deep'

/** As many as a lender reads of one statement. */
const mostHoldings = 500
const deepest = 16

/**
 * Finds the holdings wherever they are nested: in the shape of MF Central, of the account aggregator, of statements that
 * were read from a PDF, and in our own. Never throws.
 */
export function readPortfolio(input: unknown): Portfolio {
  const portfolio: Portfolio = { pan: null, holdings: [], notUnderstood: [] }
  walk(input, { portfolio, path: '', above: new Map(), depth: 0 })
  const { holdings, notUnderstood } = portfolio
  if (holdings.length === 0 && notUnderstood.length === 0) notUnderstood.push({ path: '', why: 'nothing' })
  return portfolio
}

interface ReadPosition {
  portfolio: Portfolio
  path: string
  /** Fields inherited from outer objects, such as the folio of several schemes. */
  above: Fields
  depth: number
}

/** Whether there was anything that looks like a holding. */
function walk(value: unknown, place: ReadPosition): boolean {
  const { portfolio, path, depth } = place
  if (typeof value === 'string') {
    const inner = embedded(value)
    return inner !== undefined && walk(inner, { ...place, depth: depth + 1 })
  }
  if (typeof value !== 'object' || value === null) return false
  if (depth === deepest) {
    portfolio.notUnderstood.push({ path, why: 'too-deep' })
    return true
  }
  return isObject(value) ? walkObject(value, place) : walkInside(value, place)
}

/** Some statements are passed on as text. */
function embedded(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function walkInside(value: object, place: ReadPosition): boolean {
  let found = false
  for (const [key, inner] of Object.entries(value)) {
    if (isOfTransactions(key)) continue
    const path = place.path === '' ? key : `${place.path}.${key}`
    if (walk(inner, { ...place, path, depth: place.depth + 1 })) found = true
  }
  return found
}

/** Lists of purchases and sales have units too; their summaries are what is held. */
const isOfTransactions = (key: string): boolean => /trxn|transaction/i.test(key) && !/summary|statement/i.test(key)

function walkObject(value: object, place: ReadPosition): boolean {
  const { portfolio, path, above } = place
  const own = fieldsOf(value)
  const pan = textAt(own, 'pan')
  if (portfolio.pan === null && isPan(pan)) portfolio.pan = upper(pan)
  if (walkInside(value, { ...place, above: within(above, inheritedFrom(value)) })) return true
  if (isTrade(value) || !isHolding(own)) return false
  const why = keep(portfolio, within(above, own))
  if (why) portfolio.notUnderstood.push({ path, why })
  return true
}

const isPan = (text: string | null): text is string => text !== null && new RegExp(panPattern).test(text)

/** An object with units and a scheme. */
const isHolding = (own: Fields): boolean =>
  (textAt(own, 'units') ?? textAt(own, 'freeUnits')) !== null &&
  (['folio', 'isin', 'schemeCode', 'schemeName', 'scheme'] as const).some((name) => textAt(own, name) !== null)

/** Null when it was added, or is a repetition. */
function keep({ holdings, pan: whose }: Portfolio, fields: Fields): NotUnderstood['why'] | null {
  const pan = textAt(fields, 'pan')
  if (isPan(pan) && upper(pan) !== whose) return 'other-pan'
  const holding = holdingFrom(fields, calendarDay)
  if (typeof holding === 'string') return holding
  const twin = holdings.find((other) => isSame(other, holding))
  if (twin) return isRepeated(twin, holding) ? null : 'twice'
  if (holdings.length === mostHoldings) return 'too-many'
  holdings.push(holding)
  return null
}

/** A statement may list the same units twice; they count once. */
const isSame = (one: Holding, other: Holding): boolean =>
  one.folio === other.folio &&
  one.registrar === other.registrar &&
  (one.isin !== null && other.isin !== null ? one.isin === other.isin : one.schemeCode === other.schemeCode)

const isRepeated = (one: Holding, other: Holding): boolean =>
  one.units === other.units && one.lienUnits === other.lienUnits && one.lockedUnits === other.lockedUnits

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Also `18-Nov-2026`, as registrars print it. */
function calendarDay(text: string): string | null {
  const [, day, name, year] = /^\s*(\d{1,2})[- /]([A-Za-z]{3})[a-z]*[- /,]+(\d{4})/.exec(text) ?? []
  if (!day || !name) return calendarDate(text.replace(/^(\d{4}-\d{2}-\d{2}) [\d:.]+$/, '$1'))
  const month = months.indexOf(name.toLowerCase()) + 1
  return calendarDate(`${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`)
}

/**
 * Required fields of a holding; `lien` and `locked` are present but unreadable, or marked without a number; `demat`:
 * units in a depository, where no registrar can mark a lien.
 */
type Unclear = 'folio' | 'scheme' | 'amc' | 'registrar' | 'units' | 'nav' | 'lien' | 'locked' | 'demat'

/** The holding, or the first thing that is unclear about it. `day` reads a date as `YYYY-MM-DD`. */
function holdingFrom(fields: Fields, day: (text: string) => string | null): Holding | Unclear {
  const text = (name: Name) => textAt(fields, name)
  if (isUp(fields, 'demat')) return 'demat'
  const folio = text('folio')?.replace(/(?<!\s)\s*\/\s*/g, '/')
  if (!folio) return 'folio'
  const isin = isinFrom(text('isin'))
  const [named, scheme] = [text('schemeName'), text('scheme')]
  const schemeName = named ?? scheme
  const schemeCode = text('schemeCode') ?? (named && scheme) ?? isin ?? scheme
  if (schemeCode === null) return 'scheme'
  const amcCode = text('amcCode') ?? text('amcName')
  if (amcCode === null) return 'amc'
  const registrar = registrarFrom(registrarTexts(fields))
  if (registrar === null) return 'registrar'
  const counted = unitsFrom(fields)
  if (typeof counted === 'string') return counted
  const nav = partsOf(text('nav') ?? '')
  if (nav === null || nav === 0n) return 'nav'
  const [until, navDay] = [text('lockedUntil'), text('navOn')]
  const lockedUntil = until && day(until)
  if (until !== null && lockedUntil === null) return 'locked'
  return {
    ...{ registrar, amcCode, amcName: text('amcName'), schemeCode, schemeName, isin, folio },
    kind: kindFrom(kindText(fields), schemeName ?? ''),
    ...counted,
    lockedUntil,
    nav: navText(nav),
    navOn: navDay && day(navDay),
  }
}

const isinFrom = (text: string | null): string | null =>
  text !== null && /^[A-Za-z]{2}[A-Za-z0-9]{9}\d$/.test(text) ? text.toUpperCase() : null

function registrarFrom(texts: string[]): Registrar | null {
  if (texts.some((text) => /^cams\b|computer age/i.test(text))) return 'CAMS'
  return texts.some((text) => /^k-?fin|karvy/i.test(text)) ? 'KFIN' : null
}

type UnitCounts = Pick<Holding, 'units' | 'lienUnits' | 'lockedUnits'>

/** The stated number of free units is an upper limit. */
function unitsFrom(fields: Fields): UnitCounts | Unclear {
  const amountOf = (name: Name): bigint | null | undefined => {
    const text = textAt(fields, name)
    return text === null ? undefined : partsOf(text)
  }
  const [lien, locked, free, whole] = [
    amountOf('lienUnits'),
    amountOf('lockedUnits'),
    amountOf('freeUnits'),
    amountOf('units'),
  ]
  if (lien === null) return 'lien'
  if (locked === null) return 'locked'
  if (free === null || whole === null) return 'units'
  if (lien === undefined && free === undefined && isUp(fields, 'lienFlag')) return 'lien'
  const [lienParts, lockedParts] = [lien ?? 0n, locked ?? 0n]
  const units = whole ?? (free === undefined ? undefined : free + lienParts + lockedParts)
  if (units === undefined) return 'units'
  const held = free === undefined ? 0n : units - lienParts - lockedParts - free
  return {
    units: unitsText(units),
    lienUnits: unitsText(lienParts),
    lockedUnits: unitsText(lockedParts + (held > 0n ? held : 0n)),
  }
}

/** A fund's name is used only to its disadvantage: that it is locked in. */
function kindFrom(type: string, name: string): Kind | null {
  if (/elss|tax ?sav/i.test(`${type} ${name}`)) return 'elss'
  const [isDebt, isEquity] = [/debt|liquid|gilt|overnight|money ?market|cash|bond/i.test(type), /equity/i.test(type)]
  if (/hybrid|balanced/i.test(type) || (isDebt && isEquity)) return 'hybrid'
  if (isDebt) return 'debt'
  return isEquity ? 'equity' : null
}
